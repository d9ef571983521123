"""What a walk has to do, checked and brought down to the part of the graph that matters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Indices = NDArray[np.int32]
Costs = NDArray[np.int64]

MAX_NODES = 256
"""A graph of more nodes is refused."""

MAX_COST = 2**40
"""A node or an edge that costs more is refused, so that no sum leaves 64 bits."""


@dataclass(frozen=True, slots=True)
class Task:
    """A walk from the start that sees `missing` nodes more, and then stands at the end where there is one.

    Only nodes that the start is joined to are left, numbered anew; of parallel edges only the cheapest, and no loops. An
    end not seen yet is counted as seen here, and as one node less that is missing: whoever stands there has seen it.

    Shared by all solvers: a walk of steps u -> v costs the sum of edge(u, v) + entry(v). Since it enters every node as
    often as it leaves it, but for its two ends, twice that is the sum of 2 edge(u, v) + entry(u) + entry(v), which is
    the same in both directions, plus entry(last) - entry(first).
    """

    nodes: Indices  # (n,), the numbers that these nodes had
    indptr: Indices  # (n + 1,)
    indices: Indices  # (steps,)
    steps: Costs  # (steps,), of a step: its edge and the node entered
    entries: Costs  # (n,)
    start: int
    seen: NDArray[np.bool_]  # (n,)
    missing: int
    end: int  # -1 where any will do

    @property
    def tails(self) -> Indices:
        """(steps,), the node that each step leaves."""
        return np.repeat(np.arange(len(self.nodes), dtype=np.int32), np.diff(self.indptr))

    @property
    def doubled(self) -> Costs:
        """(steps,), twice each step's cost, seen from both of its ends alike."""
        return 2 * self.steps + self.entries[self.tails] - self.entries[self.indices]


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph as it was given, checked."""

    indptr: Indices
    indices: Indices
    edge_costs: Costs
    node_costs: Costs

    @property
    def tails(self) -> Indices:
        """(steps,), the node that each entry of indices belongs to."""
        return np.repeat(np.arange(len(self.node_costs), dtype=np.int32), np.diff(self.indptr))


def checked_walk_graph(
    indptr: ArrayLike, indices: ArrayLike, edge_costs: ArrayLike | None, node_costs: ArrayLike | None
) -> Graph:
    """The graph of a walk, as contiguous arrays.

    Raises:
        ValueError: the arrays are no undirected graph of at most MAX_NODES nodes, or a cost is not from 0 to MAX_COST;
            the message names the entry.
    """
    starts, targets = _integers("indptr", indptr), _integers("indices", indices)
    if len(starts) < 2:
        raise ValueError("indptr must have at least two entries: there must be a node to start from")
    count = len(starts) - 1
    if count > MAX_NODES:
        raise ValueError(f"{count} nodes are too many: at most {MAX_NODES}")
    if starts[0] != 0 or starts[-1] != len(targets):
        raise ValueError(f"indptr must run from 0 to the number of indices, {len(targets)}")
    if (starts[1:] < starts[:-1]).any():
        raise ValueError("indptr must not fall")
    wrong = np.flatnonzero((targets < 0) | (targets >= count))
    if len(wrong):
        raise ValueError(f"indices[{wrong[0]}] must be a node from 0 to {count - 1}, not {targets[wrong[0]]}")
    graph = Graph(
        starts.astype(np.int32),
        targets.astype(np.int32),
        _checked_costs("edge_costs", edge_costs, len(targets), 0),
        _checked_costs("node_costs", node_costs, count, 1),
    )
    _check_both_ways(graph)
    return graph


def make_task(graph: Graph, start: int, seen: Iterable[int], missing: int, end: int | None) -> Task:
    """The task on the nodes that the start is joined to.

    Args:
        graph: the whole graph.
        start: where the walk begins.
        seen: the nodes seen already, the start too.
        missing: how many more there must be.
        end: where the walk must end, one that can be reached, or None.
    """
    tails = graph.tails
    joined = joined_nodes(graph, start)
    number = np.full(len(joined), -1, np.int32)
    number[joined] = np.arange(np.count_nonzero(joined), dtype=np.int32)
    edges = np.flatnonzero(joined[tails] & (tails != graph.indices))
    edges = edges[np.lexsort((graph.edge_costs[edges], graph.indices[edges], tails[edges]))]
    is_first = np.ones(len(edges), np.bool_)
    is_first[1:] = (tails[edges[1:]] != tails[edges[:-1]]) | (graph.indices[edges[1:]] != graph.indices[edges[:-1]])
    edges = edges[is_first]
    counts = np.bincount(number[tails[edges]], minlength=np.count_nonzero(joined))
    known = np.zeros(len(joined), np.bool_)
    known[list(seen)] = True
    if end is not None and not known[end]:
        known[end] = True
        missing -= 1
    return Task(
        nodes=np.flatnonzero(joined).astype(np.int32),
        indptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        indices=number[graph.indices[edges]],
        steps=graph.edge_costs[edges] + graph.node_costs[graph.indices[edges]],
        entries=graph.node_costs[joined],
        start=int(number[start]),
        seen=known[joined],
        missing=max(0, missing),
        end=-1 if end is None else int(number[end]),
    )


def joined_nodes(graph: Graph, start: int) -> NDArray[np.bool_]:
    """(nodes,) bool: which can be reached."""
    joined = np.zeros(len(graph.node_costs), np.bool_)
    joined[start] = True
    tails = graph.tails
    while True:
        found = graph.indices[joined[tails]]
        if joined[found].all():
            return joined
        joined[found] = True


def checked_node(name: str, node: Any, count: int) -> int:
    """A node's number.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(node, (int, np.integer)) or isinstance(node, bool) or not 0 <= node < count:
        raise ValueError(f"{name} must be a node from 0 to {count - 1}, not {node}")
    return int(node)


def _check_both_ways(graph: Graph) -> None:
    """Every edge must be there from both of its ends, at the same cost."""
    tails, heads = graph.tails, graph.indices
    there = np.lexsort((graph.edge_costs, heads, tails))
    back = np.lexsort((graph.edge_costs, tails, heads))
    same = (
        (tails[there] == heads[back])
        & (heads[there] == tails[back])
        & (graph.edge_costs[there] == graph.edge_costs[back])
    )
    if not same.all():
        first = int(np.flatnonzero(~same)[0])
        edge = min(int(there[first]), int(back[first]))
        raise ValueError(
            f"the edge from node {tails[edge]} to node {heads[edge]} must be there both ways, at the same cost"
        )


def _integers(name: str, numbers: ArrayLike) -> NDArray[np.integer]:
    """The numbers as an array of one dimension."""
    array = np.asarray(numbers)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not {array.ndim}")
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, not {array.dtype}")
    return array if array.size else array.astype(np.int32)


def _checked_costs(name: str, numbers: ArrayLike | None, count: int, default: int) -> Costs:
    """The costs, all alike where none are given."""
    if numbers is None:
        return np.full(count, default, np.int64)
    costs = _integers(name, numbers)
    if len(costs) != count:
        raise ValueError(f"{name} must have {count} entries, not {len(costs)}")
    wrong = np.flatnonzero((costs < 0) | (costs > MAX_COST))
    if len(wrong):
        raise ValueError(f"{name}[{wrong[0]}] must be from 0 to {MAX_COST:,}, not {costs[wrong[0]]}")
    return costs.astype(np.int64)
