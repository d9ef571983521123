"""The number of paths across a grid that a knight survives."""

from math import comb
from operator import index
from typing import SupportsIndex

from numpy.typing import ArrayLike

from dungeon_tui.engine.grid_dp.checked import checked_grid, exact_needs

MAX_PATH_STATES = 5_000_000
"""The most cells visited, and the most pairs of a cell and an undecided health there."""


def count_paths(grid: ArrayLike, health: SupportsIndex) -> int:
    """The exact number of paths, right and down across the grid, that a knight survives.

    Args:
        grid: as for minimum_health.
        health: before the first cell's value is added; below 1 no path survives.

    Raises:
        ValueError: as for minimum_health, except that needs may be large; or the count takes more than MAX_PATH_STATES
            cells, or pairs of a cell and an undecided health.

    Cost:
        O(rows * cols + states) time and O(cols + the states of two rows) memory. Paths that meet with equal health
        count together; once every continuation survives, or none does, they are decided. In the worst case every sum is
        a state: 30 x 30 cells from -1000 to 1000 stay within the limit, 40 x 40 only from -20 to 20.

    >>> count_paths([[0, -4], [-3, -1]], 5), count_paths([[0, -4], [-3, -1]], 6)
    (1, 2)
    """
    cells = checked_grid(grid)
    rows, cols = cells.shape
    if cells.size > MAX_PATH_STATES:
        raise ValueError(f"a grid of {rows} x {cols} has more than {MAX_PATH_STATES} cells, too many to count paths on")
    enough = [*exact_needs(cells)][::-1]
    plenty = [*exact_needs(cells, max)][::-1]
    total = states = 0
    leaving: list[dict[int, int]] = [{} for _ in range(cols)]  # the row above, then this one: paths by health
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
                    f"the paths across {rows} x {cols} cells have more than {MAX_PATH_STATES} different healths, too "
                    f"many to count"
                )
    return total
