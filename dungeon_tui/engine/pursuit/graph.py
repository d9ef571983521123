"""The graph of a pursuit."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dungeon_tui.engine._rows import Indices, checked_rows

Moves = NDArray[np.int32]

MAX_SITES = 5000
"""A graph of more sites is refused: the result grows with their square, here to 105 MiB."""


def checked_graph(indptr: ArrayLike, indices: ArrayLike) -> tuple[Indices, Indices]:
    """The moves as contiguous, read-only int32.

    Raises ValueError, which names the entry, for bad or too large graphs.
    """
    starts, targets = checked_rows(indptr, indices, "site")
    sites = len(starts) - 1
    if sites > MAX_SITES:
        raise ValueError(f"{sites} sites are too many: at most {MAX_SITES}, whose solution takes 105 MiB")
    still = np.flatnonzero(starts[1:] == starts[:-1])
    if len(still):
        raise ValueError(f"site {still[0]} has no moves; a site where you can only stay must list itself")
    return starts, targets
