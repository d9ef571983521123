"""The screens of the rescue that are loaded where they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import Screen

from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.ui.glyphs import Glyphs

if TYPE_CHECKING:
    from dungeon_tui.games.rescue.view.comparison_screen import Mode


def comparison_screen(level: Level, glyphs: Glyphs, mode: Mode) -> Screen[None]:
    """The comparison of the algorithms, a race or measures; it brings the plotting library."""
    from dungeon_tui.games.rescue.view.comparison_screen import ComparisonScreen

    return ComparisonScreen(level, glyphs, mode)
