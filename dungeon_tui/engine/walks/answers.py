"""Answers about cheapest walks: one walk, all best first steps, their number, and the cost of each coverage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine.walks.problem import Task, WalkProblem, checked_request
from dungeon_tui.engine.walks.solve import METHODS, WalkSolver
from dungeon_tui.engine.walks.watch import UNWATCHED, Watch

MAX_QUESTIONS = 20_000
"""The most states that the counting of walks searches."""


@dataclass(frozen=True, slots=True)
class CheapestWalk:
    """A walk with a lower bound, and whether it is proven cheapest."""

    cost: int | None  # None if the problem has no walk
    walk: tuple[int, ...]  # its nodes, the start first; empty if there is no walk
    seen: int  # nodes seen at its end; without a walk the most that can be seen
    lower_bound: int  # no walk costs less; 0 without a walk
    is_proven: bool  # no walk is cheaper, or none exists
    method: str  # that found it, one of METHODS
    states: int  # searched by the last method


def cheapest_walk(problem: WalkProblem, watch: Watch = UNWATCHED, *, method: str | None = None) -> CheapestWalk:
    """The cheapest walk that solves a problem; is_proven tells if that is proven.

    Args:
        problem: a graph and the walk to find.
        watch: time limit and progress.
        method: the only one of METHODS to try; None: whatever suits the graph.

    Raises:
        ValueError: an argument is wrong, or the graph has more than MAX_NODES nodes; the message names the fault.

    Cost:
        Milliseconds for 60 nodes of a nearly planar map, seconds for 60 tangled nodes, less than a gigabyte. The sweep
        (`frontier`) is exponential in the width of the graph, at most MAX_WIDTH; the integer programme (`programme`) in
        the number of nodes.

    >>> star = [0, 3, 4, 5, 6], [1, 2, 3, 0, 0, 0]
    >>> found = cheapest_walk(WalkProblem(*star))
    >>> found.cost, len(found.walk), found.is_proven
    (5, 6, True)
    >>> cheapest_walk(WalkProblem(*star, needed=3, returns=True)).cost
    4
    """
    request = checked_request(problem)
    if not request.is_possible:
        return CheapestWalk(None, (), request.reachable, 0, True, METHODS[0], 0)
    network = request.task.network
    found = WalkSolver(network, watch).solve(request.task, method)
    walk = tuple(network.nodes[found.walk].tolist())
    seen = len(request.known.union(walk))
    return CheapestWalk(found.cost, walk, seen, found.bound, found.is_proven, found.method, found.states)


def first_steps(problem: WalkProblem, watch: Watch = UNWATCHED) -> NDArray[np.int32] | None:
    """The nodes to which a cheapest walk can go first; solves a walk from the start and from each of its neighbours.

    Takes and raises what cheapest_walk does; the watch is for all of it.

    Returns:
        (k,) int32, ascending; empty if the problem is solved or no walk exists; None without a proof in time.

    >>> first_steps(WalkProblem([0, 2, 4, 6, 8], [1, 3, 0, 2, 1, 3, 0, 2])).tolist()  # round a ring, either way
    [1, 3]
    """
    request = checked_request(problem)
    if not request.is_possible or request.task.is_done:
        return np.empty(0, np.int32)
    try:
        after = list(_CheapestSteps(request.task, watch).after(request.task))
    except NotProvenError:
        return None
    return np.sort(request.task.network.nodes[[task.start for task in after]])


def count_walks(problem: WalkProblem, watch: Watch = UNWATCHED, *, cap: int = 1000) -> int | None:
    """Counts the cheapest walks, up to a cap.

    It counts sequences of nodes that stop as soon as the problem is solved; parallel edges make no difference. If a
    walk can go in a circle for free, without seeing another node, there are infinitely many, and the answer is the cap.

    Takes and raises what cheapest_walk does; the watch is for all of it.

    Returns:
        The number, at most cap; 0 if no walk exists; None if the time or MAX_QUESTIONS ran out.

    Cost:
        That of cheapest_walk for each state (node, nodes seen) of a cheapest walk, and for its neighbours.

    >>> count_walks(WalkProblem([0, 3, 4, 5, 6], [1, 2, 3, 0, 0, 0]))  # a star's three leaves, in any order
    6
    """
    request = checked_request(problem)
    if cap < 1:
        raise ValueError(f"cap must be at least 1, not {cap}")
    if not request.is_possible:
        return 0
    try:
        return _CheapestSteps(request.task, watch).count(request.task, cap)
    except NotProvenError:
        return None
    except _CappedError:
        return cap


def cheapest_costs(problem: WalkProblem, watch: Watch = UNWATCHED) -> Iterator[tuple[int, int]]:
    """The least cost for each number of nodes seen, from 1 on.

    Takes and raises what cheapest_walk does; the watch is for all of it, and `needed` is ignored.

    Yields:
        For 1, 2, 3 ... nodes: the cost of the best walk that sees at least that many, and a lower bound, equal if the
        walk is proven cheapest. Nothing if no walk reaches the end.

    Cost:
        That of cheapest_walk for each number.

    >>> list(cheapest_costs(WalkProblem([0, 3, 4, 5, 6], [1, 2, 3, 0, 0, 0])))
    [(0, 0), (1, 1), (3, 3), (5, 5)]
    """
    request = checked_request(replace(problem, needed=0))
    if not request.is_possible:
        return
    unseen = int(np.count_nonzero(~request.task.seen))
    task = replace(request.task, missing=unseen)
    solver = WalkSolver(task.network, watch)
    for nodes in range(1, request.reachable + 1):
        found = solver.solve(replace(task, missing=max(0, nodes - (request.reachable - unseen))))
        yield found.cost, found.bound


class NotProvenError(Exception):
    """Raised if a cost could not be proven to be the least."""


class _CappedError(Exception):
    """Raised when the count has reached the cap."""


_State = tuple[int, bytes]  # the node, and those seen


class _CheapestSteps:
    """The steps of cheapest walks from any state; computes each state's cost once."""

    def __init__(self, task: Task, watch: Watch) -> None:
        self._solver, self._watch = WalkSolver(task.network, watch), watch
        self._costs: dict[_State, int] = {}
        self._counts: dict[_State, int] = {}
        self._path: set[_State] = set()

    def cost(self, task: Task) -> int:
        """The least cost of a task. Raises NotProvenError."""
        if task.state not in self._costs:
            found = self._solver.solve(task)
            if not found.is_proven or len(self._costs) >= MAX_QUESTIONS:
                raise NotProvenError
            self._costs[task.state] = found.cost
        return self._costs[task.state]

    def after(self, task: Task) -> Iterator[Task]:
        """The rest of the task after each step that can begin a cheapest walk. Raises NotProvenError."""
        if not task.is_done:
            network, cost = task.network, self.cost(task)
            for step in range(network.indptr[task.start], network.indptr[task.start + 1]):
                after = task.after(int(network.indices[step]))
                if self.cost(after) == cost - network.steps[step]:
                    yield after

    def count(self, task: Task, cap: int) -> int:
        """Number of cheapest walks that do a task. Raises NotProvenError.

        Raises _CappedError if the count has reached the cap, or a walk can circle for free: it repeats a state, or has
        more edges than twice the nodes, so that some of them form a circle that it could drop.
        """
        if task.state in self._counts:
            return self._counts[task.state]
        if task.state in self._path or len(self._path) > 2 * len(task.seen):
            raise _CappedError
        self._path.add(task.state)
        walks = int(task.is_done)
        for after in self.after(task):
            walks += self.count(after, cap)
            if walks >= cap:
                raise _CappedError  # each walk from here is the rest of one from the start
        self._path.remove(task.state)
        self._counts[task.state] = walks
        return walks
