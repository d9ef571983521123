"""Numba kernels over arrays, independent of the games.

The public functions check their arguments and name the first fault; compiled twins compute. Importing the engine loads
nothing: the first use of a name loads its module, and numba.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_MODULES = {
    "descent": "STAY STEPS NoPathError downhill farthest path path_to",
    "distance.maps": "UNREACHED WEIGHTS cost_distance_map distance_map distance_maps flee_map tunnelling_distance_map",
    "graph": "fold_graph graph_distances",
    "grid_dp.health": "minimum_health minimum_health_path need_table",
    "pursuit.solve": "solve_pursuit",
    "sight": "field_of_view",
    "walks.answers": "CheapestWalk cheapest_costs cheapest_walk count_walks first_steps",
    "walks.problem": "WalkProblem",
}

__all__ = sorted(" ".join(_MODULES.values()).split())


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names.split():
            found = globals()[name] = getattr(import_module(f"{__name__}.{module}"), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
