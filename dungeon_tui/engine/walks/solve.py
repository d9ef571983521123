"""Finds a cheapest walk by the method that suits the graph."""

from dataclasses import replace
from functools import cached_property

import numpy as np

from dungeon_tui.engine._rows import Indices
from dungeon_tui.engine.walks.order import MAX_WIDTH, SweepOrder, sweep_order
from dungeon_tui.engine.walks.problem import FAR, Costs, Network, Task
from dungeon_tui.engine.walks.programme import solve_programme
from dungeon_tui.engine.walks.sweep import sweep
from dungeon_tui.engine.walks.watch import Finding, Watch

GREEDY, FRONTIER, PROGRAMME = "greedy", "frontier", "programme"
METHODS = (GREEDY, FRONTIER, PROGRAMME)

_WIDE = 8  # frontiers that are swept in a second or so


class WalkSolver:
    """Finds cheapest walks over one network; computes the order and the distances once."""

    def __init__(self, network: Network, watch: Watch) -> None:
        self.network, self.watch = network, watch

    @cached_property
    def order(self) -> SweepOrder:
        """The order in which a sweep takes the network's nodes."""
        return sweep_order(self.network)

    @cached_property
    def distances(self) -> tuple[Costs, Indices]:
        """(n, n) doubled costs of the cheapest ways between nodes (Floyd, Warshall); (n, n) the first node on each."""
        network, count = self.network, len(self.network.nodes)
        costs, onward = np.full((count, count), FAR, np.int64), np.full((count, count), -1, np.int32)
        costs[network.tails, network.indices] = network.doubled
        onward[network.tails, network.indices] = network.indices
        np.fill_diagonal(costs, 0)
        for middle in range(count):
            through = costs[:, middle, None] + costs[middle]
            shorter = through < costs
            np.copyto(costs, through, where=shorter)
            np.copyto(onward, onward[:, middle, None], where=shorter)
        return costs, onward

    def solve(self, task: Task, method: str | None = None) -> Finding:
        """A cheapest walk of a task; the best known if time or memory ran out before the proof.

        Uses only `method` if given. Raises ValueError if that can't be used here.
        """
        if method not in (None, *METHODS):
            raise ValueError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
        if method == FRONTIER and self.order.width > MAX_WIDTH:
            raise ValueError(f"a frontier of {self.order.width} nodes is too wide: at most {MAX_WIDTH}")
        walk = self._nearest_first(task)
        best = Finding(walk, self.network.cost(walk), self._first_bound(task), method=GREEDY)
        self.watch.tell(0, best.bound, best.cost)
        for attempt in [method] if method else self._exact_methods():
            if method is None and (best.is_proven or self.watch.is_over):
                break
            if attempt == FRONTIER:
                found = sweep(task, self.order, best, self.watch)
            elif attempt == PROGRAMME:
                found = solve_programme(task, best, self.watch)
            else:
                return best
            is_news = found.is_proven or found.cost < best.cost
            best = replace(found, method=attempt if is_news else best.method)
        return best

    def _exact_methods(self) -> tuple[str, ...]:
        if self.order.width <= _WIDE:
            return FRONTIER, PROGRAMME
        return (PROGRAMME, FRONTIER) if self.order.width <= MAX_WIDTH else (PROGRAMME,)

    def _nearest_first(self, task: Task) -> list[int]:
        """The walk to the nearest unseen node each time, then to the end."""
        costs, onward = self.distances
        walk, seen, here = [task.start], task.seen.copy(), task.start
        for missing in range(task.missing, -1, -1):
            stop = int(np.where(seen, FAR, costs[here]).argmin()) if missing else task.end if task.end >= 0 else here
            while walk[-1] != stop:
                walk.append(int(onward[walk[-1], stop]))
            seen[stop], here = True, stop
        return task.cut_short(walk)

    def _first_bound(self, task: Task) -> int:
        """A lower bound on the cost of a task's walks: the cheapest steps into as many nodes as are missing."""
        least = np.full(len(task.seen), FAR, np.int64)
        np.minimum.at(least, self.network.indices, self.network.steps)
        return int(np.sort(least[~task.seen])[: task.missing].sum())
