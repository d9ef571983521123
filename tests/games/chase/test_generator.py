"""Generated boards keep their promises: rooms apart, corridors that touch nothing else, everything connected."""

import hashlib
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dungeon_tui.core.grid import EIGHT_WAYS, FOUR_WAYS, Cell, Direction
from dungeon_tui.core.level import LevelFile
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai.solver import value
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.generator import generate
from dungeon_tui.games.chase.model.level import CORRIDOR, MAX_SIDE, ROOM, WALL, Level, level_text, read_level


def digest(level: Level) -> str:
    return hashlib.sha256(level_text(level).encode()).hexdigest()[:16]


def parts(cells: set[Cell], ways: Iterable[Direction]) -> list[set[Cell]]:
    """The connected parts of a set of cells."""
    ways, left, found = tuple(ways), set(cells), []
    while left:
        queue = [left.pop()]
        for cell in queue:
            near = {cell.neighbour(way) for way in ways} & left
            left -= near
            queue.extend(near)
        found.append(set(queue))
    return found


def box(part: set[Cell]) -> tuple[int, int, int, int]:
    rows, cols = [cell.row for cell in part], [cell.col for cell in part]
    return min(rows), max(rows), min(cols), max(cols)


def cells_of(level: Level, tile: int) -> set[Cell]:
    return {Cell(*cell) for cell in np.argwhere(level.tiles == tile).tolist()}


def check(level: Level, size: int) -> None:
    assert level.tiles.shape == (size, size)
    in_rooms, in_corridors = cells_of(level, ROOM), cells_of(level, CORRIDOR)
    assert {level.monster, level.rogue} <= in_rooms
    assert len(parts(in_rooms | in_corridors, FOUR_WAYS)) == 1, "not everything is connected"

    rooms = parts(in_rooms, EIGHT_WAYS)
    assert len(rooms) >= 4
    room_of = {cell: number for number, room in enumerate(rooms) for cell in room}
    assert room_of[level.monster] != room_of[level.rogue]
    away = max(abs(level.monster.row - level.rogue.row), abs(level.monster.col - level.rogue.col))
    assert away <= 30, "the monster is more than two rooms away"
    boxes = [box(room) for room in rooms]
    for number, (top, bottom, left, right) in enumerate(boxes):
        full = {Cell(row, col) for row in range(top, bottom + 1) for col in range(left, right + 1)}
        pillars = full - rooms[number]
        assert len(pillars) <= 1
        for row, col in pillars:
            assert level.tiles[row, col] == WALL
            assert top < row < bottom
            assert left < col < right
        for up, down, start, end in boxes[:number]:
            between = max(up - bottom, top - down, start - right, left - end) - 1
            assert between >= 3, "two rooms are too near each other"

    for corridor in parts(in_corridors, FOUR_WAYS):
        doors = []
        for cell in corridor:
            near = {cell.neighbour(way) for way in FOUR_WAYS} & (in_rooms | in_corridors)
            assert len(near) == 2, "a corridor ends, branches or touches something"
            doors += [room_of[door] for door in near & in_rooms]
        assert len(doors) == len(set(doors)) == 2, "a corridor does not lead from one room to another"


@given(st.integers(), st.integers(5, 60))
@example(1, 100)
@example(2, 200)
def test_every_board_keeps_its_promises_and_can_be_written(seed: int, size: int) -> None:
    level = generate(seed, size)
    check(level, size)
    again = read_level(LevelFile("x", level_text(level).encode()))
    assert np.array_equal(again.tiles, level.tiles)
    assert (again.monster, again.rogue, again.letter) == (level.monster, level.rogue, level.letter)
    assert level.name == f"seed-{seed}-{size}"
    assert not level.tiles.flags.writeable


@pytest.mark.slow
def test_the_largest_board_is_made() -> None:
    level = generate(1, MAX_SIDE)
    assert level.tiles.shape == (MAX_SIDE, MAX_SIDE)
    assert {ROOM, CORRIDOR, WALL} == set(np.unique(level.tiles).tolist())


def test_seeds_differ() -> None:
    assert len({digest(generate(seed, 24)) for seed in (*range(100), -1, 2**63, 10**30)}) == 103


@pytest.mark.parametrize("size", [5, 8, 16, 24, 40])
def test_about_half_of_the_boards_are_lost(size: int) -> None:
    boards = [generate(seed, size) for seed in range(60)]
    values = [value(rules.start(level)) for level in boards]
    assert 0.35 <= values.count(UNREACHED) / len(values) <= 0.65


@given(st.integers(), st.integers(5, 40))
def test_walls_cut_a_hall_into_rooms_with_doors(seed: int, size: int) -> None:
    level = generate(seed, size, "walls")
    corridors = cells_of(level, CORRIDOR)
    assert len(parts(cells_of(level, ROOM), FOUR_WAYS)) in (2, 4)
    assert len(parts(cells_of(level, ROOM) | corridors, FOUR_WAYS)) == 1
    assert level.tiles[level.monster] == level.tiles[level.rogue] == ROOM
    assert level.monster != level.rogue


@given(st.integers(), st.integers(5, 40))
def test_a_hall_is_one_room_with_pillars_that_stand_alone(seed: int, size: int) -> None:
    level = generate(seed, size, "pillars")
    assert cells_of(level, CORRIDOR) == set()
    assert len(parts(cells_of(level, ROOM), FOUR_WAYS)) == 1
    assert all(len(part) == 1 for part in parts(cells_of(level, WALL), EIGHT_WAYS))
    assert digest(read_level(LevelFile("hall", level_text(level).encode()))) == digest(level)


def test_pillars_are_few_and_no_rule() -> None:
    def pillars(level: Level) -> int:
        areas = [(room, box(room)) for room in parts(cells_of(level, ROOM), EIGHT_WAYS)]
        return sum((box[1] - box[0] + 1) * (box[3] - box[2] + 1) - len(room) for room, box in areas)

    counts = [pillars(generate(seed, 32)) for seed in range(40)]
    assert min(counts) == 0
    assert 0 < sum(counts) < 120
