"""Slow, obvious twins of the engine's distance maps, with a heap, in plain Python."""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import Any

UNREACHED = 2**31 - 1

FOUR = [(-1, 0), (1, 0), (0, -1), (0, 1)]
EIGHT = [*FOUR, (-1, -1), (-1, 1), (1, -1), (1, 1)]

Cell = tuple[int, int]


def neighbours(cell: Cell, height: int, width: int, diagonal: bool) -> Iterator[Cell]:
    for rows, cols in EIGHT if diagonal else FOUR:
        row, col = cell[0] + rows, cell[1] + cols
        if 0 <= row < height and 0 <= col < width:
            yield row, col


def weighted_distance_map(
    weight: Sequence[Sequence[int]], goals: Sequence[Cell], diagonal: bool = True
) -> list[list[int]]:
    """Dijkstra's algorithm as in the book; leaving a cell costs its weight, 0 is never entered."""
    height, width = len(weight), len(weight[0])
    distance = [[UNREACHED] * width for _ in range(height)]
    heap: list[tuple[int, Cell]] = []
    for row, col in goals:
        distance[row][col] = 0
        heappush(heap, (0, (row, col)))
    while heap:
        here, cell = heappop(heap)
        if here > distance[cell[0]][cell[1]]:
            continue
        there = here + weight[cell[0]][cell[1]]
        for row, col in neighbours(cell, height, width, diagonal):
            if weight[row][col] and there < distance[row][col]:
                distance[row][col] = there
                heappush(heap, (there, (row, col)))
    return distance


def distance_map(passable: Sequence[Sequence[bool]], goals: Sequence[Cell], diagonal: bool = True) -> list[list[int]]:
    """Steps to the nearest goal."""
    return weighted_distance_map([[int(cell) for cell in row] for row in passable], goals, diagonal)


def rescanned(
    passable: Sequence[Sequence[bool]],
    values: dict[Cell, int],
    diagonal: bool = True,
    open_corners: int = 0,
    limit: int = UNREACHED - 1,
) -> list[list[int]]:
    """Dijkstra's algorithm from cells with values; a diagonal step needs so many open cells at its sides."""
    height, width = len(passable), len(passable[0])
    distance = [[UNREACHED] * width for _ in range(height)]
    heap = sorted((value, cell) for cell, value in values.items() if passable[cell[0]][cell[1]])
    while heap:
        here, (row, col) = heappop(heap)
        if here > limit or here >= distance[row][col]:
            continue
        distance[row][col] = here
        for r, c in neighbours((row, col), height, width, diagonal):
            is_diagonal = r != row and c != col
            if passable[r][c] and not (is_diagonal and passable[r][col] + passable[row][c] < open_corners):
                heappush(heap, (here + 1, (r, c)))
    return distance


def flee_map(
    passable: Sequence[Sequence[bool]], threats: Sequence[Cell], factor: float, diagonal: bool, open_corners: int
) -> list[list[int]]:
    """Rescans the distance from the threats times -factor, rounded towards 0."""
    distance = rescanned(passable, dict.fromkeys(map(tuple, threats), 0), diagonal, open_corners)
    values = {
        (row, col): int(-factor * steps)
        for row, line in enumerate(distance)
        for col, steps in enumerate(line)
        if steps != UNREACHED
    }
    return rescanned(passable, values, diagonal, open_corners)


def cost_distance_map(
    cost: Sequence[Sequence[int]], goals: Sequence[Cell], orthogonal: int, diagonal: int
) -> list[list[int]]:
    """Dijkstra's algorithm; a step costs the cell nearer the goal, times the factor of its direction."""
    height, width = len(cost), len(cost[0])
    distance = [[UNREACHED] * width for _ in range(height)]
    heap = [(0, tuple(goal)) for goal in goals]
    while heap:
        here, (row, col) = heappop(heap)
        if here >= distance[row][col]:
            continue
        distance[row][col] = here
        for r, c in neighbours((row, col), height, width, True):
            factor = diagonal if r != row and c != col else orthogonal
            if cost[r][c] and factor:
                heappush(heap, (here + factor * cost[row][col], (r, c)))
    return distance


def tunnelling_distance_map(
    hardness: Sequence[Sequence[int]], goals: Sequence[Cell], table: Sequence[int], diagonal: bool = True
) -> list[list[int]]:
    """Dijkstra's algorithm over the weights that a table gives to hardnesses."""
    return weighted_distance_map([[table[cell] for cell in row] for row in hardness], goals, diagonal)


def choice(seed: int, cell: int, equals: int) -> int:
    """Which of some equals, by splitmix64's scrambling."""
    mask = 2**64 - 1
    z = (seed + (cell + 1) * 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return ((z ^ (z >> 31)) >> 32) % equals


def step_factor(
    distance: Sequence[Sequence[int]],
    here: Cell,
    there: Cell,
    orthogonal: int = 1,
    diagonal: int = 1,
    corners: str = "cut",
) -> int:
    """The factor of a step between neighbours; 0 if the step may not be taken."""
    (row, col), (r, c) = here, there
    if row == r or col == c:
        return orthogonal
    open_cells = (distance[r][col] != UNREACHED) + (distance[row][c] != UNREACHED)
    return int(diagonal) if open_cells >= ["cut", "touch", "square"].index(corners) else 0


def downhill(distance: Sequence[Sequence[int]], seed: int, **steps: Any) -> list[list[int]]:
    """The number of the way to a lowest neighbour; 8 for none."""
    height, width = len(distance), len(distance[0])
    best = [[8] * width for _ in range(height)]
    for row in range(height):
        for col in range(width):
            if distance[row][col] == UNREACHED:
                continue
            values = {}
            for way, (rows, cols) in enumerate(EIGHT):
                r, c = row + rows, col + cols
                if 0 <= r < height and 0 <= c < width and step_factor(distance, (row, col), (r, c), **steps):
                    values[way] = distance[r][c]
            lowest = min(values.values(), default=UNREACHED)
            if lowest < distance[row][col]:
                ways = [way for way, value in values.items() if value == lowest]
                best[row][col] = ways[choice(seed, row * width + col, len(ways))]
    return best
