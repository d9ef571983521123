"""Cheapest walks by a sweep over the graph, edge after edge, that remembers only what its frontier must know.

A walk passes each edge a number of times. What it costs does not depend on the order or direction of the passes, if the
costs are doubled (see Task), so any passes will do that can be put in line: those that hang together with the start and
touch every node an even number of times, but for the start and the end, where these are two nodes (Euler). More than
two over an edge are never needed, since of three two can be left out. So of the part swept nothing matters but, for
each node of the frontier, whether passes touch it, whether their number is odd and with which others of the frontier
they hang together; whether the end lies behind; and for every number of nodes left unseen the least cost. How many such
states there are depends on the frontier's width, and on the number of nodes only in that it is swept as often.

A key has 5 bits a node: the lowest place it hangs together with, plus 1, or 0 where it is not touched; then the parity.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from dungeon_tui.engine._jit import lean_kernel
from dungeon_tui.engine._rows import Indices
from dungeon_tui.engine.walks.order import MAX_WIDTH
from dungeon_tui.engine.walks.problem import FAR, Costs

NONE, ONE = uint64(0), uint64(1)
_BITS, _LABEL, _ODD = uint64(5), uint64(15), uint64(16)
_ENDED = uint64(1 << 63)  # the end lies behind
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


class Passing(NamedTuple):
    """An edge, as the frontier passes it."""

    one: int  # the places of its ends
    two: int
    cost: int


class Leaving(NamedTuple):
    """A node, as it leaves the frontier."""

    place: int
    is_start: bool
    must_end: int  # 1 if the walk must end here, 0 if it must not, -1 if it may
    is_unseen: bool  # and counts as left unseen where no pass touches it
    fare: int  # of ending here
    later: int  # how many unseen nodes have not left yet
    closes: bool  # True if the start has left, or leaves now


class Goals(NamedTuple):
    """The costs that are too dear, and the walks that are complete, for each number of nodes left unseen."""

    limits: Costs  # (skips,), of a state's costs after the event
    too_dear: int  # of a complete walk
    costs: Costs  # (skips,), of complete walks
    states: Indices  # (skips,), the last state of each that became complete at this event, or -1


def empty_layer(room: int, skips: int, with_origins: bool) -> Layer:
    """A layer without states, with room for so many; the system gives memory as they come."""
    slots = 1 << (room + room // 2).bit_length()
    return Layer(
        np.empty(room, np.uint64),
        np.empty((room, skips), np.int64),
        np.empty((room if with_origins else 0, skips), np.int32),
        np.zeros(slots, np.int32),
        np.zeros(1, np.int32),
    )


@lean_kernel
def pass_edge(before: Layer, first: int, last: int, layer: Layer, edge: Passing, goals: Goals) -> None:
    """Adds to `layer` the states after those from first up to last in `before` passed an edge never, once or twice."""
    one, two = uint64(edge.one), uint64(edge.two)
    odd = (_ODD << (_BITS * one)) ^ (_ODD << (_BITS * two))
    for state in range(first, last):
        key = before.keys[state]
        joined = _join(key, one, two)
        for passes in range(2 if joined == key else 3):
            after = key if passes == 0 else joined ^ odd if passes == 1 else joined
            _add(layer, after, before.costs[state], 4 * state + passes, passes * edge.cost, goals.limits)


@lean_kernel
def leave_node(before: Layer, first: int, last: int, layer: Layer, leaving: Leaving, goals: Goals) -> None:
    """Adds to `layer` the states from first up to last in `before` without a node; notes complete walks in `goals`."""
    place = uint64(leaving.place)
    for state in range(first, last):
        key = before.keys[state]
        label = (key >> (_BITS * place)) & _LABEL
        is_odd = (key >> (_BITS * place + uint64(4))) & ONE != NONE
        ends_here = is_odd != leaving.is_start
        if ends_here:
            if key & _ENDED or leaving.must_end == 0:
                continue
        elif leaving.must_end == 1:
            continue
        if label == NONE and leaving.is_start:
            continue
        key &= ~(uint64(31) << (_BITS * place))
        fare = leaving.fare if ends_here else 0
        rest = key & ~_ENDED
        if ends_here:
            key |= _ENDED
        heir = NONE
        while heir < uint64(MAX_WIDTH) and (rest >> (_BITS * heir)) & _LABEL != label:
            heir += ONE
        if label == NONE or heir < uint64(MAX_WIDTH):
            if label == place + ONE:
                key = _relabel(key, label, heir + ONE)
            how = 3 if label == NONE and leaving.is_unseen else 0
            _add(layer, key, before.costs[state], 4 * state + how, fare, goals.limits)
        elif rest == NONE and leaving.closes and key & _ENDED:
            costs = before.costs[state]
            for skip in range(len(costs) - leaving.later):
                if costs[skip] + fare < min(goals.costs[skip + leaving.later], goals.too_dear):
                    goals.costs[skip + leaving.later] = costs[skip] + fare
                    goals.states[skip + leaving.later] = state


@lean_kernel
def _join(key: np.uint64, one: np.uint64, two: np.uint64) -> np.uint64:
    """The key once two positions of the frontier are connected: their components, by label, become one."""
    first, second = (key >> (_BITS * one)) & _LABEL, (key >> (_BITS * two)) & _LABEL
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
    """The key with another label in place of one."""
    differs = old ^ new
    for place in range(uint64(MAX_WIDTH)):
        shift = _BITS * uint64(place)
        if (key >> shift) & _LABEL == old:
            key ^= differs << shift
    return key


@lean_kernel
def _add(layer: Layer, key: np.uint64, costs: Costs, origin: int, fare: int, limits: Costs) -> None:
    """Merges a state's costs into the layer; an origin that ends in 3 counts one node more as left unseen."""
    shift = 1 if origin % 4 == 3 else 0
    last = len(costs) - shift
    skip = 0
    while skip < last and costs[skip] + fare >= limits[skip + shift]:
        skip += 1
    if skip == last:
        return
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
    row = layer.costs[index]
    traced = len(layer.origins) > 0
    for skip in range(last):
        cost = costs[skip] + fare
        if cost < min(row[skip + shift], limits[skip + shift]):
            row[skip + shift] = cost
            if traced:
                layer.origins[index, skip + shift] = origin
