"""Levels that are being drawn: shapes on a board, and drafts. Knows no game and no screen.

A shape is (k,) flat indices of cells, row * width + col, each once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from dungeon_tui.core.board import Board, ByteGrid, FlatCells
from dungeon_tui.core.grid import Cell

MOST_SIDE, MOST_TILES = 999_999, 1 << 24  # of a level that is drawn
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

    board: Board  # (height, width) of tile codes; under a piece lies floor
    floor: int  # the tile that is left where nothing stands
    pieces: Mapping[int, Cell]  # by code: the things of which there is always one, each on a cell of its own

    @property
    def height(self) -> int:
        """Rows."""
        return self.board.height

    @property
    def width(self) -> int:
        """Columns."""
        return self.board.width

    @property
    def start(self) -> Cell:
        """The cell of the first piece."""
        return next(iter(self.pieces.values()))

    def __getitem__(self, cell: Cell) -> int:
        """The code of the piece or tile on a cell."""
        return next((piece for piece, place in self.pieces.items() if place == cell), self.board[cell])

    def nearest(self, cell: Cell) -> Cell:
        """The cell of the board that is nearest to one anywhere."""
        return Cell(min(max(cell.row, 0), self.height - 1), min(max(cell.col, 0), self.width - 1))

    def painted(self, cells: FlatCells, tiles: int | ByteGrid) -> Draft:
        """The draft with a tile, or one each, on cells; pieces stay. A piece is put on the last cell, swept for it."""
        if isinstance(tiles, int) and tiles in self.pieces:
            cell = Cell(*divmod(int(cells[-1]), self.width))
            if cell == self.pieces[tiles]:
                return self
            return replace(self.painted(cells[-1:], self.floor), pieces={**self.pieces, tiles: cell})
        values = np.broadcast_to(np.asarray(tiles, np.uint8), cells.shape)
        taken = [place.row * self.width + place.col for place in self.pieces.values()]
        changes = (values != self.board.array().reshape(-1)[cells]) & ~np.isin(cells, taken)
        if not changes.any():
            return self
        return replace(self, board=self.board.replace(cells[changes], values[changes]))

    def framed(self, top: int = 0, bottom: int = 0, left: int = 0, right: int = 0) -> Draft:
        """The draft with rows or columns of floor added at each side; a negative number takes them away.

        Raises:
            ValueError: the draft would be empty or too large, or lose a piece.
        """
        height, width = self.height + top + bottom, self.width + left + right
        refuse_size(height, width)
        pieces = {piece: Cell(cell.row + top, cell.col + left) for piece, cell in self.pieces.items()}
        for piece, cell in pieces.items():
            if not cell.is_inside(height, width):
                raise ValueError(f"there is one {chr(piece)}, at {self.pieces[piece].place}: put it elsewhere first")
        if not (top or bottom or left or right):
            return self
        added = (max(top, 0), max(bottom, 0)), (max(left, 0), max(right, 0))
        padded = np.pad(self.board.array(), added, constant_values=self.floor)
        tiles = padded[max(-top, 0) :, max(-left, 0) :][:height, :width].copy()
        return Draft(Board.owning(tiles), self.floor, pieces)

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
