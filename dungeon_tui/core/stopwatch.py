"""The time of a try: from a game's start, or its last restart, on."""

from __future__ import annotations

from time import monotonic
from typing import Any

from dungeon_tui.core.rules import LevelBegun
from dungeon_tui.core.turns import Change, ChangeKind, Turn, TurnController


class Stopwatch:
    """Measures how long the present try has been played. A restart begins anew; moves taken back count on.

    Where a restart leads to a later level, it goes back to the time at which that level began.
    """

    def __init__(self, controller: TurnController[Any, Any, Any], before: float = 0.0) -> None:
        """Starts to measure a game; `before` are the seconds that its try took in earlier sittings."""
        self._before = before
        self._since = monotonic()
        self._begun: dict[Turn[Any, Any], float] = {controller.first: 0.0}  # by the first turn of each level
        controller.observe(self._follow)

    @property
    def seconds(self) -> float:
        """The seconds of the present try."""
        return self._before + monotonic() - self._since

    def _follow(self, change: Change[Any, Any]) -> None:
        turn = change.after
        if change.kind is ChangeKind.RESTARTED:
            self._before, self._since = self._begun.get(turn, self.seconds), monotonic()
        elif any(isinstance(event, LevelBegun) for event in turn.events):
            self._begun.setdefault(turn, self.seconds)
