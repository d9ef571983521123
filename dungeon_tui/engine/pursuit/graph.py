"""The graph of a pursuit: what is wrong with it, in words."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dungeon_tui.engine._rows import Indices, checked_rows

MAX_SITES = 5000
"""A graph of more sites is refused: the result grows with their square."""


def pursuit_memory(sites: int) -> int:
    """The bytes that solving a graph of that many sites takes at most, beside 12 for each of its moves.

    Four for each of the sites * sites positions are the result; two bits are sets, one and a half are lists.

    >>> pursuit_memory(5000) // 2**20
    105
    """
    words = (sites + 63) // 64
    sets, lists = 2 * 8 * sites * words, 12 * sites * (words + 1)
    return 4 * sites**2 + sets + lists


def checked_graph(indptr: ArrayLike, indices: ArrayLike) -> tuple[Indices, Indices]:
    """The moves as contiguous, read-only int32.

    Raises:
        ValueError: they are no graph, or a site has no moves, or there are more sites than MAX_SITES; the message
            names the entry.
    """
    starts, targets = checked_rows(indptr, indices, "site")
    sites = len(starts) - 1
    if sites > MAX_SITES:
        needed = pursuit_memory(sites) / 2**20
        raise ValueError(f"{sites} sites are too many: at most {MAX_SITES}; solving them would take {needed:,.0f} MiB")
    still = np.flatnonzero(starts[1:] == starts[:-1])
    if len(still):
        raise ValueError(f"site {still[0]} has no moves; one that can only stay has itself")
    return starts, targets
