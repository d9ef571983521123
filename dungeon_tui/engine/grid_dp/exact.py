"""The needs of a grid with sums too large for the kernels: row by row, in Python's integers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

_BEYOND = float("inf")  # never the better of two, so it stays out of every sum


def exact_needs(grid: NDArray[np.integer]) -> Iterator[list[int]]:
    """The needs of each row from the last one up."""
    below: Sequence[float] = [_BEYOND] * (grid.shape[1] - 1) + [1]
    for values in grid[::-1]:
        below = needs = _row(values, below, min, _BEYOND)
        yield needs


def worst_needs(grid: NDArray[np.integer]) -> Iterator[list[int]]:
    """The needs of those who go wherever most is needed, row by row: with that, every way on survives."""
    below: Sequence[float] = [0] * (grid.shape[1] - 1) + [1]
    for values in grid[::-1]:
        below = needs = _row(values, below, max, 0)
        yield needs


def _row(values: NDArray[np.integer], below: Sequence[float], choose: Callable[..., float], edge: float) -> list[int]:
    """The needs of a row by those below it, where `edge` lies right of the last column."""
    needs, right = [], edge
    for value, down in zip(values[::-1].tolist(), below[::-1], strict=True):
        right = max(1, choose(down, right) - value)
        needs.append(int(right))
    return needs[::-1]
