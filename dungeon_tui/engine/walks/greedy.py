"""A good walk at once: to the nearest unseen node each time, then improved by iterated local search."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine._jit import lean_kernel
from dungeon_tui.engine._rows import Indices
from dungeon_tui.engine.walks.problem import Bools, Network, Task
from dungeon_tui.engine.walks.watch import Finding, Watch

FAR = 2**61
"""Dearer than any walk."""

ROUNDS = 20
"""Rounds of exchanges in which the best walk is found on most maps."""

_EXCHANGES = 2000  # exchanges a round, all nodes together: a round takes less than a millisecond

Table = NDArray[np.int64]


class DistanceTables(NamedTuple):
    """The cheapest ways between all nodes, in doubled costs: the same in both directions."""

    costs: Table  # (n, n)
    onward: Indices  # (n, n), the first node on each way

    def finish(self, task: Task) -> Table:
        """(n,) doubled costs that are still to be paid where the missing nodes are seen, the last fare included."""
        entries = task.network.entries
        return entries if task.end < 0 else self.costs[:, task.end] + entries[task.end]

    def to_end(self, task: Task) -> int:
        """Cost of the cheapest way from the start to the end; 0 where there is none."""
        return 0 if task.end < 0 else int(self.finish(task)[task.start] - task.network.entries[task.start]) // 2


def distance_tables(network: Network) -> DistanceTables:
    """Floyd and Warshall's tables.

    Cost:
        O(n^3) time.
    """
    count = len(network.nodes)
    costs = np.full((count, count), FAR, np.int64)
    onward = np.full((count, count), -1, np.int32)
    costs[network.tails, network.indices] = network.doubled
    onward[network.tails, network.indices] = network.indices
    np.fill_diagonal(costs, 0)
    for middle in range(count):
        through = costs[:, middle, None] + costs[middle]
        shorter = through < costs
        np.copyto(costs, through, where=shorter)
        np.copyto(onward, onward[:, middle, None], where=shorter)
    return DistanceTables(costs, onward)


def nearest_first(task: Task, tables: DistanceTables) -> list[int]:
    """The walk that goes to the nearest unseen node each time."""
    order, seen = [task.start], task.seen.copy()
    for _ in range(task.missing):
        order.append(int(np.where(seen, FAR, tables.costs[order[-1]]).argmin()))
        seen[order[-1]] = True
    return _walk_through(task, order, tables)


def iterated_local_search(
    task: Task, tables: DistanceTables, best: Finding, watch: Watch, rounds: int = ROUNDS
) -> Finding:
    """The best walk found by a local search, then by exchanges of stretches by chance, each searched from again.

    Args:
        task: the walk to find.
        tables: of its network.
        best: a walk to begin with.
        watch: looked at between rounds.
        rounds: of exchanges; 0 for the first local search alone.
    """
    order = _first_visits(task, best.walk)
    count, size = len(tables.costs), len(order)
    if size < 3:
        return best
    ways = np.empty((count + 1, count + 1), np.int64)  # between the nodes and one more, the finish
    ways[:count, :count] = tables.costs
    ways[:count, count] = ways[count, :count] = tables.finish(task)
    room = np.empty(size + 1, np.int32), np.empty(count, np.bool_)
    random = np.random.default_rng(0)
    for done in range(rounds + 1):
        if best.is_proven or (done and watch.is_over):
            break
        watch.tell(0, best.bound, best.cost)
        cuts = np.sort(random.integers(1, size + 1, (max(1, _EXCHANGES // size) if done else 0, 3)), axis=1)
        _search_locally(ways, task.seen, order, *room, cuts)
        walk = _walk_through(task, order.tolist(), tables)
        cost = walk_cost(task.network, walk)
        if cost < best.cost:
            best = Finding(walk, cost, best.bound)
            order = _first_visits(task, walk)
    return best


def walk_cost(network: Network, walk: list[int]) -> int:
    """Sum of a walk's steps.

    Raises:
        ValueError: two of its nodes are not joined.
    """
    total = 0
    for tail, head in pairwise(walk):
        first, last = network.indptr[tail], network.indptr[tail + 1]
        edge = first + np.searchsorted(network.indices[first:last], head)
        if edge == last or network.indices[edge] != head:
            raise ValueError(f"node {tail} is not joined to node {head}")
        total += int(network.steps[edge])
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


def _walk_through(task: Task, order: list[int], tables: DistanceTables) -> list[int]:
    """The walk that passes the nodes in this order, each time the cheapest way."""
    walk = [task.start]
    for stop in [*order[1:], *([task.end] if task.end >= 0 else [])]:
        while walk[-1] != stop:
            walk.append(int(tables.onward[walk[-1], stop]))
    return cut_short(task, walk)


def _first_visits(task: Task, walk: list[int]) -> Indices:
    """The start, and the nodes that were missing in the order in which the walk sees them."""
    news = [node for node in dict.fromkeys(walk) if not task.seen[node]]
    return np.array([task.start, *news[: task.missing]], np.int32)


@lean_kernel
def _search_locally(
    ways: Table, seen: Bools, order: Indices, route: Indices, taken: Bools, cuts: NDArray[np.int64]
) -> None:
    """Exchanges the stretches between each three cuts and improves the order; keeps what is not dearer.

    Needs room for a route, one longer than the order, and for the nodes taken.
    """
    count, size = len(seen), len(order)
    route[size] = count
    for exchange in range(-1, len(cuts)):
        one, two, three = 0, 0, 0
        if exchange >= 0:
            one, two, three = cuts[exchange, 0], cuts[exchange, 1], cuts[exchange, 2]
        for node in range(count):
            taken[node] = seen[node]
        for place in range(size):
            source = place
            if one <= place < three:
                source += two - one if place < one + three - two else two - three
            route[place] = order[source]
            taken[order[place]] = True
        better = True
        while better:
            better = False
            for first in range(1, size):
                for last in range(first + 1, size):
                    gain = ways[route[first - 1], route[first]] + ways[route[last], route[last + 1]]
                    if ways[route[first - 1], route[last]] + ways[route[first], route[last + 1]] < gain:
                        for shift in range((last - first + 1) // 2):
                            low, high = first + shift, last - shift
                            route[low], route[high] = route[high], route[low]
                        better = True
                before, node, behind = route[first - 1], route[first], route[first + 1]
                for other in range(count):
                    if not taken[other] and ways[before, other] + ways[other, behind] < (
                        ways[before, node] + ways[node, behind]
                    ):
                        taken[node], taken[other] = False, True
                        route[first] = node = other
                        better = True
        gain = ways[order[size - 1], count] - ways[route[size - 1], count]
        for place in range(1, size):
            gain += ways[order[place - 1], order[place]] - ways[route[place - 1], route[place]]
        if gain >= 0:
            for place in range(size):
                order[place] = route[place]
