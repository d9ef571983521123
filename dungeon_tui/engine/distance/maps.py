"""Distance maps: the public functions check their arguments and call the kernels."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dungeon_tui.engine._rows import frozen
from dungeon_tui.engine.distance.costs import TOO_FAR, cost_distances
from dungeon_tui.engine.distance.queue import (
    CORNERS,
    SMALL,
    flee_values,
    many_distances,
    queue_distances,
    small_distances,
)
from dungeon_tui.engine.distance.waves import DONE, tunnelling_distances, walking_distances

BoolGrid = NDArray[np.bool_]
ByteGrid = NDArray[np.uint8]
CostGrid = NDArray[np.uint8] | NDArray[np.uint16]
IntGrid = NDArray[np.int32]
Cells = ArrayLike

_BOOL, _BYTE, _SHORT, _INT, _LONG = map(np.dtype, (np.bool_, np.uint8, np.uint16, np.int32, np.int64))

UNREACHED = 2**31 - 1
"""Larger than any distance: marks cells from which no goal can be reached."""


def _table(weight_of: list[int]) -> NDArray[np.uint8]:
    return frozen(np.array(weight_of), np.uint8)


WEIGHTS = MappingProxyType(
    {
        "ranges": _table([1] * 85 + [2] * 86 + [3] * 84 + [0]),
        "div85": _table([1 + hardness // 85 for hardness in range(255)] + [0]),
        "div60": _table([1 + hardness // 60 for hardness in range(255)] + [0]),
    }
)
"""Tables of 256 weights by hardness, as the years of the course had them; 0 for cells that nothing enters."""


class _Memory(threading.local):
    """Each thread's memory for small_distances."""

    def __init__(self) -> None:
        self.room = np.empty(2 * SMALL, np.uint16)


_memory = _Memory()
_LARGEST = {name: int(table.max()) for name, table in WEIGHTS.items()}


def distance_map(
    passable: BoolGrid,
    goals: Cells | None,
    *,
    diagonal: bool = True,
    start: ArrayLike | None = None,
    corners: str = "cut",
    max_distance: int | None = None,
    out: IntGrid | None = None,
) -> IntGrid:
    """Steps from every cell to its nearest goal.

    Args:
        passable: (height, width) bool; True for cells that can be entered.
        goals: k cells, k >= 1, as (k, 2) int rows of (row, col) or a list, each on a passable cell.
        diagonal: eight directions if true, else four.
        start: (k,) integers, the initial distance of each goal; None: 0. A cell gets the least sum of a goal's start
            and the steps from it. A (height, width) map of integers holds those of goals; with `goals=None`, of all
            cells, except UNREACHED ones and walls.
        corners: how a diagonal step passes walls: "cut" between two, "touch" past one, "square" past none.
        max_distance: cells farther away stay UNREACHED; None: no limit.
        out: (height, width) int32, contiguous, for the result; None: a new array.

    Returns:
        (height, width) int32, in steps; UNREACHED in walls and on cells from which no goal can be reached.

    Raises:
        ValueError: a goal lies off the grid or in a wall (the message names the cell), there is no goal, or an argument
            has a wrong shape, type or range.

    Cost:
        O(height * width) time; about two bytes a cell, nine with start, corners or max_distance.

    Source:
        Edward Moore, "The shortest path through a maze" (1959): cells in the order in which a wave reaches them.

    >>> distance_map(np.array([[True, True, False, True]]), np.array([[0, 0]])).tolist()
    [[0, 1, 2147483647, 2147483647]]
    """
    check_grid("passable", passable, _BOOL)
    if goals is None:
        if start is None:
            raise ValueError("goals must hold at least one cell; None needs a map of start values")
        if np.asarray(start).shape == passable.shape:
            goals = np.argwhere(passable & (np.asarray(start) != UNREACHED))
    cells = checked_goals(goals)
    height, width = shape = passable.shape
    distance: IntGrid = np.empty(shape, _INT) if out is None else _checked_out(shape, out)
    if start is not None or corners != "cut" or max_distance is not None:
        values = np.zeros(len(cells), np.int32) if start is None else _checked_start(start, cells, passable)
        order = np.argsort(values, kind="stable")
        code = _queue(passable, cells[order], values[order], diagonal, corners, max_distance, distance)
        code = code if code == DONE else int(order[code])
    else:
        walls = passable if passable.flags.carray else passable.copy()
        if (height + 2) * (width + 2) <= SMALL:
            code = small_distances(walls, cells, 8 if diagonal else 4, distance, _memory.room)
        else:
            code = walking_distances(walls, cells, bool(diagonal), distance)
    if code != DONE:
        raise _goal_error(cells[code], shape, "in a wall")
    return distance


def distance_maps(
    passable: BoolGrid, goals: Sequence[Cells], *, diagonal: bool = True, out: IntGrid | None = None
) -> IntGrid:
    """A distance map for each of k sets of goals, on all processors if there is enough to do.

    Takes and raises what distance_map does, with `out` for all maps: filling the same array again saves up to half the
    time.

    Returns:
        (k, height, width) int32: `distance_maps(passable, goals)[i]` equals `distance_map(passable, goals[i])`.

    >>> distance_maps(np.array([[True, True]]), [np.array([[0, 0]]), np.array([[0, 1]])]).tolist()
    [[[0, 1]], [[1, 0]]]
    """
    check_grid("passable", passable, _BOOL)
    sets = [checked_goals(each) for each in goals]
    shape = (len(sets), *passable.shape)
    maps: IntGrid = np.empty(shape, _INT) if out is None else _checked_out(shape, out)
    cells = np.concatenate([*sets, np.empty((0, 2), _LONG)])
    ends = np.cumsum([0, *map(len, sets)])
    walls = _plain(passable, _BOOL)

    def fill(first: int, step: int) -> int:
        return many_distances(walls, cells, ends, bool(diagonal), maps, first, step)

    workers = min(len(sets), maps.size // 1_000_000)  # a thread costs time, too
    if workers < 2:
        code = fill(0, 1)
    else:
        workers = min(workers, os.cpu_count() or 1)
        with ThreadPoolExecutor(workers) as pool:
            code = max(pool.map(fill, range(workers), repeat(workers)))
    if code != DONE:
        raise _goal_error(cells[code], passable.shape, "in a wall")
    return maps


def flee_map(
    passable: BoolGrid, threats: Cells, *, factor: float = 1.2, diagonal: bool = True, corners: str = "cut"
) -> IntGrid:
    """A map whose lowest cells are the safest: `downhill` leads away from threats, around them if necessary.

    Every cell that the threats reach begins with `-factor` times its distance from them, rounded towards 0; then it
    falls to the least number of any cell plus the steps from there, so walkers leave a dead end in time for a better
    place. Takes O(height * width) time.

    Args:
        passable: (height, width) bool; True for cells that can be entered.
        threats: (k, 2) int rows of (row, col), k >= 1, each on a passable cell.
        factor: how much more a far place is worth than the way there, from 0 to 1,000; walkers only go round a threat
            if it's above 1.
        diagonal: eight directions if true, else four.
        corners: as for distance_map.

    Returns:
        (height, width) int32, mostly negative; UNREACHED in walls and on cells that no threat reaches.

    Raises:
        ValueError: as for distance_map, or factor is not from 0 to 1,000.

    Source:
        Brian Walker, "The incredible power of Dijkstra maps" (2010).

    >>> flee_map(np.array([[True] * 6]), np.array([[0, 3]])).tolist()
    [[-3, -2, -1, 0, -1, -2]]
    """
    if not 0 <= factor <= 1000:
        raise ValueError(f"factor must be from 0 to 1,000, not {factor}")
    distance = distance_map(passable, threats, diagonal=diagonal, corners=corners)
    if factor * passable.size >= UNREACHED:
        raise ValueError(f"{passable.shape[0]} x {passable.shape[1]} cells are too many for this factor, {factor}")
    starts = np.empty((passable.size, 2), np.int64)
    values = np.empty(passable.size, np.int32)
    count = flee_values(distance, float(factor), starts, values)
    _queue(passable, starts[:count], values[:count], diagonal, corners, None, distance)
    return distance


def cost_distance_map(cost: CostGrid, goals: Cells, *, orthogonal: int = 1, diagonal: int = 1) -> IntGrid:
    """Cheapest way from every cell to its nearest goal, with a cost for each cell.

    A step costs the cell that it enters on the way to the goal, times the factor of its direction.

    Args:
        cost: (height, width) uint8 or uint16; 0 for walls.
        goals: (k, 2) int rows of (row, col), k >= 1, each on a cell with a cost.
        orthogonal: factor for straight steps, from 0 to 255; 0: no straight steps.
        diagonal: factor for diagonal steps, from 0 to 255; 0: no diagonal steps.

    Returns:
        (height, width) int32; 0 on goals, UNREACHED on cost 0 and on cells from which no goal can be reached.

    Raises:
        ValueError: a goal lies off the grid or on cost 0 (the message names the cell), there is no goal, a distance
            would be UNREACHED or more, or an argument has a wrong shape, type or range.

    Cost:
        O(n log(largest step)) time for n cells; about 30 bytes a cell.

    >>> cost_distance_map(np.array([[1, 5, 2, 0]], np.uint8), np.array([[0, 0]])).tolist()
    [[0, 1, 6, 2147483647]]
    """
    if not isinstance(cost, np.ndarray) or cost.dtype not in (np.uint8, np.uint16) or cost.ndim != 2:
        raise ValueError(f"cost must be a (height, width) array of uint8 or uint16, not {what_is(cost)}")
    return _cost_distances(cost, checked_goals(goals), *checked_factors(orthogonal, diagonal))


def tunnelling_distance_map(
    hardness: ByteGrid, goals: Cells, *, weights: str | ArrayLike = "ranges", diagonal: bool = True
) -> IntGrid:
    """Cheapest way from every cell to its nearest goal through rock: hard cells are slow, the hardest block.

    A step costs the weight of the cell that it enters on the way to the goal.

    Args:
        hardness: (height, width) uint8.
        goals: (k, 2) int rows of (row, col), k >= 1, each on a cell whose weight is not 0.
        weights: the weight of each hardness, (256,) integers from 0 to 255, 0 for impassable cells; or the name of a
            table in WEIGHTS.
        diagonal: eight directions if true, else four.

    Returns:
        (height, width) int32; 0 on goals, UNREACHED on impassable cells and where no goal can be reached.

    Raises:
        ValueError: a goal lies off the grid or on an impassable cell (the message names it), there is no goal, a
            distance would be UNREACHED or more, no table has that name, or an array has a wrong shape or type.

    Cost:
        O(height * width + largest distance) time; two more bytes a cell, thirty with weights above 3.

    >>> tunnelling_distance_map(np.array([[0, 200, 0, 255]], np.uint8), np.array([[0, 0]])).tolist()
    [[0, 1, 4, 2147483647]]
    """
    check_grid("hardness", hardness, _BYTE)
    table, largest = _checked_weights(weights)
    cells = checked_goals(goals)
    if largest > 3:  # a tile has slots for no more
        return _cost_distances(table[hardness], cells, 1, int(bool(diagonal)))
    distance = np.empty(hardness.shape, np.int32)
    code = tunnelling_distances(_plain(hardness, _BYTE), table, cells, bool(diagonal), distance)
    if code != DONE:
        raise _goal_error(cells[code], hardness.shape, "on a cell that nothing enters")
    return distance


def _cost_distances(cost: NDArray[np.integer], cells: NDArray[np.int64], orthogonal: int, diagonal: int) -> IntGrid:
    distance = np.empty(cost.shape, np.int32)
    code = cost_distances(_plain(cost, _SHORT), cells, orthogonal, diagonal, distance)
    if code == TOO_FAR:
        raise ValueError(f"a distance would be {UNREACHED} or more")
    if code != DONE:
        raise _goal_error(cells[code], cost.shape, "on a cell that nothing enters")
    return distance


def _queue(
    passable: BoolGrid,
    starts: NDArray[np.int64],
    values: IntGrid,
    diagonal: bool,
    corners: str,
    max_distance: int | None,
    distance: IntGrid,
) -> int:
    """Fills the distance map from starts in the order of their values; returns the code of queue_distances."""
    limit = UNREACHED - 1 if max_distance is None else min(int(max_distance), UNREACHED - 1)
    walls = _plain(passable.view(_BYTE), _BYTE)
    return queue_distances(
        walls, _plain(starts, _LONG), _plain(values, _INT), bool(diagonal), checked_corners(corners), limit, distance
    )


def _plain(array: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """The array, or a contiguous, writable copy of this dtype, so that one compiled kernel serves all callers."""
    return array if array.dtype == dtype and array.flags.carray else np.array(array, dtype, order="C")


def _checked_out(shape: tuple[int, ...], out: object) -> IntGrid:
    if not isinstance(out, np.ndarray) or out.dtype != np.int32 or out.shape != shape:
        raise ValueError(f"out must be an int32 array of shape {shape}, not {what_is(out)}")
    if not (out.flags.c_contiguous and out.flags.writeable):
        raise ValueError("out must be contiguous and writable")
    return out


def _checked_start(start: ArrayLike, cells: NDArray[np.int64], passable: BoolGrid) -> IntGrid:
    values = np.asarray(start)
    if values.shape == passable.shape and passable.size:
        values = values.reshape(-1)[np.ravel_multi_index(tuple(cells.T), passable.shape, mode="clip")]
    if values.shape != (len(cells),) or values.dtype.kind not in "iu":
        raise ValueError(f"start must hold an integer for each of {len(cells)} goals, or for each cell")
    if not -UNREACHED <= values.min() <= values.max() < UNREACHED - passable.size:
        raise ValueError(f"start values must lie from {-UNREACHED:,} to {UNREACHED - passable.size - 1:,}")
    return values.astype(np.int32)


def check_grid(name: str, grid: object, dtype: np.dtype[np.generic]) -> None:
    """Raises ValueError unless the grid is a (height, width) array of the dtype; `name` is the argument's."""
    if type(grid) is np.ndarray and grid.dtype is dtype and grid.ndim == 2:
        return
    if not isinstance(grid, np.ndarray) or grid.dtype != dtype or grid.ndim != 2:
        raise ValueError(f"{name} must be a (height, width) array of {dtype}, not {what_is(grid)}")


def what_is(value: object) -> str:
    """A value that isn't the right array, in an error: its dtype and shape, or its type."""
    return f"{value.dtype} of shape {value.shape}" if isinstance(value, np.ndarray) else type(value).__name__


def checked_goals(goals: object) -> NDArray[np.int64]:
    """The goals as (k, 2) int64, contiguous; ValueError if they are no such cells, or none."""
    if type(goals) is np.ndarray and goals.dtype is _LONG and goals.ndim == 2 and goals.shape[1] == 2 and goals.size:
        # At once: on small maps the checks take as long as the search. A row of np.argwhere is not contiguous.
        return goals if goals.flags.carray else goals.copy()
    cells = np.asarray(goals)
    if cells.size == 0:
        raise ValueError("goals must hold at least one cell")
    if cells.ndim != 2 or cells.shape[1] != 2:
        raise ValueError(f"goals must have the shape (k, 2), rows of (row, col), not {cells.shape}")
    if cells.dtype.kind not in "iu":
        raise ValueError(f"goals must be integers, not {cells.dtype}")
    return _plain(cells, _LONG)


def checked_factors(orthogonal: int, diagonal: int) -> tuple[int, int]:
    """The factors of straight and diagonal steps; ValueError if one is not from 0 to 255."""
    for name, factor in (("orthogonal", orthogonal), ("diagonal", diagonal)):
        if not 0 <= factor <= 255:
            raise ValueError(f"{name} must be from 0 to 255, not {factor}")
    return int(orthogonal), int(diagonal)


def checked_corners(corners: str) -> int:
    """The number of open cells that a diagonal step needs beside it; ValueError if no rule has this name."""
    if corners not in CORNERS:
        raise ValueError(f"corners must be one of {', '.join(CORNERS)}, not {corners!r}")
    return CORNERS.index(corners)


def _checked_weights(weights: str | ArrayLike) -> tuple[NDArray[np.uint8], int]:
    """The table with that name, or the given one, as (256,) uint8; and its largest weight."""
    if isinstance(weights, str):
        if weights not in WEIGHTS:
            raise ValueError(f"no table of weights is called {weights!r}; there are {', '.join(WEIGHTS)}")
        return WEIGHTS[weights], _LARGEST[weights]
    table = np.asarray(weights)
    if table.shape != (256,) or table.dtype.kind not in "iu" or table.min() < 0 or table.max() > 255:
        raise ValueError("weights must be 256 integers from 0 to 255")
    return frozen(table, np.uint8), int(table.max())


def _goal_error(goal: NDArray[np.int64], shape: tuple[int, ...], where: str) -> ValueError:
    row, col = int(goal[0]), int(goal[1])
    height, width = shape
    if not (0 <= row < height and 0 <= col < width):
        return ValueError(f"goal ({row}, {col}) lies off the grid of {height} x {width}")
    return ValueError(f"goal ({row}, {col}) lies {where}")
