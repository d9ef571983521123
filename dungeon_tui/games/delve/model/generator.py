"""Random dungeons: hilly rock, rooms that don't touch, and corridors on the cheapest paths through the rock.

With integers only and a random generator of the project, a seed gives the same dungeon on every machine.
"""

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.catalogue import Opening
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, level_name, read_level_file
from dungeon_tui.core.options import Given
from dungeon_tui.core.random import Random
from dungeon_tui.core.text import printable
from dungeon_tui.engine import path, tunnelling_distance_map
from dungeon_tui.games.delve.model.dungeon import MOST_BYTES, home, read_level
from dungeon_tui.games.delve.model.level import IMMUTABLE, OPEN, Level, Room, place_player
from dungeon_tui.games.delve.model.level import pack_level as pack_level
from dungeon_tui.games.delve.model.level import unpack_level as unpack_level
from dungeon_tui.games.delve.model.options import AIMS, MONSTERS, OPTIONS, RULES
from dungeon_tui.games.delve.model.options import forms as forms

DAILY = "A new dungeon each day, the same for everyone, down to every step of its monsters."
MAX_SIDE = 500
FEWEST_ROOMS, MOST_ROOMS = 6, 10  # on 21 x 80 cells or fewer; more in proportion
LEAST_HEIGHT, LEAST_WIDTH = 3, 4  # of a room

_CLASSIC_CELLS = 21 * 80
_GREATEST_HEIGHT, _GREATEST_WIDTH = 6, 14
_GAP = 2  # cells of rock between rooms if there is space, else 1
_TRIES = 40  # random positions for each room
_HILLS = (6, 3)  # cells between hills, for each layer; the second has half the height
_SLOPE = 1024  # height from one peak to the next
_WALL = 170  # least hardness of the rock around a room, so that corridors avoid it
_MARGIN = 10  # cells by which a corridor may leave the rectangle around its rooms

# The cost of digging grows with the cube of the hardness, so that detours around hard rock pay.
_COST_OF_HARDNESS = np.array([3, *(4 + hardness**3 // 66_000 for hardness in range(1, IMMUTABLE)), 0], np.uint8)


def generate(seed: int, height: int = 21, width: int = 80) -> Level:
    """A random dungeon, with a player and stairs in rooms; it depends only on the seed and the size.

    It has 6 to 10 rooms, or more on larger maps, no two of which touch, not even at a corner; corridors that connect
    them all, with steps up, down, left and right, so that no walk squeezes between two corners of rock; at least one
    staircase up and one down; rock of hardness 1 to 254; an immutable border.

    Raises:
        LevelError: a side is above 500, or there is no space for six rooms.
    """
    name, size = f"seed {seed}", f"{height} x {width} cells"
    if max(height, width) > MAX_SIDE:
        raise LevelError(f"{size} are too many: the limit is {MAX_SIDE} x {MAX_SIDE}", name)
    slots = _slots(height, width)
    if len(slots) < FEWEST_ROOMS:
        raise LevelError(f"{size} are too few for {FEWEST_ROOMS} rooms; 9 x 16 are enough", name)
    random = Random(seed)
    rooms = _rooms(random, height, width, slots)
    hardness = _rock(random, height, width)
    for room in rooms:
        hardness[_around(room, 1)] = np.maximum(hardness[_around(room, 1)], _WALL)
    for room in rooms:
        hardness[room.area] = OPEN
    for one, other in _connections(random, rooms):
        _dig(random, hardness, one, other)
    round_corners(hardness)
    hardness[[0, -1]] = IMMUTABLE
    hardness[:, [0, -1]] = IMMUTABLE
    hardness.flags.writeable = False
    player, ups, downs = _player_and_stairs(random, rooms)
    return Level(hardness, tuple(rooms), player, ups, downs, "generated", name=name)


_SHIPPED = {
    "--seed 285 --monsters 1 --rows 17 --cols 40 --depths 2": ("A short dungeon", "Two depths, a guard at each find."),
    "--seed 98 --cols 40 --depths 5": ("The first dungeon", "Five depths. Fetch the bomb before the hunters come."),
    "--seed 11 --monsters 20": ("A crowded place", "Ten depths, four times as many monsters."),
    "--seed 3 --monsters 15 --rows 42 --cols 160": ("Wide halls", "Ten depths, four times as large."),
}


def openings() -> list[Opening]:
    """The menu's dungeons, each with its seed."""
    return [named(arguments) for arguments in _SHIPPED]


def named(arguments: str) -> Opening:
    """The opening of a generated or daily dungeon. Raises UnknownLevelError if there is none of that name."""
    return opening(OPTIONS.read(arguments))


def opening(given: Given) -> Opening:
    """The opening for options: a file, a generated dungeon, or a daily one."""
    if day := given.day:
        seed = int(f"{day:%Y%m%d}")
        load = partial(_load, OPTIONS.given(values={"seed": seed, "cols": 40, "depths": 5}), title=f"Daily {day}")
        return Opening(f"Daily {day}", load, DAILY, seed, arguments=given.arguments, day=day)
    path = str(home()) if given["load-home"] else given.name
    seed = given["seed"] or 0
    usual = f"Random, {RULES.titles[given['rules']]}, seed {seed}", AIMS[given["rules"]]
    made, summary = ("", usual[1]) if path else _SHIPPED.get(given.arguments, usual)
    load, title = partial(_load, given, path, made), made or printable(level_name(path))
    return Opening(title, load, summary, seed, arguments=given.arguments)


def _load(given: Given, path: str = "", title: str = "") -> Level:
    level = read_level(read_level_file(path, MOST_BYTES)) if path else make(given)
    level = place_player(level, given["seed"] or 0)
    monsters = given["monsters"] or MONSTERS[given["rules"]]
    name = title or level.name
    return replace(level, name=name, monsters=monsters, rules=given["rules"], depths=given["depths"])


def make(given: Given) -> Level:
    """The new dungeon for options. Raises LevelError as `generate` does."""
    return generate(given["seed"] or 0, given["rows"], given["cols"])


def open_file(path: str) -> Opening:
    """The opening of a dungeon file, which is read only when loaded."""
    return opening(OPTIONS.given(path))


def _rock(random: Random, height: int, width: int) -> ByteGrid:
    """(height, width) uint8 from 1 to 254: layers of smooth hills."""
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
    """(length,) from 0 to _SLOPE: each cell's position between two peaks, smoothed by 3 t^2 - 2 t^3."""
    part = (2 * (np.arange(length, dtype=np.int64) % spacing) + 1) * _SLOPE // (2 * spacing)
    return (3 * _SLOPE - 2 * part) * part * part // (_SLOPE * _SLOPE)


def _slots(height: int, width: int) -> list[Room]:
    """Rooms of the smallest size in a grid: positions that are always possible."""
    rows = range(1, height - LEAST_HEIGHT, LEAST_HEIGHT + 1)
    cols = range(1, width - LEAST_WIDTH, LEAST_WIDTH + 1)
    return [Room(row, col, LEAST_HEIGHT, LEAST_WIDTH) for row in rows for col in cols]


def _rooms(random: Random, height: int, width: int, slots: list[Room]) -> list[Room]:
    """Rooms with random positions and sizes; if too few fit, of the smallest size."""
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
    """A random room inside the border; each side is the lesser of two draws, so that few rooms are large."""
    greatest_rows = max(LEAST_HEIGHT, min(_GREATEST_HEIGHT, height - 2))
    greatest_cols = max(LEAST_WIDTH, min(_GREATEST_WIDTH, width - 2))
    rows = min(random.between(LEAST_HEIGHT, greatest_rows) for _ in range(2))
    cols = min(random.between(LEAST_WIDTH, greatest_cols) for _ in range(2))
    return Room(random.between(1, height - 1 - rows), random.between(1, width - 1 - cols), rows, cols)


def _around(room: Room, margin: int) -> tuple[slice, slice]:
    top, left = max(room.row - margin, 0), max(room.col - margin, 0)
    return slice(top, room.row + room.height + margin), slice(left, room.col + room.width + margin)


def _connections(random: Random, rooms: list[Room]) -> list[tuple[Room, Room]]:
    """Pairs of rooms to connect: a shortest spanning tree, and an extra pair for every three rooms.

    Source:
        Robert Prim, "Shortest connection networks and some generalizations" (1957).
    """
    middles = np.array([(2 * room.row + room.height, 2 * room.col + room.width) for room in rooms])
    nearest = np.abs(middles - middles[0]).sum(1)  # distance of each room from the tree
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
    """Opens the cheapest path between two rooms; open cells cost least."""
    top, left = (max(1, min(one[axis], other[axis]) - _MARGIN) for axis in (0, 1))
    bottom = max(one.row + one.height, other.row + other.height) + _MARGIN
    right = max(one.col + one.width, other.col + other.width) + _MARGIN
    rock = hardness[:-1, :-1][top:bottom, left:right]
    start, goal = (
        (room.row + random.below(room.height) - top, room.col + random.below(room.width) - left)
        for room in (one, other)
    )
    distance = tunnelling_distance_map(rock, np.array([goal]), weights=_COST_OF_HARDNESS, diagonal=False)
    way = path(distance, start, cost=_COST_OF_HARDNESS[rock], diagonal=False)
    rock[way[:, 0], way[:, 1]] = OPEN


def round_corners(hardness: ByteGrid) -> None:
    """Opens the softer of two cells of rock if the only way between them is diagonal."""
    while True:
        is_open = hardness == OPEN
        falling, rising = is_open[:-1, :-1] & is_open[1:, 1:], is_open[:-1, 1:] & is_open[1:, :-1]
        is_rock = ~is_open
        cut = np.argwhere(falling & is_rock[:-1, 1:] & is_rock[1:, :-1] | rising & is_rock[:-1, :-1] & is_rock[1:, 1:])
        if not len(cut):
            return
        for row, col in cut.tolist():
            block = hardness[row : row + 2, col : col + 2]
            one, other = ((0, 1), (1, 0)) if block[0, 0] == OPEN else ((0, 0), (1, 1))
            if np.count_nonzero(block) == 2 and block[one] and block[other]:  # no earlier cell has changed it
                block[one if block[one] <= block[other] else other] = OPEN


def _player_and_stairs(random: Random, rooms: list[Room]) -> tuple[Cell, tuple[Cell, ...], tuple[Cell, ...]]:
    """The player, stairs up, and stairs down, in different rooms while there are enough, and never on the same cell."""
    left = list(rooms)
    taken: list[Cell] = []

    def free_cell() -> Cell:
        nonlocal left
        left = left or list(rooms)
        room = left.pop(random.below(len(left)))
        while True:
            cell = Cell(room.row + random.below(room.height), room.col + random.below(room.width))
            if cell not in taken:
                taken.append(cell)
                return cell

    most = max(2, len(rooms) // 5)
    player = free_cell()
    ups = tuple(free_cell() for _ in range(random.between(1, most)))
    return player, ups, tuple(free_cell() for _ in range(random.between(1, most)))
