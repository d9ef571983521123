"""The proof that an evader gets away, checked by itself: nothing here is the solver's."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dungeon_tui.engine.pursuit.graph import checked_graph


def check_safe_positions(indptr: ArrayLike, indices: ArrayLike, safe: NDArray[np.bool_]) -> tuple[int, int, int] | None:
    """The first gap in the proof that the evader has an answer for ever, from every position said to be safe.

    It has if no move of the pursuer from a safe position captures, and after each the evader has a move, not onto the
    pursuer, to a safe position again.

    Args:
        indptr: as for solve_pursuit.
        indices: as for solve_pursuit.
        safe: (sites, sites) bool, safe[evader, pursuer], the pursuer to move; as from safe_positions.

    Returns:
        None if the proof holds; else the first (evader, pursuer, pursuer's move) that the evader cannot answer, or
        before all of those (v, v, v) if both on one site v is called safe.

    Raises:
        ValueError: the moves are no graph, as for solve_pursuit, or safe has another shape or type.

    Cost:
        O(sites * moves) time in numpy, O(moves) memory.

    >>> check_safe_positions([0, 1, 2], [0, 1], np.array([[False, True], [True, False]])) is None
    True
    >>> check_safe_positions([0, 2, 4], [0, 1, 0, 1], np.array([[False, True], [False, False]]))
    (0, 1, 0)
    """
    checked_graph(indptr, indices)
    starts, targets = np.asarray(indptr).astype(np.intp), np.asarray(indices).astype(np.intp)
    sites = len(starts) - 1
    if not isinstance(safe, np.ndarray) or safe.dtype != np.bool_ or safe.shape != (sites, sites):
        raise ValueError(f"safe must be a bool array of the shape ({sites}, {sites})")
    over = np.flatnonzero(safe.diagonal())
    if len(over):
        return int(over[0]), int(over[0]), int(over[0])
    movers = np.repeat(np.arange(sites), np.diff(starts))
    for evader in range(sites):
        replies = targets[starts[evader] : starts[evader + 1]]
        answered = np.zeros(sites, np.bool_)  # by the site that the pursuer moves to
        for reply in replies:
            here = safe[reply].copy()
            here[reply] = False
            answered |= here
        answered[evader] = False
        broken = np.flatnonzero(safe[evader, movers] & ~answered[targets])
        if len(broken):
            return evader, int(movers[broken[0]]), int(targets[broken[0]])
    return None
