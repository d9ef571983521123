"""Dungeons: levels NAME1.txt ... NAMEk.txt with an optional sidecar NAME.toml; finding, reading and packing them."""

import os.path
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from dungeon_tui.core.catalogue import levels_folder
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel, read_level_file
from dungeon_tui.core.text import named, printable
from dungeon_tui.core.toml_positions import read_toml
from dungeon_tui.games.crawler.model.level import AMULET, MAX_CELLS, MOST_BYTES, WAY_OUT, Level, level_text, read_level

MOST_NOTES = 64 * 2**10  # bytes of a sidecar
REPLAYED_CELLS = 2**28  # limit on the cells of all levels of a recording together


@dataclass(frozen=True, slots=True)
class Note:
    """The sidecar's texts for one level."""

    name: str = ""
    author: str = ""
    text: str = ""  # shown on arrival
    hint: str = ""
    solution: str = ""  # a winning command string from the level's start


@dataclass(frozen=True, slots=True)
class Sidecar:
    """Contents of NAME.toml, all of it optional."""

    title: str = ""
    author: str = ""
    summary: str = ""
    order: int = 0  # in the menu
    treasure: int = 0  # that stars ask for, and the first aim
    is_lesson: bool = False  # True to say at once that no way out is left
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False)  # cached properties rule out slots
class Dungeon:
    """The levels of a game, in order."""

    name: str
    levels: tuple[Level, ...]
    sidecar: Sidecar = field(default_factory=Sidecar)
    level_count: int = 0  # number of levels wanted
    missing: LevelError | None = None  # why the level after the last one can't be loaded
    warnings: tuple[str, ...] = ()
    cell_limit: int = MAX_CELLS  # amulets don't double a level beyond it
    prefix: str | None = None  # of its files; None if it has none

    @cached_property
    def title(self) -> str:
        """The sidecar's title, else the name."""
        return self.sidecar.title or self.name

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """The sidecar's notes, one for each level; empty ones for levels without."""
        missing = len(self.levels) - len(self.sidecar.notes)
        return self.sidecar.notes + missing * (Note(),)

    @cached_property
    def is_left_by_door(self) -> bool:
        """True if the goal is the door of the last level.

        Rule: "If no level of a dungeon ever had a `!`, the last level's door is what hints lead to."
        """
        return not any(WAY_OUT in level.tiles for level in self.levels)

    @property
    def least_treasure(self) -> int:
        """Least treasure needed to get out: 1, or 0 if the dungeon is left by a door."""
        return 0 if self.is_left_by_door else 1


def daily_sidecar(day: str) -> Sidecar:
    """The texts of the daily dungeon of a day."""
    notes = tuple(Note(difficulty) for difficulty in ("Easy", "Normal", "Hard"))
    return Sidecar(title=f"Daily {day}", summary=f"The dungeon of {day}: easy, normal, hard.", notes=notes)


def shipped() -> dict[str, Sidecar]:
    """Sidecars of the shipped dungeons by name, in menu order."""
    sidecars = {path.stem: _read_sidecar(path) for path in levels_folder("crawler").glob("*.toml")}
    return dict(sorted(sidecars.items(), key=lambda named: (named[1].order, named[0])))


def find_prefix(name: str) -> str:
    """Path of a dungeon's files without the level's number: in the shipped folder for shipped names, else the name."""
    shipped = levels_folder("crawler") / name
    if re.fullmatch(r"[\w-]+", name) and os.path.isfile(shipped.with_name(f"{name}1.txt")):
        return str(shipped)
    return name


def level_path(prefix: str, number: int) -> Path:
    """The file of one level, counted from 1. A prefix may be just a folder, "caves/"."""
    return Path(f"{prefix}{number}.txt")


def count_levels(prefix: str) -> int:
    """Number of level files PREFIX1.txt, PREFIX2.txt ... without a gap."""
    number = 0
    while os.path.isfile(level_path(prefix, number + 1)):
        number += 1
    return number


def read_dungeon(name: str, levels: int | None = None, cell_limit: int = MAX_CELLS) -> Dungeon:
    """Reads a dungeon up to the first level that can't be read, whose error is its `missing`; `levels` None: all."""
    prefix = find_prefix(name)
    present = count_levels(prefix)
    level_count = max(present, 1) if levels is None else levels
    paths = (level_path(prefix, number) for number in range(1, level_count + 1))
    sidecar = Sidecar()
    warnings: tuple[str, ...] = ()
    single = next((path for path in (Path(name), Path(f"{name}.txt")) if os.path.isfile(path)), None)
    if single is not None and present == 0 and levels is None:
        prefix, paths = str(single.with_suffix("")), (path for path in (single,))
    elif os.path.basename(prefix):
        try:
            sidecar = _read_sidecar(Path(f"{prefix}.toml"))
        except LevelError as error:
            warnings = (str(error),)
    read: list[Level] = []
    missing = None
    for file in paths:
        try:
            read.append(read_level(read_level_file(file, MOST_BYTES)))
        except LevelError as error:
            missing = error
            break
    shown = printable(Path(prefix).name or str(Path(prefix)))
    return Dungeon(shown, tuple(read), sidecar, level_count, missing, warnings, cell_limit, prefix)


def load_dungeon(name: str, levels: int | None = None, cell_limit: int = MAX_CELLS) -> Dungeon:
    """Reads a dungeon like `read_dungeon`. Raises LevelError if the first level can't be read."""
    dungeon = read_dungeon(name, levels, cell_limit)
    if not dungeon.levels and dungeon.missing is not None:
        raise dungeon.missing
    return dungeon


def alone(level: Level) -> Dungeon:
    """A dungeon with only this level, named after its file."""
    return Dungeon(printable(Path(level.file).stem), (level,), level_count=1)


def pack_level(dungeon: Dungeon) -> PackedLevel:
    """The texts of the levels, with the dungeon's name, cell limit and first aim as options, for recordings."""
    files = (
        LevelFile(f"{dungeon.name}{number}.txt", level_text(level).encode("ascii"))
        for number, level in enumerate(dungeon.levels, 1)
    )
    options: dict[str, int | str] = {"name": dungeon.name, "cell_limit": dungeon.cell_limit}
    options |= {"treasure": dungeon.sidecar.treasure} if dungeon.sidecar.treasure else {}
    return PackedLevel(tuple(files), options)


def unpack_level(packed: PackedLevel) -> Dungeon:
    """The dungeon that `pack_level` packed, with its sidecar if it is a shipped one. Raises LevelError."""
    if not packed.files:
        raise LevelError("a crawler's recording needs at least one level", "<recording>")
    levels = tuple(read_level(file) for file in packed.files)
    limit = packed.options.get("cell_limit", MAX_CELLS)
    limit = min(limit if isinstance(limit, int) else MAX_CELLS, replayed_limit(levels))
    name = printable(str(packed.options.get("name", "recording")))
    day = re.fullmatch(r"daily-(\d{4}-\d\d-\d\d)", name) if len(levels) == 3 else None
    sidecar = daily_sidecar(day[1]) if day else Sidecar()
    sidecar = replace(sidecar, treasure=_number(packed.options, "treasure"))
    if name in shipped():
        ours = read_dungeon(name, len(levels))
        if [*map(level_text, ours.levels)] == [*map(level_text, levels)]:
            sidecar = ours.sidecar
    return Dungeon(name, levels, sidecar, level_count=len(levels), cell_limit=limit)


def replayed_limit(levels: Sequence[Level]) -> int:
    """Limit on the cells of a level in recordings: the smaller, the more levels can double."""
    doubling = sum(AMULET in level.tiles for level in levels)
    return REPLAYED_CELLS // doubling if doubling else MAX_CELLS


def _read_sidecar(path: Path) -> Sidecar:
    if not os.path.isfile(path):
        return Sidecar()
    file = read_level_file(path, MOST_NOTES)
    values = read_toml(file)
    levels = values.get("levels", [])
    if not isinstance(levels, list) or not all(isinstance(level, dict) for level in levels):
        raise LevelError("levels must be tables: [[levels]]", file.name)
    author = _text(file, values, "author")
    keys = [each.name for each in fields(Note)]
    notes = [{key: _text(file, level, key) for key in keys} for level in levels]
    return Sidecar(
        title=_text(file, values, "title"),
        author=author,
        summary=_text(file, values, "summary"),
        order=_number(values, "order"),
        treasure=_number(values, "treasure"),
        is_lesson=values.get("lesson") is True,
        notes=tuple(Note(**note | {"author": note["author"] or author}) for note in notes),
    )


def _number(values: Mapping[str, Any], key: str) -> int:
    value = values.get(key, 0)
    return value if isinstance(value, int) else 0


def _text(file: LevelFile, values: dict[str, Any], key: str) -> str:
    value = values.get(key, "")
    if not isinstance(value, str):
        raise LevelError(f"{key} must be a string", file.name)
    for character in value:
        if unicodedata.category(character)[0] == "C" and not character.isspace():
            raise LevelError(f"{key} must not contain {named(character)}", file.name)
    return " ".join(value.split())
