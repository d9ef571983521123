"""Grids: finding, reading and packing shipped grids and grid files."""

import os
import re
from dataclasses import replace
from datetime import date
from functools import partial

from dungeon_tui.core.catalogue import Opening, shipped_level
from dungeon_tui.core.level import LevelFile, PackedLevel, level_name, read_level_file
from dungeon_tui.core.options import Given, UnknownLevelError
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import in_words
from dungeon_tui.games.rescue.model import generator
from dungeon_tui.games.rescue.model.level import MOST_BYTES, Level, level_text, read_level
from dungeon_tui.games.rescue.model.options import OPTIONS, lessons, sidecar
from dungeon_tui.games.rescue.model.options import forms as forms
from dungeon_tui.games.rescue.model.purchase import purchase

DAILY = "Small on Mondays, large on Sundays, the same for everyone: save the princess for the least gold."
WALK = "Save the princess with the least health."
_DAILY_SIZES = (5, 5), (5, 5), (5, 6), (5, 6), (5, 7), (6, 7), (6, 8)  # from Monday on
_MOST_NAMED = 1_000_000  # cells of a grid in a share code or a form
_PASTED = re.compile(r"\s*\[.*|[+\-,\s]*[0-9][0-9+\-,\s]*", re.DOTALL)  # looks like a grid, not like a file name


def read_grid(name: str) -> Level:
    """The shipped grid of a name, with its lesson, or the grid of a file. Raises LevelError if that can't be read."""
    shipped = shipped_level("rescue", name, ".txt")
    if shipped is not None:
        level = replace(read_level(read_level_file(shipped), name), lesson=lessons().get(name, ""))
        bought = sidecar()["purchases"].get(name)
        return level if bought is None else purchase(level, bought["fee"], bought.get("purse"))
    return read_level(read_level_file(name, MOST_BYTES), level_name(name))


def pack_level(level: Level) -> PackedLevel:
    """The grid's file, with its name, lesson and task as options."""
    text = level_text(level).encode()
    options: dict[str, int | str] = {"name": level.name, "lesson": level.lesson}
    if level.fee is not None:
        options |= {"fee": level.fee, "purse": level.purse}
    return PackedLevel((LevelFile(f"{level.name}.txt", text),), options)


def unpack_level(packed: PackedLevel) -> Level:
    """The grid that `pack_level` packed. Raises LevelError if the file can't be read, or is missing."""
    file = packed.only_file("grid")
    name, lesson = (printable(str(packed.options.get(key, ""))) for key in ("name", "lesson"))
    fee, purse = (packed.options.get(key) for key in ("fee", "purse"))
    level = replace(read_level(file, name or "recording"), lesson=lesson)
    if isinstance(fee, int) and isinstance(purse, int) and fee >= 0:
        level = replace(level, fee=fee, purse=purse)
    return level


def openings() -> list[Opening]:
    """The shipped grids in groups: the chapters of the purchases, then walks. Test grids are opened by name."""
    names, chapter, bought = sidecar(), "", []
    for name, each in names["purchases"].items():
        chapter = each.get("chapter", chapter)
        bought.append(replace(named(name), group=chapter))
    walks = [replace(named(name), group="Walks: how low can you go?") for name in names["walks"]]
    return [*bought, *walks]


def named(arguments: str) -> Opening:
    """The opening of a shipped, generated or daily grid. Raises UnknownLevelError if there is none."""
    given = OPTIONS.read(arguments)
    if (cells := given["rows"] * given["cols"]) > _MOST_NAMED:
        raise UnknownLevelError(f"{cells:,} cells are too many: at most {_MOST_NAMED:,}")
    return opening(given)


def opening(given: Given) -> Opening:
    """The opening of a grid with its task, or of a daily one. Raises UnknownLevelError if no number is in the range."""
    if day := given.day:
        return Opening(f"Daily {day}", partial(_daily_grid, day), DAILY, arguments=given.arguments, day=day)
    if given["low"] > given["high"]:
        raise UnknownLevelError(f"--low {given['low']} is above --high {given['high']}")
    if given.name:
        title, summary = (
            (in_words(given.name), lessons()[given.name]) if given.is_ours else (level_name(given.name), "")
        )
    else:
        name = generator.level_name(given["puzzle"] or given["generator"], _seed(given), given["rows"], given["cols"])
        title, summary = in_words(name), "" if given["puzzle"] == "purchase" or given["fee"] is not None else WALK
    return Opening(title, partial(_load, given), summary, arguments=given.arguments)


def _load(given: Given) -> Level:
    shape = given["rows"], given["cols"]
    seed = _seed(given)
    if given.name:
        level = read_grid(given.name)
    elif given["puzzle"]:
        level = generator.puzzle(given["puzzle"], seed, *shape)
    else:
        level = generator.generated(given["generator"], seed, *shape, given["low"], given["high"])
    if given["fee"] is not None:
        return purchase(level, given["fee"])
    return level


def _seed(given: Given) -> int:
    seed: int = given["seed"] if "seed" in given else generator.REPORT_SEED if given["generator"] == "report" else 0
    return seed


def _daily_grid(day: date) -> Level:
    size = _DAILY_SIZES[day.weekday()]
    return replace(generator.puzzle("purchase", int(f"{day:%Y%m%d}"), *size), name=f"daily-{day}")


def open_file(path: str) -> Opening:
    """The opening of the grid file of this name, or else of a pasted grid."""
    if _PASTED.fullmatch(path) and not os.path.exists(path):  # Path.exists raises for long texts
        pasted = LevelFile("pasted grid", path.encode(errors="replace"))
        return Opening(title="Pasted grid", load=partial(read_level, pasted))
    return Opening(title=level_name(path), load=partial(read_grid, path))
