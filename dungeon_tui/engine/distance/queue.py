"""Distance maps by a queue in order of distance: small maps, and goals with start values, corners, and a limit.

Cells with start values are merged into the queue by value, so the first touch of a cell is final.
"""

import numpy as np
from numba import uint16, uint64
from numpy.typing import NDArray

from dungeon_tui.engine.bits import NONE, ONE
from dungeon_tui.engine.distance.waves import DONE, LARGEST, walking_distances
from dungeon_tui.engine.jit import kernel, lean_kernel

CORNERS = ("cut", "touch", "square")
"""How a diagonal step passes walls: between two of them, past one, past none. The index in the tuple is the number of
open cells that the step needs of the two between which it passes."""

SMALL = 40_000
"""Cells, with a border, up to which a queue is faster than a wave of bits; at most 65,535, as numbers have 16 bits."""


@lean_kernel
def small_distances(
    passable: NDArray[np.bool_],
    goals: NDArray[np.int64],
    ways: int,
    distance: NDArray[np.int32],
    room: NDArray[np.uint16],
) -> int:
    """Sets the distances as walking_distances does, of at most SMALL cells, with 4 or 8 ways of a step.

    `room` is memory for two numbers a cell, the border included.
    """
    height, width = passable.shape
    # A cell holds 0 for a wall, `unseen`, or its distance + 1; a column of wall lies between two rows. Then the queue.
    unseen = uint16(65535)
    stride = uint64(width + 1)
    cells = uint64(height + 2) * stride + ONE
    for index in range(width + 2):
        room[uint64(index)] = room[cells - ONE - uint64(index)] = uint16(0)
    for row in range(height):
        there = uint64(row + 1) * stride + ONE
        for col in range(width):
            room[there + uint64(col)] = unseen if passable[uint64(row), uint64(col)] else uint16(0)
        room[there + uint64(width)] = 0

    head, tail = cells, cells
    for index in range(goals.shape[0]):
        row, col = goals[index, 0], goals[index, 1]
        if not (0 <= row < height and 0 <= col < width) or not passable[row, col]:
            return index
        cell = uint64(row + 1) * stride + uint64(col) + ONE
        if room[cell] == unseen:
            room[cell] = 1
            room[tail] = cell
            tail += ONE

    up = NONE - stride
    around = (up, stride, NONE - ONE, ONE, up - ONE, up + ONE, stride - ONE, stride + ONE)
    if ways == 4:
        around = (up, stride, NONE - ONE, ONE, NONE, NONE, NONE, NONE)  # itself, which is never unseen
    while head < tail:
        cell = uint64(room[head])
        head += ONE
        following = room[cell] + uint16(1)
        for way in range(8):
            other = cell + around[way]
            if room[other] == unseen:
                room[other] = following
                room[tail] = other
                tail += ONE

    for row in range(height):
        there = uint64(row + 1) * stride + ONE
        for col in range(width):
            steps = uint16(room[there + uint64(col)] - uint16(1))  # a wall's 0 becomes 65535
            distance[uint64(row), uint64(col)] = np.int32(steps) if steps < uint16(65534) else LARGEST
    return DONE


@kernel
def many_distances(
    passable: NDArray[np.bool_],
    goals: NDArray[np.int64],
    ends: NDArray[np.int64],
    diagonal: bool,
    maps: NDArray[np.int32],
    first: int,
    step: int,
) -> int:
    """Makes every step-th of (k, height, width) maps, for the goals from `ends[i]` to `ends[i + 1]`.

    Returns DONE, or the index of a goal off the grid or in a wall.
    """
    flat = goals.reshape(-1)
    bordered = (passable.shape[0] + 2) * (passable.shape[1] + 2)
    is_small = bordered <= SMALL
    room = np.empty(2 * bordered if is_small else 0, np.uint16)
    for index in range(first, maps.shape[0], step):
        cells = flat[2 * ends[index] : 2 * ends[index + 1]].reshape(-1, 2)  # contiguous for the compiler, too
        if is_small:
            code = small_distances(passable, cells, 8 if diagonal else 4, maps[index], room)
        else:
            code = walking_distances(passable, cells, diagonal, maps[index])
        if code != DONE:
            return int(ends[index] + code)
    return DONE


@kernel
def queue_distances(
    passable: NDArray[np.uint8],
    starts: NDArray[np.int64],
    values: NDArray[np.int32],
    diagonal: bool,
    open_corners: int,
    limit: int,
    distance: NDArray[np.int32],
) -> int:
    """Sets the distance of every cell: the least sum of a start's value and the steps from it, LARGEST beyond `limit`.

    The starts are (k, 2) rows of (row, col) in the order of their (k,) values; `open_corners` is the number of open
    cells that a diagonal step needs beside it, 0 to 2. Returns DONE, or the index of the first start off the grid or in
    a wall.
    """
    height, width = passable.shape
    stride = width + 2
    is_open = np.zeros((height + 2) * stride, np.uint8)  # in a border of wall
    reached = np.full((height + 2) * stride, LARGEST, np.int32)
    for row in range(height):
        for col in range(width):
            is_open[(row + 1) * stride + col + 1] = passable[row, col] != 0
    for index in range(starts.shape[0]):
        row, col = starts[index, 0], starts[index, 1]
        if not (0 <= row < height and 0 <= col < width) or passable[row, col] == 0:
            return index
    rows = np.array([-stride, stride, 0, 0, -stride, -stride, stride, stride])
    cols = np.array([0, 0, -1, 1, -1, 1, -1, 1])

    queue = np.empty(height * width, np.int32)
    head, tail, begun = 0, 0, 0
    while head < tail or begun < starts.shape[0]:
        # The next cell comes from the starts or from the queue; of equals from the starts.
        if head == tail or (begun < starts.shape[0] and values[begun] <= reached[queue[head]]):
            cell = (starts[begun, 0] + 1) * stride + starts[begun, 1] + 1
            value = values[begun]
            begun += 1
            if value >= reached[cell] or value > limit:
                continue
            reached[cell] = value
        else:
            cell = np.int64(queue[head])
            head += 1
        following = reached[cell] + 1
        if following > limit:
            continue
        for way in range(8 if diagonal else 4):
            other = cell + rows[way] + cols[way]
            if is_open[other] == 0 or reached[other] != LARGEST:
                continue
            if way >= 4 and is_open[cell + rows[way]] + is_open[cell + cols[way]] < open_corners:
                continue
            reached[other] = following
            queue[tail] = other
            tail += 1

    for row in range(height):
        for col in range(width):
            distance[row, col] = reached[(row + 1) * stride + col + 1]
    return DONE


@kernel
def flee_values(
    distance: NDArray[np.int32], factor: float, starts: NDArray[np.int64], values: NDArray[np.int32]
) -> int:
    """Writes reached cells and `-factor` times their distances, rounded to 0, the farthest first; returns how many."""
    height, width = distance.shape
    farthest = -1
    for row in range(height):
        for col in range(width):
            if distance[row, col] != LARGEST:
                farthest = max(farthest, distance[row, col])
    # A counting sort by distance.
    begins = np.zeros(farthest + 2, np.int64)
    for row in range(height):
        for col in range(width):
            if distance[row, col] != LARGEST:
                begins[farthest - distance[row, col] + 1] += 1
    for index in range(farthest + 1):
        begins[index + 1] += begins[index]
    for row in range(height):
        for col in range(width):
            if distance[row, col] != LARGEST:
                index = begins[farthest - distance[row, col]]
                begins[farthest - distance[row, col]] += 1
                starts[index, 0], starts[index, 1] = row, col
                values[index] = np.int32(-factor * distance[row, col])
    return int(begins[farthest]) if farthest >= 0 else 0
