"""The comparison of the rescue's algorithms, loaded where it is asked for: it brings the plotting library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import Screen

if TYPE_CHECKING:
    from dungeon_tui.games.rescue.model.level import Level
    from dungeon_tui.games.rescue.view.comparison_screen import Mode
    from dungeon_tui.ui.glyphs import Glyphs
    from dungeon_tui.ui.keys import Key


def comparison_screen(level: Level, glyphs: Glyphs, mode: Mode) -> Screen[None]:
    """Screen of the algorithms side by side, as a race on this level or as measures on growing ones."""
    from dungeon_tui.games.rescue.view.comparison_screen import ComparisonScreen

    return ComparisonScreen(level, glyphs, mode)


def comparison_keys(mode: Mode) -> tuple[Key, ...]:
    """Keys of that screen, as a race or as measures."""
    from dungeon_tui.games.rescue.view.comparison_screen import KEYS, LEAVE

    return LEAVE, *KEYS[mode]
