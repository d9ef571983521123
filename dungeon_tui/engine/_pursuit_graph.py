"""The graph of a pursuit: what is wrong with it, in words."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Indices = NDArray[np.int32]

MAX_SITES = 5000
"""A graph of more sites is refused: the result grows with their square."""


def pursuit_memory(sites: int) -> int:
    """The bytes that solving a graph of that many sites takes at most, beside 12 for each of its moves.

    Four for each of the sites * sites positions are the result; two bits are sets, one and a half are lists.

    >>> pursuit_memory(5000) // 2**20
    112
    """
    words = (sites + 63) // 64
    sets, lists, spreading = 2 * 8 * sites * words, 12 * sites * (words + 1), 16 * 64 * words**2
    return 4 * sites**2 + sets + lists + spreading


def checked_graph(indptr: ArrayLike, indices: ArrayLike) -> tuple[Indices, Indices]:
    """The moves as contiguous, read-only int32.

    Raises:
        ValueError: they are no graph, or a site has no moves, or there are more sites than MAX_SITES; the message
            names the entry.
    """
    starts, targets = _integers("indptr", indptr), _integers("indices", indices)
    if len(starts) == 0:
        raise ValueError("indptr must have at least one entry, 0")
    sites = len(starts) - 1
    if sites > MAX_SITES:
        needed = pursuit_memory(sites) / 2**20
        raise ValueError(f"{sites} sites are too many: at most {MAX_SITES}; solving them would take {needed:,.0f} MiB")
    if starts[0] != 0:
        raise ValueError(f"indptr[0] must be 0, not {starts[0]}")
    if starts[-1] != len(targets):
        raise ValueError(f"indptr[{sites}] must be the number of indices, {len(targets)}, not {starts[-1]}")
    falling = np.flatnonzero(starts[1:] < starts[:-1])
    if len(falling):
        site = falling[0]
        raise ValueError(f"indptr[{site + 1}] must be at least indptr[{site}], {starts[site]}, not {starts[site + 1]}")
    still = np.flatnonzero(starts[1:] == starts[:-1])
    if len(still):
        raise ValueError(f"site {still[0]} has no moves; one that can only stay has itself")
    if len(targets) and not 0 <= targets.min() <= targets.max() < sites:
        entry = np.flatnonzero((targets < 0) | (targets >= sites))[0]
        raise ValueError(f"indices[{entry}] must be a site from 0 to {sites - 1}, not {targets[entry]}")
    return _frozen(starts), _frozen(targets)


def _integers(name: str, numbers: ArrayLike) -> NDArray[np.integer]:
    """The numbers as an array of one dimension."""
    array = np.asarray(numbers)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not {array.ndim}")
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, not {array.dtype}")
    return array if array.size else array.astype(np.int32)


def _frozen(numbers: NDArray[np.integer]) -> Indices:
    """Contiguous and read-only: one type of array, so that one compiled kernel serves all."""
    view = np.ascontiguousarray(numbers, np.int32).view()
    view.flags.writeable = False
    return view
