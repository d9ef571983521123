"""A level with the boards and distances that searches need, and where on it they begin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler.ai.kernels import Boards, Words, make_boards, pack_board, unpack_board
from dungeon_tui.games.crawler.ai.search.distances import (
    DOUBLES,
    MOST_CELLS,
    REFUSED,
    DistanceTables,
    make_tables,
    steps_bytes,
)
from dungeon_tui.games.crawler.model.level import MONSTER, OPEN, PILLAR

MOST_SIZES = 16
_TABLE_BYTES, _CHEAP_BYTES = 1 << 28, 1 << 24  # of the distances on one board


@dataclass(frozen=True, eq=False, slots=True)
class Moment:
    """Beginning of a search."""

    size: int  # how often the level has doubled
    cell: int  # row * width + column
    items: Words
    monsters: Words


@dataclass(slots=True)
class Terrain:
    """A level's boards and distances, as far as they have been needed."""

    tiles: ByteGrid
    room: int  # how many boards there is room for
    cheap: int  # how many are cheap enough to be looked at before they are needed
    boards: Boards
    tables: DistanceTables

    @classmethod
    def of(cls, tiles: ByteGrid, cell_limit: int) -> Terrain | None:
        """The first board; None where the level is too large.

        Args:
            tiles: (height, width) uint8, the level as its file gives it.
            cell_limit: the rules refuse a doubling beyond it.
        """
        items = tiles.size - sum(int(np.count_nonzero(tiles == tile)) for tile in (OPEN, PILLAR, MONSTER))
        room = [
            size
            for size in range(MOST_SIZES)
            if tiles.size << (2 * size) <= MOST_CELLS and steps_bytes(tiles.size, items, size) <= _TABLE_BYTES
        ]
        if not room:
            return None
        cheap = sum(steps_bytes(tiles.size, items, size) <= _CHEAP_BYTES for size in room)
        amulets = np.full(MOST_SIZES, DOUBLES, np.uint8)
        amulets[[4 * tiles.size << (2 * size) > cell_limit for size in range(MOST_SIZES)]] = REFUSED
        boards = make_boards(tiles)
        return cls(tiles, len(room), cheap, boards, make_tables(boards, amulets))

    @property
    def bytes(self) -> int:
        """Bytes of its arrays."""
        return sum(array.nbytes for array in (*self.boards, *self.tables))

    def widen(self, sizes: int) -> None:
        """Sees to it that there are so many boards; no more than there is room for."""
        if sizes > self.boards.sizes:
            self.boards = make_boards(self.tiles, sizes)
            self.tables = make_tables(self.boards, self.tables.amulets, self.tables)

    def moment(self, tiles: ByteGrid, cell: Cell) -> Moment | None:
        """A moment on this level; None where it has doubled too often to be looked at.

        Args:
            tiles: (height, width) uint8, its board at that time.
            cell: cell of the adventurer.

        Raises:
            ValueError: this level can't have become that board.
        """
        height, width = tiles.shape
        size = (height // self.tiles.shape[0]).bit_length() - 1
        if (self.tiles.shape[0] << size, self.tiles.shape[1] << size) != tiles.shape:
            raise ValueError(f"the level can't have become a board of {height} x {width}")
        if size >= self.room:
            return None
        self.widen(size + 1)
        items, monsters = pack_board(self.boards, size, tiles)
        if not np.array_equal(unpack_board(self.boards, size, items, monsters), tiles):
            raise ValueError("the level can't have become that board: something stands where it never was")
        return Moment(size, cell.row * width + cell.col, items, monsters)
