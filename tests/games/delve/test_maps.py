"""Lines of sight beside a slow twin that follows the definition word by word; rooms and corridors as a map."""

import json
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.delve.model.dungeon import write_level
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.level import Room
from dungeon_tui.games.delve.model.maps import corridors_between, room_graph, seen_from
from tests.games.delve.drawn import level_of
from tests.processes import call

BoolGrid = NDArray[np.bool_]


def has_line(is_open: BoolGrid, one: Cell, other: Cell) -> bool:
    """Whether at each step of the line's longer side a nearest cell is open."""
    down, right = other.row - one.row, other.col - one.col
    length = max(abs(down), abs(right))
    half = Fraction(1, 2)
    for step in range(1, length):
        row, col = one.row + Fraction(step * down, length), one.col + Fraction(step * right, length)
        rows = {floor(row + half), ceil(row - half)}
        cols = {floor(col + half), ceil(col - half)}
        if not any(is_open[at] for at in ((r, c) for r in rows for c in cols)):
            return False
    return True


def naive_seen(is_open: BoolGrid, cell: Cell) -> BoolGrid:
    height, width = is_open.shape
    seen = np.zeros(is_open.shape, bool)
    seen[cell] = True
    for row in range(height):
        for col in range(width):
            if is_open[row, col] and has_line(is_open, cell, Cell(row, col)):
                seen[row, col] = True
    lit = np.argwhere(seen)
    for row in range(height):
        for col in range(width):
            if not is_open[row, col]:
                seen[row, col] |= bool((np.abs(lit - (row, col)).max(1) <= 1).any())
    return seen


@st.composite
def grids(draw: st.DrawFn) -> tuple[BoolGrid, Cell]:
    height, width = draw(st.integers(1, 9)), draw(st.integers(1, 12))
    seed, share = draw(st.integers(0, 2**32 - 1)), draw(st.sampled_from([0.1, 0.25, 0.5]))
    is_open = np.random.default_rng(seed).random((height, width)) >= share
    cell = Cell(draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1)))
    is_open[cell] = True
    return is_open, cell


@given(grids())
def test_what_is_seen_is_what_the_naive_twin_sees(given_grid: tuple[BoolGrid, Cell]) -> None:
    is_open, cell = given_grid
    assert np.array_equal(seen_from(is_open, cell), naive_seen(is_open, cell))


def test_corridors_are_as_long_as_they_have_cells() -> None:
    assert corridors_between(level_of(".###.", "    #", ".   .")) == [(0, 1, 3), (0, 3, 4), (1, 3, 1)]


def test_rooms_in_the_way_are_not_passed_through() -> None:
    assert corridors_between(level_of(".#.#.")) == [(0, 1, 1), (1, 2, 1)]
    assert corridors_between(level_of("...")) == [(0, 1, 0), (1, 2, 0)]
    level = level_of(".#.", "   ")
    in_rock, overlapping = Room(2, 1, 1, 2), level.rooms[0]
    level = replace(level, rooms=(*level.rooms, in_rock, overlapping))
    assert corridors_between(level) == [(0, 1, 1), (0, 3, 0), (1, 3, 1)]


def test_the_nearest_room_on_foot() -> None:
    level = level_of(".####.", "", ".")
    for grid, cell, started in ((level, Cell(1, 2), 0), (level, Cell(1, 5), 1), (level_of("##  ."), Cell(1, 1), 0)):
        nodes = room_graph(grid, cell)["nodes"]
        assert [number for number, node in enumerate(nodes) if "start" in node] == [started]


def test_the_command_writes_a_map_that_the_expedition_reads(tmp_path: Path) -> None:
    path, dungeon = tmp_path / "map.json", tmp_path / "dungeon"
    done = call("delve", "rooms", "--seed", "5", "--output", str(path))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    level = generate(5)
    values = json.loads(path.read_text())
    assert [(node["id"], node["row"], node["col"]) for node in values["nodes"]] == [
        (number, room.row + (room.height - 1) / 2, room.col + (room.width - 1) / 2)
        for number, room in enumerate(level.rooms, 1)
    ]
    assert [(edge["source"] - 1, edge["target"] - 1, edge["cost"]) for edge in values["edges"]] == corridors_between(
        level
    )
    assert level.player is not None
    (start,) = (node["id"] for node in values["nodes"] if node.get("start"))
    covered = np.zeros(level.hardness.shape, bool)
    covered[level.rooms[start - 1].area] = True
    assert covered[level.player]
    plan = json.loads(call("expedition", "solve", str(path), "--json").stdout)
    assert (plan["seen"], plan["proven_minimal"], plan["walk"][0]) == (len(level.rooms), True, start)
    dungeon.write_bytes(write_level(level))
    assert call("delve", "rooms", str(dungeon)).stdout == path.read_bytes()
    assert call("delve", "rooms", "--output", "-", "-", given=dungeon.read_bytes()).stdout == path.read_bytes()
