"""One line of a map as segments: the cells of a row as they are painted, with the frame, cut to what is seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import groupby, repeat

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from dungeon_tui.ui.map.geometry import Geometry
from dungeon_tui.ui.map.source import Layer, MapSource, Row
from dungeon_tui.ui.palette import Meaning, Tint

_WALLS = (Meaning.WALL, Meaning.REMEMBERED_WALL, Meaning.ROCK_NOTE)
_UPRIGHT = "│|"
_LYING = "─-"

Styles = Mapping[tuple[int | None, int, int], Style]
"""The style of a meaning on a tint, in odd cells (1) or in even ones (0); of no meaning: the frame's."""


def painted_line(
    source: MapSource,
    layers: Iterable[Layer],
    geometry: Geometry,
    line: int,
    span: tuple[int, int],
    frame: str,
    styles: Styles,
) -> Strip:
    """A line of the map.

    Args:
        source: the map.
        layers: drawn over it, the last one on top.
        geometry: where its cells lie.
        line: which one, of the map with its frame.
        span: the first column that is seen, and how many are.
        frame: its corners and sides: top left, horizontal, top right, vertical, bottom left, bottom right.
        styles: of cells and frame.
    """
    before = max(0, geometry.left - span[0])
    scroll_x, width = max(0, span[0] - geometry.left), span[1] - before
    top_left, horizontal, top_right, vertical, bottom_left, bottom_right = (*frame,)
    frame_style = styles[None, Tint.NONE, 0]
    if geometry.edge and line in (0, geometry.map_height - 1):
        ends = (top_left, top_right) if line == 0 else (bottom_left, bottom_right)
        text = ends[0] + horizontal * (geometry.map_width - 2) + ends[1]
        strip = Strip([Segment(text[scroll_x : scroll_x + width], frame_style)])
    else:
        cols, edge = geometry.cell_cols, geometry.edge
        start = max(0, (scroll_x - edge) // cols)
        stop = min(source.width, (scroll_x - edge + width) // cols + 1)
        row, sub_line = divmod(line - edge, geometry.cell_lines)
        cells = source.row(row, start, stop)
        for layer in layers:
            layer.paint(row, cells)
        segments = _segments(cells, row, cols, sub_line == geometry.cell_lines // 2, styles)
        first_column = start * cols + edge
        if edge and scroll_x == 0:
            segments.insert(0, Segment(vertical, frame_style))
            first_column = 0
        if edge and stop == source.width:
            segments.append(Segment(vertical, frame_style))
        strip = Strip(segments)
        if first_column != scroll_x or strip.cell_length > width:
            strip = strip.crop(scroll_x - first_column, scroll_x - first_column + width)
    blank = styles[Meaning.FLOOR, Tint.NONE, 0]
    after = width - strip.cell_length
    return Strip([Segment(" " * before, blank), *strip, Segment(" " * after, blank)], span[1])


def _segments(cells: Row, row: int, cols: int, is_middle: bool, styles: Styles) -> list[Segment]:
    """The cells as runs of one style; large cells alternate like a chess board's."""
    segments = []
    index = 0
    count_of = len(cells.glyphs)
    for place, text in cells.texts.items():
        if len(text) <= cols:
            cells.glyphs[place] = text.center(cols) if is_middle else " " * cols
    first = (row + cells.start) % 2
    odd = (bytes((first, 1 - first)) * (count_of // 2 + 1))[:count_of] if cols > 3 else bytes(count_of)
    for (meaning, tint, is_odd), group in groupby(zip(cells.meanings, cells.tints, odd, strict=True)):
        count = len(list(group))
        glyphs = cells.glyphs[index : index + count]
        index += count
        if cols == 1:
            text = "".join(glyphs)
        elif is_middle or meaning in _WALLS:
            text = "".join(map(_widened, glyphs, repeat(cols), repeat(meaning)))
        else:
            text = "".join([glyph.center(cols) if glyph in _UPRIGHT else " " * cols for glyph in glyphs])
        segments.append(Segment(text, styles[meaning, tint, is_odd]))
    return segments


@lru_cache(maxsize=4096)
def _widened(glyph: str, cols: int, meaning: int) -> str:
    """A glyph in a wide cell: walls and lying lines fill it, all else stands in its middle."""
    if len(glyph) == cols:
        return glyph
    if meaning in _WALLS or (glyph in _LYING and meaning == Meaning.PATH):
        return glyph * cols
    return glyph.rjust(cols // 2 + 1).ljust(cols)
