"""A board as a graph: its sites numbered, and the moves between them in compressed rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import EIGHT_WAYS, Cell
from dungeon_tui.games.chase.model.level import ROOM, WALL, Level


@dataclass(frozen=True, eq=False, slots=True)
class MoveGraph:
    """The sites of a board, row by row, and the moves from each."""

    cells: NDArray[np.int32]  # (sites, 2) rows of (row, col)
    number: NDArray[np.int32]  # (size, size): the number of the site; -1 on walls
    indptr: NDArray[np.int32]  # (sites + 1,)
    indices: NDArray[np.int32]  # (moves,): the sites that a site's moves lead to, itself included, in their order

    def __len__(self) -> int:
        """Number of sites."""
        return len(self.cells)

    def site(self, cell: Cell) -> int:
        """The number of the site on a cell."""
        return int(self.number[cell])

    def cell(self, site: int) -> Cell:
        """Cell of a site."""
        return Cell(*self.cells[site].tolist())

    def moves(self, site: int) -> NDArray[np.int32]:
        """The sites that a move may lead to."""
        return self.indices[self.indptr[site] : self.indptr[site + 1]]


@lru_cache(maxsize=8)
def move_graph(level: Level) -> MoveGraph:
    """The board's graph; `rules.is_legal_move` for all pairs of sites at once.

    Cost:
        O(cells) time and memory, in numpy; a board asked for lately is not computed again.
    """
    size = level.size
    is_site, is_room = level.tiles != WALL, level.tiles == ROOM
    number = np.full((size + 2, size + 2), -1, np.int32)
    number[1:-1, 1:-1][is_site] = np.arange(is_site.sum(), dtype=np.int32)
    room = np.pad(is_room, 1)
    cells = np.argwhere(is_site).astype(np.int32)
    rows, cols = (cells + 1).T
    targets = [number[rows, cols]]
    for direction in EIGHT_WAYS:
        down, right = direction.value
        to = number[rows + down, cols + right]
        if down and right:
            to = np.where(room[rows, cols] & room[rows + down, cols + right], to, -1)
        targets.append(to)
    table = np.sort(np.stack(targets, axis=1), axis=1)
    indptr = np.concatenate([[0], np.cumsum((table >= 0).sum(axis=1))]).astype(np.int32)
    graph = MoveGraph(cells, np.ascontiguousarray(number[1:-1, 1:-1]), indptr, table[table >= 0])
    for array in (graph.cells, graph.number, graph.indptr, graph.indices):
        array.setflags(write=False)
    return graph
