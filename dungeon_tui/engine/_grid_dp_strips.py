"""What is needed on a grid, in strips of eight rows, 64 bits throughout.

A cell waits for the one below it and the one to its right. Row by row, each waits for the one just computed; in a strip
eight rows advance together, each a column behind the one below it, and none of the eight waits for another.

`row` holds a need for each column, that of the last row which has passed it, and one more that is larger than any: a
strip sweeps over it from the right and leaves the needs of its top row.

`turns` holds a byte for each step of a strip, with a bit for each of its rows from the bottom up: whether the best way
on leads right. The cell in column c and lane i is crossed in the step of byte c - i + 7.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine._grid_dp_check import LARGEST, Grid
from dungeon_tui.engine._grid_dp_lanes import cross, least, load, load_block, store
from dungeon_tui.engine._jit import kernel

Needs = NDArray[np.int64]
Turns = NDArray[np.uint8]
Cells = NDArray[np.int64]


def first_row(cols: int) -> Needs:
    """What is needed below the last row: 1 below the last cell, where the way ends."""
    row = np.full(cols + 1, LARGEST, np.int64)
    row[cols - 1] = 1
    return row


def no_turns(shape: tuple[int, ...]) -> Turns:
    """Room for the turns of a grid."""
    return np.zeros((-(-shape[0] // 8), shape[1] + 7), np.uint8)


@kernel
def sweep(grid: Grid, row: Needs, turns: Turns | None) -> np.int64:
    """Leaves the needs of the grid's top row in `row`.

    Returns the smallest value of the grid, or 0. Needs wrap around where the way's length times it doesn't fit 64 bits;
    then the caller discards them.
    """
    height, width = grid.shape
    lowest = np.zeros(8, np.int64)
    for bottom in range(height - 1, -1, -8):
        if bottom < 7 or width < 15:
            for lane in range(min(8, bottom + 1)):
                _segment(grid, bottom, lane, 0, width, row, turns, lowest)
        else:
            for lane in range(7):
                _segment(grid, bottom, lane, width - 7 + lane, width, row, turns, lowest)
            _advance(grid, bottom, row, turns, lowest)
            for lane in range(8):
                _segment(grid, bottom, lane, 0, (width - 7) % 8 + lane, row, turns, lowest)
    return np.int64(lowest.min())


@kernel
def _segment(
    grid: Grid, bottom: int, lane: int, start: int, stop: int, row: Needs, turns: Turns | None, lowest: Needs
) -> None:
    """Takes the columns from stop - 1 down to start to the row that lies `lane` above the bottom of its strip."""
    strip, r = (len(grid) - 1 - bottom) // 8, bottom - lane
    for c in range(stop - 1, start - 1, -1):
        value = np.int64(grid[r, c])
        if turns is not None:
            turns[strip, c - lane + 7] |= np.uint8(row[c + 1] <= row[c]) << np.uint8(lane)
        row[c] = max(np.int64(1), min(row[c], row[c + 1]) - value)
        lowest[0] = min(lowest[0], value)


@kernel
def _advance(grid: Grid, bottom: int, row: Needs, turns: Turns | None, lowest: Needs) -> None:
    """The part of a strip in which all eight rows take part, the bottom row ahead by seven columns."""
    width = np.uintp(grid.shape[1])
    cells = grid.reshape(-1)
    skew = width - np.uintp(1)  # one row up, one column to the right
    strip = np.uintp((len(grid) - 1 - bottom) // 8)
    front, low = load(row, width - np.uintp(7)), load(lowest, np.uintp(0))
    col = width - np.uintp(7)
    for _ in range((width - np.uintp(7)) // np.uintp(8)):
        col -= np.uintp(8)
        block = load_block(cells, np.uintp(bottom) * width + col, skew)
        low = least(low, block)
        front, top, rights = cross(front, load(row, col), block)
        store(row, col + np.uintp(7), top)
        if turns is not None:
            store(turns, strip * (width + np.uintp(7)) + col + np.uintp(7), rights)
    store(row, col, front)
    store(lowest, np.uintp(0), low)


@kernel
def follow(turns: Turns, path: Cells) -> None:
    """Sets the path's rows to the cells from the top left corner to the last one, as the turns lead."""
    cols = turns.shape[1] - 7
    last_row, row, col = len(path) - cols, 0, 0
    for step in range(len(path)):
        path[step, 0], path[step, 1] = row, col
        strip, lane = divmod(last_row - row, 8)
        if turns[strip, col - lane + 7] >> lane & 1:
            col += 1
        else:
            row += 1


@kernel
def fill_needs(grid: Grid, row: Needs, needs: Needs) -> None:
    """Sets all needs, row by row; `row` as for sweep."""
    for r in range(len(grid) - 1, -1, -1):
        for c in range(grid.shape[1] - 1, -1, -1):
            row[c] = max(np.int64(1), min(row[c], row[c + 1]) - grid[r, c])
        needs[r] = row[:-1]
