"""Runs the sweep of a frontier, and reconstructs the walk."""

import numpy as np

from dungeon_tui.engine._rows import Indices
from dungeon_tui.engine.walks.frontier import Layer, Leaving, empty_layer, leave_node, pass_edge
from dungeon_tui.engine.walks.order import SweepOrder
from dungeon_tui.engine.walks.problem import FAR, Task
from dungeon_tui.engine.walks.watch import Finding, Watch

MAX_BYTES = 600 * 2**20
"""The most memory that a sweep takes."""


def sweep(task: Task, order: SweepOrder, best: Finding, watch: Watch) -> Finding:
    """A proven cheapest walk of a task; `best` unchanged if time or memory ran out."""
    run = _Sweep(task, order, int(np.count_nonzero(~task.seen)) - task.missing + 1)
    if not run.runs(watch, best):
        return Finding(best.walk, best.cost, best.bound, run.states)
    walk = task.cut_short(euler_path(task, run.passes(int(run.costs.argmin()))))
    cost = task.network.cost(walk)
    return Finding(walk, cost, cost, run.states)


def euler_path(task: Task, passes: dict[int, int]) -> list[int]:
    """The walk from the start with the given passes over each edge, which one of its steps names (Hierholzer)."""
    tails, heads = task.network.tails.tolist(), task.network.indices.tolist()
    ways: dict[int, list[int]] = {}
    for edge, often in passes.items():
        ways.setdefault(tails[edge], []).extend([heads[edge]] * often)
        ways.setdefault(heads[edge], []).extend([tails[edge]] * often)
    walk, stack = [], [task.start]
    while stack:
        node = stack[-1]
        if ways.get(node):
            other = ways[node].pop()
            ways[other].remove(node)
            stack.append(other)
        else:
            walk.append(stack.pop())
    return walk[::-1]


class _Sweep:
    """One sweep: its layers, and the walks completed on the way."""

    def __init__(self, task: Task, order: SweepOrder, skips: int) -> None:
        self.task, self.order, self.skips = task, order, skips
        self.costs = np.full(skips, FAR, np.int64)
        self.ends = np.full((skips, 2), -1, np.int32)  # event and state
        self.origins: list[Indices] = []
        self.states = 0

    def runs(self, watch: Watch, best: Finding) -> bool:
        """Sweeps over all edges; False if time or room ran out."""
        doubled = self.task.network.doubled
        left: set[int] = set()
        layer = empty_layer(1, self.skips)
        layer.keys[0], layer.costs[0], layer.costs[0, 0], layer.tally[0] = 0, FAR, 0, 1
        stored = 0
        for number, event in enumerate(self.order.events):
            # Make the next layer, and note the walks that are complete now.
            count = len(layer.keys)
            after = empty_layer(3 * count if event.edge >= 0 else count, self.skips)
            if event.edge >= 0:
                one, two = map(np.uint64, event.slots)
                pass_edge(layer, after, one, two, int(doubled[event.edge]))
            else:
                left.add(event.node)
                ends = np.full(self.skips, -1, np.int32)
                leave_node(layer, after, self._leaving(event.node, event.slots[0], left), self.costs, ends)
                self.ends[ends >= 0] = np.stack([np.full(self.skips, number), ends], axis=1)[ends >= 0]

            # Stop if time is up, or the layers take too much memory.
            self.states += count
            watch.tell(self.states, best.bound, best.cost)
            if watch.is_over:
                return False
            layer = _trimmed(after)
            self.origins.append(layer.origins)
            stored += layer.origins.nbytes
            if stored + 4 * (layer.costs.nbytes + layer.origins.nbytes) > MAX_BYTES:
                return False
        return True

    def passes(self, skip: int) -> dict[int, int]:
        """Number of passes of each edge, named by its step, on the cheapest walk that leaves `skip` nodes unseen."""
        number, state = (int(each) for each in self.ends[skip])
        gone = {event.node for event in self.order.events[: number + 1] if event.edge < 0}
        skip -= sum(not self.task.seen[node] for node in self.order.nodes if node not in gone)
        passes: dict[int, int] = {}
        for earlier in range(number - 1, -1, -1):
            state, how = divmod(int(self.origins[earlier][state, skip]), 4)
            if how == 3:
                skip -= 1
            elif how:
                passes[self.order.events[earlier].edge] = how
        return passes

    def _leaving(self, node: int, slot: int, left: set[int]) -> Leaving:
        task = self.task
        return Leaving(
            slot=slot,
            is_start=node == task.start,
            must_end=-1 if task.end < 0 else int(node == task.end),
            is_unseen=not task.seen[node],
            fare=int(task.network.entries[node]),
            later=int(np.count_nonzero(~task.seen)) - sum(not task.seen[each] for each in left),
            closes=task.start in left,
        )


def _trimmed(layer: Layer) -> Layer:
    count = int(layer.tally[0])
    return layer._replace(
        keys=layer.keys[:count].copy(), costs=layer.costs[:count].copy(), origins=layer.origins[:count].copy()
    )
