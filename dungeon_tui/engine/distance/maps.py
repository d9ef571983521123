"""Distance maps: what they are made from is checked here and handed to the kernels."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dungeon_tui.engine._rows import frozen
from dungeon_tui.engine.distance.buckets import TOO_FAR, bucket_distances
from dungeon_tui.engine.distance.waves import DONE, tile_records, tunnelling_distances, walking_distances

BoolGrid = NDArray[np.bool_]
ByteGrid = NDArray[np.uint8]
IntGrid = NDArray[np.int32]
Cells = NDArray[np.integer]

UNREACHED = 2**31 - 1
"""Larger than any distance: where no goal can be reached from."""


def _table(weight_of: list[int]) -> NDArray[np.uint8]:
    return frozen(np.array(weight_of), np.uint8)


WEIGHTS = MappingProxyType(
    {
        "ranges": _table([1] * 85 + [2] * 86 + [3] * 84 + [0]),
        "div85": _table([1 + hardness // 85 for hardness in range(255)] + [0]),
        "div60": _table([1 + hardness // 60 for hardness in range(255)] + [0]),
    }
)
"""Tables of 256 weights by hardness, as the years of the course had them; 0 is never entered."""

_LARGEST = {name: int(table.max()) for name, table in WEIGHTS.items()}
_WALKING = _table([0] + [1] * 255)


def distance_map(passable: BoolGrid, goals: Cells, *, diagonal: bool = True) -> IntGrid:
    """Steps from every cell to its nearest goal.

    Args:
        passable: (height, width) bool; True where a step may land.
        goals: (k, 2) int rows of (row, col), k >= 1, each on a passable cell.
        diagonal: eight ways if true, else four.

    Returns:
        (height, width) int32, in steps; 0 on goals, UNREACHED in walls and where no goal can be reached.

    Raises:
        ValueError: a goal lies off the grid or in a wall (the message names the cell), there is no goal, or an
            array has another shape or type.

    Cost:
        O(height * width) time, two bytes more a cell.

    Source:
        Edward Moore, "The shortest path through a maze" (1959): cells in the order in which a wave reaches them.

    >>> distance_map(np.array([[True, True, False, True]]), np.array([[0, 0]])).tolist()
    [[0, 1, 2147483647, 2147483647]]
    """
    _check_grid("passable", passable, np.dtype(np.bool_))
    cells = _checked_goals(goals)
    distance = np.full(passable.shape, UNREACHED, np.int32)
    words = tile_records(passable.shape)
    code = walking_distances(
        frozen(passable.view(np.uint8), np.uint8), _WALKING, cells, bool(diagonal), words, distance
    )
    if code != DONE:
        raise _goal_error(cells[code], passable.shape, "in a wall")
    return distance


def tunnelling_distance_map(
    hardness: ByteGrid, goals: Cells, *, weights: str | ArrayLike = "ranges", diagonal: bool = True
) -> IntGrid:
    """Cheapest way from every cell to its nearest goal where rock slows down and only the hardest stops.

    A step costs the weight of the cell that lies nearer the goal: what it takes to enter that cell on the way down.

    Args:
        hardness: (height, width) uint8.
        goals: (k, 2) int rows of (row, col), k >= 1, each on a cell whose weight is not 0.
        weights: the weight of each hardness, (256,) integers from 0 to 255, 0 for what is never entered; or the
            name of a table in WEIGHTS.
        diagonal: eight ways if true, else four.

    Returns:
        (height, width) int32; 0 on goals, UNREACHED where nothing enters and where no goal can be reached.

    Raises:
        ValueError: a goal lies off the grid or where nothing enters (the message names the cell), there is no goal,
            a distance would be UNREACHED or more, no table has that name, or an array has another shape or type.

    Cost:
        O(height * width + largest distance) time; two bytes more a cell, nine with weights above 3.

    Source:
        docs/games/delve.md:
        "going from a cell to a neighbour costs the weight of the cell being left (the one nearer
        the player)".

    >>> tunnelling_distance_map(np.array([[0, 200, 0, 255]], np.uint8), np.array([[0, 0]])).tolist()
    [[0, 1, 4, 2147483647]]
    """
    _check_grid("hardness", hardness, np.dtype(np.uint8))
    table, largest = _checked_weights(weights)
    cells = _checked_goals(goals)
    distance = np.full(hardness.shape, UNREACHED, np.int32)
    if largest <= 3:  # a tile has slots for no more
        words = tile_records(hardness.shape)
        code = tunnelling_distances(frozen(hardness, np.uint8), table, cells, bool(diagonal), words, distance)
    else:
        code = bucket_distances(frozen(hardness, np.uint8), table, cells, bool(diagonal), distance)
    if code == TOO_FAR:
        raise ValueError(f"a distance would be {UNREACHED} or more")
    if code != DONE:
        raise _goal_error(cells[code], hardness.shape, "where nothing enters (weight 0)")
    return distance


def _check_grid(name: str, grid: object, dtype: np.dtype[np.generic]) -> None:
    if not isinstance(grid, np.ndarray):
        raise ValueError(f"{name} must be a numpy array, not {type(grid).__name__}")
    if grid.dtype != dtype:
        raise ValueError(f"{name} must be of dtype {dtype}, not {grid.dtype}")
    if grid.ndim != 2:
        raise ValueError(f"{name} must have 2 dimensions (height, width), not {grid.ndim}")


def _checked_goals(goals: object) -> NDArray[np.int64]:
    cells = np.asarray(goals)
    if cells.ndim != 2 or cells.shape[1] != 2:
        raise ValueError(f"goals must have the shape (k, 2), rows of (row, col), not {cells.shape}")
    if cells.shape[0] == 0:
        raise ValueError("goals must hold at least one cell")
    if cells.dtype.kind not in "iu":
        raise ValueError(f"goals must be integers, not {cells.dtype}")
    return np.array(cells, np.int64, order="C")


def _checked_weights(weights: str | ArrayLike) -> tuple[NDArray[np.uint8], int]:
    """The table of that name, or the given one, as (256,) uint8; and the largest weight in it."""
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
