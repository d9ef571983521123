"""Which solver finds a walk: the one that suits the graph, and where it gives up the next one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from dungeon_tui.engine._walks_greedy import Table, cheapest_ways, greedy_walk, shaken, walk_cost
from dungeon_tui.engine._walks_order import MAX_WIDTH, Plan, make_plan
from dungeon_tui.engine._walks_programme import is_installed, solve_programme
from dungeon_tui.engine._walks_search import MAX_STATES, costs_to_end, search
from dungeon_tui.engine._walks_states import MAX_STATE_NODES
from dungeon_tui.engine._walks_sweep import sweep
from dungeon_tui.engine._walks_task import Task
from dungeon_tui.engine._walks_watch import Finding, Watch

GREEDY, FRONTIER, STATES, PROGRAMME = "greedy", "frontier", "states", "programme"
METHODS = (GREEDY, FRONTIER, STATES, PROGRAMME)

_NARROW, _FAIR = 6, 8  # frontiers that take a sweep some milliseconds, and a second or so
_FEW_STATES = 2**15  # so many are looked at in some 10 ms


def solve(task: Task, watch: Watch, method: str | None = None) -> tuple[Finding, str]:
    """A cheapest walk and what found it; the best one known where time and room did not suffice to prove one.

    Args:
        task: what to do.
        watch: told how it goes.
        method: one of METHODS, to try no other.

    Raises:
        ValueError: the method can't be used here; the message says why.
    """
    ways, onward = cheapest_ways(task)
    walk = greedy_walk(task, ways, onward)
    best, by = Finding(walk, walk_cost(task, walk), _first_bound(task, ways), 0), GREEDY
    plan = make_plan(task)
    attempts = list(_attempts(task, ways, plan, watch))
    if method is not None:
        _check_method(method, task, plan)
        attempts = [(name, attempt) for name, attempt in attempts if name == method][-1:]
    elif plan.width > _NARROW:
        best = shaken(task, ways, onward, best, watch)
    for name, attempt in attempts:
        if method is None and (best.is_proven or watch.seconds_left <= 0):
            break
        finding = attempt(best)
        by = name if finding.is_proven or finding.cost < best.cost else by
        best = finding
    return best, by


def _attempts(task: Task, ways: Table, plan: Plan, watch: Watch) -> Iterator[tuple[str, Callable[[Finding], Finding]]]:
    """The solvers in the order in which they are worth trying, the last ones with all the room they may take."""
    sweeping = FRONTIER, lambda best: sweep(task, plan, best, watch)
    fits_states = len(task.nodes) <= MAX_STATE_NODES
    if plan.width <= _NARROW:
        yield sweeping
    if fits_states:
        yield STATES, lambda best: search(task, ways, best, watch, _FEW_STATES)
    if _NARROW < plan.width <= _FAIR:
        yield sweeping
    if is_installed():
        yield PROGRAMME, lambda best: solve_programme(task, best, watch)
    if _FAIR < plan.width <= MAX_WIDTH:
        yield sweeping
    if fits_states:
        yield STATES, lambda best: search(task, ways, best, watch, MAX_STATES)


def _check_method(method: str, task: Task, plan: Plan) -> None:
    """Raises where a method can't be used."""
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
    if method == FRONTIER and plan.width > MAX_WIDTH:
        raise ValueError(f"a frontier of {plan.width} nodes is too wide: at most {MAX_WIDTH}")
    if method == STATES and len(task.nodes) > MAX_STATE_NODES:
        raise ValueError(f"{len(task.nodes)} nodes are too many for the search over states: at most {MAX_STATE_NODES}")
    if method == PROGRAMME and not is_installed():
        raise ValueError("the integer programme needs the package highspy, which is not installed")


def _first_bound(task: Task, ways: Table) -> int:
    """What every walk costs at least: each node missing is entered, the end too, and it must be reached."""
    least = np.full(len(task.nodes), np.iinfo(np.int64).max)
    np.minimum.at(least, task.indices, task.steps)
    bound = int(np.sort(least[~task.seen])[: task.missing].sum())
    if task.end < 0:
        return bound
    if task.missing > 0:
        bound += int(least[task.end])
    return max(bound, int(costs_to_end(task, ways)[task.start]))
