"""Orders of a graph's nodes that keep the frontier of a sweep narrow."""

from typing import NamedTuple

import numpy as np

from dungeon_tui.engine._rows import Indices
from dungeon_tui.engine.jit import lean_kernel
from dungeon_tui.engine.walks.problem import Network

MAX_WIDTH = 12
"""A frontier of more nodes does not fit a key of 64 bits."""


class SweepEvent(NamedTuple):
    """An edge between two nodes of the frontier is swept, or a node leaves it."""

    edge: int  # its index among the network's steps; -1 for a leaving
    node: int  # that leaves
    slots: tuple[int, int]  # in the frontier: of both ends, or twice of the leaving node


class SweepOrder(NamedTuple):
    """A sweep, event by event."""

    events: list[SweepEvent]
    nodes: list[int]  # in the order in which they enter
    width: int  # how many nodes the frontier holds at most


def sweep_order(network: Network) -> SweepOrder:
    """The narrowest of n sweeps, one from each node; each takes the node that lets the frontier grow least.

    The narrowest has the least sum of 5 to the power of the frontier's width, over all its frontiers.
    """
    indptr, indices = network.indptr.tolist(), network.indices.tolist()
    count = len(network.nodes)
    order, least, room = np.arange(count, dtype=np.int32), np.inf, np.empty((3, count), np.int32)
    for first in range(count):
        tried = np.empty(count, np.int32)
        score = _order_from(network.indptr, network.indices, first, tried, room, least)
        if score < least:
            order, least = tried, score
    rank = np.argsort(order).tolist()
    left = np.diff(network.indptr).tolist()
    free = list(range(count - 1, -1, -1))
    slot: dict[int, int] = {}
    events: list[SweepEvent] = []
    width = 0
    for node in order.tolist():
        slot[node] = free.pop()
        width = max(width, slot[node] + 1)
        earlier = [edge for edge in range(indptr[node], indptr[node + 1]) if rank[indices[edge]] < rank[node]]
        for edge in [*sorted(earlier, key=lambda edge: left[indices[edge]]), -1]:
            other = node
            if edge >= 0:
                other = indices[edge]
                events.append(SweepEvent(edge, -1, (slot[other], slot[node])))
                left[other] -= 1
                left[node] -= 1
            if left[other] == 0:
                events.append(SweepEvent(-1, other, (slot[other], slot[other])))
                free.append(slot.pop(other))
                free.sort(reverse=True)
    return SweepOrder(events, order.tolist(), width)


@lean_kernel
def _order_from(indptr: Indices, indices: Indices, first: int, order: Indices, room: Indices, limit: float) -> float:
    """Sets the order that begins at a node and then takes the node that lets most others leave; returns its score.

    The score is the sum of 5 to the power of each frontier's width; ends early once it reaches the limit. `room` is for
    three numbers a node.
    """
    count = len(order)
    left, taken, touched = room[0], room[1], room[2]  # neighbours not taken, 0 or 1, time of the first neighbour
    for node in range(count):
        left[node] = indptr[node + 1] - indptr[node]
        taken[node], touched[node] = 0, -1
    score, width = 0.0, 0
    node = first
    for when in range(count):
        taken[node] = 1
        order[when] = node
        width += 1
        score += 5.0**width
        if score >= limit:
            return score

        # Nodes leave the frontier once all their neighbours are taken.
        if left[node] == 0:
            width -= 1
        for edge in range(indptr[node], indptr[node + 1]):
            other = indices[edge]
            left[other] -= 1
            if taken[other] == 1 and left[other] == 0:
                width -= 1
            if touched[other] < 0:
                touched[other] = when

        # Take the node that lets the frontier grow least; of equals the one touched first.
        node, growth = -1, 0
        for other in range(count):
            if taken[other] == 1 or touched[other] < 0:
                continue
            grows = 0 if left[other] == 0 else 1
            for edge in range(indptr[other], indptr[other + 1]):
                grows -= taken[indices[edge]] == 1 and left[indices[edge]] == 1
            if node < 0 or grows < growth or (grows == growth and touched[other] < touched[node]):
                node, growth = other, grows
    return score
