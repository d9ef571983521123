"""The widgets that bring large libraries, loaded where they are asked for."""

from __future__ import annotations

from textual.screen import Screen

from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.widgets.figure import Figure


def plot_screen(title: str, figure: Figure, glyphs: Glyphs) -> Screen[None]:
    """A plot on a screen of its own; it brings the plotting library."""
    from dungeon_tui.ui.widgets.plot_screen import PlotScreen

    return PlotScreen(title, figure, glyphs)
