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
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel
from dungeon_tui.games.crawler.bounds import BARRED, DOUBLES, NEVER, Ways, fill_needs, still_needed
from dungeon_tui.games.crawler.kernels import (
    DIED,
    ESCAPED,
    TOOK_AMULET,
    TOOK_DOOR,
    TOOK_TREASURE,
    Boards,
    Ints,
    Words,
    cell_words,
    double,
    doubled_cell,
    drop_kind,
    item_count,
    item_words,
    turn,
)
from dungeon_tui.games.crawler.level import TREASURE, WAY_OUT

MORE, ENDED, FULL, WIDER = range(4)
"""How a slice of the search ends."""

_COUNT, _WORDS, _SETS, _SET_WORDS, _NEEDS, _NOW, _TAKEN, _BEST, _BEST_STATE, _BEST_WAY, _LOST = range(11)
_TALLIES = 11
_CELL, _TREASURE = uint64(24), uint64(40)  # the word's fields: 24 bits cell, 16 treasure, 24 set of items
_SPREAD = uint64(0x9E3779B97F4A7C15)
_NONE = uint64(0)
_MOST_MOVES = 1 << 18
_MOST_SETS = 1 << 24
_MOST_STATES = 1 << 30


class Store(NamedTuple):
    """The states found so far, and those waiting, in lists by their bound; the sets of items in them."""

    words: Words  # the states' words, one after the other
    places: NDArray[np.int64]  # (states,) offsets into words
    costs: Ints  # (states,) moves; -1 where a shorter way was found
    parents: Ints
    commands: NDArray[np.uint8]  # the last one
    after: Ints  # the next one in the same list
    slots: Ints  # the table: a state's index + 1, or 0
    heads: Ints  # (bounds,)
    set_sizes: NDArray[np.int64]  # (sets,)
    set_places: NDArray[np.int64]  # (sets,) offsets into set_words
    set_words: Words
    need_places: NDArray[np.int64]  # (sets,) offsets into needs
    needs: Ints
    set_slots: Ints  # the table: a set's index + 1, or 0
    tally: NDArray[np.int64]


def empty_store(states: int, words: int, sets: int, set_words: int, needs: int) -> Store:
    """A search that knows nothing, with room for so much."""
    tally = np.zeros(_TALLIES, np.int64)
    tally[[_BEST, _LOST]] = NEVER
    tally[_BEST_STATE] = -1
    return Store(
        np.empty(words, np.uint64),
        np.empty(states, np.int64),
        np.empty(states, np.int32),
        np.empty(states, np.int32),
        np.empty(states, np.uint8),
        np.empty(states, np.int32),
        np.zeros(2 * states, np.int32),
        np.full(_MOST_MOVES, -1, np.int32),
        np.empty(sets, np.int64),
        np.empty(sets, np.int64),
        np.empty(set_words, np.uint64),
        np.empty(sets, np.int64),
        np.empty(needs, np.int32),
        np.zeros(2 * sets, np.int32),
        tally,
    )


def store_bytes(store: Store) -> int:
    """What the arrays take."""
    return sum(array.nbytes for array in store)


def grown(store: Store, boards: Boards, asked: int) -> Store | None:
    """The same with twice the room where it is tight; None where numbers would not fit into their fields."""
    states, words, sets, set_words, needs = (
        len(array) for array in (store.places, store.words, store.set_places, store.set_words, store.needs)
    )
    largest = boards.sizes - 1
    count, words_used, sets_used, set_words_used, needs_used = store.tally[: _NEEDS + 1].tolist()
    room = (
        _larger(states, count + 8),
        _larger(words, words_used + 8 * (1 + cell_words(boards, largest))),
        _larger(sets, sets_used + 8),
        _larger(set_words, set_words_used + 8 * item_words(boards, largest)),
        _larger(needs, needs_used + 8 * (asked + 1) * item_count(boards, largest)),
    )
    if room[0] > _MOST_STATES or room[2] > _MOST_SETS:
        return None
    larger = empty_store(*room)
    for name, old in store._asdict().items():
        if not name.endswith("slots"):
            getattr(larger, name)[: len(old)] = old
    _refill(larger, boards)
    return larger


def _larger(room: int, wanted: int) -> int:
    while room < wanted:
        room *= 2
    return room


def best_moves(store: Store) -> int:
    """Of the best line found so far; NEVER before that."""
    return int(store.tally[_BEST])


def least_moves(store: Store) -> int:
    """What every line takes at least, as far as the search has come; NEVER once there can be none.

    No state that waits has a lower bound; a line to a board that is too large has at least the bound kept for it.
    """
    tally = store.tally
    waiting = int(tally[_NOW]) if tally[_NOW] < len(store.heads) else NEVER
    return int(min(waiting, tally[_BEST], tally[_LOST]))


def states_taken(store: Store) -> int:
    """How many states were taken out."""
    return int(store.tally[_TAKEN])


def best_line(store: Store) -> list[int]:
    """The commands' numbers of the best line found."""
    state, line = int(store.tally[_BEST_STATE]), [int(store.tally[_BEST_WAY])]
    while store.parents[state] >= 0:
        line.append(int(store.commands[state]))
        state = int(store.parents[state])
    return line[::-1]


@kernel
def _hash(words: Words, at: int, length: int) -> np.uint64:
    mixed = _SPREAD
    for index in range(at, at + length):
        mixed = (mixed ^ words[index]) * _SPREAD
        mixed ^= mixed >> uint64(29)
    return mixed * _SPREAD >> uint64(20)


@kernel
def _are_same(words: Words, at: int, others: Words, others_at: int, length: int) -> bool:
    index = 0
    while index < length and words[at + index] == others[others_at + index]:
        index += 1
    return index == length


@kernel
def _find_state(store: Store, words: Words, at: int, length: int) -> np.uint64:
    """The slot of a state, or the free one where it would stand. States of one set of items are of one length."""
    last = uint64(len(store.slots) - 1)
    slot = _hash(words, at, length) & last
    while True:
        index = store.slots[slot] - 1
        if index < 0:
            return slot
        place = store.places[index]
        if store.words[place] == words[at] and _are_same(store.words, place, words, at, length):
            return slot
        slot = (slot + uint64(1)) & last


@kernel
def _find_set(store: Store, size: int, words: Words, at: int, length: int) -> np.uint64:
    """The slot of a set of items, or the free one where it would stand."""
    last = uint64(len(store.set_slots) - 1)
    slot = (_hash(words, at, length) + uint64(size)) & last
    while True:
        index = store.set_slots[slot] - 1
        if index < 0:
            return slot
        if store.set_sizes[index] == size and _are_same(store.set_words, store.set_places[index], words, at, length):
            return slot
        slot = (slot + uint64(1)) & last


@kernel
def _refill(store: Store, boards: Boards) -> None:
    """Enters all states and sets into empty tables."""
    for index in range(store.tally[_COUNT]):
        if store.costs[index] >= 0:
            place = store.places[index]
            size = int(store.set_sizes[store.words[place] >> _TREASURE])
            slot = _find_state(store, store.words, place, 1 + cell_words(boards, size))
            store.slots[slot] = index + 1
    for index in range(store.tally[_SETS]):
        size = int(store.set_sizes[index])
        slot = _find_set(store, size, store.set_words, store.set_places[index], item_words(boards, size))
        store.set_slots[slot] = index + 1


@kernel
def _number_of(boards: Boards, ways: Ways, store: Store, size: int, goal: int, asked: int, items: Words) -> int:
    """The number of a set of items; a new one gets its needs."""
    length = item_words(boards, size)
    slot = _find_set(store, size, items, 0, length)
    index = store.set_slots[slot] - 1
    if index >= 0:
        return int(index)
    tally = store.tally
    new = tally[_SETS]
    tally[_SETS] += 1
    store.set_slots[slot] = new + 1
    store.set_sizes[new] = size
    store.set_places[new] = tally[_SET_WORDS]
    for word in range(length):
        store.set_words[tally[_SET_WORDS] + word] = items[word]
    tally[_SET_WORDS] += length
    store.need_places[new] = tally[_NEEDS]
    room = (asked + 1) * item_count(boards, size)
    fill_needs(boards, ways, size, goal, items, store.needs[tally[_NEEDS] : tally[_NEEDS] + room])
    tally[_NEEDS] += room
    return int(new)


@kernel
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
    bound = max(cost + weight * bound, tally[_NOW])
    if bound >= tally[_BEST]:
        return
    if bound >= len(store.heads):
        tally[_LOST] = min(tally[_LOST], bound)
        return
    place = tally[_WORDS]
    length = 1 + cell_words(boards, size)
    store.words[place] = uint64(cell) | uint64(treasure) << _CELL | uint64(number) << _TREASURE
    for word in range(length - 1):
        store.words[place + 1 + word] = monsters[word]
    slot = _find_state(store, store.words, place, length)
    known = store.slots[slot] - 1
    new = tally[_COUNT]
    if known >= 0:
        if store.costs[known] <= cost:
            return
        store.costs[known] = -1
        place = store.places[known]
    else:
        tally[_WORDS] += length
    tally[_COUNT] += 1
    store.slots[slot] = new + 1
    store.places[new] = place
    store.costs[new] = cost
    store.parents[new] = parent
    store.commands[new] = way
    store.after[new] = store.heads[bound]
    store.heads[bound] = new


@kernel
def enter_start(
    boards: Boards, ways: Ways, store: Store, goal: int, asked: int, cell: int, items: Words, monsters: Words
) -> None:
    """Enters the first state."""
    if asked == 0:
        drop_kind(boards, 0, items, TREASURE)
    number = _number_of(boards, ways, store, 0, goal, asked, items)
    _enter(boards, ways, store, asked, number, cell, 0, monsters, 0, -1, 0, 1)


@kernel
def _fields(word: np.uint64) -> tuple[int, int, int]:
    """The set of items, the treasure taken and the cell in a state's first word."""
    number, treasure = np.int64(word >> _TREASURE), np.int64((word >> _CELL) & uint64(0xFFFF))
    return int(number), int(treasure), int(np.int64(word & uint64(0xFFFFFF)))


@kernel
def is_roomy(boards: Boards, store: Store, asked: int) -> bool:
    """Whether what one state leads to fits in on any board."""
    tally, largest = store.tally, len(boards.heights) - 1
    return bool(
        tally[_COUNT] + 6 < len(store.places)
        and tally[_WORDS] + 6 * (1 + cell_words(boards, largest)) < len(store.words)
        and tally[_SETS] + 6 < len(store.set_places)
        and tally[_SET_WORDS] + 6 * item_words(boards, largest) < len(store.set_words)
        and tally[_NEEDS] + 6 * (asked + 1) * item_count(boards, largest) < len(store.needs)
    )


@kernel
def search_states(
    boards: Boards, ways: Ways, store: Store, goal: int, asked: int, most_sizes: int, most_ahead: int, work: int,
    weight: int,
) -> int:  # fmt: skip
    """Takes that many states out.

    With a weight of 1 the best line is the shortest, and the bounds are proven; with a larger one the moves still
    needed count for more than those made, and the first line found, whatever its length, ends the search.

    A line that needs one board more than most_sizes is lost, and its bound kept; of boards up to most_ahead the
    distances must be known a size ahead.
    """
    tally, sizes = store.tally, len(boards.heights)
    items = np.empty(item_words(boards, sizes - 1), np.uint64)
    monsters = np.empty(cell_words(boards, sizes - 1), np.uint64)
    more_items, more_monsters = np.empty_like(items), np.empty_like(monsters)
    for _ in range(work):
        if not is_roomy(boards, store, asked):
            return FULL
        if weight > 1 and tally[_BEST] < NEVER:
            return ENDED
        now = tally[_NOW]
        while now < len(store.heads) and store.heads[now] < 0:
            now += 1
        tally[_NOW] = now
        if now >= min(tally[_BEST], tally[_LOST]) or now >= len(store.heads):
            return ENDED
        state = store.heads[now]
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
        tally[_TAKEN] += 1
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
                if is_goal and treasure >= asked and cost + 1 < tally[_BEST]:
                    tally[_BEST], tally[_BEST_STATE], tally[_BEST_WAY] = cost + 1, state, way
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
                    store.heads[now] = state
                    return WIDER
                if size + 1 >= sizes:
                    tally[_LOST] = min(tally[_LOST], max(now, cost + 1))
                    continue
                double(boards, size, items, monsters, more_items, more_monsters)
                other = _number_of(boards, ways, store, size + 1, goal, asked, more_items)
                there = doubled_cell(boards, size, to)
                _enter(boards, ways, store, asked, other, there, taken, more_monsters, cost + 1, state, way, weight)
                continue
            other = number
            if not _are_same(store.set_words, set_at, items, 0, set_length):
                other = _number_of(boards, ways, store, size, goal, asked, items)
            _enter(boards, ways, store, asked, other, to, taken, monsters, cost + 1, state, way, weight)
    return MORE
