"""In which order a frontier sweeps over a graph so that it stays narrow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dungeon_tui.engine._jit import kernel
from dungeon_tui.engine._rows import Indices
from dungeon_tui.engine._walks_task import Task

MAX_WIDTH = 12
"""A frontier of more nodes does not fit a key of 64 bits."""

EDGE, LEAVE = range(2)


class Plan(NamedTuple):
    """The sweep, one event after the other: an edge between two nodes of the frontier, or a node leaves it."""

    kinds: list[int]
    nodes: list[tuple[int, int]]  # of an edge both; of a leaving the node, twice
    places: list[tuple[int, int]]  # where these stand in the frontier
    edges: list[int]  # of an edge its index among the task's steps, else -1
    width: int  # how many nodes the frontier holds at most


def make_plan(task: Task) -> Plan:
    """The narrowest sweep among those that begin at each node and go on where the frontier grows least."""
    order = _best_order(task.indptr, task.indices)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order))
    left = np.diff(task.indptr).tolist()
    free = list(range(len(order) - 1, -1, -1))
    place: dict[int, int] = {}
    plan = Plan([], [], [], [], 0)
    width = 0

    def leave(node: int) -> None:
        plan.kinds.append(LEAVE)
        plan.nodes.append((node, node))
        plan.places.append((place[node], place[node]))
        plan.edges.append(-1)
        free.append(place.pop(node))
        free.sort(reverse=True)

    for node in order.tolist():
        place[node] = free.pop()
        width = max(width, place[node] + 1)
        earlier = [
            edge for edge in range(task.indptr[node], task.indptr[node + 1]) if rank[task.indices[edge]] < rank[node]
        ]
        for edge in sorted(earlier, key=lambda edge: left[task.indices[edge]]):
            other = int(task.indices[edge])
            plan.kinds.append(EDGE)
            plan.nodes.append((other, node))
            plan.places.append((place[other], place[node]))
            plan.edges.append(edge)
            left[other] -= 1
            left[node] -= 1
            if left[other] == 0:
                leave(other)
        if left[node] == 0:
            leave(node)
    return plan._replace(width=width)


@kernel
def _best_order(indptr: Indices, indices: Indices) -> Indices:
    """Of the orders from each node the one whose frontiers, each counted five-fold for a node more, are least."""
    count = len(indptr) - 1
    best = np.empty(count, np.int32)
    least = np.inf
    order = np.empty(count, np.int32)
    for first in range(count):
        score = _order_from(indptr, indices, first, order, least)
        if score < least:
            least = score
            best[:] = order
    return best


@kernel
def _order_from(indptr: Indices, indices: Indices, first: int, order: Indices, limit: float) -> float:
    """Begins at a node and takes next to the frontier each time the node that lets most others leave."""
    count = len(order)
    left = np.empty(count, np.int32)  # of each node, the neighbours not taken yet
    taken = np.zeros(count, np.bool_)
    touched = np.full(count, -1, np.int32)  # when a neighbour was taken first
    for node in range(count):
        left[node] = indptr[node + 1] - indptr[node]
    score, width = 0.0, 0
    node = first
    for when in range(count):
        taken[node] = True
        order[when] = node
        width += 1
        score += 5.0**width
        if score >= limit:
            return score
        if left[node] == 0:
            width -= 1
        for edge in range(indptr[node], indptr[node + 1]):
            other = indices[edge]
            left[other] -= 1
            if taken[other] and left[other] == 0:
                width -= 1
            if touched[other] < 0:
                touched[other] = when
        node, growth = -1, 0
        for other in range(count):
            if taken[other] or touched[other] < 0:
                continue
            grows = 0 if left[other] == 0 else 1
            for edge in range(indptr[other], indptr[other + 1]):
                grows -= taken[indices[edge]] and left[indices[edge]] == 1
            if node < 0 or grows < growth or (grows == growth and touched[other] < touched[node]):
                node, growth = other, grows
    return score
