"""Sets as bits of machine words."""

from typing import Any

from numba import uint64
from numba.cpython.unsafe.numbers import trailing_zeros

NONE: Any = uint64(0)
ONE: Any = uint64(1)

lowest_bit: Any = trailing_zeros
"""The number of the lowest bit that is set in a word other than 0; for kernels only."""
