"""One widget for every map: builds the lines that are seen, repaints the rows that changed, follows the player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.style import Style
from textual import events, on
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from dungeon_tui.core.grid import Cell
from dungeon_tui.ui.map.geometry import Geometry, zooms_for
from dungeon_tui.ui.map.line import painted_line
from dungeon_tui.ui.map.source import GrownMap, Layer, MapSource
from dungeon_tui.ui.palette import HEATS, Meaning, Tint

_LOOKS: dict[type[events.MouseEvent], tuple[int, int]] = {  # columns and rows
    events.MouseScrollDown: (0, 3),
    events.MouseScrollUp: (0, -3),
    events.MouseScrollRight: (6, 0),
    events.MouseScrollLeft: (-6, 0),
}


def _text_on_heat(place: int) -> str:
    return "white" if place < HEATS // 2 else "black"


def _there(source: MapSource) -> tuple[int, int] | None:
    return source.there if isinstance(source, GrownMap) else None


def _sizes(source: MapSource) -> tuple[int, int, tuple[int, int] | None]:
    return source.height, source.width, _there(source)


class MapView(ScrollView, can_focus=False):
    """A map in a frame, centred where it is small, scrolled where it is large."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "map--frame",
        "map--odd",
        *(f"map--{meaning.css}" for meaning in Meaning),
        *(f"map--tint-{tint.css}" for tint in Tint),
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
        .map--remembered { color: $remembered; }
        .map--remembered-wall { color: $remembered; background: $remembered-wall; }
        .map--slight-foe { color: $slight-foe; }
        .map--slight-prize { color: $slight-prize; }
        .map--rock-note { color: $path; background: $wall-back; }
        .map--tint-none { background: $map-back; }
        .map--tint-sight { background: $tint-sight; }
        .map--tint-danger { background: $tint-danger; text-style: bold underline; }
        .map--tint-safe { background: $tint-safe; }
        .map--tint-path { background: $tint-path; }
        .map--tint-fresh { background: $tint-fresh; }
        .map--tint-frontier { background: $tint-frontier; text-style: bold; }
        .map--tint-cursor { background: $tint-cursor; color: $tint-cursor-text; text-style: bold; }
        .map--tint-foe { background: $tint-foe; color: $map-back; text-style: bold; }
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
        self._geometry = Geometry.fit(1, 1, 1, 1)
        self._chosen_zoom: int | None = None
        self._columns = 1
        self._focus_cell: Cell | None = None
        self._hovered: Cell | None = None
        self._strips: dict[int, Strip] = {}  # by line of the map; an unchanged line keeps its Strip
        self._strips_at = (0, 0)  # the columns they were built for
        self._styles = _Styles(self)

    # -- what is shown

    @property
    def cell_size(self) -> tuple[int, int]:
        """Columns and lines a cell."""
        return self._geometry.cell_cols, self._geometry.cell_lines

    @property
    def last_line(self) -> int:
        """The line of the screen on which the map ends, its frame included."""
        return self.region.y + min(self._geometry.top + self._geometry.map_height, self.size.height) - 1

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
        same_size = self._source is not None and _sizes(self._source) == _sizes(source)
        layer_rows = [layer.rows() for layer in (*self._layers, *layers)]
        self._source, self._layers, self._focus_cell = source, tuple(layers), focus
        if has_other_texts := columns != self._columns:
            self._change_columns(columns)
            same_size = False
        if not same_size:
            self._fit()
        if not same_size or changed_rows is None or None in layer_rows:
            self._forget_strips()
            self.refresh()
        else:
            rows = set(changed_rows)
            for drawn in layer_rows:
                rows.update(drawn or ())
            self._refresh_rows(rows)
        self._follow(focus, always=has_other_texts)

    def zoom(self, steps: int | None) -> None:
        """Larger cells (steps > 0) or smaller; None: the largest with which the map fits."""
        current = self._geometry.zoom
        last = len(zooms_for(self._columns)) - 1
        self._chosen_zoom = None if steps is None else min(max(current - steps, 0), last)
        self._fit()
        self._forget_strips()
        self.refresh()
        if self._focus_cell is not None:
            self._follow(self._focus_cell, always=True)

    def cell_at(self, offset: Offset) -> Cell | None:
        """The cell at a place in the widget; None outside the map."""
        if self._source is None:
            return None
        geometry = self._geometry
        return geometry.cell_at(
            offset.x - geometry.left + self.scroll_offset.x, offset.y - geometry.top + self.scroll_offset.y
        )

    # -- Textual's side

    def render_line(self, y: int) -> Strip:
        """One line of the widget."""
        source = self._source
        width = self.size.width
        blank = Strip.blank(width, self._styles[Meaning.FLOOR, Tint.NONE, 0])
        if source is None:
            return blank
        line = y - self._geometry.top + self.scroll_offset.y
        if not 0 <= line < self._geometry.map_height:
            return blank
        span = (self.scroll_offset.x, width)
        if span != self._strips_at:
            self._strips.clear()
            self._strips_at = span
        strip = self._strips.get(line)
        if strip is None:
            if len(self._strips) > 4 * self.size.height + 64:
                self._strips.clear()
            strip = self._strips[line] = painted_line(
                source, self._layers, self._geometry, line, span, self._frame, self._styles
            )
        return strip

    def notify_style_update(self) -> None:
        """Another theme: all colours anew."""
        super().notify_style_update()
        self._styles.clear()
        self._forget_strips()

    def on_resize(self, event: events.Resize) -> None:
        """Keeps the focus in view."""
        self._fit()
        self._forget_strips()
        self.refresh()
        if self._focus_cell is not None:
            self._follow(self._focus_cell, always=True)

    def on_click(self, event: events.Click) -> None:
        """Says which cell was clicked."""
        cell = self.cell_at(event.offset)
        if cell is not None and event.button == 1:
            self.post_message(self.CellClicked(cell))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Says which cell the mouse is on, once a cell."""
        self._hover(self.cell_at(event.offset))

    def on_leave(self, event: events.Leave) -> None:
        """The mouse has left."""
        self._hover(None)

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    @on(events.MouseScrollRight)
    @on(events.MouseScrollLeft)
    def _scrolled(self, event: events.MouseEvent) -> None:
        self._look(*_LOOKS[type(event)])
        event.stop()

    # -- inside

    def _fit(self) -> None:
        """The geometry for the present map and size."""
        if self._source is not None:
            width, height = self.size
            there = _there(self._source)
            self._geometry = geometry = Geometry.fit(
                self._source.height, self._source.width, width, height, self._chosen_zoom, self._columns, there
            )
            self.virtual_size = Size(geometry.left + geometry.map_width, geometry.top + geometry.map_height)

    def _change_columns(self, columns: int) -> None:
        """Texts of another width: cells that were chosen too small for any text stay, others are fitted afresh."""
        if self._chosen_zoom is not None:
            size = zooms_for(self._columns)[self._chosen_zoom]
            is_small = size[0] < self._columns and size in zooms_for(columns)
            self._chosen_zoom = zooms_for(columns).index(size) if is_small else None
        self._columns = columns

    def _follow(self, cell: Cell, always: bool = False) -> None:
        target = self._geometry.followed(cell, *self.scroll_offset, always)
        if target != self.scroll_offset:
            self.scroll_to(*target, animate=False, force=True, immediate=True)

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
        lines = self._geometry.cell_lines
        for row in rows:
            first = self._geometry.first_line(row)
            for line in range(first, first + lines):
                self._strips.pop(line, None)
            y = first + self._geometry.top - self.scroll_offset.y
            if y + lines > 0 and y < self.size.height:
                self.refresh(Region(0, y, self.size.width, lines))


class _Styles(dict[tuple[int | None, int, int], Style]):
    """The styles of a map's cells, each made from the widget's style sheet when it is first asked for."""

    def __init__(self, widget: MapView) -> None:
        super().__init__()
        self._widget = widget

    def __missing__(self, key: tuple[int | None, int, int]) -> Style:
        meaning, tint, is_odd = key
        style_of = self._widget.get_component_rich_style
        glyph = style_of(f"map--{'frame' if meaning is None else Meaning(meaning).css}", partial=True)
        under = style_of(f"map--tint-{Tint(tint).css}", partial=True)
        if tint == Tint.NONE and is_odd:
            under += style_of("map--odd", partial=True)
        # A wall keeps its own background, unless something is to be seen there.
        self[key] = style = under + glyph if tint == Tint.NONE else glyph + under
        return style
