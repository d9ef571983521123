"""The line with a day's results, to be sent to others who played the same levels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from dungeon_tui.core.scores import Score


@dataclass(frozen=True, slots=True)
class Tried:
    """The end of the counted try of a game's daily level."""

    game: str
    outcome: str  # the outcome's name, "died"
    is_won: bool
    is_helped: bool  # by a hint, or the analysis
    score: Score | None = None  # the figure that counts in this game


def results_line(day: date, tries: Iterable[Tried]) -> str:
    """The results of a day's dailies in one line, without a word that tells how they were reached.

    A win is its figure, beside par where that is proven; anything else is the outcome's name.

    >>> results_line(date(2026, 11, 22), [
    ...     Tried("crawler", "escaped", True, False, Score("moves", 84, 84)),
    ...     Tried("expedition", "explored", True, False, Score("cost", 52, 52)),
    ...     Tried("delve", "died", False, False),
    ... ])
    'dungeon-tui 2026-11-22  crawler 84/84 par  expedition 52/52  delve died  no hints'
    """
    parts, is_par_named, helped = [f"dungeon-tui {day}"], False, 0
    for tried in tries:
        helped += tried.is_helped
        figure = tried.outcome
        if tried.is_won and tried.score is not None:
            figure = str(tried.score.value)
            if tried.score.par is not None:
                figure += f"/{tried.score.par}" + ("" if is_par_named else " par")
                is_par_named = True
        parts.append(f"{tried.game} {figure}")
    return "  ".join([*parts, "with hints" if helped else "no hints"])
