"""Checks grids for the kernels, and computes exact needs if sums are too large for these."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Grid = NDArray[np.integer]

LARGEST = 2**63 - 1


def checked_grid(grid: ArrayLike) -> Grid:
    """The values as integers that int64 can hold.

    Raises ValueError, which names the cell or the type, if they aren't.
    """
    try:  # rows that are no array yet, value by value: numpy would turn some large integers into floats
        given: NDArray[Any] = grid if isinstance(grid, np.ndarray) else np.array(grid, object)
    except ValueError:
        raise ValueError("grid must be rows of equally many integers") from None
    if given.ndim != 2:
        raise ValueError(f"grid must have 2 dimensions (rows, columns), not {given.ndim}")
    if not given.size:
        raise ValueError(f"grid must hold at least one cell, not {given.shape[0]} x {given.shape[1]}")
    if given.dtype.kind not in "iuO":
        raise ValueError(f"grid must hold integers, not {given.dtype}")
    if given.dtype.kind != "O" and (np.can_cast(given.dtype, np.int64) or given.max() <= LARGEST):
        return given
    for (row, col), value in np.ndenumerate(given):
        if not isinstance(value, int | np.integer) or isinstance(value, bool):
            raise ValueError(f"grid must hold integers, not {type(value).__name__} as in cell ({row}, {col})")
        if not -LARGEST - 1 <= value <= LARGEST:
            raise ValueError(f"cell ({row}, {col}) is {value}, which doesn't fit a signed 64-bit integer")
    return given.astype(np.int64)


def in_64_bits(health: int, cell: tuple[int, int] = (0, 0)) -> int:
    """The health. Raises ValueError, which names the cell, if it exceeds a signed 64-bit integer."""
    if health > LARGEST:
        raise ValueError(f"the least health at cell {cell} is {health}, more than a signed 64-bit integer holds")
    return health


def exact_needs(grid: Grid) -> Iterator[list[int]]:
    """The least health to enter each cell with and survive, in Python's integers: row by row from the last up."""
    edge = float("inf")  # right of the last column and below the last row: never chosen
    below: list[float] = [edge] * (grid.shape[1] - 1) + [1]
    for values in grid[::-1].tolist():
        right = edge
        for col in range(len(values) - 1, -1, -1):
            below[col] = right = max(1, min(below[col], right) - values[col])
        yield [int(need) for need in below]
