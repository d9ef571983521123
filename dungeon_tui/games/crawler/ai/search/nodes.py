"""The states that a search has found, those that wait, and the sets of items in them: records in one array of words.

A state's record is two words of links, then its key: a word with the adventurer's cell, the treasure taken and the
place of its set of items, and the monsters. The record of a set of items is the place of its needs (bounds.py), then
its key: the size of the board, and the items. Records are named by the places of their keys.

One hash table finds them again. It compares keys word by word, so nothing that is said to be proven rests on a hash.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel, lean_kernel
from dungeon_tui.games.crawler.ai.kernels import CELL_WORDS, ITEM_WORDS, ITEMS, Boards, Ints, Words
from dungeon_tui.games.crawler.ai.search.distances import NEVER

FREE, NEEDS, ENTRIES, NOW, TAKEN, BEST, BEST_STATE, BEST_WAY, LOST, LIMIT, SPARE = range(11)
"""Places in the tally; see `SearchNodes`."""

TREASURE_AT, SET_AT, LOW, FIELD = 16, 32, (1 << 32) - 1, (1 << 16) - 1
"""Fields of a state's first word: 16 bits cell, 16 treasure, and from bit 32 on its set; masks of both widths."""

LINKS = 2  # words before a state's key: next in its list and, from bit 32 on, parent; cost and, from bit 32 on, command

_SPREAD = -7046029254386353131
_MOST_MOVES = 1 << 18
_MOST_WORDS = 1 << 31


class SearchNodes(NamedTuple):
    """All records of a search.

    The tally holds: the words and the needs that are taken, the entries of the table, the bound of the states that are
    taken out now, how many were, the fewest moves out, the state and the command that these end with, the least bound
    of what was left out since boards are too large or lines too long, the bound from which on states are left out, and
    how much longer than the best line others may be.
    """

    words: Words
    slots: Words  # the table: a record's place and half of its hash above it, or 0
    heads: Ints  # (bounds,) the first state in the list of those that wait, or 0
    needs: Ints
    tally: NDArray[np.int64]


def first_nodes(boards: Boards, asked: int, start: tuple[int, Words, Words], size: int) -> SearchNodes:
    """Those of a search that begins; the needs of the first set are still to be filled.

    Args:
        boards: the level.
        asked: treasure to take.
        start: the adventurer's cell, the items and the monsters.
        size: index of the board.
    """
    cell, items, monsters = start
    tally = np.zeros(11, np.int64)
    tally[[BEST, LOST, LIMIT]] = NEVER
    tally[BEST_STATE] = -1
    state = 2 + len(items) + LINKS
    record = np.concatenate([[0, size], items, [0, 0, cell | 1 << SET_AT], monsters])
    tally[[FREE, NEEDS]] = len(record), (asked + 1) * boards.layout[size, ITEMS]
    heads = np.zeros(_MOST_MOVES, np.int32)
    heads[0] = state
    words = np.zeros(1 << 12, np.int64)
    words.resize(max(1 << 12, len(record)), refcheck=False)
    words[: len(record)] = record
    needs = np.empty(max(1 << 10, int(tally[NEEDS])), np.int32)
    return SearchNodes(words, np.zeros(1 << 11, np.int64), heads, needs, tally)


def start_of(nodes: SearchNodes, boards: Boards) -> int:
    """Place of the first state."""
    return 2 + int(boards.layout[nodes.words[1], ITEM_WORDS]) + LINKS


def rooms(boards: Boards, asked: int) -> tuple[int, int]:
    """The words and the needs that one state may take more, whatever it leads to."""
    items, cells = (int(boards.layout[-1, column]) for column in (ITEM_WORDS, CELL_WORDS))
    return 5 * (items + cells + 5) + sketch_words(boards), 5 * (asked + 1) * int(boards.layout[-1, ITEMS])


def sketch_words(boards: Boards) -> int:
    """The words at the end where a turn is drawn: two keys of sets, each followed by monsters."""
    return 2 * int(1 + boards.layout[-1, ITEM_WORDS] + boards.layout[-1, CELL_WORDS])


def grown(nodes: SearchNodes, boards: Boards, asked: int, memory: int) -> SearchNodes | None:
    """The same with more room where it is tight; None where it would not fit into so many bytes.

    The arrays are grown where they are, as far as the system can: but for the table, which is counted twice then,
    nothing is held twice.
    """
    more_words, more_needs = rooms(boards, asked)
    words = _larger(len(nodes.words), int(nodes.tally[FREE]) + 2 * more_words)
    needs = _larger(len(nodes.needs), int(nodes.tally[NEEDS]) + 2 * more_needs)
    slots = len(nodes.slots)
    while 2 * slots < 3 * (int(nodes.tally[ENTRIES]) + 10):
        slots *= 2
    table = slots if slots == len(nodes.slots) else slots + len(nodes.slots)
    if words > _MOST_WORDS or 8 * (words + table) + 4 * (needs + len(nodes.heads)) > memory:
        return None
    nodes.words.resize(words, refcheck=False)
    nodes.needs.resize(needs, refcheck=False)
    return nodes if slots == len(nodes.slots) else nodes._replace(slots=enlarged(nodes.slots, slots))


def _larger(room: int, wanted: int) -> int:
    while room < wanted:
        room += room // 2
    return room


def nodes_bytes(nodes: SearchNodes | None) -> int:
    """Bytes of the arrays."""
    return 0 if nodes is None else sum(array.nbytes for array in nodes)


def least_moves(nodes: SearchNodes) -> int:
    """A bound from below on every line, as far as the search has come; NEVER once there can be none.

    No state that waits has a lower bound; a line to a board that is too large has at least the bound kept for it.
    """
    tally = nodes.tally
    waiting = int(tally[NOW]) if tally[NOW] < len(nodes.heads) else NEVER
    return int(min(waiting, tally[BEST], tally[LOST]))


def best_line(nodes: SearchNodes, boards: Boards) -> list[int]:
    """The commands' numbers of the best line found."""
    state, line, start = int(nodes.tally[BEST_STATE]), [int(nodes.tally[BEST_WAY])], start_of(nodes, boards)
    while state != start:
        links, cost = nodes.words[state - 2 : state].tolist()
        line.append(cost >> 32)
        state = links >> 32
    return line[::-1]


@lean_kernel
def find_slot(nodes: SearchNodes, key: int, length: int) -> tuple[int, int]:
    """The slot of the record whose key is that at a place, or the free one where it would stand, and half of its hash.

    Keys that begin with the same word are as long.
    """
    words, slots = nodes.words, nodes.slots
    mixed = _SPREAD
    for word in range(key, key + length):
        mixed = (mixed ^ words[word]) * _SPREAD
        mixed ^= mixed >> 29
    mark = mixed >> 32
    last = len(slots) - 1
    slot = mark & last
    while slots[slot] != 0:
        if slots[slot] >> 32 == mark:
            other, word = slots[slot] & LOW, 0
            while word < length and words[other + word] == words[key + word]:
                word += 1
            if word == length:
                return slot, mark
        slot = (slot + 1) & last
    return slot, mark


@kernel
def enlarged(slots: Words, size: int) -> Words:
    """A table of that size with the same entries."""
    larger = np.full(size, 0, np.int64)
    for entry in slots:
        if entry != 0:
            slot = (entry >> 32) & (size - 1)
            while larger[slot] != 0:
                slot = (slot + 1) & (size - 1)
            larger[slot] = entry
    return larger
