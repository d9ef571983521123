"""Numba kernels over arrays; they have never heard of a dungeon.

The public functions check what they are given and name what is wrong with it; their jitted twins compute.
A family is loaded with the first of its names that is asked for, numba with it: importing the engine loads nothing.
"""

# mypy: implicit-reexport
# ruff: noqa: F401

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
        safe_positions,
        solve_pursuit,
    )
    from dungeon_tui.engine.walks import (
        CheapestWalk,
        WalkProblem,
        cheapest_costs,
        cheapest_walk,
        count_walks,
        first_steps,
    )

_FAMILIES = {
    "descent": "STAY STEPS NoPathError downhill farthest path",
    "distance": "UNREACHED WEIGHTS distance_map tunnelling_distance_map",
    "graph": "fold_graph graph_distances",
    "grid_dp": "MAX_PATH_STATES best_relief count_paths minimum_health minimum_health_path need_table",
    "pursuit": "PursuitCancelledError check_safe_positions safe_positions solve_pursuit",
    "walks": "CheapestWalk WalkProblem cheapest_costs cheapest_walk count_walks first_steps",
}


def __getattr__(name: str) -> Any:
    """The function or constant of this name, loaded now with the module that has it; AttributeError if none has."""
    for family, names in _FAMILIES.items():
        if name in names.split():
            found = globals()[name] = getattr(import_module(f"{__name__}.{family}"), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
