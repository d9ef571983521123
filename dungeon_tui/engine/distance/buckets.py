"""Distance maps by rolling buckets: any table of weights, one cell at a time.

Source:
    Robert Dial, "Algorithm 360: shortest-path forest with topological ordering" (1969). The weight belongs to the
    cell being left, so a cell is dealt with once, when its distance *and* its weight have gone by: whatever it then
    touches for the first time is final, and there is no heap.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel
from dungeon_tui.engine.distance.waves import DONE

TOO_FAR = -2
LARGEST = 2**31 - 1


def bucket_distances(
    hardness: NDArray[np.uint8],
    weights: NDArray[np.uint8],
    goals: NDArray[np.int64],
    diagonal: bool,
    distance: NDArray[np.int32],
) -> int:
    """Sets the distances, LARGEST where none leads; returns DONE, or TOO_FAR if one would be LARGEST or more.

    A goal off the grid or on weight 0 ends it: then returns the index of the first such goal.
    """
    height, width = hardness.shape
    stride = width + 2
    weight = np.zeros((height + 2, stride), np.uint8)  # with a border of wall; 0 once a cell has its distance
    weight[1:-1, 1:-1] = weights[hardness]
    for index, (row, col) in enumerate(goals.tolist()):
        if not (0 <= row < height and 0 <= col < width and weight[row + 1, col + 1]):
            return index
    cells = (goals[:, 0] + 1) * stride + goals[:, 1] + 1
    steps = np.array([-stride, stride, -1, 1, -stride - 1, -stride + 1, stride - 1, stride + 1])[: 8 if diagonal else 4]
    reached = np.full(weight.size, LARGEST, np.int32)
    first = np.full(int(weights.max()) + 1, -1, np.int32)  # of each bucket's cells
    after = np.empty(weight.size, np.int32)  # the next cell in the same bucket
    code: int = _fill_buckets(weight.reshape(-1), steps, cells, reached, first, after)
    distance[:] = reached.reshape(weight.shape)[1:-1, 1:-1]
    return code


@kernel
def _fill_buckets(
    weight: NDArray[np.uint8],
    steps: NDArray[np.int64],
    goals: NDArray[np.int64],
    reached: NDArray[np.int32],
    first: NDArray[np.int32],
    after: NDArray[np.int32],
) -> int:
    pending = 0
    for cell in goals:
        slot = weight[cell]
        if slot != 0:
            after[cell] = first[slot]
            first[slot] = cell
            weight[cell] = 0
            reached[cell] = 0
            pending += 1
    now = 0
    while pending > 0:
        if now >= LARGEST - len(first):
            return TOO_FAR
        slot = now % len(first)
        cell = first[slot]
        first[slot] = -1
        while cell >= 0:
            pending -= 1
            for step in steps:
                other = cell + step
                if weight[other] != 0:
                    later = (now + weight[other]) % len(first)
                    weight[other] = 0
                    reached[other] = now
                    after[other] = first[later]
                    first[later] = other
                    pending += 1
            cell = after[cell]
        now += 1
    return DONE
