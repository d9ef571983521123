"""Slow, obvious twins of the engine's distance maps, with a heap, in plain Python."""

from collections.abc import Callable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any

UNREACHED = 2**31 - 1

EIGHT = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]

Cell = tuple[int, int]
Grid = Sequence[Sequence[int]]


def dijkstra(
    grid: Grid, values: Mapping[Cell, int], cost: Callable[[Cell, Cell], int | None], limit: int = UNREACHED - 1
) -> list[list[int]]:
    """Dijkstra's algorithm as in the book, from cells with values; `cost` is that of a step away, None for no step."""
    height, width = len(grid), len(grid[0])
    distance = [[UNREACHED] * width for _ in range(height)]
    heap = sorted((value, cell) for cell, value in values.items())
    while heap:
        here, (row, col) = heappop(heap)
        if here > limit or here >= distance[row][col]:
            continue
        distance[row][col] = here
        for rows, cols in EIGHT:
            r, c = row + rows, col + cols
            if 0 <= r < height and 0 <= c < width and (step := cost((row, col), (r, c))) is not None:
                heappush(heap, (here + step, (r, c)))
    return distance


def distance_map(passable: Grid, goals: Sequence[Cell], diagonal: bool = True) -> list[list[int]]:
    """Steps to the nearest goal."""
    return rescanned(passable, dict.fromkeys(map(tuple, goals), 0), diagonal)


def rescanned(
    passable: Grid, values: Mapping[Cell, int], diagonal: bool = True, open_corners: int = 0, limit: int = UNREACHED - 1
) -> list[list[int]]:
    """Steps from cells with values; a diagonal step needs so many open cells at its sides."""

    def cost(here: Cell, there: Cell) -> int | None:
        (row, col), (r, c) = here, there
        is_straight = row == r or col == c
        can_step = is_straight or (diagonal and passable[r][col] + passable[row][c] >= open_corners)
        return 1 if can_step and passable[r][c] else None

    return dijkstra(passable, {cell: values[cell] for cell in values if passable[cell[0]][cell[1]]}, cost, limit)


def flee_map(
    passable: Grid, threats: Sequence[Cell], factor: float, diagonal: bool, open_corners: int
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


def cost_distance_map(grid: Grid, goals: Sequence[Cell], orthogonal: int, diagonal: int) -> list[list[int]]:
    """A step costs the cell nearer the goal, times the factor of its direction; a cell of 0 is never entered."""

    def cost(here: Cell, there: Cell) -> int | None:
        factor = orthogonal if here[0] == there[0] or here[1] == there[1] else diagonal
        return factor * grid[here[0]][here[1]] if factor and grid[there[0]][there[1]] else None

    return dijkstra(grid, dict.fromkeys(map(tuple, goals), 0), cost)


def tunnelling_distance_map(
    hardness: Grid, goals: Sequence[Cell], table: Sequence[int], diagonal: bool = True
) -> list[list[int]]:
    """The costs are those that a table gives to hardnesses."""
    return cost_distance_map([[table[cell] for cell in row] for row in hardness], goals, 1, int(diagonal))


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
