"""Distances over a graph in compressed rows, for grids with special rules for steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dungeon_tui.engine._rows import Indices, checked_rows, frozen
from dungeon_tui.engine.distance.maps import UNREACHED
from dungeon_tui.engine.jit import kernel


def graph_distances(indptr: ArrayLike, indices: ArrayLike, source: int, *, before: Indices | None = None) -> Indices:
    """Edges from a node to every other node.

    Args:
        indptr: (n + 1,) int; the neighbours of node i are `indices[indptr[i]:indptr[i + 1]]`.
        indices: (edges,) int, each from 0 to n - 1.
        source: the first node.
        before: (n,) int32; a path enters node i only with fewer edges than before[i]. None: no such limit.

    Returns:
        (n,) int32, in edges; 0 at the source, UNREACHED without a path.

    Raises:
        ValueError: the source is no node, the arrays are no graph, or their lengths differ.
    """
    starts, ends = checked_rows(indptr, indices)
    nodes = len(starts) - 1
    if not 0 <= source < nodes:
        raise ValueError(f"source {source} is none of the {nodes} nodes")
    if before is None:
        before = np.full(nodes, UNREACHED, np.int32)
    elif before.shape != (nodes,) or before.dtype != np.int32:
        raise ValueError(f"before must be int32 of the shape ({nodes},)")
    distance = np.full(nodes, UNREACHED, np.int32)
    _graph_distances(starts, ends, source, frozen(before), distance, np.empty(nodes, np.int32))
    return distance


def fold_graph(indptr: ArrayLike, indices: ArrayLike) -> Indices:
    """Folds a graph completely: each node onto a neighbour that sees everything the node sees.

    A node sees itself and its neighbours. The remaining nodes are the core. If the core is a single node, a pursuer
    catches an evader of equal speed. Otherwise an evader that stays in the core, off the neighbours of the pursuer's
    image, is never caught: no image sees everything that the evader's node sees, so a safe step always exists.

    Takes a graph as graph_distances does, with every edge in both directions; loops make no difference. Takes
    O(nodes * degree^3) time. Raises ValueError if the arrays are no graph.

    Returns:
        (n,) int32: the core node that each node folds onto. Core nodes stay in place; neighbours fold onto neighbours
        or onto the same node.

    Source:
        Richard Nowakowski and Peter Winkler, "Vertex-to-vertex pursuit in a graph" (1983).

    >>> fold_graph([0, 1, 3, 4], [1, 0, 2, 1]).tolist()  # three nodes in a row
    [2, 2, 2]
    >>> fold_graph([0, 2, 4, 6, 8], [1, 3, 0, 2, 1, 3, 0, 2]).tolist()  # four in a ring
    [0, 1, 2, 3]
    """
    starts, ends = checked_rows(indptr, indices)
    image = np.arange(len(starts) - 1, dtype=np.int32)
    _fold_graph(starts, ends, image, np.zeros_like(image), image.copy(), np.ones(len(image), np.bool_))
    return image


@kernel
def _graph_distances(
    indptr: Indices, indices: Indices, source: int, before: Indices, distance: Indices, queue: Indices
) -> None:
    queue[0] = source
    distance[source] = 0
    head, tail = 0, 1
    while head < tail:
        node = queue[head]
        head += 1
        for edge in range(indptr[node], indptr[node + 1]):
            other = indices[edge]
            if distance[other] == UNREACHED and distance[node] + 1 < before[other]:
                distance[other] = distance[node] + 1
                queue[tail] = other
                tail += 1


@kernel
def _fold_graph(
    indptr: Indices, indices: Indices, image: Indices, seen_at: Indices, queue: Indices, is_queued: NDArray[np.bool_]
) -> None:
    """Sets `image`: looks at every node, and again at nodes whose neighbour was folded away.

    `image` and `queue` begin as all nodes; the queue is a ring and holds a node at most once. `seen_at` is the last
    look at which a node was seen.
    """
    nodes = len(image)
    look = 0
    head, waiting = 0, nodes
    while waiting > 0:
        node = queue[head]
        head = head + 1 if head + 1 < nodes else 0
        waiting -= 1
        is_queued[node] = False

        # Mark everything that the node sees.
        look += 1
        seen = 1
        seen_at[node] = look
        for edge in range(indptr[node], indptr[node + 1]):
            other = indices[edge]
            if image[other] == other and seen_at[other] != look:
                seen_at[other] = look
                seen += 1

        # Fold it onto the first neighbour that sees all of it.
        for edge in range(indptr[node], indptr[node + 1]):
            onto = indices[edge]
            if onto == node or image[onto] != onto:
                continue
            common = 1
            for onward in range(indptr[onto], indptr[onto + 1]):
                other = indices[onward]
                common += other != onto and image[other] == other and seen_at[other] == look
            if common == seen:
                image[node] = onto
                break
        if image[node] == node:
            continue

        # Its neighbours see less now: look at them again.
        for edge in range(indptr[node], indptr[node + 1]):
            other = indices[edge]
            if image[other] == other and not is_queued[other]:
                is_queued[other] = True
                tail = head + waiting
                queue[tail if tail < nodes else tail - nodes] = other
                waiting += 1

    # A node may have folded onto one that folded later: follow the chain.
    for node in range(nodes):
        while image[image[node]] != image[node]:
            image[node] = image[image[node]]
