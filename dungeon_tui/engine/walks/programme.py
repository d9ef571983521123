"""Cheapest walks by an integer programme, solved by HiGHS.

A variable for each step says whether the walk takes it: at most once, since a cheapest walk never needs two passes over
an edge in the same direction. The walk enters every node as often as it leaves it, except the start and the end. As
many unseen nodes are chosen as are missing, and the walk enters each of them. A flow keeps the walk connected: it
leaves the start, runs along the steps taken, and each chosen node consumes one unit (Gavish and Graves, 1978).
"""

import atexit
from math import ceil, inf, isfinite
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine.walks.problem import Task, spread
from dungeon_tui.engine.walks.sweep import euler_path
from dungeon_tui.engine.walks.watch import Finding, Watch

_POLL_INTERVAL_S = 0.03
_CANCEL_TIMEOUT_S = 0.3  # for the solver to end after the time limit
_EXIT_TIMEOUT_S = 10.0  # the same when the process ends
_FEASIBLE = 2  # HiGHS's code for a feasible solution
_TOLERANCE = 1e-6  # HiGHS's, of a sum of variables

Numbers = NDArray[np.float64]
Highs = Any  # its methods have no types

_running: dict[Thread, Highs] = {}


@atexit.register
def _end_all() -> None:
    """Cancels running solvers and waits for them: otherwise the end of the interpreter would abort the process."""
    running = tuple(_running.items())
    for _, highs in running:
        highs.cancelSolve()
    for thread, _ in running:
        thread.join(_EXIT_TIMEOUT_S)


def solve_programme(task: Task, best: Finding, watch: Watch) -> Finding:
    """A cheapest walk of a task; if time runs out, the better of `best` and the solver's walk, with its bound.

    The solver uses floating point. If large costs let its tolerances hide a cheaper walk, the bound is lowered by as
    much, and the walk is not proven.
    """
    highs = _programme(task)
    if not _run_in_time(highs, best, watch):
        return best
    info = highs.getInfo()
    blur = _TOLERANCE * (1 + float(task.network.steps.sum()))
    bound = ceil(info.mip_dual_bound - blur) if isfinite(info.mip_dual_bound) else 0
    walk, cost = best.walk, best.cost
    if info.primal_solution_status == _FEASIBLE:
        found = _walk(task, np.array(highs.getSolution().col_value))
        if task.network.cost(found) < cost:
            walk, cost = found, task.network.cost(found)
    return Finding(walk, cost, max(best.bound, min(cost, bound)), int(info.mip_node_count))


def _programme(task: Task) -> Highs:
    """The integer programme of a task. Columns: steps taken, unseen nodes chosen, node at the end, flow along steps."""
    import highspy

    network = task.network
    steps, nodes, unseen = len(network.steps), len(network.nodes), np.flatnonzero(~task.seen)
    taken, flow = np.arange(steps), steps + len(unseen) + nodes + np.arange(steps)
    chosen, ends = steps + np.arange(len(unseen)), steps + len(unseen) + np.arange(nodes)
    whole = steps + len(unseen) + nodes
    highs: Highs = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, setting in (("output_flag", False), ("mip_rel_gap", 0.0), ("mip_abs_gap", _TOLERANCE)):
        highs.setOptionValue(option, setting)
    highs.addVars(whole + steps, np.zeros(whole + steps), np.append(np.ones(whole), np.full(steps, task.missing)))
    highs.changeColsIntegrality(whole, np.arange(whole), np.full(whole, highspy.HighsVarType.kInteger))
    highs.changeColsCost(steps, taken, network.steps.astype(np.float64))

    def row(low: float, high: float, plus: Any, minus: Any = (), factor: float = 1) -> None:
        """Adds a row: the sum of `plus`, each times a factor, less that of `minus`."""
        columns = np.append(plus, minus).astype(np.int32)
        factors = np.append(np.full(np.size(plus), float(factor)), np.full(np.size(minus), -1.0))
        highs.addRow(float(low), float(high), len(columns), columns, factors)

    row(1, 1, ends)
    row(task.missing, task.missing, chosen)
    if task.end >= 0:
        row(1, 1, ends[task.end])
    variable = dict(zip(unseen.tolist(), chosen.tolist(), strict=True))
    for node in range(nodes):
        into, out = np.flatnonzero(network.indices == node), np.flatnonzero(network.tails == node)
        own = [variable[node]] if node in variable else []
        left = -int(node == task.start)
        row(left, left, into, [*out, ends[node]])
        if node != task.start:
            row(0, 0, flow[into], [*flow[out], *own])
        for column in own:
            row(0, inf, into, column)
    for step in range(steps):
        row(0, inf, step, flow[step], task.missing)
    return highs


def _run_in_time(highs: Highs, best: Finding, watch: Watch) -> bool:
    """Runs the solver in a thread; True once it has ended, False if time runs out."""

    def run() -> None:
        highs.run()
        del _running[thread]

    highs.HandleUserInterrupt = True
    thread = Thread(target=run, daemon=True)
    _running[thread] = highs
    thread.start()
    while thread.is_alive() and not watch.is_over:
        thread.join(_POLL_INTERVAL_S)
        watch.tell(0, best.bound, best.cost)
    highs.cancelSolve()
    thread.join(_CANCEL_TIMEOUT_S)
    return not thread.is_alive()


def _walk(task: Task, solution: Numbers) -> list[int]:
    network = task.network
    taken = np.flatnonzero(solution[: len(network.steps)] > 0.5)
    start = np.arange(len(network.nodes)) == task.start
    reached = spread(start, network.tails[taken], network.indices[taken])
    return task.cut_short(euler_path(task, {edge: 1 for edge in taken.tolist() if reached[network.tails[edge]]}))
