"""The cheapest walk over a small graph that sees all of its nodes, or as many as are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Event

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dungeon_tui.engine._walks_answers import cheapest_costs, count_walks, first_steps
from dungeon_tui.engine._walks_graph import MAX_COST, MAX_NODES, checked_walk_graph
from dungeon_tui.engine._walks_solvers import METHODS, solve
from dungeon_tui.engine._walks_task import checked_quest
from dungeon_tui.engine._walks_watch import WalkCancelledError, watch_for

__all__ = [
    "MAX_COST",
    "MAX_NODES",
    "METHODS",
    "Walk",
    "WalkCancelledError",
    "cheapest_costs",
    "cheapest_walk",
    "count_walks",
    "first_steps",
]


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """A walk, and what is known about it."""

    cost: int | None  # None where what is asked for can't be reached
    nodes: NDArray[np.int32]  # (k,), the start first; empty where it can't be reached
    seen: int  # how many nodes are seen at its end; where it can't be reached, how many can be
    lower_bound: int  # no walk costs less; 0 where there is none
    is_proven: bool  # that none is cheaper, or that there is none
    method: str  # what found it, one of METHODS
    states: int  # how many states that looked at; of the programme, how often it was solved


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
    method: str | None = None,
    stop: Event | None = None,
    progress: Callable[[int, int, int], None] | None = None,
) -> Walk:
    """The cheapest walk that sees a number of nodes.

    A step along an edge costs the edge and the node entered. The start costs nothing and is seen. A walk may come back
    to nodes that it has seen, and pays for entering them again. It stops as soon as it has done what is asked.

    Args:
        indptr: (n + 1,) integers: the neighbours of node v are indices[indptr[v] : indptr[v + 1]].
        indices: (steps,) integers from 0 to n - 1; every edge is there both ways. Of parallel edges the cheapest
            counts; loops lead nowhere.
        edge_costs: (steps,) integers from 0 to MAX_COST, the same both ways; None for 0 each.
        node_costs: (n,) integers from 0 to MAX_COST; None for 1 each.
        start: where the walk begins.
        seen: nodes seen before it begins.
        needed: how many nodes must be seen at its end, those seen before included; None for all n.
        end: the node at which it must end, or None for any.
        returns: it must end where it began; instead of end.
        time_limit: seconds after which the best walk so far is the answer, with what is proven until then.
        method: one of METHODS to try nothing else; None for what suits the graph.
        stop: set by another thread to give up.
        progress: told now and then, in the calling thread, how many states were looked at, what every walk costs at
            least and what the best one so far costs.

    Returns:
        The walk; proven to be a cheapest one unless it says otherwise.

    Raises:
        ValueError: the graph is none, or has more than MAX_NODES nodes, or another argument is wrong; the message says
            which and how.
        WalkCancelledError: stop was set.

    Cost:
        Milliseconds for 60 nodes of a map that a plane almost holds. In general exponential: a sweep (`frontier`) in
        the width of the graph, which it must be no more than MAX_WIDTH; a search (`states`) in the number of nodes, 64
        at most; the integer programme (`programme`) needs highspy. Each takes less than a gigabyte; one that needs more
        leaves it to the next.

    Source:
        The sweep is the usual dynamic programming over a path decomposition, the search A* (Hart, Nilsson and Raphael,
        1968) over the states (node, nodes seen), the cuts of the programme are those of Dantzig, Fulkerson and Johnson
        (1954).

    >>> star = [0, 3, 4, 5, 6], [1, 2, 3, 0, 0, 0]
    >>> walk = cheapest_walk(*star, None, None, 0)
    >>> walk.cost, len(walk.nodes), walk.is_proven
    (5, 6, True)
    >>> cheapest_walk(*star, None, None, 0, needed=3, returns=True).cost
    4
    """
    graph = checked_walk_graph(indptr, indices, edge_costs, node_costs)
    quest = checked_quest(graph, start, seen, needed, end, returns)
    if not quest.is_possible:
        return Walk(None, np.empty(0, np.int32), quest.reachable, 0, True, METHODS[0], 0)
    watch = watch_for(time_limit, stop, progress)
    task = quest.task
    finding, found_by = solve(task, watch, method)
    nodes = task.nodes[finding.walk]
    seen_then = len(quest.known.union(nodes.tolist()))
    return Walk(finding.cost, nodes, seen_then, finding.bound, finding.is_proven, found_by, finding.states)
