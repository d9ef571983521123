"""The daily dungeon: three levels that the date makes, easy, normal and hard, the same for everyone.

Doors lead on from the first two; the third has the way out.
"""

from __future__ import annotations

from datetime import date
from functools import partial

from dungeon_tui.core.catalogue import Opening
from dungeon_tui.core.words import capitalised
from dungeon_tui.games.crawler.ai import late
from dungeon_tui.games.crawler.model.dungeon import Dungeon, Note, Sidecar
from dungeon_tui.games.crawler.model.level import DOOR, MAX_CELLS, WAY_OUT

LEAVE_BY = {"easy": DOOR, "normal": DOOR, "hard": WAY_OUT}
"""The levels in their order, by difficulty."""

SUMMARY = "Three new levels each day, the same for everyone: easy, normal and hard. They are made when you open it."


def seed_of(day: date) -> int:
    """The date's digits.

    >>> seed_of(date(2026, 11, 21))
    20261121
    """
    return day.year * 10_000 + day.month * 100 + day.day


def daily_dungeon(day: date, cell_limit: int = MAX_CELLS) -> Dungeon:
    """The dungeon of a day.

    Cost:
        About a second, once the kernels are compiled; the menu does without.
    """
    made = [late.challenge(seed_of(day), difficulty, tile) for difficulty, tile in LEAVE_BY.items()]
    notes = (
        Note(name=capitalised(difficulty), author="chance", solution=each.commands)
        for difficulty, each in zip(LEAVE_BY, made, strict=True)
    )
    return Dungeon(
        f"daily-{day}",
        tuple(each.level for each in made),
        Sidecar(title=_title(day), summary=_greeting(day, [each.moves for each in made]), notes=tuple(notes)),
        asked=len(made),
        cell_limit=cell_limit,
    )


def daily_opening(day: date, cell_limit: int = MAX_CELLS) -> Opening:
    """The menu's entry; the levels are made when it is opened."""
    return Opening(_title(day), partial(daily_dungeon, day, cell_limit), SUMMARY, arguments="--daily")


def _title(day: date) -> str:
    return f"Daily dungeon, {day}"


def _greeting(day: date, moves: list[int]) -> str:
    *first, last = map(str, moves)
    return f"The dungeon of {day}. Its levels can be left in {', '.join(first)} and {last} moves."
