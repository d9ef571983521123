"""The fewest moves that leave one level with so much treasure: A* over whole states.

Of a state only this is left out, since nothing can tell it apart:

- treasure beyond what is asked for: it is floor, once enough is taken;
- bumping into something: it is the same turn as staying.

States are taken out by their bound, moves made plus the heuristic (bounds.py). Where a shorter way to a state is found
it is entered once more, so the order needs no more than that the bound is none too high.

Weighted A* finds some line, soon: the heuristic weighs more than moves made.

States and sets of items are records in one array of words. A state's record is two words of links, then its key: a word
with the adventurer's cell, the treasure taken and the place of its set of items, and the monsters. The record of a set
of items is the place of its needs (bounds.py), then its key: the size of the board, and the items. Records are named by
the places of their keys. One hash table finds them again. It compares keys word by word, so nothing that is said to be
proven rests on a hash.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine._jit import inlined, kernel, lean_kernel
from dungeon_tui.games.crawler.ai.kernels import (
    CELL_WORDS,
    DIED,
    ESCAPED,
    ITEM_WORDS,
    ITEMS,
    TOOK_AMULET,
    TOOK_DOOR,
    TOOK_TREASURE,
    Boards,
    Ints,
    Words,
    double,
    doubled_cell,
    drop_kind,
    play_turn,
)
from dungeon_tui.games.crawler.ai.search.bounds import ItemSet, fill_needs, heuristic
from dungeon_tui.games.crawler.ai.search.terrain import BARRED, DOUBLES, NEVER, DistanceTables
from dungeon_tui.games.crawler.model.level import TREASURE, WAY_OUT

FREE, NEEDS, ENTRIES, NOW, TAKEN, BEST, BEST_STATE, BEST_WAY, LOST, LIMIT, SPARE = range(11)
"""Places in the tally; see `SearchNodes`."""

TREASURE_AT, SET_AT, LOW, FIELD = 16, 32, (1 << 32) - 1, (1 << 16) - 1
"""Fields of a state's first word: 16 bits cell, 16 treasure, and from bit 32 on its set; masks of both widths."""

LINKS = 2  # words before a state's key: next in its list and, from bit 32 on, parent; cost and, from bit 32 on, command

_SPREAD = -7046029254386353131
MORE, ENDED, FULL, WIDER = range(4)
"""Ends of a slice of the search: there is more to do, nothing, no room, or too few boards."""

_OVER, _OUT, _ON, _TOO_LARGE = range(4)  # a turn leads nowhere, out of the level, on, or to a board that isn't there
_MOST_LINES = 1_000_000


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


class Question(NamedTuple):
    """A question about a level; a line that needs one board more than `most_sizes` is lost, and its bound kept."""

    goal: int  # the tile to leave by
    asked: int  # treasure
    weight: int  # of the heuristic; from 2 on, any line ends the search
    most_sizes: int
    most_ahead: int  # boards up to which distances must be known a size ahead


@lean_kernel
def find_slot(nodes: SearchNodes, key: int, length: int) -> tuple[int, int]:
    """(slot, half of the hash) for the key that begins at a place: of the record with an equal key, else a free slot.

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
    """A larger copy of a hash table, with the same entries."""
    larger = np.full(size, 0, np.int64)
    for entry in slots:
        if entry != 0:
            slot = (entry >> 32) & (size - 1)
            while larger[slot] != 0:
                slot = (slot + 1) & (size - 1)
            larger[slot] = entry
    return larger


@inlined
def _play(
    boards: Boards, tables: DistanceTables, nodes: SearchNodes, question: Question, state: int, way: int, sketch: int
) -> tuple[int, int, int, int]:
    """Plays a command from a state; writes the key of the items left, then the monsters, at `sketch` or behind it.

    Returns:
        _OVER, _OUT, _ON or _TOO_LARGE; and if on, the place of that key, the adventurer's cell, the treasure taken.
    """
    words = nodes.words
    field = words[state]
    cell, treasure, items = field & FIELD, (field >> TREASURE_AT) & FIELD, field >> SET_AT
    size = words[items]
    item_words = boards.layout[size, ITEM_WORDS]
    monsters = sketch + 1 + item_words
    for word in range(1 + item_words):
        words[sketch + word] = words[items + word]
    for word in range(boards.layout[size, CELL_WORDS]):
        words[monsters + word] = words[state + 1 + word]
    has_treasure = treasure > 0 or question.asked == 0
    result, to = play_turn(boards, size, cell, way, has_treasure, words, sketch + 1)
    if result == DIED or (way < 4 and to == cell):
        return _OVER, 0, 0, 0  # dead, or the same as staying
    if result in (TOOK_DOOR, ESCAPED):
        is_goal = (result == ESCAPED) == (question.goal == WAY_OUT) and treasure >= question.asked
        return _OUT if is_goal else _OVER, 0, 0, 0
    if result == TOOK_TREASURE:
        treasure += 1
        if treasure == question.asked:
            drop_kind(boards, size, words, sketch + 1, TREASURE)
    elif result == TOOK_AMULET and tables.amulets[size] == BARRED:
        return _OVER, 0, 0, 0
    elif result == TOOK_AMULET and tables.amulets[size] == DOUBLES:
        if size + 1 >= len(boards.layout):
            return _TOO_LARGE, 0, 0, 0
        doubled = monsters + boards.layout[size, CELL_WORDS]
        words[doubled] = size + 1
        double(boards, size, words, sketch + 1, doubled + 1)
        return _ON, doubled, doubled_cell(boards, size, to), treasure
    return _ON, sketch, to, treasure


@inlined
def _find_set(boards: Boards, nodes: SearchNodes, before: int, drawn: int) -> tuple[int, int, int]:
    """(place, slot, half of its hash) of the set of items whose key `_play` wrote; place 0: it isn't recorded."""
    words = nodes.words
    length = 1 + boards.layout[words[drawn], ITEM_WORDS]
    word = 0
    while word < length and words[before + word] == words[drawn + word]:
        word += 1
    if word == length:
        return before, 0, 0
    slot, mark = find_slot(nodes, drawn, length)
    return int(nodes.slots[slot] & LOW), slot, mark


@inlined
def _set_of(
    boards: Boards, tables: DistanceTables, nodes: SearchNodes, question: Question, before: int, drawn: int
) -> int:
    """Place of the set of items whose key `_play` wrote; a new one is recorded, with its needs."""
    words, tally = nodes.words, nodes.tally
    items, slot, mark = _find_set(boards, nodes, before, drawn)
    if items != 0:
        return items
    size = words[drawn]
    length = 1 + boards.layout[size, ITEM_WORDS]
    new = tally[FREE] + 1
    words[new - 1] = tally[NEEDS]
    for word in range(length):
        words[new + word] = words[drawn + word]
    nodes.slots[slot] = mark << 32 | new
    tally[ENTRIES] += 1
    tally[FREE] = new + length
    end = tally[NEEDS] + (question.asked + 1) * boards.layout[size, ITEMS]
    fill_needs(boards, tables, ItemSet(words, new + 1, size, question.goal), nodes.needs[tally[NEEDS] : end])
    tally[NEEDS] = end
    return int(new)


@inlined
def _key_of(boards: Boards, nodes: SearchNodes, items: int, drawn: int, cell: int, treasure: int) -> tuple[int, int]:
    """Writes the key of the state after a played turn behind all records; returns its place and length."""
    words, key = nodes.words, nodes.tally[FREE] + LINKS
    size = words[drawn]
    length = 1 + boards.layout[size, CELL_WORDS]
    words[key] = cell | treasure << TREASURE_AT | items << SET_AT
    for word in range(length - 1):
        words[key + 1 + word] = words[drawn + 1 + boards.layout[size, ITEM_WORDS] + word]
    return key, length


@inlined
def _enter(
    boards: Boards, tables: DistanceTables, nodes: SearchNodes, question: Question, state: int, way: int,
    drawn: tuple[int, int, int],
) -> None:  # fmt: skip
    """Records the state that a turn leads to, if it is new, or reached in fewer moves, and may lead to a better line.

    Args:
        boards: the level.
        tables: its distances.
        nodes: changed.
        question: what is asked.
        state: that the turn began with.
        way: the turn's command.
        drawn: as `_play` gives it.
    """
    words, tally = nodes.words, nodes.tally
    place, cell, treasure = drawn
    size = words[place]
    items = _set_of(boards, tables, nodes, question, words[state] >> SET_AT, place)
    row = words[items - 1] + (question.asked - treasure) * boards.layout[size, ITEMS]
    needed = heuristic(boards, tables, size, cell, nodes.needs, row)
    if needed >= NEVER:
        return
    cost = (words[state - 1] & LOW) + 1
    bound = max(cost + question.weight * needed, tally[NOW])
    if bound >= tally[LIMIT]:
        return
    if bound >= len(nodes.heads):
        tally[LOST] = min(tally[LOST], bound)
        return
    new, length = _key_of(boards, nodes, items, place, cell, treasure)
    slot, mark = find_slot(nodes, new, length)
    if nodes.slots[slot] != 0:
        known = nodes.slots[slot] & LOW
        if words[known - 1] & LOW <= cost:
            return
        words[known - 1] |= LOW  # it is left in its list, where no cost is as high
    else:
        tally[ENTRIES] += 1
    nodes.slots[slot] = mark << 32 | new
    words[new - 2] = nodes.heads[bound] | state << 32
    words[new - 1] = cost | way << 32
    nodes.heads[bound] = new
    tally[FREE] = new + length


@lean_kernel
def search_states(
    boards: Boards, tables: DistanceTables, nodes: SearchNodes, question: Question, rooms: tuple[int, int, int],
    work: int,
) -> int:  # fmt: skip
    """Looks at up to `work` waiting states, the most promising first; returns MORE, ENDED, FULL or WIDER.

    With a weight of 1 the best line is the shortest, and the bounds are proven; with a larger one the first line found,
    whatever its length, ends the search.

    Args:
        boards: the level.
        tables: its distances.
        nodes: changed.
        question: what is asked.
        rooms: words, needs and words at the end that a state may take.
        work: how many states.
    """
    words, heads, tally = nodes.words, nodes.heads, nodes.tally
    sketch = len(words) - rooms[2]
    for _ in range(work):
        is_full = tally[FREE] + rooms[0] > len(words) or tally[NEEDS] + rooms[1] > len(nodes.needs)
        if is_full or 3 * (tally[ENTRIES] + 10) > 2 * len(nodes.slots):
            return FULL
        if question.weight > 1 and tally[BEST] < NEVER:
            return ENDED
        now = tally[NOW]
        while now < len(heads) and heads[now] == 0:
            now += 1
        tally[NOW] = now
        if now >= min(tally[LIMIT], tally[LOST]) or now >= len(heads):
            return ENDED
        state = int(heads[now])
        heads[now] = words[state - 2] & LOW
        cost, size = words[state - 1] & LOW, words[words[state] >> SET_AT]
        if cost == LOW:
            continue  # a shorter way was found
        tally[TAKEN] += 1
        for way in range(5):
            result, drawn, cell, treasure = _play(boards, tables, nodes, question, state, way, sketch)
            if result == _OUT and cost + 1 < tally[BEST]:
                tally[BEST], tally[BEST_STATE], tally[BEST_WAY] = cost + 1, state, way
                tally[LIMIT] = min(tally[LIMIT], tally[BEST] + tally[SPARE])
            if result == _TOO_LARGE or (result == _ON and words[drawn] > size):
                wanted = max(min(size + 2, question.most_sizes), min(size + 3, question.most_ahead))
                if len(boards.layout) < wanted:  # to be taken out again: what it led to is known then
                    words[state - 2] = int(heads[now]) | words[state - 2] >> 32 << 32
                    heads[now] = state
                    return WIDER
                if result == _TOO_LARGE:
                    tally[LOST] = min(tally[LOST], max(now, cost + 1))
            if result == _ON:
                _enter(boards, tables, nodes, question, state, way, (drawn, cell, treasure))
    return MORE


@lean_kernel
def count_lines(
    boards: Boards, tables: DistanceTables, nodes: SearchNodes, question: Question, start: int, moves: int, sketch: int
) -> int:
    """Number of lines out of so many moves, at most _MOST_LINES, by a search that has looked at all of their states.

    The lists are made anew, by cost; instead of its parent, each state gets the number of lines to it.
    """
    words, slots, heads = nodes.words, nodes.slots, nodes.heads
    for cost in range(moves + 1):
        heads[cost] = 0
    for slot in range(len(slots)):
        state = slots[slot] & LOW
        if slots[slot] != 0 and words[state] >> SET_AT > 0:
            cost = words[state - 1] & LOW
            if cost <= moves:
                words[state - 2] = heads[cost]
                heads[cost] = state
    words[start - 2] = 1 << 32
    heads[0] = start
    lines = 0
    for cost in range(moves):
        state = int(heads[cost])
        while state > 0:
            here = words[state - 2] >> 32
            for way in range(5 if here > 0 else 0):
                result, drawn, cell, treasure = _play(boards, tables, nodes, question, state, way, sketch)
                if result == _OUT and cost + 1 == moves:
                    lines = min(lines + here, _MOST_LINES)
                if result != _ON:
                    continue
                items, _, _ = _find_set(boards, nodes, words[state] >> SET_AT, drawn)
                if items == 0:
                    continue
                key, length = _key_of(boards, nodes, items, drawn, cell, treasure)
                slot, _ = find_slot(nodes, key, length)
                after = slots[slot] & LOW
                if after > 0 and words[after - 1] & LOW == cost + 1:
                    total = min((words[after - 2] >> 32) + here, _MOST_LINES)
                    words[after - 2] = (words[after - 2] & LOW) | total << 32
            state = words[state - 2] & LOW
    return lines
