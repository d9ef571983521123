"""Levels that are being drawn: shapes on a board, drafts, and their files. Knows no screen.

A shape is (k,) flat indices of cells, row * width + col, each once.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from dungeon_tui.core.board import Board, ByteGrid, FlatCells
from dungeon_tui.core.files import check_writable
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.games.crawler.model.level import ADVENTURER, MOST_BYTES, OPEN, TILE_NAMES, Level, read_level

MOST_SIDE, MOST_TILES = 999_999, 1 << 24  # of a level that is drawn
TILES = " ".join(map(chr, TILE_NAMES))
_RUN = re.compile(b"\1+")


# -- shapes


def segment(width: int, one: Cell, other: Cell) -> FlatCells:
    """The cells of a straight line, on a board of so many columns."""
    count = max(abs(one.row - other.row), abs(one.col - other.col)) + 1
    rows = np.rint(np.linspace(one.row, other.row, count)).astype(np.intp)
    return rows * width + np.rint(np.linspace(one.col, other.col, count)).astype(np.intp)


def rectangle(width: int, one: Cell, other: Cell) -> FlatCells:
    """The cells between two corners, row by row."""
    (top, bottom), (left, right) = sorted((one.row, other.row)), sorted((one.col, other.col))
    rows = np.arange(top, bottom + 1, dtype=np.intp)
    return (rows[:, np.newaxis] * width + np.arange(left, right + 1)).reshape(-1)


def edge(width: int, one: Cell, other: Cell) -> FlatCells:
    """The outermost cells of a rectangle."""
    corners = (one, Cell(one.row, other.col), other, Cell(other.row, one.col))
    sides = zip(corners, (*corners[1:], one), strict=True)
    return np.unique(np.concatenate([segment(width, *side) for side in sides]))


def flooded(board: Board, cell: Cell) -> FlatCells:
    """The connected area of one tile around a cell, four ways.

    Cost:
        O(height * width) time and memory at most; a run of cells in a row is one step.
    """
    width = board.width
    rest = bytearray((board.array() == board[cell]).tobytes())  # 1: yet to be filled
    found: list[FlatCells] = []
    waiting = [cell.row * width + cell.col]
    while waiting:
        at = waiting.pop()
        if not rest[at]:
            continue
        row = at - at % width
        left = rest.rfind(0, row, at) + 1 or row
        right = rest.find(0, at, row + width)
        right = row + width if right < 0 else right
        rest[left:right] = bytes(right - left)
        found.append(np.arange(left, right))
        for beside in (-width, width):
            runs = _RUN.finditer(rest, max(left + beside, 0), max(right + beside, 0))
            waiting += [run.start() for run in runs]
    return np.concatenate(found)


# -- drafts


@dataclass(frozen=True, eq=False, slots=True)
class Draft:
    """One version of a level. What changes nothing returns the same draft; what can't be done raises ValueError."""

    board: Board  # (height, width) of tile codes; under the start lies floor
    start: Cell

    @property
    def height(self) -> int:
        """Number of the level's rows."""
        return self.board.height

    @property
    def width(self) -> int:
        """Number of the level's columns."""
        return self.board.width

    def __getitem__(self, cell: Cell) -> int:
        """The code of the tile on a cell; of the start, ADVENTURER."""
        return ADVENTURER if cell == self.start else self.board[cell]

    def level(self, file: str = "") -> Level:
        """The level as the game takes it, a copy; `file` names it."""
        return Level(file, self.board.copy(), self.start)

    def nearest(self, cell: Cell) -> Cell:
        """The cell of the board that is nearest to a cell, which may lie off it."""
        return Cell(min(max(cell.row, 0), self.height - 1), min(max(cell.col, 0), self.width - 1))

    def painted(self, cells: FlatCells, tiles: int | ByteGrid) -> Draft:
        """The draft with a tile, or one each, on cells but the start; ADVENTURER moves the start to the last one."""
        if isinstance(tiles, int) and tiles == ADVENTURER:
            cell = Cell(*divmod(int(cells[-1]), self.width))
            return self if cell == self.start else replace(self.painted(cells[-1:], OPEN), start=cell)
        values = np.broadcast_to(np.asarray(tiles, np.uint8), cells.shape)
        start = self.start.row * self.width + self.start.col
        changes = (values != self.board.array().reshape(-1)[cells]) & (cells != start)
        if not changes.any():
            return self
        return replace(self, board=self.board.replace(cells[changes], values[changes]))

    def framed(self, top: int = 0, bottom: int = 0, left: int = 0, right: int = 0) -> Draft:
        """The draft with rows or columns of floor added at each side; a negative number takes them away.

        Raises:
            ValueError: the draft would be empty or too large, or lose its start.
        """
        height, width = self.height + top + bottom, self.width + left + right
        refuse_size(height, width)
        start = Cell(self.start.row + top, self.start.col + left)
        if not start.is_inside(height, width):
            raise ValueError(f"there is one o, at {self.start.place}: put it elsewhere first")
        if not (top or bottom or left or right):
            return self
        added = (max(top, 0), max(bottom, 0)), (max(left, 0), max(right, 0))
        padded = np.pad(self.board.array(), added, constant_values=OPEN)
        tiles = padded[max(-top, 0) :, max(-left, 0) :][:height, :width].copy()
        return Draft(Board.owning(tiles), start)

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


def refuse_size(height: int, width: int) -> None:
    """Raises ValueError for a size that no level can have, or that is too large to draw."""
    if height < 1 or width < 1:
        raise ValueError("a level needs a row and a column")
    if height > MOST_SIDE or width > MOST_SIDE or height * width > MOST_TILES:
        raise ValueError(f"too large to draw: {height:,} x {width:,}, at most {MOST_TILES:,} tiles are possible")


@dataclass(frozen=True, slots=True)
class Drawing:
    """A draft to go on with, and its file."""

    draft: Draft
    file: str = ""  # where it will be saved; empty: nowhere yet
    known: bytes | None = None  # read from there or written there last; None: nothing


def open_drawing(file: str = "") -> Drawing:
    """The drawing of a file; of one that is not there, or where none is named, an empty level.

    Raises:
        LevelError: the file is no level, or one too large to draw.
        UnwritableError: the file is not there and can't be written.
    """
    if file == "-":
        raise LevelError("a level is drawn in a file, not on standard input: name one", "<stdin>")
    if file and os.path.exists(file):
        return drawing_of(read_level_file(file, MOST_BYTES))
    if file:
        check_writable(Path(file))
    return Drawing(Draft(Board.of(np.full((10, 20), OPEN, np.uint8)), Cell(1, 1)), file)


def drawing_of(source: LevelFile) -> Drawing:
    """The drawing of a file that was read. Raises LevelError as `open_drawing` does."""
    level = read_level(source)
    try:
        refuse_size(*level.tiles.shape)
    except ValueError as error:
        raise source.error(0, str(error)) from None
    return Drawing(Draft(Board.of(level.tiles), level.start), source.name, source.data)


def tiles_of(text: str) -> ByteGrid:
    """(height, width) uint8 tiles of a text: rows of them, or a whole level file.

    Raises:
        ValueError: the text is neither; the message says what would be right.
    """
    try:
        return read_level(LevelFile("<pasted>", text.encode())).tiles
    except (LevelError, UnicodeEncodeError):
        rows = ["".join(line.split()) for line in text.splitlines() if line.strip()]
    if not rows or len({*map(len, rows)}) > 1 or not {*map(ord, "".join(rows))} <= {*TILE_NAMES, ADVENTURER}:
        raise ValueError(f"rows of tiles can be pasted, all as long, of {TILES}")
    tiles = np.frombuffer("".join(rows).encode(), np.uint8).reshape(len(rows), -1).copy()
    tiles[tiles == ADVENTURER] = OPEN
    return tiles
