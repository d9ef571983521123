"""How many moves an adventurer still needs at least, from the items that are left, as if no monster moved.

A bound from below: a walk over everything but pillars that steps on the treasure still asked for and then on a way out.
Treasure may be counted again when it is come back to, but not straight from the next one. An amulet may be stepped on
between any two of them; then the walk goes on among all copies of the items. After a second amulet nothing is known of
the board but that it repeats, so distances are those on the torus that the first board makes. And who takes more
treasures than there are different ones takes copies of the same, which lie apart. All of this only leaves out what real
lines must respect, so no real line is shorter.

Monsters don't see or stop each other: each goes by the adventurer's cells alone. So no line gets to its next item
sooner, and alive, than with any one of the monsters on a board without items. In long searches that is looked at, too.

Kept per set of items: for each item and each number of treasures asked for, what is still to pay once it is stepped
on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel, lean_kernel
from dungeon_tui.games.crawler.ai.kernels import (
    ONE,
    Boards,
    Ints,
    Words,
    cell_words,
    doubled_cell,
    has,
    item_count,
    kind_of,
)
from dungeon_tui.games.crawler.ai.search.ways import DOUBLES, FAR, NEVER, Ways
from dungeon_tui.games.crawler.model.level import AMULET, TREASURE


@lean_kernel
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


@lean_kernel
def still_needed_past(boards: Boards, ways: Ways, size: int, cell: int, monsters: Words, needs: Ints, at: int) -> int:
    """The same on a board where the walks past a monster are known, each monster looked at alone."""
    count, cells = item_count(boards, size), boards.heights[size] * boards.widths[size]
    base = ways.steps_at[size] + cell * count
    least = NEVER
    for item in range(count):
        most = ways.steps[base + item]
        if most == FAR or needs[at + item] + most >= least:
            continue
        for word in range(cell_words(boards, size)):
            rest, monster = monsters[word], 64 * word
            while rest:
                if rest & ONE:
                    most = max(most, ways.steps[ways.past_at[size] + (cell * cells + monster) * count + item])
                rest >>= ONE
                monster += 1
        if most != FAR:
            least = min(least, needs[at + item] + most)
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
    floors = _floors(boards, ways, size, goal, items, asked)
    if amulets:
        _fill_amulets(boards, ways, size, goal, items, amulets == 1, floors, needs)
    most = asked if amulets else min(asked, treasures)
    _fill_treasures(boards, ways, size, present[:found], most, floors, needs.reshape((asked + 1, count)))


@kernel
def _floors(boards: Boards, ways: Ways, size: int, goal: int, items: Words, asked: int) -> Ints:
    """(asked + 1,) what is to pay from the first of so many treasures on, whichever they are and however often copied.

    Of so many treasures, as many are copies of one item as there are at least, if all items are copied as often; and
    the last one is as far from where one leaves as any is at least.
    """
    is_present = _present_kinds(boards, size, items)
    different, apart, leaving = 0, NEVER, NEVER
    for item in range(len(boards.kinds)):
        if is_present[item] and boards.kinds[item] == TREASURE:
            different += 1
            apart = min(apart, ways.around[item, item])
            for to in range(len(boards.kinds)):
                if is_present[to] and boards.kinds[to] == goal:
                    leaving = min(leaving, ways.around[item, to])
    floors = np.zeros(asked + 1, np.int32)
    for row in range(1, asked + 1):
        if different == 0 or leaving == NEVER:
            floors[row] = NEVER
        else:
            floors[row] = (row - 1) // different * apart + leaving
    return floors


@kernel
def _present_kinds(boards: Boards, size: int, items: Words) -> NDArray[np.bool_]:
    """(items of the first board,) whether a copy of each is there."""
    kinds = len(boards.kinds)
    is_present = np.zeros(kinds, np.bool_)
    for item in range(item_count(boards, size)):
        if has(items, item):
            is_present[item % kinds] = True
    return is_present


@kernel
def _fill_treasures(
    boards: Boards, ways: Ways, size: int, present: Ints, most: int, floors: Ints, needs: NDArray[np.int32]
) -> None:
    """Fills the needs of the items present that are treasure, for 1, 2 ... most asked for; none is below its floor.

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
            needs[row, item], nexts[now, item] = max(best, floors[row]), best_next
            seconds[now, item] = max(second, floors[row])


@kernel
def _fill_amulets(
    boards: Boards, ways: Ways, size: int, goal: int, items: Words, is_last: bool, floors: Ints, needs: Ints
) -> None:
    """Fills the needs after stepping on an amulet."""
    count, kinds = item_count(boards, size), len(boards.kinds)
    asked = len(needs) // count - 1
    beyond = _needs_around(boards, ways, size, goal, items, floors)
    is_known = size + 1 < len(boards.heights)
    copies = 4 * count if is_known else 1
    next_needs = np.full((asked + 1, copies), NEVER, np.int32)
    present = np.empty(copies, np.int32)
    found = 0
    doubles_again = not is_last and ways.amulets[min(size + 1, len(ways.amulets) - 1)] == DOUBLES
    treasures = 0
    if is_known:
        for copy in range(copies):
            if not has(items, copy % count):
                continue
            kind = kind_of(boards, copy)
            if kind == AMULET and doubles_again:
                for row in range(asked + 1):
                    next_needs[row, copy] = beyond[row, copy % kinds]
            elif kind == TREASURE:
                treasures += 1
            elif kind == goal:
                next_needs[0, copy] = 0
            else:
                continue
            present[found] = copy
            found += 1
        most = asked if doubles_again else min(asked, treasures)
        _fill_treasures(boards, ways, size + 1, present[:found], most, floors, next_needs)
    for item in range(count):
        if kind_of(boards, item) == AMULET and has(items, item):
            cell = doubled_cell(boards, size, boards.places[boards.items_at[size] + item])
            for row in range(asked + 1):
                if is_known:
                    needs[row * count + item] = _next_rest(ways, size + 1, cell, item, present[:found], next_needs[row])
                else:
                    needs[row * count + item] = beyond[row, item % kinds]


@lean_kernel
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
def _needs_around(boards: Boards, ways: Ways, size: int, goal: int, items: Words, floors: Ints) -> NDArray[np.int32]:
    """(asked + 1, items of the first board): what is to pay from each item on, wherever its copy lies."""
    kinds = len(boards.kinds)
    is_present = _present_kinds(boards, size, items)
    rests = np.full((len(floors), kinds), NEVER, np.int32)
    for row in range(len(floors)):
        for item in range(kinds):
            for to in range(kinds):
                if is_present[to]:
                    steps = ways.around[item, to]
                    if row == 0 and boards.kinds[to] == goal:
                        rests[row, item] = min(rests[row, item], steps)
                    elif row > 0 and boards.kinds[to] == TREASURE:
                        rests[row, item] = min(rests[row, item], max(rests[row - 1, to], floors[row]) + steps)
    return rests
