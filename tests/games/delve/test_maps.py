"""Lines of sight beside a slow twin that follows the definition word by word; rooms and corridors as a map."""

import json
from collections import deque
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.delve.model.dungeon import write_level
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.level import OPEN, Level, Room
from dungeon_tui.games.delve.model.maps import corridors_between, room_graph, seen_from
from tests.games.delve.drawn import level_of
from tests.naive_distance import neighbours
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


@given(grids(), st.data())
def test_who_sees_is_seen(given_grid: tuple[BoolGrid, Cell], data: st.DataObject) -> None:
    is_open, cell = given_grid
    other = Cell(*data.draw(st.sampled_from(np.argwhere(is_open).tolist())))
    assert seen_from(is_open, cell)[other] == seen_from(is_open, other)[cell]


def seen_text(*rows: str) -> list[str]:
    level = level_of(*rows)
    assert level.player is not None
    seen = seen_from(level.hardness == 0, level.player)
    return ["".join("s" if cell else "-" for cell in row) for row in seen]


def test_a_pillar_casts_a_shadow() -> None:
    assert seen_text(
        "@.X....",
        ".......",
    ) == [
        "ssss-----",
        "ssss-----",
        "ssssss---",
        "sssssss--",
    ]  # fmt: skip


def slow_corridors(level: Level) -> list[tuple[int, int, int]]:
    """The same, by walking from each room until another one is touched."""
    height, width = level.hardness.shape
    owners: dict[Cell, set[int]] = {}
    for number, room in enumerate(level.rooms):
        for row in range(room.row, room.row + room.height):
            for col in range(room.col, room.col + room.width):
                if level.hardness[row, col] == OPEN:
                    owners.setdefault(Cell(row, col), set()).add(number)
    found: dict[tuple[int, int], int] = {}
    for number in range(len(level.rooms)):
        begin = [cell for cell, rooms in owners.items() if number in rooms]
        steps = dict.fromkeys(begin, 0)
        waiting = deque(begin)
        while waiting:
            cell = waiting.popleft()
            for other in owners.get(cell, set()) - {number}:
                found.setdefault((min(number, other), max(number, other)), 0)
            for near in neighbours(cell, height, width, True):
                near = Cell(*near)
                if level.hardness[near] != OPEN or near in steps:
                    continue
                if near in owners and number not in owners[near]:
                    for other in owners[near]:
                        pair = min(number, other), max(number, other)
                        found[pair] = min(found.get(pair, steps[cell]), steps[cell])
                    continue
                steps[near] = steps[cell] + 1
                waiting.append(near)
    return sorted((*pair, length) for pair, length in found.items())


def test_corridors_are_as_long_as_they_have_cells() -> None:
    assert corridors_between(level_of(".###.", "    #", ".   .")) == [(0, 1, 3), (0, 3, 4), (1, 3, 1)]


def test_rooms_in_the_way_are_not_passed_through() -> None:
    assert corridors_between(level_of(".#.#.")) == [(0, 1, 1), (1, 2, 1)]
    assert corridors_between(level_of("...")) == [(0, 1, 0), (1, 2, 0)]


@pytest.mark.parametrize("seed", range(6))
def test_generated_dungeons_as_walked_slowly(seed: int) -> None:
    level = generate(seed)
    assert corridors_between(level) == slow_corridors(level)


def test_rooms_that_overlap_or_have_no_open_cell_do_no_harm() -> None:
    level = generate(1)
    hardness = level.hardness.copy()
    hardness[level.rooms[2].area] = 9
    level = replace(level, hardness=hardness, rooms=(*level.rooms, level.rooms[0], Room(1, 1, 3, 30)))
    assert corridors_between(level) == slow_corridors(level)
    assert (0, len(level.rooms) - 2, 0) in corridors_between(level)


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
