"""The level: a dungeon, its terrain and its player; packing levels for recordings."""

import json
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.json_positions import parsed
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel
from dungeon_tui.core.random import Random
from dungeon_tui.core.text import printable
from dungeon_tui.games.delve.model.options import COURSE as COURSE
from dungeon_tui.games.delve.model.options import DEPTHS as DEPTHS
from dungeon_tui.games.delve.model.options import HEARTS as HEARTS
from dungeon_tui.games.delve.model.options import MONSTERS as MONSTERS

OPEN, IMMUTABLE = 0, 255  # hardness
ROOM, CORRIDOR, ROCK, STAIRS_UP, STAIRS_DOWN = b".# <>"  # terrain
PLAYER, AMULET = b'@"'  # drawn, no terrain

TERRAIN_NAMES = dict(zip(b".# <>", ("room", "corridor", "rock", "stairs up", "stairs down"), strict=True))

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
        """Its rows and columns, as an index."""
        return slice(self.row, self.row + self.height), slice(self.col, self.col + self.width)


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """One dungeon."""

    hardness: ByteGrid  # (height, width) uint8, read-only: 0 open, 1..254 rock, 255 immutable
    rooms: tuple[Room, ...]  # on the map
    player: Cell | None  # an open cell; None if the file has no valid one
    stairs_up: tuple[Cell, ...]  # on the map
    stairs_down: tuple[Cell, ...]
    layout: str  # "S2016" ... "S2025", or its generator
    warnings: tuple[str, ...] = ()  # about the file
    name: str = ""
    monsters: int = MONSTERS[COURSE]  # at the start, if there is space
    rules: str = COURSE  # or HEARTS
    depths: int = DEPTHS  # with hearts: the amulet lies on the last


def is_on_map(room: Room, hardness: ByteGrid) -> bool:
    """True if a room, even an empty one, is within the map."""
    height, width = hardness.shape
    return min(room) >= 0 and room.row + room.height <= height and room.col + room.width <= width


def room_cells(level: Level) -> BoolGrid:
    """(height, width) bool: the open cells in rooms."""
    covered = np.zeros(level.hardness.shape, bool)
    for room in level.rooms:
        covered[room.area] = True
    covered &= level.hardness == OPEN
    return covered


def terrain(level: Level) -> ByteGrid:
    """(height, width) uint8, a new array: the codes ROOM, CORRIDOR, ROCK, STAIRS_UP and STAIRS_DOWN, which are ASCII.

    Rule: "Hardness 0 is open (room where a room covers it, corridor elsewhere)".
    """
    grid = np.where(level.hardness == OPEN, np.uint8(CORRIDOR), np.uint8(ROCK))
    grid[room_cells(level)] = ROOM
    for glyph, stairs in (STAIRS_UP, level.stairs_up), (STAIRS_DOWN, level.stairs_down):
        for cell in stairs:
            grid[cell] = glyph
    return grid


def place_player(level: Level, seed: int = 0, at: Cell | None = None) -> Level:
    """The level with a player: at `at`, else its own, else where the seed says, best in a room. Raises LevelError."""
    height, width = level.hardness.shape
    if at is not None:
        if not at.is_inside(height, width):
            size = f"its rows are 0 to {height - 1}, its columns 0 to {width - 1}"
            raise LevelError(f"{at.row},{at.col} is off the map: {size}", level.name)
        if level.hardness[at] != OPEN:
            rock = f"rock of hardness {level.hardness[at]}"
            raise LevelError(f"{at.row},{at.col} is {rock}, not an open cell", level.name)
        return replace(level, player=at)
    if level.player is not None:
        return level
    free = terrain(level)
    for cells in (free == ROOM, room_cells(level), level.hardness == OPEN):
        open_cells = np.flatnonzero(cells)
        if len(open_cells):
            return replace(level, player=Cell(*divmod(Random(seed).choice(open_cells.tolist()), width)))
    raise LevelError("no cell is open, so there is no place for the player", level.name)


def pack_level(level: Level) -> PackedLevel:
    """The dungeon for recordings: a file of its hardness, and one of JSON for the rest except the warnings."""
    stored = ("layout", "player", "rooms", "stairs_up", "stairs_down")
    values: dict[str, object] = {"shape": level.hardness.shape} | {name: getattr(level, name) for name in stored}
    if level.rules != COURSE:  # the default in recordings
        values["rules"] = level.rules
    if level.depths != DEPTHS:
        values["depths"] = level.depths
    name = level.name or "dungeon"
    files = (LevelFile(f"{name}.hardness", level.hardness.tobytes()), LevelFile(name, json.dumps(values).encode()))
    return PackedLevel(files, {"monsters": level.monsters})


def unpack_level(packed: PackedLevel) -> Level:
    """The dungeon that `pack_level` packed. Raises LevelError if it is not in that format."""
    if len(packed.files) != 2:
        raise LevelError("a recording of the delve has two files: the hardness and the places", "<recording>")
    stored, described = packed.files
    try:
        # Read the options and the hardness; the border is immutable.
        monsters = packed.options.get("monsters", MONSTERS[COURSE])
        if not isinstance(monsters, int) or monsters < 0:
            raise ValueError("monsters must be a number of at least 0")
        values = parsed(described.data.decode())
        height, width = (int(side) for side in values["shape"])
        if (rules := values.get("rules", COURSE)) not in (COURSE, HEARTS):
            raise ValueError(f"rules {printable(repr(rules))} are not known: there are {COURSE} and {HEARTS}")
        if not isinstance(depths := values.get("depths", DEPTHS), int) or depths < 1:
            raise ValueError("depths must be a number of at least 1")
        if min(height, width) < 1 or height * width != len(stored.data):
            raise ValueError("the hardness has another size")
        hardness = np.frombuffer(stored.data, np.uint8).reshape(height, width)
        if any((edge != IMMUTABLE).any() for edge in (hardness[0], hardness[-1], hardness[:, 0], hardness[:, -1])):
            raise ValueError("the border is not immutable")
        # Read rooms, player and stairs.
        rooms = tuple(Room(*map(int, numbers)) for numbers in values["rooms"])
        player = None if values["player"] is None else Cell(*map(int, values["player"]))
        ups, downs = (
            tuple(Cell(*map(int, numbers)) for numbers in values[key]) for key in ("stairs_up", "stairs_down")
        )
        # All of them must lie on the map, the player in the open.
        layout, name = str(values["layout"]), described.name
        level = Level(hardness, rooms, player, ups, downs, layout, (), name, monsters, rules, depths)
        for cell in (*ups, *downs, *([player] if player else [])):
            if not cell.is_inside(height, width):
                raise ValueError(f"{cell.text} is off the map")
        for room in rooms:
            if not is_on_map(room, hardness):
                raise ValueError(f"{room} is off the map")
        if player is not None and hardness[player] != OPEN:
            raise ValueError("the player is in the rock")
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise LevelError(f"the dungeon in the recording can't be read: {error}", described.name) from None
    return level
