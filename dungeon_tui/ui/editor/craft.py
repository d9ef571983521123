"""Drafts and their files, and what a game adds to the editor: tiles, levels as text, questions for the judge, words."""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from dungeon_tui.core.board import Board, ByteGrid, FlatCells
from dungeon_tui.core.files import check_writable, read_regular
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.core.words import sentence
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.keys import first_shown
from dungeon_tui.ui.map.source import Layer, MapSource, TileMap
from dungeon_tui.ui.palette import Meaning

SEARCH_LIMIT_S = 20  # of a draft's lines
MOST_TILES = 1 << 24  # of a level that is drawn


class Brush(NamedTuple):
    """A tile or a piece to paint with, and its keys as `Key` has them."""

    name: str
    keys: str

    @property
    def key(self) -> str:
        """The first key, as people read it; empty without one."""
        return first_shown(self.keys)


class Oddity(Protocol):
    """Something odd about a playable level, in words without a full stop."""

    @property
    def message(self) -> str: ...

    @property
    def cells(self) -> FlatCells: ...  # (k,) sorted flat indices; none if it is about the whole level


@dataclass(frozen=True, eq=False, slots=True)
class OddCells:
    """The plain `Oddity`."""

    message: str
    cells: FlatCells


@dataclass(frozen=True, eq=False)
class LevelCheck:
    """The known facts about a draft so far; a game's own holds more."""

    oddities: Sequence[Oddity] = ()
    is_checked: bool = False  # the oddities are those of this draft, not of one before it
    is_over: bool = False  # the search has ended
    is_won: bool | None = None  # False: proven to be impossible; None: unknown
    line_count: int = 0  # lines that can be shown


@dataclass(slots=True)
class ShownLine:
    """A line that a check found, while it is shown."""

    number: int
    text: str
    states: Sequence[Any]
    picture: Callable[[int], tuple[MapSource, Cell, Layer]]  # of a moment: map, focus, marks
    moment: int = 0  # index into the states


DUNGEON_BRUSHES = {
    "-": Brush("floor", "minus,space,full_stop"),
    "+": Brush("pillar", "plus,number_sign"),
    "$": Brush("treasure", "dollar_sign"),
    "@": Brush("amulet", "quotation_mark"),
    "?": Brush("door", "question_mark"),
    "!": Brush("way out", "exclamation_mark"),
    "o": Brush("start", "at,o"),
}
"""Brushes that the crawler and the deep share."""


def nothing(tell: Callable[..., object]) -> Iterator[None]:
    """The first task of the judge's process: compiles or loads the solver; this one only loads the modules."""
    yield


class Craft(ABC):
    """A game's part of the editor; each game that can be edited derives it."""

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
    check: ClassVar[type[LevelCheck]]
    prepare: ClassVar[Callable[..., Iterator[object]]] = staticmethod(nothing)

    # -- levels

    @abstractmethod
    def empty(self) -> Draft:
        """A new draft."""

    @abstractmethod
    def read(self, file: LevelFile) -> Draft:
        """The draft of a file. Raises LevelError."""

    @abstractmethod
    def text(self, draft: Draft) -> str:
        """The text of the file."""

    @abstractmethod
    def level(self, draft: Draft, file: str) -> Any:
        """The game's level, named like the file."""

    @abstractmethod
    def play(self, draft: Draft, name: str) -> tuple[Any, Mapping[str, str]]:
        """The level to try, and the players of its seats. Raises LevelError if it can't be played yet."""

    def sign(self, code: int) -> str:
        """A tile or piece in the palette; by default its first key."""
        return self.brushes[code].key

    def part(self, draft: Draft) -> str:
        """Name of the part of the file in the editor; empty if a file is one level."""
        return ""

    def next_part(self, draft: Draft) -> Draft:
        """The next part of the file, if it has parts."""
        return draft

    # -- the judge

    def is_prepared(self) -> bool:
        """True if the solver is compiled, or compiles in a moment."""
        return True

    @abstractmethod
    def question(self, draft: Draft, file: str) -> tuple[Any, ...]:
        """A module-level function that yields ever better checks, and its arguments without the last one, `tell`."""

    def unknown(self, oddities: Sequence[Any] = ()) -> Any:
        """The check of an unknown draft, with the oddities of a similar one."""
        return self.check(tuple(oddities))

    # -- words and pictures

    @abstractmethod
    def check_text(self, check: Any) -> str:
        """The check in words; empty if nothing is known yet."""

    def no_more_lines(self, check: Any) -> str:
        """Says why there are no more lines, once the search is over."""
        return sentence(self.check_text(check))

    @abstractmethod
    def line(self, draft: Draft, check: Any, number: int, glyphs: Glyphs) -> ShownLine:
        """The line of the check with a number below `line_count`."""

    @abstractmethod
    def picture(self, draft: Draft, glyphs: Glyphs) -> MapSource:
        """The draft as a map: a `draft_picture`, or the game's own."""

    def layers(self, draft: Draft, check: Any) -> Iterable[Layer]:
        """Layers below the cursor that show the check."""
        return ()

    def here(self, draft: Draft, check: Any, cell: Cell) -> str:
        """The check's result for a cell, in a few words; empty if there is none."""
        return ""

    def more(self, check: Any) -> tuple[tuple[str, str], ...]:
        """Rows of the panel about the check."""
        return ()


def draft_picture(draft: Draft, shown: Mapping[int, str], pieces: Mapping[int, tuple[str, Meaning]]) -> MapSource:
    """A draft as a map; `shown` has glyphs that differ from the codes, `pieces` glyphs and meanings."""
    found = TileMap(draft.board, shown, bytes(draft.craft.meanings.get(code, Meaning.FOE) for code in range(256)))
    for code, (glyph, meaning) in pieces.items():
        found.marks.mark(draft.pieces[code], glyph, meaning, None)
    return found


# -- drafts


@dataclass(frozen=True, eq=False, slots=True)
class Draft:
    """A version of a level. Methods return the same draft if nothing changes; impossible changes raise ValueError."""

    board: Board  # (height, width) of tile codes; under the pieces lies ground
    pieces: Mapping[int, Cell]  # by code, in the order of the craft
    craft: Craft
    rest: Any = None  # of the file, the game's own

    @property
    def height(self) -> int:
        return self.board.height

    @property
    def width(self) -> int:
        return self.board.width

    def __getitem__(self, cell: Cell) -> int:
        """The code of the piece on a cell, or else of its tile."""
        return next((code for code, at in self.pieces.items() if at == cell), self.board[cell])

    @property
    def start(self) -> Cell:
        return self.pieces[self.craft.pieces[-1]]

    def level(self, file: str = "") -> Any:
        return self.craft.level(self, file)

    def nearest(self, cell: Cell) -> Cell:
        return Cell(min(max(cell.row, 0), self.height - 1), min(max(cell.col, 0), self.width - 1))

    def painted(self, cells: FlatCells, tiles: int | ByteGrid) -> Draft:
        """The draft with one tile, or one tile each, on cells without pieces; a piece goes to the last cell."""
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
        """The draft with lines added at each side, or removed. Raises ValueError for bad sizes and lost pieces."""
        height, width = self.height + top + bottom, self.width + left + right
        refuse_size(height, width, self.craft)
        pieces = {code: Cell(cell.row + top, cell.col + left) for code, cell in self.pieces.items()}
        for code, cell in pieces.items():
            if not cell.is_inside(height, width):
                there = f"{self.craft.names[code]} is there, at {self.pieces[code].text}"
                raise ValueError(f"{there}: put it elsewhere first")
        if not (top or bottom or left or right):
            return self
        added = (max(top, 0), max(bottom, 0)), (max(left, 0), max(right, 0))
        padded = np.pad(self.board.array(), added, constant_values=self.craft.blank)
        tiles = padded[max(-top, 0) :, max(-left, 0) :][:height, :width].copy()
        return replace(self, board=Board.owning(tiles), pieces=pieces)

    def resized(self, typed: str) -> Draft:
        """The draft in a typed size, such as 12 x 30, `framed` at the bottom and on the right. Raises ValueError."""
        words = re.sub("[x×,]", " ", typed.lower()).split()
        if len(words) != 2 or not all(word.isascii() and word.isdigit() for word in words):
            raise ValueError("give rows and columns: 12 x 30")
        height, width = (int(word[:9]) for word in words)
        return self.framed(bottom=height - self.height, right=width - self.width)


def refuse_size(height: int, width: int, craft: Craft) -> None:
    """Raises ValueError for a size without cells, or too large to draw."""
    if height < 1 or width < 1:
        raise ValueError(f"a {craft.word} needs a row and a column")
    if max(height, width) > craft.most_side or height * width > MOST_TILES:
        most = min(MOST_TILES, craft.most_side**2)
        raise ValueError(f"too large to draw: {height:,} x {width:,}, at most {most:,} tiles are possible")


# -- drawings, and their files


@dataclass(frozen=True, slots=True)
class Drawing:
    """A draft and its file."""

    draft: Draft
    file: str = ""  # empty: none yet
    known: bytes | None = None  # content that was last read or written; None: none


def open_drawing(craft: Craft, file: str = "") -> Drawing:
    """The drawing of a file; a new one if it doesn't exist. Raises LevelError and UnwritableError."""
    if file == "-":
        raise LevelError(f"a {craft.word} is drawn in a file, not on standard input: name one", "<stdin>")
    if file and os.path.exists(file):
        return drawing_of(craft, read_level_file(file, craft.most_bytes, read_regular))
    if file:
        check_writable(Path(file))
    return Drawing(craft.empty(), file)


def drawing_of(craft: Craft, source: LevelFile) -> Drawing:
    """The drawing of a loaded file. Raises LevelError."""
    draft = craft.read(source)
    try:
        refuse_size(draft.height, draft.width, craft)
    except ValueError as error:
        raise source.error(0, str(error)) from None
    return Drawing(draft, source.name, source.data)
