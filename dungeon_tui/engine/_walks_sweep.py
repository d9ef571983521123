"""Runs the sweep of a frontier, and reads the walk off it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine._rows import Indices
from dungeon_tui.engine._walks_frontier import Layer, Leaving, empty_layer, first_layer, leave_node, pass_edge
from dungeon_tui.engine._walks_graph import Costs
from dungeon_tui.engine._walks_greedy import FAR, cut_short, walk_cost
from dungeon_tui.engine._walks_order import EDGE, LEAVE, Plan
from dungeon_tui.engine._walks_task import Task
from dungeon_tui.engine._walks_watch import Finding, Watch

MAX_BYTES = 600 * 2**20
"""More memory the sweep does not take."""

_SLICE = 100_000  # costs between two looks at the clock: some milliseconds


def sweep(task: Task, plan: Plan, best: Finding, watch: Watch) -> Finding:
    """A cheapest walk, or the best one known when time or room ran out."""
    run = _Sweep(task, plan, int(np.count_nonzero(~task.seen)) - task.missing + 1, True)
    too_dear = 2 * best.cost + int(task.entries[task.start])
    if not run.runs(too_dear, watch, best):
        return Finding(best.walk, best.cost, best.bound, run.states)
    if run.done.min() >= FAR:
        return Finding(best.walk, best.cost, best.cost, run.states)
    walk = cut_short(task, in_one_line(task, run.passes(int(run.done.argmin()))))
    cost = walk_cost(task, walk)
    return Finding(walk, cost, cost, run.states)


def sweep_costs(task: Task, plan: Plan, watch: Watch) -> Costs | None:
    """(unseen + 1,) the least cost of seeing exactly so many nodes more, FAR where that can't be; None as in sweep."""
    run = _Sweep(task, plan, int(np.count_nonzero(~task.seen)) + 1, False)
    if not run.runs(FAR, watch, Finding([], 0, 0, 0)):
        return None
    costs = run.done[::-1].copy()
    costs[costs < FAR] = (costs[costs < FAR] - task.entries[task.start]) // 2
    return costs


class _Sweep:
    """One sweep: its layers, and what was complete on the way."""

    def __init__(self, task: Task, plan: Plan, skips: int, traced: bool) -> None:
        self.task, self.plan, self.skips, self.traced = task, plan, skips, traced
        self.done = np.full(skips, FAR, np.int64)
        self.ends: NDArray[np.int32] = np.full((skips, 2), -1, np.int32)  # event and state
        self.origins: list[Indices] = []
        self.states = 0

    def runs(self, too_dear: int, watch: Watch, best: Finding) -> bool:
        """Sweeps; whether it came through."""
        doubled = self.task.doubled
        layer = first_layer(self.skips)
        unseen = ~self.task.seen
        later = int(np.count_nonzero(unseen))
        has_start_left = False
        kept = 0
        for event, (kind, nodes, places, edge) in enumerate(
            zip(self.plan.kinds, self.plan.nodes, self.plan.places, self.plan.edges, strict=True)
        ):
            count = int(layer.tally[0])
            room = 3 * count if kind == EDGE else count
            after = empty_layer(room, self.skips, self.traced)
            ends = np.full(self.skips, -1, np.int32)
            leaving = None
            if kind == LEAVE:
                node = nodes[0]
                later -= int(unseen[node])
                has_start_left |= node == self.task.start
                leaving = self._leaving(node, places[0], later, has_start_left)
            step = max(1, _SLICE // self.skips)
            for first in range(0, count, step):
                last = min(count, first + step)
                if leaving is None:
                    pass_edge(layer, first, last, after, *places, int(doubled[edge]), too_dear)
                else:
                    leave_node(layer, first, last, after, leaving, too_dear, self.done, ends)
                if last < count:
                    watch.tell(self.states + last, best.bound, best.cost)
                    if watch.seconds_left <= 0:
                        return False
            self.ends[ends >= 0] = np.stack([np.full(self.skips, event), ends], axis=1)[ends >= 0]
            self.states += count
            layer = _trimmed(after)
            if self.traced:
                self.origins.append(layer.origins)
                kept += layer.origins.nbytes
            if kept + 4 * (layer.costs.nbytes + layer.origins.nbytes) > MAX_BYTES:
                return False
            watch.tell(self.states, best.bound, best.cost)
            if watch.seconds_left <= 0:
                return False
        return True

    def _leaving(self, node: int, place: int, later: int, closes: bool) -> Leaving:
        task = self.task
        must_end = -1 if task.end < 0 else int(node == task.end)
        return Leaving(
            place, node == task.start, must_end, not bool(task.seen[node]), int(task.entries[node]), later, closes
        )

    def passes(self, skip: int) -> dict[int, int]:
        """How often each edge is passed on the cheapest walk that leaves so many unseen, by the index of its step."""
        event, state = (int(number) for number in self.ends[skip])
        unseen = ~self.task.seen
        after = {
            node[0]
            for kind, node in zip(self.plan.kinds[:event], self.plan.nodes[:event], strict=True)
            if kind == LEAVE
        }
        after.add(self.plan.nodes[event][0])
        skip -= int(np.count_nonzero(unseen)) - sum(bool(unseen[node]) for node in after)
        passes: dict[int, int] = {}
        for earlier in range(event - 1, -1, -1):
            origin = int(self.origins[earlier][state, skip])
            state, how = divmod(origin, 4)
            if how == 3:
                skip -= 1
            elif how:
                passes[self.plan.edges[earlier]] = how
        return passes


def _trimmed(layer: Layer) -> Layer:
    """Without the room that was not used."""
    count = int(layer.tally[0])
    return layer._replace(
        keys=layer.keys[:count].copy(), costs=layer.costs[:count].copy(), origins=layer.origins[:count].copy()
    )


def in_one_line(task: Task, passes: dict[int, int]) -> list[int]:
    """The walk from the start that passes each edge so often (Hierholzer)."""
    tails = task.tails
    ways: dict[int, list[int]] = {}
    for edge, often in passes.items():
        one, two = int(tails[edge]), int(task.indices[edge])
        ways.setdefault(one, []).extend([two] * often)
        ways.setdefault(two, []).extend([one] * often)
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
