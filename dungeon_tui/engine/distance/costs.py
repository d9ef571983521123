"""Distance maps with a cost for each cell, by rolling buckets.

A step costs the cell it leaves, the one nearer the goal. So a cell with a distance has at most two departures: when
its straight steps are paid, and when its diagonal ones are. With departures in order of time the first touch of a cell
is final, so no cell departs more than twice.

Source:
    Robert Dial, "Algorithm 360: shortest-path forest with topological ordering" (1969). A departure waits in the bucket
    of its time, modulo the number of buckets; a bit for each bucket tells which ones hold any.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from dungeon_tui.engine._jit import inlined, kernel
from dungeon_tui.engine.bits import NONE, ONE, lowest_bit
from dungeon_tui.engine.distance.waves import DONE, LARGEST

TOO_FAR = -2
_WALL, _WAITING, _REACHED = 0, 1, 2


class _Grid(NamedTuple):
    """The cells in a border of wall: whether each was reached, its index without the border, and the steps."""

    state: NDArray[np.uint8]
    index_of: NDArray[np.int32]
    steps: NDArray[np.int64]
    distance: NDArray[np.int32]  # flat, without the border


class _Buckets(NamedTuple):
    """Lists of departures: 2 * cell for straight steps, 2 * cell + 1 for diagonal ones."""

    first: NDArray[np.int32]
    after: NDArray[np.int32]  # the next departure; -1: none
    is_used: NDArray[np.uint64]  # a bit for each bucket


@kernel
def cost_distances(
    cost: NDArray[np.uint16], goals: NDArray[np.int64], orthogonal: int, diagonal: int, distance: NDArray[np.int32]
) -> int:
    """Sets the distances, LARGEST if no goal can be reached; takes what cost_distance_map does.

    Returns DONE, TOO_FAR if a distance would be LARGEST or more, or the index of the first goal off the grid or in a
    wall.
    """
    prices, flat = cost.reshape(-1), distance.reshape(-1)
    fresh = np.empty(flat.size, np.int32)  # the cells reached now, at time 0 the goals
    state, index_of, highest, count = _begin(cost, goals, flat, fresh)
    if count < 0:
        return -1 - count
    stride = cost.shape[1] + 2
    steps = np.array([-stride, stride, -1, 1, -stride - 1, -stride + 1, stride - 1, stride + 1])
    grid = _Grid(state, index_of, steps, flat)
    is_even = orthogonal == diagonal  # then one departure serves both kinds of steps
    size = 64
    while size <= highest * max(orthogonal, diagonal):
        size *= 2
    buckets = _Buckets(np.empty(size, np.int32), np.empty(2 * state.size, np.int32), np.zeros(size // 64, np.uint64))
    mask, pending = uint64(size - 1), 0
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
                departure, bucket = cell + cell + uint64(kind), uint64(leaves) & mask
                word, bit = bucket >> uint64(6), ONE << (bucket & uint64(63))
                buckets.after[departure] = buckets.first[bucket] if buckets.is_used[word] & bit else -1
                buckets.first[bucket] = departure
                buckets.is_used[word] |= bit
                pending += 1
        if pending == 0:
            return DONE

        # In the next bucket in use, the departures reach every cell that they touch first.
        now += _until_next(buckets.is_used, (uint64(now) + ONE) & mask)
        gone, count = _reach(grid, buckets, uint64(now) & mask, now, is_even, fresh)
        pending -= gone


@kernel
def _begin(
    cost: NDArray[np.uint16], goals: NDArray[np.int64], distance: NDArray[np.int32], fresh: NDArray[np.int32]
) -> tuple[NDArray[np.uint8], NDArray[np.int32], int, int]:
    """The state and index of every cell, the highest cost, and the number of goals, which go into `fresh`.

    Instead of that number -1 - the index of a wrong goal. Sets all distances.
    """
    height, width = cost.shape
    prices = cost.reshape(-1)
    state = np.zeros((height + 2) * (width + 2), np.uint8)
    index_of = np.empty((height + 2) * (width + 2), np.int32)
    highest: Any = 0
    for row in range(height):
        for col in range(width):
            index = uint64(row * width + col)
            cell = uint64((row + 1) * (width + 2) + col + 1)
            highest = max(highest, np.int64(prices[index]))
            state[cell] = _WAITING if prices[index] else _WALL
            index_of[cell] = index
            distance[index] = LARGEST
    count = 0
    for number in range(goals.shape[0]):
        row, col = goals[number, 0], goals[number, 1]
        if not (0 <= row < height and 0 <= col < width) or cost[row, col] == 0:
            return state, index_of, highest, -1 - number
        goal = (row + 1) * (width + 2) + col + 1
        if state[goal] == _WAITING:
            state[goal] = _REACHED
            distance[row * width + col] = 0
            fresh[count] = goal
            count += 1
    return state, index_of, highest, count


@inlined
def _until_next(is_used: NDArray[np.uint64], bucket: Any) -> Any:
    """The time from the bucket before this one to the next bucket in use."""
    word, last = bucket >> uint64(6), uint64(is_used.size - 1)
    used = is_used[word] >> (bucket & uint64(63))
    if used:
        return 1 + np.int64(lowest_bit(used))
    time: Any = 1 + 64 - np.int64(bucket & uint64(63))
    word = (word + ONE) & last
    while is_used[word] == NONE:
        word = (word + ONE) & last
        time += 64
    return time + np.int64(lowest_bit(is_used[word]))


@inlined
def _reach(
    grid: _Grid, buckets: _Buckets, bucket: Any, now: Any, is_even: bool, fresh: NDArray[np.int32]
) -> tuple[int, int]:
    """Empties a bucket; returns the number of its departures, and of the cells reached, which are in `fresh`."""
    buckets.is_used[bucket >> uint64(6)] ^= ONE << (bucket & uint64(63))
    departure = np.int64(buckets.first[bucket])
    gone, count = 0, NONE
    while departure >= 0:
        gone += 1
        cell = departure >> 1
        way, end = (4, 8) if departure & 1 else (0, 8 if is_even else 4)
        while way < end:
            other = uint64(cell + grid.steps[uint64(way)])
            if grid.state[other] == _WAITING:
                grid.state[other] = _REACHED
                grid.distance[uint64(grid.index_of[other])] = now
                fresh[count] = other
                count += ONE
            way += 1
        departure = np.int64(buckets.after[uint64(departure)])
    return gone, int(np.int64(count))
