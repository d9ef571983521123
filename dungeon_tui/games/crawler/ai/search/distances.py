"""The distances on a level's boards, as if no monster moved, and past one monster."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel
from dungeon_tui.games.crawler.ai.kernels import HEIGHT, ITEMS, ITEMS_AT, WIDTH, Boards, Ints
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, WAY_OUT

FAR = 65535
NEVER = 1 << 29
DOUBLES, REFUSED, BARRED = range(3)
"""Effects of an amulet at a size: it doubles the level; the rules refuse, and it is gone; no line may step on it."""

MOST_CELLS = 1 << 16
"""Of a board: distances and cells are kept in 16 bits."""

_MOST_PAST = 1 << 24  # cells times cells times items of a board, up to which walks past a monster are looked at
_MOST_TILED = 1 << 16  # cells times items of a level, up to which copies are looked at to see how far they are apart


class DistanceTables(NamedTuple):
    """The distances on all boards."""

    offsets: NDArray[np.int64]  # (2, sizes) into steps, of the walks and of those past a monster; -1: not known
    steps: NDArray[np.uint16]  # per size (cells, items), or past a monster (cells, cells, items): moves, or FAR
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
    known = 0 if before is None else before.offsets.shape[1]
    offsets = np.full((2, boards.sizes), -1, np.int64)
    tables = [np.empty(0, np.uint16)]
    if before is not None:
        offsets[:, :known], tables = before.offsets, [before.steps]
    end = len(tables[0])
    for size in range(known, boards.sizes):
        is_open, at, count = boards.is_open(size), int(boards.layout[size, ITEMS_AT]), int(boards.layout[size, ITEMS])
        table = np.empty((is_open.size, count), np.uint16)
        for item in range(count):
            table[:, item] = np.minimum(spread(is_open, int(boards.places[at + item]), False), FAR)
        tables.append(table.reshape(-1))
        offsets[0, size] = end
        end += table.size
    around = _around(boards) if before is None else before.around
    return DistanceTables(offsets, np.concatenate(tables), around, amulets)


def with_past(boards: Boards, tables: DistanceTables) -> DistanceTables:
    """The same with the walks past a monster on all boards that are small enough.

    Cost:
        O(cells * cells * items) a board.
    """
    offsets, parts, end = tables.offsets.copy(), [tables.steps], len(tables.steps)
    for size in range(boards.sizes):
        room = int(boards.layout[size, HEIGHT] * boards.layout[size, WIDTH]) ** 2 * int(boards.layout[size, ITEMS])
        if offsets[1, size] < 0 and room <= _MOST_PAST:
            parts.append(_past(boards, size))
            offsets[1, size] = end
            end += room
    return tables if len(parts) == 1 else tables._replace(offsets=offsets, steps=np.concatenate(parts))


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


def _past(boards: Boards, size: int) -> NDArray[np.uint16]:
    """(cells, cells, items) moves, flat: from the adventurer's cell, with one monster, to the item, and alive.

    Backwards from the item, over pairs of cells: each has one cell at most from which the monster came there.
    """
    is_open, count = boards.is_open(size), int(boards.layout[size, ITEMS])
    cells = is_open.size
    beside = _beside(is_open)
    origins = _origins(beside)
    at = int(boards.layout[size, ITEMS_AT])
    goals, kinds = boards.places[at : at + count].astype(np.int64), np.resize(boards.kinds, count)
    past = np.full(cells * cells * count, FAR, np.uint16)
    item, monster = (part.reshape(-1) for part in np.indices((count, cells)))
    is_there = monster != goals[item]
    item, monster = item[is_there], monster[is_there]
    to = goals[item]
    past[(to * cells + monster) * count + item] = 0
    # On a way out monsters don't move any more.
    before = np.where((kinds[item] == DOOR) | (kinds[item] == WAY_OUT), monster, origins[to, monster])
    moves = 0
    while item.size:
        moves = min(moves + 1, FAR - 1)
        found = []
        for way in range(5):
            cell = beside[to, way]
            pairs = (cell * cells + before) * count + item
            is_new = (cell >= 0) & (before >= 0) & (cell != before)
            is_new[is_new] = past[pairs[is_new]] == FAR
            past[pairs[is_new]] = moves
            found.append((item[is_new], cell[is_new], before[is_new]))
        item, to, monster = (np.concatenate(parts) for parts in zip(*found, strict=True))
        before = origins[to, monster]
    return past


def _origins(beside: NDArray[np.int64]) -> NDArray[np.int64]:
    """(cells, cells): by the adventurer's cell and that of a monster after its move, where it was; -1: nowhere."""
    everywhere = np.arange(len(beside))
    origins = np.tile(everywhere, (len(beside), 1))
    for way in range(4):
        here, seen = everywhere, everywhere
        while seen.size:
            farther = beside[seen, way]
            origins[here, seen] = farther
            here, seen = here[farther >= 0], farther[farther >= 0]
    origins[everywhere, everywhere] = -1
    return origins


def _beside(is_open: NDArray[np.bool_]) -> NDArray[np.int64]:
    """(cells, 5) the next cells up, left, down and right, and the same one; -1 where a pillar or the edge is."""
    cells = np.full(np.add(is_open.shape, 2), -1, np.int64)
    cells[1:-1, 1:-1] = np.where(is_open, np.arange(is_open.size).reshape(is_open.shape), -1)
    sides = cells[:-2, 1:-1], cells[1:-1, :-2], cells[2:, 1:-1], cells[1:-1, 2:], cells[1:-1, 1:-1]
    return np.stack([side.reshape(-1) for side in sides], axis=1)
