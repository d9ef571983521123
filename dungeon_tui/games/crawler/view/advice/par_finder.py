"""Par of a dungeon without a file of it, found behind the game."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from dungeon_tui.games.crawler.ai.par import Par, par_of
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.state import State
from dungeon_tui.games.crawler.view import late
from dungeon_tui.games.crawler.view.advice.solving import Solving

if TYPE_CHECKING:
    from dungeon_tui.games.crawler.ai.par_search import ParetoFront

_ALL = 5.0  # seconds for par with ever more treasure
_BEHIND = 3.0  # seconds for par with as much as was carried out


class ParFinder:
    """Knows par of the dungeon that is played, as far as it was found."""

    def __init__(self, solving: Solving) -> None:
        self._solving = solving
        self._finding = Lock()
        self._frontier: tuple[Dungeon, ParetoFront] | None = None

    def par_of(self, dungeon: Dungeon, seconds: float | None = None) -> Par:
        """Par beside the levels, or as far as it is found in a few seconds; each time further."""
        if stored := par_of(dungeon).dungeon:
            return stored
        self._solving.planner(rules.start(dungeon))  # compiles the solver before the clock runs
        stop = self._solving.newest("frontier")  # the lines that another thread's search has found stay
        with self._finding:
            if self._frontier is None or self._frontier[0] is not dungeon:
                self._frontier = dungeon, late.frontier(dungeon)
            frontier = self._frontier[1]
            frontier.search(_ALL if seconds is None else seconds, stop)
            return frontier.par

    def think_ahead(self, state: State) -> None:
        """Finds par where none is stored, before anybody asks."""
        if self._solving.may_think_ahead(state):
            self.par_of(state.dungeon)

    def known_par(self, dungeon: Dungeon) -> Par | None:
        """Par that was found, if it is at hand."""
        return self._frontier[1].par if self._frontier is not None and self._frontier[0] is dungeon else None

    def may_find_more(self, dungeon: Dungeon) -> bool:
        """True if par that was found is cut short by time alone."""
        return self._frontier is not None and self._frontier[0] is dungeon and not self._frontier[1].is_over

    def par_for(self, state: State) -> Par:
        """Par to measure a way out by: stored, found before, or found in a few seconds."""
        known = self.known_par(state.dungeon)
        if known is not None and any(point.is_proven and point.treasure >= state.treasure for point in known.points):
            return known
        return self.par_of(state.dungeon, _BEHIND)
