"""Moves of the chase that are judged in a second, apart from the time that programs take for them.

python tests/bench/judge_chase.py [--board NAME] [--chases N]
"""

from __future__ import annotations

import argparse
from time import perf_counter

import numpy as np

from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.judge import losses
from dungeon_tui.games.chase.model.dungeon import read_board

PLIES = 600
ROUNDS = 5


def main() -> None:
    """Judges chases in which both sides wander by chance, and prints the best round's figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", default="thirty-six-rooms")
    parser.add_argument("--chases", type=int, default=1000)
    given = parser.parse_args()
    level = read_board(given.board)
    graph, random = solver.move_graph(level), np.random.default_rng(1)
    sites = np.empty((2, given.chases, PLIES + 1), np.int32)
    sites[..., 0] = random.integers(len(graph), size=(2, given.chases))
    degrees = np.diff(graph.indptr)
    for ply in range(PLIES):
        mover = ply % 2
        at = sites[mover, :, ply]
        sites[:, :, ply + 1] = sites[:, :, ply]
        sites[mover, :, ply + 1] = graph.indices[graph.indptr[at] + random.integers(2**31, size=at.shape) % degrees[at]]
    losses(level, *sites[:, :1])  # solved
    best = float("inf")
    for _ in range(ROUNDS):
        began = perf_counter()
        found = losses(level, *sites)
        best = min(best, perf_counter() - began)
    print(f"{given.board}, {len(graph)} sites: {found.size / best:,.0f} moves a second")


if __name__ == "__main__":
    main()
