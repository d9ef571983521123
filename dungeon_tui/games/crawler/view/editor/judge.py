"""Verdicts on levels that are drawn, as a solver in another process yields them, and their words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import monotonic

import numpy as np

from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.ai import solver
from dungeon_tui.games.crawler.ai.par import Par, point_text
from dungeon_tui.games.crawler.ai.par_search import extended
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.check import Oddity, oddities
from dungeon_tui.games.crawler.model.dungeon import alone
from dungeon_tui.games.crawler.model.level import AMULET, TREASURE, Level
from dungeon_tui.ui.editor.craft import Effort

_MEMORY = 1 << 30  # bytes that the search may take
_MOST_TOLD = 4  # lines
_UNKNOWN = Par()


EFFORT, LONG = Effort(seconds=10, lines=12), Effort(seconds=60, lines=99)


@dataclass(frozen=True, eq=False, slots=True)
class Verdict:
    """Knowledge of a draft so far: its oddities, and its shortest lines out."""

    oddities: tuple[Oddity, ...] = ()
    par: Par = _UNKNOWN
    is_checked: bool = False  # the oddities are those of this draft, not of one before it
    seconds: float = 0  # limit of the search
    is_over: bool = False  # the search has ended
    ended: str = ""  # its reason to end, as Escape names it
    states: int = 0  # looked at
    all_treasure: int = 0  # on the level; 0 where amulets make more of it

    @property
    def is_won(self) -> bool | None:
        """True if the level can be left, False if it is proven that it can't, None if neither is known."""
        return True if self.par.points else False if self.par.is_all else None

    @property
    def is_all(self) -> bool:
        """True if no search would find more."""
        return self.par.is_all

    @property
    def line_count(self) -> int:
        """Number of lines out."""
        return len(self.par.points)


def judging(
    level: Level, is_followed: bool, effort: Effort, known: Par, tell: Callable[..., object]
) -> Iterator[Verdict]:
    """Yields verdicts that know ever more: the level's oddities, then the fewest moves out with ever more treasure.

    For a process of its own.

    Args:
        level: judged by itself: the adventurer comes without treasure, and a door is a way out.
        is_followed: True if there is a next level.
        effort: limits of the search.
        known: lines that an earlier search has found; this one goes on behind those that are proven.
        tell: called now and then with the number of states looked at.
    """
    there_is = 0 if np.any(level.tiles == AMULET) else int(np.count_nonzero(level.tiles == TREASURE))
    odd = tuple(oddities(level, is_followed=is_followed))
    verdict = Verdict(odd, known, is_checked=True, seconds=effort.seconds, all_treasure=there_is)
    yield verdict
    state = rules.start(alone(level))
    asked = solver.Solver(state.dungeon, by_door=True, memory=_MEMORY)
    end = monotonic() + effort.seconds
    treasure = max((point.treasure + 1 for point in known.points if point.is_proven), default=0)
    while not verdict.is_over:
        before = verdict.states
        found = asked.escape(
            state,
            treasure,
            time_limit=max(end - monotonic(), 0),
            progress=lambda _, states, __: tell(before + states),  # noqa: B023  # called before it changes
        )
        states = before + found.states
        par = extended(verdict.par, found, states)
        treasure = found.treasure + 1
        is_over = found.moves is None or not found.is_proven or len(par.points) == effort.lines
        verdict = replace(verdict, par=par, is_over=is_over, ended=found.ended, states=states)
        yield verdict


def preparing(tell: Callable[..., object]) -> Iterator[None]:
    """Compiles or loads the search, as the first task of the judge's process; its answer means nothing."""
    solver.prepare()
    yield


# -- words


def told(verdict: Verdict) -> str:
    """The verdict in words: the first lines and the last, and what is open; empty where nothing is known yet."""
    par = verdict.par
    if not par.points:
        return _no_line_text(verdict) if verdict.is_over else ""
    first, *others = par.points
    parts = [f"Can be left in {point_text(first)}{' (proven)' if first.is_proven else ''}"]
    for point in others:
        amount = f"{point.treasure:,}"
        if point.treasure == verdict.all_treasure > 1:
            amount = f"all {amount}"
        known = "" if point.is_proven else f" so far, {point.bound:,} at least"
        parts.append(f"in {point.moves:,} with {amount}{known}")
    if not verdict.is_over:
        parts[-1] += "; thinking ..."
    elif not par.is_all and par.points[-1].is_proven:
        parts[-1] += "; with more is not known"
    if len(parts) > _MOST_TOLD:
        parts[_MOST_TOLD - 2 : -1] = ["..."]
    return "; ".join(parts)


def no_more_lines(verdict: Verdict) -> str:
    """The reason for there being no other line than those known, once the search is over."""
    points = verdict.par.points
    if not verdict.par.is_all:
        return "A line with more treasure is not known." if points else "No line out is known."
    if not points:
        return "There is no way out: that is proven."
    most = f"At most {counted(points[-1].treasure, 'treasure')}" if points[-1].treasure else "No treasure"
    return f"{most} can be carried out: that is proven."


def news(verdict: Verdict, known: Par) -> str:
    """The news of a longer search: a line or a proof that was not known before it, and whether that is all."""
    now, before = ([(point.moves, point.bound) for point in par.points] for par in (verdict.par, known))
    found = f"Found: {point_text(verdict.par.points[-1])}" if now != before else "Nothing new was found"
    return f"{found}. {no_more_lines(verdict)}"


def _no_line_text(verdict: Verdict) -> str:
    if verdict.par.is_all:
        bars = [odd.bar for odd in verdict.oddities if odd.bar]
        return f"Can't be won: {bars[0] if bars else 'no walk gets out'} (proven)"
    if verdict.ended == "size" and not verdict.states:
        return "Too large to solve"
    reasons = {"size": "on boards that are small enough to search", "memory": "before the memory was full"}
    return f"No line out was found {reasons.get(verdict.ended, f'within {verdict.seconds:g} s')}"
