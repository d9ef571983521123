"""Input of a map view: a grid of glyphs with meanings, and layers that draw over it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from dungeon_tui.core.grid import Cell
from dungeon_tui.ui.palette import Meaning, Tint

if TYPE_CHECKING:  # it loads numpy
    from dungeon_tui.core.board import Board


class Sprite(NamedTuple):
    """A sprite, and what is written on it."""

    name: str  # of its file
    turns: int = 0  # clockwise, by right angles
    digit: str = ""  # in its middle
    above: str = ""  # a text instead of its first line
    signs: str = ""  # at its right side, one a line
    second: Sprite | None = None  # another one, dim, to the right and lower
    least: int = 2  # lines of cells that show it; on smaller ones its letter is clearer


class CellText(NamedTuple):
    """A text in a cell: all of it if the cell is wide enough, else the part that says most."""

    number: str = ""
    before: str = ""  # what a sprite shows: a glyph, or the ways of a path
    mark: str = ""  # after the number: of a move, or what is counted; the first to be left out
    ways: str = ""  # after the number, of a path
    ink: Meaning | None = None  # of the number, if it is not the cell's

    def __str__(self) -> str:
        return f"{self.before}{self.number}{self.mark}{self.ways}"

    def signed(self, sign: str) -> CellText:
        """The text with a sign beside its number: before the spaces it would seem to be the neighbour's."""
        number = self.number.strip()
        return self._replace(number=number, before=sign.rjust(len(self.number) - len(number)))


class Slice(NamedTuple):
    """A line of a sprite; of one that covers several cells, a column of it."""

    sprite: Sprite
    lines: int  # of the whole sprite
    line: int  # from 0; blank if the sprite has no such line
    column: int | None = None


_BELOW_DANGER = Tint.SAFE, Tint.PATH, Tint.SIGHT  # the mark of a move leaves danger in sight


@dataclass(init=False, slots=True)
class Row:
    """The cells of a row from column `start` on; layers change them. Equal if they look alike."""

    start: int
    glyphs: list[str]
    meanings: bytearray
    tints: bytearray
    texts: dict[int, CellText]  # by index: shown instead of the glyph if the cell is wide enough
    slices: dict[int, Slice]  # by index: drawn instead of the glyph in a cell of one character

    def __init__(self, start: int, glyphs: str, meanings: bytes) -> None:
        self.start, self.glyphs, self.meanings = start, list(glyphs), bytearray(meanings)
        self.tints, self.texts, self.slices = bytearray(len(self.glyphs)), {}, {}

    def put(
        self,
        col: int,
        glyph: str | None,
        meaning: Meaning | None,
        tint: Tint | None = None,
        text: CellText | None = None,
    ) -> None:
        """Changes a cell, by its column on the map; None keeps what is there. Cells out of view are ignored."""
        index = col - self.start
        if 0 <= index < len(self.glyphs):
            if tint is Tint.SIGHT and self.meanings[index] == Meaning.PATH:
                glyph = None  # a line of sight leaves the numbers of an overlay
            if glyph is not None:
                self.glyphs[index] = glyph
            if meaning is not None:
                self.meanings[index] = meaning
            if tint is not None and not (self.tints[index] == Tint.DANGER and tint in _BELOW_DANGER):
                self.tints[index] = tint
            if text is not None:
                self.texts[index] = text
            elif glyph is not None:
                self.texts.pop(index, None)
                self.slices.pop(index, None)


class MapSource(ABC):
    """A map: a grid of glyphs with meanings."""

    height: int
    width: int  # in cells
    there: tuple[int, int] | None = None  # numbers of existing rows and columns, if it shows more
    part: tuple[int, int, int] | None = None
    """Rows and columns around the focus that are enough, if they fit on cells of this many lines, with sprites."""
    landmarks: Iterable[tuple[Cell, Cell, Meaning, str]] | None = None
    """What arrows out of view point to: first and last cell of each, on a row, and a text beside the arrow."""
    sprites: Mapping[tuple[str, int], Sprite] = {}  # its own, by glyph and meaning
    is_drawn = False  # on cells of one line, too
    in_letters = False  # a preview with no room for all of it shows letters, no sprites

    @abstractmethod
    def row(self, row: int, start: int, stop: int) -> Row:
        """The cells of a row, columns `start` up to `stop`."""


class Layer(Protocol):
    """Something drawn over a map: lines of sight, a path, a cursor, a heat map."""

    def paint(self, row: int, cells: Row) -> None: ...  # changes the cells of a row


class CellLayer:
    """Marks on single cells."""

    def __init__(self) -> None:
        self._marks: dict[int, list[tuple[int, str | None, Meaning | None, Tint | None, CellText | None]]] = {}

    def mark(
        self,
        cell: Cell,
        glyph: str | None,
        meaning: Meaning | None,
        tint: Tint | None,
        text: CellText | None = None,
    ) -> None:
        """Marks a cell; None keeps what the map has. A text is drawn if the cell is wide enough."""
        self._marks.setdefault(cell.row, []).append((cell.col, glyph, meaning, tint, text))

    def tint(self, cells: Iterable[Cell], tint: Tint) -> None:
        """Tints cells; their glyphs stay."""
        for cell in cells:
            self.mark(cell, None, None, tint)

    def mark_over(
        self, cell: Cell, is_bare: bool, glyph: str, meaning: Meaning | None, tint: Tint, text: CellText | None = None
    ) -> None:
        """Tints a cell; draws a glyph, or a text, only if the cell is bare."""
        self.mark(cell, *((glyph, meaning, tint, text) if is_bare else (None, None, tint)))

    def rows(self) -> Collection[int]:
        """The rows with marks."""
        return self._marks.keys()

    def paint(self, row: int, cells: Row) -> None:
        for mark in self._marks.get(row, ()):
            cells.put(*mark)


class TileMap(MapSource):
    """A board of tile codes, each with a glyph and a meaning, and marks on it."""

    def __init__(self, board: Board, glyphs: Mapping[int, str], meanings: bytes, tints: bytes = bytes(256)) -> None:
        """Draws a board; codes that `glyphs` lacks are their own characters, the others have a byte for each code."""
        self.height, self.width = board.height, board.width
        self._board, self._glyphs, self._meanings, self._tints = board, glyphs, meanings, tints
        self.marks = CellLayer()

    def row(self, row: int, start: int, stop: int) -> Row:
        codes = self._board.row(row, start, stop)
        cells = Row(start, codes.decode("ascii").translate(self._glyphs), codes.translate(self._meanings))
        cells.tints[:] = codes.translate(self._tints)
        self.marks.paint(row, cells)
        return cells
