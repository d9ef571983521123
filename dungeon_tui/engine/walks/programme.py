"""Cheapest walks by an integer programme, solved by HiGHS.

A variable for each step says whether the walk takes it: once at most, since of a cheapest walk's passes over an edge no
two need go the same way. Every node is entered as often as it is left, but for the start and the end; as many unseen
nodes as are missing are chosen, and a chosen one is entered. That all hangs together is said by a flow, which leaves
the start, runs along steps that are taken, and of which each chosen node keeps one unit (Gavish and Graves, 1978).
"""

from __future__ import annotations

import atexit
from math import ceil, inf, isfinite
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine.walks.problem import Task, spread
from dungeon_tui.engine.walks.sweep import euler_path
from dungeon_tui.engine.walks.watch import Finding, Watch

_GLANCE = 0.03  # seconds between two looks at the clock
_GRACE = 0.3  # seconds in which it may end by itself when time has run out
_LAST_GRACE = 10.0  # the same at the end of the process
_FEASIBLE = 2  # HiGHS's name for a solution that holds
_TOLERANCE = 1e-6  # HiGHS's, of a sum of variables

Numbers = NDArray[np.float64]
Highs = Any  # its methods have no types

_running: dict[Thread, Highs] = {}


@atexit.register
def _end_all() -> None:
    """Cancels the solvers that still run and waits for them: the end of the interpreter would abort the process."""
    running = tuple(_running.items())
    for _, highs in running:
        highs.cancelSolve()
    for thread, _ in running:
        thread.join(_LAST_GRACE)


def solve_programme(task: Task, best: Finding, watch: Watch) -> Finding:
    """A cheapest walk that does a task; `best`, or a better one found, with what is proven, where time ran out.

    The solver computes with floating point numbers: where costs are so large that its tolerances could hide a cheaper
    walk, the bound is lowered by as much, and then nothing is proven.
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
    import highspy  # noqa: PLC0415  loaded here: most graphs need none

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
    place = dict(zip(unseen.tolist(), chosen.tolist(), strict=True))
    for node in range(nodes):
        into, out = np.flatnonzero(network.indices == node), np.flatnonzero(network.tails == node)
        own = [place[node]] if node in place else []
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
    """Runs the solver in a thread; True once it has ended, False if it is still running when time is over."""

    def run() -> None:
        highs.run()
        del _running[thread]

    highs.HandleUserInterrupt = True
    thread = Thread(target=run, daemon=True)
    _running[thread] = highs
    thread.start()
    while thread.is_alive() and not watch.is_over:
        thread.join(_GLANCE)
        watch.tell(0, best.bound, best.cost)
    highs.cancelSolve()
    thread.join(_GRACE)
    return not thread.is_alive()


def _walk(task: Task, solution: Numbers) -> list[int]:
    network = task.network
    taken = np.flatnonzero(solution[: len(network.steps)] > 0.5)
    start = np.arange(len(network.nodes)) == task.start
    reached = spread(start, network.tails[taken], network.indices[taken])
    return task.cut_short(euler_path(task, {edge: 1 for edge in taken.tolist() if reached[network.tails[edge]]}))
