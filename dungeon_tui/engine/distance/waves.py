"""Distance maps by bitboards: one word operation moves the wave through 64 cells.

A grid is cut into tiles of 8 x 8 cells, a 64-bit word each; bit 8 * row + col of a word is a cell of the tile. Every
tile has a record of eight words: OPEN, the cells that can be entered and have no distance yet; TWICE and THRICE, those
of weight 2 and 3; ORIGIN, the number of the tile's first cell in the grid; and from WAVE on four for the search. The
border is a dead tile at both ends of a row of tiles (the end of a row is the start of the next) and a dead row above
and below.

A tile's part of the wave is a word, one step of it a few shifts; its overflow goes to the tiles around. Tiles without
a wave cost nothing. The wave has four slots in a tile's record, by the time (mod 4) at which it leaves its cells; the
weight belongs to the cell that it leaves, so the first touch is final.

Source:
    chess programs use the same shifts, <https://www.chessprogramming.org/Fill_Algorithms>; the slots are the
    buckets of Robert Dial, "Algorithm 360: shortest-path forest with topological ordering" (1969).
"""

# The hot loops' helper takes and gives scalars: passing it the arrays made the loops six times as long.

from typing import Any

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from dungeon_tui.engine.bits import NONE, ONE, lowest_bit
from dungeon_tui.engine.jit import kernel, lean_kernel

DONE = -1
LARGEST = 2**31 - 1

Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]

OPEN, TWICE, THRICE, ORIGIN, WAVE = uint64(0), uint64(1), uint64(2), uint64(3), uint64(4)
RECORD = uint64(8)
WEST = uint64(0x0101010101010101)  # the first column of a tile
EAST = uint64(0x8080808080808080)  # and the last
_BYTE = uint64(0xFF)
_WALKING = np.array([0] + [1] * 255, np.uint8)


@kernel
def _tile_records(height: int, width: int) -> Words:
    """Zeros for the records of a grid's tiles, eight words each, with the border."""
    return np.zeros(8 * (((height + 7) // 8 + 2) * ((width + 7) // 8 + 1) + 1), np.uint64)


@kernel
def _read_tiles(hardness: Bytes, weights: Bytes, words: Words) -> None:
    """Sets every record except its waves."""
    height, width = hardness.shape
    flat = hardness.reshape(-1)
    across = (width + 7) // 8
    classes = np.empty(256, np.uint32)  # a byte each for OPEN, TWICE, THRICE, so that eight cells fit side by side
    for index in range(256):
        weight = weights[index]
        classes[index] = (weight > 0) | ((weight == 2) << 8) | ((weight == 3) << 16)
    for tile_row in range((height + 7) // 8):
        rows = min(8, height - 8 * tile_row)
        for tile_col in range(across):
            cols = min(8, width - 8 * tile_col)
            record = uint64((tile_row + 1) * (across + 1) + tile_col + 1) * RECORD
            origin = uint64(8 * tile_row * width + 8 * tile_col)
            every, twice, thrice = NONE, NONE, NONE
            for row in range(rows):
                start = origin + uint64(row * width)
                eight = np.uint32(0)
                if cols == 8:  # unrolled, as the number is known
                    for col in range(8):
                        eight |= classes[flat[start + uint64(col)]] << np.uint32(col)
                else:
                    for col in range(cols):
                        eight |= classes[flat[start + uint64(col)]] << np.uint32(col)
                every |= (uint64(eight) & _BYTE) << uint64(8 * row)
                twice |= ((uint64(eight) >> uint64(8)) & _BYTE) << uint64(8 * row)
                thrice |= ((uint64(eight) >> uint64(16)) & _BYTE) << uint64(8 * row)
            words[record + OPEN] = every
            words[record + TWICE] = twice
            words[record + THRICE] = thrice
            words[record + ORIGIN] = origin


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
def _begin(hardness: Bytes, weights: Bytes, goals: NDArray[np.int64], words: Words, active: NDArray[np.int32]) -> int:
    """Starts the wave at the goals; returns the number of active tiles, or -1 - the index of a wrong goal."""
    height, width = hardness.shape
    _read_tiles(hardness, weights, words)
    count = 0
    for index in range(goals.shape[0]):
        row, col = goals[index, 0], goals[index, 1]
        if not (0 <= row < height and 0 <= col < width) or weights[hardness[row, col]] == 0:
            return -1 - index
        record = uint64((row // 8 + 1) * ((width + 7) // 8 + 1) + col // 8 + 1) * RECORD
        bit = ONE << uint64(8 * (row & 7) + (col & 7))
        if words[record + OPEN] & bit:
            words[record + OPEN] ^= bit
            if not (words[record + WAVE + ONE] | words[record + uint64(6)] | words[record + uint64(7)]):
                active[count] = record >> uint64(3)
                count += 1
            words[record + WAVE + uint64(weights[hardness[row, col]])] |= bit
    return count


@kernel
def _around(width: int) -> Any:
    """Offsets from a tile's record to its own and its eight neighbours', in the order of _spread."""
    down = RECORD * uint64((width + 7) // 8 + 1)
    return (
        NONE, NONE - down, down, NONE - RECORD, RECORD,
        NONE - down - RECORD, RECORD - down, down - RECORD, down + RECORD,
    )  # fmt: skip


@kernel
def walking_distances(
    passable: NDArray[np.bool_], goals: NDArray[np.int64], diagonal: bool, distance: NDArray[np.int32]
) -> int:
    """Sets the distances in steps, LARGEST if no goal can be reached.

    Returns DONE, or the index of the first goal off the grid or in a wall.
    """
    height, width = passable.shape
    flat = distance.reshape(-1)
    flat[:] = LARGEST
    words = _tile_records(height, width)
    tiles = words.size // 8
    active = np.empty(2 * tiles, np.int32)  # tiles with a wave now, then tiles with a wave next
    count = _begin(passable.view(np.uint8), _WALKING, goals, words, active)
    if count < 0:
        return -1 - count
    around = _around(width)
    now = np.int32(0)
    here, there = NONE, uint64(tiles)
    slot, later = WAVE + ONE, WAVE
    while count > 0:
        end = there
        for index in range(count):
            # Set the distances of the tile's part of the wave.
            record = uint64(active[here + uint64(index)]) * RECORD
            wave = words[record + slot]
            words[record + slot] = NONE
            origin, cells, cell = words[record + ORIGIN], wave, NONE
            while cells:
                for _ in range(8):  # fewer: the last one again, cheaper than a mispredicted branch
                    cell = lowest_bit(cells) if cells else cell
                    cells &= cells - ONE
                    flat[origin + (cell >> uint64(3)) * uint64(width) + (cell & uint64(7))] = now
            # Spread it to open cells here and in the tiles around.
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


@lean_kernel
def _leave(flat: NDArray[np.int32], width: int, words: Words, record: int, wave: Any, now: int) -> None:
    """Sets the distances of the cells that a wave leaves now: it reached them their weights earlier."""
    origin, twice, thrice = words[record + ORIGIN], words[record + TWICE], words[record + THRICE]
    while wave:
        cell = lowest_bit(wave)
        wave &= wave - ONE
        weight = ONE + ((twice >> cell) & ONE) + (((thrice >> cell) & ONE) << ONE)
        at = origin + (cell >> uint64(3)) * uint64(width) + (cell & uint64(7))
        flat[at] = np.int32(now - np.int64(weight))


@kernel
def tunnelling_distances(
    hardness: Bytes, weights: Bytes, goals: NDArray[np.int64], diagonal: bool, distance: NDArray[np.int32]
) -> int:
    """Sets the distances for weights up to 3, as walking_distances does."""
    height, width = hardness.shape
    flat = distance.reshape(-1)
    flat[:] = LARGEST
    words = _tile_records(height, width)
    tiles = words.size // 8
    active = np.empty(2 * (tiles + 1), np.int32)  # tiles with a wave in any slot, then tiles with a wave next
    count = _begin(hardness, weights, goals, words, active)
    if count < 0:
        return -1 - count
    around = _around(width)
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
                twice, thrice = words[record + TWICE], words[record + THRICE]
                _leave(flat, width, words, record, wave, now)

                # Within the tile, each new cell waits in the slot of its weight.
                parts = _spread(wave, diagonal)
                new = parts[0] & words[record + OPEN]
                new2, new3 = new & twice, new & thrice
                words[record + OPEN] ^= new
                words[record + in1] |= new ^ new2 ^ new3
                words[record + in2] |= new2
                words[record + in3] |= new3

                # So do new cells in the tiles around, which become active.
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
