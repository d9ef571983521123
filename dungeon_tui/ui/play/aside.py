"""A line that is played out beside the one that is looked at."""

from __future__ import annotations

from typing import Any

from dungeon_tui.core.turns import Turn, TurnController


class Aside:
    """Keeps the line that it left; leaving it forgets what it has added, and redo leads along that line again."""

    def __init__(
        self, controller: TurnController[Any, Any, Any], origin: Turn[Any, Any], was_looking_back: bool
    ) -> None:
        """Goes to where the aside begins.

        Args:
            controller: the game.
            origin: the turn after which the aside goes another way; the present one, or one before it.
            was_looking_back: whether nobody was playing when it began.
        """
        self.origin = origin
        self.was_looking_back = was_looking_back
        self.start = controller.turn  # where it was opened
        self._controller = controller
        self._following: list[Turn[Any, Any]] = []  # what redo led to from the origin on
        self._added: Turn[Any, Any] | None = None
        turn = origin
        while turn.branches:
            turn = turn.branches[-1]
            self._following.append(turn)
        controller.go_to(origin)

    @property
    def last(self) -> Turn[Any, Any]:
        """The end of the line that was left."""
        return self._following[-1] if self._following else self.origin

    def apply(self, action: Any) -> None:
        """Plays the next action of the aside."""
        before = self._controller.turn
        known = len(before.branches)
        self._controller.apply(action)
        if self._added is None and len(before.branches) > known:
            self._added = before.branches[-1]

    def leave(self, to: Turn[Any, Any]) -> None:
        """Goes to a turn of the line that was left, which becomes what it was."""
        self._controller.go_to(to)
        if self._added is not None:
            self._controller.discard(self._added)
        for turn in self._following:
            self._controller.prefer(turn)
