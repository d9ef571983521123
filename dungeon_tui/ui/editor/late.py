"""The editor itself, loaded when it is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.ui.glyphs import Glyphs

if TYPE_CHECKING:
    from textual.screen import Screen

    from dungeon_tui.ui.editor.craft import Craft
    from dungeon_tui.ui.editor.draft import Drawing


def editor_opening(game: Game, craft: Craft, file: str, summary: str) -> Opening:
    """The opening of a game's editor on a file; on an empty draft if there is none yet, or `file` is empty."""
    from dungeon_tui.ui.editor.draft import open_drawing

    def screen(drawing: Drawing, glyphs: Glyphs) -> Screen[Any]:
        from dungeon_tui.ui.editor.screen import EditorScreen

        return EditorScreen(game, drawing, glyphs)

    return Opening(f"Draw a {craft.word}", lambda: open_drawing(craft, file), summary, screen=screen)
