"""A level's boards and the distances on them without monsters, and the packed states in which searches begin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.grid import Cell
from dungeon_tui.engine import distance_map, graph_distances
from dungeon_tui.games.crawler.ai.kernels import ITEMS, ITEMS_AT, Boards, Ints, Words, make_boards, pack_board
from dungeon_tui.games.crawler.model.level import AMULET, MONSTER, OPEN, PILLAR

FAR = 65535
NEVER = 1 << 29
DOUBLES, REFUSED, BARRED = range(3)
"""Effects of an amulet: it doubles the level; it disappears, since the rules refuse to double; no line may take it."""

MOST_CELLS = 1 << 16
"""Limit on the cells of a board: distances and cells are stored in 16 bits."""

MOST_SIZES = 16
_MOST_TILED = 1 << 16  # limit on cells * items of a level to compute the distances between copies exactly
_TABLE_BYTES = 1 << 28  # limit on the distances on one board


class DistanceTables(NamedTuple):
    """Distances on all boards, ignoring monsters."""

    offsets: NDArray[np.int64]  # (sizes,) into steps
    steps: NDArray[np.uint16]  # for each size (cells, items) moves, or FAR
    around: Ints  # (items, items) of the first board, on the torus
    amulets: NDArray[np.uint8]  # the effect of an amulet at each size; the last one holds for all larger sizes

    def barred_from(self, size: int | None) -> DistanceTables:
        """The tables with amulets barred at this size and larger ones, so that no line doubles them; None: no limit."""
        if size is None:
            return self
        amulets = self.amulets.copy()
        beyond = amulets[size:]
        beyond[beyond == DOUBLES] = BARRED
        return self._replace(amulets=amulets)


def make_tables(boards: Boards, amulets: NDArray[np.uint8], before: DistanceTables | None = None) -> DistanceTables:
    """Steps from every cell to every item on each board, in O(cells * items); copies the tables in `before`."""
    offsets = [] if before is None else before.offsets.tolist()
    tables = [np.empty(0, np.uint16) if before is None else before.steps]
    end = len(tables[0])
    for size in range(len(offsets), len(boards.layout)):
        is_open, at, count = boards.is_open(size), int(boards.layout[size, ITEMS_AT]), int(boards.layout[size, ITEMS])
        table = np.empty((is_open.size, count), np.uint16)
        cells = np.stack(np.divmod(boards.item_cells[at : at + count], is_open.shape[1]), axis=1)
        for item in range(count):
            table[:, item] = np.minimum(distance_map(is_open, cells[item : item + 1], diagonal=False), FAR).reshape(-1)
        tables.append(table.reshape(-1))
        offsets.append(end)
        end += table.size
    around = _around(boards) if before is None else before.around
    return DistanceTables(np.array(offsets, np.int64), np.concatenate(tables), around, amulets)


def _around(boards: Boards) -> Ints:
    """(items, items) least steps between any copies of two items on a level that repeats: on a torus."""
    is_open, cells = boards.is_open(0), boards.item_cells[: boards.layout[0, ITEMS]]
    number = np.arange(is_open.size).reshape(is_open.shape)
    near = np.stack([np.roll(number, step, axis).reshape(-1) for axis in (0, 1) for step in (1, -1)], axis=1)
    is_step = is_open.reshape(-1, 1) & is_open.reshape(-1)[near]
    graph = np.append(0, np.cumsum(is_step.sum(axis=1))), near[is_step]
    steps = [graph_distances(*graph, int(cell))[cells] for cell in cells]
    around = np.minimum(np.reshape(steps, (len(cells), len(cells))), NEVER).astype(np.int32)
    # To a copy of itself at least the shorter side, unless a 5 x 5 tiling tells.
    height, width = is_open.shape
    np.fill_diagonal(around, min(height, width))
    if AMULET in boards.kinds and len(cells) * is_open.size <= _MOST_TILED:
        tiled = np.tile(is_open, (5, 5))
        for item, (row, col) in enumerate(zip(*np.divmod(cells, width), strict=True)):
            copies = distance_map(tiled, [(2 * height + row, 2 * width + col)], diagonal=False)[row::height, col::width]
            # A walk that leaves these copies is two of them long before it does.
            around[item, item] = min(int(copies[copies > 0].min()), 2 * min(height, width))
    return around


@dataclass(frozen=True, eq=False, slots=True)
class Moment:
    """A state in which a search begins."""

    size: int  # how often the level has doubled
    cell: int  # row * width + column
    items: Words
    monsters: Words


@dataclass(slots=True)
class Terrain:
    """A level's boards and distances, made as searches need them."""

    tiles: ByteGrid
    room: int  # limit on the number of boards
    boards: Boards
    tables: DistanceTables

    @classmethod
    def of(cls, tiles: ByteGrid, cell_limit: int) -> Terrain | None:
        """The terrain of a level's (height, width) tiles with only the first board; None if the level is too large."""
        items = tiles.size - int(np.isin(tiles, [OPEN, PILLAR, MONSTER]).sum())
        tables = [2 * tiles.size * items << (4 * size) for size in range(MOST_SIZES)]  # bytes of the distances
        room = sum(
            tiles.size << (2 * size) <= MOST_CELLS and table <= _TABLE_BYTES for size, table in enumerate(tables)
        )
        if not room:
            return None
        amulets = np.full(MOST_SIZES, DOUBLES, np.uint8)
        amulets[[4 * tiles.size << (2 * size) > cell_limit for size in range(MOST_SIZES)]] = REFUSED
        boards = make_boards(tiles)
        return cls(tiles, room, boards, make_tables(boards, amulets))

    @property
    def bytes(self) -> int:
        """Size of the boards and distances."""
        return sum(array.nbytes for array in (*self.boards, *self.tables))

    def widen(self, sizes: int) -> None:
        """Makes boards until there are `sizes` of them."""
        if sizes > len(self.boards.layout):
            self.boards = make_boards(self.tiles, sizes)
            self.tables = make_tables(self.boards, self.tables.amulets, self.tables)

    def moment(self, tiles: ByteGrid, cell: Cell) -> Moment | None:
        """A (height, width) board of this level as the start of a search; None if it has doubled too often."""
        height, width = tiles.shape
        size = (height // self.tiles.shape[0]).bit_length() - 1
        if size >= self.room:
            return None
        self.widen(size + 1)
        return Moment(size, cell.row * width + cell.col, *pack_board(self.boards, size, tiles))
