"""Distance maps by bitboards: the wave moves through 64 cells at once.

A tile's part of the wave is a word, one step of it a few shifts, and what it spills over its edges goes to the tiles
around. Tiles without a part of the wave cost nothing. The wave has four slots in a tile's record, by the time (mod 4)
at which it leaves its cells; the weight belongs to the cell being left, so what the wave touches first is final.

Source:
    the shifts are those of chess programs, <https://www.chessprogramming.org/Fill_Algorithms>; the slots are the
    buckets of Robert Dial, "Algorithm 360: shortest-path forest with topological ordering" (1969).
"""

# The hot loops' helper takes and gives scalars: passing it the arrays made the loops six times as long.

from __future__ import annotations

from typing import Any

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel
from dungeon_tui.engine.bits import NONE, ONE, lowest_bit
from dungeon_tui.engine.distance.tiles import EAST, OPEN, ORIGIN, RECORD, THRICE, TWICE, WAVE, WEST, read_tiles

DONE = -1

Words = NDArray[np.uint64]


@kernel
def _spread(wave: Any, diagonal: bool) -> Any:
    """Spreads a tile's wave by one step: within it, then into the tiles up, down, left, right, and at the corners."""
    west, east = wave & WEST, wave & EAST
    row = ((wave ^ east) << ONE) | ((wave ^ west) >> ONE)
    if diagonal:
        row |= wave
        return (
            row | (row << uint64(8)) | (row >> uint64(8)),
            row << uint64(56),
            row >> uint64(56),
            (west | (west << uint64(8)) | (west >> uint64(8))) << uint64(7),
            (east | (east << uint64(8)) | (east >> uint64(8))) >> uint64(7),
            wave << uint64(63),
            ((wave >> uint64(7)) & ONE) << uint64(56),
            ((wave >> uint64(56)) & ONE) << uint64(7),
            wave >> uint64(63),
        )
    return (
        row | (wave << uint64(8)) | (wave >> uint64(8)),
        wave << uint64(56),
        wave >> uint64(56),
        west << uint64(7),
        east >> uint64(7),
        NONE,
        NONE,
        NONE,
        NONE,
    )


@kernel
def walking_distances(
    passable: NDArray[np.uint8],
    weights: NDArray[np.uint8],
    goals: NDArray[np.int64],
    diagonal: bool,
    words: Words,
    distance: NDArray[np.int32],
) -> int:
    """Sets what is reached of the distances; returns DONE or the index of the first goal that can't be one."""
    height, width = passable.shape
    flat = distance.reshape(-1)
    stride = (width + 7) // 8 + 1
    tiles = words.size // 8
    read_tiles(passable, weights, words)
    active = np.empty(2 * tiles, np.int32)  # the tiles with a wave now, and those with one next
    down = RECORD * uint64(stride)
    around = (
        NONE, NONE - down, down, NONE - RECORD, RECORD,
        NONE - down - RECORD, RECORD - down, down - RECORD, down + RECORD,
    )  # fmt: skip

    count = 0
    for index in range(goals.shape[0]):
        row, col = goals[index, 0], goals[index, 1]
        if not (0 <= row < height and 0 <= col < width) or weights[passable[row, col]] == 0:
            return index
        tile = uint64((row // 8 + 1) * stride + col // 8 + 1)
        bit = ONE << uint64(8 * (row & 7) + (col & 7))
        if words[tile * RECORD + WAVE] == NONE:
            active[count] = tile
            count += 1
        words[tile * RECORD + WAVE] |= bit
        words[tile * RECORD + OPEN] &= ~bit

    now = np.int32(0)
    here, there = NONE, uint64(tiles)
    slot, later = WAVE, WAVE + ONE
    while count > 0:
        end = there
        for index in range(count):
            record = uint64(active[here + uint64(index)]) * RECORD
            wave = words[record + slot]
            words[record + slot] = NONE
            origin, cells, cell = words[record + ORIGIN], wave, NONE
            while cells:
                for _ in range(8):  # the last one again where there are fewer: cheaper than a branch foreseen wrongly
                    cell = lowest_bit(cells) if cells else cell
                    cells &= cells - ONE
                    flat[origin + (cell >> uint64(3)) * uint64(width) + (cell & uint64(7))] = now
            parts = _spread(wave, diagonal)
            for way in range(9):
                other = record + around[way]
                new = parts[way] & words[other + OPEN]
                if new:
                    words[other + OPEN] ^= new
                    old = words[other + later]
                    words[other + later] = old | new
                    active[end] = other >> uint64(3)
                    end += uint64(old == NONE)
        count = int(np.int64(end - there))
        here, there = there, here
        slot, later = later, slot
        now += np.int32(1)
    return DONE


@kernel
def tunnelling_distances(
    hardness: NDArray[np.uint8],
    weights: NDArray[np.uint8],
    goals: NDArray[np.int64],
    diagonal: bool,
    words: Words,
    distance: NDArray[np.int32],
) -> int:
    """As walking_distances, for weights up to 3."""
    height, width = hardness.shape
    flat = distance.reshape(-1)
    stride = (width + 7) // 8 + 1
    tiles = words.size // 8
    read_tiles(hardness, weights, words)
    active = np.empty(2 * (tiles + 1), np.int32)  # the tiles with a wave in any slot, and those with one next
    down = RECORD * uint64(stride)
    around = (
        NONE, NONE - down, down, NONE - RECORD, RECORD,
        NONE - down - RECORD, RECORD - down, down - RECORD, down + RECORD,
    )  # fmt: skip

    count = 0
    for index in range(goals.shape[0]):
        row, col = goals[index, 0], goals[index, 1]
        if not (0 <= row < height and 0 <= col < width) or weights[hardness[row, col]] == 0:
            return index
        record = uint64((row // 8 + 1) * stride + col // 8 + 1) * RECORD
        bit = ONE << uint64(8 * (row & 7) + (col & 7))
        if words[record + OPEN] & bit:
            words[record + OPEN] ^= bit
            if not (words[record + WAVE + ONE] | words[record + uint64(6)] | words[record + uint64(7)]):
                active[count] = record >> uint64(3)
                count += 1
            words[record + WAVE + uint64(weights[hardness[row, col]])] |= bit

    now = 0
    here, there = NONE, uint64(tiles + 1)
    while count > 0:
        slot = WAVE + (uint64(now) & uint64(3))
        in1 = WAVE + (uint64(now + 1) & uint64(3))
        in2 = WAVE + (uint64(now + 2) & uint64(3))
        in3 = WAVE + (uint64(now + 3) & uint64(3))
        end = there
        for index in range(count):
            tile = uint64(active[here + uint64(index)])
            record = tile * RECORD
            wave = words[record + slot]
            if wave:
                words[record + slot] = NONE
                origin, cells = words[record + ORIGIN], wave
                twice, thrice = words[record + TWICE], words[record + THRICE]
                while cells:
                    cell = lowest_bit(cells)
                    cells &= cells - ONE
                    weight = ONE + ((twice >> cell) & ONE) + (((thrice >> cell) & ONE) << ONE)
                    place = origin + (cell >> uint64(3)) * uint64(width) + (cell & uint64(7))
                    flat[place] = np.int32(now - np.int64(weight))
                parts = _spread(wave, diagonal)
                new = parts[0] & words[record + OPEN]
                new2, new3 = new & twice, new & thrice
                words[record + OPEN] ^= new
                words[record + in1] |= new ^ new2 ^ new3
                words[record + in2] |= new2
                words[record + in3] |= new3
                for way in range(1, 9):
                    other = record + around[way]
                    new = parts[way] & words[other + OPEN]
                    if new:
                        new2, new3 = new & words[other + TWICE], new & words[other + THRICE]
                        old1, old2, old3 = words[other + in1], words[other + in2], words[other + in3]
                        active[end] = other >> uint64(3)
                        end += uint64((words[other + slot] | old1 | old2 | old3) == NONE)
                        words[other + OPEN] ^= new
                        words[other + in1] = old1 | (new ^ new2 ^ new3)
                        words[other + in2] = old2 | new2
                        words[other + in3] = old3 | new3
            active[end] = tile
            end += uint64((words[record + in1] | words[record + in2] | words[record + in3]) != NONE)
        count = int(np.int64(end - there))
        here, there = there, here
        now += 1
    return DONE
