"""Slow, obvious twins of the rescue's algorithms and generators; ways and needs are those of the engine's twin."""

from collections.abc import Sequence
from functools import cache

from tests.naive_grid_dp import Cell, Grid, minimum_health, need_of, paths


def calls_of_the_recursion(rows: int, cols: int) -> int:
    """How often the plain recursion calls itself, by doing nothing else."""
    calls = 0

    def need(row: int, col: int) -> None:
        nonlocal calls
        calls += 1
        if col + 1 < cols:
            need(row, col + 1)
        if row + 1 < rows:
            need(row + 1, col)

    need(0, 0)
    return calls


def calls_of_the_memory(rows: int, cols: int) -> int:
    """The same where a cell that was asked before doesn't ask on."""
    calls = 0

    @cache
    def compute(row: int, col: int) -> None:
        nonlocal calls
        for onward in ((row, col + 1), (row + 1, col)):
            if onward[0] < rows and onward[1] < cols:
                calls += 1
                compute(*onward)

    calls += 1
    compute(0, 0)
    return calls


def best_cells(grid: Grid) -> set[Cell]:
    """The cells of all ways that the least health survives."""
    least = minimum_health(grid)
    return {cell for way in paths(grid) if need_of(grid, way) == least for cell in way}


def undominated(ways: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """The pairs that no other one is at least as large as, in both of its numbers."""
    return {one for one in ways if not any(one != two and one[0] <= two[0] and one[1] <= two[1] for two in ways)}
