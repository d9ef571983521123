"""More about cheapest walks: how they can begin, how many there are, and what seeing more nodes costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from threading import Event

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dungeon_tui.engine._walks_graph import Costs, checked_walk_graph
from dungeon_tui.engine._walks_greedy import FAR, cheapest_ways
from dungeon_tui.engine._walks_order import MAX_WIDTH, make_plan
from dungeon_tui.engine._walks_search import count
from dungeon_tui.engine._walks_solvers import solve
from dungeon_tui.engine._walks_sweep import sweep_costs
from dungeon_tui.engine._walks_task import Task, checked_quest, make_task
from dungeon_tui.engine._walks_watch import Watch, watch_for


def first_steps(
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
) -> NDArray[np.int32] | None:
    """The nodes to which a cheapest walk can go first.

    Args:
        indptr: as for cheapest_walk, like all that follows.
        indices: as there.
        edge_costs: as there.
        node_costs: as there.
        start: as there.
        seen: as there.
        needed: as there.
        end: as there.
        returns: as there.
        time_limit: as there, for all of it.
        stop: as there.
        progress: as there.

    Returns:
        (k,) int32, ascending; empty where there is nothing left to do, or no walk does it; None where time or room did
        not suffice to prove which they are.

    Raises:
        ValueError: as for cheapest_walk.
        WalkCancelledError: stop was set.

    Cost:
        That of cheapest_walk for the start and each of its neighbours.

    >>> first_steps([0, 2, 4, 6, 8], [1, 3, 0, 2, 1, 3, 0, 2], None, None, 0).tolist()  # round a ring, either way
    [1, 3]
    """
    graph = checked_walk_graph(indptr, indices, edge_costs, node_costs)
    quest = checked_quest(graph, start, seen, needed, end, returns)
    if not quest.is_possible or quest.task.is_done:
        return np.empty(0, np.int32)
    task = quest.task
    watch = watch_for(time_limit, stop, progress)
    costs: dict[int, int] = {}
    for edge in range(task.indptr[task.start], task.indptr[task.start + 1]):
        other = int(task.nodes[task.indices[edge]])
        after = make_task(graph, other, quest.known | {other}, quest.needed, quest.end)
        finding, _ = solve(after, watch)
        if not finding.is_proven:
            return None
        costs[other] = int(task.steps[edge]) + finding.cost
    return np.array(sorted(node for node, cost in costs.items() if cost == min(costs.values())), np.int32)


def count_walks(
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
    cap: int = 1000,
    time_limit: float | None = None,
    stop: Event | None = None,
    progress: Callable[[int, int, int], None] | None = None,
) -> int | None:
    """How many cheapest walks there are.

    Counted are the sequences of nodes of least cost that stop as soon as they have done what is asked. Which of
    parallel edges they take makes no difference. Where a way back to where it was, with no node more seen, costs
    nothing, a cheapest walk can take it for ever: then there are infinitely many, and the answer is the cap.

    Args:
        indptr: as for cheapest_walk, like all that follows.
        indices: as there.
        edge_costs: as there.
        node_costs: as there.
        start: as there.
        seen: as there.
        needed: as there.
        end: as there.
        returns: as there.
        cap: the largest answer, from 1 to 2**62: so many or more.
        time_limit: as there, for all of it.
        stop: as there.
        progress: as there.

    Returns:
        The number, at most cap; 0 where no walk does it; None where time or room did not suffice.

    Raises:
        ValueError: as for cheapest_walk, or the cap is out of its range.
        WalkCancelledError: stop was set.

    Cost:
        That of cheapest_walk, then of a search over all states that a cheapest walk could pass: some 24 nodes take
        seconds, more often too many.

    >>> count_walks([0, 3, 4, 5, 6], [1, 2, 3, 0, 0, 0], None, None, 0)  # a star's three leaves, in any order
    6
    """
    graph = checked_walk_graph(indptr, indices, edge_costs, node_costs)
    quest = checked_quest(graph, start, seen, needed, end, returns)
    if not 1 <= cap <= 2**62:
        raise ValueError(f"cap must be from 1 to 2**62, not {cap}")
    if not quest.is_possible:
        return 0
    task = quest.task
    watch = watch_for(time_limit, stop, progress)
    finding, _ = solve(task, watch)
    if not finding.is_proven:
        return None
    return count(task, cheapest_ways(task)[0], finding.cost, cap, watch)


def cheapest_costs(
    indptr: ArrayLike,
    indices: ArrayLike,
    edge_costs: ArrayLike | None,
    node_costs: ArrayLike | None,
    start: int,
    *,
    seen: Iterable[int] = (),
    end: int | None = None,
    returns: bool = False,
    time_limit: float | None = None,
    stop: Event | None = None,
    progress: Callable[[int, int, int], None] | None = None,
) -> NDArray[np.int64] | None:
    """The least cost for each number of nodes to be seen.

    Args:
        indptr: as for cheapest_walk, like all that follows.
        indices: as there.
        edge_costs: as there.
        node_costs: as there.
        start: as there.
        seen: as there.
        end: as there.
        returns: as there.
        time_limit: as there, for all of it.
        stop: as there.
        progress: as there; costs don't come one after the other, so that bound and best cost are 0.

    Returns:
        (k + 1,) int64, where k nodes can be seen: the cost of the cheapest walk that sees at least so many, from 0 to
        k; empty where no walk ends at the end. None where time or room did not suffice to prove each of them.

    Raises:
        ValueError: as for cheapest_walk.
        WalkCancelledError: stop was set.

    Cost:
        One sweep, where the graph is narrow enough for it: milliseconds for 60 nodes of a map. Otherwise a cheapest
        walk for each number.

    >>> cheapest_costs([0, 3, 4, 5, 6], [1, 2, 3, 0, 0, 0], None, None, 0).tolist()
    [0, 0, 1, 3, 5]
    """
    graph = checked_walk_graph(indptr, indices, edge_costs, node_costs)
    quest = checked_quest(graph, start, seen, 0, end, returns)
    if not quest.is_possible:
        return np.empty(0, np.int64)
    watch = watch_for(time_limit, stop, progress)
    task = replace(quest, needed=quest.reachable).task
    least = _least_costs(task, watch)
    if least is None:
        return None
    least[0] = min(least[0], 0 if task.end in (-1, task.start) else FAR)
    at_least = np.minimum.accumulate(least[::-1])[::-1]
    before = quest.reachable - task.missing
    return np.asarray(at_least[np.maximum(0, np.arange(quest.reachable + 1) - before)])


def _least_costs(task: Task, watch: Watch) -> Costs | None:
    """(missing + 1,) for each number of new nodes what a walk costs at least that sees so many, or only those."""
    plan = make_plan(task)
    if plan.width <= MAX_WIDTH:
        least = sweep_costs(task, plan, watch)
        if least is not None:
            return least
    least = np.empty(task.missing + 1, np.int64)
    for missing in range(task.missing + 1):
        finding, _ = solve(replace(task, missing=missing), watch)
        if not finding.is_proven:
            return None
        least[missing] = finding.cost
    return least
