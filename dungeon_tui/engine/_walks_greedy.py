"""A good walk at once: to the nearest unseen node each time, then improved by exchanges until none helps.

Works on the doubled costs, which are the same in both directions, between the nodes and one more, the finish: from a
node to the finish it costs what the walk must still pay from there.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel
from dungeon_tui.engine._rows import Indices
from dungeon_tui.engine._walks_task import Task
from dungeon_tui.engine._walks_watch import Finding, Watch

FAR = 2**61  # dearer than any walk

_SHAKES = 20

Table = NDArray[np.int64]


def greedy_walk(task: Task, ways: Table, onward: NDArray[np.int32]) -> list[int]:
    """The nodes of a walk that does the task.

    Args:
        task: what to do.
        ways: (n + 1, n + 1), from cheapest_ways.
        onward: (n, n), from cheapest_ways.
    """
    order = _nearest_first(ways, task.seen, task.start, task.missing)
    walk = _walk_through(task, order, onward)
    while True:
        _improve(ways, task.seen, order)
        shorter = _walk_through(task, order, onward)
        if walk_cost(task, shorter) >= walk_cost(task, walk):
            return walk
        walk = shorter
        order = _first_visits(task, walk)


def shaken(task: Task, ways: Table, onward: NDArray[np.int32], best: Finding, watch: Watch) -> Finding:
    """The walk changed by chance and improved again, many times; the best of all."""
    order = _first_visits(task, best.walk)
    least = best
    for seed in range(_SHAKES):
        if len(order) < 4 or least.is_proven or watch.seconds_left <= 0:
            break
        watch.tell(0, best.bound, least.cost)
        _shake(ways, task.seen, order, seed, max(1, 2000 // len(order)))
        walk = _walk_through(task, order, onward)
        cost = walk_cost(task, walk)
        if cost < least.cost:
            least = Finding(walk, cost, best.bound, 0)
            order = _first_visits(task, walk)
    return least


def cheapest_ways(task: Task) -> tuple[Table, NDArray[np.int32]]:
    """The doubled costs of the cheapest ways between all nodes and to the finish, and the first node on each way.

    Cost:
        O(n^3) time.
    """
    count = len(task.nodes)
    ways = np.full((count + 1, count + 1), FAR, np.int64)
    onward = np.full((count, count), -1, np.int32)
    ways[task.tails, task.indices] = task.doubled
    onward[task.tails, task.indices] = task.indices
    np.fill_diagonal(ways, 0)
    _relax_all(ways[:count, :count], onward)
    finish = task.entries if task.end < 0 else ways[:count, task.end] + task.entries[task.end]
    ways[:count, count] = ways[count, :count] = finish
    return ways, onward


def walk_cost(task: Task, walk: list[int]) -> int:
    """What a walk costs.

    Raises:
        ValueError: two of its nodes are not joined.
    """
    total = 0
    for tail, head in pairwise(walk):
        first, last = task.indptr[tail], task.indptr[tail + 1]
        edge = first + np.searchsorted(task.indices[first:last], head)
        if edge == last or task.indices[edge] != head:
            raise ValueError(f"node {tail} is not joined to node {head}")
        total += int(task.steps[edge])
    return total


def cut_short(task: Task, walk: list[int]) -> list[int]:
    """The walk up to the moment when the task is done."""
    seen = set(np.flatnonzero(task.seen).tolist())
    missing = task.missing
    for index, node in enumerate(walk):
        if node not in seen:
            seen.add(node)
            missing -= 1
        if missing <= 0 and task.end in (-1, node):
            return walk[: index + 1]
    raise ValueError("the walk does not do its task")


def _walk_through(task: Task, order: Indices, onward: NDArray[np.int32]) -> list[int]:
    """The walk that passes the nodes in this order, each time the cheapest way."""
    walk = [task.start]
    for stop in [*order[1:], *([task.end] if task.end >= 0 else [])]:
        while walk[-1] != stop:
            walk.append(int(onward[walk[-1], stop]))
    return cut_short(task, walk)


def _first_visits(task: Task, walk: list[int]) -> Indices:
    """The start, and the nodes that were missing in the order in which the walk sees them."""
    news = [node for node in dict.fromkeys(walk) if not task.seen[node]]
    return np.array([task.start, *news[: task.missing]], np.int32)


@kernel
def _relax_all(ways: Table, onward: NDArray[np.int32]) -> None:
    """Floyd and Warshall."""
    count = len(onward)
    for middle in range(count):
        for tail in range(count):
            first = ways[tail, middle]
            for head in range(count):
                if first + ways[middle, head] < ways[tail, head]:
                    ways[tail, head] = first + ways[middle, head]
                    onward[tail, head] = onward[tail, middle]


@kernel
def _nearest_first(ways: Table, seen: NDArray[np.bool_], start: int, missing: int) -> Indices:
    """The start, then each time the nearest node unseen."""
    order = np.empty(missing + 1, np.int32)
    order[0] = start
    taken = seen.copy()
    for place in range(1, missing + 1):
        best = -1
        for node in range(len(taken)):
            if not taken[node] and (best < 0 or ways[order[place - 1], node] < ways[order[place - 1], best]):
                best = node
        order[place] = best
        taken[best] = True
    return order


@kernel
def _shake(ways: Table, seen: NDArray[np.bool_], order: Indices, seed: int, rounds: int) -> None:
    """Exchanges two stretches by chance and improves, so many times; keeps what is not dearer."""
    size, finish = len(order), len(seen)
    dice = uint64(seed)
    least = _length(ways, order, finish)
    other = order.copy()
    cuts = np.empty(3, np.int64)
    for _ in range(rounds):
        for index in range(3):
            dice = dice * uint64(6364136223846793005) + uint64(1442695040888963407)
            cuts[index] = 1 + (dice >> uint64(33)) % uint64(size)
        one, three = min(cuts[0], cuts[1], cuts[2]), max(cuts[0], cuts[1], cuts[2])
        two = cuts[0] + cuts[1] + cuts[2] - one - three
        for index in range(size):
            other[index] = order[index]
        _turn(other, one, three - 1)
        _turn(other, one, one + three - two - 1)
        _turn(other, one + three - two, three - 1)
        _improve(ways, seen, other)
        length = _length(ways, other, finish)
        if length <= least:
            least = length
            for index in range(size):
                order[index] = other[index]


@kernel
def _length(ways: Table, order: Indices, finish: int) -> int:
    """The doubled costs from the start to the finish."""
    total = ways[order[-1], finish]
    for index in range(1, len(order)):
        total += ways[order[index - 1], order[index]]
    return int(total)


@kernel
def _improve(ways: Table, seen: NDArray[np.bool_], order: Indices) -> None:
    """Reverses stretches, moves short ones elsewhere and exchanges nodes for others unseen, while that helps."""
    count, size = len(seen), len(order)
    taken = seen.copy()
    route = np.empty(size + 1, np.int32)
    route[size] = count
    for place in range(size):
        route[place] = order[place]
        taken[order[place]] = True
    better = True
    while better:
        better = False
        for first in range(1, size):
            for last in range(first, size):
                before, head, tail, behind = route[first - 1], route[first], route[last], route[last + 1]
                old = ways[before, head] + ways[tail, behind]
                if ways[before, tail] + ways[head, behind] < old:
                    _turn(route, first, last)
                    better = True
                    continue
                if last - first > 2:
                    continue
                gain = old - ways[before, behind]
                for place in range(size):
                    if gain <= 0 or first - 1 <= place <= last:
                        continue
                    one, two = route[place], route[place + 1]
                    ahead = ways[one, head] + ways[tail, two] - ways[one, two]
                    turned = ways[one, tail] + ways[head, two] - ways[one, two]
                    if min(ahead, turned) < gain:
                        _move(route, first, last, place, turned < ahead)
                        better = True
                        break
            for node in range(count):
                before, behind = route[first - 1], route[first + 1]
                if not taken[node] and ways[before, node] + ways[node, behind] < (
                    ways[before, route[first]] + ways[route[first], behind]
                ):
                    taken[route[first]] = False
                    taken[node] = True
                    route[first] = node
                    better = True
    for place in range(size):
        order[place] = route[place]


@kernel
def _move(route: Indices, first: int, last: int, place: int, turned: bool) -> None:
    """Takes a stretch out and puts it between place and the one after it."""
    if place < first:
        middle = place + 1 + last - first
        _turn(route, place + 1, last)
        _turn(route, middle + 1, last)
        if not turned:
            _turn(route, place + 1, middle)
    else:
        middle = first + place - last
        _turn(route, first, place)
        _turn(route, first, middle - 1)
        if not turned:
            _turn(route, middle, place)


@kernel
def _turn(route: Indices, first: int, last: int) -> None:
    """Turns a stretch round."""
    while first < last:
        route[first], route[last] = route[last], route[first]
        first += 1
        last -= 1
