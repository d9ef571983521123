"""Dungeons: levels NAME1.txt ... NAMEk.txt with a sidecar NAME.toml; finding, reading and packing them."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from dungeon_tui.core.catalogue import Opening, Preview, levels_folder
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel, named, printable, read_level_file
from dungeon_tui.games.crawler.level import ADVENTURER, MAX_CELLS, OPEN, Level, level_text, read_level


@dataclass(frozen=True, slots=True)
class Note:
    """What the sidecar says of one level."""

    name: str = ""
    author: str = ""
    hint: str = ""
    solution: str = ""  # a winning command string, from the level's start


@dataclass(frozen=True, slots=True)
class Sidecar:
    """What NAME.toml says of a dungeon; all of it optional."""

    title: str = ""
    author: str = ""
    summary: str = ""
    order: int = 0  # place in the menu
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Dungeon:
    """The levels of a game, in order."""

    name: str
    levels: tuple[Level, ...]
    sidecar: Sidecar = field(default_factory=Sidecar)
    asked: int = 0  # levels asked for
    missing: LevelError | None = None  # why the next one asked for can't be loaded
    warnings: tuple[str, ...] = ()
    cell_limit: int = MAX_CELLS  # a doubling beyond it is refused

    @property
    def title(self) -> str:
        """What to call it on screen."""
        return self.sidecar.title or self.name

    def note(self, number: int) -> Note:
        """The sidecar's note on a level, counted from 1; empty where there is none."""
        notes = self.sidecar.notes
        return notes[number - 1] if number <= len(notes) else Note()


def shipped_names() -> list[str]:
    """The dungeons that the project ships, in the menu's order."""
    sidecars = {path.stem: _read_sidecar(path) for path in levels_folder("crawler").glob("*.toml")}
    return sorted(sidecars, key=lambda name: (sidecars[name].order, name))


def find_prefix(name: str) -> Path:
    """The path before the level's number: of a shipped dungeon, if there is one of this name, else the name itself."""
    shipped = levels_folder("crawler") / name
    if re.fullmatch(r"[\w-]+", name) and is_file(shipped.with_name(f"{name}1.txt")):
        return shipped
    return Path(name)


def level_path(prefix: Path, number: int) -> Path:
    """The file of one level, counted from 1."""
    return prefix.with_name(f"{prefix.name}{number}.txt") if prefix.name else prefix / f"{number}.txt"


def count_levels(prefix: Path) -> int:
    """How many levels lie there, without a gap."""
    number = 0
    while is_file(level_path(prefix, number + 1)):
        number += 1
    return number


def read_dungeon(name: str, levels: int | None = None, cell_limit: int = MAX_CELLS) -> Dungeon:
    """Reads a dungeon up to the first level that can't be read (that error is its `missing`).

    Args:
        name: a shipped dungeon, a path prefix, or the file of a single level.
        levels: how many; default: the files that are present.
        cell_limit: a doubling beyond it is refused.
    """
    prefix = find_prefix(name)
    present = count_levels(prefix)
    if present == 0 and levels is None:
        for single in (Path(name), Path(f"{name}.txt")):
            if is_file(single):
                return _assemble(printable(single.stem), [single], Sidecar(), (), cell_limit)
    sidecar = Sidecar()
    warnings: tuple[str, ...] = ()
    try:
        sidecar = _read_sidecar(prefix.with_name(f"{prefix.name}.toml")) if prefix.name else Sidecar()
    except LevelError as error:
        warnings = (str(error),)
    asked = max(present, 1) if levels is None else levels
    paths = (level_path(prefix, number) for number in range(1, asked + 1))
    dungeon_name = printable(prefix.name or name)
    return _assemble(dungeon_name, paths, sidecar, warnings, cell_limit, asked)


def load_dungeon(name: str, levels: int | None = None, cell_limit: int = MAX_CELLS) -> Dungeon:
    """As `read_dungeon`, for those who need a first level.

    Raises:
        LevelError: the first level can't be read.
    """
    dungeon = read_dungeon(name, levels, cell_limit)
    if not dungeon.levels and dungeon.missing is not None:
        raise dungeon.missing
    return dungeon


def pack_level(dungeon: Dungeon) -> PackedLevel:
    """The dungeon as recordings hold it."""
    files = (
        LevelFile(f"{dungeon.name}{number}.txt", level_text(level).encode("ascii"))
        for number, level in enumerate(dungeon.levels, 1)
    )
    return PackedLevel(tuple(files), {"name": dungeon.name, "cell_limit": dungeon.cell_limit})


def unpack_level(packed: PackedLevel) -> Dungeon:
    """The dungeon that `pack_level` packed.

    Raises:
        LevelError: a level in it can't be read, or there is none.
    """
    if not packed.files:
        raise LevelError("a crawler's recording needs at least one level", "<recording>")
    levels = tuple(read_level(file) for file in packed.files)
    limit = packed.options.get("cell_limit", MAX_CELLS)
    limit = min(limit, MAX_CELLS) if isinstance(limit, int) else MAX_CELLS
    return Dungeon(printable(str(packed.options.get("name", "recording"))), levels, asked=len(levels), cell_limit=limit)


def openings() -> list[Opening]:
    """What the menu offers."""
    folder = levels_folder("crawler")
    return [
        Opening(
            title=sidecar.title or name,
            summary=sidecar.summary,
            load=partial(load_dungeon, name),
            preview=partial(_previews, name),
        )
        for name in shipped_names()
        for sidecar in [_read_sidecar(folder / f"{name}.toml")]
    ]


def open_file(path: str) -> Opening:
    """The opening of a level file or a path prefix of the player's own; NAME2.txt opens the whole dungeon NAME."""
    numbered = re.fullmatch(r"(.*[^0-9/])?([0-9]{1,9})\.txt", path)
    is_part = numbered is not None and count_levels(Path(numbered[1] or "")) >= int(numbered[2])
    name = (numbered[1] or "") if numbered is not None and is_part else path
    return Opening(title=printable(Path(name).name), load=partial(load_dungeon, name))


PREVIEW_COLOURS = {
    "+": "wall", "$": "prize", "@": "magic", "M": "foe", "?": "door", "!": "way-out", "o": "you", ".": "floor",
}  # fmt: skip


def _previews(name: str) -> list[Preview]:
    dungeon = load_dungeon(name)
    return [
        Preview(
            title=f"{number}. {dungeon.note(number).name}",
            caption=f"{level.tiles.shape[0]} x {level.tiles.shape[1]}, {dungeon.note(number).author}",
            lines=list(_preview_lines(level)),
            colours=PREVIEW_COLOURS,
        )
        for number, level in enumerate(dungeon.levels, 1)
    ]


def _preview_lines(level: Level) -> Iterator[str]:
    for row, tiles in enumerate(level.tiles):
        codes = bytearray(tiles.tobytes())
        if row == level.start.row:
            codes[level.start.col] = ADVENTURER
        yield codes.replace(bytes([OPEN]), b".").decode("ascii")


def _assemble(
    name: str,
    paths: Iterator[Path] | Sequence[Path],
    sidecar: Sidecar,
    warnings: tuple[str, ...],
    cell_limit: int,
    asked: int = 1,
) -> Dungeon:
    levels: list[Level] = []
    missing = None
    for path in paths:
        try:
            levels.append(read_level(read_level_file(path)))
        except LevelError as error:
            missing = error
            break
    return Dungeon(name, tuple(levels), sidecar, asked, missing, warnings, cell_limit)


def is_file(path: Path) -> bool:
    """Whether there is such a file; False for names that can't be."""
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that is too long, or holds a NUL
        return False


def _read_sidecar(path: Path) -> Sidecar:
    """Reads NAME.toml; an absent one says nothing.

    Raises:
        LevelError: it is not TOML, or a text in it holds control characters.
    """
    if not is_file(path):
        return Sidecar()
    file = read_level_file(path)
    file.refuse_what_is_not_text()
    try:
        values = tomllib.loads(file.data.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # not TOML, a number of thousands of digits, or brackets as deep
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        end = len(file.data) if "(at end of document)" in str(error) else 0
        line, column = (int(place[1]), int(place[2])) if place else file.position(end)
        reason = str(error).partition(" (at ")[0]
        raise LevelError(f"not TOML: {reason[:1].lower()}{reason[1:]}", file.name, line, column) from None
    levels = values.get("levels", [])
    if not isinstance(levels, list) or not all(isinstance(level, dict) for level in levels):
        raise LevelError("levels must be tables: [[levels]]", file.name)
    order = values.get("order", 0)
    author = _text(file, values, "author")
    notes = (
        Note(
            name=_text(file, level, "name"),
            author=_text(file, level, "author") or author,
            hint=_text(file, level, "hint"),
            solution=_text(file, level, "solution"),
        )
        for level in levels
    )
    return Sidecar(
        title=_text(file, values, "title"),
        author=author,
        summary=_text(file, values, "summary"),
        order=order if isinstance(order, int) else 0,
        notes=tuple(notes),
    )


def _text(file: LevelFile, values: dict[str, Any], key: str) -> str:
    value = values.get(key, "")
    if not isinstance(value, str):
        raise LevelError(f"{key} must be a text", file.name)
    for character in value:
        if unicodedata.category(character)[0] == "C" and not character.isspace():
            raise LevelError(f"{key} holds {named(character)}, which text may not", file.name)
    return " ".join(value.split())
