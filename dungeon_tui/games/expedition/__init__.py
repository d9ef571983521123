"""The expedition: see all rooms of a dungeon, or most of them, as cheaply as can be.

The party stands in one room; a corridor leads it to the next one.
A step costs what the corridor costs, and what entering the room costs, seen before or not.
The quest is done once enough rooms are seen; where that is asked, also back at the start, or in the room to end in.
Walking back through rooms already seen is often the cheapest way on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dungeon_tui.core.catalogue import Commands, Game, Levels

if TYPE_CHECKING:
    from dungeon_tui.core.rules import Rules
    from dungeon_tui.games.expedition.ai.judged import ExpeditionProblem
    from dungeon_tui.games.expedition.view.screen import ExpeditionView


class Expedition(Game):
    """The expedition, with its parts."""

    name = "expedition"
    title = "Expedition"
    summary = "See every room on the cheapest walk."
    order = 5
    has_judge = True
    open_note = "Give the path of a map's file: JSON as networkx writes it, or GraphML."

    def rules(self) -> Rules[Any, Any, Any]:
        """Module of the game's rules, imported when asked for."""
        from dungeon_tui.games.expedition.model import rules

        return rules

    def levels(self) -> Levels:
        """Module that lists, reads and packs the game's levels, imported when asked for."""
        from dungeon_tui.games.expedition.model import dungeon

        return dungeon

    def view(self) -> type[ExpeditionView]:
        """Class of the game's view, imported when asked for."""
        from dungeon_tui.games.expedition.view.screen import ExpeditionView

        return ExpeditionView

    def commands(self) -> Commands:
        """Module of the game's commands, imported when asked for."""
        from dungeon_tui.games.expedition import commands

        return commands

    def problem(self) -> ExpeditionProblem:
        """The game's problem for programs, imported when asked for."""
        from dungeon_tui.games.expedition.ai.judged import ExpeditionProblem

        return ExpeditionProblem()


GAME = Expedition()
