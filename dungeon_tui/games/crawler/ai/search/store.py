"""The states that a search has found, those that wait, and the sets of items in them.

States and sets of items are found again in hash tables that compare them word by word, so nothing that is said of them
rests on a hash.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel, lean_kernel
from dungeon_tui.games.crawler.ai.kernels import Boards, Ints, Words, cell_words, item_count, item_words
from dungeon_tui.games.crawler.ai.search.ways import NEVER

COUNT, WORDS, SETS, SET_WORDS, NEEDS, NOW, TAKEN, BEST, BEST_STATE, BEST_WAY, LOST = range(11)
"""The places in a store's tally."""

CELL, TREASURE_TAKEN = uint64(24), uint64(40)
"""Where the fields of a state's first word begin: 24 bits cell, 16 treasure, 24 set of items."""

_TALLIES = 11
_SPREAD = uint64(0x9E3779B97F4A7C15)
_NONE, _INDEX, _MARK, _MARK_AT = uint64(0), uint64(0xFFFFFFFF), uint64(0xFFFFFFFF00000000), uint64(32)
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
    slots: Words  # the table: a state's index + 1 and half of its hash above it, or 0
    heads: Ints  # (bounds,) the index + 1 of the first state in each list, or 0
    set_sizes: NDArray[np.int64]  # (sets,)
    set_places: NDArray[np.int64]  # (sets,) offsets into set_words
    set_words: Words
    need_places: NDArray[np.int64]  # (sets,) offsets into needs
    needs: Ints
    set_slots: Words  # the table of sets, likewise
    tally: NDArray[np.int64]


def empty_store(states: int, words: int, sets: int, set_words: int, needs: int) -> Store:
    """A search that knows nothing, with room for so much."""
    tally = np.zeros(_TALLIES, np.int64)
    tally[[BEST, LOST]] = NEVER
    tally[BEST_STATE] = -1
    return Store(
        np.empty(words, np.uint64),
        np.empty(states, np.int64),
        np.empty(states, np.int32),
        np.empty(states, np.int32),
        np.empty(states, np.uint8),
        np.empty(states, np.int32),
        np.zeros(_table_size(states), np.uint64),
        np.zeros(_MOST_MOVES, np.int32),
        np.empty(sets, np.int64),
        np.empty(sets, np.int64),
        np.empty(set_words, np.uint64),
        np.empty(sets, np.int64),
        np.empty(needs, np.int32),
        np.zeros(_table_size(sets), np.uint64),
        tally,
    )


def _table_size(entries: int) -> int:
    """Of a table of which at most two thirds are taken by so many entries, a power of 2."""
    return 1 << (3 * entries // 2 - 1).bit_length()


def store_bytes(store: Store) -> int:
    """What the arrays take."""
    return sum(array.nbytes for array in store)


def grown(store: Store, boards: Boards, asked: int, memory: int) -> Store | None:
    """The same with more room where it is tight; None where numbers would not fit into their fields, or into memory.

    The arrays are grown where they are, as far as the system can: but for the tables, which are counted twice then,
    nothing is held twice.
    """
    largest = boards.sizes - 1
    count, words, sets, set_words, needs = store.tally[: NEEDS + 1].tolist()
    states = _larger(len(store.places), count + 8)
    all_sets = _larger(len(store.set_places), sets + 8)
    if states > _MOST_STATES or all_sets > _MOST_SETS:
        return None
    rooms = {
        "words": _larger(len(store.words), words + 8 * (1 + cell_words(boards, largest))),
        **dict.fromkeys(("places", "costs", "parents", "commands", "after"), states),
        **dict.fromkeys(("set_sizes", "set_places", "need_places"), all_sets),
        "set_words": _larger(len(store.set_words), set_words + 8 * item_words(boards, largest)),
        "needs": _larger(len(store.needs), needs + 8 * (asked + 1) * item_count(boards, largest)),
    }
    tables = 0
    for slots, entries in ((store.slots, states), (store.set_slots, all_sets)):
        size = _table_size(entries)
        tables += 8 * (size if size == len(slots) else size + len(slots))
    if tables + sum(room * getattr(store, name).itemsize for name, room in rooms.items()) > memory:
        return None
    for name, room in rooms.items():
        getattr(store, name).resize(room, refcheck=False)
    return store._replace(
        slots=_enlarged(store.slots, _table_size(states)), set_slots=_enlarged(store.set_slots, _table_size(all_sets))
    )


def _larger(room: int, wanted: int) -> int:
    while room < wanted:
        room += room // 2 + 1
    return room


def best_moves(store: Store) -> int:
    """Of the best line found so far; NEVER before that."""
    return int(store.tally[BEST])


def least_moves(store: Store) -> int:
    """What every line takes at least, as far as the search has come; NEVER once there can be none.

    No state that waits has a lower bound; a line to a board that is too large has at least the bound kept for it.
    """
    tally = store.tally
    waiting = int(tally[NOW]) if tally[NOW] < len(store.heads) else NEVER
    return int(min(waiting, tally[BEST], tally[LOST]))


def states_taken(store: Store) -> int:
    """How many states were taken out."""
    return int(store.tally[TAKEN])


def best_line(store: Store) -> list[int]:
    """The commands' numbers of the best line found."""
    state, line = int(store.tally[BEST_STATE]), [int(store.tally[BEST_WAY])]
    while store.parents[state] >= 0:
        line.append(int(store.commands[state]))
        state = int(store.parents[state])
    return line[::-1]


@lean_kernel
def is_roomy(boards: Boards, store: Store, asked: int) -> bool:
    """Whether what one state leads to fits in on any board."""
    tally, largest = store.tally, len(boards.heights) - 1
    return bool(
        tally[COUNT] + 6 < len(store.places)
        and tally[WORDS] + 6 * (1 + cell_words(boards, largest)) < len(store.words)
        and tally[SETS] + 6 < len(store.set_places)
        and tally[SET_WORDS] + 6 * item_words(boards, largest) < len(store.set_words)
        and tally[NEEDS] + 6 * (asked + 1) * item_count(boards, largest) < len(store.needs)
    )


@lean_kernel
def _hash(words: Words, at: int, length: int) -> np.uint64:
    mixed = _SPREAD
    for index in range(at, at + length):
        mixed = (mixed ^ words[index]) * _SPREAD
        mixed ^= mixed >> uint64(29)
    return mixed * _SPREAD


@lean_kernel
def are_same(words: Words, at: int, others: Words, others_at: int, length: int) -> bool:
    """Whether so many words are."""
    index = 0
    while index < length and words[at + index] == others[others_at + index]:
        index += 1
    return index == length


@lean_kernel
def find_state(store: Store, words: Words, at: int, length: int) -> tuple[np.uint64, np.uint64]:
    """The slot of a state, or the free one where it would stand; and what an entry holds above the index.

    States of one set of items are of one length.
    """
    last = uint64(len(store.slots) - 1)
    mixed = _hash(words, at, length)
    slot, mark = (mixed >> _MARK_AT) & last, mixed & _MARK
    while True:
        entry = store.slots[slot]
        if entry == _NONE:
            return slot, mark
        if entry & _MARK == mark:
            place = store.places[entry_index(entry)]
            if store.words[place] == words[at] and are_same(store.words, place, words, at, length):
                return slot, mark
        slot = (slot + uint64(1)) & last


@lean_kernel
def find_set(store: Store, size: int, words: Words, at: int, length: int) -> tuple[np.uint64, np.uint64]:
    """The same for a set of items."""
    last = uint64(len(store.set_slots) - 1)
    mixed = _hash(words, at, length) + uint64(size)
    slot, mark = (mixed >> _MARK_AT) & last, mixed & _MARK
    while True:
        entry = store.set_slots[slot]
        if entry == _NONE:
            return slot, mark
        index = entry_index(entry)
        is_size = entry & _MARK == mark and store.set_sizes[index] == size
        if is_size and are_same(store.set_words, store.set_places[index], words, at, length):
            return slot, mark
        slot = (slot + uint64(1)) & last


@lean_kernel
def entry_index(entry: np.uint64) -> int:
    """The index in a table's entry; -1 where it is free."""
    return int(np.int64(entry & _INDEX) - 1)


@lean_kernel
def entry_of(index: int, mark: np.uint64) -> np.uint64:
    """The entry of an index."""
    return mark | uint64(index + 1)


@kernel
def _enlarged(slots: Words, size: int) -> Words:
    """A table of that size with the same entries; the same table where it has that size."""
    if size == len(slots):
        return slots
    larger = np.zeros(size, np.uint64)
    last = uint64(size - 1)
    for entry in slots:
        if entry != _NONE:
            slot = (entry >> _MARK_AT) & last
            while larger[slot] != _NONE:
                slot = (slot + uint64(1)) & last
            larger[slot] = entry
    return larger
