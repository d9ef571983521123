"""Cheapest walks by a frontier sweep: takes the graph edge by edge, and remembers only the frontier.

A walk passes each edge a number of times. With doubled costs (see Network.doubled) the order and direction of the
passes don't matter, so any set of passes counts that forms a walk: it is connected to the start, and touches every node
an even number of times, except the start and the end if they differ (Euler). No edge needs more than two passes: of
three, two can be dropped. So a state holds, for each node of the frontier, whether passes touch it, whether their
number is odd, and which other frontier nodes they connect it to; and whether the walk has ended in the part already
swept. For every number of unseen nodes, a state keeps the least cost. The number of states depends on the width of the
frontier, not on the number of nodes.

A key has 5 bits a node: the lowest slot of its component plus 1, or 0 if no pass touches it; then the parity.
"""

from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from dungeon_tui.engine._rows import Indices
from dungeon_tui.engine.jit import lean_kernel
from dungeon_tui.engine.walks.order import MAX_WIDTH
from dungeon_tui.engine.walks.problem import FAR, Costs

NONE, ONE = uint64(0), uint64(1)
_BITS, _LABEL, _ODD = uint64(5), uint64(15), uint64(16)
_ENDED = uint64(1 << 63)  # the walk ended at a node that has left the frontier
_SPREAD = uint64(0x9E3779B97F4A7C15)

Keys = NDArray[np.uint64]
Rows = NDArray[np.int64]


class Layer(NamedTuple):
    """All states after an event."""

    keys: Keys  # (states,)
    costs: Rows  # (states, skips): the least for each number of nodes left unseen
    origins: Indices  # (states, skips): the state before, times 4, plus the passes, or 3 for a node left unseen
    slots: Indices  # the table: a state's index + 1, or 0
    tally: Indices  # (1,), how many states


class Leaving(NamedTuple):
    """A node, as it leaves the frontier."""

    slot: int
    is_start: bool
    must_end: int  # 1 if the walk must end here, 0 if it must not, -1 if it may
    is_unseen: bool  # it counts as left unseen if no pass touches it
    fare: int  # of ending here
    later: int  # how many unseen nodes have not left yet
    closes: bool  # True if the start has left, or leaves now


def empty_layer(room: int, skips: int) -> Layer:
    """A layer for at most `room` states; the system allocates its pages when they are first used."""
    slots = 1 << (room + room // 2).bit_length()
    return Layer(
        np.empty(room, np.uint64),
        np.empty((room, skips), np.int64),
        np.empty((room, skips), np.int32),
        np.zeros(slots, np.int32),
        np.zeros(1, np.int32),
    )


@lean_kernel
def pass_edge(before: Layer, layer: Layer, one: np.uint64, two: np.uint64, cost: int) -> None:
    """Adds to `layer` the states after those of `before` passed the edge between two slots never, once or twice."""
    odd = (_ODD << (_BITS * one)) ^ (_ODD << (_BITS * two))
    for state in range(len(before.keys)):
        key = before.keys[state]
        joined = _join(key, one, two)
        for passes in range(2 if joined == key else 3):
            after = key if passes == 0 else joined ^ odd if passes == 1 else joined
            _add(layer, after, before.costs[state], 4 * state + passes, passes * cost)


@lean_kernel
def leave_node(before: Layer, layer: Layer, leaving: Leaving, complete: Costs, ends: Indices) -> None:
    """Adds to `layer` the states of `before` without a node.

    For each number of unseen nodes, `complete` has the least cost of a complete walk, `ends` its last state if that was
    found now.
    """
    slot = uint64(leaving.slot)
    for state in range(len(before.keys)):
        key = before.keys[state]
        label = _label(key, slot)
        is_odd = (key >> (_BITS * slot + uint64(4))) & ONE != NONE

        # The node's parity tells if the walk ends here. Drop states whose walk may not end here, or must.
        ends_here = is_odd != leaving.is_start
        if ends_here:
            if key & _ENDED or leaving.must_end == 0:
                continue
        elif leaving.must_end == 1:
            continue
        if label == NONE and leaving.is_start:
            continue

        # Take the node out of the key.
        key &= ~(uint64(31) << (_BITS * slot))
        fare = leaving.fare if ends_here else 0
        rest = key & ~_ENDED
        if ends_here:
            key |= _ENDED

        # The lowest other node of its component names the component from now on.
        heir = NONE
        while heir < uint64(MAX_WIDTH) and _label(rest, heir) != label:
            heir += ONE
        if label == NONE or heir < uint64(MAX_WIDTH):
            if label == slot + ONE:
                key = _relabel(key, label, heir + ONE)
            how = 3 if label == NONE and leaving.is_unseen else 0
            _add(layer, key, before.costs[state], 4 * state + how, fare)
        # No heir and nothing else on the frontier: the walk is complete, and all later nodes stay unseen.
        elif rest == NONE and leaving.closes and key & _ENDED:
            costs = before.costs[state]
            for skip in range(len(costs) - leaving.later):
                if costs[skip] + fare < complete[skip + leaving.later]:
                    complete[skip + leaving.later] = costs[skip] + fare
                    ends[skip + leaving.later] = state


@lean_kernel
def _label(key: np.uint64, slot: np.uint64) -> np.uint64:
    return (key >> (_BITS * slot)) & _LABEL


@lean_kernel
def _join(key: np.uint64, one: np.uint64, two: np.uint64) -> np.uint64:
    """The key once two slots are connected: their components become one, with the lower label."""
    first, second = _label(key, one), _label(key, two)
    lower = min(one + ONE if first == NONE else first, two + ONE if second == NONE else second)
    if first == NONE:
        key |= lower << (_BITS * one)
    elif first != lower:
        key = _relabel(key, first, lower)
    if second == NONE:
        key |= lower << (_BITS * two)
    elif second != lower:
        key = _relabel(key, second, lower)
    return key


@lean_kernel
def _relabel(key: np.uint64, old: np.uint64, new: np.uint64) -> np.uint64:
    """The key with one label replaced by another."""
    differs = old ^ new
    for slot in range(uint64(MAX_WIDTH)):
        if _label(key, uint64(slot)) == old:
            key ^= differs << (_BITS * uint64(slot))
    return key


@lean_kernel
def _add(layer: Layer, key: np.uint64, costs: Costs, origin: int, fare: int) -> None:
    """Merges a state's costs into the layer; an origin that ends in 3 counts one more unseen node."""
    # Drop the state if more nodes are unseen than may be.
    shift = 1 if origin % 4 == 3 else 0
    last = len(costs) - shift
    skip = 0
    while skip < last and costs[skip] >= FAR:
        skip += 1
    if skip == last:
        return

    # Find the key in the hash table, or add it.
    keys, slots = layer.keys, layer.slots
    mask = uint64(len(slots) - 1)
    mixed = (key ^ (key >> uint64(29))) * _SPREAD
    slot = (mixed ^ (mixed >> uint64(32))) & mask
    while True:
        index = slots[slot] - 1
        if index < 0 or keys[index] == key:
            break
        slot = (slot + ONE) & mask
    if index < 0:
        index = layer.tally[0]
        layer.tally[0] += 1
        slots[slot] = index + 1
        keys[index] = key
        layer.costs[index] = FAR

    # Keep the lower cost for each number of unseen nodes.
    row = layer.costs[index]
    for skip in range(last):
        cost = costs[skip] + fare
        if cost < row[skip + shift]:
            row[skip + shift] = cost
            layer.origins[index, skip + shift] = origin
