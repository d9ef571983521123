"""The least health on a grid, in strips of eight rows.

A cell depends on the cells below it and to its right. Row by row, each cell would wait for the previous one; in a strip
eight rows advance together, each a column behind the row below, and no cell waits for another. The kernel uses floats,
since processors have min and max instructions for them; with integers these become unpredictable branches.
"""

import numpy as np
from numpy import uintp
from numpy.typing import NDArray

from dungeon_tui.engine._rows import frozen
from dungeon_tui.engine.grid_dp.checked import Grid
from dungeon_tui.engine.jit import kernel

Cells = NDArray[np.int64]
Floats = NDArray[np.float64]
Turns = NDArray[np.uint8]

MOST = 2**53
"""Floats hold all integers up to here."""

_ROWS = 8
_SIDE = _ROWS - 1  # columns on either side of the grid, where some rows of a strip are while others are on the grid
_BLOCK = 2**17  # cells copied at a time, if copying is necessary


def fits(cells: Grid) -> bool:
    """True if no path across the grid can need more health than MOST."""
    return 1 + max(-int(cells.min()), 0) * (sum(cells.shape) - 1) <= MOST


def least_need(cells: Grid, turns: Turns | None = None) -> int:
    """The least health at the first cell of a grid that `fits`; fills `turns`, if given, as `_sweep` does."""
    height, width = cells.shape
    row = np.full(width + 2 * _SIDE, np.inf)
    row[_SIDE + width - 1] = 1  # below the last cell the way ends
    rows = max(1, _BLOCK // width // _ROWS) * _ROWS
    top = height % _ROWS
    for last in range(height, top, -rows):
        strips = frozen(cells[max(top, last - rows) : last], np.int64)
        _sweep(strips, row, None if turns is None else turns[(height - last) // _ROWS :])
    if top:
        strip = np.full((_ROWS, width), -(2**60))  # above the grid only the first column leads up
        strip[:, 0] = 0
        strip[-top:] = cells[:top]
        _sweep(frozen(strip, np.int64), row, None if turns is None else turns[-1:])
    return int(row[_SIDE])


def least_need_path(cells: Grid) -> tuple[int, Cells]:
    """The least health at the first cell of a grid that `fits`, and the cells of a best path, as (n, 2) rows."""
    height, width = cells.shape
    turns = np.zeros((-(-height // _ROWS), width + 2 * _SIDE), np.uint8)
    need, path = least_need(cells, turns), np.empty((height + width - 1, 2), np.int64)
    _follow(turns, height, path)
    return need, path


@kernel
def _need(right: float, below: float, value: float) -> float:
    return max(1.0, min(right, below) - value)


@kernel
def _sweep(cells: Cells, row: Floats, turns: Turns | None) -> None:
    """Takes a row of needs over the strips of some rows, from the last up.

    Right of the grid a strip reads cells of the rows around; infinity stays infinity there.

    In `turns`, a bit for each row of a strip, the lowest for its last row, says that the best path goes right.
    """
    flat, width = cells.reshape(-1), uintp(cells.shape[1])
    above = width - uintp(1)  # one row up, one column to the right
    for strip in range(len(cells) // _ROWS):
        a0 = uintp(len(cells) - 1 - _ROWS * strip) * width - uintp(_SIDE)
        a1, a2, a3, a4 = a0 - above, a0 - uintp(2) * above, a0 - uintp(3) * above, a0 - uintp(4) * above
        a5, a6, a7 = a0 - uintp(5) * above, a0 - uintp(6) * above, a0 - uintp(7) * above
        n0 = n1 = n2 = n3 = n4 = n5 = n6 = n7 = np.inf
        for step in range(cells.shape[1] + _SIDE):
            col = uintp(cells.shape[1] + _SIDE - 1 - step)
            below = row[col]
            if turns is not None:
                low = (n0 <= below) | (n1 <= n0) << 1 | (n2 <= n1) << 2 | (n3 <= n2) << 3
                high = (n4 <= n3) << 4 | (n5 <= n4) << 5 | (n6 <= n5) << 6 | (n7 <= n6) << 7
                turns[strip, col] = low | high
            n7 = _need(n7, n6, flat[a7 + col])
            n6 = _need(n6, n5, flat[a6 + col])
            n5 = _need(n5, n4, flat[a5 + col])
            n4 = _need(n4, n3, flat[a4 + col])
            n3 = _need(n3, n2, flat[a3 + col])
            n2 = _need(n2, n1, flat[a2 + col])
            n1 = _need(n1, n0, flat[a1 + col])
            n0 = _need(n0, below, flat[a0 + col])
            row[col + uintp(_SIDE)] = n7


@kernel
def _follow(turns: Turns, height: int, path: Cells) -> None:
    row, col = 0, 0
    for step in range(len(path)):
        path[step, 0], path[step, 1] = row, col
        strip, lane = divmod(height - 1 - row, _ROWS)
        if turns[strip, col + _SIDE - lane] >> lane & 1:
            col += 1
        else:
            row += 1


@kernel
def fill_needs(cells: Cells, needs: Cells) -> None:
    """Sets the least health to enter each cell with and survive the rest of the path."""
    height, width = cells.shape
    for r in range(height - 1, -1, -1):
        for c in range(width - 1, -1, -1):
            if r == height - 1:
                onward = needs[r, c + 1] if c < width - 1 else 1
            else:
                onward = min(needs[r + 1, c], needs[r, c + 1]) if c < width - 1 else needs[r + 1, c]
            needs[r, c] = max(1, onward - cells[r, c])
