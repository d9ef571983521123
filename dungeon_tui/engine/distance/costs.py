"""Distance maps with a cost for each cell, by rolling buckets.

A step costs the cell it leaves, the one nearer the goal. So a cell with a distance has at most two departures: when
its straight steps are paid, and when its diagonal ones are. With departures in order of time the first touch of a cell
is final, so no cell departs more than twice.

Source:
    Robert Dial, "Algorithm 360: shortest-path forest with topological ordering" (1969). A departure waits in the bucket
    of its time, modulo the number of buckets; a bit for each bucket tells which ones hold any.
"""

from typing import Any

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel
from dungeon_tui.engine.bits import NONE, ONE, lowest_bit
from dungeon_tui.engine.distance.waves import DONE, LARGEST

TOO_FAR = -2
_WALL, _WAITING, _REACHED = 0, 1, 2


@kernel
def cost_distances(
    cost: NDArray[np.uint16], goals: NDArray[np.int64], orthogonal: int, diagonal: int, distance: NDArray[np.int32]
) -> int:
    """Sets the distances, LARGEST if no goal can be reached; takes what cost_distance_map does.

    Returns DONE, TOO_FAR if a distance would be LARGEST or more, or the index of the first goal off the grid or on cost
    0.
    """
    height, width = cost.shape
    prices, flat = cost.reshape(-1), distance.reshape(-1)
    stride = width + 2
    state = np.zeros((height + 2) * stride, np.uint8)  # in a border of wall
    index_of = np.empty((height + 2) * stride, np.int32)  # the cell's index without the border
    highest: Any = 0
    for row in range(height):
        for col in range(width):
            index = uint64(row * width + col)
            cell = uint64((row + 1) * stride + col + 1)
            highest = max(highest, np.int64(prices[index]))
            state[cell] = _WAITING if prices[index] else _WALL
            index_of[cell] = index
            flat[index] = LARGEST
    is_even = orthogonal == diagonal  # then one departure serves both kinds of steps
    steps = np.array([-stride, stride, -1, 1, -stride - 1, -stride + 1, stride - 1, stride + 1])

    # A bucket is a list of departures: 2 * cell for straight steps, 2 * cell + 1 for diagonal ones.
    buckets = 64
    while buckets <= highest * max(orthogonal, diagonal):
        buckets *= 2
    mask = uint64(buckets - 1)
    first = np.empty(buckets, np.int32)
    is_used = np.zeros(buckets // 64, np.uint64)
    after = np.empty(2 * state.size, np.int32)
    pending = 0

    # `fresh` holds the cells reached now, whose departures are to be noted; at time 0, the goals.
    fresh = np.empty(height * width, np.int32)
    count = NONE
    for index in range(goals.shape[0]):
        row, col = goals[index, 0], goals[index, 1]
        if not (0 <= row < height and 0 <= col < width) or cost[row, col] == 0:
            return index
        cell = uint64((row + 1) * stride + col + 1)
        if state[cell] == _WAITING:
            state[cell] = _REACHED
            distance[row, col] = 0
            fresh[count] = cell
            count += ONE

    now: Any = 0
    while True:
        # Note the departures of the cells reached now.
        for index in range(count):
            cell = uint64(fresh[uint64(index)])
            for kind in range(1 if is_even else 2):
                factor = diagonal if kind else orthogonal
                if factor == 0:
                    continue
                leaves = now + factor * np.int64(prices[uint64(index_of[cell])])
                if leaves >= LARGEST:
                    return TOO_FAR
                departure = cell + cell + uint64(kind)
                bucket = uint64(leaves) & mask
                word, bit = bucket >> uint64(6), ONE << (bucket & uint64(63))
                after[departure] = first[bucket] if is_used[word] & bit else -1
                first[bucket] = departure
                is_used[word] |= bit
                pending += 1
        count = NONE
        if pending == 0:
            return DONE

        # Go to the next bucket in use.
        bucket = (uint64(now) + ONE) & mask
        word = bucket >> uint64(6)
        used = is_used[word] >> (bucket & uint64(63))
        if used:
            now += 1 + np.int64(lowest_bit(used))
        else:
            now += 1 + 64 - np.int64(bucket & uint64(63))
            word = (word + ONE) & (mask >> uint64(6))
            while is_used[word] == NONE:
                word = (word + ONE) & (mask >> uint64(6))
                now += 64
            now += np.int64(lowest_bit(is_used[word]))

        # Its departures reach every cell that they touch first.
        bucket = uint64(now) & mask
        is_used[bucket >> uint64(6)] ^= ONE << (bucket & uint64(63))
        departure = np.int64(first[bucket])
        while departure >= 0:
            pending -= 1
            cell = departure >> 1
            way, end = (4, 8) if departure & 1 else (0, 8 if is_even else 4)
            while way < end:
                other = uint64(cell + steps[uint64(way)])
                if state[other] == _WAITING:
                    state[other] = _REACHED
                    flat[uint64(index_of[other])] = now
                    fresh[count] = other
                    count += ONE
                way += 1
            departure = np.int64(after[uint64(departure)])
