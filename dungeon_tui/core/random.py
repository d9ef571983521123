"""Random numbers that are the same on every machine and in every version; integers only.

Source:
    Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014): SplitMix64.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

ItemT = TypeVar("ItemT")

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15


class Random:
    """A stream of random numbers. A new one with its `state` as the seed continues it.

    >>> random = Random(1)
    >>> random.below(6), random.below(6)
    (3, 4)
    >>> Random(random.state).word() == random.word()
    True
    """

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def word(self) -> int:
        """The next 64 random bits, as an integer."""
        self.state = (self.state + _GAMMA) & _MASK
        bits = self.state
        bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & _MASK
        return bits ^ (bits >> 31)

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1; uneven by less than bound / 2^64."""
        return (self.word() * bound) >> 64

    def between(self, low: int, high: int) -> int:
        """A number from low to high, inclusive."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[ItemT]) -> ItemT:
        """One of the items, at random."""
        return items[self.below(len(items))]

    def words(self, count: int) -> NDArray[np.uint64]:
        """The next `count` words, as (count,) uint64; faster than `word`, with the same results."""
        steps = np.arange(1, count + 1, dtype=np.uint64)
        bits = steps * np.uint64(_GAMMA) + np.uint64(self.state)
        self.state = (self.state + count * _GAMMA) & _MASK
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return bits ^ (bits >> np.uint64(31))
