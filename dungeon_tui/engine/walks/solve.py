"""Finds a cheapest walk by the solver that suits the graph."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from dungeon_tui.engine.walks.greedy import (
    DistanceTables,
    distance_tables,
    iterated_local_search,
    nearest_first,
    walk_cost,
)
from dungeon_tui.engine.walks.order import MAX_WIDTH, SweepOrder, sweep_order
from dungeon_tui.engine.walks.problem import Costs, Network, Task
from dungeon_tui.engine.walks.programme import solve_programme
from dungeon_tui.engine.walks.sweep import sweep, sweep_costs
from dungeon_tui.engine.walks.watch import Finding, Watch

GREEDY, FRONTIER, PROGRAMME = "greedy", "frontier", "programme"
METHODS = (GREEDY, FRONTIER, PROGRAMME)

_NARROW = 6  # frontiers that are swept faster than a better walk is looked for
_WIDE = 8  # frontiers that are swept in a second or so


class WalkSolver:
    """Finds cheapest walks over one network; what they share is computed once."""

    def __init__(self, network: Network, watch: Watch) -> None:
        self.network, self.watch = network, watch

    @cached_property
    def tables(self) -> DistanceTables:
        """Distances between all nodes."""
        return distance_tables(self.network)

    @cached_property
    def order(self) -> SweepOrder:
        """The order of the sweep."""
        return sweep_order(self.network)

    def solve(self, task: Task, method: str | None = None) -> Finding:
        """A cheapest walk; the best one known where time and room did not suffice to prove one.

        Args:
            task: on this network.
            method: one of METHODS, to try no other.

        Raises:
            ValueError: the method can't be used here; the message says why.
            WalkCancelledError: the watch's stop was set.
        """
        if method not in (None, *METHODS):
            raise ValueError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
        if method == FRONTIER and self.order.width > MAX_WIDTH:
            raise ValueError(f"a frontier of {self.order.width} nodes is too wide: at most {MAX_WIDTH}")
        walk = nearest_first(task, self.tables)
        best = Finding(walk, walk_cost(self.network, walk), self._first_bound(task))
        best = iterated_local_search(task, self.tables, best, self.watch, rounds=0)
        for attempt in [method] if method else self._methods():
            if method is None and (best.is_proven or self.watch.is_over):
                break
            if attempt == GREEDY:
                found = iterated_local_search(task, self.tables, best, self.watch)
            elif attempt == FRONTIER:
                found = sweep(task, self.order, best, self.watch)
            else:
                found = solve_programme(task, best, self.watch)
            is_news = found.is_proven or found.cost < best.cost
            best = replace(found, method=attempt if is_news else best.method)
        return best

    def costs(self, task: Task) -> Costs | None:
        """As sweep_costs; None also where the graph is too wide for it."""
        return sweep_costs(task, self.order, self.watch) if self.order.width <= _WIDE else None

    def _methods(self) -> tuple[str, ...]:
        """Methods in the order in which they are worth trying."""
        if self.order.width <= _NARROW:
            return FRONTIER, GREEDY, PROGRAMME
        if self.order.width <= _WIDE:
            return GREEDY, FRONTIER, PROGRAMME
        if self.order.width <= MAX_WIDTH:
            return GREEDY, PROGRAMME, FRONTIER
        return GREEDY, PROGRAMME

    def _first_bound(self, task: Task) -> int:
        """A bound on every walk's cost: each node missing is entered, the end too, and it must be reached."""
        least = self.network.least_entries
        bound = int(np.sort(least[~task.seen])[: task.missing].sum())
        if task.end >= 0 and task.missing > 0:
            bound += int(least[task.end])
        return max(bound, self.tables.to_end(task))
