"""The best cell of a grid to empty."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dungeon_tui.engine._jit import kernel
from dungeon_tui.engine._rows import frozen
from dungeon_tui.engine.grid_dp.checked import checked_grid, exact_needs, in_64_bits
from dungeon_tui.engine.grid_dp.strips import fill_needs, fits


def best_relief(grid: ArrayLike) -> tuple[tuple[int, int], int] | None:
    """The one cell that, emptied (set to 0), lowers the least health most.

    Takes and raises what minimum_health does.

    Returns:
        The cell as (row, col), the first in reading order among equals, and the least health with it emptied; None if
        no cell lowers it.

    Cost:
        O(rows * cols * log(least health)) time, without trying single cells: a health is enough with one cell emptied
        if the most health on arrival at some cell is what its neighbours need. 8 bytes a cell; if sums may exceed
        2**53, Python's integers take about a hundred times as long.

    >>> best_relief([[-2, -3, 3], [-5, -10, 1], [10, 30, -5]])
    ((1, 0), 3)
    """
    cells: Any = checked_grid(grid)
    needs: Any
    if fits(cells, gains=True):
        cells, needs = frozen(cells, np.int64), np.empty(cells.shape, np.int64)
        fill_needs(cells, needs)
        search, leaving = _first_relief, np.empty(cells.shape[1], np.int64)
    else:
        needs = np.array([*exact_needs(cells)][::-1], object)
        cells, search, leaving = cells.astype(object), _exact_first_relief, np.empty(cells.shape[1], object)
    too_little, enough, best = 0, in_64_bits(int(needs[0, 0])), -1
    while enough - too_little > 1:
        health = (enough + too_little) // 2
        cell = search(cells, needs, health, leaving)
        if cell < 0:
            too_little = health
        else:
            enough, best = health, int(cell)
    return None if best < 0 else (divmod(best, cells.shape[1]), enough)


def _exact_first_relief(grid: Any, needs: Any, health: int, leaving: Any) -> Any:
    """The first cell, as row * width + col, whose emptying makes the health suffice; -1 if there is none.

    The health is less than the grid needs as it is. `leaving` is room for a row: the most health after each cell, 0 if
    none survives.
    """
    height, width = grid.shape
    leaving[:] = 0
    for r in range(height):
        left = health if r == 0 else 0
        for c in range(width):
            arriving = max(left, leaving[c])
            if r < height - 1:
                wanted = min(needs[r + 1, c], needs[r, c + 1]) if c < width - 1 else needs[r + 1, c]
            else:
                wanted = needs[r, c + 1] if c < width - 1 else 1
            if arriving >= wanted:
                return r * width + c
            left = leaving[c] = max(0, arriving + grid[r, c]) if arriving > 0 else 0
    return -1


_first_relief = kernel(_exact_first_relief)
