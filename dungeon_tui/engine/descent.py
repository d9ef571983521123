"""Down a distance map: the best step from every cell, and the whole way from one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel
from dungeon_tui.engine._rows import frozen
from dungeon_tui.engine.distance.maps import UNREACHED, ByteGrid, IntGrid

STAY = 8
STEPS = np.array([(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)], np.int8)
"""(9, 2) rows of (rows, cols): up, down, left, right, the four diagonals from the top left, and STAY."""
STEPS.flags.writeable = False


class NoPathError(Exception):
    """No goal can be reached from the cell."""


def downhill(
    distance: IntGrid, *, cost: ByteGrid | None = None, seed: int = 0, diagonal: bool = True
) -> NDArray[np.uint8]:
    """The best step from every cell: to its neighbour of lowest distance.

    Args:
        distance: (height, width) integers, from distance_map or tunnelling_distance_map.
        cost: (height, width) uint8, what entering each cell costs, `weights[hardness]` for a tunnelling map: then the
            best step is the one on a cheapest way. None: the neighbour of lowest distance, as monsters go, which on
            a walking map is the same.
        seed: decides between equals; the same seed decides alike everywhere.
        diagonal: eight ways if true, else four; as the map was made.

    Returns:
        (height, width) uint8 rows of STEPS, so that `cell + STEPS[downhill(...)[cell]]` is where to go; STAY on
        goals, and where no neighbour is lower.

    Raises:
        ValueError: an array has another shape or type.

    Cost:
        O(height * width) time.

    >>> downhill(np.array([[0, 1, 2, UNREACHED]])).tolist()
    [[8, 2, 2, 8]]
    """
    grid = _checked_distance(distance)
    steps = np.empty(grid.shape, np.uint8)
    _downhill(grid, _checked_cost(cost, grid), np.uint64(int(seed) % 2**64), bool(diagonal), steps)
    return steps


def farthest(distance: IntGrid) -> int:
    """The largest distance from which a goal is reached; -1 where none is.

    Args:
        distance: (height, width) int32, from distance_map or tunnelling_distance_map.

    >>> farthest(np.array([[0, 1, 2, UNREACHED]], np.int32))
    2
    """
    grid = _checked_distance(distance)
    return int(np.max(grid, where=grid != UNREACHED, initial=-1))


def path(
    distance: IntGrid,
    start: tuple[int, int],
    *,
    cost: ByteGrid | None = None,
    seed: int = 0,
    diagonal: bool = True,
) -> NDArray[np.int64]:
    """The way down from a cell to its goal.

    Args:
        distance: as for downhill.
        start: (row, col) of the first cell.
        cost: as for downhill: with it the way is a cheapest one, without it the one that monsters take.
        seed: as for downhill.
        diagonal: as for downhill.

    Returns:
        (n, 2) int64 rows of (row, col), start and goal included.

    Raises:
        NoPathError: no goal can be reached from start.
        ValueError: start lies off the grid, an array has another shape or type, or the numbers are not a distance
            map for these ways: somewhere no neighbour is lower.

    Cost:
        O(length of the way).

    >>> path(np.array([[0, 1, 2, UNREACHED]]), (0, 2)).tolist()
    [[0, 2], [0, 1], [0, 0]]
    """
    grid = _checked_distance(distance)
    height, width = grid.shape
    row, col = int(start[0]), int(start[1])
    if not (0 <= row < height and 0 <= col < width):
        raise ValueError(f"start ({row}, {col}) lies off the grid of {height} x {width}")
    if grid[row, col] == UNREACHED:
        raise NoPathError(f"no goal can be reached from ({row}, {col})")
    if grid[row, col] < 0:
        raise ValueError(f"not a distance map: ({row}, {col}) is at {grid[row, col]}")
    cells = np.empty((min(int(grid[row, col]), grid.size) + 1, 2), np.int64)
    length = _path(grid, row, col, _checked_cost(cost, grid), np.uint64(int(seed) % 2**64), bool(diagonal), cells)
    if length < 0:
        row, col = divmod(-1 - length, width)
        raise ValueError(f"not a distance map for these ways: no neighbour of ({row}, {col}) is lower")
    return cells[:length].copy()


def _checked_distance(distance: object) -> IntGrid:
    if not isinstance(distance, np.ndarray) or distance.ndim != 2 or distance.dtype.kind not in "iu":
        raise ValueError("distance must be a (height, width) array of integers")
    if distance.dtype.itemsize > 4 and distance.size and not 0 <= distance.min() <= distance.max() <= UNREACHED:
        raise ValueError(f"distances must lie from 0 to UNREACHED, {UNREACHED}")
    return frozen(distance)


def _checked_cost(cost: object, distance: IntGrid) -> ByteGrid:
    """The cost as contiguous uint8, zeros if it is None."""
    if cost is None:
        return frozen(np.zeros(distance.shape, np.uint8), np.uint8)
    if not isinstance(cost, np.ndarray) or cost.dtype != np.uint8 or cost.shape != distance.shape:
        raise ValueError(f"cost must be a uint8 array of distance's shape, {distance.shape}")
    return frozen(cost, np.uint8)


@kernel
def _choice(seed: np.uint64, cell: int, equals: np.uint64) -> np.uint64:
    """A number below `equals`, the same for the same seed and cell: splitmix64's scrambling of both."""
    z = seed + np.uint64(cell + 1) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(32)) % equals


@kernel
def _best_step(distance: IntGrid, row: int, col: int, cost: ByteGrid, seed: np.uint64, diagonal: bool) -> int:
    """The row of STEPS to the best of the lower neighbours, STAY if there is none."""
    height, width = distance.shape
    here = distance[row, col]
    if here == UNREACHED:
        return STAY
    best = np.int64(UNREACHED)
    equals = np.uint64(0)
    ties = np.uint64(0)  # the best steps so far, four bits each
    for way in range(8 if diagonal else 4):
        r, c = row + STEPS[way, 0], col + STEPS[way, 1]
        if 0 <= r < height and 0 <= c < width and distance[r, c] < here:
            value = np.int64(distance[r, c]) + np.int64(cost[r, c])
            if value < best:
                best, equals, ties = value, np.uint64(0), np.uint64(0)
            if value == best:
                ties |= np.uint64(way) << (np.uint64(4) * equals)
                equals += np.uint64(1)
    if equals == 0:
        return STAY
    chosen = np.uint64(0) if equals == 1 else _choice(seed, row * width + col, equals)
    return int(np.int64((ties >> (np.uint64(4) * chosen)) & np.uint64(15)))


@kernel
def _downhill(distance: IntGrid, cost: ByteGrid, seed: np.uint64, diagonal: bool, steps: NDArray[np.uint8]) -> None:
    for row in range(distance.shape[0]):
        for col in range(distance.shape[1]):
            steps[row, col] = _best_step(distance, row, col, cost, seed, diagonal)


@kernel
def _path(
    distance: IntGrid,
    row: int,
    col: int,
    cost: ByteGrid,
    seed: np.uint64,
    diagonal: bool,
    cells: NDArray[np.int64],
) -> int:
    """Writes the way down into `cells`; returns its length, or -1 - (the flat cell from which it leads no further)."""
    length = 0
    while True:
        cells[length, 0], cells[length, 1] = row, col
        length += 1
        if distance[row, col] <= 0:
            return length
        way: int = _best_step(distance, row, col, cost, seed, diagonal)
        if way == STAY:
            return -1 - (row * int(distance.shape[1]) + col)
        row, col = row + int(STEPS[way, 0]), col + int(STEPS[way, 1])
