"""A small picture of a large map in half blocks; the part in view is bright."""

import numpy as np
from numpy.typing import NDArray
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from dungeon_tui.core.grid import Cell
from dungeon_tui.ui.map.source import MapSource
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.palette import GROUNDS, Meaning

DELAY_S = 0.05  # keys come first
MAX_LINES = 12
_SAMPLES = 3  # rows of the map read per row of pixels
_BLANK = ord(" ")
_FAR = 0.6  # share of the background in colours out of view

ORDER = (  # of several meanings under a pixel, the last is shown
    Meaning.UNSEEN, Meaning.REMEMBERED_WALL, Meaning.WALL, Meaning.ROCK_NOTE, Meaning.REMEMBERED, Meaning.FLOOR,
    Meaning.PATH, Meaning.NOTE, Meaning.SLIGHT_PRIZE, Meaning.PRIZE, Meaning.MAGIC, Meaning.SLIGHT_FOE, Meaning.FOE,
    Meaning.DOOR, Meaning.WAY_OUT, Meaning.YOU,
)  # fmt: skip
_RANKS = np.argsort(np.array(ORDER)).astype(np.uint8)


class MiniMap(Widget):
    """The whole map, shown while the map view shows a part."""

    DEFAULT_CSS = """
    MiniMap { display: none; background: $surface; width: 32; padding: 0 1 1 2; }
    MiniMap.-shown { display: block; }
    """

    def __init__(self, map_view: MapView, **options: str | None) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._map = map_view
        self._timer: Timer | None = None
        self._pixels: NDArray[np.uint8] = np.zeros((0, 0), np.uint8)  # indices into ORDER
        self._scale = 1  # cells a pixel, both ways

    def follow(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(DELAY_S, self._draw)

    def _draw(self) -> None:
        source = self._map.source
        is_shown = source is not None and not self._map.shows_all
        if is_shown and source is not None:
            width = 29  # columns inside the padding
            self._scale = max(-(-source.width // width), -(-source.height // (2 * MAX_LINES)))
            self._pixels = pixels(source, self._scale, self._map.focus_cell)
            self.styles.height = -(-len(self._pixels) // 2) + 1
        self.set_class(is_shown, "-shown")
        self.refresh()

    def render_line(self, y: int) -> Strip:
        colours = self.app.theme_variables
        ground = Color.parse(colours["surface"])
        rows, cols = self._map.cells_in_view

        def ink(row: int, col: int) -> Color:
            if row >= len(self._pixels):
                return ground
            meaning = ORDER[self._pixels[row, col]]
            colour = Color.parse(colours[GROUNDS.get(meaning, meaning.css)])
            is_near = row * self._scale in rows and col * self._scale in cols
            return colour if is_near or meaning is Meaning.YOU else colour.blend(ground, _FAR)

        segments = []
        for col in range(self._pixels.shape[1] if 2 * y < len(self._pixels) else 0):
            upper, lower = ink(2 * y, col), ink(2 * y + 1, col)
            segments.append(Segment("▀", Style(color=upper.rich_color, bgcolor=lower.rich_color)))
        strip = Strip(segments)
        return strip.extend_cell_length(self.size.width, Style(bgcolor=ground.rich_color)).simplify()


def pixels(source: MapSource, scale: int, focus: Cell) -> NDArray[np.uint8]:
    """Index into ORDER of what matters most in each square of `scale` x `scale` cells."""
    height, width = -(-source.height // scale), -(-source.width // scale)
    found = np.zeros((height, width), np.uint8)
    starts = np.arange(0, source.width, scale)
    for number in range(height):
        rows = range(number * scale, min((number + 1) * scale, source.height))
        for row in rows[:: max(1, -(-len(rows) // _SAMPLES))]:
            cells = source.row(row, 0, source.width)
            ranks = _RANKS[np.frombuffer(cells.meanings, np.uint8)]
            ranks[np.frombuffer("".join(cells.glyphs).encode("utf-32-le"), np.uint32) == _BLANK] = 0
            np.maximum(found[number], np.maximum.reduceat(ranks, starts), out=found[number])
    found[focus.row // scale, focus.col // scale] = _RANKS[Meaning.YOU]
    return found
