"""Boards from a seed, the same on every machine: a room in every block of a grid of blocks, and corridors."""

from collections.abc import Iterable
from itertools import product

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.games.chase.model.level import CORRIDOR, ROOM, WALL, Level

LEAST_SIDE = 5

_BLOCK = (6, 9)  # approximate sites from block to block, least and most; the same all over a board
_REACH = 2  # most blocks between the rogue's and the monster's, by rows and by columns
_LEAST_WITH_PILLAR = 3  # height and width of a room that can have a pillar
_LOOPS = 9  # candidates for each detour or pillar that is made

Ints = NDArray[np.int64]


def generate(seed: int, size: int, kind: str = "rooms") -> Level:
    """A connected board of one of KINDS, with at least LEAST_SIDE rows."""
    return _rooms(seed, size) if kind == "rooms" else _hall(seed, size, kind)


def _hall(seed: int, size: int, kind: str) -> Level:
    """A hall with pillars that touch nothing, so that each is a loop; or one that walls with doors cut into rooms."""
    random = Random(seed)
    tiles = np.full((size, size), ROOM, np.uint8)
    share = random.between(1, 8)  # of ten cells for a pillar
    if kind == "walls":  # one, or two that cross: each part of them has a door or two
        share, parts = 1, [tiles[:, (col := random.between(size // 3, 2 * size // 3))]]
        tiles[:, col] = WALL
        if row := random.below(2) * random.between(size // 3, 2 * size // 3):
            parts = [tiles[:row, col], tiles[row + 1 :, col], tiles[row, :col], tiles[row, col + 1 :]]
            tiles[row] = WALL
        for part in parts:
            for _ in range(random.between(1, 2)):
                part[random.below(len(part))] = CORRIDOR

    # Place pillars on every other site of every other row, then both sides.
    for row, col in product(range(1, size - 1, 2), repeat=2):
        if random.below(10) < share and (tiles[row - 1 : row + 2, col - 1 : col + 2] == ROOM).all():
            tiles[row, col] = WALL
    rooms = [Cell(*map(int, cell)) for cell in np.argwhere(tiles == ROOM)]
    monster = rooms.pop(random.below(len(rooms)))
    tiles.setflags(write=False)
    return Level(f"seed-{seed}-{size}-{kind}", tiles, monster, random.choice(rooms))


def _rooms(seed: int, size: int) -> Level:
    """Rooms and corridors, with the monster and the rogue in different rooms.

    At least four rooms, at least three sites apart; corridors one site wide, each from one room to the next and
    touching nothing else; the monster and the rogue at most two rooms apart by rows and by columns. The rooms form a
    tree, on which the rogue is always caught. Random detours between rooms and around pillars make it safe on about
    half of the boards up to 40 x 40, and on more of the larger ones.
    """
    random = Random(seed)

    # Place a room in each block.
    block = random.between(*_BLOCK)
    blocks = max(2, (size + 1 + block // 2) // block)
    gaps = np.arange(blocks + 1) * (size + 1) // blocks - 1  # the line before each block and after the last
    top, bottom = _sides(random, gaps)
    left, right = _sides(random, gaps)
    rooms = np.stack([top, bottom, left.T, right.T])  # first and last row, first and last column, by block
    tiles = np.full((size, size), WALL, np.uint8)
    _fill(tiles, ROOM, *rooms)

    # Dig corridors to the right; then, on the transposed board, down.
    across, down = _links(random, blocks)
    _dig(random, tiles, rooms, gaps, across)
    _dig(random, tiles.T, rooms[[2, 3, 0, 1]].transpose(0, 2, 1), gaps, down.T)

    # Place the two sides, and pillars in other rooms.
    starts = _starts(random, blocks)
    monster, rogue = (
        Cell(random.between(first, last), random.between(left, right))
        for first, last, left, right in (rooms[:, row, col].tolist() for row, col in starts)
    )
    _raise_pillars(random, tiles, rooms, starts)
    tiles.setflags(write=False)
    return Level(f"seed-{seed}-{size}", tiles, monster, rogue)


def _below(random: Random, bounds: Ints) -> Ints:
    """For each bound a random number from 0 to bound - 1; the bias is less than bound / 2^32."""
    words = random.words(bounds.size).reshape(bounds.shape) >> np.uint64(32)
    return ((words * bounds.astype(np.uint64)) >> np.uint64(32)).astype(np.int64)


def _sides(random: Random, gaps: Ints) -> tuple[Ints, Ints]:
    """(blocks, blocks) first and last line of each room, by its block's row, column; `gaps`: the lines between blocks.

    One more line between a room and the gap stays free, so that a corridor can bend in the gap without touching the
    room or its corridors.
    """
    blocks = len(gaps) - 1
    low, high = gaps[:-1] + 2, gaps[1:] - 2
    low[0], high[-1] = low[0] - 1, high[-1] + 1
    space = np.repeat(high - low + 1, blocks).reshape(blocks, blocks)
    length = 1 + np.maximum(_below(random, space), _below(random, space))
    first = low[:, None] + _below(random, space - length + 1)
    return first, first + length - 1


def _fill(tiles: NDArray[np.uint8], tile: int, top: Ints, bottom: Ints, left: Ints, right: Ints) -> None:
    heights, widths = np.ravel(bottom - top + 1), np.ravel(right - left + 1)
    ends = np.cumsum(heights * widths)
    which = np.repeat(np.arange(len(ends), dtype=np.int32), heights * widths)
    down, along = np.divmod(np.arange(len(which)) - (ends - heights * widths)[which], widths[which])
    tiles[np.ravel(top)[which] + down, np.ravel(left)[which] + along] = tile


def _links(random: Random, blocks: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(blocks, blocks) True for rooms to connect with their right, then with their lower neighbour: a tree and detours.

    Source:
        Joseph Kruskal, "On the shortest spanning subtree of a graph" (1956), with random lengths.
    """
    # Sort all pairs of neighbours by random lengths.
    number = np.arange(blocks * blocks).reshape(blocks, blocks)
    one = np.concatenate([number[:, :-1].ravel(), number[:-1].ravel()])
    other = np.concatenate([number[:, 1:].ravel(), number[1:].ravel()])
    order = np.argsort(random.words(len(one)), kind="stable")
    parent = list(range(blocks * blocks))

    def root(block: int) -> int:
        while parent[block] != block:
            parent[block] = parent[parent[block]]
            block = parent[block]
        return block

    # Link pairs that are not yet connected, and a few others.
    is_link = np.zeros(len(one), bool)
    rounds = random.below(2 + (len(one) - blocks * blocks) // _LOOPS)
    for link, start, end in zip(order.tolist(), one[order].tolist(), other[order].tolist(), strict=True):
        start, end = root(start), root(end)
        if start != end:
            parent[start] = end
        elif rounds:
            rounds -= 1
        else:
            continue
        is_link[link] = True
    across, down = np.split(is_link, 2)
    return np.pad(across.reshape(blocks, -1), ((0, 0), (0, 1))), np.pad(down.reshape(-1, blocks), ((0, 1), (0, 0)))


def _dig(random: Random, tiles: NDArray[np.uint8], rooms: Ints, gaps: Ints, is_linked: NDArray[np.bool_]) -> None:
    """Digs a corridor from each linked room to its right neighbour: straight if they share a row, else with a bend."""
    row, col = np.nonzero(is_linked)
    top, bottom, _, right = rooms[:, row, col]
    next_top, next_bottom, next_left, _ = rooms[:, row, col + 1]
    first, last = np.maximum(top, next_top), np.minimum(bottom, next_bottom)  # the rows they share, if first <= last
    way = np.minimum(first, last) + _below(random, np.abs(last - first) + 1)
    door, next_door = np.clip(way, top, bottom), np.clip(way, next_top, next_bottom)
    bend = gaps[col + 1]
    _fill(tiles, CORRIDOR, door, door, right + 1, bend)
    _fill(tiles, CORRIDOR, np.minimum(door, next_door), np.maximum(door, next_door), bend, bend)
    _fill(tiles, CORRIDOR, next_door, next_door, bend, next_left - 1)


def _starts(random: Random, blocks: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Two blocks, for the monster and the rogue, at most _REACH rows and columns of blocks apart."""
    row, col = rogue = random.below(blocks), random.below(blocks)
    rows = range(max(row - _REACH, 0), min(row + _REACH + 1, blocks))
    cols = range(max(col - _REACH, 0), min(col + _REACH + 1, blocks))
    return random.choice([block for block in product(rows, cols) if block != rogue]), rogue


def _raise_pillars(random: Random, tiles: NDArray[np.uint8], rooms: Ints, starts: Iterable[tuple[int, int]]) -> None:
    """Turns one inner site into a pillar in some of the rooms where neither side starts."""
    top, bottom, left, right = rooms
    height, width = bottom - top + 1, right - left + 1
    has_space = np.minimum(height, width) >= _LEAST_WITH_PILLAR
    for start in starts:
        has_space[start] = False
    row = (top + 1)[has_space] + _below(random, height[has_space] - 2)
    col = (left + 1)[has_space] + _below(random, width[has_space] - 2)
    order = np.argsort(random.words(len(row)), kind="stable")[: random.below(2 + len(row) // _LOOPS)]
    tiles[row[order], col[order]] = WALL
