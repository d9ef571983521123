"""The least health with which a knight crosses a grid, and a path that needs no more."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dungeon_tui.engine._rows import frozen
from dungeon_tui.engine.grid_dp.checked import checked_grid, exact_needs, in_64_bits
from dungeon_tui.engine.grid_dp.strips import fill_needs, fits, least_need, least_need_path


def minimum_health(grid: ArrayLike) -> int:
    """The least health with which a knight can cross the grid; exact for all sums.

    He goes right or down from the top left cell to the bottom right one. A cell's value is added to his health when he
    enters it, including the first; his health must always be above 0, also before the first and after the last cell.

    Args:
        grid: (rows, cols) integers of any type that fit 64 signed bits.

    Raises:
        ValueError: the grid is empty, has another shape or holds anything but such integers (the message names the type
            or the cell), or the least health is above 2**63 - 1.

    Cost:
        O(rows * cols) time, O(cols) memory. If sums may exceed 2**53, Python's integers take about a hundred times as
        long.

    Source:
        The usual backward induction: need = max(1, min(need below, need to the right) - value).

    >>> minimum_health([[-2, -3, 3], [-5, -10, 1], [10, 30, -5]])
    7
    """
    cells = checked_grid(grid)
    return least_need(cells) if fits(cells) else in_64_bits(deque(exact_needs(cells), maxlen=1)[0][0])


def minimum_health_path(grid: ArrayLike) -> tuple[int, NDArray[np.int64]]:
    """The least health, and a path that needs no more: to the neighbour that needs less, right if both need the same.

    Takes and raises what minimum_health does; the same time, and a bit of memory for each cell.

    Returns:
        The least health, and (rows + cols - 1, 2) int64 rows of (row, col) from the first cell to the last.

    >>> minimum_health_path([[0, -4], [-3, -1]])[1].tolist()
    [[0, 0], [1, 0], [1, 1]]
    """
    cells = checked_grid(grid)
    if fits(cells):
        return least_need_path(cells)
    needs = [*exact_needs(cells)][::-1]
    row = col = 0
    path = [(row, col)]
    while len(path) < sum(cells.shape) - 1:
        if row == len(cells) - 1 or (col < cells.shape[1] - 1 and needs[row][col + 1] <= needs[row + 1][col]):
            col += 1
        else:
            row += 1
        path.append((row, col))
    return in_64_bits(needs[0][0]), np.array(path)


def need_table(grid: ArrayLike) -> NDArray[np.int64]:
    """(rows, cols) int64: the least health for the rest of the path, for every cell, before its value is added.

    Takes and raises what minimum_health does, which is its first entry.

    >>> need_table([[0, -4], [-3, -1]]).tolist()
    [[5, 6], [5, 2]]
    """
    cells = checked_grid(grid)
    needs = np.empty(cells.shape, np.int64)
    if fits(cells):
        fill_needs(frozen(cells, np.int64), needs)
        return needs
    for row, exact in zip(range(len(cells) - 1, -1, -1), exact_needs(cells), strict=True):
        needs[row] = [in_64_bits(need, (row, col)) for col, need in enumerate(exact)]
    return needs
