"""The level: a dungeon, its terrain and its player; packing levels, and reading rooms from bytes."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel
from dungeon_tui.core.random import Random

OPEN, IMMUTABLE = 0, 255  # hardness
ROOM, CORRIDOR, ROCK, STAIRS_UP, STAIRS_DOWN = b".# <>"  # terrain
PLAYER = ord("@")  # drawn, no terrain
MONSTERS = 10  # in a game, where nobody says how many

TERRAIN_NAMES = {
    ROOM: "room",
    CORRIDOR: "corridor",
    ROCK: "rock",
    STAIRS_UP: "stairs up",
    STAIRS_DOWN: "stairs down",
}

BoolGrid = NDArray[np.bool_]


class Room(NamedTuple):
    """A rectangle of open cells.

    >>> np.arange(20).reshape(4, 5)[Room(1, 2, 2, 3).area].tolist()
    [[7, 8, 9], [12, 13, 14]]
    """

    row: int  # of the upper left cell
    col: int
    height: int
    width: int

    @property
    def area(self) -> tuple[slice, slice]:
        """Its rows and columns, to index a grid with."""
        return slice(self.row, self.row + self.height), slice(self.col, self.col + self.width)


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """One dungeon."""

    hardness: ByteGrid  # (height, width) uint8, read-only: 0 open, 1..254 rock, 255 immutable
    rooms: tuple[Room, ...]  # each on the map
    player: Cell | None  # an open cell; None where the file gives none that can be stood on
    stairs_up: tuple[Cell, ...]  # each on the map
    stairs_down: tuple[Cell, ...]
    layout: str  # "S2016" ... "S2025", or what else made it
    warnings: tuple[str, ...] = ()  # what was wrong with the file
    name: str = ""
    monsters: int = MONSTERS  # a game begins with, where there is space for them


def room_cells(level: Level) -> BoolGrid:
    """(height, width) bool: the open cells that a room covers."""
    covered = np.zeros(level.hardness.shape, bool)
    for room in level.rooms:
        covered[room.area] = True
    covered &= level.hardness == OPEN
    return covered


def terrain(level: Level) -> ByteGrid:
    """The dungeon as it looks without anyone in it.

    Returns:
        (height, width) uint8, the caller's own: the codes ROOM, CORRIDOR, ROCK, STAIRS_UP and STAIRS_DOWN, which are
        their glyphs' ASCII codes too.

    Source:
        docs/games/delve.md:
        "Hardness 0 is open (room where a room covers it, corridor elsewhere)".
    """
    grid = np.where(level.hardness == OPEN, np.uint8(CORRIDOR), np.uint8(ROCK))
    grid[room_cells(level)] = ROOM
    for glyph, stairs in (STAIRS_UP, level.stairs_up), (STAIRS_DOWN, level.stairs_down):
        for cell in stairs:
            grid[cell] = glyph
    return grid


def place_player(level: Level, seed: int = 0, at: Cell | None = None) -> Level:
    """The level with a player in it.

    Args:
        level: any.
        seed: chooses a cell of a room, off the stairs as far as possible, where neither the caller nor the file
            gives one; without rooms any open cell.
        at: where the caller wants the player.

    Raises:
        ValueError: `at` is off the map or not open, or no cell is open.

    Source:
        docs/games/delve.md:
        "Where a layout stores no player, the caller gives one (--at), else it stands on a room
        cell chosen by the seed."
    """
    height, width = level.hardness.shape
    if at is not None:
        if not at.is_inside(height, width):
            size = f"its rows are 0 to {height - 1}, its columns 0 to {width - 1}"
            raise ValueError(f"{at.place} is off the map: {size}")
        if level.hardness[at] != OPEN:
            raise ValueError(f"{at.place} is rock of hardness {level.hardness[at]}, not an open cell")
        return replace(level, player=at)
    if level.player is not None:
        return level
    free = terrain(level)
    for cells in (free == ROOM, room_cells(level), level.hardness == OPEN):
        places = np.flatnonzero(cells)
        if len(places):
            return replace(level, player=Cell(*divmod(Random(seed).choice(places.tolist()), width)))
    raise ValueError("no cell is open: there is nowhere to stand")


def pack_level(level: Level) -> PackedLevel:
    """The dungeon as recordings hold it: its hardness, and all else as JSON; any size, and no warnings."""
    places = {
        "shape": level.hardness.shape,
        "layout": level.layout,
        "player": level.player,
        "rooms": level.rooms,
        "stairs_up": level.stairs_up,
        "stairs_down": level.stairs_down,
    }
    name = level.name or "dungeon"
    files = (LevelFile(f"{name}.hardness", level.hardness.tobytes()), LevelFile(name, json.dumps(places).encode()))
    return PackedLevel(files, {"monsters": level.monsters})


def unpack_level(packed: PackedLevel) -> Level:
    """The dungeon that `pack_level` packed.

    Raises:
        LevelError: it was not packed by it.
    """
    if len(packed.files) != 2:
        raise LevelError("a delve's recording has two files: the hardness and the places", "<recording>")
    stored, places = packed.files
    try:
        monsters = packed.options.get("monsters", MONSTERS)
        if not isinstance(monsters, int) or monsters < 0:
            raise ValueError("monsters must be a number from 0 on")
        values = json.loads(places.data)
        height, width = (int(side) for side in values["shape"])
        if min(height, width) < 1 or height * width != len(stored.data):
            raise ValueError("the hardness has another size")
        hardness = np.frombuffer(stored.data, np.uint8).reshape(height, width)
        if any((edge != IMMUTABLE).any() for edge in (hardness[0], hardness[-1], hardness[:, 0], hardness[:, -1])):
            raise ValueError("the border is not immutable")
        player = None if values["player"] is None else _cell_on(values["player"], height, width)
        if player is not None and hardness[player] != OPEN:
            raise ValueError("the player is in the rock")
        return Level(
            hardness=hardness,
            rooms=tuple(_room_on(numbers, height, width) for numbers in values["rooms"]),
            player=player,
            stairs_up=tuple(_cell_on(numbers, height, width) for numbers in values["stairs_up"]),
            stairs_down=tuple(_cell_on(numbers, height, width) for numbers in values["stairs_down"]),
            layout=str(values["layout"]),
            name=places.name,
            monsters=monsters,
        )
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise LevelError(f"the dungeon in the recording can't be read: {error}", places.name) from None


# Rooms as bytes

ORDERS_IN_USE = ("xywh", "xwyh", "yxhw")  # of a room's four bytes, by what they count: places before sizes
_ORDERS = (*ORDERS_IN_USE, *sorted({*map("".join, permutations("xywh"))} - set(ORDERS_IN_USE)))
_MOST_LISTED = 20  # warnings of one kind

_Rooms = NDArray[np.int64]  # (k, 4): row, col, height, width


def fits(room_bytes: bytes, order: str, hardness: ByteGrid) -> bool:
    """True if all rooms, read in this order, lie on the map and cover open cells only."""
    return bool(_fits(_in_order(room_bytes, order), hardness).all())


def read_rooms(room_bytes: bytes, order: str, hardness: ByteGrid) -> tuple[tuple[Room, ...], list[str]]:
    """The rooms, in the order of bytes that fits.

    An order that suits them all is taken for all. If there is none, each room that the best order does not suit is
    tried in the others that are in use; what suits none is kept where it lies on the map, and left out elsewhere.

    Args:
        room_bytes: four a room.
        order: the layout's own, as in ORDERS_IN_USE.
        hardness: (height, width) uint8.

    Returns:
        The rooms, and warnings that say what was odd.

    Cost:
        O(map + rooms) time and memory.

    Source:
        docs/games/delve.md:
        "A room whose cells are not all of hardness 0 in the table's order is tried in the other
        orders; report the order that fits."
    """
    fitting = {order: _fits(_in_order(room_bytes, order), hardness)}
    if not fitting[order].all():
        fitting |= {other: _fits(_in_order(room_bytes, other), hardness) for other in _ORDERS if other != order}
    best = next((some for some, fit in fitting.items() if fit.all()), None)
    if best is None:
        best = max((order, *ORDERS_IN_USE), key=lambda some: int(fitting[some].sum()))
    warnings = []
    if best != order:
        warnings.append(f"the rooms' bytes are in the order {' '.join(best)}, not {' '.join(order)}")
    rooms = _in_order(room_bytes, best)
    kept = np.ones(len(rooms), bool)
    problems = []
    for index in np.flatnonzero(~fitting[best]).tolist():
        other = next((some for some in ORDERS_IN_USE if fitting[some][index]), None)
        if other is not None:
            rooms[index] = _in_order(room_bytes[4 * index : 4 * index + 4], other)[0]
            problems.append(f"room {index + 1}'s bytes are in the order {' '.join(other)}")
        else:
            problem, kept[index] = _problem_of(Room(*rooms[index].tolist()), hardness)
            problems.append(f"room {index + 1} {problem}")
    return tuple(Room(*numbers) for numbers in rooms[kept].tolist()), warnings + shortened(problems, "rooms")


def shortened(problems: list[str], what: str) -> list[str]:
    """The first problems of one kind, and how many more there are."""
    rest = len(problems) - _MOST_LISTED
    return problems if rest <= 0 else [*problems[:_MOST_LISTED], f"and {rest} more such {what}"]


def _in_order(room_bytes: bytes, order: str) -> _Rooms:
    """The rooms as rows of (y, x, h, w), from four bytes each in the order of the letters."""
    columns = [order.index(letter) for letter in "yxhw"]
    return np.frombuffer(room_bytes, np.uint8).reshape(-1, 4)[:, columns].astype(np.int64)


def _fits(rooms: _Rooms, hardness: ByteGrid) -> NDArray[np.bool_]:
    """(k,) whether each room has cells, lies on the map, and covers open cells only."""
    height, width = hardness.shape
    opened = np.zeros((height + 1, width + 1), np.int64)  # open cells above and left of a corner
    opened[1:, 1:] = (hardness == OPEN).cumsum(0).cumsum(1)
    top, left, rows, cols = rooms.T
    bottom, right = top + rows, left + cols
    is_on_map = (rows > 0) & (cols > 0) & (bottom <= height) & (right <= width)
    top, left, bottom, right = (np.where(is_on_map, edge, 0) for edge in (top, left, bottom, right))
    count = opened[bottom, right] - opened[top, right] - opened[bottom, left] + opened[top, left]
    is_fitting: NDArray[np.bool_] = is_on_map & (count == rows * cols)
    return is_fitting


def _problem_of(room: Room, hardness: ByteGrid) -> tuple[str, bool]:
    """The fault of a room, if any, and True if the room is kept."""
    height, width = hardness.shape
    size = f"{room.height} x {room.width} cells from row {room.row}, column {room.col}"
    if room.height == 0 or room.width == 0:
        return f"is empty ({size}): left out", False
    if room.row + room.height > height or room.col + room.width > width:
        return f"reaches off the map ({size}): left out", False
    rock = int(np.count_nonzero(hardness[room.area]))
    return f"covers rock ({size}, {rock} of them not open)", True


def _cell_on(numbers: Any, height: int, width: int) -> Cell:
    cell = Cell(*map(int, numbers))
    if not cell.is_inside(height, width):
        raise ValueError(f"{cell.place} is off the map")
    return cell


def _room_on(numbers: Any, height: int, width: int) -> Room:
    room = Room(*(int(number) for number in numbers))
    if min(room) < 0 or room.row + room.height > height or room.col + room.width > width:
        raise ValueError(f"{room} is off the map")
    return room
