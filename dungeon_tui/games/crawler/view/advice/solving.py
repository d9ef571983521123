"""The solver behind a game: one search of each kind at a time, and par as found so far."""

from __future__ import annotations

from threading import Event, Lock
from typing import TYPE_CHECKING

import numpy as np

from dungeon_tui.games.crawler.ai.par import Par, par_of
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.state import State, Status

if TYPE_CHECKING:
    from dungeon_tui.games.crawler.ai.par_search import ParetoFront
    from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape
    from dungeon_tui.games.crawler.ai.solver import Planner

PAR_TIME_LIMIT_S = 5.0  # for par with more and more treasure
_MEMORY = 1 << 30  # limit in bytes of the search for par
_RESULT_TIME_LIMIT_S = 3.0  # for par at the end of a game
AHEAD_TIME_LIMIT_S = 0.5  # for the first hint and for par of a level, before you ask
_MOST_CELLS = 1 << 16  # limit on boards to search before you ask


class Solving:
    """The planner of the current dungeon; thread-safe."""

    def __init__(self) -> None:
        self.found: ParetoFront | None = None  # search for par of a dungeon without a par file
        self._planner: Planner | None = None
        self._loading, self._finding = Lock(), Lock()
        self._stops: dict[str, Event] = {}  # of the newest search of each kind
        self._level_pars: dict[tuple[int, int, int], tuple[int, int]] = {}  # by level, treasure there and wanted

    def planner(self, state: State) -> Planner:
        """The planner of a state's dungeon; loads it on the first call."""
        with self._loading:
            if self._planner is None or self._planner.dungeon is not state.dungeon:
                from dungeon_tui.games.crawler.ai import solver

                solver.prepare()  # so that no time limit includes compiling
                self._planner = solver.Planner(state.dungeon)
            return self._planner

    def newest(self, kind: str) -> Event:
        """Cancels the previous search of this kind; returns the new one's stop event."""
        if kind in self._stops:
            self._stops[kind].set()
        self._stops[kind] = stop = Event()
        return stop

    def escape(self, state: State, treasure: int, kind: str) -> Escape:
        """The fewest moves out; after each search without an answer, the next one gets twice the time."""
        stop = self.newest(kind)
        if (stored := known_line(self.known_par(state.dungeon), state.apart(), treasure)) is not None:
            return stored
        planner = self.planner(state)
        return planner.escape(state, treasure, planner.time_limit(state, treasure), stop)

    def may_think_ahead(self, state: State) -> bool:
        """True if the game isn't over, the board is small, and the solver is already compiled."""
        from dungeon_tui.games.crawler.ai import solver

        is_small = state.board.height * state.board.width <= _MOST_CELLS
        return state.status is Status.PLAYING and is_small and solver.is_prepared()

    def par_of(self, dungeon: Dungeon, seconds: float | None = None) -> Par:
        """The stored par of a dungeon, or the result of a search, which each call continues for some seconds."""
        if stored := par_of(dungeon).par:
            return stored
        self.planner(rules.start(dungeon))  # compiles the solver before the clock runs
        stop = self.newest("par")  # the lines that another thread's search has found stay
        with self._finding:
            if self.found is None:
                from dungeon_tui.games.crawler.ai.par_search import ParetoFront

                self.found = ParetoFront(rules.start(dungeon), dungeon.is_left_by_door, memory=_MEMORY)
            self.found.search(PAR_TIME_LIMIT_S if seconds is None else seconds, stop)
            return self.found.par

    def known_par(self, dungeon: Dungeon) -> Par | None:
        """The stored par of a dungeon, or the one found so far."""
        return par_of(dungeon).par or (None if self.found is None else self.found.par)

    def level_par(self, start: State, wanted: int, *, may_search: bool = True) -> tuple[int, int]:
        """The moves on a level, and the treasure after them, of a best line out from its start; zeros if unknown."""
        key = start.number, start.treasure, wanted
        if key not in self._level_pars or (may_search and not self._level_pars[key][0]):
            found = known_line(self.known_par(start.dungeon), start, wanted)
            if found is None and may_search:
                found = self.planner(start).escape(start, wanted, AHEAD_TIME_LIMIT_S)
            line = found.commands[0] if found and found.moves is not None and found.is_proven else ""
            *_, end = rules.moments(start.apart(), line)
            self._level_pars[key] = len(line), end.treasure * bool(line)
        return self._level_pars[key]

    def par_for(self, state: State) -> Par:
        """Par to compare a result with: stored, already found, or searched for briefly."""
        known = None if self.found is None else self.found.par
        if known and any(point.is_proven and point.treasure >= state.treasure for point in known.points):
            return known
        return self.par_of(state.dungeon, _RESULT_TIME_LIMIT_S)

    def close(self) -> None:
        """Stops all searches in all threads."""
        for stop in self._stops.values():
            stop.set()
        if self._planner is not None:
            self._planner.stop.set()


def known_line(par: Par | None, state: State, wanted: int) -> Escape | None:
    """The rest of par's line if that leads through a state: an answer before the solver is compiled."""
    from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape

    moment = rules.start(state.dungeon)
    point = None if par is None else par.at(wanted)
    if point is None or not point.is_proven:
        return None
    for number, letters in enumerate(point.commands, 1):
        moments = [*rules.moments(moment, letters)]
        moment = moments.pop()
        for made, passed in enumerate(moments) if number == state.number else ():
            is_here = (passed.adventurer, passed.treasure) == (state.adventurer, state.treasure)
            if is_here and np.array_equal(passed.board.array(), state.board.array()):
                commands = letters[made:], *point.commands[number:]
                moves = sum(map(len, commands))
                return Escape(wanted, commands, point.treasure, moves, ((wanted, moves),), 0)
    return None
