"""A grid cut into tiles of 8 x 8 cells, a 64-bit word each.

Bit 8 * row + col of a word is a cell of the tile. Every tile has a record of eight words: OPEN, the cells that can be
entered and have no distance yet; TWICE and THRICE, those of weight 2 and 3; ORIGIN, the number of the tile's first cell
in the grid; and from WAVE on four for the search. A dead tile at both ends of a row of tiles (the end of one is the
start of the next) and a dead row above and below make a border.
"""

from __future__ import annotations

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel
from dungeon_tui.engine.bits import NONE

OPEN, TWICE, THRICE, ORIGIN, WAVE = uint64(0), uint64(1), uint64(2), uint64(3), uint64(4)
RECORD = uint64(8)
WEST = uint64(0x0101010101010101)  # the first column of a tile
EAST = uint64(0x8080808080808080)  # and the last
_BYTE = uint64(0xFF)


def no_tiles(shape: tuple[int, ...]) -> NDArray[np.uint64]:
    """Room for the records of a grid's tiles, the dead ones included."""
    height, width = shape
    return np.zeros(8 * (((height + 7) // 8 + 2) * ((width + 7) // 8 + 1) + 1), np.uint64)


@kernel
def read_tiles(hardness: NDArray[np.uint8], weights: NDArray[np.uint8], words: NDArray[np.uint64]) -> None:
    """Sets all but the waves of every record."""
    height, width = hardness.shape
    flat = hardness.reshape(-1)
    across = (width + 7) // 8
    classes = np.empty(256, np.uint32)  # a byte each for OPEN, TWICE, THRICE: eight cells go beside one another
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
