"""Answers about cheapest walks: one of them, how they can begin, how many there are, what seeing more nodes costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine.walks.problem import FAR, Task, WalkProblem, checked_request
from dungeon_tui.engine.walks.solve import METHODS, WalkSolver
from dungeon_tui.engine.walks.watch import UNWATCHED, Watch

MAX_QUESTIONS = 20_000
"""More states than that are not looked at to count walks."""


@dataclass(frozen=True, slots=True, eq=False)
class CheapestWalk:
    """A walk, and its proof as far as that goes."""

    cost: int | None  # None where the problem has no walk
    nodes: NDArray[np.int32]  # (k,), the start first; empty where there is none
    seen: int  # how many nodes are seen at its end; where there is none, how many can be
    lower_bound: int  # no walk costs less; 0 where there is none
    is_proven: bool  # that none is cheaper, or that there is none
    method: str  # by which it was found, one of METHODS
    states: int  # looked at by the method tried last


def cheapest_walk(problem: WalkProblem, watch: Watch = UNWATCHED, *, method: str | None = None) -> CheapestWalk:
    """The cheapest walk that does what a problem asks.

    Args:
        problem: a graph, and the walk that is asked for.
        watch: its time limit, and whom it tells.
        method: one of METHODS to try nothing else; None for those that suit the graph.

    Returns:
        The walk; proven to be a cheapest one unless it says otherwise.

    Raises:
        ValueError: the graph is none, or has more than MAX_NODES nodes, or another argument is wrong; the message says
            which and how.

    Cost:
        Milliseconds for 60 nodes of a map that a plane almost holds, seconds for as many that are tangled. In general
        exponential: the sweep (`frontier`) in the width of the graph, at most MAX_WIDTH; the integer programme
        (`programme`) in the number of nodes. Less than a gigabyte.

    >>> star = [0, 3, 4, 5, 6], [1, 2, 3, 0, 0, 0]
    >>> walk = cheapest_walk(WalkProblem(*star))
    >>> walk.cost, len(walk.nodes), walk.is_proven
    (5, 6, True)
    >>> cheapest_walk(WalkProblem(*star, needed=3, returns=True)).cost
    4
    """
    request = checked_request(problem)
    if not request.is_possible:
        return CheapestWalk(None, np.empty(0, np.int32), request.reachable, 0, True, METHODS[0], 0)
    network = request.task.network
    found = WalkSolver(network, watch).solve(request.task, method)
    nodes = network.nodes[found.walk]
    seen = len(request.known.union(nodes.tolist()))
    return CheapestWalk(found.cost, nodes, seen, found.bound, found.is_proven, found.method, found.states)


def first_steps(problem: WalkProblem, watch: Watch = UNWATCHED) -> NDArray[np.int32] | None:
    """The nodes to which a cheapest walk can go first.

    Takes and raises what cheapest_walk does; the watch is for all of it.

    Returns:
        (k,) int32, ascending; empty where there is nothing left to do, or no walk does it; None where time or room did
        not suffice to prove which they are.

    Cost:
        That of cheapest_walk for the start and each of its neighbours.

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
    """Counts the cheapest walks.

    Counted are the sequences of nodes of least cost that stop as soon as they have done what is asked. Which of
    parallel edges they take makes no difference. Where a way back to where it was, with no node more seen, costs
    nothing, a cheapest walk can take it for ever: then there are infinitely many, and the answer is the cap.

    Takes and raises what cheapest_walk does; the watch is for all of it.

    Returns:
        The number, at most cap, which is at least 1; 0 where no walk does it; None where the time or MAX_QUESTIONS did
        not suffice.

    Cost:
        That of cheapest_walk for each state (node, nodes seen) that a cheapest walk passes, and for its neighbours.

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


def cheapest_walks(problem: WalkProblem, watch: Watch = UNWATCHED) -> Iterator[list[int]]:
    """All cheapest walks that count_walks counts, one after another; of those that walk in circles for nothing, none.

    Takes what cheapest_walk does; the watch is for all of it.

    Yields:
        The nodes of a walk, the first one included, in the order of `indices`; nothing where no walk does it.

    Raises:
        NotProvenError: the time or MAX_QUESTIONS did not suffice for more.
        As cheapest_walk does.

    Cost:
        As count_walks, as far as one looks.

    >>> [*cheapest_walks(WalkProblem([0, 2, 4, 6], [1, 2, 0, 2, 0, 1]))]  # a triangle, either way round
    [[0, 1, 2], [0, 2, 1]]
    """
    request = checked_request(problem)
    if request.is_possible:
        yield from _CheapestSteps(request.task, watch).walks(request.task)


def cheapest_costs(problem: WalkProblem, watch: Watch = UNWATCHED) -> Iterator[tuple[int, int]]:
    """The least cost for each number of nodes that can be seen, from 1 on.

    Takes and raises what cheapest_walk does; the watch is for all of it, `needed` is not looked at.

    Yields:
        For 1, 2, 3 ... nodes the cost of the best walk that sees at least so many, and the cost below which there is
        none: the same where that walk is proven to be a cheapest one. Nothing where no walk ends at the end.

    Cost:
        One sweep, where the graph is narrow enough for it: milliseconds for 60 nodes of a map. Otherwise a cheapest
        walk for each number.

    >>> list(cheapest_costs(WalkProblem([0, 3, 4, 5, 6], [1, 2, 3, 0, 0, 0])))
    [(0, 0), (1, 1), (3, 3), (5, 5)]
    """
    request = checked_request(replace(problem, needed=0))
    if not request.is_possible:
        return
    unseen = int(np.count_nonzero(~request.task.seen))
    task = replace(request.task, missing=unseen)
    solver = WalkSolver(task.network, watch)
    costs = solver.costs(task)
    if costs is not None:
        costs[0] = min(costs[0], 0 if task.end in (-1, task.start) else FAR)
        costs = np.minimum.accumulate(costs[::-1])[::-1]
    for nodes in range(1, request.reachable + 1):
        missing = max(0, nodes - (request.reachable - unseen))
        if costs is None:
            found = solver.solve(replace(task, missing=missing))
            yield found.cost, found.bound
        else:
            yield int(costs[missing]), int(costs[missing])


class NotProvenError(Exception):
    """Raised where a cost could not be proven to be the least."""


class _CappedError(Exception):
    """Raised where as many walks are counted as were to be."""


_State = tuple[int, bytes]  # the node, and those seen


class _CheapestSteps:
    """The steps of cheapest walks from any state on; each state's cost is asked for once."""

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
        """The tasks that are left after each step that a cheapest walk can begin with. Raises NotProvenError."""
        if not task.is_done:
            network, cost = task.network, self.cost(task)
            for step in range(network.indptr[task.start], network.indptr[task.start + 1]):
                after = task.after(int(network.indices[step]))
                if self.cost(after) == cost - network.steps[step]:
                    yield after

    def walks(self, task: Task) -> Iterator[list[int]]:
        """Nodes of the cheapest walks that do a task and are never twice in one state. Raises NotProvenError."""
        here = [int(task.network.nodes[task.start])]
        if task.is_done:
            yield here
        if self._watch.is_over:
            raise NotProvenError
        self._path.add(task.state)
        for after in self.after(task) if len(self._path) <= 2 * len(task.seen) else ():  # as count has it
            if after.state not in self._path:
                for rest in self.walks(after):
                    yield here + rest
        self._path.remove(task.state)

    def count(self, task: Task, cap: int) -> int:
        """Number of cheapest walks that do a task.

        Raises:
            _CappedError: they are as many as the cap, or one can come round for ever: it is back in a state, or so long
                that it passes a circle that it could leave out (of more edges than twice the nodes, some are one).
            NotProvenError: a cost is not known.
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
