"""Slow, obvious twins of the engine's grid: every way walked, or the table as it is defined, in plain Python."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

Grid = Sequence[Sequence[int]]
Cell = tuple[int, int]


def paths(grid: Grid) -> Iterator[list[Cell]]:
    """Every way right or down from the first cell to the last."""
    rows, cols = len(grid), len(grid[0])
    for downs in combinations(range(rows + cols - 2), rows - 1):
        way = [(0, 0)]
        for step in range(rows + cols - 2):
            row, col = way[-1]
            way.append((row + 1, col) if step in downs else (row, col + 1))
        yield way


def need_of(grid: Grid, way: Sequence[Cell]) -> int:
    """The least health that survives a way."""
    need, total = 1, 0
    for row, col in way:
        total += grid[row][col]
        need = max(need, 1 - total)
    return need


def need_table(grid: Grid) -> list[list[int]]:
    """What each cell needs, as it is defined."""
    rows, cols = len(grid), len(grid[0])

    @cache
    def need(row: int, col: int) -> int:
        onward = [need(*cell) for cell in ((row, col + 1), (row + 1, col)) if cell[0] < rows and cell[1] < cols]
        return max(1, min(onward, default=1) - grid[row][col])

    for row in reversed(range(rows)):  # so that the recursion stays flat
        for col in reversed(range(cols)):
            need(row, col)
    return [[need(row, col) for col in range(cols)] for row in range(rows)]


def minimum_health(grid: Grid) -> int:
    return min(need_of(grid, way) for way in paths(grid))


def best_path(grid: Grid) -> list[Cell]:
    """From the first cell on to the neighbour that needs less, right if both need the same."""
    needs = need_table(grid)
    way = [(0, 0)]
    while way[-1] != (len(grid) - 1, len(grid[0]) - 1):
        row, col = way[-1]
        near = [(row, col + 1), (row + 1, col)]
        way.append(min((c for c in near if c[0] < len(grid) and c[1] < len(grid[0])), key=lambda c: needs[c[0]][c[1]]))
    return way


def count_paths(grid: Grid, health: int) -> int:
    """How many ways that health survives."""
    return sum(need_of(grid, way) <= health for way in paths(grid))


def report_grid(rows: int, cols: int, low: int = -1000, high: int = 1000) -> list[list[int]]:
    """The report's dungeon: rand() of Microsoft's C library from state 1, row by row."""
    numbers = rand(1)
    values = [next(numbers) % (high + 1 - low) + low for _ in range(rows * cols)]
    return [values[row * cols : (row + 1) * cols] for row in range(rows)]


def rand(state: int) -> Iterator[int]:
    """Microsoft's rand() from a state on."""
    while True:
        state = (state * 214013 + 2531011) % 2**32
        yield state // 2**16 % 2**15
