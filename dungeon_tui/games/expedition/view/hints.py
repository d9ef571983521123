"""Hints on an expedition, which tell more each time."""

from __future__ import annotations

from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.engine.walks import WalkCancelledError
from dungeon_tui.games.expedition.ai.planner import Planner
from dungeon_tui.games.expedition.model.state import State, Status
from dungeon_tui.games.expedition.view.story import out_of_reach


class Hints:
    """Three hints a moment: what is left at least, then the next room, then the whole plan."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner
        self._asked: tuple[State, int] | None = None  # for which state a hint was given, how often

    def next(self, state: State, *, known_only: bool) -> str:
        """The next hint for a moment; in fog as far as the map is known. Takes as long as a plan does."""
        if state.status is not Status.EXPLORING:
            costs = "the least cost for each number of rooms"
            return f"All is seen. {{walk}} draws your walk, {{plan}} the cheapest one, {{curve}} {costs}."
        before = self._asked
        asked = before[1] + 1 if before is not None and before[0] is state else 1
        self._asked = state, min(asked, 3)
        try:
            found = self._planner.plan(state, known_only=known_only)
        except WalkCancelledError:
            return ""
        if found.cost is None:
            known = ", as far as you know the map" if known_only else ""
            return f"{capitalised(out_of_reach(found))}{known}."
        proven = "proven" if found.is_proven else f"the best way found costs {found.cost}"
        rooms = state.level.rooms
        match asked:
            case 1:
                what = "To see what you know of" if known_only else "What is left"
                return f"{what} costs at least {found.lower_bound}; {proven}. {{hint}} again: the next room."
            case 2 if len(found.walk) > 1:
                return f"Go to {rooms[found.walk[1]].label}. {{hint}} again: the whole plan."
            case _:
                return f"The plan: {counted(len(found.walk) - 1, 'step')}, {found.cost} more. {{plan}} hides it."

    def has_told_all(self, state: State) -> bool:
        """True if the last hint was the whole plan of this moment."""
        return self._asked is not None and self._asked[0] is state and self._asked[1] > 2
