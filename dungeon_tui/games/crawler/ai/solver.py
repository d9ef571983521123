"""Exact answers about a dungeon from a solver that remembers its results."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from threading import Event, Lock
from time import monotonic

import numpy as np

from dungeon_tui.core.grid import Cell
from dungeon_tui.engine.jit import is_cached
from dungeon_tui.games.crawler.ai.search.astar import enlarged, search_states
from dungeon_tui.games.crawler.ai.search.dungeon_search import SLICE, DungeonSearch, Escape, Stage
from dungeon_tui.games.crawler.ai.search.level_search import OutOfMemoryError
from dungeon_tui.games.crawler.ai.search.terrain import NEVER, Terrain
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon, alone
from dungeon_tui.games.crawler.model.level import Level
from dungeon_tui.games.crawler.model.state import State, Status

Progress = Callable[[int, int, int], object]
"""Called from time to time, in the calling thread: treasure wanted, states visited, lower bound on the moves."""

MEMORY = 3 << 30
"""Default limit on the bytes of a search."""

HINT_TIME_LIMIT_S = 10.0
JUDGING_TIME_LIMIT_S = 2.0
_PLANNER_MEMORY = 1 << 30
_MOST_BYTES = 1 << 26  # of the cached boards
_LAST_SLICES, _LAST_BYTES = 8, 1 << 26  # for each level: to find any line at the end of a search without one
_ANY_LINE_SLICE = 512  # states of a slice when any line will do: often enough to find one
_STATES_BEFORE_ANY_LINE = 50_000  # states after which a search for the shortest line also looks for any line
_PREPARING = Lock()


Key = tuple[int, int, Cell, tuple[int, ...], bytes]
"""Identifies a state: the level's number, the treasure, the adventurer's cell, the board's shape and bytes."""


class StoppedError(Exception):
    """Raised when the caller stops a search before it is complete."""


def is_prepared() -> bool:
    """True if the cache holds the compiled search."""
    return is_cached(search_states)


def prepare() -> None:
    """Compiles or loads the search's kernels once, so that no time limit includes it; thread-safe."""
    with _PREPARING:
        _run_all_kernels()


@cache
def _run_all_kernels() -> None:
    tiles = np.frombuffer(b"-$@!", np.uint8).reshape(1, 4)
    state = rules.start(alone(Level("tiny", tiles, Cell(0, 0))))
    Solver(state.dungeon).escape(state)
    enlarged(np.zeros(4, np.int64), 8)


def key_of(state: State) -> Key:
    """The state's key in the caches; no other thread may use its board."""
    tiles = state.board.array()
    return state.number, state.treasure, state.adventurer, tiles.shape, tiles.tobytes()


class SolutionCache:
    """Known lines out, the fates of states, and searches that found no proven line; cleared when it grows too large."""

    def __init__(self) -> None:
        self.bytes = 0  # of the boards
        self._lines: dict[tuple[Key, int], tuple[Escape, int]] = {}  # with the number of its moves already made
        self._attempts: dict[tuple[Key, int], tuple[Escape, float]] = {}  # unproven; with the time limit in seconds
        self.fates: dict[Key, bool] = {}  # True: no line leads out

    def line(self, key: Key, wanted: int) -> Escape | None:
        """The best cached line from a state with this much treasure, or None."""
        found, moves = self._lines.get((key, wanted), (None, 0))
        return found.after(moves) if found is not None and moves else found

    def answer(self, key: Key, wanted: int) -> tuple[Escape | None, float]:
        """The best cached answer or None, and the time limit of a search that could not prove one."""
        line = self.line(key, wanted)
        found, seconds = self._attempts.get((key, wanted), (None, 0.0))
        return (line if found is None else with_line(found, line)), seconds

    def store_line(self, keys: Sequence[Key], found: Escape) -> None:
        """Caches a line that leads out for every state along it, unless a better one is cached."""
        for made, key in enumerate(keys):
            self.store_fate(key, False)
            before = self._lines.get((key, found.wanted))
            if before is None or _rank(found, made) < _rank(*before):
                self._lines[key, found.wanted] = found, made

    def store_attempt(self, key: Key, found: Escape, seconds: float) -> None:
        """Caches an answer without a proven line, with the time limit of its search."""
        self._make_room(len(key[-1]))
        self._attempts[key, found.wanted] = found, seconds

    def store_fate(self, key: Key, is_lost: bool) -> None:
        """Caches the proven fate of a state: True if no line leads out."""
        if key not in self.fates:
            self._make_room(len(key[-1]))
            self.fates[key] = is_lost

    def _make_room(self, more: int) -> None:
        if self.bytes > _MOST_BYTES:
            for part in (self._lines, self._attempts, self.fates):
                part.clear()
            self.bytes = 0
        self.bytes += more


def with_line(found: Escape, line: Escape | None) -> Escape:
    """The better of two answers to a question, by its line; if that is `line`, with the higher lower bound."""
    if line is None or (found.moves is not None and _rank(found, 0) <= _rank(line, 0)):
        return found
    bound = max(found.lower_bound or 0, line.lower_bound or 0)
    return replace(found, commands=line.commands, treasure=line.treasure, lower_bound=bound)


def _rank(found: Escape, made: int) -> tuple[int, int]:
    """Sort key of an answer after `made` moves of its line: fewer moves left first, then the higher bound."""
    return (found.moves or 0) - made, made - (found.lower_bound or 0)


class Solver:
    """Answers questions about one dungeon and remembers the results.

    It searches each level separately (level_search.py) for the fewest moves to its door and to its way out with 0, 1, 2
    ... treasures, but only as needed for the best sum over the levels (dungeon_search.py): while that sum contains a
    bound that isn't proven exact, that bound's search continues. The searches of later levels serve the next question,
    too, and a state on a proven line needs no search.

    Threads may share a solver; it answers one question at a time.
    """

    def __init__(
        self, dungeon: Dungeon, *, by_door: bool = False, max_doublings: int | None = None, memory: int = MEMORY
    ) -> None:
        """Prepares a solver for a dungeon; `by_door`: its last door counts as a way out; `memory` in bytes.

        `max_doublings`: ignore lines that double a level more often, counted from the current board.
        """
        self.dungeon, self.by_door, self.max_doublings, self.memory = dungeon, by_door, max_doublings, memory
        self._least = 0 if by_door else 1
        self._lock = Lock()
        self._terrains: dict[int, Terrain | None] = {}
        self._stages: dict[int, Stage] = {}  # from the start of each level
        self._present: tuple[Key, Stage] | None = None
        self.cache = SolutionCache()

    def escape(
        self,
        state: State,
        treasure: int = 1,
        *,
        time_limit: float | None = None,
        stop: Event | None = None,
        progress: Progress | None = None,
    ) -> Escape:
        """The fewest further moves that leave the dungeon on any level with at least this much treasure.

        Proven means that the search visited every shorter line or excluded it by a bound, on doubled boards too.
        Without a limit on doublings, "no line exists" is proven only if the search ends: no amulet is reachable, or the
        last one is used, or no number of copies has a reachable way out. For a state on the line of an earlier answer,
        the Pareto front has only the treasure wanted. `treasure` includes what is held. After `time_limit` seconds, or
        `stop`, the best known answer is returned. Raises ValueError if the game is over, or of another dungeon.
        """
        if treasure < self._least:
            raise ValueError(f"a way out needs treasure: at least {self._least}, not {treasure}")
        with self._lock:
            deadline = None if time_limit is None else monotonic() + time_limit
            state = self._checked_copy(state)
            key = key_of(state)
            known = self.cache.line(key, treasure)
            if known is not None and known.is_proven:
                return known
            search = self._search_from(state)
            before = search.states
            bound, ended = self._proven(search, treasure, partial(_reason_to_stop, deadline, stop), progress)
            if ended != "stopped" and search.shortest(treasure, is_known=True)[0] >= NEVER > bound:
                with suppress(OutOfMemoryError):
                    for _ in range(_LAST_SLICES * len(search.stages)):
                        search.weighted_astar(treasure, SLICE, _LAST_BYTES)
            found = replace(self._answer(state, search, treasure, bound, ended), states=search.states - before)
            return with_line(found, self.cache.line(key, treasure))

    def is_lost(self, state: State, *, time_limit: float | None = None, stop: Event | None = None) -> bool | None:
        """True if proven that no line leads out, False if one does, None: unknown; costs little. Raises ValueError."""
        with self._lock:
            deadline = None if time_limit is None else monotonic() + time_limit
            state = self._checked_copy(state)
            key = key_of(state)
            search = None
            while (is_lost := self.cache.fates.get(key)) is None:
                search = search or self._search_from(state)
                if search.shortest(self._least)[0] >= NEVER:
                    self.cache.store_fate(key, True)
                elif search.shortest(self._least, is_known=True)[0] < NEVER:
                    self._answer(state, search, self._least, 0, "")
                elif _reason_to_stop(deadline, stop) or self._try_any_line(search):
                    return None
            return is_lost

    def _checked_copy(self, state: State) -> State:
        if state.status is not Status.PLAYING:
            raise ValueError(f"the game is over ({state.status.value}), so there are no further moves")
        if state.dungeon is not self.dungeon:
            raise ValueError("this state belongs to another dungeon")
        return state.apart()

    def _search_from(self, state: State) -> DungeonSearch:
        last = len(self.dungeon.levels)
        for number, level in enumerate(self.dungeon.levels[state.number - 1 :], state.number):
            if number not in self._stages:
                self._terrains[number] = terrain = Terrain.of(level.tiles, self.dungeon.cell_limit)
                self._stages[number] = Stage.of(terrain, level.tiles, level.start, self.max_doublings)
        level, tiles = self.dungeon.levels[state.number - 1], state.board.array()
        if state.adventurer == level.start and np.array_equal(tiles, level.tiles):
            stage = self._stages[state.number]
        elif self._present is not None and self._present[0] == key_of(state):
            stage = self._present[1]
        else:
            stage = Stage.of(self._terrains[state.number], tiles, state.adventurer, self.max_doublings)
            self._present = key_of(state), stage
        later = (self._stages[number] for number in range(state.number + 1, last + 1))
        return DungeonSearch((stage, *later), state.treasure, self.by_door)

    def _memory_left(self) -> int:
        parts = [*self._terrains.values(), *self._stages.values(), self._present and self._present[1]]
        return self.memory - self.cache.bytes - sum(part.bytes for part in parts if part is not None)

    def _proven(
        self, search: DungeonSearch, treasure: int, reason: Callable[[], str], progress: Progress | None
    ) -> tuple[int, str]:
        """Searches until the answer is proven for this much treasure and for all smaller amounts.

        A quarter of the states goes to smaller amounts, and more once the wanted one is proven. Returns a lower bound
        on the moves, and why the search ended before all was proven, or "".
        """
        before, lesser, bound = search.states, 0, 0
        lower = self._least  # the smallest amount not yet proven
        while bound < NEVER and (lower < treasure or not search.is_proven(treasure)):
            if lower < treasure and search.is_proven(lower):
                bound = max(bound, search.shortest(lower)[0])
                lower += 1
                continue
            already = search.states - before
            is_lesser = lower < treasure and (4 * lesser <= already or search.is_proven(treasure))
            wanted = lower if is_lesser else treasure
            if progress is not None:
                progress(wanted, already, max(bound, search.shortest(wanted)[0]))
            ended = reason() or self._advance(search, wanted)
            lesser += search.states - before - already if is_lesser else 0
            if ended == "size" and is_lesser:
                lower = treasure  # leave smaller amounts unproven
            elif ended:
                return bound, ended
        return bound, ""

    def _advance(self, search: DungeonSearch, wanted: int) -> str:
        """Visits another slice of states; returns "", or the limit reached: "size" or "memory"."""
        try:
            if not search.advance(wanted, SLICE, self._memory_left()):
                return "size"
            if search.states > _STATES_BEFORE_ANY_LINE and 4 * search.weighted_states <= search.states:
                search.weighted_astar(wanted, SLICE, self._memory_left())
        except OutOfMemoryError:
            return "memory"
        return ""

    def _try_any_line(self, search: DungeonSearch) -> str:
        """Visits some states, in turn for any line and for the shortest; returns "", or the limit reached."""
        try:
            has_more = search.weighted_astar(self._least, _ANY_LINE_SLICE, self._memory_left())
            if search.is_proven(self._least) or search.shortest(self._least, is_known=True)[0] < NEVER:
                return ""
            return "" if search.advance(self._least, _ANY_LINE_SLICE, self._memory_left()) or has_more else "size"
        except OutOfMemoryError:
            return "memory"

    def _answer(self, state: State, search: DungeonSearch, wanted: int, bound: int, ended: str) -> Escape:
        """The best answer of the searches, with `bound` or a higher one; plays its line and caches it."""
        front = tuple(search.pareto_front(self._least, wanted))
        bound = max(bound, search.shortest(wanted)[0])
        if bound >= NEVER:
            if wanted <= max(self._least, state.treasure):
                self.cache.store_fate(key_of(state), True)
            return Escape(wanted, (), 0, None, front, 0, ended)
        _, parts = search.shortest(wanted, is_known=True)
        found = Escape(wanted, tuple(part.commands for part in parts), 0, bound, front, 0, ended)
        return self._played(state, found, sum(part.best for part in parts)) if parts else found

    def _played(self, state: State, found: Escape, moves: int) -> Escape:
        """Plays the line by the rules, completes its treasure and caches it for its states."""
        keys: list[Key] = []
        begun, wanted = state.moves, found.wanted
        for number, letters in enumerate(found.commands, state.number):
            assert state.number == number, f"the line is not on level {number}"
            *line, state = rules.moments(state, letters)
            keys += map(key_of, line)
        ends = (Status.ESCAPED, Status.OUT_OF_LEVELS) if self.by_door else (Status.ESCAPED,)
        assert state.status in ends, f"the line ends {state.status.value}"
        assert state.treasure >= wanted, f"the line ends with {state.treasure} treasures, not {wanted}"
        assert state.moves - begun == moves, f"the line takes {state.moves - begun} moves, not {moves}"
        found = replace(found, treasure=state.treasure)
        # With a limit on doublings, later states on the line have fewer left than their own question allows.
        self.cache.store_line(keys if self.max_doublings is None else keys[:1], found)
        return found


def _reason_to_stop(deadline: float | None, stop: Event | None) -> str:
    if stop is not None and stop.is_set():
        return "stopped"
    return "time" if deadline is not None and monotonic() >= deadline else ""


class Planner:
    """The best lines of one dungeon for the screen; remembers which questions took too long. Threads may share it."""

    def __init__(self, dungeon: Dungeon) -> None:
        self.dungeon = dungeon
        self.stop = Event()  # ends every search
        self.judging_time_limit_s = JUDGING_TIME_LIMIT_S  # for one position; a retry of the analysis doubles it
        self._solver = Solver(dungeon, by_door=dungeon.is_left_by_door, memory=_PLANNER_MEMORY)

    def escape(
        self, state: State, aim: int, time_limit: float = HINT_TIME_LIMIT_S, stop: Event | None = None
    ) -> Escape:
        """The fewest further moves out with this much treasure; a question left open isn't searched again."""
        known, seconds = self._answer(state, aim)
        if known is not None and (known.is_proven or seconds >= time_limit):
            return known  # without waiting for another thread's question
        found = self._solver.escape(state, aim, time_limit=time_limit, stop=stop or self.stop)
        if found.ended != "stopped" and not (found.is_proven and found.commands):
            self._solver.cache.store_attempt(key_of(state.apart()), found, time_limit)
        return found

    def time_limit(self, state: State, aim: int) -> float:
        """Seconds to give a question; after a search that found no line, twice its limit."""
        known, seconds = self._answer(state, aim)
        return (
            HINT_TIME_LIMIT_S if known is not None and known.moves is not None else max(HINT_TIME_LIMIT_S, 2 * seconds)
        )

    def _answer(self, state: State, aim: int) -> tuple[Escape | None, float]:
        if state.status is not Status.PLAYING:
            return Escape(aim, (), state.treasure, None, (), 0), 0.0
        return self._solver.cache.answer(key_of(state.apart()), aim)

    def is_lost(self, state: State, time_limit: float = HINT_TIME_LIMIT_S, stop: Event | None = None) -> bool | None:
        """True if proven that no line leads out, or if the game is lost; False if a line does; None if unknown."""
        if state.status is not Status.PLAYING:
            is_out = state.status is Status.OUT_OF_LEVELS and self.dungeon.is_left_by_door
            return not (is_out or state.status is Status.ESCAPED)
        return self._solver.is_lost(state, time_limit=time_limit, stop=stop or self.stop)
