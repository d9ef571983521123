"""A dungeon's solver for whoever plays it: what it could not answer in time is asked again only with more time."""

from __future__ import annotations

from threading import Event

from dungeon_tui.games.crawler.ai.fate import Fate
from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape
from dungeon_tui.games.crawler.ai.search.solution_cache import key_of
from dungeon_tui.games.crawler.ai.solver import Solver
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.state import State, Status

PATIENCE = 10.0  # seconds that a hint may take
MEMORY = 1 << 30  # bytes


class Planner:
    """The best lines of one dungeon. Any thread may ask; the solver answers one at a time."""

    def __init__(self, dungeon: Dungeon) -> None:
        self.dungeon = dungeon
        self.stop = Event()  # ends whatever is searched
        self._solver = Solver(dungeon, by_door=dungeon.is_left_by_door, memory=MEMORY)

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
        """Seconds for who asks by a key: twice as many as were in vain before."""
        known, seconds = self._answer(state, aim)
        return PATIENCE if known is not None and known.moves is not None else max(PATIENCE, 2 * seconds)

    def known(self, state: State, aim: int) -> Escape | None:
        """As `escape`, if it is at hand."""
        return self._answer(state, aim)[0]

    def _answer(self, state: State, aim: int) -> tuple[Escape | None, float]:
        if state.status is not Status.PLAYING:
            return Escape(aim, (), state.treasure, None, (), 0), 0.0
        return self._solver.cache.answer(key_of(state.apart()), aim)

    def fate(self, state: State, time_limit: float = PATIENCE, stop: Event | None = None) -> Fate:
        """The game's fate, with as little treasure as will do."""
        if state.status is not Status.PLAYING:
            is_out = state.status is Status.OUT_OF_LEVELS and self.dungeon.is_left_by_door
            return Fate.OPEN if is_out or state.status is Status.ESCAPED else Fate.LOST
        is_lost = self._solver.is_lost(state, time_limit=time_limit, stop=stop or self.stop)
        return Fate.UNKNOWN if is_lost is None else Fate.LOST if is_lost else Fate.OPEN
