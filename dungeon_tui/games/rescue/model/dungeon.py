"""Finding, reading and packing grids: the shipped ones and those of one's own."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import cache, partial
from typing import Any

from dungeon_tui.core.arguments import Arguments, UnknownLevelError, daily
from dungeon_tui.core.catalogue import Opening, levels_folder, shipped_level
from dungeon_tui.core.forms import SEED, Choice, Form, Number
from dungeon_tui.core.level import LevelFile, PackedLevel, level_name, read_level_file
from dungeon_tui.core.random import Random
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import in_words
from dungeon_tui.games.rescue.model import generator
from dungeon_tui.games.rescue.model.level import MOST_BYTES, Level, level_text, read_level
from dungeon_tui.games.rescue.model.purchase import purchase

SIDE = 9  # rows and columns of a grid that is made, if nobody says otherwise
DAILY = "A new grid each day, the same for everyone: how much health is the least that is enough?"
NEW = "A purchase that nobody has seen: he turns back in it, and leaves something untouched."
GUESSED = "Find the least health in as few guesses as you can."
MOST_FEE = 1000
MOST_NUMBER = 1_000_000_000  # in a grid that a form makes
_DAILY_SIZE = 8, 10
_MOST_NAMED = 1_000_000  # cells of a grid that is made for its name alone
_PASTED = re.compile(r"\s*\[.*|[+\-,\s]*[0-9][0-9+\-,\s]*", re.DOTALL)  # no file's name, most likely


def lessons() -> dict[str, str]:
    """The shipped grids in their order, each with its lesson (grids.toml): purchases first."""
    values = _sidecar()
    told = {**{name: one["lesson"] for name, one in values["purchases"].items()}, **values["grids"]}
    return {str(name): str(lesson) for name, lesson in told.items()}


@cache
def _sidecar() -> dict[str, Any]:
    return tomllib.loads((levels_folder("rescue") / "grids.toml").read_text("utf-8"))


def read_grid(name: str) -> Level:
    """The shipped grid of a name, with its lesson, or the grid of a file; `-` is standard input.

    Raises:
        LevelError: it can't be read, or is no grid.
    """
    shipped = shipped_level("rescue", name, ".txt")
    if shipped is not None:
        level = replace(read_level(read_level_file(shipped), name), lesson=lessons().get(name, ""))
        bought = _sidecar()["purchases"].get(name)
        return level if bought is None else purchase(level, int(bought["fee"]))
    return read_level(read_level_file(name, MOST_BYTES), level_name(name))


def pack_level(level: Level) -> PackedLevel:
    """The grid's file, with its name and lesson as options: all that a recording holds of it."""
    text = level_text(level).encode()
    options: dict[str, int | str] = {"name": level.name, "lesson": level.lesson}
    if level.fee is not None:
        options |= {"fee": level.fee, "purse": level.purse}
    elif level.is_guessed:
        options["guess"] = 1
    return PackedLevel((LevelFile(f"{level.name}.txt", text),), options)


def unpack_level(packed: PackedLevel) -> Level:
    """The grid that `pack_level` packed.

    Raises:
        LevelError: it can't be read, or there is none.
    """
    file = packed.only_file("grid")
    name, lesson = (printable(str(packed.options.get(key, ""))) for key in ("name", "lesson"))
    fee, purse = (packed.options.get(key) for key in ("fee", "purse"))
    level = replace(read_level(file, name or "recording"), lesson=lesson, is_guessed="guess" in packed.options)
    if isinstance(fee, int) and isinstance(purse, int) and fee >= 0:
        level = replace(level, fee=fee, purse=purse)
    return level


def set_task(load: Callable[[], Level], fee: int | None = None, is_guessed: bool = False) -> Level:
    """A grid that is to be a purchase with this fee, or only to be guessed at. Raises ValueError as `purchase` does."""
    level = load()
    if fee is not None:
        return purchase(level, fee)
    if is_guessed:
        lesson = _sidecar()["guesses"].get(level.name, GUESSED)
        level = replace(level, fee=None, purse=0, is_guessed=True, lesson=lesson)
    return level


def openings() -> list[Opening]:
    """The shipped grids, as the menu offers them: purchases, guesses, and walks."""
    told = lessons()
    bought = [_opening(name, told[name]) for name in _sidecar()["purchases"]]
    guessed = [named(f"{name} --guess") for name in _sidecar()["guesses"]]
    return [*bought, *guessed, *(_opening(name, told[name]) for name in _sidecar()["grids"])]


def forms() -> tuple[Form, ...]:
    """The forms of puzzles and of grids that are made by chance."""
    puzzles = Choice(
        "Kind", tuple((in_words(name).lower(), f"--puzzle {name}") for name in reversed(generator.PUZZLES))
    )
    aim = Choice("Aim", (("the least health", ""), ("few guesses", "--guess")))
    numbers = Choice("Numbers", (("by chance", ""), ("as in the report", "--generator report")))
    bounds = Number("Lowest", "low", -MOST_NUMBER, 0, "-20"), Number("Highest", "high", 0, MOST_NUMBER, "20")
    return (
        Form("New puzzle", (puzzles, *_sides(generator.MAX_PURCHASE_SIDE, "5", "6"), SEED)),
        Form("New grid", (aim, *_sides(1000, "6", "8"), *bounds, numbers, SEED)),
    )


def _sides(most: int, rows: str, cols: str) -> tuple[Number, Number]:
    return Number("Rows", "rows", 1, most, rows), Number("Columns", "cols", 1, most, cols)


def named(arguments: str) -> Opening:
    """The opening of a shipped grid, of one that options make, or of a day's.

    Raises:
        UnknownLevelError: there is no such grid.
        ValueError: there is no such day.
    """
    given = Arguments(arguments)
    if day := given.day():
        opening = Opening(f"Daily {day}", partial(daily_grid, day), DAILY, arguments=daily(day), day=day)
    elif given.name:
        if given.name not in lessons():
            raise UnknownLevelError(f"no grid is called {given.name!r}")
        opening = _opening(given.name, lessons()[given.name])
    else:
        puzzle = given.choice("puzzle", generator.PUZZLES, "") if "puzzle" in given else ""
        kind = given.choice("generator", generator.GENERATORS, "uniform")
        seed = given.number("seed", generator.REPORT_SEED if kind == "report" else 0)
        rows, cols = (given.number(side, SIDE, 1, _MOST_NAMED) for side in ("rows", "cols"))
        if rows * cols > _MOST_NAMED:
            raise UnknownLevelError(f"{rows:,} x {cols:,} cells are too many: {_MOST_NAMED:,} are possible")
        low, high = given.number("low", generator.LOW), given.number("high", generator.HIGH)
        make = partial(generator.generated, kind, seed, rows, cols, low, high)
        if puzzle:
            make = partial(generator.puzzle, puzzle, seed, rows, cols)
        opening = Opening(puzzle or kind, make, arguments=arguments)
    fee = given.number("fee", 0, 0, MOST_FEE) if "fee" in given else None
    if given.flag("guess"):
        summary = _sidecar()["guesses"].get(given.name, GUESSED)
        opening = replace(opening, title=f"Guess: {opening.title}", summary=summary)
        opening = replace(opening, load=partial(set_task, opening.load, is_guessed=True), arguments=arguments)
    elif fee is not None:
        opening = replace(opening, load=partial(set_task, opening.load, fee), arguments=arguments)
    given.end()
    return opening


def daily_grid(day: date) -> Level:
    """The grid of a day: a puzzle with one of the three lessons."""
    seed = int(f"{day:%Y%m%d}")
    puzzle = generator.puzzle(Random(seed).choice(generator.LESSONS), seed, *_DAILY_SIZE)
    return replace(puzzle, name=f"daily-{day}")


def _opening(name: str, lesson: str) -> Opening:
    return Opening(
        title=in_words(name),
        summary=lesson,
        load=partial(read_grid, name),
        arguments=name,
    )


def open_file(path: str) -> Opening:
    """Opening of the player's own grid: of the file of this name if there is one, else of the pasted text."""
    if _PASTED.fullmatch(path) and not os.path.exists(path):  # Path.exists raises where a text is too long for a name
        pasted = LevelFile("pasted grid", path.encode(errors="replace"))
        return Opening(title="Pasted grid", load=partial(read_level, pasted))
    return Opening(title=level_name(path), load=partial(read_grid, path))
