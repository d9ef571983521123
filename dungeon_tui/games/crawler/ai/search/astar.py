"""A* over whole states: the fewest moves that leave one level with a wanted amount of treasure.

A state is the whole level, with two simplifications that change no result: treasure becomes floor when
enough is taken, and bumping into something counts as staying.

States leave the queue by their bound, the moves made plus the heuristic (bounds.py). If the search finds a shorter way
to a state, it enters the state again, so the heuristic must be admissible but need not be consistent. Weighted A* gives
the heuristic more weight than the moves made and finds any line soon.

States and sets of items are records in one array of words, named by the offset of their key. A state's record is two
words of links, then its key: a word with the adventurer's cell, the treasure taken and the offset of its set of items;
then the monsters. The record of a set of items is the offset of its needs (bounds.py), then its key: the size of the
board, and the items. One hash table finds both kinds of record. It compares keys word by word, so no proof rests on a
hash.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine.jit import inlined, kernel, lean_kernel
from dungeon_tui.games.crawler.ai import kernels
from dungeon_tui.games.crawler.ai.kernels import Boards, Ints, Words, double, doubled_cell, drop_kind, play_turn
from dungeon_tui.games.crawler.ai.search.bounds import ItemSet, fill_needs, heuristic
from dungeon_tui.games.crawler.ai.search.terrain import BARRED, DOUBLES, NEVER, DistanceTables
from dungeon_tui.games.crawler.model.level import TREASURE, WAY_OUT

FREE, NEEDS, ENTRIES, NOW, TAKEN, BEST, BEST_STATE, BEST_WAY, LOST, LIMIT, SPARE = range(11)
"""Indices into the tally; see `SearchNodes`."""

TREASURE_AT, SET_AT, LOW, FIELD = 16, 32, (1 << 32) - 1, (1 << 16) - 1
"""Fields of the first word of a state's key: 16 bits cell, 16 bits treasure, then its set; masks of 32 and 16 bits."""

LINKS = 2  # words before a state's key: next state in its list and parent; cost and command; 32 bits each

_SPREAD = -7046029254386353131
MORE, ENDED, FULL, WIDER = range(4)
"""Results of a slice of the search: more to do, nothing left, arrays full, or a larger board needed."""

_OVER, _OUT, _ON, _TOO_LARGE = range(4)  # a turn leads nowhere, out of the level, on, or to a board not yet made
_MOST_LINES = 1_000_000


class SearchNodes(NamedTuple):
    """All records of a search.

    The tally holds the words and the needs in use, the entries of the table, the current bound, the states visited, the
    fewest moves out with the last state and command of that line, the least bound of a state that was dropped because
    its board is too large or its line too long, the limit (states with this bound or a higher one are dropped), and how
    much longer than the best line others may be.
    """

    words: Words
    slots: Words  # the hash table: a record's offset, with half of its hash in the upper 32 bits; or 0
    heads: Ints  # (bounds,) the first state in the queue for each bound, or 0
    needs: Ints
    tally: NDArray[np.int64]


class Question(NamedTuple):
    """The line to search for; the tally keeps the bound of lines that need more than `most_sizes` boards."""

    goal: int  # the tile to leave by
    wanted: int  # treasure to take
    weight: int  # of the heuristic; from 2 on, any line ends the search
    most_sizes: int


@lean_kernel
def _next_of(words: Words, state: int) -> int:
    return int(words[state - 2] & LOW)


@lean_kernel
def _parent_of(words: Words, state: int) -> int:
    """The state before; for `count_lines` the number of lines to this state."""
    return int(words[state - 2] >> 32)


@lean_kernel
def _cost_of(words: Words, state: int) -> int:
    """Moves made; LOW if the search has found a shorter way since."""
    return int(words[state - 1] & LOW)


@lean_kernel
def _items_of(words: Words, state: int) -> int:
    """The state's set of items; 0 if the record is itself a set."""
    return int(words[state] >> SET_AT)


@lean_kernel
def _needs_of(words: Words, items: int) -> int:
    """The offset of the needs of a set of items."""
    return int(words[items - 1])


@lean_kernel
def _record_at(slots: Words, slot: int) -> int:
    """The record in a slot, or 0."""
    return int(slots[slot] & LOW)


@lean_kernel
def find_slot(nodes: SearchNodes, key: int, length: int) -> tuple[int, int]:
    """(slot, half of the hash) for the key at an offset: the slot of the record with an equal key, else a free slot.

    Keys with the same first word have the same length.
    """
    words, slots = nodes.words, nodes.slots

    # Hash the key.
    mixed = _SPREAD
    for word in range(key, key + length):
        mixed = (mixed ^ words[word]) * _SPREAD
        mixed ^= mixed >> 29
    mark = mixed >> 32

    # Probe until a free slot or an equal key; compare keys only if their hashes agree.
    last = len(slots) - 1
    slot = mark & last
    while slots[slot] != 0:
        if slots[slot] >> 32 == mark:
            other, word = _record_at(slots, slot), 0
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
        _OVER, _OUT, _ON or _TOO_LARGE; for _ON also the offset of that key, the adventurer's cell and the treasure
        taken.
    """
    words = nodes.words

    # Copy the items and the monsters, and play the turn on the copy.
    field = words[state]  # 16 bits cell, 16 bits treasure, 32 bits the offset of the set of items
    cell, treasure, items = field & FIELD, (field >> TREASURE_AT) & FIELD, field >> SET_AT
    size = words[items]
    item_words = boards.layout[size, kernels.ITEM_WORDS]
    monsters = sketch + 1 + item_words
    for word in range(1 + item_words):
        words[sketch + word] = words[items + word]
    for word in range(boards.layout[size, kernels.CELL_WORDS]):
        words[monsters + word] = words[state + 1 + word]
    has_treasure = treasure > 0 or question.wanted == 0
    result, to = play_turn(boards, size, cell, way, has_treasure, words, sketch + 1)

    # The turn leads nowhere new, or out of the level.
    if result == kernels.DIED or (way < 4 and to == cell):
        return _OVER, 0, 0, 0
    if result in (kernels.TOOK_DOOR, kernels.ESCAPED):
        is_goal = (result == kernels.ESCAPED) == (question.goal == WAY_OUT) and treasure >= question.wanted
        return _OUT if is_goal else _OVER, 0, 0, 0

    # Treasure beyond the wanted amount becomes floor; an amulet doubles the copy.
    if result == kernels.TOOK_TREASURE:
        treasure += 1
        if treasure == question.wanted:
            drop_kind(boards, size, words, sketch + 1, TREASURE)
    elif result == kernels.TOOK_AMULET and tables.amulets[size] == BARRED:
        return _OVER, 0, 0, 0
    elif result == kernels.TOOK_AMULET and tables.amulets[size] == DOUBLES:
        if size + 1 >= len(boards.layout):
            return _TOO_LARGE, 0, 0, 0
        doubled = monsters + boards.layout[size, kernels.CELL_WORDS]
        words[doubled] = size + 1
        double(boards, size, words, sketch + 1, doubled + 1)
        return _ON, doubled, doubled_cell(boards, size, to), treasure
    return _ON, sketch, to, treasure


@inlined
def _set_of(boards: Boards, tables: DistanceTables, nodes: SearchNodes, question: Question, drawn: int) -> int:
    """Offset of the set of items that `_play` wrote; adds a record with its needs for a new set."""
    words, tally = nodes.words, nodes.tally
    size = words[drawn]
    length = 1 + boards.layout[size, kernels.ITEM_WORDS]
    slot, mark = find_slot(nodes, drawn, length)
    if nodes.slots[slot] != 0:
        return _record_at(nodes.slots, slot)
    new = tally[FREE] + 1
    words[new - 1] = tally[NEEDS]
    for word in range(length):
        words[new + word] = words[drawn + word]
    nodes.slots[slot] = mark << 32 | new
    tally[ENTRIES] += 1
    tally[FREE] = new + length
    end = tally[NEEDS] + (question.wanted + 1) * boards.layout[size, kernels.ITEMS]
    fill_needs(boards, tables, ItemSet(words, new + 1, size, question.goal), nodes.needs[tally[NEEDS] : end])
    tally[NEEDS] = end
    return int(new)


@inlined
def _key_of(boards: Boards, nodes: SearchNodes, items: int, drawn: int, cell: int, treasure: int) -> tuple[int, int]:
    """Writes the key of the state that `_play` wrote behind all records; returns its offset and length."""
    words, key = nodes.words, nodes.tally[FREE] + LINKS
    size = words[drawn]
    length = 1 + boards.layout[size, kernels.CELL_WORDS]
    words[key] = cell | treasure << TREASURE_AT | items << SET_AT
    for word in range(length - 1):
        words[key + 1 + word] = words[drawn + 1 + boards.layout[size, kernels.ITEM_WORDS] + word]
    return key, length


@inlined
def _enter(
    boards: Boards, tables: DistanceTables, nodes: SearchNodes, question: Question, state: int, way: int,
    drawn: tuple[int, int, int],
) -> None:  # fmt: skip
    """Records the state after a command if it is new or reached sooner, and promising; `drawn` is from `_play`."""
    words, tally = nodes.words, nodes.tally
    offset, cell, treasure = drawn
    size = words[offset]

    # Bound the moves of every line through the state, and drop it if that is too many.
    items = _set_of(boards, tables, nodes, question, offset)
    row = _needs_of(words, items) + (question.wanted - treasure) * boards.layout[size, kernels.ITEMS]
    needed = heuristic(boards, tables, size, cell, nodes.needs, row)
    if needed >= NEVER:
        return
    cost = _cost_of(words, state) + 1
    bound = max(cost + question.weight * needed, tally[NOW])
    if bound >= tally[LIMIT]:
        return
    if bound >= len(nodes.heads):
        tally[LOST] = min(tally[LOST], bound)
        return

    # Look the state up. A known state with a higher cost stays in its list, marked as replaced.
    new, length = _key_of(boards, nodes, items, offset, cell, treasure)
    slot, mark = find_slot(nodes, new, length)
    if nodes.slots[slot] != 0:
        known = _record_at(nodes.slots, slot)
        if _cost_of(words, known) <= cost:
            return
        words[known - 1] |= LOW  # its cost
    else:
        tally[ENTRIES] += 1

    # Record it at the head of the list for its bound.
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
    """Visits up to `work` waiting states, the lowest bound first; returns MORE, ENDED, FULL or WIDER.

    With weight 1 the best line is proven to be shortest when the search ends; with a larger weight the first line found
    ends it.

    `rooms` has the words and needs that one state may use, and the words at the end of the array for playing turns.
    """
    words, heads, tally = nodes.words, nodes.heads, nodes.tally
    sketch = len(words) - rooms[2]
    for _ in range(work):
        # Stop if the next state might not fit, or the hash table is two thirds full.
        is_full = tally[FREE] + rooms[0] > len(words) or tally[NEEDS] + rooms[1] > len(nodes.needs)
        if is_full or 3 * (tally[ENTRIES] + 10) > 2 * len(nodes.slots):
            return FULL
        if question.weight > 1 and tally[BEST] < NEVER:
            return ENDED

        # Take out a state with the lowest bound, unless that bound is too high for a better line.
        now = tally[NOW]
        while now < len(heads) and heads[now] == 0:
            now += 1
        tally[NOW] = now
        if now >= min(tally[LIMIT], tally[LOST]) or now >= len(heads):
            return ENDED
        state = int(heads[now])
        heads[now] = _next_of(words, state)
        cost, size = _cost_of(words, state), words[_items_of(words, state)]
        if cost == LOW:
            continue

        # Play the five commands from it.
        tally[TAKEN] += 1
        for way in range(5):
            result, drawn, cell, treasure = _play(boards, tables, nodes, question, state, way, sketch)
            if result == _OUT and cost + 1 < tally[BEST]:
                tally[BEST], tally[BEST_STATE], tally[BEST_WAY] = cost + 1, state, way
                tally[LIMIT] = min(tally[LIMIT], tally[BEST] + tally[SPARE])
            if result == _TOO_LARGE or (result == _ON and words[drawn] > size):
                # If a board is missing, put the state back, to visit it again once the board is made.
                if len(boards.layout) < min(size + 2, question.most_sizes):
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
    """Number of lines out with exactly `moves` moves, at most _MOST_LINES; needs a finished search of all their states.

    Overwrites the links: lists are by cost, and in place of its parent each state gets the number of lines to it.
    """
    words, slots, heads = nodes.words, nodes.slots, nodes.heads

    # Sort the states into lists by cost, without any lines to them.
    for cost in range(moves + 1):
        heads[cost] = 0
    for slot in range(len(slots)):
        state = _record_at(slots, slot)
        if state != 0 and _items_of(words, state) > 0:
            cost = _cost_of(words, state)
            if cost <= moves:
                words[state - 2] = heads[cost]
                heads[cost] = state

    # Push the number of lines from each state to the states one move further; count the lines that leave the level.
    words[start - 2] = 1 << 32
    heads[0] = start
    lines = 0
    for cost in range(moves):
        state = int(heads[cost])
        while state > 0:
            here = _parent_of(words, state)
            for way in range(5 if here > 0 else 0):
                result, drawn, cell, treasure = _play(boards, tables, nodes, question, state, way, sketch)
                if result == _OUT and cost + 1 == moves:
                    lines = min(lines + here, _MOST_LINES)
                if result != _ON:
                    continue
                slot, _ = find_slot(nodes, drawn, 1 + boards.layout[words[drawn], kernels.ITEM_WORDS])
                items = _record_at(slots, slot)
                if items == 0:
                    continue
                key, length = _key_of(boards, nodes, items, drawn, cell, treasure)
                slot, _ = find_slot(nodes, key, length)
                after = _record_at(slots, slot)
                if after > 0 and _cost_of(words, after) == cost + 1:
                    total = min(_parent_of(words, after) + here, _MOST_LINES)
                    words[after - 2] = _next_of(words, after) | total << 32
            state = _next_of(words, state)

    return lines
