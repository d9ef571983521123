"""The plot, loaded where one is opened: it brings a plotting library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.widgets.figure import Figure

if TYPE_CHECKING:
    from dungeon_tui.ui.widgets.plot import PlotScreen


def plot_screen(title: str, figure: Figure, glyphs: Glyphs) -> PlotScreen:
    """A new screen that shows a plot."""
    from dungeon_tui.ui.widgets.plot import PlotScreen

    return PlotScreen(title, figure, glyphs)
