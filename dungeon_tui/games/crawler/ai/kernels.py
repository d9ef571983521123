"""The crawler's turn on packed boards: a set of items and a set of monsters, a bit each.

Pillars never change, and what else a level holds but monsters never moves. So a board is a table that says what stood
where at the beginning, an item a number, and two sets: the items that are still there, and the cells with monsters.
Doubling copies the table: a level has a board for each of its sizes. The number of an item is that of its original plus
a multiple of the number of items that the level begins with.

The order of the turn is that of `rules.step`; docs/games/crawler.md.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.engine._jit import lean_kernel
from dungeon_tui.games.crawler.model.level import DOOR, MONSTER, OPEN, PILLAR, TREASURE, WAY_OUT

COMMANDS = "wasde"
"""The ways to go, by their number."""

WENT, TOOK_TREASURE, TOOK_AMULET, TOOK_DOOR, ESCAPED, DIED = range(6)
"""What a turn came to."""

FLOOR, WALL = -1, -2  # beside the numbers of items
ONE = uint64(1)

Words = NDArray[np.uint64]
Ints = NDArray[np.int32]


class Boards(NamedTuple):
    """A level at each of its sizes; what belongs to a size begins at an offset."""

    heights: Ints  # (sizes,)
    widths: Ints  # (sizes,)
    cells_at: NDArray[np.int64]  # (sizes,) offsets into tiles
    items_at: NDArray[np.int64]  # (sizes,) offsets into places
    tiles: Ints  # per size height * width: FLOOR, WALL or the item's number
    places: Ints  # per size the items' cells
    kinds: NDArray[np.uint8]  # (items of the first size,) tile codes

    @property
    def sizes(self) -> int:
        """How many there are."""
        return len(self.heights)


def make_boards(tiles: ByteGrid, sizes: int = 1) -> Boards:
    """The boards of a level, each twice as high and wide as the one before.

    Args:
        tiles: (height, width) uint8, the level's tile codes.
        sizes: how many boards.
    """
    grid = np.full(tiles.shape, FLOOR, np.int32)
    grid[tiles == PILLAR] = WALL
    is_item = (tiles != OPEN) & (tiles != PILLAR) & (tiles != MONSTER)
    count = int(np.count_nonzero(is_item))
    grid[is_item] = np.arange(count)
    grids = [grid]
    for _ in range(1, sizes):
        copies = [np.where(grid >= 0, grid + quarter * count, grid) for quarter in range(4)]
        grid = np.block([copies[:2], copies[2:]]).astype(np.int32)
        grids.append(grid)
        count *= 4
    places = []
    for grid in grids:
        cells = np.flatnonzero(grid >= 0)
        places.append(cells[np.argsort(grid.reshape(-1)[cells])].astype(np.int32))
    return Boards(
        np.array([len(grid) for grid in grids], np.int32),
        np.array([len(grid[0]) for grid in grids], np.int32),
        np.cumsum([0, *(grid.size for grid in grids)])[:-1].astype(np.int64),
        np.cumsum([0, *(len(cells) for cells in places)])[:-1].astype(np.int64),
        np.concatenate([grid.reshape(-1) for grid in grids]),
        np.concatenate(places),
        tiles[is_item].astype(np.uint8),
    )


def pack_board(boards: Boards, size: int, tiles: ByteGrid) -> tuple[Words, Words]:
    """The items that are there, and the monsters, of a board as it is now."""
    flat = np.ascontiguousarray(tiles).reshape(-1)
    items, monsters = np.zeros(item_words(boards, size), np.uint64), np.zeros(cell_words(boards, size), np.uint64)
    at = int(boards.items_at[size])
    places = boards.places[at : at + item_count(boards, size)]
    kinds = np.resize(boards.kinds, len(places))
    for words, members in ((items, flat[places] == kinds), (monsters, flat == MONSTER)):
        for member in np.flatnonzero(members).tolist():
            words[member >> 6] |= np.uint64(1 << (member & 63))
    return items, monsters


def unpack_board(boards: Boards, size: int, items: Words, monsters: Words) -> ByteGrid:
    """The (height, width) tile codes that `pack_board` packed."""
    height, width = int(boards.heights[size]), int(boards.widths[size])
    at, items_at = int(boards.cells_at[size]), int(boards.items_at[size])
    tiles = np.where(boards.tiles[at : at + height * width] == WALL, PILLAR, OPEN).astype(np.uint8)
    present = _members(items, item_count(boards, size))
    tiles[boards.places[items_at + present]] = boards.kinds[present % max(len(boards.kinds), 1)]
    tiles[_members(monsters, height * width)] = MONSTER
    return tiles.reshape(height, width)


def count_kind(boards: Boards, size: int, items: Words, kind: int) -> int:
    """How many items of a kind are in a set."""
    present = _members(items, item_count(boards, size))
    return int(np.count_nonzero(boards.kinds[present % max(len(boards.kinds), 1)] == kind))


def _members(words: Words, most: int) -> NDArray[np.intp]:
    """The numbers in a set, all of which are below `most`."""
    return np.flatnonzero(np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little")[:most])


@lean_kernel
def item_count(boards: Boards, size: int) -> int:
    """How many items a board began with."""
    return int(len(boards.kinds) << (2 * size))


@lean_kernel
def item_words(boards: Boards, size: int) -> int:
    """How many words a set of items takes."""
    return ((len(boards.kinds) << (2 * size)) + 63) >> 6


@lean_kernel
def cell_words(boards: Boards, size: int) -> int:
    """How many words a set of cells takes."""
    return int((boards.heights[size] * boards.widths[size] + 63) >> 6)


@lean_kernel
def has(words: Words, member: int) -> bool:
    """Whether a number is in a set."""
    return bool((words[member >> 6] >> uint64(member & 63)) & ONE)


@lean_kernel
def put(words: Words, member: int) -> None:
    """Puts a number into a set."""
    words[member >> 6] |= ONE << uint64(member & 63)


@lean_kernel
def drop(words: Words, member: int) -> None:
    """Takes a number out of a set."""
    words[member >> 6] &= ~(ONE << uint64(member & 63))


@lean_kernel
def kind_of(boards: Boards, item: int) -> int:
    """The tile code of an item of any size."""
    return int(boards.kinds[item % len(boards.kinds)])


@lean_kernel
def turn(
    boards: Boards, size: int, cell: int, way: int, has_treasure: bool, items: Words, monsters: Words
) -> tuple[int, int]:
    """One turn but for the doubling, in place.

    Args:
        boards: the level.
        size: which of its boards.
        cell: row * width + column of the adventurer.
        way: the command's place in COMMANDS.
        has_treasure: whether a way out opens.
        items: what is there; changed.
        monsters: where they are; changed.

    Returns:
        What it came to, and the adventurer's cell.

    Cost:
        O(height + width).
    """
    height, width = boards.heights[size], boards.widths[size]
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
    tile = boards.tiles[boards.cells_at[size] + to]
    if to != cell:
        if tile == WALL or has(monsters, to):
            to = cell
        elif tile >= 0 and has(items, tile):
            kind = kind_of(boards, tile)
            if kind == DOOR:
                return TOOK_DOOR, to
            if kind == WAY_OUT and has_treasure:
                return ESCAPED, to
            if kind == WAY_OUT:
                to = cell
            else:
                drop(items, tile)
                result = TOOK_TREASURE if kind == TREASURE else TOOK_AMULET
    if _let_monsters_move(boards, size, to, items, monsters):
        return DIED, to
    return result, to


@lean_kernel
def _let_monsters_move(boards: Boards, size: int, cell: int, items: Words, monsters: Words) -> bool:
    """All monsters that see the cell come one step closer; whether one stands on it then."""
    height, width = boards.heights[size], boards.widths[size]
    row, col = cell // width, cell % width
    base = boards.cells_at[size]
    is_caught = False
    for ray in range(4):
        if ray == 0:
            step, length = -width, row
        elif ray == 1:
            step, length = width, height - 1 - row
        elif ray == 2:
            step, length = -1, col
        else:
            step, length = 1, width - 1 - col
        at = cell
        for _ in range(length):
            at += step
            if boards.tiles[base + at] == WALL:
                break
            if has(monsters, at):
                to = at - step
                drop(monsters, at)
                put(monsters, to)
                is_caught |= to == cell
                tile = boards.tiles[base + to]
                if tile >= 0:
                    drop(items, tile)
    return is_caught


@lean_kernel
def doubled_cell(boards: Boards, size: int, cell: int) -> int:
    """The same cell of the upper left quarter, one size up."""
    width = boards.widths[size]
    return int(cell // width * 2 * width + cell % width)


@lean_kernel
def double(boards: Boards, size: int, items: Words, monsters: Words, more_items: Words, more_monsters: Words) -> None:
    """Writes the sets of the doubled board, that of the next size, into words which need not be empty."""
    more_items[: item_words(boards, size + 1)] = 0
    more_monsters[: cell_words(boards, size + 1)] = 0
    count = item_count(boards, size)
    for item in range(count):
        if has(items, item):
            for quarter in range(4):
                put(more_items, item + quarter * count)
    height, width = boards.heights[size], boards.widths[size]
    for cell in range(height * width):
        if has(monsters, cell):
            row, col = cell // width, cell % width
            for quarter in range(4):
                put(more_monsters, (row + quarter // 2 * height) * 2 * width + col + quarter % 2 * width)


@lean_kernel
def drop_kind(boards: Boards, size: int, items: Words, kind: int) -> None:
    """Takes all items of a kind out of a set."""
    for item in range(item_count(boards, size)):
        if kind_of(boards, item) == kind:
            drop(items, item)
