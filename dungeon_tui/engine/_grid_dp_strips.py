"""What is needed on a grid, in strips of sixteen rows, 64 bits throughout.

A cell waits for the one below it and the one to its right. Row by row, each waits for the one just computed; in a strip
sixteen rows advance together, each a column behind the one below it, and none waits for another. Where some of the
sixteen are off the grid, at the ends of a strip, the others go alone.

`row` holds a need for each column, that of the last row which has passed it, and one more that is larger than any: a
strip sweeps over it from the right and leaves the needs of its top row.

`turns` holds 16 bits for each step of a strip, one for each of its rows from the bottom up: whether the best way
on leads right. The cell in column c and lane i is crossed in the step of entry c - i + 15.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine._grid_dp_check import LARGEST, Grid
from dungeon_tui.engine._grid_dp_lanes import COLS, ROWS, alone, cross, least, load, load_block, needed, number, store
from dungeon_tui.engine._jit import kernel

Needs = NDArray[np.int64]
Turns = NDArray[np.uint16]
Cells = NDArray[np.int64]

_AHEAD = ROWS - 1  # columns between the top row of a strip and its bottom row


def first_row(cols: int) -> Needs:
    """What is needed below the last row: 1 below the last cell, where the way ends."""
    row = np.full(cols + 1, LARGEST, np.int64)
    row[cols - 1] = 1
    return row


def no_turns(shape: tuple[int, ...]) -> Turns:
    """Room for the turns of a grid."""
    return np.zeros((-(-shape[0] // ROWS), shape[1] + _AHEAD), np.uint16)


@kernel
def sweep(grid: Grid, row: Needs, turns: Turns | None) -> np.int64:
    """Leaves the needs of the grid's top row in `row`.

    Returns the smallest value of the grid, or 0. Needs wrap around where the way's length times it doesn't fit 64 bits;
    then the caller discards them.
    """
    height, width = grid.shape
    lowest = np.zeros(ROWS, np.int64)
    for bottom in range(height - 1, -1, -ROWS):
        if bottom < _AHEAD or width < _AHEAD + COLS:
            for lane in range(min(ROWS, bottom + 1)):
                _segment(grid, bottom, lane, 0, width, row, turns, lowest)
        else:
            for lane in range(_AHEAD):
                _segment(grid, bottom, lane, width - _AHEAD + lane, width, row, turns, lowest)
            _advance(grid, bottom, row, turns, lowest)
            for lane in range(ROWS):
                _segment(grid, bottom, lane, 0, (width - _AHEAD) % COLS + lane, row, turns, lowest)
    return np.int64(lowest.min())


@kernel
def _segment(
    grid: Grid, bottom: int, lane: int, start: int, stop: int, row: Needs, turns: Turns | None, lowest: Needs
) -> None:
    """Takes the columns from stop - 1 down to start to the row that lies `lane` above the bottom of its strip."""
    strip, r = (len(grid) - 1 - bottom) // ROWS, bottom - lane
    right = alone(row[stop])
    for c in range(stop - 1, start - 1, -1):
        value = np.int64(grid[r, c])
        if turns is not None:
            turns[strip, c - lane + _AHEAD] |= np.uint16(row[c + 1] <= row[c]) << np.uint16(lane)
        right = needed(right, row[c], value)
        row[c] = number(right)
        lowest[0] = min(lowest[0], value)


@kernel
def _advance(grid: Grid, bottom: int, row: Needs, turns: Turns | None, lowest: Needs) -> None:
    """The part of a strip in which all of its rows take part."""
    width = np.uintp(grid.shape[1])
    cells = grid.reshape(-1)
    skew = width - np.uintp(1)  # one row up, one column to the right
    ahead = np.uintp(_AHEAD)
    start = np.uintp((len(grid) - 1 - bottom) // ROWS) * (width + ahead) + ahead
    col = width - ahead
    front, low = load(row, col), load(lowest, np.uintp(0))
    for _ in range(col // np.uintp(COLS)):
        col -= np.uintp(COLS)
        block = load_block(cells, np.uintp(bottom) * width + col, skew)
        low = least(low, block)
        front, top, rights = cross(front, load(row, col), block)
        store(row, col + ahead, top)
        if turns is not None:
            store(turns, start + col, rights)
    store(row, col, front)
    store(lowest, np.uintp(0), low)


@kernel
def follow(turns: Turns, path: Cells) -> None:
    """Sets the path's rows to the cells from the top left corner to the last one, as the turns lead."""
    cols = turns.shape[1] - _AHEAD
    last_row, row, col = len(path) - cols, 0, 0
    for step in range(len(path)):
        path[step, 0], path[step, 1] = row, col
        strip, lane = divmod(last_row - row, ROWS)
        if turns[strip, col - lane + _AHEAD] >> lane & 1:
            col += 1
        else:
            row += 1


@kernel
def fill_needs(grid: Grid, row: Needs, needs: Needs) -> None:
    """Sets all needs, row by row; `row` as for sweep."""
    for r in range(len(grid) - 1, -1, -1):
        right = alone(row[-1])
        for c in range(grid.shape[1] - 1, -1, -1):
            right = needed(right, row[c], np.int64(grid[r, c]))
            row[c] = needs[r, c] = number(right)
