"""The solver beside a game: questions of each kind, of which the newest cancels the one before; and par, as found."""

from __future__ import annotations

from threading import Event, Lock
from typing import TYPE_CHECKING

from dungeon_tui.games.crawler.ai.par import Par, par_of
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.state import State, Status
from dungeon_tui.games.crawler.view import late

if TYPE_CHECKING:
    from dungeon_tui.games.crawler.ai.par_search import ParetoFront
    from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape
    from dungeon_tui.games.crawler.ai.solver import Planner

_ALL = 5.0  # seconds for par with ever more treasure
_BEHIND = 3.0  # seconds for par with as much as was carried out
_MOST_CELLS = 1 << 16  # of a board that is searched before anybody asks


class Solving:
    """The planner of the dungeon that is played. Any thread may ask."""

    def __init__(self) -> None:
        self.found: ParetoFront | None = None  # par of the dungeon, where none is stored, as far as it was found
        self._planner: Planner | None = None
        self._loading, self._finding = Lock(), Lock()
        self._stops: dict[str, Event] = {}  # of the newest search of each kind

    def planner(self, state: State) -> Planner:
        """The planner of a state's dungeon, loaded when it is asked for first."""
        with self._loading:
            if self._planner is None or self._planner.dungeon is not state.dungeon:
                self._planner = late.planner(state.dungeon)
            return self._planner

    def newest(self, kind: str) -> Event:
        """Cancels the previous search of this kind; returns the new one's stop event."""
        if kind in self._stops:
            self._stops[kind].set()
        self._stops[kind] = stop = Event()
        return stop

    def escape(self, state: State, treasure: int, kind: str) -> Escape:
        """The fewest moves out, for somebody who waits; after each search in vain, one twice as long."""
        planner = self.planner(state)
        return planner.escape(state, treasure, planner.patience(state, treasure), self.newest(kind))

    def known(self, state: State, treasure: int) -> Escape | None:
        """The answer to `escape` that was found before; None if there is none."""
        return None if self._planner is None else self._planner.known(state, treasure)

    def may_think_ahead(self, state: State) -> bool:
        """True if it goes on, on a board small enough to be searched before anybody asks, by a solver that is there."""
        is_small = state.board.height * state.board.width <= _MOST_CELLS
        return state.status is Status.PLAYING and is_small and late.is_solver_compiled()

    def par_of(self, dungeon: Dungeon, seconds: float | None = None) -> Par:
        """Par of a dungeon: the stored one, else as far as it is found in some seconds; each call searches further."""
        if stored := par_of(dungeon).dungeon:
            return stored
        self.planner(rules.start(dungeon))  # compiles the solver before the clock runs
        stop = self.newest("par")  # the lines that another thread's search has found stay
        with self._finding:
            if self.found is None:
                self.found = late.frontier(dungeon)
            self.found.search(_ALL if seconds is None else seconds, stop)
            return self.found.par

    @property
    def may_find_more(self) -> bool:
        """True if another call of `par_of` would search on."""
        return self.found is not None and not self.found.is_over

    def par_for(self, state: State) -> Par:
        """Par to compare a state's escape with: stored, found before, or searched for three seconds."""
        known = None if self.found is None else self.found.par
        if known and any(point.is_proven and point.treasure >= state.treasure for point in known.points):
            return known
        return self.par_of(state.dungeon, _BEHIND)

    def close(self) -> None:
        """Stops all searches, in whatever thread they run."""
        for stop in self._stops.values():
            stop.set()
        if self._planner is not None:
            self._planner.stop.set()
