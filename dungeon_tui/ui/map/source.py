"""Input of a map view: a grid of glyphs with meanings, and layers that draw over it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol, runtime_checkable

from dungeon_tui.core.grid import Cell
from dungeon_tui.ui.palette import Meaning, Tint


class Row:
    """The cells of one row from column start on, as they will be painted; layers write over them."""

    __slots__ = ("glyphs", "meanings", "start", "texts", "tints")

    def __init__(self, start: int, glyphs: str, meanings: bytes) -> None:
        self.start = start
        self.glyphs = list(glyphs)
        self.meanings = bytearray(meanings)
        self.tints = bytearray(len(self.glyphs))
        self.texts: dict[int, str] = {}  # by index: what stands instead of the glyph where the cell is wide enough

    def put(
        self, col: int, glyph: str | None, meaning: Meaning | None, tint: Tint | None = None, text: str = ""
    ) -> None:
        """Writes one cell, by its column on the map; None leaves what is there; cells not in view are passed over."""
        index = col - self.start
        if 0 <= index < len(self.glyphs):
            if glyph is not None:
                self.glyphs[index] = glyph
            if meaning is not None:
                self.meanings[index] = meaning
            if tint is not None:
                self.tints[index] = tint
            if text:
                self.texts[index] = text
            elif glyph is not None:
                self.texts.pop(index, None)


class MapSource(Protocol):
    """A map to be shown: a grid of glyphs with meanings."""

    @property
    def height(self) -> int:
        """The number of rows."""
        ...

    @property
    def width(self) -> int:
        """The number of columns, in cells."""
        ...

    def row(self, row: int, start: int, stop: int) -> Row:
        """One row's cells from column start up to column stop."""
        ...


@runtime_checkable
class GrownMap(MapSource, Protocol):
    """A map that shows more than is there: below it and on its right what would be."""

    @property
    def there(self) -> tuple[int, int]:
        """Numbers of rows and columns that exist; those shown beyond, below and on the right, don't as yet."""
        ...


@runtime_checkable
class MarkedMap(MapSource, Protocol):
    """A map with places that one must know of: arrows point to those that are out of sight."""

    @property
    def landmarks(self) -> Iterable[tuple[Cell, Cell]]:
        """The first and the last cell of each place, on one row."""
        ...


@runtime_checkable
class DrawnMap(MapSource, Protocol):
    """A map with sprites of its own."""

    @property
    def sprites(self) -> Mapping[tuple[str, int], str]:
        """Names of sprites by glyph and meaning, before those that all games share."""
        ...


class Layer(Protocol):
    """Something drawn over a map: lines of sight, a path, a cursor, a heat map."""

    def rows(self) -> Iterable[int] | None:
        """The rows of the map that it draws on; None: any."""
        ...

    def paint(self, row: int, cells: Row) -> None:
        """Draws over the cells of one row, by changing them."""
        ...


class CellLayer:
    """Marks on single cells."""

    def __init__(self) -> None:
        self._marks: dict[int, list[tuple[int, str | None, Meaning | None, Tint | None, str]]] = {}

    def mark(self, cell: Cell, glyph: str | None, meaning: Meaning | None, tint: Tint | None, text: str = "") -> None:
        """Adds a mark on a cell; None leaves what the map has. The text is drawn where a cell is wide enough for it."""
        self._marks.setdefault(cell.row, []).append((cell.col, glyph, meaning, tint, text))

    def rows(self) -> Iterable[int]:
        """The rows with marks."""
        return self._marks.keys()

    def paint(self, row: int, cells: Row) -> None:
        """Draws the marks of one row."""
        for mark in self._marks.get(row, ()):
            cells.put(*mark)
