"""The judge of levels that are drawn: a solver in another process, its verdicts, and their words. Knows no screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from time import monotonic

import numpy as np

from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.crawler.ai import solver
from dungeon_tui.games.crawler.ai.par import Par, point_text
from dungeon_tui.games.crawler.ai.par_search import extended
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.check import Oddity, has_neighbour, oddities
from dungeon_tui.games.crawler.model.dungeon import alone
from dungeon_tui.games.crawler.model.level import AMULET, TREASURE, Level
from dungeon_tui.games.crawler.view.editor.draft import Draft
from dungeon_tui.workers import Process, ProcessError

A_MOMENT = 0.3  # seconds after a change before the solver begins
LATE = 2  # seconds after which to say why there is nothing yet
_MEMORY = 1 << 30  # bytes that the search may take
_MOST_TOLD = 4  # lines
_UNKNOWN = Par()


@dataclass(frozen=True, slots=True)
class Effort:
    """Limits of a search."""

    seconds: float
    lines: int  # each with more treasure than the one before; where amulets double it, there is no end of them


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


def _preparing(tell: Callable[..., object]) -> Iterator[None]:
    """Compiles or loads the search, as the first task of the judge's process; its answer means nothing."""
    solver.prepare()
    yield


class Judge:
    """Knows the verdict on the present draft, as far as it has come."""

    def __init__(self, show: Callable[[], object], say: Callable[[str], object]) -> None:
        """Judges nothing yet; `show` is called when there is news, `say` with the result of a longer search."""
        self.verdict = Verdict()
        self.trouble = ""  # the reason for there being no verdict
        self._show, self._say = show, say
        self._known: dict[Draft, Verdict] = {}  # of searches that came to their end
        self._size = 0, 0  # of the draft judged last
        self._progress = ""  # of the search that runs
        self._compiles = not solver.is_prepared()
        self._process = Process(_preparing)
        self.start, self.end = self._process.start, self._process.end

    def take(self, draft: Draft, longer: Effort | None = None) -> None:
        """Takes up a draft with the verdict kept of it, or an empty one; or reopens that for a longer `search`."""
        size = draft.height, draft.width
        self.trouble = self._progress = ""
        if longer:
            self._known.pop(draft, None)
            self.verdict = replace(self.verdict, is_over=False)
        else:
            self.verdict = self._known.get(draft) or Verdict(self.verdict.oddities if size == self._size else ())
        self._size = size

    async def search(self, draft: Draft, level: Callable[[], Level], longer: Effort | None = None) -> None:
        """Judges the draft that was taken, a moment later, unless it was judged before; `level` makes it a level."""
        known = self.verdict.par
        if draft in self._known:
            return
        await asyncio.sleep(A_MOMENT)
        late = asyncio.get_running_loop().call_later(LATE, self._be_late)
        try:
            judged = level()
            arguments = judged, has_neighbour(judged.file, 1), longer or EFFORT, known
            async with aclosing(self._process.ask(judging, *arguments, tell=self._count)) as verdicts:
                async for self.verdict in verdicts:
                    self._show()
            self._known[draft] = self.verdict
            if longer:
                self._say(news(self.verdict, known))
        except (ProcessError, OSError) as error:
            self.trouble = sentence(str(error))
            self._show()
        finally:
            late.cancel()

    def text(self) -> str:
        """The verdict in words, with the number of odd tiles and the progress of the search."""
        if self.trouble:
            return self.trouble
        verdict = self.verdict
        odd = sum(oddity.cells.size for oddity in verdict.oddities) if verdict.is_checked else 0
        parts = [told(verdict) or "Thinking ..."]
        if odd:
            parts.append(f"{counted(odd, 'odd tile')}, {{editor.warning}} shows which")
        if self._progress and not verdict.is_over:
            parts.append(self._progress)
        return "; ".join(parts)

    def _be_late(self) -> None:
        if self._compiles and not self._progress:
            self._progress = "the first time, the solver is compiled"
            self._show()

    def _count(self, states: int) -> None:
        self._progress = f"{states:,} states looked at"
        self._show()


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
        return "No line leads out: that is proven."
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
        return f"Can't be won: {bars[0] if bars else 'no line leads out'} (proven)"
    if verdict.ended == "size" and not verdict.states:
        return "Too large to solve"
    reasons = {"size": "on boards that are small enough to search", "memory": "before the memory was full"}
    return f"No line out was found {reasons.get(verdict.ended, f'within {verdict.seconds:g} s')}"
