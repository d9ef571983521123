"""A dungeon's solver for whoever plays it: what it could not answer in time is not asked again."""

from __future__ import annotations

from threading import Event

from dungeon_tui.games.crawler.advice.fate import Fate
from dungeon_tui.games.crawler.dungeon import Dungeon
from dungeon_tui.games.crawler.search.known import Key, key_of
from dungeon_tui.games.crawler.search.plan import Escape
from dungeon_tui.games.crawler.solver import Solver
from dungeon_tui.games.crawler.state import State, Status

PATIENCE = 10.0  # seconds that a hint may take
MEMORY = 1 << 30  # bytes
_MOST_KEPT = 4096  # answers that are no proven lines


class Planner:
    """The best lines of one dungeon. Any thread may ask; the solver answers one at a time."""

    def __init__(self, dungeon: Dungeon) -> None:
        self.dungeon = dungeon
        self.stop = Event()  # ends whatever is searched
        self._solver = Solver(dungeon, by_door=dungeon.is_left_by_door, memory=MEMORY)
        self._others: dict[tuple[Key, int], tuple[Escape, float]] = {}  # that are no proven lines; seconds they took

    def escape(self, state: State, aim: int, time_limit: float = PATIENCE, stop: Event | None = None) -> Escape:
        """The fewest further moves out with so much treasure in all.

        Args:
            state: a moment of the game; from one at which it is over nothing leads on.
            aim: treasure; 1 is the least, or 0 where the dungeon is left by its last door.
            time_limit: seconds; what was not found in as many is not searched again.
            stop: ends this search; without one `self.stop` does.
        """
        if state.status is not Status.PLAYING:
            return _nothing(state, aim)
        key = key_of(state.apart()), aim
        other, seconds = self._others.get(key, (None, 0.0))
        if other is not None and (other.is_proven or seconds >= time_limit):
            return other
        if known := self._solver.known(*key):  # at once, even while somebody else's question is searched
            return known
        found = self._solver.escape(state, aim, time_limit=time_limit, stop=stop or self.stop)
        if found.ended != "stopped" and not (found.is_proven and found.commands):
            if len(self._others) >= _MOST_KEPT:
                self._others.clear()
            self._others[key] = found, time_limit
        return found

    def known(self, state: State, aim: int) -> Escape | None:
        """The same, if it is at hand."""
        if state.status is not Status.PLAYING:
            return _nothing(state, aim)
        key = key_of(state.apart()), aim
        other, _ = self._others.get(key, (None, 0.0))
        return other or self._solver.known(*key)

    def fate(self, state: State, time_limit: float = PATIENCE, stop: Event | None = None) -> Fate:
        """Whether the game can still be won, with as little treasure as will do."""
        if state.status is not Status.PLAYING:
            is_out = state.status is Status.OUT_OF_LEVELS and self.dungeon.is_left_by_door
            return Fate.OPEN if is_out or state.status is Status.ESCAPED else Fate.LOST
        is_lost = self._solver.is_lost(state, time_limit=time_limit, stop=stop or self.stop)
        if is_lost is None:
            return Fate.UNKNOWN
        return Fate.LOST if is_lost else Fate.OPEN


def _nothing(state: State, aim: int) -> Escape:
    return Escape(aim, (), state.treasure, None, (), 0)
