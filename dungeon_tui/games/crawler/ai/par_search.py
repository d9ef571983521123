"""Finds and proves par of a dungeon, for more and more treasure."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic, perf_counter

from dungeon_tui.core.files import check_writable, write_text
from dungeon_tui.core.plain import in_columns
from dungeon_tui.games.crawler.ai.par import Par, Point, levels_hash, par_path, par_text
from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape
from dungeon_tui.games.crawler.ai.solver import MEMORY, Progress, Solver, StoppedError
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon, load_dungeon
from dungeon_tui.games.crawler.model.state import State

STATES = 1_000_000
"""Default limit on the states of the search for a dungeon: with amulets, treasure has no limit."""

Report = Callable[[str, int, int, int], None]
"""Called from time to time, in the calling thread: name, treasure wanted, states visited, lower bound on the moves."""


@dataclass(frozen=True, slots=True)
class Solved:
    """Par of a dungeon."""

    name: str
    par: Par
    states: int
    seconds: float


def solved(
    dungeon: Dungeon, most_states: int = STATES, stop: Event | None = None, report: Report = lambda *_: None
) -> Solved:
    """Par of a dungeon; visits `most_states` at most. Raises StoppedError once `stop` is set."""
    began, front = perf_counter(), ParetoFront(rules.start(dungeon), dungeon.is_left_by_door, most_states)
    front.search(stop=stop, progress=partial(report, dungeon.name))
    if stop is not None and stop.is_set():
        raise StoppedError
    par = replace(front.par, sha256=levels_hash(dungeon.levels))
    return Solved(dungeon.name, par, front.states, perf_counter() - began)


def store(
    name: str, most_states: int = STATES, stop: Event | None = None, report: Report = lambda *_: None
) -> tuple[Path, Solved]:
    """Finds and writes par of a dungeon; returns path and result. Raises LevelError, UnwritableError, StoppedError."""
    dungeon = load_dungeon(name)
    if dungeon.missing is not None:
        raise dungeon.missing
    path = par_path(name if dungeon.prefix is None else dungeon.prefix)
    check_writable(path, "par")
    found = solved(dungeon, most_states, stop, report)
    write_text(path, par_text(found.par))
    return path, found


class ParetoFront:
    """The shortest lines out for more and more treasure from one state on, not counting treasure already held."""

    def __init__(self, state: State, by_door: bool = False, most_states: int = STATES, memory: int = MEMORY) -> None:
        """Prepares a search from a game that is not over; with `by_door` the last door counts as a way out."""
        self.par = Par()  # only its last point may be unproven
        self.states = 0  # visited
        self.is_over = False  # searching longer finds nothing more
        self._state, self._most_states = state, most_states
        self._solver = Solver(state.dungeon, by_door=by_door, memory=memory)
        self._wanted = state.treasure if by_door else max(state.treasure, 1)

    def search(
        self, time_limit: float | None = None, stop: Event | None = None, progress: Progress | None = None
    ) -> None:
        """Extends `par` until time or states run out, `stop` is set, or everything is known."""
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
            found = self._solver.escape(self._state, self._wanted, time_limit=left, stop=enough, progress=watch)
            self.states += found.states
            self.par = extended(self.par, found, self.states, held)
            if found.moves is not None and found.is_proven:
                self._wanted = found.treasure + 1
                continue
            self.is_over = found.is_proven or found.ended in ("memory", "size") or self.states >= self._most_states
            return


def extended(par: Par, found: Escape, states: int, held: int = 0) -> Par:
    """Par with a new last point in place of unproven ones; without a line only `is_all` changes; `held`: before."""
    if found.moves is None or found.lower_bound is None:
        return replace(par, is_all=found.is_proven)
    others = tuple(point for point in par.points if point.is_proven and point.moves != found.moves)
    point = Point(found.treasure - held, found.moves, found.lower_bound, states, found.commands)
    return replace(par, points=(*others, point))


def table(parts: Iterable[Solved]) -> str:
    """Table with a row for each dungeon: par, its treasure, the most treasure proven, its moves, states, seconds."""
    rows = [("", "par", "with", "most", "in", "states", "seconds")]
    for part in parts:
        proven = [point for point in part.par.points if point.is_proven]
        ends = [f"{cell:,}" for point in (proven[:1] + proven[-1:]) for cell in (point.moves, point.treasure)]
        first, with_, last, most = ends or ["none" if part.par.is_all else "unknown", "", "", ""]
        more = "" if part.par.is_all or not most else "+"
        rows.append((part.name, first, with_, most + more, last, f"{part.states:,}", f"{part.seconds:.2f}"))
    return in_columns(rows, "<>>>>>>")
