"""The rescue: how much health must a knight have to reach the princess?

The knight walks right or down, from the top left cell to the bottom right one, where the princess waits.
Entering a cell, the first one included, adds its number to his health: traps take, power-ups give.
His health must stay above 0 at every step.
Guess the least health that is enough, or choose one and find the way.
The need of a cell is the least health to enter it with: at least 1, and what its better neighbour needs, less its own
number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dungeon_tui.core.catalogue import Commands, Game, Levels

if TYPE_CHECKING:
    from dungeon_tui.core.rules import Rules
    from dungeon_tui.games.rescue.ai.judged import RescueProblem
    from dungeon_tui.games.rescue.view.screen import RescueView


class Rescue(Game):
    """The rescue, with its parts."""

    name = "rescue"
    title = "Rescue"
    summary = "The least health that saves the princess."
    order = 3
    has_judge = True
    open_note = "Give the path of a grid's file, or paste the grid itself: [[-2, -3, 3], [-5, -10, 1], [10, 30, -5]]."

    def rules(self) -> Rules[Any, Any, Any]:
        """Module of the game's rules, imported when asked for."""
        from dungeon_tui.games.rescue.model import rules

        return rules

    def levels(self) -> Levels:
        """Module that lists, reads and packs the game's levels, imported when asked for."""
        from dungeon_tui.games.rescue.model import dungeon

        return dungeon

    def view(self) -> type[RescueView]:
        """Class of the game's view, imported when asked for."""
        from dungeon_tui.games.rescue.view.screen import RescueView

        return RescueView

    def commands(self) -> Commands:
        """Module of the game's commands, imported when asked for."""
        from dungeon_tui.games.rescue import commands

        return commands

    def problem(self) -> RescueProblem:
        """The game's problem for programs, imported when asked for."""
        from dungeon_tui.games.rescue.ai.judged import RescueProblem

        return RescueProblem()


GAME = Rescue()
