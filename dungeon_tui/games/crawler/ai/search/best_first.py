"""The fewest moves that leave one level with so much treasure: A* over whole states.

A state is a word, which holds the adventurer's cell, the treasure taken and the number of the set of items that are
left, and the set of monsters. States and sets of items are found again in hash tables that compare them word by word,
so what is said to be proven does not rest on hashes. Of a state only this is left out, since nothing can tell it apart:

- treasure beyond what is asked for: it is floor, once enough is taken;
- bumping into something: it is the same turn as staying.

States are taken out by their bound, moves made plus moves still needed at least (bounds.py). Where a shorter way to a
state is found it is entered once more, so the order needs no more than that the bound is none too high.

For some line, soon, the same search makes haste: moves still needed weigh more than moves made.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint64

from dungeon_tui.engine._jit import lean_kernel
from dungeon_tui.games.crawler.ai.kernels import (
    DIED,
    ESCAPED,
    TOOK_AMULET,
    TOOK_DOOR,
    TOOK_TREASURE,
    Boards,
    Words,
    cell_words,
    double,
    doubled_cell,
    drop_kind,
    item_count,
    item_words,
    turn,
)
from dungeon_tui.games.crawler.ai.search.bounds import fill_needs, still_needed, still_needed_past
from dungeon_tui.games.crawler.ai.search.store import (
    BEST,
    BEST_STATE,
    BEST_WAY,
    CELL,
    COUNT,
    LOST,
    NEEDS,
    NOW,
    SET_WORDS,
    SETS,
    TAKEN,
    TREASURE_TAKEN,
    WORDS,
    Store,
    are_same,
    entry_index,
    entry_of,
    find_set,
    find_state,
    is_roomy,
)
from dungeon_tui.games.crawler.ai.search.ways import BARRED, DOUBLES, NEVER, Ways
from dungeon_tui.games.crawler.model.level import TREASURE, WAY_OUT

MORE, ENDED, FULL, WIDER = range(4)
"""How a slice of the search ends."""


class Sketch(NamedTuple):
    """Where a search draws what a turn leads to."""

    items: Words
    monsters: Words
    doubled_items: Words
    doubled_monsters: Words


def sketch_for(boards: Boards) -> Sketch:
    """Room for the sets of the largest board."""
    items, cells = item_words(boards, boards.sizes - 1), cell_words(boards, boards.sizes - 1)
    return Sketch(*(np.empty(words, np.uint64) for words in (items, cells, items, cells)))


@lean_kernel
def _number_of(boards: Boards, ways: Ways, store: Store, size: int, goal: int, asked: int, items: Words) -> int:
    """The number of a set of items; a new one gets its needs."""
    length = item_words(boards, size)
    slot, mark = find_set(store, size, items, 0, length)
    index = entry_index(store.set_slots[slot])
    if index >= 0:
        return index
    tally = store.tally
    new = tally[SETS]
    tally[SETS] += 1
    store.set_slots[slot] = entry_of(new, mark)
    store.set_sizes[new] = size
    store.set_places[new] = tally[SET_WORDS]
    for word in range(length):
        store.set_words[tally[SET_WORDS] + word] = items[word]
    tally[SET_WORDS] += length
    store.need_places[new] = tally[NEEDS]
    room = (asked + 1) * item_count(boards, size)
    fill_needs(boards, ways, size, goal, items, store.needs[tally[NEEDS] : tally[NEEDS] + room])
    tally[NEEDS] += room
    return int(new)


@lean_kernel
def _enter(
    boards: Boards, ways: Ways, store: Store, asked: int, number: int, cell: int, treasure: int,
    monsters: Words, cost: int, parent: int, way: int, weight: int,
) -> None:  # fmt: skip
    """Enters a state that is new, or reached in fewer moves, and may still lead to a better line."""
    tally = store.tally
    size = int(store.set_sizes[number])
    row = store.need_places[number] + (asked - treasure) * item_count(boards, size)
    bound = still_needed(boards, ways, size, cell, store.needs, row)
    if bound >= NEVER:
        return
    bound = max(cost + weight * bound, tally[NOW])
    if bound >= tally[BEST]:
        return
    if bound >= len(store.heads):
        tally[LOST] = min(tally[LOST], bound)
        return
    place = tally[WORDS]
    length = 1 + cell_words(boards, size)
    store.words[place] = uint64(cell) | uint64(treasure) << CELL | uint64(number) << TREASURE_TAKEN
    for word in range(length - 1):
        store.words[place + 1 + word] = monsters[word]
    slot, mark = find_state(store, store.words, place, length)
    known = entry_index(store.slots[slot])
    new = tally[COUNT]
    if known >= 0:
        if store.costs[known] <= cost:
            return
        store.costs[known] = -1
        place = store.places[known]
    else:
        tally[WORDS] += length
    tally[COUNT] += 1
    store.slots[slot] = entry_of(new, mark)
    store.places[new] = place
    store.costs[new] = cost
    store.parents[new] = parent
    store.commands[new] = way
    store.after[new] = store.heads[bound]
    store.heads[bound] = new + 1


@lean_kernel
def enter_start(
    boards: Boards, ways: Ways, store: Store, goal: int, asked: int, size: int, cell: int, items: Words, monsters: Words
) -> None:
    """Enters the first state; the items may be changed."""
    if asked == 0:
        drop_kind(boards, size, items, TREASURE)
    number = _number_of(boards, ways, store, size, goal, asked, items)
    _enter(boards, ways, store, asked, number, cell, 0, monsters, 0, -1, 0, 1)


@lean_kernel
def _fields(word: np.uint64) -> tuple[int, int, int]:
    """The set of items, the treasure taken and the cell in a state's first word."""
    number, treasure = np.int64(word >> TREASURE_TAKEN), np.int64((word >> CELL) & uint64(0xFFFF))
    return int(number), int(treasure), int(np.int64(word & uint64(0xFFFFFF)))


@lean_kernel
def _is_put_back(boards: Boards, ways: Ways, store: Store, asked: int, state: int, weight: int) -> bool:
    """Puts a state, just taken out, into a later list if the monsters make it worse; or nowhere, if it is no use."""
    tally, place = store.tally, store.places[state]
    number, treasure, cell = _fields(store.words[place])
    size = int(store.set_sizes[number])
    row = store.need_places[number] + (asked - treasure) * item_count(boards, size)
    monsters = store.words[place + 1 : place + 1 + cell_words(boards, size)]
    needed = still_needed_past(boards, ways, size, cell, monsters, store.needs, row)
    bound = store.costs[state] + weight * needed
    if needed < NEVER and bound <= tally[NOW]:
        return False
    if needed < NEVER and bound < tally[BEST]:
        if bound < len(store.heads):
            store.after[state] = store.heads[bound]
            store.heads[bound] = state + 1
        else:
            tally[LOST] = min(tally[LOST], bound)
    return True


@lean_kernel
def search_states(
    boards: Boards, ways: Ways, store: Store, goal: int, asked: int, most_sizes: int, most_ahead: int, work: int,
    weight: int, sketch: Sketch,
) -> int:  # fmt: skip
    """Takes that many states out.

    With a weight of 1 the best line is the shortest, and the bounds are proven; with a larger one the moves still
    needed count for more than those made, and the first line found, whatever its length, ends the search.

    A line that needs one board more than most_sizes is lost, and its bound kept; of boards up to most_ahead the
    distances must be known a size ahead.
    """
    tally, sizes = store.tally, len(boards.heights)
    items, monsters, more_items, more_monsters = sketch
    for _ in range(work):
        if not is_roomy(boards, store, asked):
            return FULL
        if weight > 1 and tally[BEST] < NEVER:
            return ENDED
        now = tally[NOW]
        while now < len(store.heads) and store.heads[now] == 0:
            now += 1
        tally[NOW] = now
        if now >= min(tally[BEST], tally[LOST]) or now >= len(store.heads):
            return ENDED
        state = store.heads[now] - 1
        cost = store.costs[state]
        if cost < 0:
            store.heads[now] = store.after[state]
            continue
        place = store.places[state]
        word = store.words[place]
        number, treasure, cell = _fields(word)
        size = int(store.set_sizes[number])
        set_at, set_length = store.set_places[number], item_words(boards, size)
        length = cell_words(boards, size)
        store.heads[now] = store.after[state]
        if ways.past_at[size] >= 0 and _is_put_back(boards, ways, store, asked, state, weight):
            continue
        tally[TAKEN] += 1
        for way in range(5):
            for index in range(set_length):
                items[index] = store.set_words[set_at + index]
            for index in range(length):
                monsters[index] = store.words[place + 1 + index]
            result, to = turn(boards, size, cell, way, treasure > 0 or asked == 0, items, monsters)
            if result == DIED or (way < 4 and to == cell):
                continue  # dead, or the same as staying
            if result in (TOOK_DOOR, ESCAPED):
                is_goal = (result == ESCAPED) == (goal == WAY_OUT)
                if is_goal and treasure >= asked and cost + 1 < tally[BEST]:
                    tally[BEST], tally[BEST_STATE], tally[BEST_WAY] = cost + 1, state, way
                continue
            taken = treasure
            if result == TOOK_TREASURE:
                taken += 1
                if taken == asked:
                    drop_kind(boards, size, items, TREASURE)
            elif result == TOOK_AMULET and ways.amulets[size] == BARRED:
                continue
            elif result == TOOK_AMULET and ways.amulets[size] == DOUBLES:
                if sizes < max(min(size + 2, most_sizes), min(size + 3, most_ahead)):
                    store.after[state] = store.heads[now]  # to be taken out again: what it led to is known then
                    store.heads[now] = state + 1
                    return WIDER
                if size + 1 >= sizes:
                    tally[LOST] = min(tally[LOST], max(now, cost + 1))
                    continue
                double(boards, size, items, monsters, more_items, more_monsters)
                other = _number_of(boards, ways, store, size + 1, goal, asked, more_items)
                there = doubled_cell(boards, size, to)
                _enter(boards, ways, store, asked, other, there, taken, more_monsters, cost + 1, state, way, weight)
                continue
            other = number
            if not are_same(store.set_words, set_at, items, 0, set_length):
                other = _number_of(boards, ways, store, size, goal, asked, items)
            _enter(boards, ways, store, asked, other, to, taken, monsters, cost + 1, state, way, weight)
    return MORE
