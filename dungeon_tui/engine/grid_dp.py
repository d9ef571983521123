"""A knight crosses a grid, right or down: how much health it takes, computed from the last cell backwards."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dungeon_tui.engine._grid_dp_check import LARGEST, Grid, checked_grid, in_64_bits
from dungeon_tui.engine._grid_dp_count import MAX_PATH_STATES, count_paths
from dungeon_tui.engine._grid_dp_exact import exact_needs
from dungeon_tui.engine._grid_dp_relief import best_relief
from dungeon_tui.engine._grid_dp_strips import Turns, fill_needs, first_row, follow, no_turns, sweep

__all__ = ["MAX_PATH_STATES", "best_relief", "count_paths", "minimum_health", "minimum_health_path", "need_table"]


def minimum_health(grid: ArrayLike) -> int:
    """The least health with which a knight can cross the grid.

    He goes right or down from the top left cell to the bottom right one. A cell's value is added to his health when he
    enters it, the first one's included; his health must be above 0 at all times, at the start and at the end too.

    Args:
        grid: (rows, cols) integers of any type that fit 64 signed bits.

    Returns:
        The least health before the first cell; exact, however large the sums along a way.

    Raises:
        ValueError: the grid is empty, has another shape or holds anything else than such integers (the message names
            the type or the cell), or the least health is above 2**63 - 1.

    Cost:
        O(rows * cols) time, O(cols) memory. What isn't contiguous int32 or int64 is copied first; sums beyond 64 bits
        take Python's integers, some hundred times the time.

    Source:
        The usual backward induction: need = max(1, min(need below, need to the right) - value).

    >>> minimum_health([[-2, -3, 3], [-5, -10, 1], [10, 30, -5]])
    7
    """
    return _least_health(checked_grid(grid), None)


def minimum_health_path(grid: ArrayLike) -> tuple[int, NDArray[np.int64]]:
    """The same, and a way that needs no more: at every cell on to the neighbour that needs less, right if both do.

    Args:
        grid: as for minimum_health.

    Returns:
        The least health, and (rows + cols - 1, 2) int64 rows of (row, col) from the first cell to the last.

    Raises:
        ValueError: as for minimum_health.

    Cost:
        O(rows * cols) time, a bit a cell.

    >>> minimum_health_path([[0, -4], [-3, -1]])[1].tolist()
    [[0, 0], [1, 0], [1, 1]]
    """
    cells = checked_grid(grid)
    turns = no_turns(cells.shape)
    health = _least_health(cells, turns)
    path = np.empty((sum(cells.shape) - 1, 2), np.int64)
    follow(turns, path)
    return health, path


def need_table(grid: ArrayLike) -> NDArray[np.int64]:
    """The least health for the rest of the way, for every cell, before its value is added.

    Args:
        grid: as for minimum_health.

    Returns:
        (rows, cols) int64; minimum_health is its first entry.

    Raises:
        ValueError: as for minimum_health, for any cell.

    Cost:
        O(rows * cols) time.

    >>> need_table([[0, -4], [-3, -1]]).tolist()
    [[5, 6], [5, 2]]
    """
    cells = checked_grid(grid)
    needs = np.empty(cells.shape, np.int64)
    if _fits(cells.shape, int(cells.min())):
        fill_needs(cells, first_row(cells.shape[1]), needs)
        return needs
    for row, exact in zip(range(len(cells) - 1, -1, -1), exact_needs(cells), strict=True):
        needs[row] = [in_64_bits(need, (row, col)) for col, need in enumerate(exact)]
    return needs


def _least_health(cells: Grid, turns: Turns | None) -> int:
    """The least health; sets the turns, where there is room for them."""
    row = first_row(cells.shape[1])
    lowest = sweep(cells, row, turns)
    if _fits(cells.shape, int(lowest)):
        return int(row[0])
    if turns is not None:
        turns[:] = 0
    top = deque(exact_needs(cells, turns), maxlen=1)[0]
    return in_64_bits(top[0])


def _fits(shape: tuple[int, ...], lowest: int) -> bool:
    """Whether no way can need more than 64 bits hold."""
    return 1 + (sum(shape) - 1) * -min(0, lowest) <= LARGEST
