"""Distances over a graph in compressed rows: what a grid with rules of its own about steps comes down to."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dungeon_tui.engine._jit import kernel
from dungeon_tui.engine.distance import UNREACHED

IndexArray = NDArray[np.int32]


def graph_distances(indptr: ArrayLike, indices: ArrayLike, source: int) -> IndexArray:
    """Edges from a node to every other one.

    Args:
        indptr: (n + 1,) int; the neighbours of node i are `indices[indptr[i]:indptr[i + 1]]`.
        indices: (edges,) int, each from 0 to n - 1.
        source: the node to begin at.

    Returns:
        (n,) int32, in edges; 0 at the source, UNREACHED where no way leads.

    Raises:
        ValueError: the source is no node, or the arrays are no graph.

    Cost:
        O(nodes + edges) time.
    """
    starts, ends = np.asarray(indptr, np.int32), np.asarray(indices, np.int32)
    nodes = len(starts) - 1
    if starts.ndim != 1 or ends.ndim != 1 or nodes < 0 or starts[0] != 0 or starts[-1] != len(ends):
        raise ValueError(f"indptr must run from 0 to the number of indices, {len(ends)}")
    if not 0 <= source < nodes:
        raise ValueError(f"source {source} is none of the {nodes} nodes")
    if (np.diff(starts) < 0).any() or (len(ends) and not 0 <= ends.min() <= ends.max() < nodes):
        raise ValueError(f"indptr must not fall, and indices must be from 0 to {nodes - 1}")
    return _graph_distances(starts, ends, source)


@kernel
def _graph_distances(indptr: IndexArray, indices: IndexArray, source: int) -> IndexArray:
    """Breadth first."""
    distance = np.full(len(indptr) - 1, UNREACHED, np.int32)
    queue = np.empty(len(indptr) - 1, np.int32)
    queue[0] = source
    distance[source] = 0
    head, tail = 0, 1
    while head < tail:
        node = queue[head]
        head += 1
        for edge in range(indptr[node], indptr[node + 1]):
            other = indices[edge]
            if distance[other] == UNREACHED:
                distance[other] = distance[node] + 1
                queue[tail] = other
                tail += 1
    return distance
