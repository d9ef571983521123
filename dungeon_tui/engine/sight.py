"""Field of view: the cells visible from a cell."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine.distance.maps import check_grid
from dungeon_tui.engine.jit import kernel

BoolGrid = NDArray[np.bool_]

_BOOL = np.dtype(np.bool_)


def field_of_view(transparent: BoolGrid, origin: tuple[int, int], *, radius: int | None = None) -> BoolGrid:
    """The cells visible from a cell, by symmetric shadowcasting, in time proportional to their number.

    Of two floor cells each sees the other or neither does. Visible walls are included, and so is the origin.

    Args:
        transparent: (height, width) bool; False for cells that block sight.
        origin: (row, col) of the viewer.
        radius: the largest distance between centres, as the crow flies; None: no limit.

    Returns:
        (height, width) bool, True for cells in view.

    Raises:
        ValueError: origin lies off the grid, radius is negative, or the array has a wrong shape or type.

    Source:
        Albert Ford, "Symmetric shadowcasting" (2017), <https://www.albertford.com/shadowcasting/>.

    >>> field_of_view(np.array([[True, True, False, True]]), (0, 0)).tolist()
    [[True, True, True, False]]
    """
    check_grid("transparent", transparent, _BOOL)
    height, width = transparent.shape
    row, col = int(origin[0]), int(origin[1])
    if not (0 <= row < height and 0 <= col < width):
        raise ValueError(f"origin ({row}, {col}) lies off the grid of {height} x {width}")
    if radius is not None and radius < 0:
        raise ValueError(f"radius must be at least 0, not {radius}")
    reach = height + width if radius is None else min(int(radius), height + width)
    visible = np.zeros(transparent.shape, _BOOL)
    visible[row, col] = True
    cells = transparent if transparent.flags.carray else transparent.copy()  # one compiled kernel serves all
    size = 128
    while not _cast(cells, row, col, reach, size, visible):
        size *= 2  # rare: a view through very many gaps
    return visible


@kernel
def _cast(grid: BoolGrid, row: int, col: int, radius: int, size: int, view: BoolGrid) -> bool:
    """Marks the other cells in view; returns False if a stack of this size is too small."""
    height, width = grid.shape
    transparent, visible = grid.reshape(-1), view.reshape(-1)
    # Rows that wait to be scanned: the depth, and the slopes at which a row starts and ends, each a fraction.
    stack = np.empty((size, 5), np.int64)
    for quadrant in range(4):
        # A cell lies `depth` cells ahead and `along` cells to the side.
        if quadrant < 2:
            ahead, side, lowest, highest = (-width if quadrant == 0 else width), 1, -col, width - 1 - col
            room = row if quadrant == 0 else height - 1 - row
        else:
            ahead, side, lowest, highest = (-1 if quadrant == 2 else 1), width, -row, height - 1 - row
            room = col if quadrant == 2 else width - 1 - col
        stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = 1, -1, 1, 1, 1
        waiting = 1
        while waiting > 0:
            waiting -= 1
            depth = stack[waiting, 0]
            if depth > min(room, radius):
                continue
            start, start_over = stack[waiting, 1], stack[waiting, 2]
            end, end_over = stack[waiting, 3], stack[waiting, 4]

            # The columns that the slopes cover at least to the middle; beyond the grid is wall.
            first = (2 * depth * start + start_over) // (2 * start_over)
            last = min(-((end_over - 2 * depth * end) // (2 * end_over)), highest)
            is_first = first >= lowest
            first = max(first, lowest)
            # Floor is in view if the slopes cover its middle, which they may miss in the first and the last cell alone.
            reach = int(np.sqrt(radius * radius - depth * depth))
            lowest_seen = max(-reach, first if first * start_over >= depth * start else first + 1)
            highest_seen = min(reach, last if last * end_over <= depth * end else last - 1)
            if waiting + (last - first) // 2 + 2 > size:
                return False

            base, along = row * width + col + depth * ahead, first
            while along <= last:
                # Walls are in view; after them it begins at their edge.
                while along <= last and not transparent[np.uint64(base + along * side)]:
                    if -reach <= along <= reach:
                        visible[np.uint64(base + along * side)] = True
                    along += 1
                if along > last:
                    break
                if along > first or not is_first:
                    start, start_over = 2 * along - 1, 2 * depth

                # The next row is seen through each run of floor.
                begin = along
                while along <= last and transparent[np.uint64(base + along * side)]:
                    along += 1
                for each in range(max(begin, lowest_seen), min(along - 1, highest_seen) + 1):
                    visible[np.uint64(base + each * side)] = True
                stack[waiting, 0], stack[waiting, 1], stack[waiting, 2] = depth + 1, start, start_over
                stack[waiting, 3], stack[waiting, 4] = end, end_over
                if along <= last:
                    stack[waiting, 3], stack[waiting, 4] = 2 * along - 1, 2 * depth
                waiting += 1
    return True
