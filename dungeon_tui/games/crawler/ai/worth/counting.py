"""How many lines of the fewest moves leave a level: its states layer by layer, each with the number of lines to it.

A layer holds the states after so many moves from which, by the bound (bounds.py), the level may still be left in time.
A state of an earlier layer is left out of the later ones, since no shortest line comes to it twice or too late. Where
lines meet their numbers are added, up to a cap. Once treasure is held all other treasure is floor: taking it makes no
line shorter. Bumping into something is staying: the same turn, counted once.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event
from time import monotonic
from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel
from dungeon_tui.games.crawler.ai.kernels import (
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
    has,
    item_count,
    item_words,
    pack_board,
    turn,
)
from dungeon_tui.games.crawler.ai.search.bounds import fill_needs
from dungeon_tui.games.crawler.ai.search.store import are_same
from dungeon_tui.games.crawler.ai.search.terrain import Terrain
from dungeon_tui.games.crawler.ai.search.ways import BARRED, DOUBLES, NEVER, Ways
from dungeon_tui.games.crawler.ai.worth.certificate import MOST_LINES
from dungeon_tui.games.crawler.model.level import DOOR, MAX_CELLS, TREASURE, WAY_OUT, Level

MOST_STATES = 4_000_000
"""States are looked at up to here, unless told otherwise."""

MEMORY = 1 << 30
"""What they may take, in bytes."""

_MORE, _DONE, _FULL, _WIDER = range(4)  # how a slice of a layer ends
_COUNT, _NEXT, _WAY, _LINES = range(4)  # tallies: states, the next one to go on from and its next way, lines out
_SLICE = 20_000  # states between two looks at the clock
_HOLDS, _SIZE = uint64(24), uint64(25)  # a state's first word: 24 bits cell, 1 whether treasure is held, the size
_ONE = uint64(1)
_SPREAD = uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Count:
    """How many lines there are."""

    lines: int  # MOST_LINES stands for as many or more
    states: int
    ended: str = ""  # what stopped the counting, if it did: "time", "states", "memory", "size" or "stopped"


class Needs(NamedTuple):
    """What is to pay from each item on, at least, while all of them are there."""

    places: NDArray[np.int64]  # (sizes,) offsets into moves
    moves: Ints  # per size (2, items): holding nothing, and holding treasure


class Layers(NamedTuple):
    """All states so far, in the order of their layers."""

    words: Words  # the states' words, one after the other: the first one, items, monsters
    places: NDArray[np.int64]  # (states + 1,) offsets into words
    counts: NDArray[np.int64]  # (states,) lines to each
    slots: Ints  # the table: a state's number + 1, or 0
    tally: NDArray[np.int64]


def count_lines(
    level: Level,
    moves: int,
    *,
    has_treasure: bool = False,
    max_doublings: int | None = None,
    most_states: int = MOST_STATES,
    time_limit: float | None = None,
    stop: Event | None = None,
) -> Count:
    """Counts the lines of so many moves that leave a level by a door, or by a way out with treasure.

    Args:
        level: what to leave.
        moves: the fewest that do; no line may be shorter.
        has_treasure: whether one comes with treasure.
        max_doublings: lines that double the level more often are left out.
        most_states: after which the counting ends.
        time_limit: seconds, after which it ends.
        stop: set by another thread to end it.

    Cost:
        O(items + cells / 64) for each state that can be reached, and by the bound left, in time.
    """
    terrain = Terrain.of(level.tiles, MAX_CELLS)
    if terrain is None:
        return Count(0, 0, "size")
    deadline = None if time_limit is None else monotonic() + time_limit
    layers, ways = _first_layer(terrain, level, has_treasure), _ways(terrain, max_doublings)
    needs = _needs(terrain.boards, ways)
    for depth in range(moves):
        last, ended = int(layers.tally[_COUNT]), _MORE
        while ended != _DONE:
            states = int(layers.tally[_COUNT])
            if stop is not None and stop.is_set():
                return Count(0, states, "stopped")
            if deadline is not None and monotonic() >= deadline:
                return Count(0, states, "time")
            if states > most_states:
                return Count(0, states, "states")
            ended = _fill_layer(terrain.boards, ways, needs, layers, depth, moves, last, _SLICE)
            if ended == _FULL and 2 * sum(array.nbytes for array in layers) > MEMORY:
                return Count(0, states, "memory")
            if ended == _FULL:
                layers = _grown(layers, terrain.boards)
            elif ended == _WIDER and terrain.boards.sizes >= terrain.room:
                return Count(0, states, "size")
            elif ended == _WIDER:
                terrain.widen(terrain.boards.sizes + 1)
                ways = _ways(terrain, max_doublings)
                needs = _needs(terrain.boards, ways)
    return Count(int(layers.tally[_LINES]), int(layers.tally[_COUNT]))


def _ways(terrain: Terrain, max_doublings: int | None) -> Ways:
    """The distances, and amulets barred after so many doublings."""
    amulets = terrain.ways.amulets.copy()
    if max_doublings is not None:
        amulets[max_doublings:][amulets[max_doublings:] == DOUBLES] = BARRED
    return terrain.ways._replace(amulets=amulets)


def _needs(boards: Boards, ways: Ways) -> Needs:
    """The needs on the boards that there are; a door is as good as a way out, and needs no treasure."""
    tables = []
    for size in range(boards.sizes):
        count = item_count(boards, size)
        items = np.full(item_words(boards, size), ~np.uint64(0))
        door, way_out = np.empty(count, np.int32), np.empty(2 * count, np.int32)
        fill_needs(boards, ways, size, DOOR, items, door)
        fill_needs(boards, ways, size, WAY_OUT, items, way_out)
        tables += [np.minimum(door, way_out[count:]), np.minimum(door, way_out[:count])]
    places = np.cumsum([0, *(table.size for table in tables)])[:-1:2]
    return Needs(places.astype(np.int64), np.concatenate(tables))


def _first_layer(terrain: Terrain, level: Level, has_treasure: bool) -> Layers:
    """The start alone."""
    tiles, start = level.tiles, level.start
    items, monsters = pack_board(terrain.boards, 0, tiles)
    if has_treasure:
        drop_kind(terrain.boards, 0, items, TREASURE)
    first = uint64(start.row * tiles.shape[1] + start.col) | uint64(has_treasure) << _HOLDS
    words = np.concatenate([np.array([first], np.uint64), items, monsters])
    tally = np.zeros(4, np.int64)
    tally[_COUNT] = 1
    places = np.array([0, len(words)], np.int64)
    return _grown(Layers(words, places, np.ones(1, np.int64), np.empty(0, np.int32), tally), terrain.boards)


def _grown(layers: Layers, boards: Boards) -> Layers:
    """The same with twice the room where it is tight, and with a table of that size."""
    states, words = len(layers.counts), len(layers.words)
    count = int(layers.tally[_COUNT])
    if count + 1 >= states:
        states = max(1 << 10, 2 * states)
    while words < int(layers.places[count]) + _most_words(boards):
        words *= 2
    slots = 1 << (2 * states - 1).bit_length()
    larger = Layers(
        np.empty(words, np.uint64),
        np.empty(states + 1, np.int64),
        np.empty(states, np.int64),
        np.zeros(slots, np.int32),
        layers.tally,
    )
    for new, old in zip(larger[:3], layers[:3], strict=True):
        new[: len(old)] = old
    _refill(larger)
    return larger


@kernel
def _most_words(boards: Boards) -> int:
    """Of a state, on any board that there is."""
    largest = len(boards.heights) - 1
    return 1 + item_words(boards, largest) + cell_words(boards, largest)


@kernel
def _slot_of(layers: Layers, at: int, length: int) -> np.uint64:
    """The slot of the state whose words begin at an offset, or the free one where it would stand."""
    words, last = layers.words, uint64(len(layers.slots) - 1)
    mixed = _SPREAD
    for index in range(at, at + length):
        mixed = (mixed ^ words[index]) * _SPREAD
        mixed ^= mixed >> uint64(29)
    slot = (mixed * _SPREAD >> uint64(20)) & last
    while layers.slots[slot]:
        # The first words say the size, so both are as long.
        if are_same(words, layers.places[layers.slots[slot] - 1], words, at, length):
            return slot
        slot = (slot + _ONE) & last
    return slot


@kernel
def _refill(layers: Layers) -> None:
    """Enters all states into an empty table."""
    for state in range(layers.tally[_COUNT]):
        at = layers.places[state]
        layers.slots[_slot_of(layers, at, layers.places[state + 1] - at)] = state + 1


@kernel
def _enter(layers: Layers, last: int, first: np.uint64, items: Words, monsters: Words, count: int) -> None:
    """Adds lines to a state that is new or in the layer under way, which begins with number `last`."""
    new = layers.tally[_COUNT]
    at = layers.places[new]
    length = 1 + len(items) + len(monsters)
    layers.words[at] = first
    layers.words[at + 1 : at + 1 + len(items)] = items
    layers.words[at + 1 + len(items) : at + length] = monsters
    slot = _slot_of(layers, at, length)
    known = layers.slots[slot] - 1
    if known < 0:
        layers.slots[slot] = new + 1
        layers.counts[new] = count
        layers.places[new + 1] = at + length
        layers.tally[_COUNT] += 1
    elif known >= last:
        layers.counts[known] = min(layers.counts[known] + count, MOST_LINES)


@kernel
def _least_moves(boards: Boards, ways: Ways, needs: Needs, size: int, cell: int, holds: bool, items: Words) -> int:
    """The bound from a cell, with the items that are there."""
    count = item_count(boards, size)
    at = needs.places[size] + (count if holds else 0)
    base = ways.steps_at[size] + cell * count
    least = NEVER
    for item in range(count):
        if needs.moves[at + item] + ways.steps[base + item] < least and has(items, item):
            least = needs.moves[at + item] + ways.steps[base + item]
    return int(least)


@kernel
def _fill_layer(
    boards: Boards, ways: Ways, needs: Needs, layers: Layers, depth: int, moves: int, last: int, work: int
) -> int:
    """Goes on from so many states of the layer at a depth, which ends before number `last`."""
    tally, sizes = layers.tally, len(boards.heights)
    largest = sizes - 1
    all_items = np.empty(item_words(boards, largest), np.uint64)
    all_monsters = np.empty(cell_words(boards, largest), np.uint64)
    more_items, more_monsters = np.empty_like(all_items), np.empty_like(all_monsters)
    room = _most_words(boards)
    for _ in range(work):
        state = tally[_NEXT]
        if state >= last:
            return _DONE
        at = layers.places[state]
        first = layers.words[at]
        cell, size = int(np.int64(first & uint64(0xFFFFFF))), int(np.int64(first >> _SIZE))
        held = bool((first >> _HOLDS) & _ONE)
        item_length, cell_length = item_words(boards, size), cell_words(boards, size)
        items, monsters = all_items[:item_length], all_monsters[:cell_length]
        while tally[_WAY] < 5:
            way = tally[_WAY]
            if tally[_COUNT] + 1 >= len(layers.counts) or layers.places[tally[_COUNT]] + room > len(layers.words):
                return _FULL
            items[:] = layers.words[at + 1 : at + 1 + item_length]
            monsters[:] = layers.words[at + 1 + item_length : at + 1 + item_length + cell_length]
            result, to = turn(boards, size, cell, way, held, items, monsters)
            if result == TOOK_AMULET and ways.amulets[size] == DOUBLES and size + 1 >= sizes:
                return _WIDER
            tally[_WAY] += 1
            if result == DIED or (way < 4 and to == cell):
                continue  # dead, or the same as staying
            if result in (TOOK_DOOR, ESCAPED):
                if depth + 1 == moves:
                    tally[_LINES] = min(tally[_LINES] + layers.counts[state], MOST_LINES)
                continue
            if result == TOOK_AMULET and ways.amulets[size] == BARRED:
                continue
            holds = held or result == TOOK_TREASURE
            if holds and not held:
                drop_kind(boards, size, items, TREASURE)
            if result == TOOK_AMULET and ways.amulets[size] == DOUBLES:
                double(boards, size, items, monsters, more_items, more_monsters)
                there, larger = doubled_cell(boards, size, to), size + 1
                new_items = more_items[: item_words(boards, larger)]
                new_monsters = more_monsters[: cell_words(boards, larger)]
            else:
                there, larger, new_items, new_monsters = to, size, items, monsters
            if depth + 1 + _least_moves(boards, ways, needs, larger, there, holds, new_items) <= moves:
                word = uint64(there) | uint64(holds) << _HOLDS | uint64(larger) << _SIZE
                _enter(layers, last, word, new_items, new_monsters, layers.counts[state])
        tally[_NEXT] += 1
        tally[_WAY] = 0
    return _MORE
