"""The widget for maps: builds visible rows, repaints those that changed, follows the player."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby

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
from dungeon_tui.ui.map.cells import CROSS, HIGH, LIVING, TOKEN, CellSize, parts_of
from dungeon_tui.ui.map.geometry import Geometry, zooms_for
from dungeon_tui.ui.map.source import Layer, MapSource, Row, Slice, Sprite
from dungeon_tui.ui.palette import BOLD, LETTER_GROUNDS, LIGHT, Meaning, Tint, cell_style

_LOOKS: dict[type[events.MouseEvent], tuple[int, int]] = {  # columns and rows
    events.MouseScrollDown: (0, 3),
    events.MouseScrollUp: (0, -3),
    events.MouseScrollRight: (6, 0),
    events.MouseScrollLeft: (-6, 0),
}
_PARTS = re.compile(f"(★|{TOKEN[0]}?.{TOKEN[-1]})")
_SIDES = {int(Tint.DANGER): 2 * CROSS, int(Tint.CURSOR): "[]"}  # of a letter in a cell, instead of a token's
_WORN = Sprite("corridor")
_BREATH = 1.5  # seconds between the two frames of what lives
_MOST_BREATHS = 19  # without a turn: then nothing is sent to a terminal at rest
_MORE = str.maketrans("↑↓←→", "▴▾◂▸")  # the map goes on: no arrows, which are ways to go


class MapView(ScrollView, can_focus=False):
    """A map in a frame, centred if it is small, scrolled if it is large."""

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

    def __init__(
        self, *, frame: str = "┌─┐│└┘", ways: str = "↑↓←→↖↗↙↘", is_preview: bool = False, **options: str | None
    ) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.source: MapSource | None = None
        self.drawn_layers: tuple[Layer, ...] = ()  # the last one on top
        self._frame = frame
        self._is_preview = is_preview  # a part of a map has no frame
        self._ways = dict(zip((way.value for way in EIGHT_WAYS), ways, strict=False))
        self._pointers: dict[int, dict[int, tuple[str, Meaning]]] = {}  # arrows out of view, by line and column
        self._pointers_of: Hashable = None  # the moment that they are of
        self._geometry = Geometry.fit(1, 1, 1, 1)
        self._chosen_zoom: int | None = None
        self._covered = 0  # lines at the lower edge
        self._columns = 1
        self._focus_cell: Cell | None = None
        self._hovered: Cell | None = None
        self._strips: dict[int, Strip] = {}  # by line of the map; an unchanged line keeps its Strip
        self._strips_at = (0, 0)  # the columns they were built for
        self._rows: dict[int, tuple[Row, list[bool]]] = {}  # of the map, as `_built` makes them
        self._style = cache(self._made_style)
        self._sprite = cache(sprites.line)
        self.has_sprites = False
        self._breaths: Timer | None = None  # None: it stands
        self._breath_count = 0  # since the last turn
        self._is_low = False  # the frame of what lives
        self._living: set[int] = set()  # rows of the map on which it is drawn
        self.drawn_sprites = sprites.SHARED  # by glyph and meaning

    # -- content

    @property
    def focus_cell(self) -> Cell:
        return self._focus_cell or Cell(0, 0)

    @property
    def shows_all(self) -> bool:
        geometry, size = self._geometry, self.size
        return geometry.map_width <= size.width and geometry.map_height <= size.height

    @property
    def cells_in_view(self) -> tuple[range, range]:
        geometry, (left, top) = self._geometry, self.scroll_offset
        first = (top - geometry.top - geometry.edge) // geometry.cell_lines
        last = (top + self.size.height - 1 - geometry.top - geometry.edge) // geometry.cell_lines
        first_col = (left - geometry.left - geometry.side) // geometry.cell_cols
        last_col = (left + self.size.width - 1 - geometry.left - geometry.side) // geometry.cell_cols
        return range(max(0, first), last + 1), range(max(0, first_col), last_col + 1)

    @property
    def cell_size(self) -> tuple[int, int]:
        return self._geometry.cell_cols, self._geometry.cell_lines

    def lines_around(self, cell: Cell) -> range:
        """The lines of the screen that show a cell and its neighbours."""
        first = self.region.y + self._geometry.top - self.scroll_offset.y
        rows = max(0, cell.row - 1), min(cell.row + 2, self._geometry.rows)
        return range(*(first + self._geometry.first_line(row) for row in rows))

    def keep_clear(self, lines: int) -> None:
        """Keeps the focus above the last lines, which something covers."""
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
        columns: int = 1,
    ) -> None:
        """Shows a map with layers (the last on top) and keeps the focus in view. Texts of cells need `columns`."""
        has_other_texts = columns != self._columns
        if has_other_texts:
            self._change_columns(columns)
        is_alike = not has_other_texts and self.source is not None and _look(self.source) == _look(source)
        if self._breaths is not None:
            self._breaths.reset()  # a move delays the next breath
            self._breath_count = 0
        self.source, self.drawn_layers, self._focus_cell = source, tuple(layers), focus
        self.drawn_sprites = {**sprites.SHARED, **source.sprites}
        if is_alike:
            self._repaint_changes(source)
        else:
            self._fit()
            self._repaint()
        self._follow(focus, always=has_other_texts)
        before = self._pointers
        self._point()
        for line in before.keys() | self._pointers.keys():
            if before.get(line) != self._pointers.get(line):
                self.refresh(Region(0, line, self.size.width, 1))
        self.post_message(self.Viewed())

    def zoom(self, steps: int | None) -> None:
        """Makes cells larger (steps > 0) or smaller; None: as large as the map allows."""
        last = len(zooms_for(self._columns)) - 1
        self._chosen_zoom = None if steps is None else min(max(self._geometry.zoom - steps, 0), last)
        self.on_resize()

    def zoom_to(self, columns: int | None) -> None:
        """Makes cells `columns` wide, or the next smaller size; None: as large as the map allows."""
        sizes = zooms_for(self._columns)
        zooms = (index for index, size in enumerate(sizes) if columns is not None and size[0] <= columns)
        self._chosen_zoom = None if columns is None else next(zooms, len(sizes) - 1)
        self.on_resize()

    def draw_sprites(self, is_on: bool) -> None:
        if is_on != self.has_sprites:
            self.has_sprites = is_on
            self._style.cache_clear()
            self.on_resize()

    def breathe(self, is_on: bool) -> None:
        """Lets living things on large cells breathe while nothing happens."""
        if is_on and self._breaths is None:
            self._breaths = self.set_interval(_BREATH, self._breathed)
        elif not is_on and self._breaths is not None:
            self._breaths.stop()
            self._breaths = None

    def _breathed(self) -> None:
        if self._breath_count == _MOST_BREATHS and self._breaths is not None:
            self._breaths.pause()
        elif self._living and self.screen.is_current:
            self._breath_count += 1
            rows, self._living = self._living, set()
            self._is_low = not self._is_low
            self._repaint_rows(rows)

    def cell_at(self, offset: Offset) -> Cell | None:
        if self.source is None:
            return None
        point = offset + self.scroll_offset
        return self._geometry.cell_at(point.x - self._geometry.left, point.y - self._geometry.top)

    # -- Textual's side

    def render_line(self, y: int) -> Strip:
        if (self._geometry.width, self._geometry.height) != self.size:  # the layout is new, and the event comes late
            self.on_resize()
        self._point()
        line, span = y - self._geometry.top + self.scroll_offset.y, (self.scroll_offset.x, self.size.width)
        if span != self._strips_at or len(self._strips) > 4 * self.size.height + 64:
            self._strips.clear()
            self._rows.clear()
            self._strips_at = span
        if self.source is None or not 0 <= line < self._geometry.map_height:
            strip = Strip.blank(self.size.width, self._outside)
        else:
            strip = self._strips.get(line) or self._painted(self.source, line)
            self._strips[line] = strip
        return self._pointed(strip, self._pointers[y]) if y in self._pointers else strip

    def _point(self) -> None:
        source, geometry = self.source, self._geometry
        moment = source, geometry, self.scroll_offset, self._covered
        if moment == self._pointers_of:
            return
        self._pointers_of, self._pointers = moment, {}
        if source is None or source.landmarks is None or source.is_drawn:
            self._mark_edges()
        height = self.size.height - self._covered
        for first, last, meaning, text in (source and source.landmarks) or ():
            left = geometry.left + geometry.first_column(first.col) - self.scroll_offset.x
            right = geometry.left + geometry.first_column(last.col + 1) - 1 - self.scroll_offset.x
            top = geometry.top + geometry.first_line(first.row) - self.scroll_offset.y
            way = (top >= height) - (top < 0), (right >= self.size.width) - (left < 0)
            if way in self._ways:
                column = min(
                    max(0, (left + right) // 2 if not way[1] else way[1] * self.size.width), self.size.width - 1
                )
                line = min(max(0, top), height - 1)
                shown = text + self._ways[way] if way[1] > 0 else self._ways[way] + text
                at = max(0, min(column, self.size.width - len(shown)))
                self._pointers.setdefault(line, {})[at] = shown, meaning

    def _mark_edges(self) -> None:
        geometry, width, height = self._geometry, self.size.width, self.size.height - self._covered
        right = geometry.left + geometry.map_width - self.scroll_offset.x
        bottom = geometry.top + geometry.map_height - self.scroll_offset.y
        for way, is_more, line, column in (
            ((-1, 0), self.scroll_offset.y > geometry.top, 0, width // 2),
            ((1, 0), bottom > height + (self._covered == 1), height - 1, width // 2),  # a second message needs no mark
            ((0, -1), self.scroll_offset.x > geometry.left, height // 2, 0),
            ((0, 1), right > width, height // 2, width - 1),
        ):
            if is_more and way in self._ways and self.source is not None:
                inside = column + self.scroll_offset.x - geometry.left - geometry.side
                at = max(0, column - inside % geometry.cell_cols) if self._columns > 1 else column  # before a number
                self._pointers.setdefault(line, {})[at] = self._ways[way].translate(_MORE), Meaning.NOTE

    def _pointed(self, strip: Strip, pointers: dict[int, tuple[str, Meaning]]) -> Strip:
        parts, done = [], 0
        for column, (text, meaning) in sorted(pointers.items()):
            parts += [strip.crop(done, column), Strip([Segment(text[max(0, done - column) :], self._style(meaning))])]
            done = max(done, column + len(text))
        return Strip.join([*parts, strip.crop(done)])

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._style.cache_clear()
        self._sprite.cache_clear()
        self._strips.clear()

    def on_resize(self) -> None:
        self._fit()
        self._repaint()
        if self._focus_cell is not None:
            self._follow(self._focus_cell, always=True)
        self.post_message(self.Viewed())

    def on_click(self, event: events.Click) -> None:
        cell = self.cell_at(event.offset)
        if cell is not None and event.button == 1:
            self.post_message(self.CellClicked(cell))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._hover(self.cell_at(event.offset))

    def on_leave(self) -> None:
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
        if self.source is not None:
            source = self.source
            zoom = self._chosen_zoom
            if zoom is None:
                zoom = self.sprite_zoom(source, *self.size, self._columns)
            fitted = Geometry.fit(source.height, source.width, *self.size, zoom, self._columns, source.there)
            if self._is_preview and fitted.share < 1:
                fitted = replace(fitted, edge=0, side=0)
            self._geometry = geometry = fitted
            height = geometry.top + geometry.map_height + self._covered
            self.virtual_size = Size(geometry.left + geometry.map_width, height)

    def sprite_zoom(self, source: MapSource, width: int, height: int, columns: int) -> int | None:
        """The zoom for a map of which a part is enough; None: as large as the whole map allows."""
        zooms, whole = zooms_for(columns), (source.height, source.width)
        if self.has_sprites and (source.is_drawn or (self._is_preview and source.part)):
            least = (2, 1) if source.is_drawn else (4, 2)  # it scrolls
            return zooms.index(least) if Geometry.fit(*whole, width, height).cell_cols < least[0] else None
        if not (self.has_sprites and source.part):
            return None
        fitted = [Geometry.fit(*size, width, height, None, columns) for size in (whole, source.part[:2])]
        drawn = (each for each in fitted if sprites.fits(each.cell_cols, each.cell_lines))
        return next((each.zoom for each in drawn if each.cell_lines >= source.part[2]), None)

    def _change_columns(self, columns: int) -> None:
        """Sets the width of texts; a zoom too small for texts stays, others are fitted again."""
        if self._chosen_zoom is not None:
            size = zooms_for(self._columns)[self._chosen_zoom]
            is_small = size[0] < self._columns and size in zooms_for(columns)
            self._chosen_zoom = zooms_for(columns).index(size) if is_small else None
        self._columns = columns

    def _follow(self, cell: Cell, always: bool) -> None:
        is_gentle = self.source is not None and (self.source.part is not None or self.source.is_drawn)
        target = self._geometry.followed(cell, *self.scroll_offset, always, self._covered, is_gentle)
        if target != self.scroll_offset:
            self.scroll_to(*target, animate=False, force=True, immediate=True)

    def _hover(self, cell: Cell | None) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self.post_message(self.CellHovered(cell))

    def _repaint(self) -> None:
        self._strips.clear()
        self._rows.clear()
        self.refresh()

    def _repaint_changes(self, source: MapSource) -> None:
        """Builds the rows in view again, and repaints those that differ; forgets the others."""
        before, seen = self._rows, self.cells_in_view[0]
        self._rows = {row: self._built(source, row) for row in seen if row < source.height}
        self._repaint_rows({row for row in before.keys() | self._rows.keys() if before.get(row) != self._rows.get(row)})

    def _repaint_rows(self, rows: set[int]) -> None:
        lines = self._geometry.cell_lines
        for row in rows:
            first = self._geometry.first_line(row)
            for line in range(first, first + lines):
                self._strips.pop(line, None)
            y = first + self._geometry.top - self.scroll_offset.y
            if y + lines > 0 and y < self.size.height:
                self.refresh(Region(0, y, self.size.width, lines))

    def _made_style(
        self, meaning: int | None, tint: int = Tint.NONE, is_odd: int = 0, is_letter: bool = False
    ) -> Style:
        style = cell_style(self.app.theme_variables, meaning, tint, is_odd, is_underlined=not self.has_sprites)
        ground = LETTER_GROUNDS.get(style.color.name) if is_letter and style.color is not None else None
        return style if ground is None or tint not in (Tint.NONE, Tint.LIT) else style + Style(bgcolor=ground)

    # -- painting

    @property
    def _outside(self) -> Style:
        """The style around the map: where no frame shows its edge, of the same hue as the bars, and unlike floor."""
        is_bare = not (self._geometry.edge or self._is_preview)
        return self._style(Meaning.REMEMBERED_WALL if is_bare else Meaning.FLOOR)

    @property
    def _window(self) -> tuple[int, int, int]:
        """Blank columns to the left of the map; the map's first column in view, and how many there are."""
        before = max(0, self._geometry.left - self.scroll_offset.x)
        return before, max(0, self.scroll_offset.x - self._geometry.left), self.size.width - before

    def _built(self, source: MapSource, row: int) -> tuple[Row, list[bool]]:
        """The cells of a row in view, with all layers, and which of them lie on worn ground."""
        _, scroll_x, width = self._window
        cols, side = self._geometry.cell_cols, self._geometry.side
        start = max(0, (scroll_x - side) // cols)
        stop = min(source.width, (scroll_x - side + width) // cols + 1)
        cells = source.row(row, start, stop)
        worn = [source.sprites.get(look) == _WORN for look in zip(cells.glyphs, cells.meanings, strict=True)]
        for layer in self.drawn_layers:
            layer.paint(row, cells)
        for index in {0, stop - start - 1} & cells.texts.keys():
            left = (start + index) * cols + side - scroll_x
            if left < 0 or left + cols > width:  # part of a number would be another number
                cells.texts[index] = cells.texts[index]._replace(number="", mark="")
        return cells, worn

    def _painted(self, source: MapSource, line: int) -> Strip:
        geometry, (before, scroll_x, width) = self._geometry, self._window
        top_left, horizontal, top_right, vertical, bottom_left, bottom_right = (*self._frame,)
        if line in (0, geometry.map_height - 1) and geometry.edge:
            ends = (top_left, top_right) if line == 0 else (bottom_left, bottom_right)
            text = ends[0] + horizontal * (geometry.map_width - 2) + ends[1]
            strip = Strip([Segment(text[scroll_x : scroll_x + width], self._style(None))])
        else:
            side = geometry.side
            row, sub_line = divmod(line - geometry.edge, geometry.cell_lines)
            cells, worn = self._rows.get(row) or self._rows.setdefault(row, self._built(source, row))
            segments = self._segments(cells, row, sub_line, worn)
            first_column = cells.start * geometry.cell_cols + side
            if side and scroll_x == 0:
                segments.insert(0, Segment(vertical, self._style(None)))
                first_column = 0
            if side and cells.start + len(cells.glyphs) == source.width:
                segments.append(Segment(vertical, self._style(None)))
            strip = Strip(segments)
            if first_column != scroll_x or strip.cell_length > width:
                strip = strip.crop(scroll_x - first_column, scroll_x - first_column + width)
        blank, after = self._outside, width - strip.cell_length
        return Strip([Segment(" " * before, blank), *strip, Segment(" " * after, blank)], self.size.width)

    def _segments(self, cells: Row, row: int, line: int, worn: Sequence[bool]) -> list[Segment]:
        """A line of cells, as segments of one style each; large cells alternate, and dots of `worn` ground stay."""
        cols, lines = self._geometry.cell_cols, self._geometry.cell_lines
        is_tiny = self.has_sprites and lines == 1 < cols <= 3 and self.source is not None and self.source.is_drawn
        parts = parts_of(
            cells, line, CellSize(cols, lines, self._columns, self.has_sprites, is_tiny), self.drawn_sprites
        )
        odd = bytearray(len(parts))
        if cols > 3 or is_tiny:
            first = row + cells.start
            blank = [glyph == " " and index not in cells.texts for index, glyph in enumerate(cells.glyphs)]
            odd = bytearray([not is_blank and (first + index) % 2 for index, is_blank in enumerate(blank)])
        slices = [part if isinstance(part, Slice) else None for part in parts]
        segments: list[Segment] = []
        index = 0
        looks = zip(cells.meanings, cells.tints, odd, slices, worn, strict=True)
        for (meaning, tint, is_odd, drawn, is_worn), group in groupby(looks):
            count, done = len(list(group)), len(segments)
            if drawn is not None:
                segments += count * self._drawn(drawn, row, meaning, tint, is_odd)
            else:
                text = "".join(map(str, parts[index : index + count]))
                if (sides := _SIDES.get(tint)) is not None:
                    text = text.replace(TOKEN[0], sides[0]).replace(TOKEN[-1], sides[1])
                sprite = self.drawn_sprites.get((cells.glyphs[index], meaning))
                ink = written.ink if (written := cells.texts.get(index)) is not None else None
                style = self._style(meaning if ink is None else ink, tint, is_odd, lines == 1)
                if tint == Tint.CURSOR and sprite is not None and self.has_sprites and lines > 1:
                    style = self._below_cursor(sprite, meaning, style)
                star = self._style(Meaning.PRIZE, tint, is_odd)  # in its own colour, after a number too
                for part in filter(None, _PARTS.split(text)):
                    is_token = part[-1] == TOKEN[-1]
                    own = star if part == "★" else self._style(meaning, tint, is_odd) if is_token else style
                    segments += self._token(part, meaning, own) if is_token else [Segment(part, own)]
            if is_worn and self.has_sprites and sprites.fits(cols, lines) and (not drawn or drawn.sprite != _WORN):
                floor = self._style(Meaning.FLOOR, tint, is_odd)
                ground = count * self._sprite(Slice(_WORN, lines, line), cols, floor)
                segments[done:] = sprites.over(segments[done:], ground, floor)
            index += count
        return segments

    def _drawn(self, drawn: Slice, row: int, meaning: int, tint: int, is_odd: int) -> list[Segment]:
        is_living = drawn.lines >= HIGH and meaning in LIVING and drawn.sprite.name not in sprites.ARROW_NAMES
        if is_living:
            self._living.add(row)
        if tint == Tint.FOE and meaning in LIVING:
            tint = Tint.SIGHT  # what inverts a letter would leave a hole in a picture
        style = self._style(meaning, tint, is_odd)
        if meaning in (*LIVING, *BOLD, Meaning.SLIGHT_PRIZE):  # another colour would be another thing
            is_dark = tint >= Tint.HEAT_0 and meaning not in LIVING  # gold on bright heat
            style += Style(color=LIGHT[Meaning(meaning).css] if is_dark else self._style(meaning).color)
        if drawn.column is not None:
            return self._sprite(drawn, 1, style)
        if tint == Tint.CURSOR:
            style = self._below_cursor(drawn.sprite, meaning, style)
        cols = self._geometry.cell_cols
        segments = self._sprite(drawn, cols, style, is_living and self._is_low)
        if tint == Tint.DANGER and meaning not in LIVING and drawn.sprite.name not in sprites.GROUNDS:
            cross = Segment(CROSS, self._style(Meaning.FOE, tint))
            return [cross, *Strip(segments).crop(1, cols - 1), cross]
        return segments

    def _below_cursor(self, sprite: Sprite, meaning: int, style: Style) -> Style:
        """The style of a picture and its number under the cursor, where the usual colour would not show."""
        if sprite.name in sprites.GROUNDS:
            return style
        return style + Style(color=self._style(meaning).color, bgcolor=self.app.theme_variables["tint-marked"])

    def _token(self, text: str, meaning: int, style: Style) -> list[Segment]:
        """A letter on its colour, on any ground, which shows at its sides."""
        ink, letter = self._style(meaning), self._style(meaning, is_letter=True)
        if letter == ink:  # it has no ground of its own
            letter = Style(color=ink.bgcolor, bgcolor=ink.color, bold=True)
        ends = Style(color=letter.bgcolor, bgcolor=style.bgcolor)
        if meaning == Meaning.YOU or not text[:-2]:  # you stand out; of two columns both are filled
            text = text.replace(TOKEN[0], "█").replace(TOKEN[-1], "█")
        return [Segment(text[:-2], ends), Segment(text[-2], letter), Segment(text[-1], ends)]


def _look(source: MapSource) -> tuple[object, ...]:
    """All that the look of a row depends on, apart from its cells."""
    return source.height, source.width, source.there, source.is_drawn, source.sprites
