"""Compiles every kernel before a player needs it; KERNELS has one line for each."""

from collections.abc import Callable, Mapping
from threading import Event
from types import MappingProxyType

import numpy as np

from dungeon_tui.engine.descent import downhill, path, path_to
from dungeon_tui.engine.distance.maps import distance_map, distance_maps, flee_map, tunnelling_distance_map
from dungeon_tui.engine.graph import fold_graph, graph_distances
from dungeon_tui.engine.grid_dp.health import minimum_health, minimum_health_path, need_table
from dungeon_tui.engine.pursuit.solve import solve_pursuit
from dungeon_tui.engine.sight import field_of_view
from dungeon_tui.engine.walks import WalkProblem, cheapest_walk

Progress = Callable[[int, int, str], None]
_OPEN = np.ones((2, 3), np.bool_)
_ROCK = np.zeros((2, 3), np.uint8)
_CORNER = np.zeros((1, 2), np.int64)
_SLOPE = np.arange(6, dtype=np.int32).reshape(2, 3)
_PAIR = np.array([0, 2, 4]), np.array([0, 1, 0, 1])  # two sites, and all moves between them
_THREE = WalkProblem([0, 1, 3, 4], [1, 0, 2, 1], start=1)  # nodes in a row, begun in the middle

KERNELS: MappingProxyType[str, Callable[[], object]] = MappingProxyType(
    {
        "tunnelling distances": lambda: tunnelling_distance_map(_ROCK, _CORNER),  # a delve that opens does the walking
        "walking distances": lambda: distance_map(_OPEN, _CORNER),
        "downhill": lambda: downhill(_SLOPE),
        "flee maps": lambda: flee_map(_OPEN, _CORNER),
        "tunnelling distances, any weights": lambda: tunnelling_distance_map(_ROCK, _CORNER, weights="div60"),
        "path": lambda: path(_SLOPE, (1, 2)),
        "path in one call": lambda: path_to(_OPEN, (0, 0), (1, 2)),
        "walking distances, large maps": lambda: distance_map(np.ones((1, 40_001), np.bool_), _CORNER),
        "least health, with path": lambda: minimum_health_path(_SLOPE),
        "least health of every cell": lambda: need_table(_SLOPE),
        "distances over a graph": lambda: graph_distances([0, 1], [0], 0),
        "walks over maps": lambda: cheapest_walk(_THREE, method="frontier"),
        "folds of a graph": lambda: fold_graph([0, 1], [0]),
        "pursuit": lambda: solve_pursuit(*_PAIR),
        "least health": lambda: minimum_health(_SLOPE),
        "field of view": lambda: field_of_view(_OPEN, (0, 0), radius=1),
        "many maps": lambda: distance_maps(_OPEN, [_CORNER]),
    }
)
"""By name, those first that a player needs first: compiles a kernel by running it on a tiny input."""


def warm_up(
    progress: Progress | None = None,
    stop: Event | None = None,
    more: Mapping[str, Callable[[], object]] | None = None,
    first: str = "",
) -> bool:
    """Compiles every kernel by running it once, in the calling thread; takes ten seconds, or 0.3 if all are cached.

    `progress` gets the kernels done, their number, and the name of the next, "ready" at the end. `stop` ends it before
    the next kernel. `more` are the games' kernels by name, which run after the engine's, except `first`. True if all
    have run.
    """
    kernels = dict(sorted({**KERNELS, **(more or {})}.items(), key=lambda kernel: kernel[0] != first))
    for done, (name, run) in enumerate(kernels.items()):
        if stop is not None and stop.is_set():
            return False
        if progress is not None:
            progress(done, len(kernels), name)
        run()
    if progress is not None:
        progress(len(kernels), len(kernels), "ready")
    return True
