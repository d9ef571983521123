"""Contests of the pursuit on a graph with a queue in C++."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine import STEPS, UNREACHED, solve_pursuit
from tests.bench.kernels.distance import cave, rooms
from tests.bench.kernels.race import OURS, Contest, agreed, compiled, pointer

Indices = NDArray[np.int32]


def contests(quick: bool) -> Iterator[Contest]:
    """Pursuits on rooms, a cave and an open board of 21 x 80; open 40 x 40 unless quick."""
    boards = {"rooms 21 x 80": rooms(21, 80), "cave 21 x 80": cave(21, 80), "open 21 x 80": np.ones((21, 80), np.bool_)}
    if not quick:
        boards["open 40 x 40"] = np.ones((40, 40), np.bool_)
    for case, passable in boards.items():
        indptr, indices = moves_of(passable)
        yield Contest("pursuit", case, _solvers(indptr, indices))


def moves_of(passable: NDArray[np.bool_]) -> tuple[Indices, Indices]:
    """Moves between open cells, eight ways or staying, as a graph in compressed rows: indptr and indices.

    Cells are numbered row by row, closed ones left out.
    """
    number = np.full(np.add(passable.shape, 2), -1, np.int32)
    number[1:-1, 1:-1][passable] = np.arange(np.count_nonzero(passable))
    rows, cols = np.nonzero(passable)
    near = np.stack([number[rows + 1 + down, cols + 1 + right] for down, right in STEPS], axis=1)
    indptr = np.zeros(len(rows) + 1, np.int32)
    np.cumsum(np.count_nonzero(near >= 0, axis=1), out=indptr[1:])
    return indptr, near[near >= 0]


def _solvers(indptr: Indices, indices: Indices) -> Mapping[str, Callable[[], object]]:
    sites = len(indptr) - 1
    solvers: dict[str, Callable[[], NDArray[np.int32]]] = {OURS: lambda: solve_pursuit(indptr, indices)}
    library = compiled("pursuits")
    if library is not None:

        def run_queue() -> NDArray[np.int32]:
            moves = np.empty((sites, sites), np.int32)
            library.pursuit(pointer(indptr), pointer(indices), sites, UNREACHED, pointer(moves))
            return moves

        solvers["C++ -O3 queue"] = run_queue
    return agreed(solvers)
