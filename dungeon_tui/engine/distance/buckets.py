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
LARGEST = np.int32(2**31 - 1)


@kernel
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
    reached = np.full(size, LARGEST, np.int32)
    heaviest = 1
    for row in range(height):
        for col in range(width):
            w = weights[hardness[row, col]]
            weight[(row + 1) * stride + col + 1] = w
            heaviest = max(heaviest, int(w))

    ways = 8 if diagonal else 4
    step = np.array([-stride, stride, -1, 1, -stride - 1, -stride + 1, stride - 1, stride + 1])
    slots = heaviest + 1
    first = np.full(slots, -1, np.int32)  # of each bucket's cells
    after = np.empty(size, np.int32)  # the next cell in the same bucket
    pending = 0

    for index in range(goals.shape[0]):
        row, col = goals[index, 0], goals[index, 1]
        if not (0 <= row < height and 0 <= col < width) or weights[hardness[row, col]] == 0:
            return index
        cell = (row + 1) * stride + col + 1
        if weight[cell] != 0:
            slot = int(weight[cell])
            after[cell], first[slot] = first[slot], cell
            weight[cell] = 0
            reached[cell] = 0
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
                    reached[other] = now
                    later = slot + w if slot + w < slots else slot + w - slots
                    after[other], first[later] = first[later], other
                    pending += 1
            cell = after[cell]
        now += 1
        slot = (slot + 1) % slots
        if now >= LARGEST - slots:
            return TOO_FAR
    for row in range(height):
        for col in range(width):
            distance[row, col] = reached[(row + 1) * stride + col + 1]
    return DONE
