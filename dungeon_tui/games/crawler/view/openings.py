"""The crawler's entries in the menu: shipped dungeons with their par, a day's, one that is made, the player's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

from dungeon_tui.core.arguments import Arguments, UnknownLevelError, daily
from dungeon_tui.core.catalogue import Opening
from dungeon_tui.core.forms import SEED, Choice, Form, Number
from dungeon_tui.core.text import printable
from dungeon_tui.games.crawler.model.dungeon import (
    Dungeon,
    Sidecar,
    count_levels,
    load_dungeon,
    replayed_limit,
    shipped,
)
from dungeon_tui.games.crawler.model.dungeon import pack_level as pack_level
from dungeon_tui.games.crawler.model.dungeon import unpack_level as unpack_level
from dungeon_tui.games.crawler.model.level import MAX_CELLS
from dungeon_tui.games.crawler.view import late

DAILY = "Three new levels each day, the same for everyone: easy, normal and hard. They are made when you open them."

DIFFICULTIES, AMULETS = ("easy", "normal", "hard"), ("needed", "none", "any")
"""Names of challenge.py; here, so that a menu needs no solver."""

_LEAST_SIDE, MOST_SIDE = 5, 60  # rows, and columns, as generator.py has them
_SIDES = ("Rows", "rows"), ("Columns", "cols")
_MOST_SOLVED = 20  # of a code's level that is solved before it is taken: finding it again shall take no seconds


def openings() -> list[Opening]:
    """The menu's dungeons: those that the project ships."""
    return [_opening(name, sidecar, partial(load_dungeon, name)) for name, sidecar in shipped().items()]


def forms() -> tuple[Form, ...]:
    """The form of a level that can be won, made by chance."""
    difficulty = Choice("Difficulty", tuple((name, f"--difficulty {name}") for name in DIFFICULTIES))
    sides = (Number(label, name, _LEAST_SIDE, MOST_SIDE, if_empty="by difficulty") for label, name in _SIDES)
    amulet = Choice("Amulet", (("perhaps", "--amulet any"), ("needed", "--amulet needed"), ("none", "--amulet none")))
    return (Form("New level", (difficulty, *sides, amulet, SEED)),)


def named(arguments: str, most_solved: int = _MOST_SOLVED) -> Opening:
    """The opening of a shipped dungeon, of one with a level that options make, or of a day's.

    Args:
        arguments: of `crawler play`.
        most_solved: rows, and columns, that a normal or a hard level may be asked to have.

    Raises:
        UnknownLevelError: there is no such dungeon.
        ValueError: there is no such day.
    """
    given = Arguments(arguments)
    if day := given.day():
        opening = daily_opening(day)
    elif given.name:
        if given.name not in shipped():
            raise UnknownLevelError(f"no dungeon is called {given.name!r}")
        opening = _opening(given.name, shipped()[given.name], partial(_replayable, given.name))
    elif "seed" in given:
        seed, difficulty = given.number("seed", 0), given.choice("difficulty", DIFFICULTIES, "normal")
        most = MOST_SIDE if difficulty == "easy" else most_solved
        rows, cols = (given.number(side, 0, _LEAST_SIDE, most) if side in given else None for side in ("rows", "cols"))
        load = partial(late.made, seed, difficulty, rows, cols, given.choice("amulet", AMULETS, "any"))
        opening = Opening(f"{difficulty}, seed {seed}", load, arguments=arguments)
    else:
        raise UnknownLevelError("a dungeon has a name, a --seed or a --date")
    given.end()
    return opening


def _opening(name: str, sidecar: Sidecar, load: Callable[[], Dungeon]) -> Opening:
    return Opening(sidecar.title or name, load, sidecar.summary, arguments=name)


def _replayable(name: str) -> Dungeon:
    """A shipped dungeon that doubles only as far as recordings of it may."""
    dungeon = load_dungeon(name)
    return replace(dungeon, cell_limit=min(dungeon.cell_limit, replayed_limit(dungeon.levels)))


def daily_opening(day: date, cell_limit: int = MAX_CELLS) -> Opening:
    """The opening of the daily dungeon of a day, whose levels are made when it is loaded."""
    load = partial(late.daily_dungeon, day, cell_limit)
    return Opening(f"Daily {day}", load, DAILY, arguments=daily(day), day=day)


def open_file(path: str) -> Opening:
    """The opening of a level file or a path prefix of the player's own; NAME2.txt opens the whole dungeon NAME."""
    numbered = re.fullmatch(r"(.*[^0-9/])?([0-9]{1,9})\.txt", path)
    is_part = numbered is not None and count_levels(numbered[1] or "") >= int(numbered[2])
    name = (numbered[1] or "") if numbered is not None and is_part else path
    return Opening(title=printable(Path(name).name), load=partial(load_dungeon, name))
