"""What a walk has to do, brought down to the part of the graph that matters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine._rows import Indices
from dungeon_tui.engine._walks_graph import Costs, Graph, checked_node, joined_nodes


@dataclass(frozen=True, slots=True)
class Task:
    """A walk from the start that sees `missing` nodes more, and then stands at the end where there is one.

    Only nodes that the start is joined to are left, numbered anew; of parallel edges only the cheapest, and no loops.
    An end not seen yet counts as seen here, and as one node less that is missing: whoever stands there has seen it.

    Shared by all solvers: a walk of steps u -> v costs the sum of edge(u, v) + entry(v). Since it enters every node as
    often as it leaves it, but for its two ends, twice that is the sum of 2 edge(u, v) + entry(u) + entry(v), which is
    the same in both directions, plus entry(last) - entry(first).
    """

    nodes: Indices  # (n,), the numbers that these nodes had
    indptr: Indices  # (n + 1,)
    indices: Indices  # (steps,)
    steps: Costs  # (steps,), of a step: its edge and the node entered
    entries: Costs  # (n,)
    start: int
    seen: NDArray[np.bool_]  # (n,)
    missing: int
    end: int  # -1 where any will do

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do."""
        return self.missing == 0 and self.end in (-1, self.start)

    @property
    def tails(self) -> Indices:
        """(steps,), the node that each step leaves."""
        return np.repeat(np.arange(len(self.nodes), dtype=np.int32), np.diff(self.indptr))

    @property
    def doubled(self) -> Costs:
        """(steps,), twice each step's cost, seen from both of its ends alike."""
        return 2 * self.steps + self.entries[self.tails] - self.entries[self.indices]


@dataclass(frozen=True, slots=True)
class Quest:
    """What was asked for, checked."""

    graph: Graph
    start: int
    known: frozenset[int]  # the nodes seen before the first step
    needed: int
    end: int | None
    reachable: int  # how many nodes can be seen

    @property
    def is_possible(self) -> bool:
        """Whether any walk does it."""
        return self.needed <= self.reachable and (
            self.end is None or bool(joined_nodes(self.graph, self.start)[self.end])
        )

    @property
    def task(self) -> Task:
        """The walk that does it."""
        return make_task(self.graph, self.start, self.known, self.needed, self.end)


def checked_quest(
    graph: Graph, start: int, seen: Iterable[int], needed: int | None, end: int | None, returns: bool
) -> Quest:
    """What is asked for, checked.

    Raises:
        ValueError: an argument is wrong; the message says which and how.
    """
    count = len(graph.node_costs)
    start = checked_node("start", start, count)
    known = frozenset({start, *(checked_node("seen", node, count) for node in seen)})
    if needed is None:
        needed = count
    if not isinstance(needed, (int, np.integer)) or isinstance(needed, bool) or needed < 0:
        raise ValueError(f"needed must be a number of nodes, not {needed}")
    if returns and end is not None:
        raise ValueError("a walk that returns ends where it starts; end must be None")
    if end is not None:
        end = checked_node("end", end, count)
    reachable = known.union(np.flatnonzero(joined_nodes(graph, start)).tolist())
    return Quest(graph, start, known, int(needed), start if returns else end, len(reachable))


def make_task(graph: Graph, start: int, seen: Iterable[int], needed: int, end: int | None) -> Task:
    """The task on the nodes that the start is joined to.

    Args:
        graph: the whole graph.
        start: where the walk begins.
        seen: the nodes seen already, the start too.
        needed: how many there must be at its end, these included.
        end: where the walk must end, one that can be reached, or None.
    """
    tails = graph.tails
    joined = joined_nodes(graph, start)
    number = np.full(len(joined), -1, np.int32)
    number[joined] = np.arange(np.count_nonzero(joined), dtype=np.int32)
    edges = np.flatnonzero(joined[tails] & (tails != graph.indices))
    edges = edges[np.lexsort((graph.edge_costs[edges], graph.indices[edges], tails[edges]))]
    is_first = np.ones(len(edges), np.bool_)
    is_first[1:] = (tails[edges[1:]] != tails[edges[:-1]]) | (graph.indices[edges[1:]] != graph.indices[edges[:-1]])
    edges = edges[is_first]
    counts = np.bincount(number[tails[edges]], minlength=np.count_nonzero(joined))
    known = np.zeros(len(joined), np.bool_)
    known[list(seen)] = True
    if end is not None:
        known[end] = True
    return Task(
        nodes=np.flatnonzero(joined).astype(np.int32),
        indptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        indices=number[graph.indices[edges]],
        steps=graph.edge_costs[edges] + graph.node_costs[graph.indices[edges]],
        entries=graph.node_costs[joined],
        start=int(number[start]),
        seen=known[joined],
        missing=max(0, needed - int(np.count_nonzero(known))),
        end=-1 if end is None else int(number[end]),
    )
