"""What is needed on a grid whose sums don't fit 64 bits: row by row, in Python's integers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine._grid_dp_lanes import ROWS

_BEYOND = float("inf")  # never the better of two, so it stays out of every sum


def exact_needs(grid: NDArray[np.integer], turns: NDArray[np.uint16] | None = None) -> Iterator[list[int]]:
    """The needs of each row from the last one up; sets the turns, from no_turns, on the way."""
    below: Sequence[float] = [_BEYOND] * (grid.shape[1] - 1) + [1]
    for above, values in enumerate(grid[::-1]):
        needs = _row(values, below, min, _BEYOND)
        if turns is not None:
            strip, lane = divmod(above, ROWS)
            rights = [right <= down for right, down in zip([*needs[1:], _BEYOND], below, strict=True)]
            first = ROWS - 1 - lane
            turns[strip, first : first + len(rights)] |= np.array(rights, np.uint16) << lane
        yield needs
        below = needs


def worst_needs(grid: NDArray[np.integer]) -> Iterator[list[int]]:
    """The same for those who go wherever most is needed: with that, every way on survives."""
    below: Sequence[float] = [0] * (grid.shape[1] - 1) + [1]
    for values in grid[::-1]:
        needs = _row(values, below, max, 0)
        yield needs
        below = needs


def _row(values: NDArray[np.integer], below: Sequence[float], choose: Callable[..., float], edge: float) -> list[int]:
    """The needs of a row by those below it, where `edge` lies right of the last column."""
    needs, right = [], edge
    for value, down in zip(values[::-1].tolist(), below[::-1], strict=True):
        right = max(1, choose(down, right) - value)
        needs.append(int(right))
    return needs[::-1]
