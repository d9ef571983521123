"""Find a way out of the deep: levels joined by doors, with monsters that each have a habit of their own.

You go up, down, left or right, stay, or use an item; each is one turn. Treasure opens doors: some ask that you carry
it, some that you pay, some want a key. A level is found again as you left it. Hunters come when they see you along a
row or a column; patrols walk to and fro; others run, track, or sleep until you come near. What a monster steps on is
destroyed, and you are dead where it reaches you, unless you carry a shield. A sword kills the next monster that you
walk into. Bombs break pillars. The amulet doubles the level. Some levels shrink: their rim falls away, ring by ring.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dungeon_tui.core.catalogue import Commands, Game, Levels, Opening

if TYPE_CHECKING:
    from dungeon_tui.core.rules import Rules
    from dungeon_tui.games.deep.view.screen import DeepView


class Deep(Game):
    """The deep, with its parts."""

    name = "deep"
    title = "Deep"
    summary = "Find a way out of a place with many doors."
    order = 6
    has_editor = True
    open_note = "Give the path of a campaign's file: docs/games/deep.md says how to write one."

    def rules(self) -> Rules[Any, Any, Any]:
        """Module of the game's rules, imported when asked for."""
        from dungeon_tui.games.deep.model import rules

        return rules

    def levels(self) -> Levels:
        """Module that lists, reads and packs the game's campaigns, imported when asked for."""
        from dungeon_tui.games.deep.view import openings

        return openings

    def view(self) -> type[DeepView]:
        """Class of the game's view, imported when asked for."""
        from dungeon_tui.games.deep.view.screen import DeepView

        return DeepView

    def commands(self) -> Commands:
        """Module of the game's commands, imported when asked for."""
        from dungeon_tui.games.deep import commands

        return commands

    def editor(self, file: str = "") -> Opening:
        """Opening of the editor on a campaign's file; on a new one if there is none yet, or `file` is empty."""
        from dungeon_tui.games.deep.view.editor import CRAFT
        from dungeon_tui.ui.editor.late import editor_opening

        summary = "A campaign of your own, level by level. After each change you are told how it can be left."
        return editor_opening(self, CRAFT, file, summary)


GAME = Deep()
