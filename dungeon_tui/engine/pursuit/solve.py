"""The values of a pursuit."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dungeon_tui.engine.distance.maps import UNREACHED
from dungeon_tui.engine.pursuit.graph import Moves, checked_graph
from dungeon_tui.engine.pursuit.layers import first_sets, laid_out, run_layers


def solve_pursuit(indptr: ArrayLike, indices: ArrayLike) -> Moves:
    """The moves that the pursuer needs from every position under perfect play.

    Both stand on sites and move in turn along the edges, the pursuer first. The game ends when they share a site, after
    either's move. Staying is a move if a site lists itself.

    Args:
        indptr: (sites + 1,) integers: from site v moves lead to indices[indptr[v] : indptr[v + 1]], at least one.
        indices: (moves,) integers from 0 to sites - 1; moves may lead one way only.

    Returns:
        (sites, sites) int32, moves[evader, pursuer] with the pursuer to move: its moves up to and including the
        capture; 0 on the diagonal; UNREACHED if the evader is never caught. If the evader steps onto the pursuer, that
        adds none.

    Raises:
        ValueError: indptr and indices are no graph (the message names the entry), a site has no moves, or there are
            more than MAX_SITES sites.

    Cost:
        O(sites * moves) time; about 4.4 bytes for each of the sites * sites positions, and 12 for each move.

    Source:
        Richard Nowakowski and Peter Winkler, "Vertex-to-vertex pursuit in a graph" (1983), for the game; the solution
        is the usual backward induction: a position is lost for the evader once all its moves are.

    >>> solve_pursuit([0, 2, 5, 7], [0, 1, 0, 1, 2, 1, 2]).tolist()  # three sites in a row
    [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    """
    starts, targets = checked_graph(indptr, indices)
    sites = len(starts) - 1
    moves = np.full((sites, sites), UNREACHED, np.int32)
    np.fill_diagonal(moves, 0)
    run_layers(laid_out(starts, targets), first_sets(sites), moves.reshape(-1))
    return moves
