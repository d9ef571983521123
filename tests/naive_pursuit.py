"""Slow, obvious twins of the engine's pursuit: values by repetition until nothing changes, in plain Python."""

from collections.abc import Iterable, Sequence
from itertools import product

UNREACHED = 2**31 - 1

Graph = Sequence[Sequence[int]]  # the moves from each site
Position = tuple[int, int]  # evader, pursuer


def compressed(graph: Graph) -> tuple[list[int], list[int]]:
    indptr, indices = [0], []
    for moves in graph:
        indices.extend(moves)
        indptr.append(len(indices))
    return indptr, indices


def board(rows: Sequence[str], diagonal: bool = True) -> tuple[list[tuple[int, int]], list[list[int]]]:
    """The open cells (dots) of a board in rows, and from each the moves to itself and its open neighbours."""
    cells = [(r, c) for r, row in enumerate(rows) for c, tile in enumerate(row) if tile == "."]
    number = {cell: site for site, cell in enumerate(cells)}
    graph = []
    for r, c in cells:
        near = [(r + down, c + right) for down, right in product((-1, 0, 1), repeat=2) if diagonal or not down * right]
        graph.append([number[cell] for cell in near if cell in number])
    return cells, graph


def solve_pursuit(graph: Graph) -> tuple[dict[Position, int], dict[Position, int]]:
    """The values with the pursuer to move and with the evader to move."""
    positions = list(product(range(len(graph)), repeat=2))
    pursuing = {(e, p): 0 if e == p else UNREACHED for e, p in positions}
    evading = dict(pursuing)
    changed = True
    while changed:
        changed = False
        for e, p in positions:
            if e == p:
                continue
            best = min(0 if to == e else evading[e, to] for to in graph[p])
            value = best + 1 if best < UNREACHED else UNREACHED
            answer = max(0 if to == p else pursuing[to, p] for to in graph[e])
            changed |= value != pursuing[e, p] or answer != evading[e, p]
            pursuing[e, p], evading[e, p] = value, answer
    return pursuing, evading


def unanswered(graph: Graph, safe: Iterable[Position]) -> tuple[int, int, int] | None:
    """The first (evader, pursuer, pursuer's move) that no move to another safe position answers."""
    safe = set(safe)
    for e, p in sorted(safe, key=lambda position: (position[0] != position[1], position)):
        if e == p:
            return e, e, e
        for to in graph[p]:
            if to == e or not any(reply != to and (reply, to) in safe for reply in graph[e]):
                return e, p, to
    return None
