"""A grid cut into tiles of 8 x 8 cells, a 64-bit word each, and back into rows.

Bit 8 * row + col of a word is a cell of the tile. Every tile has a record of eight words: OPEN, the cells that can be
entered and have no distance yet; ALL, those that could at the start; TWICE and THRICE, those of weight 2 and 3; and
from WAVE on four for the search. A dead tile at both ends of a row of tiles (the end of one is the start of the next)
and a dead row above and below make a border.
"""

from __future__ import annotations

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel

OPEN, ALL, TWICE, THRICE, WAVE = uint64(0), uint64(1), uint64(2), uint64(3), uint64(4)
NONE, ONE, RECORD, CELLS = uint64(0), uint64(1), uint64(8), uint64(64)
WEST = uint64(0x0101010101010101)  # the first column of a tile
EAST = uint64(0x8080808080808080)  # and the last
_LOW = uint64(0x7F7F7F7F7F7F7F7F)
_BYTES_TO_BITS = uint64(0x0102040810204080)  # times eight bytes of 0 or 1: their bits in the highest byte
_BYTE = uint64(0xFF)
_UNREACHED = np.int32(2**31 - 1)


def tile_count(shape: tuple[int, ...]) -> int:
    """How many records a grid needs, the dead ones included."""
    height, width = shape
    return ((height + 7) // 8 + 2) * ((width + 7) // 8 + 1) + 1


@kernel
def read_passable(passable: NDArray[np.uint8], words: NDArray[np.uint64]) -> None:
    """Sets OPEN and ALL of every record."""
    height, width = passable.shape
    flat = passable.reshape(-1)
    across = (width + 7) // 8
    for tile_row in range((height + 7) // 8):
        rows = min(8, height - 8 * tile_row)
        for tile_col in range(across):
            cols = min(8, width - 8 * tile_col)
            bits = NONE
            for row in range(rows):
                start = uint64((8 * tile_row + row) * width + 8 * tile_col)
                eight = NONE
                if cols == 8:
                    for col in range(8):
                        eight |= uint64(flat[start + uint64(col)]) << uint64(8 * col)
                else:
                    for col in range(cols):
                        eight |= uint64(flat[start + uint64(col)]) << uint64(8 * col)
                eight = ((((eight & _LOW) + _LOW) | eight) >> uint64(7)) & WEST  # any byte but 0 becomes 1
                bits |= ((eight * _BYTES_TO_BITS) >> uint64(56)) << uint64(8 * row)
            record = uint64((tile_row + 1) * (across + 1) + tile_col + 1) * RECORD
            words[record + OPEN] = bits
            words[record + ALL] = bits


@kernel
def read_hardness(hardness: NDArray[np.uint8], weights: NDArray[np.uint8], words: NDArray[np.uint64]) -> None:
    """Sets OPEN, ALL, TWICE and THRICE of every record."""
    height, width = hardness.shape
    flat = hardness.reshape(-1)
    across = (width + 7) // 8
    classes = np.zeros(256, np.uint32)  # a byte each for ALL, TWICE, THRICE: eight cells go beside one another
    for index in range(256):
        weight = weights[index]
        classes[index] = (weight > 0) | ((weight == 2) << 8) | ((weight == 3) << 16)
    for tile_row in range((height + 7) // 8):
        rows = min(8, height - 8 * tile_row)
        for tile_col in range(across):
            cols = min(8, width - 8 * tile_col)
            record = uint64((tile_row + 1) * (across + 1) + tile_col + 1) * RECORD
            every, twice, thrice = NONE, NONE, NONE
            for row in range(rows):
                start = uint64((8 * tile_row + row) * width + 8 * tile_col)
                eight = np.uint32(0)
                if cols == 8:
                    for col in range(8):
                        eight |= classes[flat[start + uint64(col)]] << np.uint32(col)
                else:
                    for col in range(cols):
                        eight |= classes[flat[start + uint64(col)]] << np.uint32(col)
                every |= (uint64(eight) & _BYTE) << uint64(8 * row)
                twice |= ((uint64(eight) >> uint64(8)) & _BYTE) << uint64(8 * row)
                thrice |= ((uint64(eight) >> uint64(16)) & _BYTE) << uint64(8 * row)
            words[record + OPEN] = every
            words[record + ALL] = every
            words[record + TWICE] = twice
            words[record + THRICE] = thrice


@kernel
def write_distances(
    words: NDArray[np.uint64], times: NDArray[np.generic], weighted: bool, distance: NDArray[np.int32]
) -> None:
    """Puts the times, less the cells' own weights where those count, from the tiles into rows."""
    height, width = distance.shape
    flat = distance.reshape(-1)
    across = (width + 7) // 8
    for tile_row in range((height + 7) // 8):
        rows = min(8, height - 8 * tile_row)
        for tile_col in range(across):
            cols = min(8, width - 8 * tile_col)
            tile = uint64((tile_row + 1) * (across + 1) + tile_col + 1)
            record, first = tile * RECORD, tile * CELLS
            reached = words[record + ALL] & ~words[record + OPEN]
            twice, thrice = words[record + TWICE], words[record + THRICE]
            for row in range(rows):
                start = uint64((8 * tile_row + row) * width + 8 * tile_col)
                for col in range(8):
                    if cols == 8 or col < cols:
                        bit = uint64(8 * row + col)
                        time = np.int32(times[first + bit])
                        if weighted:
                            time -= np.int32(1 + ((twice >> bit) & ONE) + 2 * ((thrice >> bit) & ONE))
                        flat[start + uint64(col)] = time if (reached >> bit) & ONE else _UNREACHED
