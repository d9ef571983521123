"""The number of ways across a grid that a knight survives."""

from __future__ import annotations

from math import comb
from operator import index
from typing import SupportsIndex

from numpy.typing import ArrayLike

from dungeon_tui.engine.grid_dp.checked import checked_grid, exact_needs

MAX_PATH_STATES = 5_000_000
"""So many healths, each counted once for every cell where ways arrive with it, and so many cells are looked at."""


def count_paths(grid: ArrayLike, health: SupportsIndex) -> int:
    """The number of ways right and down across the grid that a knight survives with that health at the start.

    Args:
        grid: as for minimum_health.
        health: before the first cell's value is added; with less than 1 there is no way.

    Returns:
        The number of ways, exact however large.

    Raises:
        ValueError: as for minimum_health, but for large needs, which do no harm; or there is too much to count: more
            than MAX_PATH_STATES cells, or pairs of a cell and a health that is undecided there.

    Cost:
        O(rows * cols + states) time and O(cols + the states of two rows) memory. A way's fate hangs on its health
        alone, so those that meet with the same one are counted together; once all that can follow survives, or
        nothing, they are counted or dropped at once. In the worst case that leaves as many states as there are sums:
        30 x 30 cells from -1000 to 1000 stay within the limit, 40 x 40 don't; from -20 to 20 these do.

    >>> count_paths([[0, -4], [-3, -1]], 5), count_paths([[0, -4], [-3, -1]], 6)
    (1, 2)
    """
    cells = checked_grid(grid)
    rows, cols = cells.shape
    if cells.size > MAX_PATH_STATES:
        raise ValueError(f"a grid of {rows} x {cols} has more than {MAX_PATH_STATES} cells, too many to count ways on")
    enough = [*exact_needs(cells)][::-1]
    plenty = [*exact_needs(cells, max)][::-1]
    total = states = 0
    leaving: list[dict[int, int]] = [{} for _ in range(cols)]  # the row above, then this one: ways by health
    leaving[0][index(health)] = 1
    for row, values in enumerate(cells):
        left: dict[int, int] = {}
        for col, value in enumerate(values.tolist()):
            arriving = leaving[col]
            for before, ways in left.items():
                arriving[before] = arriving.get(before, 0) + ways
            after: dict[int, int] = {}
            for before, ways in arriving.items():
                if before >= plenty[row][col]:
                    total += ways * comb(rows - 1 - row + cols - 1 - col, rows - 1 - row)
                elif before >= enough[row][col]:
                    after[before + value] = ways
            leaving[col] = left = after
            states += len(after)
            if states > MAX_PATH_STATES:
                raise ValueError(
                    f"the ways across {rows} x {cols} cells pass more than {MAX_PATH_STATES} different healths, too "
                    f"many to count"
                )
    return total
