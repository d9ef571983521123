"""The editor's own widgets: the palette of tiles and the verdict's line; and marks on many cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from textwrap import wrap

import numpy as np
from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from dungeon_tui.core.board import FlatCells
from dungeon_tui.games.crawler.model.level import OPEN
from dungeon_tui.games.crawler.view.editor.pen import BRUSHES
from dungeon_tui.games.crawler.view.picture import MEANINGS
from dungeon_tui.ui.map.source import Row
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
        """(column, tile, text) of the tiles; as their keys alone where there is no room for names."""
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


class VerdictLine(Widget):
    """The solver's verdict, in one line if that is possible."""

    DEFAULT_CSS = """
    VerdictLine { height: auto; padding: 0 1; background: $panel; }
    """

    def __init__(self, **options: str | None) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._said: tuple[Sequence[str], Sequence[str]] = (), ()
        self._meaning = Meaning.NOTE

    def show(self, points: Sequence[str], notes: Sequence[str], meaning: Meaning) -> None:
        """Shows other points and notes, as `fitted` arranges them."""
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
    always stay: without the last one, another would be taken for it.

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
