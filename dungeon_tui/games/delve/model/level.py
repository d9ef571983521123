"""The level: a dungeon, its terrain and its player; packing levels."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.json_places import parsed
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel
from dungeon_tui.core.random import Random
from dungeon_tui.core.text import printable

OPEN, IMMUTABLE = 0, 255  # hardness
ROOM, CORRIDOR, ROCK, STAIRS_UP, STAIRS_DOWN = b".# <>"  # terrain
PLAYER, AMULET = b'@"'  # drawn, no terrain
MONSTERS = 10  # in a game, where nobody says how many
COURSE, HEARTS = "course", "hearts"  # rules: the course's own, where one hit is death, or three hearts

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
    rules: str = COURSE  # or HEARTS


def is_on_map(room: Room, hardness: ByteGrid) -> bool:
    """True if all of a room, or the place of an empty one, lies on the map."""
    height, width = hardness.shape
    return min(room) >= 0 and room.row + room.height <= height and room.col + room.width <= width


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
        level: with or without a player.
        seed: chooses the cell where neither the caller nor the file gives one: of a room, on stairs only if nothing
            else is left; without rooms any open cell.
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
            raise ValueError(f"{at.row},{at.col} is off the map: {size}")
        if level.hardness[at] != OPEN:
            raise ValueError(f"{at.row},{at.col} is rock of hardness {level.hardness[at]}, not an open cell")
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
    """The dungeon as recordings hold it: a file of its hardness, and one of JSON for all else but the warnings."""
    places: dict[str, object] = {
        "shape": level.hardness.shape,
        "layout": level.layout,
        "player": level.player,
        "rooms": level.rooms,
        "stairs_up": level.stairs_up,
        "stairs_down": level.stairs_down,
    }
    if level.rules != COURSE:  # recordings that name none are older than the others
        places["rules"] = level.rules
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
        values = parsed(places.data.decode())
        height, width = (int(side) for side in values["shape"])
        if (rules := values.get("rules", COURSE)) not in (COURSE, HEARTS):
            raise ValueError(f"rules {printable(repr(rules))} are not known: there are {COURSE} and {HEARTS}")
        if min(height, width) < 1 or height * width != len(stored.data):
            raise ValueError("the hardness has another size")
        hardness = np.frombuffer(stored.data, np.uint8).reshape(height, width)
        if any((edge != IMMUTABLE).any() for edge in (hardness[0], hardness[-1], hardness[:, 0], hardness[:, -1])):
            raise ValueError("the border is not immutable")
        level = Level(
            hardness=hardness,
            rooms=tuple(Room(*map(int, numbers)) for numbers in values["rooms"]),
            player=None if values["player"] is None else Cell(*map(int, values["player"])),
            stairs_up=tuple(Cell(*map(int, numbers)) for numbers in values["stairs_up"]),
            stairs_down=tuple(Cell(*map(int, numbers)) for numbers in values["stairs_down"]),
            layout=str(values["layout"]),
            name=places.name,
            monsters=monsters,
            rules=rules,
        )
        for cell in (*level.stairs_up, *level.stairs_down, *([level.player] if level.player else [])):
            if not cell.is_inside(height, width):
                raise ValueError(f"{cell.place} is off the map")
        for room in level.rooms:
            if not is_on_map(room, hardness):
                raise ValueError(f"{room} is off the map")
        if level.player is not None and hardness[level.player] != OPEN:
            raise ValueError("the player is in the rock")
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise LevelError(f"the dungeon in the recording can't be read: {error}", places.name) from None
    return level
