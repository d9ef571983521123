"""Walk problems: the graph and the request, checked and reduced to the relevant part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dungeon_tui.engine._rows import Indices, checked_rows, integers

Costs = NDArray[np.int64]
Bools = NDArray[np.bool_]

MAX_COST = 2**40
"""A node or an edge that costs more is refused, so that no sum leaves 64 bits."""

MAX_NODES = 256
"""A graph of more nodes is refused."""

FAR = 2**61
"""Dearer than any walk."""


@dataclass(frozen=True, slots=True, eq=False)
class WalkProblem:
    """A graph, and the walk to find on it.

    A step along an edge costs the edge and the node entered. The start costs nothing and is seen. A walk may enter a
    node again, and pays again. It stops as soon as it has seen enough nodes and stands at its end.

    Attributes:
        indptr: (n + 1,) integers: the neighbours of node v are indices[indptr[v] : indptr[v + 1]].
        indices: (steps,) integers from 0 to n - 1; every edge in both directions. Of parallel edges the cheapest
            counts; loops lead nowhere.
        edge_costs: (steps,) integers from 0 to MAX_COST, the same both ways; None for 0 each.
        node_costs: (n,) integers from 0 to MAX_COST; None for 1 each.
        start: the first node of the walk.
        seen: nodes seen before it begins.
        needed: number of nodes seen at its end, including those seen before; None for all n.
        end: the node at which it must end, or None for any.
        returns: True if it must end at its start; then end must be None.
    """

    indptr: ArrayLike
    indices: ArrayLike
    edge_costs: ArrayLike | None = None
    node_costs: ArrayLike | None = None
    start: int = 0
    seen: Iterable[int] = field(default=(), kw_only=True)
    needed: int | None = field(default=None, kw_only=True)
    end: int | None = field(default=None, kw_only=True)
    returns: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The nodes connected to the start, renumbered; the cheapest of parallel edges, and no loops."""

    nodes: Indices  # (n,), the numbers that these nodes had
    indptr: Indices  # (n + 1,)
    indices: Indices  # (steps,), of each row ascending
    tails: Indices  # (steps,), the node that each step leaves
    steps: Costs  # (steps,), of a step: its edge and the node entered
    entries: Costs  # (n,)

    @property
    def doubled(self) -> Costs:
        """(steps,), twice each step's cost, the same in both directions.

        A walk of steps u -> v costs the sum of edge(u, v) + entry(v). Since it enters every node as often as it leaves
        it, except its two ends, twice that is the sum of 2 edge(u, v) + entry(u) + entry(v), plus entry(last) -
        entry(first).
        """
        return 2 * self.steps + self.entries[self.tails] - self.entries[self.indices]

    def cost(self, walk: list[int]) -> int:
        """The cost of a walk: the sum of its steps."""
        pairs = self.tails * len(self.nodes) + self.indices
        wanted = np.array(walk[:-1], np.int64) * len(self.nodes) + walk[1:]
        return int(self.steps[np.searchsorted(pairs, wanted)].sum())


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """A walk from the start that sees `missing` more nodes and then stands at the end, if it has one.

    An unseen end counts as seen, and `missing` excludes it: a walk that ends there has seen it.
    """

    network: Network
    start: int
    seen: Bools  # (n,)
    missing: int
    end: int  # -1: any node

    @property
    def is_done(self) -> bool:
        """True if no node is missing, and the start is the end, or any end will do."""
        return self.missing == 0 and self.end in (-1, self.start)

    @property
    def state(self) -> tuple[int, bytes]:
        """The start and the nodes seen, which identify tasks that follow from the same one."""
        return self.start, self.seen.tobytes()

    def after(self, node: int) -> Task:
        """The rest of the task after a step to a neighbour."""
        seen = self.seen.copy()
        seen[node] = True
        return replace(self, start=node, seen=seen, missing=max(0, self.missing - (not self.seen[node])))

    def cut_short(self, walk: list[int]) -> list[int]:
        """The walk up to the node at which the task is done. Raises ValueError if it never is."""
        seen, missing = self.seen.copy(), self.missing
        for index, node in enumerate(walk):
            missing -= not seen[node]
            seen[node] = True
            if missing <= 0 and self.end in (-1, node):
                return walk[: index + 1]
        raise ValueError("the walk does not do its task")


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """A checked problem."""

    task: Task  # valid only if is_possible
    known: frozenset[int]  # the nodes seen before the first step, by the numbers they had
    reachable: int  # how many nodes can be seen
    is_possible: bool


def checked_request(problem: WalkProblem) -> Request:
    """The checked request of a problem, on the relevant part of its graph. Raises ValueError, which names the fault."""
    starts, heads = checked_rows(problem.indptr, problem.indices)
    count = len(starts) - 1
    if count == 0:
        raise ValueError("indptr must have at least two entries: there must be a node to start from")
    if count > MAX_NODES:
        raise ValueError(f"{count} nodes are too many: at most {MAX_NODES}")
    edge_costs = _checked_costs("edge_costs", problem.edge_costs, len(heads), 0)
    node_costs = _checked_costs("node_costs", problem.node_costs, count, 1)
    tails = np.repeat(np.arange(count, dtype=np.int32), np.diff(starts))
    _check_both_ways(tails, heads, edge_costs)
    start = _checked_node("start", problem.start, count)
    known = frozenset({start, *(_checked_node("seen", node, count) for node in problem.seen)})
    needed = count if problem.needed is None else problem.needed
    if not isinstance(needed, (int, np.integer)) or isinstance(needed, bool) or needed < 0:
        raise ValueError(f"needed must be a number of nodes, not {needed}")
    if problem.returns and problem.end is not None:
        raise ValueError("a walk that returns ends at its start; end must be None")
    end = start if problem.returns else problem.end
    if end is not None:
        end = _checked_node("end", end, count)

    # Keep the nodes joined to the start, renumbered, and the cheapest of parallel edges.
    joined = spread(np.arange(count) == start, tails, heads)
    edges = np.flatnonzero(joined[tails] & (tails != heads))
    edges = edges[np.lexsort((edge_costs[edges], heads[edges], tails[edges]))]
    pairs = tails[edges] * count + heads[edges]
    edges = edges[np.append(True, pairs[1:] != pairs[:-1])[: len(edges)]]
    number = np.cumsum(joined, dtype=np.int32) - np.int32(1)
    network = Network(
        nodes=np.flatnonzero(joined).astype(np.int32),
        indptr=np.searchsorted(number[tails[edges]], np.arange(np.count_nonzero(joined) + 1)).astype(np.int32),
        indices=number[heads[edges]],
        tails=number[tails[edges]],
        steps=edge_costs[edges] + node_costs[heads[edges]],
        entries=node_costs[joined],
    )

    # An unseen end counts as seen.
    reachable = known.union(network.nodes.tolist())
    is_possible = needed <= len(reachable) and (end is None or bool(joined[end]))
    counted = known if end is None else known | {end}
    is_seen = np.isin(network.nodes, list(counted))
    missing = max(0, int(needed) - len(counted))
    task = Task(network, int(number[start]), is_seen, missing, -1 if end is None else int(number[end]))
    return Request(task, known, len(reachable), is_possible)


def spread(part: Bools, tails: Indices, heads: Indices) -> Bools:
    """(n,) bool: a set of nodes and all nodes that steps (tails[i] to heads[i]) reach from it."""
    part = part.copy()
    while True:
        found = heads[part[tails]]
        if part[found].all():
            return part
        part[found] = True


def _checked_node(name: str, node: Any, count: int) -> int:
    if not isinstance(node, (int, np.integer)) or isinstance(node, bool) or not 0 <= node < count:
        raise ValueError(f"{name} must be a node from 0 to {count - 1}, not {node}")
    return int(node)


def _checked_costs(name: str, numbers: ArrayLike | None, count: int, default: int) -> Costs:
    if numbers is None:
        return np.full(count, default, np.int64)
    costs = integers(name, numbers)
    if len(costs) != count:
        raise ValueError(f"{name} must have {count} entries, not {len(costs)}")
    wrong = np.flatnonzero((costs < 0) | (costs > MAX_COST))
    if len(wrong):
        raise ValueError(f"{name}[{wrong[0]}] must be from 0 to {MAX_COST:,}, not {costs[wrong[0]]}")
    return costs.astype(np.int64)


def _check_both_ways(tails: Indices, heads: Indices, costs: Costs) -> None:
    """Raises ValueError unless every edge exists in both directions, at the same cost."""
    there, back = np.lexsort((costs, heads, tails)), np.lexsort((costs, tails, heads))
    differs = (tails[there] != heads[back]) | (heads[there] != tails[back]) | (costs[there] != costs[back])
    if differs.any():
        first = int(np.flatnonzero(differs)[0])
        edge = min(int(there[first]), int(back[first]))
        raise ValueError(
            f"the edge from node {tails[edge]} to node {heads[edge]} must be there both ways, at the same cost"
        )
