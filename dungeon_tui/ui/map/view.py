"""One widget for every map: builds the lines that are seen, repaints the rows that changed, follows the player.

`Geometry` is its arithmetic: cell size, frame, margins, scrolling.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import groupby, repeat

from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer

from dungeon_tui.core.grid import EIGHT_WAYS, Cell
from dungeon_tui.ui.map import sprites
from dungeon_tui.ui.map.source import DrawnMap, GrownMap, Layer, MapSource, MarkedMap, Row
from dungeon_tui.ui.palette import Meaning, Tint, cell_style

_LOOKS: dict[type[events.MouseEvent], tuple[int, int]] = {  # columns and rows
    events.MouseScrollDown: (0, 3),
    events.MouseScrollUp: (0, -3),
    events.MouseScrollRight: (6, 0),
    events.MouseScrollLeft: (-6, 0),
}
_WALLS = (Meaning.WALL, Meaning.REMEMBERED_WALL, Meaning.ROCK_NOTE)
_UPRIGHT = "│|"
_LIVING = (Meaning.YOU, Meaning.FOE, Meaning.SLIGHT_FOE)
_BREATH = 0.7  # seconds between the two frames of what lives
_HIGH = 4  # lines of a cell, from which on it breathes
_NO_NUMBER = re.compile(r"^[^\w+-]+|\s+$")  # blanks and bars around it
_LYING = "─-"
_LINES = _UPRIGHT + _LYING

Zooms = tuple[tuple[int, int], ...]

ZOOMS: Zooms = ((16, 8), (12, 6), (8, 4), (6, 3), (4, 2), (3, 1), (2, 1), (1, 1))
"""Columns and lines of a cell, the largest first."""


def zooms_for(columns: int) -> Zooms:
    """(columns, lines) of cells to choose from, largest first; the last are too small for texts of so many columns.

    0 columns: the map is a drawing, whose characters stay as they are.

    >>> zooms_for(4)
    ((16, 8), (12, 6), (8, 4), (6, 3), (4, 2), (4, 1), (3, 1), (2, 1), (1, 1))
    >>> zooms_for(0)
    ((1, 1),)
    """
    if not columns:
        return ((1, 1),)
    roomy = {(max(cols, columns), lines) for cols, lines in ZOOMS}
    small = {(cols, lines) for cols, lines in ZOOMS if lines == 1}
    return tuple(sorted(roomy | small, key=lambda size: (size[1], size[0]), reverse=True))


@dataclass(frozen=True)  # without slots: derived figures are kept
class Geometry:
    """A map of rows and columns, in cells of some columns and lines, in a widget of some width and height."""

    rows: int
    cols: int
    width: int  # of the widget, in columns
    height: int  # of the widget, in lines
    cell_cols: int
    cell_lines: int
    edge: int  # 1 with a frame, 0 without
    columns: int = 1  # that the text of a cell takes
    there: tuple[int, int] | None = None  # (rows, columns) that keep their place, and what is beyond is cut off

    @classmethod
    def fit(
        cls,
        rows: int,
        cols: int,
        width: int,
        height: int,
        zoom: int | None = None,
        columns: int = 1,
        there: tuple[int, int] | None = None,
    ) -> Geometry:
        """The geometry with the largest cells with which the map fits, or those at a place in `zooms_for(columns)`.

        Where it doesn't fit as a whole, those with which the part in `there` does. A map that fits only without a frame
        has none; one that does not fit at all has the smallest cells that hold their texts.
        """
        all_zooms = zooms_for(columns)
        zooms = [size for size in all_zooms if size[0] >= columns] if zoom is None else [all_zooms[zoom]]
        for part in (None, there) if there else (None,):
            fitted_rows, fitted_cols = part or (rows, cols)
            for edge in (1, 0):
                for cell_cols, cell_lines in zooms:
                    if fitted_cols * cell_cols + 2 * edge <= width and fitted_rows * cell_lines + 2 * edge <= height:
                        return cls(rows, cols, width, height, cell_cols, cell_lines, edge, columns, part)
        return cls(rows, cols, width, height, *zooms[-1], edge=1, columns=columns, there=there)

    def is_for(self, size: Size) -> bool:
        """True if it is of a widget of this size."""
        return (self.width, self.height) == (size.width, size.height)

    @cached_property
    def zoom(self) -> int:
        """The cell size's place in `zooms_for(columns)`."""
        return zooms_for(self.columns).index((self.cell_cols, self.cell_lines))

    @cached_property
    def map_width(self) -> int:
        """Columns of the map with its frame."""
        return self.cols * self.cell_cols + 2 * self.edge

    @cached_property
    def map_height(self) -> int:
        """Lines of the map with its frame."""
        return self.rows * self.cell_lines + 2 * self.edge

    @cached_property
    def left(self) -> int:
        """Blank columns left of the map, or the part in `there`: half of those that it leaves, 0 if it fills them."""
        return max(0, self._spare[0] // 2)

    @cached_property
    def top(self) -> int:
        """Blank lines above the map, or the part in `there`: half of those that it leaves, 0 if it fills them."""
        return max(0, self._spare[1] // 2)

    @cached_property
    def _spare(self) -> tuple[int, int]:
        """Columns and lines of the widget that the map, or the part in `there`, leaves over; below 0, that it lacks."""
        rows, cols = self.there or (self.rows, self.cols)
        frame = 2 * self.edge
        return self.width - cols * self.cell_cols - frame, self.height - rows * self.cell_lines - frame

    def cell_at(self, column: int, line: int) -> Cell | None:
        """The cell at a column and line, counted from the corner of the map's frame; None off the cells."""
        cell = Cell((line - self.edge) // self.cell_lines, (column - self.edge) // self.cell_cols)
        return cell if cell.is_inside(self.rows, self.cols) else None

    def first_line(self, row: int) -> int:
        """The first line of a row, on the map with its frame."""
        return row * self.cell_lines + self.edge

    def first_column(self, col: int) -> int:
        """The first column of a column of cells, on the map with its frame."""
        return col * self.cell_cols + self.edge

    def followed(self, cell: Cell, left: int, top: int, always: bool, covered: int = 0) -> tuple[int, int]:
        """Columns and lines to scroll to: as now, or if the cell is near an edge of the widget, with it in the middle.

        Args:
            cell: what to follow.
            left: columns scrolled so far.
            top: lines scrolled so far.
            always: even if the cell is not near an edge.
            covered: lines at the widget's lower edge that something lies over.
        """
        height = self.height - covered
        x, y = self.left + self.first_column(cell.col), self.top + self.first_line(cell.row)
        side, end = self.width // 6, height // 6
        # What is there stays where it is as long as it fits, and the cell is not beyond the widget.
        stays = self._spare[0] >= 0 and x + self.cell_cols <= self.width
        stays_upright = self._spare[1] >= 0 and y + self.cell_lines <= height
        if always or not left + side <= x < left + self.width - side - self.cell_cols:
            left = 0 if stays else x + self.cell_cols // 2 - self.width // 2
        if always or not top + end <= y < top + height - end - self.cell_lines:
            top = 0 if stays_upright else y + self.cell_lines // 2 - height // 2
        most_left, most_top = self.left + self.map_width - self.width, self.top + self.map_height - height
        return max(0, min(left, most_left)), max(0, min(top, most_top))


class MapView(ScrollView, can_focus=False):
    """A map in a frame, centred where it is small, scrolled where it is large."""

    DEFAULT_CSS = """
    MapView { overflow: hidden hidden; background: $map-back; }
    """

    @dataclass
    class CellClicked(Message):
        """The mouse clicked a cell of the map."""

        cell: Cell

    @dataclass
    class CellHovered(Message):
        """The mouse came to another cell; None: it left the map."""

        cell: Cell | None

    class Viewed(Message):
        """Something else may be in view: another map, another part of it, in another size."""

    def __init__(self, *, frame: str = "┌─┐│└┘", ways: str = "↑↓←→↖↗↙↘", **options: str | None) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._source: MapSource | None = None
        self._layers: tuple[Layer, ...] = ()
        self._frame = frame
        self._ways = dict(zip((way.value for way in EIGHT_WAYS), ways, strict=False))
        self._pointers: dict[int, dict[int, str]] = {}  # arrows to landmarks out of sight, by line and column
        self._pointers_of: Hashable = None  # the moment that they are of
        self._pointed_strips: dict[int, tuple[Strip, Strip]] = {}  # lines with and without them
        self._geometry = Geometry.fit(1, 1, 1, 1)
        self._chosen_zoom: int | None = None
        self._covered = 0  # lines at the lower edge
        self._columns = 1
        self._focus_cell: Cell | None = None
        self._hovered: Cell | None = None
        self._strips: dict[int, Strip] = {}  # by line of the map; an unchanged line keeps its Strip
        self._strips_at = (0, 0)  # the columns they were built for
        self._style = cache(self._made_style)
        self._sprite = cache(self._made_sprite)
        self.has_sprites = False
        self._breaths: Timer | None = None  # None: it stands
        self._is_low = False  # the frame of what lives
        self._living: set[int] = set()  # rows of the map on which it is drawn
        self._sprite_names = sprites.NAMES

    # -- what is shown

    @property
    def sprite_names(self) -> Mapping[tuple[str, int], str]:
        """Names of the sprites on this map, by glyph and meaning."""
        return self._sprite_names

    @property
    def source(self) -> MapSource | None:
        """The map that is shown."""
        return self._source

    @property
    def focus_cell(self) -> Cell:
        """The cell that is kept in view."""
        return self._focus_cell or Cell(0, 0)

    @property
    def shows_all(self) -> bool:
        """True if the whole map is in view."""
        geometry, size = self._geometry, self.size
        return geometry.map_width <= size.width and geometry.map_height <= size.height

    @property
    def cells_in_view(self) -> tuple[range, range]:
        """The rows and the columns of the map that are in view, at least in part."""
        geometry, (left, top) = self._geometry, self.scroll_offset
        first = (top - geometry.top - geometry.edge) // geometry.cell_lines
        last = (top + self.size.height - 1 - geometry.top - geometry.edge) // geometry.cell_lines
        first_col = (left - geometry.left - geometry.edge) // geometry.cell_cols
        last_col = (left + self.size.width - 1 - geometry.left - geometry.edge) // geometry.cell_cols
        return range(max(0, first), last + 1), range(max(0, first_col), last_col + 1)

    @property
    def cell_size(self) -> tuple[int, int]:
        """Columns and lines a cell."""
        return self._geometry.cell_cols, self._geometry.cell_lines

    def lines_around(self, cell: Cell) -> range:
        """The lines of the terminal that a cell and its neighbours take."""
        lines = self._geometry.cell_lines
        first = self.region.y + self._geometry.top + self._geometry.first_line(cell.row) - self.scroll_offset.y
        return range(first - lines, first + 2 * lines)

    def keep_clear(self, lines: int) -> None:
        """Keeps the cell to be kept in view above the last lines from now on, which something covers."""
        if lines != self._covered:
            self._covered = lines
            self._fit()
            if self._focus_cell is not None:
                self._follow(self._focus_cell, always=False)

    def show(
        self,
        source: MapSource,
        focus: Cell,
        layers: Sequence[Layer] = (),
        changed_rows: Iterable[int] | None = None,
        columns: int = 1,
    ) -> None:
        """Shows a map.

        Args:
            source: the map.
            focus: the cell to keep in view.
            layers: drawn over the map, the last one on top.
            changed_rows: the rows of the map that are not as they were shown last; None: all. Rows that a layer
                draws on, or drew on, need not be named.
            columns: how wide a cell must be for its text; zoomed out further, its glyph stands there.
        """
        has_other_texts = columns != self._columns
        if has_other_texts:
            self._change_columns(columns)
        same_size = not has_other_texts and self._source is not None and _sizes(self._source) == _sizes(source)
        if self._breaths is not None:
            self._breaths.reset()  # while one plays, nothing else is painted
        layer_rows = [layer.rows() for layer in (*self._layers, *layers)]
        self._source, self._layers, self._focus_cell = source, tuple(layers), focus
        self._sprite_names = {**sprites.NAMES, **source.sprites} if isinstance(source, DrawnMap) else sprites.NAMES
        if not same_size:
            self._fit()
        if not same_size or changed_rows is None or None in layer_rows:
            self._repaint()
        else:
            self._repaint_rows({*changed_rows, *(row for rows in layer_rows for row in rows or ())})
        self._follow(focus, always=has_other_texts)
        self.post_message(self.Viewed())

    def zoom(self, steps: int | None) -> None:
        """Makes cells larger (steps > 0) or smaller by places in ZOOMS; None: the largest with which the map fits."""
        last = len(zooms_for(self._columns)) - 1
        self._chosen_zoom = None if steps is None else min(max(self._geometry.zoom - steps, 0), last)
        self.on_resize()

    def zoom_to(self, columns: int | None) -> None:
        """Makes cells so many columns wide, or the next smaller size; None: as large as the map allows."""
        sizes = zooms_for(self._columns)
        places = (place for place, size in enumerate(sizes) if columns is not None and size[0] <= columns)
        self._chosen_zoom = None if columns is None else next(places, len(sizes) - 1)
        self.on_resize()

    def draw_sprites(self, is_on: bool) -> None:
        """Draws what stands on large cells from now on, or spells it in glyphs."""
        if is_on != self.has_sprites:
            self.has_sprites = is_on
            self._style.cache_clear()
            self._repaint()

    def breathe(self, is_on: bool) -> None:
        """Lets what lives on large cells breathe from now on while nothing happens, or stand."""
        if is_on and self._breaths is None:
            self._breaths = self.set_interval(_BREATH, self._breathed)
        elif not is_on and self._breaths is not None:
            self._breaths.stop()
            self._breaths = None

    def _breathed(self) -> None:
        if self._living and self.screen.is_current:
            rows, self._living = self._living, set()
            self._is_low = not self._is_low
            self._repaint_rows(rows)

    def cell_at(self, offset: Offset) -> Cell | None:
        """The cell at a place in the widget; None outside the map."""
        if self._source is None:
            return None
        place = offset + self.scroll_offset
        return self._geometry.cell_at(place.x - self._geometry.left, place.y - self._geometry.top)

    # -- Textual's side

    def render_line(self, y: int) -> Strip:
        """One line of the widget, painted, or kept since nothing on it changed."""
        line = y - self._geometry.top + self.scroll_offset.y
        self._point()
        strip = self._strip(line)
        if y not in self._pointers:
            return strip
        before = self._pointed_strips.get(y)
        if before is None or before[0] is not strip:
            before = self._pointed_strips[y] = strip, self._pointed(strip, self._pointers[y])
        return before[1]

    def _strip(self, line: int) -> Strip:
        is_fitted = self._geometry.is_for(self.size)  # else the map would be seen to jump
        if self._source is None or not is_fitted or not 0 <= line < self._geometry.map_height:
            return Strip.blank(self.size.width, self._style(Meaning.FLOOR))
        span = (self.scroll_offset.x, self.size.width)
        if span != self._strips_at or len(self._strips) > 4 * self.size.height + 64:
            self._strips.clear()
            self._strips_at = span
        if line not in self._strips:
            self._strips[line] = self._painted(self._source, line)
        return self._strips[line]

    def _point(self) -> None:
        """Finds the arrows at the widget's edges to what is out of sight, unless they are those of this moment."""
        source, geometry = self._source, self._geometry
        moment = source, geometry, self.scroll_offset
        if moment == self._pointers_of:
            return
        self._pointers_of, self._pointers, self._pointed_strips = moment, {}, {}
        if not isinstance(source, MarkedMap):
            self._mark_edges()
            return
        for first, last in source.landmarks:
            left = geometry.left + geometry.first_column(first.col) - self.scroll_offset.x
            right = geometry.left + geometry.first_column(last.col + 1) - 1 - self.scroll_offset.x
            top = geometry.top + geometry.first_line(first.row) - self.scroll_offset.y
            way = (top >= self.size.height) - (top < 0), (right >= self.size.width) - (left < 0)
            if way in self._ways:
                column = min(
                    max(0, (left + right) // 2 if not way[1] else way[1] * self.size.width), self.size.width - 1
                )
                line = min(max(0, top), self.size.height - 1)
                self._pointers.setdefault(line, {})[column] = self._ways[way]

    def _mark_edges(self) -> None:
        """Puts arrows in the middle of the widget's edges beyond which there is more of the map."""
        geometry, (width, height) = self._geometry, self.size
        right = geometry.left + geometry.map_width - self.scroll_offset.x
        bottom = geometry.top + geometry.map_height - self.scroll_offset.y
        for way, is_more, line, column in (
            ((-1, 0), self.scroll_offset.y > geometry.top, 0, width // 2),
            ((1, 0), bottom > height, height - 1, width // 2),
            ((0, -1), self.scroll_offset.x > geometry.left, height // 2, 0),
            ((0, 1), right > width, height // 2, width - 1),
        ):
            if is_more and way in self._ways and self._source is not None:
                self._pointers.setdefault(line, {})[column] = self._ways[way]

    def _pointed(self, strip: Strip, pointers: dict[int, str]) -> Strip:
        """A line with arrows in some columns."""
        parts, done = [], 0
        for column, arrow in sorted(pointers.items()):
            parts += [strip.crop(done, column), Strip([Segment(arrow, self._style(Meaning.WAY_OUT))])]
            done = column + 1
        return Strip.join([*parts, strip.crop(done)])

    def notify_style_update(self) -> None:
        """Forgets all styles and painted lines, since the theme has changed."""
        super().notify_style_update()
        self._style.cache_clear()
        self._sprite.cache_clear()
        self._strips.clear()

    def on_resize(self) -> None:
        """Fits the map to the widget anew, repaints it, and scrolls to the cell to be kept in view."""
        self._fit()
        self._repaint()
        if self._focus_cell is not None:
            self._follow(self._focus_cell, always=True)
        self.post_message(self.Viewed())

    def on_click(self, event: events.Click) -> None:
        """Posts CellClicked where the left button clicked a cell."""
        cell = self.cell_at(event.offset)
        if cell is not None and event.button == 1:
            self.post_message(self.CellClicked(cell))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Posts CellHovered when the mouse comes to another cell, or leaves the map."""
        self._hover(self.cell_at(event.offset))

    def on_leave(self) -> None:
        """Posts CellHovered with None if the mouse was on the map."""
        self._hover(None)

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    @on(events.MouseScrollRight)
    @on(events.MouseScrollLeft)
    def _scrolled(self, event: events.MouseEvent) -> None:
        self.scroll_to(*(self.scroll_offset + _LOOKS[type(event)]), animate=False, force=True, immediate=True)
        self.post_message(self.Viewed())
        event.stop()

    # -- inside

    def _fit(self) -> None:
        if self._source is not None:
            rows, cols, there = _sizes(self._source)
            geometry = Geometry.fit(rows, cols, *self.size, self._chosen_zoom, self._columns, there)
            self._geometry = geometry
            height = geometry.top + geometry.map_height + self._covered
            self.virtual_size = Size(geometry.left + geometry.map_width, height)

    def _change_columns(self, columns: int) -> None:
        """Sets the width of cells' texts; a zoom too small for any text stays chosen, others are fitted afresh."""
        if self._chosen_zoom is not None:
            size = zooms_for(self._columns)[self._chosen_zoom]
            is_small = size[0] < self._columns and size in zooms_for(columns)
            self._chosen_zoom = zooms_for(columns).index(size) if is_small else None
        self._columns = columns

    def _follow(self, cell: Cell, always: bool) -> None:
        target = self._geometry.followed(cell, *self.scroll_offset, always, self._covered)
        if target != self.scroll_offset:
            self.scroll_to(*target, animate=False, force=True, immediate=True)

    def _hover(self, cell: Cell | None) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self.post_message(self.CellHovered(cell))

    def _repaint(self) -> None:
        self._strips.clear()
        self.refresh()

    def _repaint_rows(self, rows: set[int]) -> None:
        """Repaints the lines of some rows, as far as they are seen."""
        lines = self._geometry.cell_lines
        for row in rows:
            first = self._geometry.first_line(row)
            for line in range(first, first + lines):
                self._strips.pop(line, None)
            y = first + self._geometry.top - self.scroll_offset.y
            if y + lines > 0 and y < self.size.height:
                self.refresh(Region(0, y, self.size.width, lines))

    def _made_style(self, meaning: int | None, tint: int = Tint.NONE, is_odd: int = 0) -> Style:
        return cell_style(self.app.theme_variables, meaning, tint, is_odd, is_underlined=not self.has_sprites)

    # -- painting

    def _painted(self, source: MapSource, line: int) -> Strip:
        """A line of the map with its frame, as far as it is seen."""
        geometry = self._geometry
        before = max(0, geometry.left - self.scroll_offset.x)
        scroll_x, width = max(0, self.scroll_offset.x - geometry.left), self.size.width - before
        top_left, horizontal, top_right, vertical, bottom_left, bottom_right = (*self._frame,)
        if geometry.edge and line in (0, geometry.map_height - 1):
            ends = (top_left, top_right) if line == 0 else (bottom_left, bottom_right)
            text = ends[0] + horizontal * (geometry.map_width - 2) + ends[1]
            strip = Strip([Segment(text[scroll_x : scroll_x + width], self._style(None))])
        else:
            cols, edge = geometry.cell_cols, geometry.edge
            start = max(0, (scroll_x - edge) // cols)
            stop = min(source.width, (scroll_x - edge + width) // cols + 1)
            row, sub_line = divmod(line - edge, geometry.cell_lines)
            cells = source.row(row, start, stop)
            for layer in self._layers:
                layer.paint(row, cells)
            segments = self._segments(cells, row, cols, sub_line)
            first_column = start * cols + edge
            if edge and scroll_x == 0:
                segments.insert(0, Segment(vertical, self._style(None)))
                first_column = 0
            if edge and stop == source.width:
                segments.append(Segment(vertical, self._style(None)))
            strip = Strip(segments)
            if first_column != scroll_x or strip.cell_length > width:
                strip = strip.crop(scroll_x - first_column, scroll_x - first_column + width)
        blank = self._style(Meaning.FLOOR)
        after = width - strip.cell_length
        return Strip([Segment(" " * before, blank), *strip, Segment(" " * after, blank)], self.size.width)

    def _made_sprite(
        self, name: str, size: tuple[int, int], line: int, meaning: int, tint: int, is_odd: int, is_low: bool
    ) -> list[Segment]:
        return sprites.line(name, *size, line, self._style(meaning, tint, is_odd), is_low)

    def _segments(self, cells: Row, row: int, cols: int, line: int) -> list[Segment]:
        """One line of cells, as segments of one style each; large cells alternate like a chess board's."""
        segments: list[Segment] = []
        lines = self._geometry.cell_lines
        is_middle = line == lines // 2
        index = 0
        count_of = len(cells.glyphs)
        names: list[str | None] = [None] * count_of
        if self.has_sprites and sprites.fits(cols, lines):
            names = [self._sprite_names.get(cell) for cell in zip(cells.glyphs, cells.meanings, strict=True)]
            for place, glyph in enumerate(cells.glyphs):
                if cells.tints[place] == Tint.SIGHT and glyph in _LINES:
                    names[place] = "floor"  # where there is room for a tint, lines would be stripes
        above = sprites.above_text(cols, lines)
        for place, text in cells.texts.items():
            name, number = names[place], _NO_NUMBER.sub("", text.removeprefix(cells.glyphs[place]))
            if above and name is not None and name not in sprites.GROUNDS and number and len(number) <= cols:
                if line >= above:  # the number, below what is drawn
                    names[place] = None
                    cells.glyphs[place] = number.center(cols) if line == above else " " * cols
                continue
            names[place] = None
            if len(text) <= cols:
                cells.glyphs[place] = text.center(cols) if is_middle else " " * cols
        first = (row + cells.start) % 2
        odd = bytearray(count_of)
        if cols > 3:
            odd = bytearray((first, 1 - first)) * (count_of // 2 + 1)
            for unseen in (place for place, glyph in enumerate(cells.glyphs) if glyph == " "):
                odd[unseen] = 0
            odd = odd[:count_of]
        has_text = bytes(place in cells.texts for place in range(count_of)) if cells.texts else bytes(count_of)
        all_cells = zip(cells.meanings, cells.tints, odd, names, has_text, strict=True)
        for (meaning, tint, is_odd, name, _), group in groupby(all_cells):
            count = len(list(group))
            if name is not None:
                size = (cols, above) if index in cells.texts else (cols, lines)
                is_living = size[1] >= _HIGH and meaning in _LIVING
                if is_living:
                    self._living.add(row)
                is_low = is_living and self._is_low
                segments += count * self._sprite(name, size, line, meaning, tint, is_odd, is_low)
                index += count
                continue
            glyphs = cells.glyphs[index : index + count]
            index += count
            if cols == 1:
                text = "".join(glyphs)
            elif is_middle or meaning in _WALLS:
                text = "".join(map(_widened, glyphs, repeat(cols), repeat(meaning)))
            else:
                text = "".join([_beside(glyph, cols) for glyph in glyphs])
            segments.append(Segment(text, self._style(meaning, tint, is_odd)))
        return segments


def _beside(glyph: str, cols: int) -> str:
    """A glyph in a wide cell, on a line that isn't the middle one: a text of that width, or an upright line."""
    if len(glyph) == cols:
        return glyph
    return glyph.center(cols) if glyph in _UPRIGHT else " " * cols


@lru_cache(maxsize=4096)
def _widened(glyph: str, cols: int, meaning: int) -> str:
    """A glyph in a wide cell: walls and lying lines fill it, all else stands in its middle."""
    if len(glyph) == cols:
        return glyph
    if meaning in _WALLS or (glyph in _LYING and meaning == Meaning.PATH):
        return glyph * cols
    return glyph.rjust(cols // 2 + 1).ljust(cols)


def _sizes(source: MapSource) -> tuple[int, int, tuple[int, int] | None]:
    return source.height, source.width, source.there if isinstance(source, GrownMap) else None
