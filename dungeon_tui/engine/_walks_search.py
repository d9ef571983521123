"""Runs the search over the states in slices."""

from __future__ import annotations

import numpy as np

from dungeon_tui.engine._walks_graph import Costs
from dungeon_tui.engine._walks_greedy import Table
from dungeon_tui.engine._walks_states import (
    FOUND,
    FULL,
    MAX_STATE_NODES,
    MORE,
    NONE_LEFT,
    count_ways,
    grown,
    least_bound,
    make_search,
    make_terrain,
    search_states,
    states_found,
    states_taken,
    walked,
)
from dungeon_tui.engine._walks_task import Task
from dungeon_tui.engine._walks_watch import Finding, Watch

MAX_STATES = 2**23
"""So many states fill some 350 MB, 520 while room is made for them."""

_SLICE = 20_000  # states between two looks at the clock: some 10 ms


def search(task: Task, ways: Table, best: Finding, watch: Watch, max_states: int = MAX_STATES) -> Finding:
    """A cheapest walk, or the best one known when time or room ran out."""
    terrain, order = make_terrain(task, costs_to_end(task, ways))
    states = make_search(task, order)
    while True:
        how, state = search_states(terrain, states, best.cost, _SLICE)
        if how == FOUND:
            cost = int(states.costs[state])
            return Finding(walked(states, state, order), cost, cost, states_taken(states))
        if how not in (MORE, FULL):
            return Finding(best.walk, best.cost, best.cost, states_taken(states))
        bound = max(best.bound, least_bound(states))
        watch.tell(states_taken(states), bound, best.cost)
        if watch.seconds_left <= 0 or (how == FULL and 2 * states_found(states) > max_states):
            return Finding(best.walk, best.cost, bound, states_taken(states))
        if how == FULL:
            states = grown(states)


def count(task: Task, ways: Table, cost: int, cap: int, watch: Watch) -> int | None:
    """How many walks of the least cost there are, at most cap; None if they are too many states to look at."""
    if len(task.nodes) > MAX_STATE_NODES:
        return None
    terrain, order = make_terrain(task, costs_to_end(task, ways))
    states = make_search(task, order)
    while True:
        how, _ = search_states(terrain, states, cost + 1, _SLICE)
        if how == NONE_LEFT:
            return count_ways(terrain, states, cap)
        watch.tell(states_taken(states), cost, cost)
        if watch.seconds_left <= 0 or (how == FULL and 2 * states_found(states) > MAX_STATES):
            return None
        if how == FULL:
            states = grown(states)


def costs_to_end(task: Task, ways: Table) -> Costs:
    """(n,) what it costs to go to the end from every node; 0 where there is none."""
    count = len(task.nodes)
    if task.end < 0:
        return np.zeros(count, np.int64)
    return np.asarray((ways[:count, task.end] + task.entries[task.end] - task.entries) // 2)
