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

from dungeon_tui.engine.bits import NONE, ONE, lowest_bit
from dungeon_tui.engine.distance.waves import DONE, LARGEST
from dungeon_tui.engine.jit import inlined, kernel

TOO_FAR = -2
_WALL = -1


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
    height, width = cost.shape
    stride = width + 2
    prices = np.zeros((height + 2) * stride, np.uint16)
    reached = np.full((height + 2) * stride, _WALL, np.int32)
    highest: Any = 0
    for row in range(height):
        for col in range(width):
            cell, price = uint64((row + 1) * stride + col + 1), cost[row, col]
            if price:
                prices[cell], reached[cell], highest = price, LARGEST, max(highest, np.int64(price))
    fresh, count = np.empty(height * width, np.int32), 0  # the cells reached now, at time 0 the goals
    for number in range(goals.shape[0]):
        row, col = goals[number, 0], goals[number, 1]
        if not (0 <= row < height and 0 <= col < width) or cost[row, col] == 0:
            return number
        goal = (row + 1) * stride + col + 1
        if reached[goal]:
            reached[goal], fresh[count] = 0, goal
            count += 1

    steps = np.array([-stride, stride, -1, 1, -stride - 1, -stride + 1, stride - 1, stride + 1])
    is_even = orthogonal == diagonal  # then one departure serves both kinds of steps
    size = 64
    while size <= highest * max(orthogonal, diagonal):
        size *= 2
    buckets = _Buckets(np.empty(size, np.int32), np.empty(2 * reached.size, np.int32), np.zeros(size // 64, np.uint64))
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
                leaves = now + factor * np.int64(prices[cell])
                if leaves >= LARGEST:
                    return TOO_FAR
                departure, bucket = cell + cell + uint64(kind), uint64(leaves) & mask
                word, bit = bucket >> uint64(6), ONE << (bucket & uint64(63))
                buckets.after[departure] = buckets.first[bucket] if buckets.is_used[word] & bit else -1
                buckets.first[bucket] = departure
                buckets.is_used[word] |= bit
                pending += 1
        if pending == 0:
            break

        # In the next bucket in use, the departures reach every cell that they touch first.
        now += _until_next(buckets.is_used, (uint64(now) + ONE) & mask)
        gone, count = _reach(reached, steps, buckets, uint64(now) & mask, now, is_even, fresh)
        pending -= gone

    for row in range(height):
        for col in range(width):
            found = reached[uint64((row + 1) * stride + col + 1)]
            distance[row, col] = LARGEST if found == _WALL else found
    return DONE


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
    distance: NDArray[np.int32], steps: NDArray[np.int64], buckets: _Buckets, bucket: Any, now: Any, is_even: bool,
    fresh: NDArray[np.int32],
) -> tuple[int, int]:  # fmt: skip
    """Empties a bucket; returns the number of its departures, and of the cells reached, which are in `fresh`."""
    buckets.is_used[bucket >> uint64(6)] ^= ONE << (bucket & uint64(63))
    departure = np.int64(buckets.first[bucket])
    gone, count = 0, NONE
    while departure >= 0:
        gone += 1
        cell = departure >> 1
        way, end = (4, 8) if departure & 1 else (0, 8 if is_even else 4)
        while way < end:
            other = uint64(cell + steps[uint64(way)])
            if distance[other] == LARGEST:
                distance[other] = now
                fresh[count] = other
                count += ONE
            way += 1
        departure = np.int64(buckets.after[uint64(departure)])
    return gone, int(np.int64(count))
