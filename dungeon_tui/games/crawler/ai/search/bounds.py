"""The heuristic: how many moves an adventurer still needs at least, from the items that are left, if no monster moved.

A bound from below: a walk over everything but pillars that steps on the treasure still asked for and then on a way out.
Treasure may be counted again when it is come back to, but not straight from the next one. An amulet may be stepped on
between any two of them; then the walk goes on among all copies of the items. After a second amulet nothing is known of
the board but that it repeats, so distances are those on the torus that the first board makes. And who takes more
treasures than there are different ones takes copies of the same, which lie apart. All of this only leaves out what real
lines must respect, so no real line is shorter.

Kept per set of items, as its needs: for each number of treasures asked for and each item, what is still to pay once it
is stepped on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dungeon_tui.engine._jit import inlined, kernel
from dungeon_tui.games.crawler.ai.kernels import (
    ITEMS,
    ITEMS_AT,
    Boards,
    Ints,
    Words,
    doubled_cell,
    has,
)
from dungeon_tui.games.crawler.ai.search.terrain import DOUBLES, FAR, NEVER, DistanceTables
from dungeon_tui.games.crawler.model.level import AMULET, TREASURE


@inlined
def heuristic(boards: Boards, tables: DistanceTables, size: int, cell: int, needs: Ints, at: int) -> int:
    """Moves still needed at least from a cell, by the row of needs at an offset; NEVER where nothing leads out."""
    count = boards.layout[size, ITEMS]
    base = tables.offsets[size] + cell * count
    least = NEVER
    for item in range(count):
        steps = int(tables.steps[base + item])
        if steps != FAR:
            least = min(least, needs[at + item] + steps)
    return least


class ItemSet(NamedTuple):
    """The items that are left on a board, and the tile to leave by."""

    words: Words
    at: int  # where the set begins
    size: int  # index of the board
    goal: int


@kernel
def fill_needs(boards: Boards, tables: DistanceTables, items: ItemSet, needs: Ints) -> None:
    """Fills in (treasures asked for + 1, items), flat: moves still needed at least from each item left on."""
    size, count = items.size, boards.layout[items.size, ITEMS]
    asked = len(needs) // count - 1
    needs[:] = NEVER
    present, amulets, treasures = _useful_items(boards, items, count, tables.amulets[size] == DOUBLES, needs)
    is_there = np.full(len(boards.kinds), 0, np.int32)  # of the first board's items, if any copy is
    for item in present:
        is_there[item % len(boards.kinds)] = 1
    floors = _floors(boards, tables, items.goal, is_there, asked)
    if amulets > 0:
        _fill_amulets(boards, tables, items, is_there, amulets == 1, floors, needs)
    most = asked if amulets > 0 else min(asked, treasures)
    _fill_treasures(boards, tables, size, present, most, floors, needs)


@kernel
def _useful_items(boards: Boards, items: ItemSet, copies: int, has_amulets: bool, needs: Ints) -> tuple[Ints, int, int]:
    """The items left, among so many copies, that a line may step on; the numbers of amulets and treasures of them.

    Sets the needs of those that are the goal to 0.
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
def _floors(boards: Boards, tables: DistanceTables, goal: int, is_there: Ints, asked: int) -> Ints:
    """(asked + 1,) a lower bound on the moves from the first of so many treasures on, whichever they are.

    Of so many treasures, as many are copies of one item as there are at least, if all items are copied as often; and
    the last one is as far from where one leaves as any is at least.
    """
    different, apart, leaving = 0, NEVER, NEVER
    for item in range(len(boards.kinds)):
        if boards.kinds[item] == TREASURE and is_there[item] > 0:
            different += 1
            apart = min(apart, tables.around[item, item])
            for to in range(len(boards.kinds)):
                if boards.kinds[to] == goal and is_there[to] > 0:
                    leaving = min(leaving, tables.around[item, to])
    floors = np.full(asked + 1, NEVER, np.int32)
    floors[0] = 0
    if different > 0 and leaving < NEVER:
        for row in range(1, asked + 1):
            floors[row] = (row - 1) // different * apart + leaving
    return floors


@kernel
def _fill_treasures(
    boards: Boards, tables: DistanceTables, size: int, present: Ints, most: int, floors: Ints, needs: Ints
) -> None:
    """Fills the needs of the items present that are treasure, for 1, 2 ... most asked for; none is below its floor.

    From one treasure to another and straight back is no way to take two: so the second best way on is kept, too, which
    begins with another item than the best.
    """
    count = boards.layout[size, ITEMS]
    seconds, nexts = np.full((2, count), NEVER, np.int32), np.full((2, count), -1, np.int32)
    rows = needs.reshape((len(needs) // count, count))
    for row in range(1, most + 1):
        before, now = (row - 1) % 2, row % 2
        for item in present:
            if boards.kinds[item % len(boards.kinds)] != TREASURE:
                continue
            base = tables.offsets[size] + boards.places[boards.layout[size, ITEMS_AT] + item] * count
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
    """Fills in the moves still needed from each amulet on, once the level has doubled."""
    size, count = items.size, boards.layout[items.size, ITEMS]
    kinds, rows = len(boards.kinds), len(floors)
    beyond = _needs_around(boards, tables, items.goal, is_there, floors)
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
    for item in range(count):
        if boards.kinds[item % kinds] != AMULET or not has(items.words, items.at, item):
            continue
        if not is_known:
            for row in range(rows):
                needs[row * count + item] = beyond[row * kinds + item % kinds]
            continue
        cell = doubled_cell(boards, size, int(boards.places[boards.layout[size, ITEMS_AT] + item]))
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
    """(asked + 1, items of the first board), flat: moves still needed from each on, wherever its copy lies."""
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
