"""Dungeons from a seed: rock like hills, rooms that keep apart, corridors that take the cheapest way through the rock.

Integers only, and random numbers of our own: the same seed gives the same dungeon on every machine.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.arguments import Arguments, UnknownLevelError, daily, spelled
from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.catalogue import Opening
from dungeon_tui.core.forms import SEED, Choice, Form, Number
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.engine import path, tunnelling_distance_map
from dungeon_tui.games.delve.model.dungeon import open_file as open_file
from dungeon_tui.games.delve.model.level import (
    COURSE,
    HEARTS,
    IMMUTABLE,
    MONSTERS,
    OPEN,
    Level,
    Room,
)
from dungeon_tui.games.delve.model.level import pack_level as pack_level
from dungeon_tui.games.delve.model.level import unpack_level as unpack_level

MAX_SIDE = 500
FEWEST_ROOMS, MOST_ROOMS = 6, 10  # on 21 x 80 cells or fewer; more in proportion
LEAST_HEIGHT, LEAST_WIDTH = 3, 4  # of a room

_CLASSIC_CELLS = 21 * 80
_GREATEST_HEIGHT, _GREATEST_WIDTH = 6, 14
_GAP = 2  # cells of rock between rooms, as far as possible; 1 always
_MOST_MONSTERS = 100_000  # of a dungeon that is made for its options alone
_TRIES = 40  # places for a room, before the next is tried
_HILLS = (6, 3)  # cells from hill to hill; each layer half as high as the one before
_SLOPE = 1024  # from one peak to the next
_WALL = 170  # rock around a room is at least this hard, so that corridors leave it alone
_MARGIN = 10  # cells by which a corridor may go around

# To dig: by the cube of the hardness, so that a way round is worth it.
_COST_OF_HARDNESS = np.array([3, *(4 + hardness**3 // 66_000 for hardness in range(1, IMMUTABLE)), 0], np.uint8)


def generate(seed: int, height: int = 21, width: int = 80) -> Level:
    """A dungeon in which everything is connected, with its player and stairs in rooms.

    Args:
        seed: any integer; the dungeon depends on it and the size alone.
        height: rows.
        width: columns.

    Returns:
        The level: 6 to 10 rooms, and more on larger maps, no two of which touch, not even at a corner; corridors of
        single steps up, down, left and right, so that nobody need squeeze between two corners of rock; at
        least one stair up and one down; rock of hardness 1 to 254; an immutable border.

    Raises:
        ValueError: a side is above 500, or there is no space for six rooms.

    Cost:
        O(height * width + rooms^2) time.
    """
    if max(height, width) > MAX_SIDE:
        raise ValueError(f"{height} x {width} cells are too many: {MAX_SIDE} x {MAX_SIDE} are possible")
    slots = _slots(height, width)
    if len(slots) < FEWEST_ROOMS:
        raise ValueError(
            f"{height} x {width} cells are too few for {FEWEST_ROOMS} rooms: they need 9 x 16, or the like"
        )
    random = Random(seed)
    rooms = _rooms(random, height, width, slots)
    hardness = _rock(random, height, width)
    for room in rooms:
        hardness[_around(room, 1)] = np.maximum(hardness[_around(room, 1)], _WALL)
    for room in rooms:
        hardness[room.area] = OPEN
    for one, other in _connections(random, rooms):
        _dig(random, hardness, one, other)
    _round_corners(hardness)
    hardness[[0, -1]] = IMMUTABLE
    hardness[:, [0, -1]] = IMMUTABLE
    hardness.flags.writeable = False
    player, ups, downs = _places(random, rooms)
    return Level(hardness, tuple(rooms), player, ups, downs, "generated", name=f"seed {seed}")


DAILY = "A new dungeon each day, the same for everyone, down to every step of its monsters."
_FAIR_FROM = date(2026, 11, 24)  # days before keep the course's rules: a day's level is the same for ever


def openings() -> list[Opening]:
    """The menu's dungeons, each of a seed."""
    found = []
    for title, seed, height, width, monsters in (
        ("A quiet cellar", 5, 21, 80, 3),
        ("The first dungeon", 1, 21, 80, MONSTERS),
        ("A crowded place", 11, 21, 80, 30),
        ("Wide halls", 3, 42, 160, 25),
    ):
        load = partial(_load, seed, height, width, monsters, HEARTS)
        summary = f"Seed {seed}, {height} x {width} cells, {monsters} monsters at first."
        options = {"monsters": monsters, "rows": height, "cols": width}
        usual = {"monsters": MONSTERS, "rows": 21, "cols": 80}
        unusual = {key: value for key, value in options.items() if value != usual[key]}
        arguments = spelled("", {"seed": seed, **unusual, "rules": HEARTS})
        found.append(Opening(title, load, summary, seed, arguments=arguments))
    return found


def forms() -> tuple[Form, ...]:
    """The form of a dungeon that is made by chance."""
    rules = Choice("Rules", (("three hearts", f"--rules {HEARTS}"), ("one hit is death", f"--rules {COURSE}")))
    return (
        Form(
            "New dungeon",
            (
                rules,
                Number("Monsters", "monsters", 1, 1000, str(MONSTERS)),
                Number("Rows", "rows", 10, MAX_SIDE, "21"),
                Number("Columns", "cols", 20, MAX_SIDE, "80"),
                SEED,
            ),
        ),
    )


def named(arguments: str) -> Opening:
    """The opening of a dungeon that options make, or of a day's.

    Raises:
        UnknownLevelError: there is no such dungeon.
        ValueError: there is no such day.
    """
    given = Arguments(arguments)
    day = given.day()
    if given.name:
        raise UnknownLevelError(f"no dungeon is called {given.name!r}: they are made, by --seed")
    if day:
        given.end()
        seed = int(f"{day:%Y%m%d}")
        load = partial(_load, seed, 21, 80, MONSTERS, COURSE if day < _FAIR_FROM else HEARTS)
        return Opening(f"Daily {day}", load, DAILY, seed, arguments=daily(day), day=day)
    if "seed" not in given:
        raise UnknownLevelError("a dungeon has a --seed or a --date")
    seed, monsters = given.number("seed", 0), given.number("monsters", MONSTERS, 1, _MOST_MONSTERS)
    rules = given.choice("rules", (HEARTS, COURSE), COURSE)  # what named none was kept before there were others
    load = partial(_load, seed, given.number("rows", 21), given.number("cols", 80), monsters, rules)
    given.end()
    return Opening(f"seed {seed}", load, seed=seed, arguments=arguments)


def _load(seed: int, height: int, width: int, monsters: int, rules: str) -> Level:
    return replace(generate(seed, height, width), monsters=monsters, rules=rules)


def _rock(random: Random, height: int, width: int) -> ByteGrid:
    """(height, width) uint8 from 1 to 254: layers of hills, smooth between one peak and the next."""
    total = np.zeros((height, width), np.int64)
    for layer, spacing in enumerate(_HILLS):
        rows, cols = height // spacing + 2, width // spacing + 2
        peaks = (random.words(rows * cols) >> np.uint64(48)).astype(np.int64).reshape(rows, cols) >> layer
        down, right = _slope(height, spacing), _slope(width, spacing)
        row, col = np.arange(height) // spacing, np.arange(width) // spacing
        by_row: NDArray[np.int64] = peaks[row] * (_SLOPE - down)[:, None] + peaks[row + 1] * down[:, None]
        total += (by_row[:, col] * (_SLOPE - right) + by_row[:, col + 1] * right).astype(np.int64)
    low, high = int(total.min()), int(total.max())
    return (1 + (total - low) * 253 // max(high - low, 1)).astype(np.uint8)


def _slope(length: int, spacing: int) -> NDArray[np.int64]:
    """(length,) from 0 to _SLOPE: each cell's share of the way from one peak to the next, smoothed by 3 t^2 - 2 t^3."""
    part = (2 * (np.arange(length, dtype=np.int64) % spacing) + 1) * _SLOPE // (2 * spacing)
    return (3 * _SLOPE - 2 * part) * part * part // (_SLOPE * _SLOPE)


def _slots(height: int, width: int) -> list[Room]:
    """Rooms of the smallest size side by side, as many as the map holds: places that are always possible."""
    rows = range(1, height - LEAST_HEIGHT, LEAST_HEIGHT + 1)
    cols = range(1, width - LEAST_WIDTH, LEAST_WIDTH + 1)
    return [Room(row, col, LEAST_HEIGHT, LEAST_WIDTH) for row in rows for col in cols]


def _rooms(random: Random, height: int, width: int, slots: list[Room]) -> list[Room]:
    """Rooms of random places and sizes; where too few of them find a place, of the smallest size."""
    share = max(height * width, _CLASSIC_CELLS)
    fewest = min(FEWEST_ROOMS * share // _CLASSIC_CELLS, len(slots))
    most = min(MOST_ROOMS * share // _CLASSIC_CELLS, len(slots))
    wanted = random.between(fewest, most)
    for gap in (_GAP, 1):
        rooms: list[Room] = []
        taken = np.zeros((height, width), bool)
        for _ in range(wanted * _TRIES):
            room = _random_room(random, height, width)
            if not taken[_around(room, gap)].any():
                taken[room.area] = True
                rooms.append(room)
                if len(rooms) == wanted:
                    return rooms
        if len(rooms) >= fewest:
            return rooms
    left = list(slots)
    return [left.pop(random.below(len(left))) for _ in range(fewest)]


def _random_room(random: Random, height: int, width: int) -> Room:
    """A room anywhere inside the border; each side is the lesser of two draws, so that few rooms are large."""
    greatest_rows = max(LEAST_HEIGHT, min(_GREATEST_HEIGHT, height - 2))
    greatest_cols = max(LEAST_WIDTH, min(_GREATEST_WIDTH, width - 2))
    rows = min(random.between(LEAST_HEIGHT, greatest_rows) for _ in range(2))
    cols = min(random.between(LEAST_WIDTH, greatest_cols) for _ in range(2))
    return Room(random.between(1, height - 1 - rows), random.between(1, width - 1 - cols), rows, cols)


def _around(room: Room, margin: int) -> tuple[slice, slice]:
    """The room's cells and those within a margin; slices end at the map's edge by themselves."""
    top, left = max(room.row - margin, 0), max(room.col - margin, 0)
    return slice(top, room.row + room.height + margin), slice(left, room.col + room.width + margin)


def _connections(random: Random, rooms: list[Room]) -> list[tuple[Room, Room]]:
    """Pairs of rooms to connect: a shortest tree over all of them, and one way round for every three rooms.

    Source:
        Robert Prim, "Shortest connection networks and some generalizations" (1957).
    """
    middles = np.array([(2 * room.row + room.height, 2 * room.col + room.width) for room in rooms])
    nearest = np.abs(middles - middles[0]).sum(1)  # of each room to the tree
    parent = np.zeros(len(rooms), np.intp)
    outside = np.ones(len(rooms), bool)
    outside[0] = False
    pairs = []
    while outside.any():
        new = int(np.flatnonzero(outside)[nearest[outside].argmin()])
        outside[new] = False
        pairs.append((rooms[parent[new]], rooms[new]))
        away = np.abs(middles - middles[new]).sum(1)
        closer = outside & (away < nearest)
        nearest[closer], parent[closer] = away[closer], new
    for _ in range(len(rooms) // 3):
        one = random.below(len(rooms))
        neighbours = np.abs(middles - middles[one]).sum(1).argsort(kind="stable")[1:4]
        pairs.append((rooms[one], rooms[random.choice(neighbours.tolist())]))
    return pairs


def _dig(random: Random, hardness: ByteGrid, one: Room, other: Room) -> None:
    """Opens the cheapest way between two rooms; cells that are open already cost least."""
    height, width = hardness.shape
    top, left = (max(1, min(one[axis], other[axis]) - _MARGIN) for axis in (0, 1))
    bottom, right = (
        min(side - 1, max(one[axis] + one[axis + 2], other[axis] + other[axis + 2]) + _MARGIN)
        for axis, side in ((0, height), (1, width))
    )
    rock = hardness[top:bottom, left:right]
    start, goal = (
        (room.row + random.below(room.height) - top, room.col + random.below(room.width) - left)
        for room in (one, other)
    )
    distance = tunnelling_distance_map(rock, np.array([goal]), weights=_COST_OF_HARDNESS, diagonal=False)
    way = path(distance, start, cost=_COST_OF_HARDNESS[rock], diagonal=False)
    rock[way[:, 0], way[:, 1]] = OPEN


def _round_corners(hardness: ByteGrid) -> None:
    """Opens the softer of two cells of rock between which one could only squeeze through diagonally."""
    while True:
        is_open = hardness == OPEN
        falling, rising = is_open[:-1, :-1] & is_open[1:, 1:], is_open[:-1, 1:] & is_open[1:, :-1]
        is_rock = ~is_open
        cut = np.argwhere(falling & is_rock[:-1, 1:] & is_rock[1:, :-1] | rising & is_rock[:-1, :-1] & is_rock[1:, 1:])
        if not len(cut):
            return
        for row, col in cut.tolist():
            block = hardness[row : row + 2, col : col + 2]
            if block[0, 0] == OPEN and block[1, 1] == OPEN and block[0, 1] and block[1, 0]:
                block[(0, 1) if block[0, 1] <= block[1, 0] else (1, 0)] = OPEN
            elif block[0, 1] == OPEN and block[1, 0] == OPEN and block[0, 0] and block[1, 1]:
                block[(0, 0) if block[0, 0] <= block[1, 1] else (1, 1)] = OPEN


def _places(random: Random, rooms: list[Room]) -> tuple[Cell, tuple[Cell, ...], tuple[Cell, ...]]:
    """The player, stairs up, and stairs down: in a room each as long as there are rooms, never two on a cell."""
    left = list(rooms)
    taken: list[Cell] = []

    def place() -> Cell:
        nonlocal left
        left = left or list(rooms)
        room = left.pop(random.below(len(left)))
        while True:
            cell = Cell(room.row + random.below(room.height), room.col + random.below(room.width))
            if cell not in taken:
                taken.append(cell)
                return cell

    most = max(2, len(rooms) // 5)
    player = place()
    ups = tuple(place() for _ in range(random.between(1, most)))
    return player, ups, tuple(place() for _ in range(random.between(1, most)))
