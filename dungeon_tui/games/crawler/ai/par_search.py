"""Par found and proven: ever more treasure out of a dungeon, and out of each of its levels, until none is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic, perf_counter

from dungeon_tui.core.files import check_writable, write_text
from dungeon_tui.core.plain import in_columns
from dungeon_tui.games.crawler.ai.par import Par, Point, dungeon_hash, level_hash, par_path, par_text
from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape
from dungeon_tui.games.crawler.ai.solver import MEMORY, Progress, Solver, StoppedError
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon, alone, load_dungeon
from dungeon_tui.games.crawler.model.state import State

STATES = 1_000_000
"""How many states the search looks at for a dungeon, and for each level, unless told otherwise: where amulets double
the treasure without end, it has to end somewhere."""

Told = Callable[[str, int, int, int], None]
"""Told now and then, in the calling thread: name, treasure asked for now, states looked at, lower bound."""


@dataclass(frozen=True, slots=True)
class Solved:
    """A part of the dungeon with its par, and how long that took."""

    name: str  # the dungeon's, with the level's number for a level
    par: Par
    states: int
    seconds: float


def solved(
    dungeon: Dungeon, most_states: int = STATES, stop: Event | None = None, told: Told = lambda *_: None
) -> Iterator[Solved]:
    """Yields the par of a dungeon, then of each of its levels, as they are found.

    A level by itself is left by its door, too; the last one only where it has no `!`. Behind the first one, one comes
    with treasure: `!` is open.

    Args:
        dungeon: what to solve.
        most_states: where the search ends, unproven.
        stop: set by another thread to end.
        told: see `Told`.

    Raises:
        StoppedError: `stop` was set.
    """
    parts = [(dungeon.name, rules.start(dungeon), dungeon_hash(dungeon), False)]
    for number, level in enumerate(dungeon.levels, 1):
        state = replace(rules.start(alone(level)), treasure=0 if number == 1 else 1)
        by_door = number < len(dungeon.levels) or state.dungeon.is_left_by_door
        parts.append((f"{dungeon.name} {number}", state, level_hash(level), by_door))
    for name, state, sha256, by_door in parts:
        began = perf_counter()
        front = ParetoFront(state, by_door, most_states)
        front.search(stop=stop, progress=partial(told, name))
        if stop is not None and stop.is_set():
            raise StoppedError
        yield Solved(name, replace(front.par, sha256=sha256), front.states, perf_counter() - began)


def store(
    name: str, most_states: int = STATES, stop: Event | None = None, told: Told = lambda *_: None
) -> tuple[Path, list[Solved]]:
    """Finds par of a dungeon and its levels, and writes its file beside them; returns the path and the parts.

    The arguments are those of `solved`, but for the dungeon's name.

    Raises:
        LevelError: a level of it can't be read.
        UnwritableError: the file can't be written.
        StoppedError: `stop` was set; nothing was written.
    """
    dungeon = load_dungeon(name)
    if dungeon.missing is not None:
        raise dungeon.missing
    path = par_path(name if dungeon.prefix is None else dungeon.prefix)
    check_writable(path, "par")
    parts = list(solved(dungeon, most_states, stop, told))
    write_text(path, par_text(part.par for part in parts))
    return path, parts


class ParetoFront:
    """Shortest lines out from a moment on, with ever more treasure; what is held at first is not counted."""

    def __init__(self, state: State, by_door: bool = False, most_states: int = STATES, memory: int = MEMORY) -> None:
        """Prepares a search; nothing is looked at yet.

        Args:
            state: a moment of the game, which goes on.
            by_door: a door of the last level is as good as a way out.
            most_states: where the search ends, unproven.
            memory: bytes that it may take.
        """
        self.par = Par()  # of whose points only the last one may be unproven
        self.states = 0  # looked at
        self.is_over = False  # nothing more will be found, however long one searches
        self._state, self._most_states = state, most_states
        self._solver = Solver(state.dungeon, by_door=by_door, memory=memory)
        self._asked = state.treasure if by_door else max(state.treasure, 1)

    def search(
        self, time_limit: float | None = None, stop: Event | None = None, progress: Progress | None = None
    ) -> None:
        """Searches on from where the last call ended, until time or states are used up or all is known; extends `par`.

        Args:
            time_limit: seconds, after which it ends.
            stop: set by another thread to end as if the time were over.
            progress: told now and then, in the calling thread, (treasure asked for now, states, lower bound).
        """
        deadline = None if time_limit is None else monotonic() + time_limit
        held = self._state.treasure
        enough = Event()

        def watch(treasure: int, more: int, bound: int) -> None:
            if progress is not None:
                progress(treasure - held, self.states + more, bound)
            if self.states + more >= self._most_states or (stop is not None and stop.is_set()):
                enough.set()

        while not self.is_over:
            left = None if deadline is None else max(0.0, deadline - monotonic())
            found = self._solver.escape(self._state, self._asked, time_limit=left, stop=enough, progress=watch)
            self.states += found.states
            self.par = extended(self.par, found, self.states, held)
            if found.moves is not None and found.is_proven:
                self._asked = found.treasure + 1
                continue
            self.is_over = found.is_proven or found.ended in ("memory", "size") or self.states >= self._most_states
            return


def extended(par: Par, found: Escape, states: int, held: int = 0) -> Par:
    """Par with the answer as its last point, instead of one unproven or as long; without a line, only `is_all` changes.

    Args:
        par: what was known.
        found: the answer.
        states: looked at for all of it.
        held: treasure at first, which is not counted.
    """
    if found.moves is None or found.lower_bound is None:
        return replace(par, is_all=found.is_proven)
    kept = tuple(point for point in par.points if point.is_proven and point.moves != found.moves)
    point = Point(found.treasure - held, found.moves, found.lower_bound, states, found.commands)
    return replace(par, points=(*kept, point))


def table(parts: Iterable[Solved]) -> str:
    """Table with a line a part: par and its treasure, the most treasure proven and its moves, states, seconds."""
    rows = [("", "par", "with", "most", "in", "states", "seconds")]
    for part in parts:
        proven = [point for point in part.par.points if point.is_proven]
        ends = [f"{cell:,}" for point in (proven[:1] + proven[-1:]) for cell in (point.moves, point.treasure)]
        first, with_, last, most = ends or ["none" if part.par.is_all else "unknown", "", "", ""]
        more = "" if part.par.is_all or not most else "+"
        rows.append((part.name, first, with_, most + more, last, f"{part.states:,}", f"{part.seconds:.2f}"))
    return in_columns(rows, "<>>>>>>")
