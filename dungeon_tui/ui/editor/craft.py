"""Drafts, and a game's own share of the editor: its tiles, levels as text, the judge's questions, and words."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from dungeon_tui.core.board import Board, ByteGrid, FlatCells
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.words import sentence
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import Layer, MapSource, Row
from dungeon_tui.ui.palette import Meaning

MOST_TILES = 1 << 24  # of a level that is drawn


class Brush(NamedTuple):
    """A tile or a piece to paint with, and its keys as `Key` has them."""

    name: str
    keys: str
    shown: str


class Oddity(Protocol):
    """Something that is odd about a level that can be played."""

    @property
    def message(self) -> str:
        """Words for it, without a full stop."""
        ...

    @property
    def cells(self) -> FlatCells:
        """(k,) rising flat indices of the tiles; none where it is about all of the level."""
        ...


@dataclass(frozen=True, eq=False, slots=True)
class OddCells:
    """An `Oddity` of cells, where there is no more to know of it."""

    message: str
    cells: FlatCells


@dataclass(frozen=True, slots=True)
class Effort:
    """Limits of a search."""

    seconds: float
    lines: int  # each with more treasure than the one before; where amulets double it, there is no end of them


class Verdict(Protocol):
    """Knowledge of a draft so far; a game's own may hold more."""

    @property
    def oddities(self) -> Sequence[Oddity]:
        """All that is odd about the draft."""
        ...

    @property
    def is_checked(self) -> bool:
        """True if the oddities are those of this draft, not of one before it."""
        ...

    @property
    def is_over(self) -> bool:
        """True if the search has ended."""
        ...

    @property
    def is_all(self) -> bool:
        """True if no search would find more."""
        ...

    @property
    def is_won(self) -> bool | None:
        """True if the level can be won, False if it is proven that it can't, None if neither is known."""
        ...

    @property
    def line_count(self) -> int:
        """Number of lines that can be shown."""
        ...


@dataclass(slots=True)
class Line:
    """One of the verdict's lines while it is shown, and the moment that one has stepped to."""

    number: int
    text: str
    states: Sequence[Any]
    picture: Callable[[int], tuple[MapSource, Cell, Layer]]  # of a moment: the map, the cell to keep in view, the rest
    moment: int = 0


class Craft(ABC):
    """Tiles, files, questions and words of a game for the editor: derived by each game that has one."""

    word: ClassVar[str]  # for what is drawn: "level"
    file_note: ClassVar[str]  # on names of files
    file_ending: ClassVar[str] = ".txt"
    help: ClassVar[str]
    brushes: Mapping[int, Brush]  # by code, the pieces last
    pieces: ClassVar[Sequence[int]]  # each stands once, on ground; the last one is the player's
    ground: ClassVar[int]  # the tile below pieces
    blank: ClassVar[int]  # the tile that erasing leaves
    first_brush: ClassVar[int]
    most_side: ClassVar[int]  # rows, and columns
    most_bytes: ClassVar[int]  # of a file
    names: Mapping[int, str]  # of tiles and pieces, within a sentence
    meanings: Mapping[int, Meaning]  # of tiles; what is not in it is YOU
    counted: ClassVar[Mapping[int, str]]  # tiles that the panel counts, under these names
    line_label: ClassVar[str]
    line_help: ClassVar[str]
    next_line: ClassVar[str]  # label of the key for another line
    effort: Effort
    longer: ClassVar[Effort]

    # -- levels

    @abstractmethod
    def empty(self) -> Draft:
        """A draft to begin with."""

    @abstractmethod
    def read(self, file: LevelFile) -> Draft:
        """The draft that a file holds. Raises LevelError."""

    @abstractmethod
    def text(self, draft: Draft) -> str:
        """The text of a draft's file."""

    @abstractmethod
    def tiles_of(self, text: str) -> ByteGrid:
        """(height, width) uint8 tiles of a text: rows of them, or a whole file. Raises ValueError."""

    @abstractmethod
    def level(self, draft: Draft, file: str) -> Any:
        """The level as the game takes it, called as the file."""

    @abstractmethod
    def play(self, draft: Draft, name: str) -> tuple[Any, Mapping[str, str]]:
        """The level to be tried, and who plays its seats. Raises LevelError if it can't be played yet."""

    def part(self, draft: Draft) -> str:
        """Name of the file's part that is drawn; empty where a file is one level."""
        return ""

    def next_part(self, draft: Draft) -> Draft:
        """The draft of the file's next part, of a file that has parts."""
        return draft

    # -- the judge

    def is_prepared(self) -> bool:
        """True if an earlier start has compiled the solver, or it is compiled in a moment."""
        return True

    @property
    def prepare(self) -> Callable[..., Iterator[object]]:
        """The first task of the judge's process, a function of a module: it compiles or loads the solver."""
        return nothing

    @abstractmethod
    def question(self, draft: Draft, file: str, effort: Effort, known: Any) -> tuple[Any, ...]:
        """A function of a module that yields verdicts that know ever more, and its arguments but for the last, `tell`.

        `known` is the verdict so far.
        """

    @abstractmethod
    def unknown(self, oddities: Sequence[Any] = ()) -> Any:
        """The verdict on a draft that nothing is known of, but for the oddities of one much like it."""

    @abstractmethod
    def reopened(self, verdict: Any) -> Any:
        """The verdict, its search not over."""

    # -- words and pictures

    @abstractmethod
    def told(self, verdict: Any) -> str:
        """The verdict in words; empty where nothing is known yet."""

    def news(self, verdict: Any, known: Any) -> str:
        """The news of a longer search that has begun with the verdict `known`."""
        return self.told(verdict)

    def no_more_lines(self, verdict: Any) -> str:
        """The reason for there being no other line than those known, once the search is over."""
        return sentence(self.told(verdict))

    @abstractmethod
    def line(self, draft: Draft, verdict: Any, number: int, glyphs: Glyphs) -> Line:
        """A line of the verdict, of `line_count`."""

    @abstractmethod
    def picture(self, draft: Draft, glyphs: Glyphs) -> MapSource:
        """The draft as a map view shows it; a `DraftPicture`, or the game's own."""

    def layers(self, draft: Draft, verdict: Any) -> Iterable[Layer]:
        """Layers with all that the verdict tells of cells, below the cursor; none."""
        return ()

    def here(self, draft: Draft, verdict: Any, cell: Cell) -> str:
        """The verdict on a cell, in a few words; empty where there is none."""
        return ""

    def more(self, verdict: Any) -> tuple[tuple[str, str], ...]:
        """Rows of the panel about the verdict; none."""
        return ()


def nothing(tell: Callable[..., object]) -> Iterator[None]:
    """The first task of a judge's process where nothing is compiled: the modules are loaded."""
    yield


class DraftPicture:
    """A draft as a map view shows it."""

    def __init__(self, draft: Draft, shown: Mapping[int, str], pieces: Mapping[int, tuple[str, Meaning]]) -> None:
        """Takes glyphs of tiles, by code, where these aren't their characters; and each piece's glyph and meaning."""
        self.height, self.width = draft.height, draft.width
        self._draft, self._shown, self._pieces = draft, shown, pieces
        self._meanings = bytes(draft.craft.meanings.get(code, Meaning.FOE) for code in range(256))

    def row(self, row: int, start: int, stop: int) -> Row:
        """Cells of a row from column `start` up to `stop`: tiles, and the pieces on them."""
        codes = self._draft.board.row(row, start, stop)
        cells = Row(start, codes.decode("ascii").translate(self._shown), codes.translate(self._meanings))
        for code, (glyph, meaning) in self._pieces.items():
            if self._draft.pieces[code].row == row:
                cells.put(self._draft.pieces[code].col, glyph, meaning)
        return cells


# -- drafts


@dataclass(frozen=True, eq=False, slots=True)
class Draft:
    """One version of a level. What changes nothing returns the same draft; what can't be done raises ValueError."""

    board: Board  # (height, width) of tile codes; under the pieces lies ground
    pieces: Mapping[int, Cell]  # by code, in the order of the craft
    craft: Craft
    rest: Any = None  # of the file, the game's own

    @property
    def height(self) -> int:
        """Number of the level's rows."""
        return self.board.height

    @property
    def width(self) -> int:
        """Number of the level's columns."""
        return self.board.width

    def __getitem__(self, cell: Cell) -> int:
        """The code of the piece on a cell, else of its tile."""
        return next((code for code, place in self.pieces.items() if place == cell), self.board[cell])

    @property
    def start(self) -> Cell:
        """Cell of the player's piece."""
        return self.pieces[self.craft.pieces[-1]]

    def level(self, file: str = "") -> Any:
        """The level as the game takes it, a copy; `file` names it."""
        return self.craft.level(self, file)

    def nearest(self, cell: Cell) -> Cell:
        """The cell of the board that is nearest to a cell, which may lie off it."""
        return Cell(min(max(cell.row, 0), self.height - 1), min(max(cell.col, 0), self.width - 1))

    def painted(self, cells: FlatCells, tiles: int | ByteGrid) -> Draft:
        """The draft with a tile, or one each, on cells without pieces; a piece goes to the last, if it is free."""
        if isinstance(tiles, int) and tiles in self.pieces:
            cell = Cell(*divmod(int(cells[-1]), self.width))
            if cell in self.pieces.values():
                return self
            return replace(self.painted(cells[-1:], self.craft.ground), pieces={**self.pieces, tiles: cell})
        values = np.broadcast_to(np.asarray(tiles, np.uint8), cells.shape)
        taken = [cell.row * self.width + cell.col for cell in self.pieces.values()]
        changes = (values != self.board.array().reshape(-1)[cells]) & ~np.isin(cells, taken)
        if not changes.any():
            return self
        return replace(self, board=self.board.replace(cells[changes], values[changes]))

    def framed(self, top: int = 0, bottom: int = 0, left: int = 0, right: int = 0) -> Draft:
        """The draft with rows or columns added at each side; a negative number takes them away.

        Raises:
            ValueError: the draft would be empty or too large, or lose a piece.
        """
        height, width = self.height + top + bottom, self.width + left + right
        refuse_size(height, width, self.craft)
        pieces = {code: Cell(cell.row + top, cell.col + left) for code, cell in self.pieces.items()}
        for code, cell in pieces.items():
            if not cell.is_inside(height, width):
                there = f"{self.craft.names[code]} is there, at {self.pieces[code].place}"
                raise ValueError(f"{there}: put it elsewhere first")
        if not (top or bottom or left or right):
            return self
        added = (max(top, 0), max(bottom, 0)), (max(left, 0), max(right, 0))
        padded = np.pad(self.board.array(), added, constant_values=self.craft.blank)
        tiles = padded[max(-top, 0) :, max(-left, 0) :][:height, :width].copy()
        return replace(self, board=Board.owning(tiles), pieces=pieces)

    def resized(self, typed: str) -> Draft:
        """The draft in a size as people type them, 12 x 30 or 12 30, `framed` at the bottom and on the right.

        Raises:
            ValueError: as `framed`; or the text is no size of a level, and the message shows one.
        """
        words = re.sub("[x×,]", " ", typed.lower()).split()
        if len(words) != 2 or not all(word.isascii() and word.isdigit() for word in words):
            raise ValueError("give rows and columns: 12 x 30")
        height, width = (int(word[:9]) for word in words)
        return self.framed(bottom=height - self.height, right=width - self.width)


def refuse_size(height: int, width: int, craft: Craft) -> None:
    """Raises ValueError for a size that no level can have, or that is too large to draw."""
    if height < 1 or width < 1:
        raise ValueError(f"a {craft.word} needs a row and a column")
    if max(height, width) > craft.most_side or height * width > MOST_TILES:
        most = min(MOST_TILES, craft.most_side**2)
        raise ValueError(f"too large to draw: {height:,} x {width:,}, at most {most:,} tiles are possible")
