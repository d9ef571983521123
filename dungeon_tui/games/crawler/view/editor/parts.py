"""The palette of tiles, and marks on many cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np
from textual import events
from textual.content import Content
from textual.widget import Widget

from dungeon_tui.core.board import FlatCells
from dungeon_tui.games.crawler.view.editor.pen import Brush
from dungeon_tui.ui.map.source import Row
from dungeon_tui.ui.palette import Meaning, Tint

_GAP = 2


class TileBar(Widget):
    """The tiles by their keys, the brush marked; a click chooses another one."""

    DEFAULT_CSS = """
    TileBar { height: 1; padding: 0 1; background: $panel; color: $note; }
    """

    def __init__(
        self, brushes: Iterable[Brush], meanings: Mapping[int, Meaning], choose: Callable[[int], object]
    ) -> None:
        super().__init__()
        self._names = {brush.code: brush.name for brush in brushes}
        self._meanings, self._choose = meanings, choose
        self._brush = -1

    def show(self, brush: int) -> None:
        """Marks another brush."""
        self._brush = brush
        self.refresh()

    def render(self) -> Content:
        """The line's text."""
        parts: list[Content | str] = []
        for _, tile, text in self._places():
            if tile == self._brush:
                parts.append(Content.styled(text, "bold $tint-cursor-text on $tint-cursor"))
            else:
                meaning = self._meanings.get(tile, Meaning.YOU)
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
        """(column, tile, text) of the tiles; as their keys alone where there is no room for names."""
        texts = {tile: f"{chr(tile)} {name}" for tile, name in self._names.items()}
        if sum(len(text) + _GAP for text in texts.values()) - _GAP > self.content_size.width:
            texts = {tile: chr(tile) for tile in texts}
        start = 0
        for tile, text in texts.items():
            yield start, tile, text
            start += len(text) + _GAP


class TintLayer:
    """A tint on cells."""

    def __init__(self, cells: FlatCells, width: int, tint: Tint) -> None:
        """Marks cells, given as rising flat indices on a board of so many columns."""
        self._cells, self._width, self._tint = cells, width, tint

    def rows(self) -> Iterable[int]:
        """The rows with marks."""
        rows = self._cells // self._width
        return set(rows[np.diff(rows, prepend=-1) > 0].tolist())

    def paint(self, row: int, cells: Row) -> None:
        """Draws the marks of one row."""
        first = row * self._width + cells.start
        found = self._cells[np.searchsorted(self._cells, first) :]
        for index in (found[: np.searchsorted(found, first + len(cells.tints))] - first).tolist():
            cells.tints[index] = self._tint
