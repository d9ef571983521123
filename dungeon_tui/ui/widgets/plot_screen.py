"""A plot on a screen of its own."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Label

from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.widgets.figure import Figure
from dungeon_tui.ui.widgets.key_bar import KeyBar
from dungeon_tui.ui.widgets.plot import Plot


class PlotScreen(Screen[None]):
    """A title and a figure; q, Escape or the key that opened it leads back."""

    DEFAULT_CSS = """
    PlotScreen { background: $map-back; }
    PlotScreen .title { text-style: bold; padding: 0 1; color: $note; }
    """
    BINDINGS = [Binding("q,escape,C", "leave", show=False, id="plot.leave")]

    def __init__(self, title: str, figure: Figure, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self._heading, self._figure, self._glyphs = title, figure, glyphs

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield Label(Content(self._glyphs.plain(self._heading)), classes="title")
        yield Plot(self._figure, self._glyphs)
        yield KeyBar([("q", "Back", "leave")])

    def show(self, figure: Figure) -> None:
        """Shows another figure."""
        self.query_one(Plot).show(figure)

    def action_leave(self) -> None:
        """Back to where it was opened."""
        self.dismiss(None)
