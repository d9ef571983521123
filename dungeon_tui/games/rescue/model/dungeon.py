"""Finding, reading and packing grids: the shipped ones and those of one's own."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import replace
from functools import partial

from dungeon_tui.core.catalogue import Opening, Preview, levels_folder, shipped_level
from dungeon_tui.core.level import LevelFile, PackedLevel, level_name, read_level_file
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import in_words
from dungeon_tui.games.rescue.model.level import MOST_BYTES, Level, level_text, read_level

_PREVIEWED = 30  # rows and columns
_PASTED = re.compile(r"\s*\[.*|[+\-,\s]*[0-9][0-9+\-,\s]*", re.DOTALL)  # no file's name, most likely


def lessons() -> dict[str, str]:
    """The shipped grids in their order, each with its lesson (grids.toml)."""
    values = tomllib.loads((levels_folder("rescue") / "grids.toml").read_text("utf-8"))
    return {str(name): str(lesson) for name, lesson in values["grids"].items()}


def read_grid(name: str) -> Level:
    """The shipped grid of a name, with its lesson, or the grid of a file; `-` is standard input.

    Raises:
        LevelError: it can't be read, or is no grid.
    """
    shipped = shipped_level("rescue", name, ".txt")
    if shipped is not None:
        return replace(read_level(read_level_file(shipped), name), lesson=lessons().get(name, ""))
    return read_level(read_level_file(name, MOST_BYTES), level_name(name))


def pack_level(level: Level) -> PackedLevel:
    """The grid's file, with its name and lesson as options: all that a recording holds of it."""
    text = level_text(level).encode()
    return PackedLevel((LevelFile(f"{level.name}.txt", text),), {"name": level.name, "lesson": level.lesson})


def unpack_level(packed: PackedLevel) -> Level:
    """The grid that `pack_level` packed.

    Raises:
        LevelError: it can't be read, or there is none.
    """
    file = packed.only_file("grid")
    name, lesson = (printable(str(packed.options.get(key, ""))) for key in ("name", "lesson"))
    return replace(read_level(file, name or "recording"), lesson=lesson)


def openings() -> list[Opening]:
    """The shipped grids, as the menu offers them."""
    return [
        Opening(
            title=in_words(name),
            summary=lesson,
            load=partial(read_grid, name),
            preview=partial(_preview, name),
            arguments=name,
        )
        for name, lesson in lessons().items()
    ]


def open_file(path: str) -> Opening:
    """Opening of the player's own grid: of the file of this name if there is one, else of the pasted text."""
    if _PASTED.fullmatch(path) and not os.path.exists(path):  # Path.exists raises where a text is too long for a name
        pasted = LevelFile("pasted grid", path.encode(errors="replace"))
        return Opening(title="Pasted grid", load=partial(read_level, pasted))
    return Opening(title=level_name(path), load=partial(read_grid, path))


def _preview(name: str) -> list[Preview]:
    level = read_grid(name)
    rows, cols = level.grid.shape
    shown = replace(level, grid=level.grid[:_PREVIEWED, :_PREVIEWED])
    return [Preview(title=f"{rows} x {cols}", caption="", lines=level_text(shown).splitlines())]
