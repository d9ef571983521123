"""The cheapest walk over a small graph that sees all of its nodes, or as many as are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Event
from time import monotonic

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dungeon_tui.engine._walks_greedy import cheapest_ways, greedy_walk, walk_cost
from dungeon_tui.engine._walks_search import search
from dungeon_tui.engine._walks_task import (
    MAX_COST,
    MAX_NODES,
    checked_node,
    checked_walk_graph,
    joined_nodes,
    make_task,
)
from dungeon_tui.engine._walks_watch import Finding, WalkCancelledError, Watch

__all__ = ["MAX_COST", "MAX_NODES", "Walk", "WalkCancelledError", "cheapest_walk"]


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """A walk, and what is known about it."""

    cost: int | None  # None where what is asked for can't be reached
    nodes: NDArray[np.int32]  # (k,), the start first; empty where it can't be reached
    seen: int  # how many nodes are seen at its end; where it can't be reached, how many can be seen
    lower_bound: int  # no walk costs less
    is_proven: bool  # that no walk costs less than this one, or that there is none
    method: str  # what found it
    states: int  # how many states that looked at


def cheapest_walk(
    indptr: ArrayLike,
    indices: ArrayLike,
    edge_costs: ArrayLike | None,
    node_costs: ArrayLike | None,
    start: int,
    *,
    seen: Iterable[int] = (),
    needed: int | None = None,
    end: int | None = None,
    returns: bool = False,
    time_limit: float | None = None,
    stop: Event | None = None,
    progress: Callable[[int, int, int], None] | None = None,
) -> Walk:
    """The cheapest walk that sees a number of nodes.

    A step along an edge costs the edge and the node entered; the start costs nothing and is seen. A walk may come back
    to nodes that it has seen, and pays for entering them again.
    """
    graph = checked_walk_graph(indptr, indices, edge_costs, node_costs)
    count = len(graph.node_costs)
    start = checked_node("start", start, count)
    known = {start, *(checked_node("seen", node, count) for node in seen)}
    needed = count if needed is None else needed
    end = start if returns else None if end is None else checked_node("end", end, count)
    joined = joined_nodes(graph, start)
    reachable = known.union(np.flatnonzero(joined).tolist())
    if needed > len(reachable) or (end is not None and not joined[end]):
        return Walk(None, np.empty(0, np.int32), len(reachable), 0, True, "reach", 0)
    task = make_task(graph, start, known, max(0, needed - len(known)), end)
    watch = Watch(None if time_limit is None else monotonic() + time_limit, stop, progress)
    ways, onward = cheapest_ways(task)
    walk = greedy_walk(task, ways, onward)
    finding = search(task, ways, Finding(walk, walk_cost(task, walk), 0, 0), watch)
    nodes = task.nodes[finding.walk]
    return Walk(
        finding.cost,
        nodes,
        len(known.union(nodes.tolist())),
        finding.bound,
        finding.is_proven,
        "states",
        finding.states,
    )
