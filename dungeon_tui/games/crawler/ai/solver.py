"""Exact answers about a dungeon, from a solver that may be asked again and again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from threading import Event, Lock
from time import monotonic

import numpy as np

from dungeon_tui.core.grid import Cell
from dungeon_tui.engine._jit import is_kept
from dungeon_tui.games.crawler.ai.search.astar import enlarged, search_states
from dungeon_tui.games.crawler.ai.search.dungeon_search import SLICE, DungeonSearch, Escape, Stage
from dungeon_tui.games.crawler.ai.search.level_search import OutOfMemoryError
from dungeon_tui.games.crawler.ai.search.terrain import NEVER, Terrain
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon, alone
from dungeon_tui.games.crawler.model.level import Level
from dungeon_tui.games.crawler.model.state import State, Status

Progress = Callable[[int, int, int], object]
"""Told now and then, in the calling thread: treasure asked for now, states looked at, a lower bound on the moves."""

MEMORY = 3 << 30
"""Bytes that a search may take, unless told otherwise."""

PATIENCE = 10.0  # seconds that a hint may take
_PLANNER_MEMORY = 1 << 30
_MOST_BYTES = 1 << 26  # of the boards of moments that are kept
_GLANCE = 512  # states that are enough to leave by, mostly
_STATES_ALONE = 50_000  # states before some line is looked for, too, in case that the shortest is never found
_PREPARING = Lock()


Key = tuple[int, int, Cell, tuple[int, ...], bytes]
"""Tells moments apart: the level's number, the treasure, the adventurer's cell, the board."""


class StoppedError(Exception):
    """Raised when somebody asks to stop before what was promised is done."""


def is_prepared() -> bool:
    """True if an earlier start has compiled the search."""
    return is_kept(search_states)


def prepare() -> None:
    """Compiles or loads the search's kernels, once, so that no time limit counts it; threads wait for each other."""
    with _PREPARING:
        _run_all_kernels()


@cache
def _run_all_kernels() -> None:
    tiles = np.frombuffer(b"-$@!", np.uint8).reshape(1, 4)
    state = rules.start(alone(Level("tiny", tiles, Cell(0, 0))))
    Solver(state.dungeon).escape(state)
    enlarged(np.zeros(4, np.int64), 8)


def key_of(state: State) -> Key:
    """Key of a state in the caches; the board must not be shared with another thread."""
    tiles = state.board.array()
    return state.number, state.treasure, state.adventurer, tiles.shape, tiles.tobytes()


class SolutionCache:
    """The lines out that were found, moments that are lost, and questions that were asked in vain.

    All of it is forgotten where it becomes too much.
    """

    def __init__(self) -> None:
        self.bytes = 0  # of the boards
        self._lines: dict[tuple[Key, int], tuple[Escape, int]] = {}  # with the moves made since
        self._tries: dict[tuple[Key, int], tuple[Escape, float]] = {}  # not proven lines; with the seconds they took
        self.fates: dict[Key, bool] = {}  # True: no line leads out from there

    def line(self, key: Key, asked: int) -> Escape | None:
        """The best line kept from a moment on with so much treasure; None if there is none."""
        found, moves = self._lines.get((key, asked), (None, 0))
        return found.after(moves) if found is not None and moves else found

    def answer(self, key: Key, asked: int) -> tuple[Escape | None, float]:
        """The best answer kept, None if there is none, and the seconds that a search for a proven one took in vain."""
        line = self.line(key, asked)
        found, seconds = self._tries.get((key, asked), (None, 0.0))
        return (line if found is None else with_line(found, line)), seconds

    def keep_line(self, keys: Sequence[Key], found: Escape) -> None:
        """Keeps a line that leads out, for each moment on it in `keys` from which no better one is kept."""
        for made, key in enumerate(keys):
            self.keep_fate(key, False)
            before = self._lines.get((key, found.asked))
            if before is None or _rank(found, made) < _rank(*before):
                self._lines[key, found.asked] = found, made

    def keep_try(self, key: Key, found: Escape, seconds: float) -> None:
        """Keeps an answer without a proven line, with the seconds that its search was given."""
        self._make_room(len(key[-1]))
        self._tries[key, found.asked] = found, seconds

    def keep_fate(self, key: Key, is_lost: bool) -> None:
        """Keeps the proven fate of a moment: True if no line leads out from there."""
        if key not in self.fates:
            self._make_room(len(key[-1]))
            self.fates[key] = is_lost

    def _make_room(self, more: int) -> None:
        if self.bytes > _MOST_BYTES:
            for part in (self._lines, self._tries, self.fates):
                part.clear()
            self.bytes = 0
        self.bytes += more


def with_line(found: Escape, line: Escape | None) -> Escape:
    """The better answer of two to a question, by its line; if that is `line`, with the higher bound of both."""
    if line is None or (found.moves is not None and _rank(found, 0) <= _rank(line, 0)):
        return found
    bound = max(found.lower_bound or 0, line.lower_bound or 0)
    return replace(found, commands=line.commands, treasure=line.treasure, lower_bound=bound)


def _rank(found: Escape, made: int) -> tuple[int, int]:
    """Rank of an answer after so many moves of its line: the least is best, by moves left, then by the bound."""
    return (found.moves or 0) - made, made - (found.lower_bound or 0)


class Solver:
    """Asked about one dungeon again and again: what it has found out is kept.

    Levels are searched apart (level_search.py), each for the fewest moves to its door and to its way out with 0, 1,
    2 ... treasures, but only as far as the best sum over the levels (dungeon_search.py) needs it: as long as that sum
    holds a number that is no more than a bound, its search goes on. The searches of levels that are still to come serve
    the next question, too, and a moment on a line that has been proven needs none at all.

    Any thread may ask; one at a time is answered.
    """

    def __init__(
        self, dungeon: Dungeon, *, by_door: bool = False, max_doublings: int | None = None, memory: int = MEMORY
    ) -> None:
        """Prepares a solver without any results.

        Args:
            dungeon: the states that are asked about are moments of it.
            by_door: a door of the last level is as good as a way out, and needs no treasure of its own.
            max_doublings: lines that double a level more often, from the present board on, are left out.
            memory: bytes that the searches may take.
        """
        self.dungeon, self.by_door, self.max_doublings, self.memory = dungeon, by_door, max_doublings, memory
        self._least = 0 if by_door else 1
        self._lock = Lock()
        self._terrains: dict[int, Terrain | None] = {}
        self._stages: dict[int, Stage] = {}  # from the levels' starts on
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
        """The fewest further moves that leave the dungeon by a way out, on any level, with so much treasure.

        The present board counts as a level of its own, from the adventurer's cell. Others' questions are waited for.

        Args:
            state: a moment of the game, which goes on.
            treasure: how much at least, what is held already included; from 1 on, or 0 `by_door`.
            time_limit: seconds from the beginning of the search, after which the best that is known is returned.
            stop: set by another thread to end as if the time were over.
            progress: see `Progress`.

        Returns:
            What was found. Proven means: every shorter line has been examined or is shut out by a bound, on doubled
            boards too. That there is no line is proven without a cap on doublings only where the search comes to an
            end: no amulet can be reached, or the last one is taken, or no number of copies holds a way out that can be
            reached. Of a moment on an earlier answer's line, the pareto front tells only what was asked for.

        Raises:
            ValueError: the game is over, it is another dungeon's, or so little treasure can't be enough.
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
                search.glance(treasure)
            found = replace(self._answer(state, search, treasure, bound, ended), states=search.states - before)
            return with_line(found, self.cache.line(key, treasure))

    def is_lost(self, state: State, *, time_limit: float | None = None, stop: Event | None = None) -> bool | None:
        """True if it is proven that no line leads out any more, False if one does; None where that is not known.

        Cost:
            None for a moment on a line that has been found, little where nothing could be left by even if no monster
            moved. Else some line is looked for, until it is found or all has been looked at.

        Raises:
            ValueError: the game is over.
        """
        with self._lock:
            deadline = None if time_limit is None else monotonic() + time_limit
            state = self._checked_copy(state)
            key = key_of(state)
            search = None
            while (is_lost := self.cache.fates.get(key)) is None:
                search = search or self._search_from(state)
                if search.shortest(self._least)[0] >= NEVER:
                    self.cache.keep_fate(key, True)
                elif search.shortest(self._least, is_known=True)[0] < NEVER:
                    self._answer(state, search, self._least, 0, "")
                elif _reason_to_stop(deadline, stop) or self._look_for_any(search):
                    return None
            return is_lost

    def _checked_copy(self, state: State) -> State:
        if state.status is not Status.PLAYING:
            raise ValueError(f"the game is over ({state.status.value}): nothing leads on")
        if state.dungeon is not self.dungeon:
            raise ValueError("this is a moment of another dungeon")
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
        """Searches until what is asked for is proven, and all that comes with less treasure.

        A quarter of the states is for less treasure, and more once what is asked for is proven.

        Returns:
            A lower bound on the moves, so far; the reason to end before all was proven, or "".
        """
        before, lesser, bound = search.states, 0, 0
        lower = self._least  # the least treasure of which nothing is proven yet
        while bound < NEVER and (lower < treasure or not search.is_proven(treasure)):
            if lower < treasure and search.is_proven(lower):
                bound = max(bound, search.shortest(lower)[0])
                lower += 1
                continue
            already = search.states - before
            is_lesser = lower < treasure and (4 * lesser <= already or search.is_proven(treasure))
            asked = lower if is_lesser else treasure
            if progress is not None:
                progress(asked, already, max(bound, search.shortest(asked)[0]))
            ended = reason() or self._advance(search, asked)
            lesser += search.states - before - already if is_lesser else 0
            if ended == "size" and is_lesser:
                lower = treasure  # what comes with less is left open
            elif ended:
                return bound, ended
        return bound, ""

    def _advance(self, search: DungeonSearch, asked: int) -> str:
        """Expands another slice of a search; returns "", or what it ran out of: "size" or "memory"."""
        try:
            if not search.advance(asked, SLICE, self._memory_left()):
                return "size"
            if search.states > _STATES_ALONE and 4 * search.weighted_states <= search.states:
                search.weighted_astar(asked, SLICE, self._memory_left())
        except OutOfMemoryError:
            return "memory"
        return ""

    def _look_for_any(self, search: DungeonSearch) -> str:
        """Searches some states more, for some line and for the shortest in turn; returns "", or why it can't.

        Now the one is quicker, now the other, and where there is none, both find that out.
        """
        try:
            has_more = search.weighted_astar(self._least, _GLANCE, self._memory_left())
            if search.is_proven(self._least) or search.shortest(self._least, is_known=True)[0] < NEVER:
                return ""
            return "" if search.advance(self._least, _GLANCE, self._memory_left()) or has_more else "size"
        except OutOfMemoryError:
            return "memory"

    def _answer(self, state: State, search: DungeonSearch, asked: int, bound: int, ended: str) -> Escape:
        """The answer as far as the searches have come, no lower than `bound`; its line is played and kept."""
        front = tuple(search.pareto_front(self._least, asked))
        bound = max(bound, search.shortest(asked)[0])
        if bound >= NEVER:
            if asked <= max(self._least, state.treasure):
                self.cache.keep_fate(key_of(state), True)
            return Escape(asked, (), 0, None, front, 0, ended)
        _, parts = search.shortest(asked, is_known=True)
        found = Escape(asked, tuple(part.commands for part in parts), 0, bound, front, 0, ended)
        return self._played(state, found, sum(part.best for part in parts)) if parts else found

    def _played(self, state: State, found: Escape, moves: int) -> Escape:
        """The line as the rules play it, with the treasure that one has at its end; its moments are kept.

        Raises:
            AssertionError: it is not what the search took it for; that would be our mistake.
        """
        keys: list[Key] = []
        begun, asked = state.moves, found.asked
        for number, letters in enumerate(found.commands, state.number):
            assert state.number == number, f"the line is not on level {number}"
            *line, state = rules.moments(state, letters)
            keys += map(key_of, line)
        ends = (Status.ESCAPED, Status.OUT_OF_LEVELS) if self.by_door else (Status.ESCAPED,)
        assert state.status in ends, f"the line ends {state.status.value}"
        assert state.treasure >= asked, f"the line ends with {state.treasure} treasures, not {asked}"
        assert state.moves - begun == moves, f"the line takes {state.moves - begun} moves, not {moves}"
        found = replace(found, treasure=state.treasure)
        # Under a cap, moments on the line have doublings left that the line had not.
        self.cache.keep_line(keys if self.max_doublings is None else keys[:1], found)
        return found


def _reason_to_stop(deadline: float | None, stop: Event | None) -> str:
    if stop is not None and stop.is_set():
        return "stopped"
    return "time" if deadline is not None and monotonic() >= deadline else ""


class Planner:
    """The best lines of one dungeon, for whoever plays it. Any thread may ask; the solver answers one at a time.

    What could not be answered in time is asked again only with more time.
    """

    def __init__(self, dungeon: Dungeon) -> None:
        self.dungeon = dungeon
        self.stop = Event()  # ends whatever is searched
        self._solver = Solver(dungeon, by_door=dungeon.is_left_by_door, memory=_PLANNER_MEMORY)

    def escape(self, state: State, aim: int, time_limit: float = PATIENCE, stop: Event | None = None) -> Escape:
        """The fewest further moves out with so much treasure in all.

        Args:
            state: a moment of the game; from one at which it is over nothing leads on.
            aim: treasure; 1 is the least, or 0 where the dungeon is left by its last door.
            time_limit: seconds; what was not found in as many is not searched again; see `patience`.
            stop: ends this search; without one `self.stop` does.
        """
        known, seconds = self._answer(state, aim)
        if known is not None and (known.is_proven or seconds >= time_limit):
            return known  # at once, even while somebody else's question is searched
        found = self._solver.escape(state, aim, time_limit=time_limit, stop=stop or self.stop)
        if found.ended != "stopped" and not (found.is_proven and found.commands):
            self._solver.cache.keep_try(key_of(state.apart()), found, time_limit)
        return found

    def patience(self, state: State, aim: int) -> float:
        """Seconds to give to a question: PATIENCE; without a line, twice what was in vain before if that is more."""
        known, seconds = self._answer(state, aim)
        return PATIENCE if known is not None and known.moves is not None else max(PATIENCE, 2 * seconds)

    def known(self, state: State, aim: int) -> Escape | None:
        """The best answer to `escape` that is kept; None if there is none. Nothing is searched."""
        return self._answer(state, aim)[0]

    def _answer(self, state: State, aim: int) -> tuple[Escape | None, float]:
        if state.status is not Status.PLAYING:
            return Escape(aim, (), state.treasure, None, (), 0), 0.0
        return self._solver.cache.answer(key_of(state.apart()), aim)

    def is_lost(self, state: State, time_limit: float = PATIENCE, stop: Event | None = None) -> bool | None:
        """True if it is proven that no line leads out, or the game ended so; False if one does; None if unknown."""
        if state.status is not Status.PLAYING:
            is_out = state.status is Status.OUT_OF_LEVELS and self.dungeon.is_left_by_door
            return not (is_out or state.status is Status.ESCAPED)
        return self._solver.is_lost(state, time_limit=time_limit, stop=stop or self.stop)
