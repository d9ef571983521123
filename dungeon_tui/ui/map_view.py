"""One widget for every map: builds the lines that are seen, repaints the rows that changed, follows the player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import ClassVar, Protocol

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from dungeon_tui.core.grid import Cell
from dungeon_tui.ui.palette import HEATS, Meaning, Tint

ZOOMS = ((7, 3), (5, 2), (3, 1), (2, 1), (1, 1))  # columns and lines a cell, the largest first


def _text_on_heat(place: int) -> str:
    return "white" if place < HEATS // 2 else "black"


def _css_name(member: Meaning | Tint) -> str:
    return member.name.lower().replace("_", "-")


class Row:
    """The cells of one row from column start on, as they will be painted; layers write over them."""

    __slots__ = ("glyphs", "meanings", "start", "tints")

    def __init__(self, start: int, glyphs: str, meanings: bytes) -> None:
        self.start = start
        self.glyphs = list(glyphs)
        self.meanings = bytearray(meanings)
        self.tints = bytearray(len(self.glyphs))

    def put(self, col: int, glyph: str | None, meaning: Meaning | None, tint: Tint | None = None) -> None:
        """Writes one cell, by its column on the map; None leaves what is there; cells not in view are passed over."""
        index = col - self.start
        if 0 <= index < len(self.glyphs):
            if glyph is not None:
                self.glyphs[index] = glyph
            if meaning is not None:
                self.meanings[index] = meaning
            if tint is not None:
                self.tints[index] = tint


class MapSource(Protocol):
    """What a map view shows: a grid of glyphs with meanings."""

    @property
    def height(self) -> int:
        """Rows."""
        ...

    @property
    def width(self) -> int:
        """Columns."""
        ...

    def row(self, row: int, start: int, stop: int) -> Row:
        """One row's cells from column start up to column stop."""
        ...


class Layer(Protocol):
    """Something drawn over a map: lines of sight, a path, a cursor, a heat map."""

    def rows(self) -> Iterable[int] | None:
        """The rows it draws on; None: any."""
        ...

    def paint(self, row: int, cells: Row) -> None:
        """Draws on one row."""
        ...


class CellLayer:
    """Marks on single cells."""

    def __init__(self) -> None:
        self._marks: dict[int, list[tuple[int, str | None, Meaning | None, Tint | None]]] = {}

    def mark(self, cell: Cell, glyph: str | None, meaning: Meaning | None, tint: Tint | None) -> None:
        """Adds a mark; None leaves what the map has."""
        self._marks.setdefault(cell.row, []).append((cell.col, glyph, meaning, tint))

    def rows(self) -> Iterable[int]:
        """The rows with marks."""
        return self._marks.keys()

    def paint(self, row: int, cells: Row) -> None:
        """Draws the marks of one row."""
        for col, glyph, meaning, tint in self._marks.get(row, ()):
            cells.put(col, glyph, meaning, tint)


class MapView(ScrollView, can_focus=False):
    """A map in a frame, centred where it is small, scrolled where it is large."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "map--frame",
        "map--odd",
        *(f"map--{_css_name(meaning)}" for meaning in Meaning),
        *(f"map--tint-{_css_name(tint)}" for tint in Tint),
    }
    DEFAULT_CSS = """
    MapView {
        overflow: hidden hidden;
        background: $map-back;
        .map--frame { color: $frame; }
        .map--odd { background: $map-odd; }
        .map--floor { color: $floor; }
        .map--you { color: $you; text-style: bold; }
        .map--foe { color: $foe; text-style: bold; }
        .map--prize { color: $prize; text-style: bold; }
        .map--magic { color: $magic; text-style: bold; }
        .map--door { color: $door; text-style: bold; }
        .map--way-out { color: $way-out; text-style: bold; }
        .map--wall { color: $wall; background: $wall-back; }
        .map--path { color: $path; }
        .map--unseen { color: $unseen; }
        .map--note { color: $note; }
        .map--rock-note { color: $path; background: $wall-back; }
        .map--tint-none { background: $map-back; }
        .map--tint-sight { background: $tint-sight; }
        .map--tint-danger { background: $tint-danger; }
        .map--tint-safe { background: $tint-safe; }
        .map--tint-path { background: $tint-path; }
        .map--tint-fresh { background: $tint-fresh; }
        .map--tint-frontier { background: $tint-frontier; text-style: bold; }
        .map--tint-cursor { background: $tint-cursor; color: $tint-cursor-text; text-style: bold; }
        HEAT_RULES
    }
    """.replace(
        "HEAT_RULES",
        " ".join(
            f".map--tint-heat-{place} {{ background: $heat-{place}; color: {_text_on_heat(place)}; }}"
            for place in range(HEATS)
        ),
    )

    class CellClicked(Message):
        """The mouse clicked a cell of the map."""

        def __init__(self, cell: Cell) -> None:
            super().__init__()
            self.cell = cell

    class CellHovered(Message):
        """The mouse came to another cell; None: it left the map."""

        def __init__(self, cell: Cell | None) -> None:
            super().__init__()
            self.cell = cell

    def __init__(self, *, frame: str = "┌─┐│└┘", **options: str | None) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._source: MapSource | None = None
        self._layers: tuple[Layer, ...] = ()
        self._frame = frame
        self._cell_size = ZOOMS[-1]
        self._chosen_zoom: int | None = None
        self._focus_cell: Cell | None = None
        self._hovered: Cell | None = None
        self._strips: dict[int, Strip] = {}  # by line of the map; an unchanged line keeps its Strip
        self._strips_at = (0, 0)  # the columns they were built for
        self._styles: dict[tuple[int, int, int], Style] = {}

    # -- what is shown

    def show(
        self, source: MapSource, focus: Cell, layers: Sequence[Layer] = (), changed_rows: Iterable[int] | None = None
    ) -> None:
        """Shows a map.

        Args:
            source: the map.
            focus: the cell to keep in view.
            layers: drawn over the map, the last one on top.
            changed_rows: the rows of the map that are not as they were shown last; None: all. Rows that a layer
                draws on, or drew on, need not be named.
        """
        same_size = self._source is not None and (self._source.height, self._source.width) == (
            source.height,
            source.width,
        )
        layer_rows = [layer.rows() for layer in (*self._layers, *layers)]
        self._source, self._layers, self._focus_cell = source, tuple(layers), focus
        if not same_size:
            self._choose_cell_size()
        if not same_size or changed_rows is None or None in layer_rows:
            self._forget_strips()
            self.refresh()
        else:
            rows = set(changed_rows)
            for drawn in layer_rows:
                rows.update(drawn or ())
            self._refresh_rows(rows)
        self._follow(focus)

    def zoom(self, steps: int | None) -> None:
        """Larger cells (steps > 0) or smaller; None: the largest with which the map fits."""
        current = ZOOMS.index(self._cell_size)
        self._chosen_zoom = None if steps is None else min(max(current - steps, 0), len(ZOOMS) - 1)
        self._choose_cell_size()
        self._forget_strips()
        self.refresh()
        if self._focus_cell is not None:
            self._follow(self._focus_cell, always=True)

    def cell_at(self, offset: Offset) -> Cell | None:
        """The cell at a place in the widget; None outside the map."""
        source = self._source
        if source is None:
            return None
        cols, lines = self._cell_size
        left, top = self._margin()
        column = offset.x - left + self.scroll_offset.x - 1
        line = offset.y - top + self.scroll_offset.y - 1
        cell = Cell(line // lines, column // cols)
        return cell if cell.is_inside(source.height, source.width) else None

    # -- Textual's side

    def render_line(self, y: int) -> Strip:
        """One line of the widget."""
        source = self._source
        width = self.size.width
        blank = Strip.blank(width, self._style(Meaning.FLOOR, Tint.NONE))
        if source is None:
            return blank
        left, top = self._margin()
        line = y - top + self.scroll_offset.y
        if not 0 <= line < self.virtual_size.height:
            return blank
        span = (self.scroll_offset.x, width)
        if span != self._strips_at:
            self._strips.clear()
            self._strips_at = span
        strip = self._strips.get(line)
        if strip is None:
            if len(self._strips) > 4 * self.size.height + 64:
                self._strips.clear()
            strip = self._strips[line] = self._build(source, line, left, width)
        return strip

    def notify_style_update(self) -> None:
        """Another theme: all colours anew."""
        super().notify_style_update()
        self._styles.clear()
        self._forget_strips()

    def on_resize(self, event: events.Resize) -> None:
        """Keeps the focus in view."""
        if self._source is not None:
            self._choose_cell_size()
            self._forget_strips()
            self.refresh()
        if self._focus_cell is not None:
            self._follow(self._focus_cell, always=True)

    def on_click(self, event: events.Click) -> None:
        """Says which cell was clicked."""
        cell = self.cell_at(event.offset)
        if cell is not None:
            self.post_message(self.CellClicked(cell))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Says which cell the mouse is on, once a cell."""
        self._hover(self.cell_at(event.offset))

    def on_leave(self, event: events.Leave) -> None:
        """The mouse has left."""
        self._hover(None)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Looks further down."""
        self._look(0, 3)
        event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Looks further up."""
        self._look(0, -3)
        event.stop()

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        """Looks further right."""
        self._look(6, 0)
        event.stop()

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        """Looks further left."""
        self._look(-6, 0)
        event.stop()

    # -- inside

    def _choose_cell_size(self) -> None:
        source = self._source
        assert source is not None
        if self._chosen_zoom is not None:
            self._cell_size = ZOOMS[self._chosen_zoom]
        else:
            fitting = (
                (cols, lines)
                for cols, lines in ZOOMS
                if source.width * cols + 2 <= self.size.width and source.height * lines + 2 <= self.size.height
            )
            self._cell_size = next(fitting, ZOOMS[-1])
        cols, lines = self._cell_size
        self.virtual_size = Size(source.width * cols + 2, source.height * lines + 2)

    def _margin(self) -> tuple[int, int]:
        """Blank columns and lines before the map where it is smaller than the widget."""
        return (
            max(0, (self.size.width - self.virtual_size.width) // 2),
            max(0, (self.size.height - self.virtual_size.height) // 2),
        )

    def _follow(self, cell: Cell, always: bool = False) -> None:
        """Scrolls so that the cell lies in the middle, once it has come near an edge of what is seen."""
        cols, lines = self._cell_size
        x, y = cell.col * cols + 1, cell.row * lines + 1
        width, height = self.size.width, self.size.height
        left, top = self.scroll_offset
        is_near_side = not left + width // 6 <= x < left + width - width // 6 - cols
        is_near_end = not top + height // 6 <= y < top + height - height // 6 - lines
        target_x, target_y = left, top
        if is_near_side or always:  # the cell's middle, where its glyph is, comes to the widget's
            target_x = max(0, min(x + cols // 2 - width // 2, self.virtual_size.width - width))
        if is_near_end or always:
            target_y = max(0, min(y + lines // 2 - height // 2, self.virtual_size.height - height))
        if (target_x, target_y) != (left, top):
            self.scroll_to(target_x, target_y, animate=False, force=True, immediate=True)

    def _look(self, columns: int, lines: int) -> None:
        left, top = self.scroll_offset
        self.scroll_to(left + columns, top + lines, animate=False, force=True, immediate=True)

    def _hover(self, cell: Cell | None) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self.post_message(self.CellHovered(cell))

    def _forget_strips(self) -> None:
        self._strips.clear()

    def _refresh_rows(self, rows: set[int]) -> None:
        """Repaints the lines of some rows, as far as they are seen."""
        _, lines = self._cell_size
        _, margin = self._margin()
        for row in rows:
            first = row * lines + 1
            for line in range(first, first + lines):
                self._strips.pop(line, None)
            y = first + margin - self.scroll_offset.y
            if y + lines > 0 and y < self.size.height:
                self.refresh(Region(0, y, self.size.width, lines))

    def _build(self, source: MapSource, line: int, margin: int, width: int) -> Strip:
        """One line of the map, with its frame, cut to the columns that are seen."""
        blank, frame = self._style(Meaning.FLOOR, Tint.NONE), self._frame_style()
        cols, lines = self._cell_size
        scroll_x = self.scroll_offset.x
        corners, horizontal, vertical = (
            self._frame[0] + self._frame[2] + self._frame[4:],
            self._frame[1],
            self._frame[3],
        )
        total = source.width * cols + 2
        if line in (0, self.virtual_size.height - 1):
            ends = corners[:2] if line == 0 else corners[2:]
            text = ends[0] + horizontal * (total - 2) + ends[1]
            segments = [Segment(text[scroll_x : scroll_x + width], frame)]
            used = len(segments[0].text)
        else:
            start = max(0, (scroll_x - 1) // cols)
            stop = min(source.width, (scroll_x - 1 + width) // cols + 1)
            row, sub_line = divmod(line - 1, lines)
            cells = source.row(row, start, stop)
            for layer in self._layers:
                layer.paint(row, cells)
            segments = [Segment(vertical, frame)] if scroll_x == 0 else []
            segments += self._segments(cells, row, cols, sub_line == lines // 2)
            if stop == source.width:
                segments.append(Segment(vertical, frame))
            first_column = 0 if scroll_x == 0 else start * cols + 1
            strip = Strip(segments)
            if first_column != scroll_x or strip.cell_length > width:
                strip = strip.crop(scroll_x - first_column, scroll_x - first_column + width)
            segments, used = list(strip), strip.cell_length
        if margin:
            segments.insert(0, Segment(" " * margin, blank))
        if margin + used < width:
            segments.append(Segment(" " * (width - margin - used), blank))
        return Strip(segments, width)

    def _segments(self, cells: Row, row: int, cols: int, is_middle: bool) -> list[Segment]:
        """The cells as runs of one style; large cells alternate like a chess board's."""
        segments = []
        index = 0
        count_of = len(cells.glyphs)
        odd = bytes((row + cells.start + col) % 2 for col in range(count_of)) if cols > 3 else bytes(count_of)
        for (meaning, tint, is_odd), group in groupby(zip(cells.meanings, cells.tints, odd, strict=True)):
            count = sum(1 for _ in group)
            glyphs = cells.glyphs[index : index + count]
            index += count
            if cols == 1:
                text = "".join(glyphs)
            elif is_middle or meaning == Meaning.WALL:
                text = "".join([_widened(glyph, cols, meaning) for glyph in glyphs])
            else:
                text = "".join([glyph.center(cols) if glyph in _UPRIGHT else " " * cols for glyph in glyphs])
            segments.append(Segment(text, self._style(meaning, tint, is_odd)))
        return segments

    def _style(self, meaning: int, tint: int, is_odd: int = 0) -> Style:
        style = self._styles.get((meaning, tint, is_odd))
        if style is None:
            glyph = self.get_component_rich_style(f"map--{_css_name(Meaning(meaning))}", partial=True)
            under = self.get_component_rich_style(f"map--tint-{_css_name(Tint(tint))}", partial=True)
            if tint == Tint.NONE and is_odd:
                under += self.get_component_rich_style("map--odd", partial=True)
            # A wall keeps its own background, unless something is to be seen there.
            style = under + glyph if tint == Tint.NONE else glyph + under
            self._styles[meaning, tint, is_odd] = style
        return style

    def _frame_style(self) -> Style:
        return self._style(Meaning.FLOOR, Tint.NONE) + self.get_component_rich_style("map--frame", partial=True)


_UPRIGHT = "│|"
_LYING = "─-"


def _widened(glyph: str, cols: int, meaning: int) -> str:
    """A glyph in a wide cell: walls and lying lines fill it, all else stands in its middle."""
    if meaning == Meaning.WALL or (glyph in _LYING and meaning == Meaning.PATH):
        return glyph * cols
    return glyph.rjust(cols // 2 + 1).ljust(cols)
