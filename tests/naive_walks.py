"""Slow, obvious twins of the engine's walks: Dijkstra over (node, set of nodes seen), in plain Python."""

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import count, pairwise

Edge = tuple[int, int, int]  # both ends and the cost
State = tuple[int, frozenset[int]]


def compressed(nodes: int, edges: Sequence[Edge]) -> tuple[list[int], list[int], list[int]]:
    """indptr, indices and edge_costs: every edge from both of its ends, a loop once."""
    rows: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
    for one, two, cost in edges:
        rows[one].append((two, cost))
        if one != two:
            rows[two].append((one, cost))
    indptr, indices, costs = [0], [], []
    for row in rows:
        indices.extend(node for node, _ in row)
        costs.extend(cost for _, cost in row)
        indptr.append(len(indices))
    return indptr, indices, costs


def steps_from(node: int, edges: Sequence[Edge], node_costs: Sequence[int]) -> dict[int, int]:
    """The nodes next to a node, each with what the cheapest step there costs."""
    steps: dict[int, int] = {}
    for one, two, cost in edges:
        for here, there in ((one, two), (two, one)):
            if here == node and there != node:
                total = cost + node_costs[there]
                steps[there] = min(steps.get(there, total), total)
    return steps


def least_cost(
    edges: Sequence[Edge],
    node_costs: Sequence[int],
    start: int,
    needed: int,
    end: int | None = None,
    seen: Iterable[int] = (),
) -> int | None:
    """What the cheapest walk costs that sees so many nodes and stops at the end, if there is one; None if none does."""
    begin = (start, frozenset({start, *seen}))
    order = count()
    waiting = [(0, next(order), begin)]
    final: dict[State, int] = {}
    while waiting:
        cost, _, state = heappop(waiting)
        if state in final:
            continue
        final[state] = cost
        node, known = state
        if is_over(state, needed, end):
            return cost
        for other, step in steps_from(node, edges, node_costs).items():
            heappush(waiting, (cost + step, next(order), (other, known | {other})))
    return None


def is_over(state: State, needed: int, end: int | None) -> bool:
    node, known = state
    return len(known) >= needed and end in (None, node)


def cost_of(walk: Sequence[int], edges: Sequence[Edge], node_costs: Sequence[int]) -> int:
    """What a walk costs; fails where two of its nodes are not joined."""
    return sum(steps_from(one, edges, node_costs)[two] for one, two in pairwise(walk))


def reachable(start: int, edges: Sequence[Edge]) -> set[int]:
    found = {start}
    while True:
        more = {two for edge in edges for one, two in (edge[:2], edge[1::-1]) if one in found} - found
        if not more:
            return found
        found |= more


def first_steps(
    edges: Sequence[Edge], node_costs: Sequence[int], start: int, needed: int, end: int | None, seen: Iterable[int] = ()
) -> list[int]:
    """The nodes to which a cheapest walk can go first."""
    if is_over((start, frozenset({start, *seen})), needed, end):
        return []
    totals = {}
    for other, step in steps_from(start, edges, node_costs).items():
        rest = least_cost(edges, node_costs, other, needed, end, {start, *seen})
        if rest is not None:
            totals[other] = step + rest
    return sorted(node for node, total in totals.items() if total == min(totals.values()))


def count_walks(
    edges: Sequence[Edge], node_costs: Sequence[int], start: int, needed: int, end: int | None, seen: Iterable[int] = ()
) -> float:
    """How many walks of least cost there are: followed one by one, step by step; infinite if one comes round."""
    rests: dict[State, int | None] = {}

    def rest(state: State) -> int | None:
        if state not in rests:
            rests[state] = least_cost(edges, node_costs, state[0], needed, end, state[1])
        return rests[state]

    def follow(state: State, passed: frozenset[State]) -> float:
        if is_over(state, needed, end):
            return 1
        if state in passed:
            return float("inf")
        left = rest(state)
        total = 0.0
        for other, step in steps_from(state[0], edges, node_costs).items():
            after = (other, state[1] | {other})
            onward = rest(after)
            if left is not None and onward is not None and step + onward == left:
                total += follow(after, passed | {state})
        return total

    return follow((start, frozenset({start, *seen})), frozenset())
