"""What the editor shows besides the map: the palette of tiles, and marks on many cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from textwrap import wrap

import numpy as np
from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from dungeon_tui.core.board import FlatCells
from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler.model.level import OPEN
from dungeon_tui.games.crawler.model.state import STEPS, Action, State
from dungeon_tui.games.crawler.view.editor.words import BRUSHES
from dungeon_tui.games.crawler.view.picture import MEANINGS
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellLayer, Row
from dungeon_tui.ui.palette import Meaning, Tint

_GAP = 2


class TileBar(Widget):
    """The tiles by their keys, the brush marked; a click chooses another one."""

    DEFAULT_CSS = """
    TileBar { height: 1; padding: 0 1; background: $panel; color: $note; }
    """

    def __init__(self, choose: Callable[[int], object], **options: str | None) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._choose = choose
        self._brush = OPEN

    def show(self, brush: int) -> None:
        """Marks another one."""
        self._brush = brush
        self.refresh()

    def render(self) -> Content:
        """The line's text."""
        parts: list[Content | str] = []
        for _, tile, text in self._places():
            if tile == self._brush:
                parts.append(Content.styled(text, "bold $tint-cursor-text on $tint-cursor"))
            else:
                meaning = MEANINGS.get(tile, Meaning.YOU)
                colour = "path" if meaning in (Meaning.FLOOR, Meaning.WALL) else meaning.css
                parts.append(Content.assemble(Content.styled(text[:1], f"bold ${colour}"), text[1:]))
            parts.append(" " * _GAP)
        return Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        """Chooses a brush."""
        column = event.x - self.styles.padding.left
        for start, tile, text in self._places():
            if start <= column < start + len(text):
                self._choose(tile)

    def _places(self) -> Iterator[tuple[int, int, str]]:
        """(column, tile, text) of all that have room, in full or as their keys alone."""
        texts = {tile: f"{chr(tile)} {name}" for tile, name in BRUSHES.items()}
        if sum(len(text) + _GAP for text in texts.values()) - _GAP > self.content_size.width:
            texts = {tile: chr(tile) for tile in BRUSHES}
        start = 0
        for tile, text in texts.items():
            yield start, tile, text
            start += len(text) + _GAP


class TintLayer:
    """A tint on cells."""

    def __init__(self, cells: FlatCells, width: int, tint: Tint) -> None:
        """Marks cells, given as flat indices that rise, on a board of so many columns."""
        self._cells, self._width, self._tint = cells, width, tint

    def rows(self) -> Iterable[int]:
        """The rows with marks."""
        rows: list[int] = np.unique(self._cells // self._width).tolist()
        return rows

    def paint(self, row: int, cells: Row) -> None:
        """Draws the marks of one row."""
        first = row * self._width + cells.start
        found = self._cells[np.searchsorted(self._cells, first) :]
        for index in (found[: np.searchsorted(found, first + len(cells.tints))] - first).tolist():
            cells.tints[index] = self._tint


class RectangleLayer:
    """A tint between two corners."""

    def __init__(self, one: Cell, other: Cell, tint: Tint) -> None:
        self._rows = range(min(one.row, other.row), max(one.row, other.row) + 1)
        self._cols = min(one.col, other.col), max(one.col, other.col) + 1
        self._tint = tint

    def rows(self) -> Iterable[int]:
        """The rows between them."""
        return self._rows

    def paint(self, row: int, cells: Row) -> None:
        """Draws the marks of one row."""
        if row in self._rows:
            start, stop = (min(max(col - cells.start, 0), len(cells.tints)) for col in self._cols)
            cells.tints[start:stop] = bytes([self._tint]) * (stop - start)


def line_layer(states: Sequence[State], commands: str, glyphs: Glyphs) -> CellLayer:
    """The ways of a line, on the cells from which they were taken."""
    layer, board = CellLayer(), states[0].board
    for state, letter in zip(states, commands, strict=False):
        action, cell = Action(letter), state.adventurer
        if not cell.is_inside(board.height, board.width):
            continue
        is_floor = cell != states[0].adventurer and board[cell] == OPEN and action in STEPS
        way = glyphs.way(STEPS[action]) if is_floor else None
        layer.mark(cell, way, Meaning.PATH if way else None, Tint.PATH)
    return layer


class VerdictLine(Widget):
    """What the solver says, in one line if that is possible."""

    DEFAULT_CSS = """
    VerdictLine { height: auto; padding: 0 1; background: $panel; }
    """

    def __init__(self, **options: str | None) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._said: tuple[Sequence[str], Sequence[str]] = (), ()
        self._meaning = Meaning.NOTE

    def show(self, points: Sequence[str], notes: Sequence[str], meaning: Meaning) -> None:
        """Says something else, as `fitted` takes it."""
        if ((points, notes), meaning) != (self._said, self._meaning):
            self._said, self._meaning = (points, notes), meaning
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Lines for the text."""
        return len(fitted(*self._said, width))

    def render(self) -> Content:
        """The text."""
        return Content.styled("\n".join(fitted(*self._said, self.content_size.width)), f"bold ${self._meaning.css}")


def fitted(points: Sequence[str], notes: Sequence[str], width: int) -> list[str]:
    """Points and notes in one line, if that is possible.

    Points in the middle are left out for that, notes where they would take a line more. The first and the last point
    are always there: who doesn't see the last one takes another for it.

    >>> fitted(("out in 4", "in 6 with 1", "in 8 with 2"), ("1 odd tile",), 48)
    ['out in 4; in 6 with 1; in 8 with 2; 1 odd tile']
    >>> fitted(("out in 4", "in 6 with 1", "in 8 with 2"), ("1 odd tile",), 36)
    ['out in 4 ... in 8 with 2; 1 odd tile']
    """
    forms = ["; ".join(points)]
    forms += [f"{'; '.join(points[:kept])} ... {points[-1]}" for kept in range(len(points) - 2, 0, -1)]
    texts = ["; ".join([form, *notes[:some]]) for some in range(len(notes), -1, -1) for form in forms]
    found = next((text for text in texts if len(text) <= width), "")
    if found:
        return [found]
    in_lines = [wrap("; ".join([forms[-1], *notes[:some]]), max(width, 1)) for some in range(len(notes), -1, -1)]
    return next(lines for lines in in_lines if len(lines) == len(in_lines[-1])) or [""]
