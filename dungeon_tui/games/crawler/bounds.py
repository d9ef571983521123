"""How many moves an adventurer still needs at least, from the items that are left, as if no monster moved.

A bound from below: a walk over everything but pillars that steps on the treasure still asked for and then on a way out.
Treasure may be counted again when it is come back to, but not straight from the next one. An amulet may be stepped on
between any two of them; then the walk goes on among all copies of the items. After a second amulet nothing is known of
the board but that it repeats, so distances are those on the torus that the first board makes; another copy of the same
item is at least a height or a width away. All of this only leaves out what real lines must respect, so no real line is
shorter.

Kept per set of items: for each item and each number of treasures asked for, what is still to pay once it is stepped
on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.engine import UNREACHED, distance_map
from dungeon_tui.engine._jit import kernel
from dungeon_tui.games.crawler.kernels import (
    WALL,
    Boards,
    Ints,
    Words,
    doubled_cell,
    has,
    item_count,
    kind_of,
)
from dungeon_tui.games.crawler.level import AMULET, TREASURE

FAR = np.uint16(65535)
NEVER = 1 << 29
DOUBLES, REFUSED, BARRED = range(3)
"""What an amulet does at a size: it doubles the level; the rules refuse, and it is gone; no line may step on it."""

MOST_CELLS = 1 << 16
"""Of a board: distances are kept in 16 bits."""


class Ways(NamedTuple):
    """The distances on all boards."""

    steps_at: NDArray[np.int64]  # (sizes,) offsets into steps
    steps: NDArray[np.uint16]  # per size cells * items: from the cell to the item, or FAR
    around: Ints  # (items, items) of the first board, on the torus
    amulets: NDArray[np.uint8]  # what an amulet does at each size, and at all sizes from the last on


def steps_bytes(cells: int, items: int, size: int) -> int:
    """What the distances take, in bytes, on a board of a level that begins with so many cells and items."""
    return 2 * cells * items << (4 * size)


def make_ways(boards: Boards, amulets: NDArray[np.uint8], before: Ways | None = None) -> Ways:
    """The distances on the boards that there are; those on smaller boards may be known before.

    Cost:
        O(cells * items) a board.
    """
    tables = [] if before is None else [before.steps]
    places = [] if before is None else before.steps_at.tolist()
    for size in range(len(places), boards.sizes):
        height, width = int(boards.heights[size]), int(boards.widths[size])
        at, items_at = int(boards.cells_at[size]), int(boards.items_at[size])
        passable = (boards.tiles[at : at + height * width] != WALL).reshape(height, width)
        table = np.empty((item_count(boards, size), height * width), np.uint16)
        for item in range(len(table)):
            goal = Cell(*divmod(int(boards.places[items_at + item]), width))
            table[item] = _shortened(distance_map(passable, np.array([goal]), diagonal=False)).reshape(-1)
        places.append(sum(table.size for table in tables))
        tables.append(np.ascontiguousarray(table.T).reshape(-1))
    around = _around(boards) if before is None else before.around
    return Ways(np.array(places, np.int64), np.concatenate(tables), around, amulets)


def _shortened(distance: NDArray[np.int32]) -> NDArray[np.uint16]:
    return np.where(distance == UNREACHED, FAR, distance).astype(np.uint16)


def _around(boards: Boards) -> Ints:
    """(items, items) steps on the torus; between copies of one item as far as copies are apart."""
    height, width = int(boards.heights[0]), int(boards.widths[0])
    count = int(item_count(boards, 0))
    is_open = (boards.tiles[: height * width] != WALL).reshape(height, width)
    around = np.full((count, count), NEVER, np.int32)
    for item in range(count):
        _spread(is_open, int(boards.places[item]), boards.places[:count], around[item])
        around[item, item] = min(height, width)
    return around


@kernel
def _spread(is_open: NDArray[np.bool_], start: int, goals: Ints, steps: Ints) -> None:
    """Sets the steps on the torus from a cell to the goals that can be reached."""
    height, width = is_open.shape
    found = np.full(height * width, -1, np.int32)
    queue = np.empty(height * width, np.int32)
    queue[0], found[start] = start, 0
    head, tail = 0, 1
    while head < tail:
        cell = queue[head]
        head += 1
        row, col = cell // width, cell % width
        for way in range(4):
            to_row = (row + (way == 0) - (way == 1)) % height
            to_col = (col + (way == 2) - (way == 3)) % width
            to = to_row * width + to_col
            if is_open[to_row, to_col] and found[to] < 0:
                found[to] = found[cell] + 1
                queue[tail] = to
                tail += 1
    for index in range(len(goals)):
        if found[goals[index]] >= 0:
            steps[index] = found[goals[index]]


@kernel
def still_needed(boards: Boards, ways: Ways, size: int, cell: int, needs: Ints, at: int) -> int:
    """The bound from a cell, with the row of needs that begins at an offset; NEVER where nothing leads out."""
    count = item_count(boards, size)
    base = ways.steps_at[size] + cell * count
    least = NEVER
    for item in range(count):
        steps = ways.steps[base + item]
        if steps != FAR:
            least = min(least, needs[at + item] + steps)
    return int(least)


@kernel
def fill_needs(boards: Boards, ways: Ways, size: int, goal: int, items: Words, needs: Ints) -> None:
    """Fills (treasures asked for + 1, items) needs, flat, for a set of items; goal is the tile to leave by."""
    count = item_count(boards, size)
    asked = len(needs) // count - 1
    needs[:] = NEVER
    present = np.empty(count, np.int32)
    found = amulets = treasures = 0
    for item in range(count):
        kind = kind_of(boards, item)
        if not has(items, item) or (kind == AMULET and ways.amulets[size] != DOUBLES):
            continue
        if kind == AMULET:
            amulets += 1
        elif kind == TREASURE:
            treasures += 1
        elif kind != goal:
            continue
        else:
            needs[item] = 0
        present[found] = item
        found += 1
    if amulets:
        _fill_amulets(boards, ways, size, goal, items, amulets == 1, needs)
    most = asked if amulets else min(asked, treasures)
    _fill_treasures(boards, ways, size, present[:found], most, needs.reshape((asked + 1, count)))


@kernel
def _fill_treasures(boards: Boards, ways: Ways, size: int, present: Ints, most: int, needs: NDArray[np.int32]) -> None:
    """Fills the needs of the items present that are treasure, for 1, 2 ... most asked for.

    From one treasure to another and straight back is no way to take two: so the second best way on is kept, too, which
    begins with another item than the best.
    """
    count = needs.shape[1]
    seconds, nexts = np.full((2, count), NEVER, np.int32), np.full((2, count), -1, np.int32)
    for row in range(1, most + 1):
        before, now = (row - 1) % 2, row % 2
        for item in present:
            if kind_of(boards, item) != TREASURE:
                continue
            base = ways.steps_at[size] + boards.places[boards.items_at[size] + item] * count
            best, second, best_next = NEVER, NEVER, -1
            for to in present:
                steps = ways.steps[base + to]
                if to == item or steps == FAR:
                    continue
                rest = (seconds[before, to] if nexts[before, to] == item else needs[row - 1, to]) + steps
                if rest < best:
                    best, second, best_next = rest, best, to
                elif rest < second:
                    second = rest
            needs[row, item], seconds[now, item], nexts[now, item] = best, second, best_next


@kernel
def _fill_amulets(boards: Boards, ways: Ways, size: int, goal: int, items: Words, is_last: bool, needs: Ints) -> None:
    """Fills the needs after stepping on an amulet."""
    count, kinds = item_count(boards, size), len(boards.kinds)
    asked = len(needs) // count - 1
    beyond = _needs_around(boards, ways, size, goal, items, asked)
    is_known = size + 1 < len(boards.heights)
    copies = 4 * count if is_known else 1
    next_needs = np.full((asked + 1, copies), NEVER, np.int32)
    present = np.empty(copies, np.int32)
    found = 0
    doubles_again = not is_last and ways.amulets[min(size + 1, len(ways.amulets) - 1)] == DOUBLES
    if is_known:
        for copy in range(copies):
            if not has(items, copy % count):
                continue
            kind = kind_of(boards, copy)
            if kind == AMULET and doubles_again:
                for row in range(asked + 1):
                    next_needs[row, copy] = beyond[row, copy % kinds]
            elif kind == goal:
                next_needs[0, copy] = 0
            elif kind != TREASURE:
                continue
            present[found] = copy
            found += 1
        _fill_treasures(boards, ways, size + 1, present[:found], asked, next_needs)
    for item in range(count):
        if kind_of(boards, item) == AMULET and has(items, item):
            cell = doubled_cell(boards, size, boards.places[boards.items_at[size] + item])
            for row in range(asked + 1):
                if is_known:
                    needs[row * count + item] = _next_rest(ways, size + 1, cell, item, present[:found], next_needs[row])
                else:
                    needs[row * count + item] = beyond[row, item % kinds]


@kernel
def _next_rest(ways: Ways, size: int, cell: int, item: int, present: Ints, needs: Ints) -> int:
    """What is to pay from an item's cell on, going to another of those that are present."""
    base = ways.steps_at[size] + cell * len(needs)
    rest = NEVER
    for index in range(len(present)):
        to = present[index]
        if to != item and ways.steps[base + to] != FAR:
            rest = min(rest, needs[to] + ways.steps[base + to])
    return int(rest)


@kernel
def _needs_around(boards: Boards, ways: Ways, size: int, goal: int, items: Words, asked: int) -> NDArray[np.int32]:
    """(asked + 1, items of the first board): what is to pay from each item on, wherever its copy lies."""
    kinds = len(boards.kinds)
    is_present = np.zeros(kinds, np.bool_)
    for item in range(item_count(boards, size)):
        if has(items, item):
            is_present[item % kinds] = True
    rests = np.full((asked + 1, kinds), NEVER, np.int32)
    for row in range(asked + 1):
        for item in range(kinds):
            for to in range(kinds):
                if is_present[to]:
                    steps = ways.around[item, to]
                    if row == 0 and boards.kinds[to] == goal:
                        rests[row, item] = min(rests[row, item], steps)
                    elif row > 0 and boards.kinds[to] == TREASURE:
                        rests[row, item] = min(rests[row, item], rests[row - 1, to] + steps)
    return rests
