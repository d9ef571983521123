"""A dungeon's rooms and corridors as a map for the expedition."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.delve.model.dungeon import write_level
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.level import OPEN, Level, Room
from dungeon_tui.games.delve.model.maps import corridors_between, room_of
from tests.games.delve.drawn import level_of
from tests.naive_distance import neighbours
from tests.processes import call


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
    assert room_of(level, Cell(1, 2)) == 0
    assert room_of(level, Cell(1, 5)) == 1
    assert room_of(level_of("##  ."), Cell(1, 1)) is None
    assert room_of(replace(level, rooms=()), Cell(1, 2)) is None


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


def test_what_cannot_be_written(tmp_path: Path) -> None:
    dungeon = tmp_path / "dungeon"
    for level, output in (generate(5), ("--output", str(dungeon))), (replace(generate(5), rooms=()), ()):
        dungeon.write_bytes(write_level(level))
        done = call("delve", "rooms", str(dungeon), *output)
        assert (done.returncode, done.stdout) == (1, b"")
        assert done.stderr.count(b"\n") == 2 - bool(level.rooms)  # their lack is a warning, too
        assert dungeon.read_bytes() == write_level(level)
