"""The heuristic: a lower bound on the moves still needed, from the items that are left, as if no monster moved.

It is the length of a walk that pillars alone block, and that steps on the wanted number of treasures and then on a way
out. The relaxations: a treasure counts again when the walk returns to it, but not straight from the next one; between
any two treasures the walk may step on an amulet and continue among all copies of the items; after a second amulet the
walk only knows that the board repeats, so distances are those on the torus of the first board. A walk that takes more
treasures than there are different ones takes copies of the same treasure, which lie apart. No real line is shorter.

Each set of items has its needs: the moves still needed after stepping on each item, for each number of treasures
wanted.
"""

from typing import NamedTuple

import numpy as np

from dungeon_tui.engine.jit import inlined, kernel
from dungeon_tui.games.crawler.ai.kernels import ITEMS, ITEMS_AT, Boards, Ints, Words, doubled_cell, has
from dungeon_tui.games.crawler.ai.search.terrain import DOUBLES, FAR, NEVER, DistanceTables
from dungeon_tui.games.crawler.model.level import AMULET, TREASURE


@inlined
def heuristic(boards: Boards, tables: DistanceTables, size: int, cell: int, needs: Ints, at: int) -> int:
    """Lower bound on the moves from a cell, using the row of needs at an offset; NEVER if no line leads out."""
    count = boards.layout[size, ITEMS]
    base = tables.offsets[size] + cell * count
    least = NEVER
    for item in range(count):
        steps = int(tables.steps[base + item])
        if steps != FAR:
            least = min(least, needs[at + item] + steps)
    return least


class ItemSet(NamedTuple):
    """The items left on a board, and the tile to leave by."""

    words: Words
    at: int  # offset of the set
    size: int  # index of the board
    goal: int


@kernel
def fill_needs(boards: Boards, tables: DistanceTables, items: ItemSet, needs: Ints) -> None:
    """Fills in (treasures wanted + 1, items), flat: moves still needed after stepping on each item."""
    size, count = items.size, boards.layout[items.size, ITEMS]
    wanted = len(needs) // count - 1
    needs[:] = NEVER
    present, amulets, treasures = _useful_items(boards, items, count, tables.amulets[size] == DOUBLES, needs)
    is_there = np.full(len(boards.kinds), 0, np.int32)  # for items of the first board: 1 if any copy is left
    for item in present:
        is_there[item % len(boards.kinds)] = 1
    floors = _floors(boards, tables, items.goal, is_there, wanted)
    if amulets > 0:
        _fill_amulets(boards, tables, items, is_there, amulets == 1, floors, needs)
    most = wanted if amulets > 0 else min(wanted, treasures)
    _fill_treasures(boards, tables, size, present, most, floors, needs)


@kernel
def _useful_items(boards: Boards, items: ItemSet, copies: int, has_amulets: bool, needs: Ints) -> tuple[Ints, int, int]:
    """The items left that a line may step on, and the numbers of amulets and treasures among them.

    `copies` items are looked up: those of the board, or of the doubled one. Sets the needs of the goal's tiles to 0.
    """
    present = np.full(copies, 0, np.int32)
    found = amulets = treasures = 0
    for item in range(copies):
        kind = boards.kinds[item % len(boards.kinds)]
        is_amulet = kind == AMULET and has_amulets
        if not (is_amulet or kind == TREASURE or kind == items.goal):
            continue
        if not has(items.words, items.at, item % boards.layout[items.size, ITEMS]):
            continue
        amulets += is_amulet
        treasures += kind == TREASURE
        if kind == items.goal:
            needs[item] = 0
        present[found] = item
        found += 1
    return present[:found], amulets, treasures


@kernel
def _floors(boards: Boards, tables: DistanceTables, goal: int, is_there: Ints, wanted: int) -> Ints:
    """(wanted + 1,) for each number of treasures a lower bound on the moves from the first one on.

    With d different treasures, (n - 1) // d of n treasures are copies of earlier ones and at least as far away as the
    closest two copies are; the last is at least as far from the goal as the closest treasure.
    """
    different, apart, leaving = 0, NEVER, NEVER
    for item in range(len(boards.kinds)):
        if boards.kinds[item] == TREASURE and is_there[item] > 0:
            different += 1
            apart = min(apart, tables.around[item, item])
            for to in range(len(boards.kinds)):
                if boards.kinds[to] == goal and is_there[to] > 0:
                    leaving = min(leaving, tables.around[item, to])
    floors = np.full(wanted + 1, NEVER, np.int32)
    floors[0] = 0
    if different > 0 and leaving < NEVER:
        for row in range(1, wanted + 1):
            floors[row] = (row - 1) // different * apart + leaving
    return floors


@kernel
def _fill_treasures(
    boards: Boards, tables: DistanceTables, size: int, present: Ints, most: int, floors: Ints, needs: Ints
) -> None:
    """Fills in the needs of the treasures for 1, 2 ... `most` wanted ones; none is below its floor.

    Stepping from one treasure to another and back doesn't take two. So besides the best continuation of each treasure,
    the best one with another next item is stored.
    """
    count = boards.layout[size, ITEMS]
    seconds, nexts = np.full((2, count), NEVER, np.int32), np.full((2, count), -1, np.int32)
    rows = needs.reshape((len(needs) // count, count))
    for row in range(1, most + 1):
        before, now = (row - 1) % 2, row % 2
        for item in present:
            if boards.kinds[item % len(boards.kinds)] != TREASURE:
                continue
            base = tables.offsets[size] + boards.item_cells[boards.layout[size, ITEMS_AT] + item] * count
            best, second, best_next = NEVER, NEVER, -1
            for to in present:
                steps = int(tables.steps[base + to])
                if to == item or steps == FAR:
                    continue
                rest = (seconds[before, to] if nexts[before, to] == item else rows[row - 1, to]) + steps
                if rest < best:
                    best, second, best_next = rest, best, int(to)
                elif rest < second:
                    second = rest
            rows[row, item], nexts[now, item] = max(best, floors[row]), best_next
            seconds[now, item] = max(second, floors[row])


@kernel
def _fill_amulets(
    boards: Boards, tables: DistanceTables, items: ItemSet, is_there: Ints, is_last: bool, floors: Ints, needs: Ints
) -> None:
    """Fills in the needs of the amulets: the moves after the level has doubled."""
    size, count = items.size, boards.layout[items.size, ITEMS]
    kinds, rows = len(boards.kinds), len(floors)
    beyond = _needs_around(boards, tables, items.goal, is_there, floors)

    # The needs on the doubled board, if it is made.
    is_known = size + 1 < len(boards.layout)
    copies = 4 * count if is_known else 0
    next_needs = np.full(rows * copies, NEVER, np.int32)
    doubles_again = not is_last and tables.amulets[min(size + 1, len(tables.amulets) - 1)] == DOUBLES
    present, _, treasures = _useful_items(boards, items, copies, doubles_again, next_needs)
    if is_known:
        for copy in present:
            if boards.kinds[copy % kinds] == AMULET:
                for row in range(rows):
                    next_needs[row * copies + copy] = beyond[row * kinds + copy % kinds]
        most = rows - 1 if doubles_again else min(rows - 1, treasures)
        _fill_treasures(boards, tables, size + 1, present, most, floors, next_needs)

    # From each amulet: to any item of the doubled board, or, if that isn't made, around the torus.
    for item in range(count):
        if boards.kinds[item % kinds] != AMULET or not has(items.words, items.at, item):
            continue
        if not is_known:
            for row in range(rows):
                needs[row * count + item] = beyond[row * kinds + item % kinds]
            continue
        cell = doubled_cell(boards, size, int(boards.item_cells[boards.layout[size, ITEMS_AT] + item]))
        base = tables.offsets[size + 1] + cell * copies
        for row in range(rows):
            rest = NEVER
            for to in present:
                steps = int(tables.steps[base + to])
                if to != item and steps != FAR:
                    rest = min(rest, next_needs[row * copies + to] + steps)
            needs[row * count + item] = rest


@kernel
def _needs_around(boards: Boards, tables: DistanceTables, goal: int, is_there: Ints, floors: Ints) -> Ints:
    """(wanted + 1, items of the first board), flat: moves still needed after stepping on any copy of each."""
    kinds = len(boards.kinds)
    rests = np.full(len(floors) * kinds, NEVER, np.int32)
    for to in range(kinds):
        if boards.kinds[to] == goal and is_there[to] > 0:
            for item in range(kinds):
                rests[item] = min(rests[item], tables.around[item, to])
    for row in range(1, len(floors)):
        for to in range(kinds):
            if boards.kinds[to] == TREASURE and is_there[to] > 0:
                rest = max(rests[(row - 1) * kinds + to], floors[row])
                for item in range(kinds):
                    rests[row * kinds + item] = min(rests[row * kinds + item], rest + tables.around[item, to])
    return rests
