"""Grids as they come, made into what the kernels take."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Grid = NDArray[np.integer]

LARGEST = 2**63 - 1


def checked_grid(grid: ArrayLike) -> Grid:
    """The values as integers that int64 can hold; copied only where they come as objects."""
    given: NDArray[Any] = grid if isinstance(grid, np.ndarray) else _as_objects(grid)
    if given.ndim != 2:
        raise ValueError(f"grid must have 2 dimensions (rows, columns), not {given.ndim}")
    if not given.size:
        raise ValueError(f"grid must hold at least one cell, not {given.shape[0]} x {given.shape[1]}")
    if given.dtype.kind == "O":
        given = _from_objects(given)
    if given.dtype.kind not in "iu":
        raise ValueError(f"grid must hold integers, not {given.dtype}")
    if given.dtype.kind == "u" and given.dtype.itemsize == 8 and given.max() > LARGEST:
        row, col = np.argwhere(given > LARGEST)[0].tolist()
        raise _beyond_error(row, col, int(given[row, col]))
    return given


def in_one_layout(cells: Grid) -> NDArray[np.int64]:
    """The values as contiguous, read-only int64, so that one compiled kernel serves all."""
    view = np.ascontiguousarray(cells, np.int64).view()
    view.flags.writeable = False
    return view


def in_64_bits(health: int, cell: tuple[int, int] = (0, 0)) -> int:
    """The health that is needed at a cell, where a game can hold it."""
    if health > LARGEST:
        raise ValueError(f"the least health at cell {cell} is {health}, more than a signed 64-bit integer holds")
    return health


def _as_objects(grid: ArrayLike) -> NDArray[np.object_]:
    """Rows that are no array yet, value by value: numpy would turn some large integers into floats."""
    try:
        return np.array(grid, object)
    except ValueError:
        raise ValueError("grid must be rows of equally many integers") from None


def _from_objects(values: NDArray[np.object_]) -> NDArray[np.int64]:
    """Integers of any kind as int64."""
    for (row, col), value in np.ndenumerate(values):
        if not isinstance(value, int | np.integer) or isinstance(value, bool):
            raise ValueError(f"grid must hold integers, not {type(value).__name__} as in cell ({row}, {col})")
        if not -LARGEST - 1 <= value <= LARGEST:
            raise _beyond_error(row, col, int(value))
    return values.astype(np.int64)


def _beyond_error(row: int, col: int, value: int) -> ValueError:
    return ValueError(f"cell ({row}, {col}) is {value}, which doesn't fit a signed 64-bit integer")
