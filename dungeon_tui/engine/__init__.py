"""Numba kernels over arrays; they have never heard of a dungeon.

The public functions check what they are given and name what is wrong with it; their jitted twins compute.
"""

from dungeon_tui.engine.descent import STAY, STEPS, NoPathError, downhill, farthest, path
from dungeon_tui.engine.distance import UNREACHED, WEIGHTS, distance_map, tunnelling_distance_map
from dungeon_tui.engine.graph import fold_graph, graph_distances
from dungeon_tui.engine.grid_dp import (
    MAX_PATH_STATES,
    best_relief,
    count_paths,
    minimum_health,
    minimum_health_path,
    need_table,
)
from dungeon_tui.engine.pursuit import (
    PursuitCancelledError,
    check_safe_positions,
    evader_values,
    safe_positions,
    solve_pursuit,
)
from dungeon_tui.engine.walks import (
    Walk,
    WalkCancelledError,
    cheapest_costs,
    cheapest_walk,
    count_walks,
    first_steps,
)

__all__ = [
    "MAX_PATH_STATES",
    "STAY",
    "STEPS",
    "UNREACHED",
    "WEIGHTS",
    "NoPathError",
    "PursuitCancelledError",
    "Walk",
    "WalkCancelledError",
    "best_relief",
    "cheapest_costs",
    "cheapest_walk",
    "check_safe_positions",
    "count_paths",
    "count_walks",
    "distance_map",
    "downhill",
    "evader_values",
    "farthest",
    "first_steps",
    "fold_graph",
    "graph_distances",
    "minimum_health",
    "minimum_health_path",
    "need_table",
    "path",
    "safe_positions",
    "solve_pursuit",
    "tunnelling_distance_map",
]
