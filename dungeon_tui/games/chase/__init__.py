"""The chase: a monster hunts a rogue through rooms and corridors, and exact play judges every move.

The monster moves first, then they move in turn; staying is a move too.
`@` is the rogue, the capital letter the monster. Rooms are wide, corridors `#` one cell across.
A step leads to one of the eight cells around, diagonally only from room to room.
The monster wins once both share a site; the rogue wins by keeping away.
Either side can be played by you, by a simple strategy, or by one that never errs.
`A` shows what every move is worth: safe for ever, or captured in so many monster moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dungeon_tui.core.catalogue import Commands, Game, Levels, Opening

if TYPE_CHECKING:
    from dungeon_tui.core.rules import Rules
    from dungeon_tui.games.chase.judging import ChaseJudge
    from dungeon_tui.games.chase.view.screen import ChaseView


class Chase(Game):
    """The chase, with its parts."""

    name = "chase"
    title = "Chase"
    summary = "Hunt the rogue, or be the one hunted."
    order = 2
    open_note = "Give the path of a board's file: a line with its size, then its rows, sites and blanks in turn."
    has_editor = True
    has_judge = True

    def rules(self) -> Rules[Any, Any, Any]:
        """Module of the game's rules, imported when asked for."""
        from dungeon_tui.games.chase.model import rules

        return rules

    def levels(self) -> Levels:
        """Module that lists, reads and packs the game's levels, imported when asked for."""
        from dungeon_tui.games.chase.view import openings

        return openings

    def view(self) -> type[ChaseView]:
        """Class of the game's view, imported when asked for."""
        from dungeon_tui.games.chase.view.screen import ChaseView

        return ChaseView

    def commands(self) -> Commands:
        """Module of the game's commands, imported when asked for."""
        from dungeon_tui.games.chase import commands

        return commands

    def editor(self, file: str = "") -> Opening:
        """Opening of the editor on a board's file; on an empty room if there is none yet, or `file` is empty."""
        from dungeon_tui.games.chase.view.editor import CRAFT
        from dungeon_tui.ui.editor.late import editor_opening

        summary = "A board of your own. A moment after each change you are told if the rogue is caught, and when."
        return editor_opening(self, CRAFT, file, summary)

    def judge(self) -> ChaseJudge:
        """Judge of programs that play a side, imported when asked for."""
        from dungeon_tui.games.chase.judging import ChaseJudge

        return ChaseJudge()


GAME = Chase()
