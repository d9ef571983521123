"""The crawler's turn on packed boards: a set of items and a set of monsters, a bit each.

Pillars never change, and what else a level holds but monsters never moves. So a board is a table that says what stood
where at the beginning, an item a number, and two sets: the items that are still there, and the cells with monsters.
Doubling copies the table: a level has a board for each of its sizes. The number of an item is that of its original plus
a multiple of the number of items that the level begins with.

Kernels find sets at offsets into one array of words, for which numba compiles less than for an array each.
The order of the turn is that of `rules.step`; docs/games/crawler.md.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.engine._jit import lean_kernel
from dungeon_tui.games.crawler.model.level import DOOR, MONSTER, OPEN, PILLAR, TREASURE, WAY_OUT

COMMANDS = "wasde"
"""The commands by their number."""

WENT, TOOK_TREASURE, TOOK_AMULET, TOOK_DOOR, ESCAPED, DIED = range(6)
"""Results of a turn."""

FLOOR, WALL = -1, -2  # beside the numbers of items
HEIGHT, WIDTH, CELLS_AT, ITEMS_AT, ITEMS, ITEM_WORDS, CELL_WORDS = range(7)
"""Columns of the layout."""

Words = NDArray[np.int64]
Ints = NDArray[np.int32]


class Boards(NamedTuple):
    """A level at each of its sizes."""

    layout: NDArray[np.int64]  # (sizes, 7): sides, offsets into tiles and places, items, words that sets take
    tiles: Ints  # per size height * width: FLOOR, WALL or the item's number
    places: Ints  # per size the items' cells
    kinds: NDArray[np.uint8]  # (items of the first size,) tile codes

    def is_open(self, size: int) -> NDArray[np.bool_]:
        """(height, width): False where a pillar stands."""
        height, width, at = self.layout[size, :ITEMS_AT].tolist()
        is_open: NDArray[np.bool_] = self.tiles[at : at + height * width] != WALL
        return is_open.reshape(height, width)


def make_boards(tiles: ByteGrid, sizes: int = 1) -> Boards:
    """The boards of a level, each twice as high and wide as the one before.

    Args:
        tiles: (height, width) uint8, the level's tile codes.
        sizes: number of boards.
    """
    grid = np.full(tiles.shape, FLOOR, np.int32)
    grid[tiles == PILLAR] = WALL
    is_item = (tiles != OPEN) & (tiles != PILLAR) & (tiles != MONSTER)
    count = int(np.count_nonzero(is_item))
    grid[is_item] = np.arange(count)
    layout, grids, places = [], [], []
    cells_at = items_at = 0
    for _ in range(sizes):
        layout.append((*grid.shape, cells_at, items_at, count, (count + 63) >> 6, (grid.size + 63) >> 6))
        cells = np.flatnonzero(grid >= 0)
        places.append(cells[np.argsort(grid.reshape(-1)[cells])].astype(np.int32))
        grids.append(grid.reshape(-1))
        cells_at, items_at = cells_at + grid.size, items_at + count
        copies = [np.where(grid >= 0, grid + quarter * count, grid) for quarter in range(4)]
        grid = np.block([copies[:2], copies[2:]]).astype(np.int32)
        count *= 4
    return Boards(
        np.array(layout, np.int64), np.concatenate(grids), np.concatenate(places), tiles[is_item].astype(np.uint8)
    )


def pack_board(boards: Boards, size: int, tiles: ByteGrid) -> tuple[Words, Words]:
    """The set of the items that are still on a board, and that of the cells with monsters, as bits in words."""
    flat = np.ascontiguousarray(tiles).reshape(-1)
    at, count = boards.layout[size, [ITEMS_AT, ITEMS]].tolist()
    places = boards.places[at : at + count]
    return _packed(flat[places] == np.resize(boards.kinds, count)), _packed(flat == MONSTER)


def items_of_kind(boards: Boards, size: int, items: Words, kind: int) -> Words:
    """The subset of the items that are of a kind."""
    return items & _packed(np.resize(boards.kinds == kind, boards.layout[size, ITEMS]))


def count_members(words: Words) -> int:
    """Number of members of a set."""
    return int(np.bitwise_count(words.view(np.uint64)).sum())


def _packed(is_member: NDArray[np.bool_]) -> Words:
    padded = np.zeros(-(-len(is_member) // 64) * 64, np.bool_)
    padded[: len(is_member)] = is_member
    return np.packbits(padded, bitorder="little").view("<i8").astype(np.int64)


@lean_kernel
def has(words: Words, at: int, member: int) -> bool:
    """True if a number is in the set at an offset."""
    return bool((words[at + (member >> 6)] >> (member & 63)) & 1)


@lean_kernel
def put(words: Words, at: int, member: int) -> None:
    """Puts a number into the set at an offset."""
    words[at + (member >> 6)] |= 1 << (member & 63)


@lean_kernel
def drop(words: Words, at: int, member: int) -> None:
    """Takes a number out of the set at an offset."""
    words[at + (member >> 6)] &= ~(1 << (member & 63))


@lean_kernel
def play_turn(
    boards: Boards, size: int, cell: int, way: int, has_treasure: bool, words: Words, items: int
) -> tuple[int, int]:
    """One turn but for the doubling, in place.

    Args:
        boards: the level.
        size: index of its board.
        cell: row * width + column of the adventurer.
        way: the command's place in COMMANDS.
        has_treasure: True if a way out opens.
        words: holds the sets; changed.
        items: offset of the items that are there, followed by the monsters' cells.

    Returns:
        The result, and the adventurer's cell.

    Cost:
        O(height + width).
    """
    height, width, base = boards.layout[size, HEIGHT], boards.layout[size, WIDTH], boards.layout[size, CELLS_AT]
    monsters = items + boards.layout[size, ITEM_WORDS]
    row, col = cell // width, cell % width
    to = cell
    if way == 0 and row > 0:
        to = cell - width
    elif way == 1 and col > 0:
        to = cell - 1
    elif way == 2 and row < height - 1:
        to = cell + width
    elif way == 3 and col < width - 1:
        to = cell + 1
    result = WENT
    if to != cell:
        tile = int(boards.tiles[base + to])
        if tile == WALL or has(words, monsters, to):
            to = cell
        elif tile >= 0 and has(words, items, tile):
            kind = boards.kinds[tile % len(boards.kinds)]
            if kind == DOOR:
                return TOOK_DOOR, to
            if kind == WAY_OUT and has_treasure:
                return ESCAPED, to
            if kind == WAY_OUT:
                to = cell
            else:
                drop(words, items, tile)
                result = TOOK_TREASURE if kind == TREASURE else TOOK_AMULET
    row, col = to // width, to % width
    for ray in range(4):  # all monsters that see the adventurer come one step closer
        step, length = -width, row
        if ray == 1:
            step, length = width, height - 1 - row
        elif ray == 2:
            step, length = -1, col
        elif ray == 3:
            step, length = 1, width - 1 - col
        at = to
        for _ in range(length):
            at += step
            if boards.tiles[base + at] == WALL:
                break
            if has(words, monsters, at):
                nearer = at - step
                drop(words, monsters, at)
                put(words, monsters, nearer)
                tile = int(boards.tiles[base + nearer])
                if nearer == to:
                    result = DIED
                elif tile >= 0:
                    drop(words, items, tile)
    return result, to


@lean_kernel
def doubled_cell(boards: Boards, size: int, cell: int) -> int:
    """Number of a cell, row * width + column, once its board has doubled; it lies in the upper left quarter."""
    width = boards.layout[size, WIDTH]
    return int(cell // width * 2 * width + cell % width)


@lean_kernel
def double(boards: Boards, size: int, words: Words, sets: int, doubled: int) -> None:
    """Writes the sets of the doubled board, items then monsters, into words which need not be empty.

    Args:
        boards: the level, at the next size, too.
        size: index of the board that doubles.
        words: holds the sets; changed.
        sets: offset of the items that are there, followed by the monsters.
        doubled: offset of the words to write.
    """
    height, width, count = boards.layout[size, HEIGHT], boards.layout[size, WIDTH], boards.layout[size, ITEMS]
    monsters, doubled_monsters = sets + boards.layout[size, ITEM_WORDS], doubled + boards.layout[size + 1, ITEM_WORDS]
    for word in range(doubled, doubled_monsters + boards.layout[size + 1, CELL_WORDS]):
        words[word] = 0
    for quarter in range(4):
        for item in range(count):
            if has(words, sets, item):
                put(words, doubled, item + quarter * count)
        origin = quarter // 2 * height * 2 * width + quarter % 2 * width
        for cell in range(height * width):
            if has(words, monsters, cell):
                put(words, doubled_monsters, origin + doubled_cell(boards, size, cell))


@lean_kernel
def drop_kind(boards: Boards, size: int, words: Words, items: int, kind: int) -> None:
    """Takes all items of a kind out of the set at an offset."""
    for item in range(boards.layout[size, ITEMS]):
        if boards.kinds[item % len(boards.kinds)] == kind:
            drop(words, items, item)
