"""Numba kernels over arrays; they have never heard of a dungeon.

The public functions check what they are given and name what is wrong with it; their jitted twins compute.
"""

from dungeon_tui.engine.descent import STAY, STEPS, NoPathError, downhill, farthest, path
from dungeon_tui.engine.distance import UNREACHED, WEIGHTS, distance_map, tunnelling_distance_map
from dungeon_tui.engine.graph import fold_graph, graph_distances
from dungeon_tui.engine.pursuit import (
    PursuitCancelledError,
    check_safe_positions,
    evader_values,
    safe_positions,
    solve_pursuit,
)

__all__ = [
    "STAY",
    "STEPS",
    "UNREACHED",
    "WEIGHTS",
    "NoPathError",
    "PursuitCancelledError",
    "check_safe_positions",
    "distance_map",
    "downhill",
    "evader_values",
    "farthest",
    "fold_graph",
    "graph_distances",
    "path",
    "safe_positions",
    "solve_pursuit",
    "tunnelling_distance_map",
]
