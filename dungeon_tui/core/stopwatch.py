"""The time of a try: since a game's start or its last restart."""

from time import monotonic
from typing import Any

from dungeon_tui.core.rules import LevelBegun
from dungeon_tui.core.turns import Change, ChangeKind, Turn, TurnController


class Stopwatch:
    """Measures the current try; undo goes on, and a restart resets it to the time at which its level began."""

    def __init__(self, controller: TurnController[Any, Any, Any], before: float = 0.0) -> None:
        self._before = before
        self._since = monotonic()
        self._begun: dict[Turn[Any, Any], float] = {controller.first: 0.0}  # by the first turn of each level
        controller.observe(self._follow)

    @property
    def seconds(self) -> float:
        """The seconds of the current try."""
        return self._before + monotonic() - self._since

    def _follow(self, change: Change[Any, Any]) -> None:
        turn = change.after
        if change.kind is ChangeKind.RESTARTED:
            self._before, self._since = self._begun.get(turn, self.seconds), monotonic()
        elif any(isinstance(event, LevelBegun) for event in turn.events):
            self._begun.setdefault(turn, self.seconds)
