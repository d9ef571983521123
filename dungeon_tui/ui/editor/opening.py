"""The opening of the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.ui.glyphs import Glyphs

if TYPE_CHECKING:
    from textual.screen import Screen

    from dungeon_tui.ui.editor.craft import Drawing


def editor_opening(game: Game, file: str = "") -> Opening:
    """Opens a game's editor on a file; on a new draft if the file doesn't exist or has no name."""
    from dungeon_tui.ui.editor.craft import open_drawing

    def screen(drawing: Drawing, glyphs: Glyphs) -> Screen[Any]:
        from dungeon_tui.ui.editor.screen import EditorScreen

        return EditorScreen(game, drawing, glyphs)

    craft = game.craft()
    return Opening(f"Draw a {craft.word}", lambda: open_drawing(craft, file), game.editor_note, screen=screen)
