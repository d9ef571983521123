"""What is known of a grid: a best way, all best ways, the needs; and by which algorithms it can be found out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from dungeon_tui import engine
from dungeon_tui.core.grid import Cell, cells_of
from dungeon_tui.games.rescue.ai.algorithms import (
    binary_search,
    breadth_first,
    memoised,
    recursive,
    tabulated,
    wavefront,
)
from dungeon_tui.games.rescue.ai.work import Algorithm, Path
from dungeon_tui.games.rescue.model.level import MOST, Level


def find_algorithm(name: str) -> Algorithm:
    """The algorithm of that name, or alias. Raises ValueError where there is none; names those that there are."""
    found = ALGORITHMS.get(ALIASES.get(name, name))
    if found is None:
        also = ", ".join(f"{alias} = {known}" for alias, known in ALIASES.items())
        raise ValueError(f"no algorithm is called {name!r}; there are {', '.join(ALGORITHMS)} (and {also})")
    return found


@lru_cache(maxsize=2)
def best_path(level: Level) -> Path:
    """A way on which the least health is enough: on to the neighbour that needs less, right if both do.

    Raises:
        ValueError: the least health is beyond 64 bits.
    """
    return cells_of(engine.minimum_health_path(level.grid)[1])


@lru_cache(maxsize=2)
def needs(level: Level) -> NDArray[np.int64]:
    """(rows, cols) read-only: the least health to enter each cell with.

    Raises:
        ValueError: one of them is beyond 64 bits.
    """
    table = engine.need_table(level.grid)
    table.setflags(write=False)
    return table


@lru_cache(maxsize=2)
def best_cells(level: Level) -> NDArray[np.bool_]:
    """(rows, cols) read-only: the cells of all best ways, those that the knight survives with the least health.

    A cell is on one if he can come to it alive with as much as it needs. So the most that he can come with is compared
    with its need, one anti-diagonal after the other.

    Raises:
        ValueError: the least health, or what a cell needs, is beyond 64 bits.

    Cost:
        O(m n) time; 9 bytes a cell. Where sums may be beyond 64 bits, some 50 times the time.
    """
    rows, cols = level.grid.shape
    mask = np.ones((rows, cols), bool)
    if 1 not in mask.shape:
        table = needs(level)
        most = int(table[0, 0]) + (rows + cols) * max(0, int(level.grid.max()))
        arriving_with = np.zeros(rows + 1, np.int64 if most <= MOST else object)  # by row, from 1; 0: not alive
        arriving_with[1] = int(table[0, 0])
        for diagonal in range(rows + cols - 1):
            first, last = max(0, diagonal - cols + 1), min(diagonal, rows - 1)
            cells = slice(diagonal + first * (cols - 1), diagonal + last * (cols - 1) + 1, cols - 1)
            entering = np.maximum(arriving_with[first + 1 : last + 2], arriving_with[first : last + 1])
            mask.reshape(-1)[cells] = entering >= table.reshape(-1)[cells]
            leaving = np.maximum(entering + level.grid.reshape(-1)[cells], 0)
            arriving_with[first + 1 : last + 2] = np.where(entering > 0, leaving, 0)
    mask.setflags(write=False)
    return mask


def surviving_paths(level: Level, health: int) -> int:
    """How many ways a knight survives with that health, exactly.

    Raises:
        ValueError: there is too much to count; see engine.count_paths.
    """
    return engine.count_paths(level.grid, health)


def best_relief(level: Level) -> tuple[Cell, int] | None:
    """The one cell that lowers the least health most if it is emptied, and the least health then; None: none does.

    Raises:
        ValueError: the least health is beyond 64 bits.
    """
    found = engine.best_relief(level.grid)
    return None if found is None else (Cell(*found[0]), found[1])


def health_curve(level: Level, path: Iterable[tuple[int, int]], health: int) -> list[int]:
    """The health after each cell of a way; it goes on where the knight is dead, so that a plot shows by how much."""
    return list(accumulate((int(level.grid[cell]) for cell in path), initial=health))[1:]


def path_need(level: Level, path: Iterable[tuple[int, int]]) -> int:
    """The least health to survive a way with."""
    return 1 - min(0, *health_curve(level, path, 0))


ALGORITHMS: dict[str, Algorithm] = {
    "recursive": recursive,
    "memoised": memoised,
    "tabulated": tabulated,
    "wavefront": wavefront,
    "binary-search": binary_search,
    "breadth-first": breadth_first,
}
ALIASES = {"bottom-up": "memoised", "top-down": "tabulated"}  # the report's names
