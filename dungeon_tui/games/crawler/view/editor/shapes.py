"""Shapes on a board, and tiles as text.

Shapes are (k,) flat indices of cells, row * width + col, each once.
"""

from __future__ import annotations

import numpy as np

from dungeon_tui.core.board import Board, ByteGrid, FlatCells
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.games.crawler.model.level import ADVENTURER, OPEN, TILE_NAMES, read_level

_TILES = " ".join(chr(tile) for tile in TILE_NAMES)


def segment(width: int, one: Cell, other: Cell) -> FlatCells:
    """The cells of a straight line on a board of so many columns."""
    count = max(abs(one.row - other.row), abs(one.col - other.col)) + 1
    rows = np.rint(np.linspace(one.row, other.row, count)).astype(np.intp)
    return rows * width + np.rint(np.linspace(one.col, other.col, count)).astype(np.intp)


def rectangle(width: int, one: Cell, other: Cell) -> FlatCells:
    """The cells between two corners."""
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
    height, width = board.height, board.width
    same = (board.array() == board[cell]).tobytes()
    rest = [bytearray(same[row * width : (row + 1) * width]) for row in range(height)]  # 1: yet to be filled
    found: list[FlatCells] = []
    waiting = [cell]
    while waiting:
        row, col = waiting.pop()
        if not rest[row][col]:
            continue
        left = rest[row].rfind(0, 0, col) + 1
        right = rest[row].find(0, col)
        right = width if right < 0 else right
        rest[row][left:right] = bytes(right - left)
        found.append(np.arange(row * width + left, row * width + right))
        for beside in {max(row - 1, 0), min(row + 1, height - 1)} - {row}:
            at = rest[beside].find(1, left, right)
            while at >= 0:
                waiting.append(Cell(beside, at))
                end = rest[beside].find(0, at, right)
                at = -1 if end < 0 else rest[beside].find(1, end, right)
    return np.concatenate(found)


def cut_out(board: Board, one: Cell, other: Cell) -> ByteGrid:
    """(height, width) uint8 tiles between two corners, a copy."""
    (top, bottom), (left, right) = sorted((one.row, other.row)), sorted((one.col, other.col))
    return board.array()[top : bottom + 1, left : right + 1].copy()


def text_of(tiles: ByteGrid) -> str:
    """Rows of tiles as level files have them."""
    return "".join(" ".join(row.tobytes().decode("ascii")) + "\n" for row in tiles)


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
        raise ValueError(f"rows of tiles can be pasted, all as long, of {_TILES}")
    tiles = np.frombuffer("".join(rows).encode(), np.uint8).reshape(len(rows), -1).copy()
    tiles[tiles == ADVENTURER] = OPEN
    return tiles
