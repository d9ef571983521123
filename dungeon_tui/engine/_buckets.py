"""Distance maps by rolling buckets: any table of weights, one cell at a time.

Source:
    Robert Dial, "Algorithm 360: shortest-path forest with topological ordering" (1969). The weight belongs to the
    cell being left, so a cell is dealt with once, when its distance *and* its weight have gone by: whatever it then
    touches for the first time is final, and there is no heap.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

DONE = -1
TOO_FAR = -2
LARGEST = np.int32(2**31 - 1)


@njit(cache=True, nogil=True)
def bucket_distances(
    hardness: NDArray[np.uint8],
    weights: NDArray[np.uint8],
    goals: NDArray[np.int64],
    diagonal: bool,
    distance: NDArray[np.int32],
) -> int:
    """Fills distance; answers DONE, TOO_FAR or the index of the first goal that can't be one."""
    height, width = hardness.shape
    stride = width + 2
    size = (height + 2) * stride
    weight = np.zeros(size, np.uint8)  # with a border of wall; 0 once a cell has its distance
    heaviest = 1
    for row in range(height):
        for col in range(width):
            w = weights[hardness[row, col]]
            weight[(row + 1) * stride + col + 1] = w
            heaviest = max(heaviest, int(w))
            distance[row, col] = LARGEST

    ways = 8 if diagonal else 4
    step = np.array([-stride, stride, -1, 1, -stride - 1, -stride + 1, stride - 1, stride + 1])
    slots = heaviest + 1
    first = np.full(slots, -1, np.int64)  # of each bucket's cells
    after = np.empty(size, np.int64)  # the next cell in the same bucket
    pending = 0

    for index in range(goals.shape[0]):
        row, col = goals[index, 0], goals[index, 1]
        if not (0 <= row < height and 0 <= col < width) or weights[hardness[row, col]] == 0:
            return index
        cell = (row + 1) * stride + col + 1
        if weight[cell] != 0:
            slot = weight[cell] % slots
            after[cell], first[slot] = first[slot], cell
            weight[cell] = 0
            distance[row, col] = 0
            pending += 1

    now = 0
    slot = 0
    while pending > 0:
        cell = first[slot]
        first[slot] = -1
        while cell >= 0:
            pending -= 1
            for way in range(ways):
                other = cell + step[way]
                w = int(weight[other])
                if w != 0:
                    weight[other] = 0
                    distance[other // stride - 1, other % stride - 1] = now
                    later = (slot + w) % slots
                    after[other], first[later] = first[later], other
                    pending += 1
            cell = after[cell]
        now += 1
        slot = (slot + 1) % slots
        if now >= LARGEST - slots:
            return TOO_FAR
    return DONE
