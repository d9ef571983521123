"""The graph of walks: what is wrong with it, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dungeon_tui.engine._rows import Indices, checked_rows, integers

Costs = NDArray[np.int64]

MAX_NODES = 256
"""A graph of more nodes is refused."""

MAX_COST = 2**40
"""A node or an edge that costs more is refused, so that no sum leaves 64 bits."""


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
    starts, targets = checked_rows(indptr, indices)
    count = len(starts) - 1
    if count == 0:
        raise ValueError("indptr must have at least two entries: there must be a node to start from")
    if count > MAX_NODES:
        raise ValueError(f"{count} nodes are too many: at most {MAX_NODES}")
    graph = Graph(
        starts,
        targets,
        _checked_costs("edge_costs", edge_costs, len(targets), 0),
        _checked_costs("node_costs", node_costs, count, 1),
    )
    _check_both_ways(graph)
    return graph


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


def _checked_costs(name: str, numbers: ArrayLike | None, count: int, default: int) -> Costs:
    """The costs, all alike where none are given."""
    if numbers is None:
        return np.full(count, default, np.int64)
    costs = integers(name, numbers)
    if len(costs) != count:
        raise ValueError(f"{name} must have {count} entries, not {len(costs)}")
    wrong = np.flatnonzero((costs < 0) | (costs > MAX_COST))
    if len(wrong):
        raise ValueError(f"{name}[{wrong[0]}] must be from 0 to {MAX_COST:,}, not {costs[wrong[0]]}")
    return costs.astype(np.int64)
