"""Contests of the least health on a grid: row by row in C++, and numpy by anti-diagonals."""

import ctypes
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine import minimum_health, minimum_health_path
from tests.bench.kernels.race import OURS, Contest, agreed, compiled, pointer

Values = NDArray[np.int64]


def contests(quick: bool) -> Iterator[Contest]:
    """Contests on grids of random values from -1000 to 1000: 1000 x 1000 cells, and 10,000 x 10,000 unless quick."""
    for side in (1000,) if quick else (1000, 10_000):
        yield from contests_of(np.random.default_rng(1).integers(-1000, 1000, (side, side), endpoint=True))


def contests_of(grid: Values) -> Iterator[Contest]:
    """Two contests on a grid: its least health, and a path that needs no more. ValueError if contestants disagree."""
    rows, cols = grid.shape
    healths: dict[str, Callable[[], int]] = {OURS: lambda: minimum_health(grid)}
    ways: dict[str, Callable[[], Values]] = {OURS: lambda: minimum_health_path(grid)[1]}
    library = compiled("grids")
    if library is not None:
        library.least_health.restype = library.least_health_path.restype = ctypes.c_int64
        board = pointer(grid), ctypes.c_int64(rows), ctypes.c_int64(cols)

        def by_row() -> int:
            row = np.empty(cols, np.int64)
            return int(library.least_health(*board, pointer(row)))

        def by_table() -> Values:
            table, path = np.empty(grid.shape, np.int64), np.empty((rows + cols - 1, 2), np.int64)
            library.least_health_path(*board, pointer(table), pointer(path))
            return path

        healths["C++ -O3 row by row"] = by_row
        ways["C++ -O3 whole table"] = by_table
    healths["numpy by diagonals"] = lambda: _by_diagonals(grid)
    for kernel, contestants in ("least health", healths), ("least health, with path", ways):
        yield Contest(kernel, f"{rows} x {cols}", agreed(contestants), grid.size)


def _by_diagonals(grid: Values) -> int:
    """The least health of a grid of at least two columns: all cells of an anti-diagonal at once, from the last back."""
    rows, cols = grid.shape
    flat = grid.reshape(-1)
    needs = np.full(rows + 1, np.iinfo(np.int64).max)  # by row; nobody comes from below the last one
    needs[rows - 1] = 1
    for diagonal in range(rows + cols - 2, -1, -1):
        first, last = max(0, diagonal - cols + 1), min(diagonal, rows - 1)
        start = first * cols + diagonal - first
        values = flat[start : start + (last - first) * (cols - 1) + 1 : cols - 1]
        onward = np.minimum(needs[first : last + 1], needs[first + 1 : last + 2])
        needs[first : last + 1] = np.maximum(1, onward - values)
    return int(needs[0])
