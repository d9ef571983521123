"""Levels from a seed hold what was wanted for, within reach of the start, and are the same everywhere."""

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.crawler.model.generator import LevelSpec, generate
from dungeon_tui.games.crawler.model.level import (
    AMULET,
    DOOR,
    MONSTER,
    PILLAR,
    TREASURE,
    WAY_OUT,
    Level,
    level_text,
    read_level,
)
from tests.naive_distance import distance_map


def count(level: Level, tile: int) -> int:
    return int(np.count_nonzero(level.tiles == tile))


def walked(level: Level, stops: bytes) -> set[Cell]:
    """Where one comes from the start without stepping on some tiles."""
    distance = distance_map((~np.isin(level.tiles, list(stops))).tolist(), [level.start], diagonal=False)
    return {Cell(*cell) for cell in np.argwhere(np.array(distance) != UNREACHED).tolist()}


def beside(cells: set[Cell]) -> set[Cell]:
    return cells | {cell.neighbour(way) for cell in cells for way in FOUR_WAYS}


spec = st.builds(
    LevelSpec,
    rows=st.integers(5, 30),
    cols=st.integers(5, 30),
    monsters=st.integers(0, 12),
    treasure=st.integers(0, 12),
    amulets=st.integers(0, 3),
    leave_by=st.sampled_from([DOOR, WAY_OUT]),
    has_vault=st.booleans(),
)


@settings(max_examples=3 * settings().max_examples)
@given(st.integers(-(2**80), 2**80), spec)
@example(0, LevelSpec(30, 20, 0, 2, 3, DOOR))  # whose door lies in a passage
def test_a_level_holds_what_was_requested_within_reach(seed: int, spec: LevelSpec) -> None:
    level = generate(seed, spec)
    again = generate(seed, spec)
    if level is None or again is None:
        assert level is again
        return
    assert level_text(level) == level_text(again)
    assert read_level(LevelFile("made", level_text(level).encode())).start == level.start
    assert level.tiles.shape == (spec.rows, spec.cols)
    wanted = {MONSTER: spec.monsters, TREASURE: spec.treasure, AMULET: spec.amulets, spec.leave_by: 1}
    assert {tile: count(level, tile) for tile in wanted} == wanted
    reached = walked(level, bytes([PILLAR, DOOR, WAY_OUT]))
    things = {Cell(*cell) for cell in np.argwhere(np.isin(level.tiles, [MONSTER, TREASURE, AMULET])).tolist()}
    (way_out,) = (Cell(*cell) for cell in np.argwhere(level.tiles == spec.leave_by).tolist())
    assert things <= beside(reached)
    assert (way_out in beside(reached)) is not spec.has_vault
    open_cells = {Cell(*cell) for cell in np.argwhere(level.tiles != PILLAR).tolist()}
    if not spec.has_vault:
        assert open_cells == walked(level, bytes([PILLAR]))
    for cell in np.argwhere(level.tiles == MONSTER).tolist():
        assert abs(cell[0] - level.start.row) + abs(cell[1] - level.start.col) >= 4


@given(st.integers(0, 2**64), spec)
def test_no_monster_sees_the_start(seed: int, spec: LevelSpec) -> None:
    level = generate(seed, spec)
    if level is None:
        return
    for way in FOUR_WAYS:
        cell = level.start.neighbour(way)
        while cell.is_inside(*level.tiles.shape) and level.tiles[cell] != PILLAR:
            assert level.tiles[cell] != MONSTER
            cell = cell.neighbour(way)


def test_most_seeds_come_to_a_level() -> None:
    for has_vault in (False, True):
        spec = LevelSpec(11, 19, 4, 5, 1, has_vault=has_vault)
        assert sum(generate(seed, spec) is not None for seed in range(100)) >= 70
