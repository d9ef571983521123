"""Parses and validates campaign files in TOML; docs/games/deep.md has the format."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.text import named, one_line
from dungeon_tui.core.toml_positions import Keys, offsets, read_toml
from dungeon_tui.core.words import counted
from dungeon_tui.games.deep.model import room
from dungeon_tui.games.deep.model.items import ITEMS
from dungeon_tui.games.deep.model.kinds import KINDS, Kind
from dungeon_tui.games.deep.model.room import ADVENTURER, AMULET, OPEN, PILLAR, TREASURE

MOST_BYTES = 2**20  # of a file
MOST_SIDE = 64  # of a level in its file
MOST_CELLS = 2**14  # of a level after doubling

_CLASSIC = {OPEN: OPEN, PILLAR: PILLAR, TREASURE: TREASURE, AMULET: AMULET, ADVENTURER: OPEN}
_CLASSIC |= {tile: tile for tile in room.DOORS}
_HUNTER = ord("M")

_CAMPAIGN = {"title": str, "author": str, "summary": str, "legend": dict, "kinds": dict, "levels": dict}
_KIND = {"like": str, "text": str, "steps": int, "wakes": int}
_LEVEL = {
    "name": str,
    "text": str,
    "map": str,
    "fog": bool,
    "optional": bool,
    "shrinks": int,
    "par": int,
    "doors": dict,
}
_DOOR = {"to": str, "door": str, "ending": str, "text": str, "carry": int, "cost": int, "key": bool}
_TYPE_NAMES: dict[type, str] = {str: "a string", int: "a whole number", bool: "true or false", dict: "a table"}
_LIMITS: dict[str, tuple[int, int]] = {
    "steps": (1, 4), "wakes": (1, 99), "shrinks": (1, 999), "par": (1, 9999), "carry": (1, 999),
    "cost": (1, 999)
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Door:
    """A door's other side and its price."""

    to: str = ""  # the level behind it
    door: str = ""  # the arrival door there; empty: the level's start
    ending: str = ""  # for a way out: the name of the ending
    carry: int = 0  # treasure that you must have
    cost: int = 0  # treasure to pay, once
    key: bool = False  # True if it takes a key, once
    text: str = ""  # for a way out: shown at the end


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """A level as in its file."""

    name: str
    title: str
    text: str  # shown on the first arrival
    tiles: ByteGrid  # (height, width) uint8, read-only
    start: Cell
    monsters: tuple[room.Monster, ...]
    doors: Mapping[int, Door]  # by tile
    is_foggy: bool = False
    shrinks: int = 0  # turns between the falls of two rings; 0: never
    par: int = 0  # the author's fewest moves through it with all its treasure; 0: unknown
    is_optional: bool = False  # True if the goal leads past it


@dataclass(frozen=True, eq=False, slots=True)
class Campaign:
    """Levels joined by doors; the game begins in the first one."""

    file: LevelFile
    title: str
    author: str
    summary: str
    kinds: Mapping[str, Kind]
    levels: Mapping[str, Level]
    is_descent: bool = False  # True if generated from a seed: one life, a score

    @property
    def treasure(self) -> int:
        """The treasure that lies in all levels; amulets may add more."""
        return sum(level.tiles.tobytes().count(TREASURE) for level in self.levels.values())

    @property
    def par(self) -> int:
        """The fewest moves to the end with all treasure, if each level has a par and one door; else 0."""
        is_straight = not self.is_descent and all(each.par and len(each.doors) == 1 for each in self.levels.values())
        return sum(level.par for level in self.levels.values()) if is_straight else 0


@dataclass(frozen=True, slots=True)
class Parsed:
    """A campaign, or all errors in its file."""

    campaign: Campaign | None
    errors: tuple[LevelError, ...]


def read_campaign(file: LevelFile) -> Campaign:
    """The campaign of a file. Raises LevelError for the first error."""
    parsed = parse_campaign(file)
    if parsed.campaign is None:
        raise parsed.errors[0]
    return parsed.campaign


def parse_campaign(file: LevelFile) -> Parsed:
    """The campaign of a file, or all its errors in order of position."""
    try:
        values = read_toml(file)
    except LevelError as error:
        return Parsed(None, (error,))
    faults = _Faults(file)
    top = _table(faults, (), values, _CAMPAIGN)
    kinds = _kinds(faults, top.get("kinds", {}))
    legend = _legend(faults, top.get("legend", {}), kinds)
    names = list(top.get("levels", {}))
    levels = {name: _level(faults, names, name, table, legend, kinds) for name, table in top.get("levels", {}).items()}
    if not levels:
        faults.add((), "a campaign needs at least one level: [levels.NAME] with a map")
    whole = {name: level for name, level in levels.items() if level is not None}
    _join(faults, whole, names)
    if faults.found:
        return Parsed(None, tuple(sorted(faults.found, key=lambda error: (error.line, error.column))))
    title, author, summary = (one_line(top.get(key, "")) for key in ("title", "author", "summary"))
    return Parsed(Campaign(file, title, author, summary, kinds, whole), ())


@dataclass
class _Faults:
    """The errors of a file, and the positions of its keys and values."""

    file: LevelFile
    found: list[LevelError] = field(default_factory=list)
    text: str = ""
    positions: dict[Keys, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.text = self.file.data[self.file.text_start :].decode().replace("\r\n", "\n")
        self.positions = offsets(self.text)

    def add(self, keys: Keys, message: str, at_value: bool = False) -> None:
        """Adds an error at a key or at its value; if that has no position, at the table around it."""
        while keys and keys not in self.positions:
            keys = keys[:-1]
        self.add_at(self.positions[keys][at_value] if keys else 0, message)

    def add_at(self, offset: int, message: str) -> None:
        """Adds an error at an offset in the text."""
        line_start = self.text.rfind("\n", 0, offset) + 1
        line = self.text.count("\n", 0, offset) + 1
        self.found.append(LevelError(message, self.file.name, line, offset - line_start + 1))

    def add_tile(self, keys: Keys, character: str, message: str, last: bool = False) -> None:
        """Adds an error at the first or last tile of a map that is this character."""
        start = self.map_start(keys)
        end = self.text.index(self.text[self.positions[keys][1]], start)
        find = self.text.rfind if last else self.text.find
        self.add_at(max(find(character, start, end), start), message)

    def map_start(self, keys: Keys) -> int:
        """The offset of the first character of a string, after its quotes."""
        at = self.positions[keys][1]
        quotes = 3 if self.text[at : at + 3] in ('"""', "'''") else 1
        return at + quotes + (quotes == 3 and self.text.startswith("\n", at + 3))


def _table(faults: _Faults, keys: Keys, values: Any, schema: Mapping[str, type]) -> dict[str, Any]:
    """The values of a table that match the schema; all others are errors."""
    if not isinstance(values, dict):
        faults.add(keys, f"{keys[-1]!r} must be a table with {_listed(schema)}")
        return {}
    good: dict[str, Any] = {}
    for key, value in values.items():
        here = (*keys, key)
        if key not in schema:
            faults.add(here, f"unknown key {one_line(key)!r}: the keys here are {_listed(schema)}")
        elif type(value) is not schema[key]:
            faults.add(here, f"{key} must be {_TYPE_NAMES[schema[key]]}", at_value=True)
        elif key in _LIMITS and value not in range(_LIMITS[key][0], _LIMITS[key][1] + 1):
            low, high = _LIMITS[key]
            faults.add(here, f"{key} must be from {low} to {high}", at_value=True)
        else:
            good[key] = value
    return good


def _kinds(faults: _Faults, tables: Mapping[str, Any]) -> dict[str, Kind]:
    kinds = dict(KINDS)
    for name, values in tables.items():
        keys = ("kinds", name)
        own = _table(faults, keys, values, _KIND)
        like = own.pop("like", "")
        own["text"] = one_line(own.get("text", KINDS[like].text if like in KINDS else ""))
        if name in KINDS or name in ITEMS:
            faults.add(keys, f"{name!r} is taken: choose another name for your kind")
        elif like not in KINDS:
            faults.add((*keys, "like"), f"like must be one of {_listed(KINDS)}", at_value=True)
            kinds[name] = KINDS["hunter"]  # to accept the name below
        else:
            kinds[name] = replace(KINDS[like], **own)
    return kinds


def _legend(faults: _Faults, table: Mapping[str, Any], kinds: Mapping[str, Kind]) -> dict[int, str]:
    legend = {_HUNTER: "hunter"}
    for character, name in table.items():
        keys = ("legend", character)
        if len(character) != 1 or not character.isprintable() or character in " \\\"'" or not character.isascii():
            faults.add(keys, "the legend's keys must be single visible characters, no quotes or backslash")
        elif ord(character) in _CLASSIC or ord(character) in legend:
            faults.add(keys, f"{named(character)} has a meaning already: choose another character")
        elif not isinstance(name, str) or (name not in kinds and name not in ITEMS):
            faults.add(keys, f"unknown kind or item; there are {_listed([*kinds, *ITEMS])}", at_value=True)
            legend[ord(character)] = "hunter"  # to accept its tiles below
        else:
            legend[ord(character)] = name
    return legend


def _level(
    faults: _Faults, names: list[str], name: str, values: Any, legend: Mapping[int, str], kinds: Mapping[str, Kind]
) -> Level | None:
    """A level of the campaign; None if its map is invalid."""
    keys = ("levels", name)
    table = _table(faults, keys, values, _LEVEL)
    if "map" not in table:
        if not isinstance(values, dict) or "map" not in values:
            faults.add(keys, "the level has no map")
        return None

    # Turn characters into tiles and monsters.
    rows = _rows(faults, (*keys, "map"), table["map"], legend)
    if rows is None:
        return None
    tiles = np.empty((len(rows), len(rows[0])), np.uint8)
    monsters = []
    for row, line in enumerate(rows):
        for col, character in enumerate(line):
            meaning = legend.get(ord(character), "")
            tiles[row, col] = ITEMS[meaning].tile if meaning in ITEMS else _CLASSIC.get(ord(character), OPEN)
            if meaning in kinds:
                kind = kinds[meaning]
                monsters.append(room.Monster(meaning, Cell(row, col), kind.heading, not kind.wakes))
    if "shrinks" in table and AMULET in tiles:
        faults.add((*keys, "shrinks"), "a level with an amulet can't shrink: remove one of them")
    tiles.flags.writeable = False
    start = next(Cell(row, line.index("o")) for row, line in enumerate(rows) if "o" in line)
    doors = _doors(faults, names, name, table.get("doors", {}), tiles)
    title, text = one_line(table.get("name", name)), one_line(table.get("text", ""))
    foggy, shrinks, par = table.get("fog", False), table.get("shrinks", 0), table.get("par", 0)
    optional = table.get("optional", False)
    return Level(name, title, text, tiles, start, tuple(monsters), doors, foggy, shrinks, par, optional)


def _rows(faults: _Faults, keys: Keys, text: str, legend: Mapping[int, str]) -> list[str] | None:
    """The rows of a map without blanks; None after adding errors at their characters."""
    before = len(faults.found)
    at = faults.map_start(keys)
    rows: list[str] = []

    # Collect the rows with their offsets, and unknown tiles.
    starts: list[int] = []
    for line in text.split("\n"):
        row = "".join(line.split())
        if row:
            rows.append(row)
            starts.append(at)
        for offset, character in enumerate(line):
            if not character.isspace() and ord(character) not in _CLASSIC and ord(character) not in legend:
                faults.add_at(at + offset, f"unknown tile {named(character)}: it is not in the legend")
        at += len(line) + 1
    if not rows:
        faults.add(keys, "the map is empty", at_value=True)
        return None

    # Check the shape, the size and the start.
    for row, start in zip(rows, starts, strict=True):
        if len(row) != len(rows[0]):
            faults.add_at(start, f"this row has {counted(len(row), 'tile')}, but the first row has {len(rows[0])}")
    if max(len(rows), len(rows[0])) > MOST_SIDE:
        faults.add(keys, f"the map is too large: at most {MOST_SIDE} rows and {MOST_SIDE} columns", at_value=True)
    if (starters := text.count("o")) > 1:
        faults.add_tile(keys, "o", f"a map must have one start 'o', not {starters}", last=True)
    elif not starters:
        faults.add(keys, "a map must have a start 'o'", at_value=True)
    return rows if len(faults.found) == before else None


def _doors(faults: _Faults, names: list[str], name: str, table: Mapping[str, Any], tiles: ByteGrid) -> dict[int, Door]:
    """The doors of a level by tile: the ones described in the file, and the defaults of `?` and `!`."""
    doors: dict[int, Door] = {}
    following = names[names.index(name) + 1 :]
    for character, values in table.items():
        keys = ("levels", name, "doors", character)
        door = _table(faults, keys, values, _DOOR)
        if len(character) != 1 or not character.isascii() or ord(character) not in room.DOORS:
            faults.add(keys, "doors are named 1 to 9, ? and !, as on the map")
        elif ord(character) not in tiles:
            faults.add(keys, f"there is no door {character} on the map")
        elif ("to" in door) == ("ending" in door):
            faults.add(keys, "a door needs either `to`, the level behind it, or `ending`, the name of an ending")
        else:
            doors[ord(character)] = Door(**door | {"text": one_line(door.get("text", ""))})

    # The defaults: ? leads to the next level, and ! out with treasure. Numbered doors have none.
    if room.NEXT_DOOR in tiles and chr(room.NEXT_DOOR) not in table:
        if following:
            doors[room.NEXT_DOOR] = Door(to=following[0])
        else:
            message = "no level follows the door ?: add its target under doors"
            faults.add_tile(("levels", name, "map"), "?", message)
    if room.WAY_OUT in tiles and chr(room.WAY_OUT) not in table:
        doors[room.WAY_OUT] = Door(ending="escaped", carry=1)
    for number in room.NUMBERED_DOORS:
        if number in tiles and chr(number) not in table:
            message = f"door {chr(number)} is on the map: add its target under doors"
            faults.add_tile(("levels", name, "map"), chr(number), message)
    return doors


def _join(faults: _Faults, levels: Mapping[str, Level], names: list[str]) -> None:
    """Adds errors for doors to nowhere, prices that can't be paid, unreachable levels, and a campaign without end."""
    doubles = any(AMULET in level.tiles for level in levels.values())
    treasure = sum(int(np.count_nonzero(level.tiles == TREASURE)) for level in levels.values())
    has_key = any(ITEMS["key"].tile in level.tiles for level in levels.values())
    is_whole = len(levels) == len(names)  # invalid levels might have the missing treasure or key

    # Each door must lead to a level and a door that exist, for a price that the levels can pay.
    for level in levels.values():
        for tile, door in level.doors.items():
            keys = ("levels", level.name, "doors", chr(tile))
            if door.to and door.to not in names:
                faults.add((*keys, "to"), f"no level {one_line(door.to)!r}: there are {_listed(names)}", at_value=True)
            elif door.door and (len(door.door) != 1 or (door.to in levels and not _has(levels[door.to], door.door))):
                there = (
                    ", ".join(chr(tile) for tile in room.NUMBERED_DOORS if _has(levels[door.to], chr(tile))) or "none"
                )
                faults.add((*keys, "door"), f"{door.to!r} has no such door: it has {there}", at_value=True)
            price = "cost" if door.cost > door.carry else "carry"
            if is_whole and not doubles and max(door.cost, door.carry) > treasure:
                faults.add((*keys, price), f"the levels have only {treasure} treasure in all", at_value=True)
            if is_whole and not has_key and door.key:
                faults.add((*keys, "key"), "the door takes a key, but no level has one")
    if faults.found or not levels:  # the graph is incomplete
        return

    # Follow the doors from the first level to all others, and look for an ending.
    reached, waiting = {names[0]}, [names[0]]
    while waiting:
        for door in levels[waiting.pop()].doors.values():
            if door.to in levels and door.to not in reached:
                reached.add(door.to)
                waiting.append(door.to)
    for name in names:
        if name not in reached:
            faults.add(("levels", name), "this level can't be reached: let a door lead to it")
    if not any(door.ending for name in reached for door in levels[name].doors.values()):
        faults.add(("levels", names[0]), "no ending can be reached: a level needs a ! or a door with an ending")


def _has(level: Level, door: str) -> bool:
    return door.isascii() and ord(door) in room.NUMBERED_DOORS and ord(door) in level.tiles


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(one_line, names))
