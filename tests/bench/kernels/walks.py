"""Contests of the cheapest walks: Held and Karp's table in C++, and HiGHS."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine import WalkProblem, cheapest_walk, graph_distances
from tests.bench.kernels.race import OURS, Contest, agreed, compiled, pointer

Indices = NDArray[np.int32]

_TABLE_UP_TO = 20  # rooms; 24 take Held and Karp gigabytes
_PROGRAMME_UP_TO = 40  # more take it minutes


def contests(quick: bool) -> Iterator[Contest]:
    """Cheapest walks that see all of 16 to 60 rooms, or three in four; if quick, all of 16 and of 24."""
    sizes = [16, 24] if quick else [16, 20, 24, 32, 40, 60]
    for rooms in sizes:
        for percent in [100] if quick else [100, 75]:
            needed = -(-rooms * percent // 100)
            yield Contest("walk", f"{rooms} rooms, {percent} %", _solvers(*dungeon(rooms, 2.8, seed=1), needed))


def dungeon(rooms: int, degree: float, seed: int) -> tuple[Indices, Indices]:
    """A random map as dungeons have them, a connected graph in compressed rows: indptr and indices.

    Rooms lie anywhere in a square; a tree of short corridors joins them, and the shortest of the other corridors are
    added up to the average degree.
    """
    rng = np.random.default_rng(seed)
    places = rng.random((rooms, 2))
    lengths = ((places[:, None] - places[None]) ** 2).sum(axis=-1) * rng.uniform(0.5, 2, (rooms, rooms))
    lengths = np.minimum(lengths, lengths.T)
    joined = np.zeros((rooms, rooms), np.bool_)
    inside = np.arange(rooms) == 0
    while not inside.all():
        reach = np.where(inside[:, None] & ~inside[None], lengths, np.inf)
        one, two = np.unravel_index(int(reach.argmin()), reach.shape)
        joined[one, two] = joined[two, one] = inside[two] = True
    rows, cols = np.triu_indices(rooms, 1)
    free = ~joined[rows, cols]
    short = np.argsort(lengths[rows, cols][free])[: max(0, round(rooms * degree / 2) - rooms + 1)]
    joined[rows[free][short], cols[free][short]] = joined[cols[free][short], rows[free][short]] = True
    indptr = np.concatenate([[0], np.cumsum(joined.sum(axis=1))]).astype(np.int32)
    return indptr, np.nonzero(joined)[1].astype(np.int32)


def _solvers(indptr: Indices, indices: Indices, needed: int) -> Mapping[str, Callable[[], object]]:
    rooms = len(indptr) - 1
    problem = WalkProblem(indptr, indices, needed=needed)
    solvers: dict[str, Callable[[], int | None]] = {OURS: lambda: cheapest_walk(problem).cost}
    if rooms <= _PROGRAMME_UP_TO:
        solvers["our programme, HiGHS"] = lambda: cheapest_walk(problem, method="programme").cost
    library = compiled("walks")
    if library is not None and rooms <= _TABLE_UP_TO:
        ways = np.stack([graph_distances(indptr, indices, room) for room in range(rooms)])
        solvers["C++ -O3 Held-Karp"] = lambda: int(library.held_karp(pointer(ways), rooms, 0, needed))
    return agreed(solvers)
