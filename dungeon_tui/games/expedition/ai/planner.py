"""The plans of an expedition that were asked for, made once each."""

from __future__ import annotations

from threading import Event, Lock

from dungeon_tui.engine.walks import Watch
from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.ai.solver import Comparison, Plan
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import step_cost
from dungeon_tui.games.expedition.model.state import State

PATIENCE = 10.0  # seconds that a hint, a comparison or a curve may take
_MOST_PLANS = 4096  # that are kept

_Key = tuple[Level, int, int, bool]  # map, room, rooms seen, whether only known rooms count


class Planner:
    """The plans of all moments that were asked for. Used from threads."""

    def __init__(self) -> None:
        self._plans: dict[_Key, Plan] = {}
        self._compared: tuple[State, Comparison] | None = None
        self._lock = Lock()
        self.stop = Event()  # ends whatever is being planned

    def plan(self, state: State, *, known_only: bool = False, time_limit: float = PATIENCE) -> Plan:
        """The cheapest way on. Whoever follows it has the plans of the next moments, too."""
        with self._lock:
            found = self.known(state, known_only)
            if found is None:
                found = solver.plan(state, Watch(time_limit, self.stop), known_only=known_only)
                self._keep(state, found, known_only)
            return found

    def known(self, state: State, known_only: bool = False) -> Plan | None:
        """The plan of a moment, if it was made."""
        return self._plans.get((state.level, state.room, state.seen, known_only))

    def compared(self, state: State) -> Comparison:
        """The walk so far beside the best one."""
        with self._lock:
            if self._compared is None or self._compared[0] is not state:
                self._compared = state, solver.compare(state, Watch(PATIENCE, self.stop))
            return self._compared[1]

    def comparison(self, state: State) -> Comparison | None:
        """The same, if it was made."""
        return self._compared[1] if self._compared is not None and self._compared[0] is state else None

    def _keep(self, state: State, found: Plan, known_only: bool) -> None:
        if len(self._plans) > _MOST_PLANS:
            self._plans.clear()
        self._plans[state.level, state.room, state.seen, known_only] = found
        if known_only or not found.is_proven or found.cost is None:
            return  # what is known changes with each step
        costs, seen = found.cost, state.seen
        for place, (one, two) in enumerate(zip(found.walk, found.walk[1:], strict=False), 1):
            costs -= step_cost(state.level, one, two)
            seen |= 1 << two
            onward = Plan(costs, found.walk[place:], found.seen, True, costs, found.method)
            self._plans.setdefault((state.level, two, seen, False), onward)
