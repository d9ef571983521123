"""The distances on a level's boards, as if no monster moved."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel
from dungeon_tui.games.crawler.ai.kernels import ITEMS, ITEMS_AT, Boards, Ints
from dungeon_tui.games.crawler.model.level import AMULET

FAR = 65535
NEVER = 1 << 29
DOUBLES, REFUSED, BARRED = range(3)
"""Effects of an amulet at a size: it doubles the level; the rules refuse, and it is gone; no line may step on it."""

MOST_CELLS = 1 << 16
"""Of a board: distances and cells are kept in 16 bits."""

_MOST_TILED = 1 << 16  # cells times items of a level, up to which copies are looked at to see how far they are apart


class DistanceTables(NamedTuple):
    """The distances on all boards."""

    offsets: NDArray[np.int64]  # (sizes,) into steps
    steps: NDArray[np.uint16]  # per size (cells, items) moves, or FAR
    around: Ints  # (items, items) of the first board, on the torus
    amulets: NDArray[np.uint8]  # the effect of an amulet at each size, and at all sizes from the last on

    def barred_from(self, size: int | None) -> DistanceTables:
        """The same where no line may double the level at that size or a larger one; None: all as before."""
        if size is None:
            return self
        amulets = self.amulets.copy()
        beyond = amulets[size:]
        beyond[beyond == DOUBLES] = BARRED
        return self._replace(amulets=amulets)


def steps_bytes(cells: int, items: int, size: int) -> int:
    """Bytes of the distances on a board of a level that begins with so many cells and items."""
    return 2 * cells * items << (4 * size)


def make_tables(boards: Boards, amulets: NDArray[np.uint8], before: DistanceTables | None = None) -> DistanceTables:
    """The distances on the boards that there are; those on smaller boards may be known before.

    Cost:
        O(cells * items) a board.
    """
    offsets = [] if before is None else before.offsets.tolist()
    tables = [np.empty(0, np.uint16) if before is None else before.steps]
    end = len(tables[0])
    for size in range(len(offsets), boards.sizes):
        is_open, at, count = boards.is_open(size), int(boards.layout[size, ITEMS_AT]), int(boards.layout[size, ITEMS])
        table = np.empty((is_open.size, count), np.uint16)
        for item in range(count):
            table[:, item] = np.minimum(spread(is_open, int(boards.places[at + item]), False), FAR)
        tables.append(table.reshape(-1))
        offsets.append(end)
        end += table.size
    around = _around(boards) if before is None else before.around
    return DistanceTables(np.array(offsets, np.int64), np.concatenate(tables), around, amulets)


def _around(boards: Boards) -> Ints:
    """(items, items) steps on the torus; between copies of one item as far as copies are apart at least."""
    is_open, count = boards.is_open(0), int(boards.layout[0, ITEMS])
    height, width = is_open.shape
    around = np.full((count, count), NEVER, np.int32)
    is_worth_it = AMULET in boards.kinds and count * height * width <= _MOST_TILED
    tiled = np.tile(is_open, (5, 5)) if is_worth_it else is_open
    for item in range(count):
        place = int(boards.places[item])
        around[item] = spread(is_open, place, True)[boards.places[:count]]
        around[item, item] = min(height, width)
        if is_worth_it:
            row, col = divmod(place, width)
            middle = (2 * height + row) * tiled.shape[1] + 2 * width + col
            copies = spread(tiled, middle, False).reshape(tiled.shape)[row::height, col::width]
            # A walk that leaves these copies is two of them long before it does.
            around[item, item] = min(int(copies[copies > 0].min()), 2 * min(height, width))
    return around


@kernel
def spread(is_open: NDArray[np.bool_], start: int, is_torus: bool) -> Ints:
    """(height * width,) steps from a cell, four ways; NEVER where none lead."""
    height, width = is_open.shape
    steps = np.full(height * width, NEVER, np.int32)
    queue = np.full(height * width, 0, np.int32)
    queue[0], steps[start] = start, 0
    head, tail = 0, 1
    while head < tail:
        cell = queue[head]
        head += 1
        for way in range(4):
            row = cell // width + (way == 0) - (way == 1)
            col = cell % width + (way == 2) - (way == 3)
            if is_torus:
                row, col = row % height, col % width
            if not (0 <= row < height and 0 <= col < width and is_open[row, col]):
                continue
            to = row * width + col
            if steps[to] == NEVER:
                steps[to] = steps[cell] + 1
                queue[tail] = to
                tail += 1
    return steps
