"""Paths down a distance map: the best step from every cell, and the whole path from one."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine._rows import frozen
from dungeon_tui.engine.distance.maps import (
    UNREACHED,
    CostGrid,
    IntGrid,
    check_grid,
    checked_corners,
    checked_factors,
    checked_goals,
    distance_map,
    what_is,
)
from dungeon_tui.engine.jit import kernel, lean_kernel

STAY = 8
STEPS = np.array([(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)], np.int8)
"""(9, 2) rows of (rows, cols): up, down, left, right, the four diagonals from the top left, and STAY."""
STEPS.flags.writeable = False
_BOOL = np.dtype(np.bool_)
_NO_COST = frozen(np.empty((0, 0), np.uint8), np.uint8)
_NO_STEP = np.iinfo(np.int64).max
_NEAR = 400  # cells; looking at more costs more than a map of 80 x 50
_local = threading.local()


class NoPathError(Exception):
    """Raised if no goal can be reached from the cell."""


class _Steps(NamedTuple):
    """The allowed steps, what they cost, and how equal ones are told apart."""

    seed: np.uint64
    orthogonal: int  # factors of the cost; 0: no such steps
    diagonal: int
    open_corners: int  # the number of reached cells that a diagonal step needs beside it


def downhill(
    distance: IntGrid,
    *,
    cost: CostGrid | None = None,
    seed: int = 0,
    orthogonal: int = 1,
    diagonal: int = True,
    corners: str = "cut",
) -> NDArray[np.uint8]:
    """The best step from every cell: to the neighbour with the lowest distance.

    Args:
        distance: (height, width) integers, a map of any of the functions for distances.
        cost: (height, width) uint8 or uint16, as for cost_distance_map, `weights[hardness]` for a tunnelling map: then
            the best step is on a cheapest path. None: the neighbour with the lowest distance, as monsters move; on a
            walking map both are the same.
        seed: breaks ties, alike on every machine.
        orthogonal: as for cost_distance_map.
        diagonal: as for the map: whether diagonal steps may be taken, or the factor of their cost.
        corners: as for distance_map; UNREACHED cells are the walls.

    Returns:
        (height, width) uint8 rows of STEPS: `cell + STEPS[downhill(...)[cell]]` is the next cell; STAY on goals and on
        cells without a lower neighbour.

    Raises:
        ValueError: an argument has a wrong shape, type or range.

    >>> downhill(np.array([[0, 1, 2, UNREACHED]])).tolist()
    [[8, 2, 2, 8]]
    """
    grid = _checked_distance(distance)
    best = np.empty(grid.shape, np.uint8)
    _downhill(grid, _checked_cost(cost, grid), _checked_steps(seed, orthogonal, diagonal, corners), best)
    return best


def farthest(distance: IntGrid) -> int:
    """The largest distance in a map of integers; -1 if no cell can reach a goal.

    >>> farthest(np.array([[0, 1, 2, UNREACHED]], np.int32))
    2
    """
    grid = _checked_distance(distance)
    return int(np.max(grid, where=grid != UNREACHED, initial=-1))


def path(
    distance: IntGrid,
    start: tuple[int, int],
    *,
    cost: CostGrid | None = None,
    seed: int = 0,
    orthogonal: int = 1,
    diagonal: int = True,
    corners: str = "cut",
    straight: bool = False,
) -> NDArray[np.int64]:
    """The path down from a cell to its goal.

    Args:
        distance: as for downhill.
        start: (row, col) of the first cell.
        cost: with it the path is a cheapest one, without it the path of monsters.
        seed: breaks ties.
        orthogonal: as for downhill.
        diagonal: as for downhill.
        corners: as for downhill.
        straight: among equal steps, the direction of the last step wins; the path is as long, with fewer turns.

    Returns:
        (n, 2) int64 rows of (row, col), start and goal included. On a flee map it ends at a nearby safest cell.

    Raises:
        NoPathError: no goal can be reached.
        ValueError: start lies off the grid, an argument has a wrong shape, type or range, or the path ends above 0:
            then the numbers are no distance map for these steps.

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
    steps = _checked_steps(seed, orthogonal, diagonal, corners)
    cells = _path(grid, row, col, _checked_cost(cost, grid), steps, bool(straight))
    row, col = cells[-1].tolist()
    if grid[row, col] > 0:
        raise ValueError(f"not a distance map for these steps: no neighbour of ({row}, {col}) is lower")
    return cells


def path_to(
    passable: NDArray[np.bool_],
    start: tuple[int, int],
    goal: tuple[int, int],
    *,
    diagonal: bool = True,
    corners: str = "cut",
) -> NDArray[np.int64]:
    """A shortest path between two cells, both included.

    The same as `path` on the goal's distance map, but does not compute it for a near goal. For several walkers to one
    goal, one map and `path` for each are as fast. Takes and raises what distance_map does, with one goal, and raises
    what `path` does. The thread keeps four bytes a cell for the next call.

    >>> path_to(np.array([[True, True, True]]), (0, 2), (0, 0)).tolist()
    [[0, 2], [0, 1], [0, 0]]
    """
    check_grid("passable", passable, _BOOL)
    cells = checked_goals([start, goal])
    if getattr(_local, "size", 0) < passable.size:
        _local.size, _local.distance = passable.size, np.full(passable.size, UNREACHED, np.int32)
    if passable.flags.carray and corners == "cut":
        found = _path_to(passable, cells, bool(diagonal), _local.distance[: passable.size].reshape(passable.shape))
        if len(found):
            return found
    distance = distance_map(passable, cells[1:], diagonal=diagonal, corners=corners)
    return path(distance, start, diagonal=diagonal, corners=corners)


def _checked_distance(distance: object) -> IntGrid:
    if not isinstance(distance, np.ndarray) or distance.ndim != 2 or distance.dtype.kind not in "iu":
        raise ValueError(f"distance must be a (height, width) array of integers, not {what_is(distance)}")
    is_wide = distance.dtype.itemsize > 2 and distance.dtype != np.int32 and distance.size > 0
    if is_wide and not -UNREACHED <= distance.min() <= distance.max() <= UNREACHED:
        raise ValueError(f"distances must lie from -{UNREACHED} to UNREACHED, {UNREACHED}")
    return frozen(distance)


def _checked_cost(cost: object, distance: IntGrid) -> CostGrid:
    if cost is None:
        return _NO_COST
    if not isinstance(cost, np.ndarray) or cost.dtype not in (np.uint8, np.uint16) or cost.shape != distance.shape:
        raise ValueError(
            f"cost must be uint8 or uint16 of the shape of distance, {distance.shape}, not {what_is(cost)}"
        )
    return frozen(cost, cost.dtype.type)


@lru_cache(64)  # on small maps the checks take as long as the path
def _checked_steps(seed: int, orthogonal: int, diagonal: int, corners: str) -> _Steps:
    return _Steps(np.uint64(int(seed) % 2**64), *checked_factors(orthogonal, diagonal), checked_corners(corners))


@kernel
def _choice(seed: np.uint64, cell: int, equals: np.uint64) -> np.uint64:
    """A number below `equals` that depends on seed and cell: splitmix64 scrambles both."""
    z = seed + np.uint64(cell + 1) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(32)) % equals


@lean_kernel
def _value(distance: IntGrid, row: int, col: int, cost: CostGrid, steps: _Steps, way: int) -> int:
    """The distance by one step from a cell, without `cost` that from the next; _NO_STEP if it may not be taken."""
    r, c = row + STEPS[way, 0], col + STEPS[way, 1]
    factor = steps.orthogonal if way < 4 else steps.diagonal
    if factor == 0 or not (0 <= r < distance.shape[0] and 0 <= c < distance.shape[1]):
        return _NO_STEP
    if distance[r, c] >= distance[row, col]:
        return _NO_STEP
    beside = (distance[r, col] != UNREACHED) + (distance[row, c] != UNREACHED)
    if way >= 4 and beside < steps.open_corners:
        return _NO_STEP
    return int(np.int64(distance[r, c]) + (factor * np.int64(cost[r, c]) if cost.size else 0))


@lean_kernel
def _best_step(distance: IntGrid, row: int, col: int, cost: CostGrid, steps: _Steps) -> int:
    """The row of STEPS to the best lower neighbour, STAY if there is none."""
    if distance[row, col] == UNREACHED:
        return STAY
    best: Any = _NO_STEP
    equals = np.uint64(0)
    ties = np.uint64(0)  # the best steps so far, four bits each
    for way in range(8):
        value = _value(distance, row, col, cost, steps, way)
        if value < best:
            best, equals, ties = value, np.uint64(0), np.uint64(0)
        if value == best:
            ties |= np.uint64(way) << (np.uint64(4) * equals)
            equals += np.uint64(1)
    if best == _NO_STEP:
        return STAY
    chosen = np.uint64(0) if equals == 1 else _choice(steps.seed, row * distance.shape[1] + col, equals)
    return int(np.int64((ties >> (np.uint64(4) * chosen)) & np.uint64(15)))


@kernel
def _downhill(distance: IntGrid, cost: CostGrid, steps: _Steps, best: NDArray[np.uint8]) -> None:
    for row in range(distance.shape[0]):
        for col in range(distance.shape[1]):
            best[row, col] = _best_step(distance, row, col, cost, steps)


@kernel
def _path(distance: IntGrid, row: int, col: int, cost: CostGrid, steps: _Steps, straight: bool) -> NDArray[np.int64]:
    cells = np.empty((0, 2), np.int64)
    for _ in range(2):  # first counts the cells; slices would take seconds to compile
        r, c, length = row, col, 0
        way: int = -1
        while way != STAY:
            if length < cells.shape[0]:
                cells[length, 0], cells[length, 1] = r, c
            length += 1
            last, way = way, _best_step(distance, r, c, cost, steps)
            if straight and length > 1 and way != STAY:
                value = _value(distance, r, c, cost, steps, way)
                way = last if _value(distance, r, c, cost, steps, last) == value else way
            r, c = r + int(STEPS[way, 0]), c + int(STEPS[way, 1])
        if cells.shape[0] == 0:
            cells = np.empty((length, 2), np.int64)
    return cells


@kernel
def _path_to(
    passable: NDArray[np.bool_], ends: NDArray[np.int64], diagonal: bool, distance: IntGrid
) -> NDArray[np.int64]:
    """The path from the first end to the second, looking at _NEAR cells; empty if that is too few, or an end is wrong.

    `distance` is UNREACHED everywhere, and is so again afterwards.
    """
    height, width = passable.shape
    found = np.empty((0, 2), np.int64)
    for row, col in ends:
        if not (0 <= row < height and 0 <= col < width) or not passable[row, col]:
            return found
    is_open, flat = passable.reshape(-1), distance.reshape(-1)
    start = np.uint64(ends[0, 0] * width + ends[0, 1])
    queue = np.empty(_NEAR + 8, np.int64)
    queue[0] = ends[1, 0] * width + ends[1, 1]
    flat[np.uint64(queue[0])] = 0
    head, tail = 0, 1
    while head < tail < _NEAR and flat[start] == UNREACHED:
        cell = queue[head]
        head += 1
        row, col, following = cell // width, cell % width, flat[np.uint64(cell)] + 1
        is_inside = 0 < row < height - 1 and 0 < col < width - 1
        for way in range(8 if diagonal else 4):
            down, right = np.int64(STEPS[way, 0]), np.int64(STEPS[way, 1])
            if is_inside or (0 <= row + down < height and 0 <= col + right < width):
                other = np.uint64(cell + down * width + right)
                if is_open[other] and flat[other] == UNREACHED:
                    flat[other] = following
                    queue[tail] = other
                    tail += 1
    if flat[start] != UNREACHED:
        steps = _Steps(np.uint64(0), 1, int(diagonal), 0)
        found = _path(distance, ends[0, 0], ends[0, 1], _NO_COST, steps, False)
    for index in range(tail):
        flat[np.uint64(queue[index])] = UNREACHED
    return found
