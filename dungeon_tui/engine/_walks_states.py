"""Cheapest walks by a search over the states (node, set of nodes seen), best bound first.

A state's bound is its cost so far plus what must still be paid: each of the nodes missing must be entered, each at the
cost of its cheapest step at least, so the sum of the cheapest such costs among the nodes unseen; where there is an end,
it must be entered after that, and it must be reached from here. This never falls along a step: a step into an unseen
node takes at most that node's own cheapest entering off the sum, one into a seen node nothing, one into the end its
entering, and a distance falls by no more than the step. So a state is final when it is taken out, as in Dijkstra's
algorithm, whatever the costs, 0 included. Where all steps cost the same, the order is that of the steps into nodes
seen already: what the walk wastes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel
from dungeon_tui.engine._pursuit_layers import how_many, lowest
from dungeon_tui.engine._rows import Indices
from dungeon_tui.engine._walks_graph import Costs
from dungeon_tui.engine._walks_task import Task

MAX_STATE_NODES = 64
"""The set of nodes seen is one word."""

RECORD_BYTES = 42
"""What a state takes: 33 in the lists, 8 in the table, a little for growing."""

MORE, FOUND, NONE_LEFT, FULL = range(4)
"""How a slice of the search ends."""

NONE, ONE = uint64(0), uint64(1)
_SPREAD = uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio: neighbouring keys land far apart
_DEAD = 255  # in place of the node, where a cheaper way to the same state was found
_COUNT, _NOW, _TAKEN = range(3)


class Terrain(NamedTuple):
    """The task as the kernels read it; nodes in the order of their cheapest entering."""

    indptr: Indices
    indices: Indices
    steps: Costs
    least: Costs  # (n,), of the steps into each node the cheapest
    to_end: Costs  # (n,), the cheapest way to the end; 0 where there is none
    end: int
    full: int  # how many nodes must be seen


class Search(NamedTuple):
    """The states found so far, and those waiting, in lists by the highest bit in which their bound differs from now."""

    masks: NDArray[np.uint64]
    nodes: NDArray[np.uint8]
    costs: Costs
    bounds: Costs
    parents: Indices
    after: Indices  # the next one in the same list
    slots: Indices  # the table: a state's index + 1, or 0
    heads: Indices  # (65,)
    tally: Costs  # how many states; the bound now; how many were taken out


def make_terrain(task: Task, to_end: Costs) -> tuple[Terrain, Indices]:
    """The task for the kernels, and the order of its nodes there."""
    count = len(task.nodes)
    least = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(least, task.indices, task.steps)
    order = np.argsort(least, kind="stable").astype(np.int32)
    number = np.empty(count, np.int32)
    number[order] = np.arange(count, dtype=np.int32)
    rows = [np.arange(task.indptr[node], task.indptr[node + 1]) for node in order]
    edges = np.concatenate(rows)
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int32)
    full = int(np.count_nonzero(task.seen)) + task.missing
    end = -1 if task.end < 0 else int(number[task.end])
    terrain = Terrain(
        indptr, number[task.indices[edges]], task.steps[edges], least[order], to_end[order].astype(np.int64), end, full
    )
    return terrain, order


def make_search(task: Task, order: Indices, capacity: int = 1 << 12) -> Search:
    """A search that knows the start only."""
    search = _empty(capacity)
    search.masks[0] = sum(1 << place for place, node in enumerate(order) if task.seen[node])
    search.nodes[0] = np.flatnonzero(order == task.start)[0]
    search.costs[0] = search.bounds[0] = 0  # a bound that does not matter: it is taken out at once
    search.parents[0] = search.after[0] = -1
    search.heads[0] = 0
    search.tally[_COUNT] = 1
    _fill_table(search)
    return search


def grown(search: Search) -> Search:
    """The same with twice the room."""
    larger = _empty(2 * len(search.masks))
    for name in ("masks", "nodes", "costs", "bounds", "parents", "after", "heads", "tally"):
        old = getattr(search, name)
        getattr(larger, name)[: len(old)] = old
    _fill_table(larger)
    return larger


def _empty(capacity: int) -> Search:
    return Search(
        masks=np.empty(capacity, np.uint64),
        nodes=np.empty(capacity, np.uint8),
        costs=np.empty(capacity, np.int64),
        bounds=np.empty(capacity, np.int64),
        parents=np.empty(capacity, np.int32),
        after=np.empty(capacity, np.int32),
        slots=np.zeros(2 * capacity, np.int32),
        heads=np.full(65, -1, np.int32),
        tally=np.zeros(3, np.int64),
    )


def least_bound(search: Search) -> int:
    """What every walk costs at least, as far as the search has come."""
    return int(search.tally[_NOW])


def states_taken(search: Search) -> int:
    """How many states were taken out of the queue."""
    return int(search.tally[_TAKEN])


def states_found(search: Search) -> int:
    """How many states fill the lists."""
    return int(search.tally[_COUNT])


@kernel
def _fill_table(search: Search) -> None:
    """Enters all states that are not dead into an empty table."""
    for index in range(search.tally[_COUNT]):
        if search.nodes[index] != _DEAD:
            search.slots[find(search, search.masks[index], search.nodes[index])] = index + 1


@kernel
def find(search: Search, mask: np.uint64, node: int) -> np.uint64:
    """The slot of a state in the table, or the free one where it would stand."""
    masks, nodes, slots = search.masks, search.nodes, search.slots
    last = uint64(len(slots) - 1)
    mixed = (mask + uint64(node) * _SPREAD) * _SPREAD
    slot = (mixed ^ (mixed >> uint64(32))) * _SPREAD >> uint64(20) & last
    while True:
        index = slots[slot] - 1
        if index < 0 or (masks[index] == mask and nodes[index] == node):
            return slot
        slot = (slot + ONE) & last


@kernel
def _still_to_pay(terrain: Terrain, mask: np.uint64, node: int) -> int:
    """A bound from below on the rest of the walk from a state."""
    left = terrain.full - int(how_many(mask))
    least = terrain.least
    count = len(least)
    rest = 0
    if left > 0 and least[0] == least[count - 1]:
        rest = left * least[0]
    else:
        unseen = ~mask
        for _ in range(left):
            rest += least[lowest(unseen)]
            unseen &= unseen - ONE
    if terrain.end >= 0:
        if left > 0 or node != terrain.end:
            rest += least[terrain.end]
        rest = max(rest, terrain.to_end[node])
    return int(rest)


@kernel
def _push(search: Search, index: int) -> None:
    """Puts a state into the list of its bound."""
    place = 0
    differs = search.bounds[index] ^ search.tally[_NOW]
    while differs > 0:
        differs >>= 1
        place += 1
    search.after[index] = search.heads[place]
    search.heads[place] = index


@kernel
def _pop(search: Search) -> int:
    """Takes out a state of the least bound; -1 where none is left."""
    heads, after, bounds, nodes = search.heads, search.after, search.bounds, search.nodes
    while True:
        while heads[0] >= 0:
            index = int(heads[0])
            heads[0] = after[index]
            if nodes[index] != _DEAD:
                return index
        place = 1
        while place < 65 and heads[place] < 0:
            place += 1
        if place == 65:
            return -1
        head, heads[place] = heads[place], -1
        lowest_bound = np.int64(-1)
        index = head
        while index >= 0:
            if nodes[index] != _DEAD and (lowest_bound < 0 or bounds[index] < lowest_bound):
                lowest_bound = bounds[index]
            index = after[index]
        if lowest_bound < 0:
            continue
        search.tally[_NOW] = lowest_bound
        while head >= 0:
            index, head = head, after[head]
            if nodes[index] != _DEAD:
                _push(search, index)


@kernel
def _is_over(terrain: Terrain, mask: np.uint64, node: int) -> bool:
    """Whether the walk has seen enough and stands where it must."""
    return bool(how_many(mask) >= terrain.full and (terrain.end < 0 or node == terrain.end))


@kernel
def search_states(terrain: Terrain, search: Search, too_dear: int, work: int) -> tuple[int, int]:
    """Takes that many states out of the queue, ignoring those whose bound reaches too_dear.

    Returns:
        How it ended, and where FOUND the state at which the walk is over.
    """
    masks, nodes, costs, bounds, parents = search.masks, search.nodes, search.costs, search.bounds, search.parents
    indptr, indices, steps, tally = terrain.indptr, terrain.indices, terrain.steps, search.tally
    for _ in range(work):
        if tally[_COUNT] + 64 > len(masks):
            return FULL, -1
        state = _pop(search)
        if state < 0:
            return NONE_LEFT, -1
        mask, node, cost = masks[state], nodes[state], costs[state]
        tally[_TAKEN] += 1
        if _is_over(terrain, mask, node):
            return FOUND, state
        for edge in range(indptr[node], indptr[node + 1]):
            other = indices[edge]
            larger = mask | (ONE << uint64(other))
            total = cost + steps[edge]
            bound = total + _still_to_pay(terrain, larger, other)
            if bound >= too_dear:
                continue
            slot = find(search, larger, other)
            known = search.slots[slot] - 1
            if known >= 0:
                if costs[known] <= total:
                    continue
                nodes[known] = _DEAD
            new = tally[_COUNT]
            tally[_COUNT] += 1
            masks[new], nodes[new], costs[new], bounds[new], parents[new] = larger, other, total, bound, state
            search.slots[slot] = new + 1
            _push(search, new)
    return MORE, -1


def walked(search: Search, state: int, order: Indices) -> list[int]:
    """The nodes of the walk to a state."""
    places = []
    while state >= 0:
        places.append(int(search.nodes[state]))
        state = int(search.parents[state])
    return [int(order[place]) for place in reversed(places)]


@kernel
def count_ways(terrain: Terrain, search: Search, cap: int) -> int:
    """How many cheapest ways lead from the first state to states where the walk is over; cap if there are more.

    Goes down all steps that are worth their cost and adds up on the way back. A way that comes back to a state for
    nothing and still leads to an end can be repeated, so that there is no last one.
    """
    masks, nodes, costs, slots, parents = search.masks, search.nodes, search.costs, search.slots, search.parents
    size = search.tally[_COUNT]
    ways = np.full(size, -1, np.int64)  # -1: not looked at
    is_open, comes_back = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
    edge_of = np.zeros(size, np.int32)
    state = 0
    parents[0] = -1
    while True:
        node = nodes[state]
        if ways[state] < 0:
            is_open[state] = True
            ways[state] = 1 if _is_over(terrain, masks[state], node) else 0
            edge_of[state] = terrain.indptr[node + 1] if ways[state] else terrain.indptr[node]
        deeper = -1
        while edge_of[state] < terrain.indptr[node + 1]:
            edge = edge_of[state]
            other = terrain.indices[edge]
            known = slots[find(search, masks[state] | (ONE << uint64(other)), other)] - 1
            if known < 0 or costs[known] != costs[state] + terrain.steps[edge]:
                edge_of[state] += 1
            elif is_open[known]:
                comes_back[known] = True
                edge_of[state] += 1
            elif ways[known] < 0:
                deeper = known
                break
            else:
                ways[state] = min(cap, ways[state] + ways[known])
                edge_of[state] += 1
        if deeper >= 0:
            parents[deeper] = state
            state = deeper
            continue
        is_open[state] = False
        if comes_back[state] and ways[state] > 0:
            return cap
        if state == 0:
            return int(ways[0])
        state = parents[state]
