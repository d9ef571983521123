"""A level that is being drawn: tiles and start, every change of them, and the file it belongs to. Pure."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from dungeon_tui.core.board import Board, ByteGrid, FlatCells
from dungeon_tui.core.files import refuse_unwritable
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.games.crawler.model.level import ADVENTURER, MAX_SIDE, OPEN, Level, level_text, read_level
from dungeon_tui.games.crawler.view.editor.shapes import rectangle

MOST_TILES = 1 << 24  # of a level that is drawn
_NEW_SIZE = 10, 20
_NEW_START = Cell(1, 1)
_EDGES = {Direction.UP: "top", Direction.DOWN: "bottom", Direction.LEFT: "left", Direction.RIGHT: "right"}


@dataclass(frozen=True, eq=False, slots=True)
class Draft:
    """One version of a level. What changes nothing returns the same draft; what can't be done raises ValueError."""

    board: Board  # (height, width) of tile codes
    start: Cell  # on open floor

    @property
    def height(self) -> int:
        """Rows."""
        return self.board.height

    @property
    def width(self) -> int:
        """Columns."""
        return self.board.width

    def __getitem__(self, cell: Cell) -> int:
        """The tile on a cell, or ADVENTURER at the start."""
        return ADVENTURER if cell == self.start else self.board[cell]

    def level(self, file: str) -> Level:
        """The level as the game takes it, a copy; `file` names it."""
        return Level(file, self.board.copy(), self.start)

    def painted(self, cells: FlatCells, tile: int) -> Draft:
        """The draft with a tile on cells, given as flat indices; the start stays open floor."""
        if tile != OPEN:
            cells = cells[cells != self.start.row * self.width + self.start.col]
        cells = cells[self.board.array().reshape(-1)[cells] != tile]
        if not cells.size:
            return self
        return replace(self, board=self.board.replace(cells, np.full(cells.size, tile, np.uint8)))

    def room(self, cell: Cell, tiles: ByteGrid) -> tuple[int, int]:
        """The (rows, columns) of these tiles that fit from a cell to the right and down."""
        return min(tiles.shape[0], self.height - cell.row), min(tiles.shape[1], self.width - cell.col)

    def stamped(self, cell: Cell, tiles: ByteGrid) -> Draft:
        """The draft with tiles, as far as they fit, from a cell to the right and down."""
        height, width = self.room(cell, tiles)
        cells = rectangle(self.width, cell, Cell(cell.row + height - 1, cell.col + width - 1))
        draft, stamp = self, tiles[:height, :width].reshape(-1)
        for tile in np.unique(stamp).tolist():
            draft = draft.painted(cells[stamp == tile], tile)
        return draft

    def with_start(self, cell: Cell) -> Draft:
        """The draft with its start on a cell, which becomes open floor."""
        if cell == self.start:
            return self
        swept = self.painted(rectangle(self.width, cell, cell), OPEN)
        return Draft(swept.board, cell)

    def framed(self, top: int = 0, bottom: int = 0, left: int = 0, right: int = 0) -> Draft:
        """The draft with rows or columns of open floor added at each side; a negative number takes them away.

        Raises:
            ValueError: the draft would be empty or too large, or lose its start.
        """
        height, width = self.height + top + bottom, self.width + left + right
        refuse_size(height, width)
        start = Cell(self.start.row + top, self.start.col + left)
        if not start.is_inside(height, width):
            raise ValueError(f"the adventurer starts at {self.start.place}: put the start elsewhere first")
        if (height, width, start) == (self.height, self.width, self.start):
            return self
        added = (max(top, 0), max(bottom, 0)), (max(left, 0), max(right, 0))
        padded = np.pad(self.board.array(), added, constant_values=OPEN)
        tiles = padded[max(-top, 0) :, max(-left, 0) :][:height, :width].copy()
        return Draft(Board.owning(tiles), start)

    def pushed(self, side: Direction, lines: int) -> Draft:
        """The draft `framed` at one side."""
        return self.framed(**{_EDGES[side]: lines})

    def resized(self, typed: str) -> Draft:
        """The draft in a size as people type them, 12 x 30 or 12 30, `framed` at the bottom and on the right.

        Raises:
            ValueError: as `framed`; or the text is no size of a level, and the message shows one.
        """
        words = typed.lower().replace("x", " ").replace("×", " ").replace(",", " ").split()
        if len(words) != 2 or not all(word.isascii() and word.isdigit() for word in words):
            raise ValueError("give rows and columns: 12 x 30")
        height, width = (int(word[:9]) for word in words)
        return self.framed(bottom=height - self.height, right=width - self.width)


def refuse_size(height: int, width: int) -> None:
    """Raises ValueError for a size that no level can have, or that is too large to draw."""
    if height < 1 or width < 1:
        raise ValueError("a level needs a row and a column")
    if height > MAX_SIDE or width > MAX_SIDE or height * width > MOST_TILES:
        raise ValueError(f"too large to draw: {height:,} x {width:,}, at most {MOST_TILES:,} tiles are possible")


# -- the history and the file


@dataclass(frozen=True, eq=False, slots=True)
class Drawing:
    """A level with its history: the present draft, those before and after it, and its file."""

    drafts: tuple[Draft, ...]  # the present one, those before it, and those that were undone
    saved: Draft  # as the file holds it
    at: int = 0  # index of the present draft
    file: str = ""  # where it will be saved; empty: nowhere yet
    known: bytes | None = None  # read from there or written there last; None: nothing

    @property
    def present(self) -> Draft:
        """The draft to go on with."""
        return self.drafts[self.at]

    @property
    def is_saved(self) -> bool:
        """True if the file holds the present draft."""
        return self.present is self.saved

    def changed(self, draft: Draft, since: Draft | None = None) -> Drawing:
        """The drawing with another present draft; drafts that were undone are forgotten.

        Args:
            draft: the new one.
            since: the draft before a stroke of the brush; all changes after it count as one for undo.
        """
        if draft is self.present:
            return self
        kept = self.drafts[: self.at + 1]
        if since is not None and since in kept[-2:-1]:  # the stroke goes on
            kept = kept[:-1]
        drafts = kept if draft is kept[-1] else (*kept, draft)  # it may come back to its beginning
        return replace(self, drafts=drafts, at=len(drafts) - 1)

    def undone(self) -> Drawing:
        """The drawing one change back, or itself at the first draft."""
        return replace(self, at=self.at - 1) if self.at else self

    def redone(self) -> Drawing:
        """The drawing one undone change further on, or itself where there is none."""
        return replace(self, at=self.at + 1) if self.at + 1 < len(self.drafts) else self

    def text(self) -> str:
        """The level file of the present draft."""
        return level_text(self.present.level(self.file))

    def kept(self, file: str, data: bytes) -> Drawing:
        """The drawing after its present draft was written to a file."""
        return replace(self, file=file, known=data, saved=self.present)


def new_drawing(file: str = "") -> Drawing:
    """An empty level, to be saved there."""
    draft = Draft(Board.owning(np.full(_NEW_SIZE, OPEN, np.uint8)), _NEW_START)
    return Drawing((draft,), draft, file=file)


def open_drawing(file: str = "") -> Drawing:
    """The drawing of a file; of one that is not there, an empty level.

    Raises:
        LevelError: the file is no level, or one too large to draw.
        UnwritableError: the file is not there and can't be written.
    """
    if not file:
        return new_drawing()
    if file == "-":
        raise LevelError("a level is drawn in a file, not on standard input: name one", "<stdin>")
    if not os.path.exists(file):
        refuse_unwritable(Path(file))
        return new_drawing(file)
    return drawing_of(read_level_file(file))


def drawing_of(source: LevelFile) -> Drawing:
    """The drawing of a file that was read. Raises LevelError as `open_drawing` does."""
    level = read_level(source)
    try:
        refuse_size(*level.tiles.shape)
    except ValueError as error:
        raise source.error(0, str(error)) from None
    draft = Draft(Board.of(level.tiles), level.start)
    return Drawing((draft,), draft, file=source.name, known=source.data)
