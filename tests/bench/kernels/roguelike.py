"""Contests of what a roguelike calls each turn on rooms of 80 x 21, 80 x 50 and 512 x 512 cells, against tcod."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from dungeon_tui.engine import (
    UNREACHED,
    cost_distance_map,
    distance_map,
    distance_maps,
    field_of_view,
    flee_map,
    path,
    path_to,
)
from tests.bench.kernels.distance import cpp_queue, rooms
from tests.bench.kernels.race import OURS, Contest, agreed

FIRST = """import numpy as np
from dungeon_tui.engine import distance_map
distance_map(np.ones((21, 80), bool), [(3, 4)])"""
STEPS = 10  # of the path that both find
MAPS = 50  # of one dungeon at once


def contests(quick: bool) -> Iterator[Contest]:
    """A start; walking maps, many at once, flee maps, maps by costs, fields of view, and a path of ten steps."""
    starts = {OURS: FIRST, "import numba": "import numba"}
    yield Contest("the engine's import and first map", "cached", {name: _started(run) for name, run in starts.items()})
    with suppress(ImportError):
        tcod, fov = import_module("tcod.path"), import_module("tcod.map")
        for height, width in ((21, 80), (50, 80), (512, 512)):
            yield from _contests(tcod, fov, height, width)


def _started(script: str) -> Callable[[], object]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return lambda: subprocess.run([sys.executable, "-c", script], check=True, env=environment, capture_output=True)


def _contests(tcod: Any, fov: Any, height: int, width: int) -> Iterator[Contest]:
    passable = rooms(height, width)
    goal = np.argwhere(passable)[len(np.argwhere(passable)) // 2][None]
    start, case = (int(goal[0, 0]), int(goal[0, 1])), f"rooms {height} x {width}"
    cost = passable.astype(np.int32)
    field = distance_map(passable, goal)

    def dijkstra(weight: Any, cardinal: int, diagonal: int, root: tuple[int, int] = start) -> Any:
        distance = tcod.maxarray(weight.shape, dtype=np.int32)
        distance[root] = 0
        return tcod.dijkstra2d(distance, weight, cardinal, diagonal, out=distance)

    def pathfinder() -> Any:
        finder = tcod.Pathfinder(tcod.SimpleGraph(cost=cost, cardinal=1, diagonal=1))
        finder.add_root(start)
        finder.resolve()
        return finder.distance

    def flee() -> Any:
        distance = dijkstra(cost, 1, 1)
        reached = distance != UNREACHED
        distance[reached] = (distance[reached] * -1.2).astype(np.int32)
        return tcod.dijkstra2d(distance, cost, 1, 1, out=distance)

    runs = {OURS: partial(distance_map, passable, goal), "dijkstra2d": partial(dijkstra, cost, 1, 1)}
    runs = dict(agreed(runs | {"Pathfinder": pathfinder}))
    yield Contest("walking", case, runs | cpp_queue("walking", (passable,), goal, field), passable.size)

    sets = np.argwhere(field != UNREACHED)[:: np.count_nonzero(field != UNREACHED) // MAPS, None][:MAPS]
    runs = {
        OURS: partial(distance_maps, passable, sets, out=np.empty((MAPS, height, width), np.int32)),
        "distance_map, 50 times": lambda: [distance_map(passable, g) for g in sets],
    }
    runs |= {"dijkstra2d": lambda: [dijkstra(cost, 1, 1, tuple(g[0])) for g in sets]}
    yield Contest(f"{MAPS} walking maps", case, agreed(runs), MAPS * passable.size)

    runs = {OURS: partial(flee_map, passable, goal), "dijkstra2d": flee}
    yield Contest("flee map", case, agreed(runs), passable.size)

    swamp = np.where(passable, np.random.default_rng(1).integers(1, 9, passable.shape), 0)
    ours = partial(cost_distance_map, swamp.astype(np.uint8), goal, orthogonal=2, diagonal=3)
    runs = {OURS: ours, "dijkstra2d": partial(dijkstra, swamp.astype(np.int32), 2, 3)}
    yield Contest("costs", case, runs, passable.size)

    symmetric = import_module("tcod.constants").FOV_SYMMETRIC_SHADOWCAST
    runs = {OURS: partial(field_of_view, passable, start)}
    runs["compute_fov"] = partial(fov.compute_fov, passable, start, algorithm=symmetric)
    yield Contest("field of view", case, runs)

    far = tuple(map(int, np.argwhere(field == STEPS)[0]))

    def way() -> Any:
        finder = tcod.Pathfinder(tcod.SimpleGraph(cost=cost, cardinal=1, diagonal=1))
        finder.add_root(start)
        return finder.path_to(far)

    def one_call() -> Any:
        return tcod.path2d(cost, start_points=[far], end_points=[start], cardinal=1, diagonal=1)

    star = tcod.AStar(cost, diagonal=1)
    runs = {
        OURS: partial(path_to, passable, far, start),
        "map and path": lambda: path(distance_map(passable, goal), far),
    }
    runs |= {"Pathfinder.path_to": way, "path2d": one_call, "AStar, built once": lambda: star.get_path(*far, *start)}
    yield Contest("a path of ten steps", case, runs)
