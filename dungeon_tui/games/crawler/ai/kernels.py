"""The crawler's turn on packed boards: a set of items and a set of monsters, one bit for each member.

Pillars never change, and only monsters move. So a board is a table of the level's first tiles, in which every item has
a number, and two sets: the items that are left, and the cells with monsters. Doubling copies the table, so a level has
one board for each size. A copy's number is that of its original plus a multiple of the first board's number of items.

All sets lie in one array of words, and kernels find them by their offset: numba compiles that faster than one array for
each set. The order of a turn is that of `rules.step`; see docs/games/crawler.md.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.engine.jit import lean_kernel
from dungeon_tui.games.crawler.model.level import DOOR, MONSTER, OPEN, PILLAR, TREASURE, WAY_OUT

COMMANDS = "wasde"
"""The commands in the order of their numbers."""

WENT, TOOK_TREASURE, TOOK_AMULET, TOOK_DOOR, ESCAPED, DIED = range(6)
"""Results of a turn."""

FLOOR, WALL = -1, -2  # items have numbers from 0
HEIGHT, WIDTH, CELLS_AT, ITEMS_AT, ITEMS, ITEM_WORDS, CELL_WORDS = range(7)
"""Columns of the layout."""

Words = NDArray[np.int64]
Ints = NDArray[np.int32]


class Boards(NamedTuple):
    """A level's boards, one for each size."""

    layout: NDArray[np.int64]  # (sizes, 7): height, width, offsets into tiles and item_cells, items, words of each set
    tiles: Ints  # for each size height * width: FLOOR, WALL or the item's number
    item_cells: Ints  # for each size the items' cells
    kinds: NDArray[np.uint8]  # (items of the first board,) tile codes

    def is_open(self, size: int) -> NDArray[np.bool_]:
        """(height, width): False for pillars."""
        height, width, at = self.layout[size, :ITEMS_AT].tolist()
        is_open: NDArray[np.bool_] = self.tiles[at : at + height * width] != WALL
        return is_open.reshape(height, width)


def make_boards(tiles: ByteGrid, sizes: int = 1) -> Boards:
    """The boards of a level of (height, width) uint8 tile codes, each twice the height and width of the last."""
    grid = np.full(tiles.shape, FLOOR, np.int32)
    grid[tiles == PILLAR] = WALL
    is_item = (tiles != OPEN) & (tiles != PILLAR) & (tiles != MONSTER)
    count = int(np.count_nonzero(is_item))
    grid[is_item] = np.arange(count)
    layout, grids, item_cells = [], [], []
    cells_at = items_at = 0
    for _ in range(sizes):
        layout.append((*grid.shape, cells_at, items_at, count, (count + 63) >> 6, (grid.size + 63) >> 6))
        cells = np.flatnonzero(grid >= 0)
        item_cells.append(cells[np.argsort(grid.reshape(-1)[cells])].astype(np.int32))
        grids.append(grid.reshape(-1))
        cells_at, items_at = cells_at + grid.size, items_at + count
        copies = [np.where(grid >= 0, grid + quarter * count, grid) for quarter in range(4)]
        grid = np.block([copies[:2], copies[2:]]).astype(np.int32)
        count *= 4
    return Boards(
        np.array(layout, np.int64), np.concatenate(grids), np.concatenate(item_cells), tiles[is_item].astype(np.uint8)
    )


def pack_board(boards: Boards, size: int, tiles: ByteGrid) -> tuple[Words, Words]:
    """The items left and the cells with monsters on a board, each as a set in words."""
    flat = np.ascontiguousarray(tiles).reshape(-1)
    at, count = boards.layout[size, [ITEMS_AT, ITEMS]].tolist()
    item_cells = boards.item_cells[at : at + count]
    return _packed(flat[item_cells] == np.resize(boards.kinds, count)), _packed(flat == MONSTER)


def items_of_kind(boards: Boards, size: int, items: Words, kind: int) -> Words:
    """The items of one kind."""
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
def _ray(height: int, width: int, row: int, col: int, way: int) -> tuple[int, int]:
    """The step to a cell's neighbour in the direction of a command, and the number of steps to the edge."""
    if way == 0:
        return -width, row
    if way == 1:
        return -1, col
    if way == 2:
        return width, height - 1 - row
    if way == 3:
        return 1, width - 1 - col
    return 0, 0


@lean_kernel
def play_turn(
    boards: Boards, size: int, cell: int, way: int, has_treasure: bool, words: Words, items: int
) -> tuple[int, int]:
    """Plays command `way` in place, except for an amulet's doubling; returns the result and the adventurer's cell.

    `words` holds the set of items left, from `items` on, then the monsters' cells. Cost: O(height + width).
    """
    height, width, base = boards.layout[size, HEIGHT], boards.layout[size, WIDTH], boards.layout[size, CELLS_AT]
    monsters = items + boards.layout[size, ITEM_WORDS]

    # Choose the cell to enter; at the edge the adventurer stays.
    step, length = _ray(height, width, cell // width, cell % width, way)
    to = cell + step if length > 0 else cell

    # Enter it. Pillars, monsters and a closed way out block; the turn takes treasure and amulets.
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

    # On each of the four rays up to the first pillar, every monster comes one step closer; it destroys an item there.
    row, col = to // width, to % width
    for ray in range(4):
        step, length = _ray(height, width, row, col, ray)
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
    """Cell of the original, in the upper left quarter, after its board has doubled."""
    width = boards.layout[size, WIDTH]
    return int(cell // width * 2 * width + cell % width)


@lean_kernel
def double(boards: Boards, size: int, words: Words, sets: int, doubled: int) -> None:
    """Writes the sets of a doubled board, items then monsters, from offset `sets` to offset `doubled`."""
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
