"""Cheapest walks by an integer programme, solved by HiGHS where that is installed.

A variable for each step says whether the walk takes it: once at most, since of a cheapest walk's passes over an edge no
two need go the same way. Every node is entered as often as it is left, but for the start and the end; as many unseen
nodes as are missing are chosen, and a chosen one is entered. What is left out is that all must hang together: cuts that
say so (whatever part of the graph holds a chosen node is entered) are added where a solution breaks them, first without
the variables being whole numbers, where a flow finds them, then with.
"""

from __future__ import annotations

import atexit
from importlib import import_module
from importlib.util import find_spec
from math import ceil, inf, isfinite
from threading import Event, Thread, current_thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel
from dungeon_tui.engine._rows import Indices
from dungeon_tui.engine._walks_greedy import cut_short, walk_cost
from dungeon_tui.engine._walks_sweep import in_one_line
from dungeon_tui.engine._walks_task import Task
from dungeon_tui.engine._walks_watch import Finding, WalkCancelledError, Watch

_GLANCE = 0.03  # seconds between two looks at the clock
_GRACE = 0.3  # seconds in which it may end by itself when time has run out
_LAST_GRACE = 10.0  # the same at the end of the process
_FEASIBLE = 2  # HiGHS's name for a solution that holds
_SLACK = 1e-4  # by which a cut must be broken to be added

Numbers = NDArray[np.float64]

_running: dict[Thread, Event] = {}  # each solver's thread, and what tells it that it is enough


@atexit.register
def _end_all() -> None:
    """Lets no solver run on into the end of the interpreter, which would abort the process."""
    threads = tuple(_running.items())
    for _, enough in threads:
        enough.set()
    for thread, _ in threads:
        thread.join(_LAST_GRACE)


def is_installed() -> bool:
    """Whether HiGHS is there."""
    return find_spec("highspy") is not None


def solve_programme(task: Task, best: Finding, watch: Watch) -> Finding:
    """A cheapest walk, or the best one known when time ran out.

    The solver computes with floating point numbers: where costs are so large that its tolerances could hide a cheaper
    walk, the bound is lowered by as much, and then nothing is proven.
    """
    programme = _Programme(task)
    blur = 1e-6 * (1 + float(task.steps.sum()))
    finding = best
    while True:
        value = programme.solve(watch, finding)
        bound = min(finding.cost, ceil(value - blur)) if isfinite(value) else 0
        finding = Finding(finding.walk, finding.cost, max(finding.bound, bound), programme.rounds)
        walk = programme.walk()
        if walk is not None and walk_cost(task, walk) < finding.cost:
            finding = Finding(walk, walk_cost(task, walk), finding.bound, programme.rounds)
        if not programme.is_solved or walk is not None or finding.is_proven:
            return finding
        if programme.is_whole:
            programme.cut_by_parts()
        elif not programme.cut_by_flows():
            programme.make_whole()


class _Programme:
    """The programme, with the cuts so far."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.tails = task.tails
        self.rounds = 0
        self.is_whole = self.is_solved = False
        self.solution: Numbers | None = None
        self.unseen = np.flatnonzero(~task.seen)
        self.chosen = len(task.steps) + np.arange(len(self.unseen))  # the columns that choose them
        columns = len(task.steps) + len(self.unseen) + (len(task.nodes) if task.end < 0 else 0)
        self.highs: Any = import_module("highspy").Highs()
        for option, setting in (("output_flag", False), ("mip_rel_gap", 0.0), ("mip_abs_gap", 1e-6)):
            self.highs.setOptionValue(option, setting)
        self.enough = Event()
        for moment in (self.highs.cbSimplexInterrupt, self.highs.cbIpmInterrupt, self.highs.cbMipInterrupt):
            moment.subscribe(_interrupt, self.enough)
        self.highs.addVars(columns, np.zeros(columns), np.ones(columns))
        for edge, cost in enumerate(task.steps):
            self.highs.changeColCost(edge, float(cost))
        for node in range(len(task.nodes)):
            into, out = np.flatnonzero(task.indices == node), np.flatnonzero(self.tails == node)
            ends = [len(task.steps) + len(self.unseen) + node] if task.end < 0 else []
            balance = int(node == task.end) - int(node == task.start)
            factors = np.concatenate([np.ones(len(into)), -np.ones(len(out) + len(ends))])
            self._row(balance, balance, [*into, *out, *ends], factors)
        if task.end < 0:
            ends = list(range(columns - len(task.nodes), columns))
            self._row(1, 1, ends, np.ones(len(ends)))
        self._row(task.missing, inf, self.chosen, np.ones(len(self.chosen)))
        for node in range(len(self.unseen)):
            self._cut(node, np.arange(len(task.nodes)) == self.unseen[node])

    def _row(self, low: float, high: float, columns: Any, factors: Numbers) -> None:
        self.highs.addRow(float(low), high, len(columns), np.array(columns, np.int32), factors.astype(np.float64))

    def _cut(self, unseen: int, part: NDArray[np.bool_]) -> None:
        """A part of the graph is entered if its unseen node is chosen."""
        into = np.flatnonzero(~part[self.tails] & part[self.task.indices])
        self._row(0, inf, [*into, self.chosen[unseen]], np.append(np.ones(len(into)), -1))

    def make_whole(self) -> None:
        """From now on steps are taken or not."""
        kind = import_module("highspy").HighsVarType.kInteger
        for column in range(self.highs.getNumCol()):
            self.highs.changeColIntegrality(column, kind)
        self.is_whole = True

    def solve(self, watch: Watch, best: Finding) -> float:
        """A bound on every walk's cost; -inf where it found none in time. Sets is_solved and solution.

        Raises:
            WalkCancelledError: the watch's stop was set; the solver ends by itself, soon after.
        """
        self.rounds += 1
        self.is_solved, self.solution = False, None
        thread = Thread(target=self._run, daemon=True)
        _running[thread] = self.enough
        thread.start()
        while thread.is_alive():
            thread.join(_GLANCE)
            try:
                watch.tell(self.rounds, best.bound, best.cost)
            except WalkCancelledError:
                self.enough.set()
                raise
            if watch.seconds_left <= 0:
                self.enough.set()
                thread.join(_GRACE)
                if thread.is_alive():
                    return -inf
        self.is_solved = self.highs.getModelStatus().name == "kOptimal"
        info = self.highs.getInfo()
        if info.primal_solution_status == _FEASIBLE:
            self.solution = np.array(self.highs.getSolution().col_value)
        if self.is_whole:
            return float(info.mip_dual_bound)
        return float(info.objective_function_value) if self.is_solved else -inf

    def _run(self) -> None:
        self.highs.run()
        _running.pop(current_thread(), None)

    def cut_by_flows(self) -> bool:
        """Adds the cuts that the solution breaks; whether there are any."""
        task, solution = self.task, self.solution
        assert solution is not None
        backward = np.lexsort((self.tails, task.indices)).astype(np.int32)
        before = self.highs.getNumRow()
        for unseen, node in enumerate(self.unseen.tolist()):
            chosen = solution[self.chosen[unseen]]
            if chosen <= _SLACK:
                continue
            flow, fed = _flow(task.indptr, task.indices, backward, solution[: len(task.steps)].copy(), task.start, node)
            if flow < chosen - _SLACK:
                self._cut(unseen, ~fed)
        return bool(self.highs.getNumRow() > before)

    def walk(self) -> list[int] | None:
        """The walk of a whole solution; None without one, or where a chosen node can't be reached from the start."""
        if not self.is_whole or self.solution is None:
            return None
        taken, reached = self._reached(self.solution)
        if np.count_nonzero(reached & ~self.task.seen) < self.task.missing:
            return None
        passes = {edge: 1 for edge in taken.tolist() if reached[self.tails[edge]]}
        return cut_short(self.task, in_one_line(self.task, passes))

    def cut_by_parts(self) -> None:
        """Adds the cuts that a whole solution breaks."""
        assert self.solution is not None
        taken, reached = self._reached(self.solution)
        for unseen, node in enumerate(self.unseen):
            if self.solution[self.chosen[unseen]] > 0.5 and not reached[node]:
                part = _spread(np.arange(len(reached)) == node, self.tails[taken], self.task.indices[taken])
                self._cut(unseen, part)
                self._cut(unseen, ~reached)

    def _reached(self, solution: Numbers) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """The steps taken, and the nodes to which they lead from the start."""
        taken = np.flatnonzero(solution[: len(self.task.steps)] > 0.5)
        start = np.arange(len(self.task.nodes)) == self.task.start
        return taken, _spread(start, self.tails[taken], self.task.indices[taken])


def _interrupt(event: Any) -> None:
    """Ends a run of HiGHS, which asks now and then, once that is enough."""
    if event.user_data.is_set():
        event.interrupt()


def _spread(part: NDArray[np.bool_], tails: Indices, heads: Indices) -> NDArray[np.bool_]:
    """The part with all that these steps lead to from it."""
    part = part.copy()
    while True:
        found = heads[part[tails]]
        if part[found].all():
            return part
        part[found] = True


@kernel
def _flow(
    indptr: Indices, indices: Indices, backward: Indices, room: Numbers, source: int, sink: int
) -> tuple[float, NDArray[np.bool_]]:
    """How much flows at most, and the nodes that more could flow to (Edmonds and Karp)."""
    count = len(indptr) - 1
    flow = 0.0
    by = np.empty(count, np.int32)
    queue = np.empty(count, np.int32)
    while True:
        fed = np.zeros(count, np.bool_)
        fed[source] = True
        queue[0] = source
        head, tail = 0, 1
        while head < tail and not fed[sink]:
            node = queue[head]
            head += 1
            for edge in range(indptr[node], indptr[node + 1]):
                other = indices[edge]
                if not fed[other] and room[edge] > 1e-7:
                    fed[other] = True
                    by[other] = edge
                    queue[tail] = other
                    tail += 1
        if not fed[sink]:
            return flow, fed
        most = np.inf
        node = sink
        while node != source:
            most = min(most, room[by[node]])
            node = indices[backward[by[node]]]
        node = sink
        while node != source:
            room[by[node]] -= most
            room[backward[by[node]]] += most
            node = indices[backward[by[node]]]
        flow += most
