"""Shapes on a board ((k,) distinct flat indices), and files of drafts. Knows no screen."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dungeon_tui.core.board import Board, FlatCells
from dungeon_tui.core.files import check_writable, read_regular
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.ui.editor.craft import Craft, Draft, refuse_size

_RUN = re.compile(b"\1+")


# -- shapes


def segment(width: int, one: Cell, other: Cell) -> FlatCells:
    """The cells of a straight line, on a board of `width` columns."""
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
    """The connected area of one tile around a cell, four ways, in O(height * width)."""
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
