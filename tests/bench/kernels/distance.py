"""Contests of the distance maps: tcod, scipy, and a queue in C++."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.engine import STEPS, UNREACHED, WEIGHTS, distance_map, tunnelling_distance_map
from tests.bench.kernels.race import OURS, Contest, compiled, pointer

BoolGrid = NDArray[np.bool_]
ByteGrid = NDArray[np.uint8]
Runs = dict[str, Callable[[], Any]]


def contests(quick: bool) -> Iterator[Contest]:
    """Walking and tunnelling maps on caves and rooms of 21 x 80 to 512 x 512 cells, 2048 x 2048 unless quick."""
    for height, width in [(21, 80), (50, 80), (512, 512), *([] if quick else [(2048, 2048)])]:
        for case, passable in (("cave", cave(height, width)), ("rooms", rooms(height, width))):
            name = f"{case} {height} x {width}"
            goal, rock, table = _central_goal(passable), rock_around(passable), WEIGHTS["ranges"]
            for kernel, ours, weight, inputs in (
                ("walking", partial(distance_map, passable, goal), passable.astype(np.uint8), (passable,)),
                ("tunnelling", partial(tunnelling_distance_map, rock, goal), table[rock], (rock, table)),
            ):
                right = ours()
                runs = {OURS: ours} | cpp_queue(kernel, inputs, goal, right) | _peers(weight, goal, right)
                yield Contest(kernel, name, runs, passable.size)


def cave(height: int, width: int, seed: int = 1) -> BoolGrid:
    """Winding caves by a cellular automaton: True where open, more than half of the cells; the border is wall."""
    passable = np.random.default_rng(seed).random((height, width)) >= 0.45
    for _ in range(4):
        wide = np.pad(passable.astype(np.int8), 1)
        around = sum(wide[r : r + height, c : c + width] for r in range(3) for c in range(3))
        passable = np.asarray(around >= 5)
    return _walled(passable)


def rooms(height: int, width: int, seed: int = 1) -> BoolGrid:
    """A room in every 10 x 16 cells (10 x 20 from 200 columns on), most neighbours joined: True where open, a third."""
    rng = np.random.default_rng(seed)
    passable = np.zeros((height, width), np.bool_)
    tall, wide = 10, 20 if width >= 200 else 16
    middles: dict[tuple[int, int], tuple[int, int]] = {}
    for top in range(0, height - tall + 1, tall):
        for left in range(0, width - wide + 1, wide):
            rows, cols = int(rng.integers(3, tall - 2)), int(rng.integers(4, wide - 2))
            row, col = top + int(rng.integers(1, tall - rows)), left + int(rng.integers(1, wide - cols))
            passable[row : row + rows, col : col + cols] = True
            middles[top, left] = row + int(rng.integers(rows)), col + int(rng.integers(cols))
    for (top, left), (row, col) in middles.items():
        for other in (top, left + wide), (top + tall, left):
            if other in middles and rng.random() < 0.8:
                to_row, to_col = middles[other]
                passable[row, min(col, to_col) : max(col, to_col) + 1] = True
                passable[min(row, to_row) : max(row, to_row) + 1, to_col] = True
    return _walled(passable)


def rock_around(passable: BoolGrid, seed: int = 1) -> ByteGrid:
    """Hardness of a map: 0 where passable, else 1 to 254 at random; the border is 255, which nothing enters."""
    rock = np.random.default_rng(seed).integers(1, 255, passable.shape)
    hardness = np.where(passable, 0, rock).astype(np.uint8)
    hardness[[0, -1]] = hardness[:, [0, -1]] = 255
    return hardness


def _walled(passable: BoolGrid) -> BoolGrid:
    passable[[0, -1]] = passable[:, [0, -1]] = False
    return passable


def _central_goal(passable: BoolGrid) -> NDArray[np.int64]:
    """The cell nearest the middle from which more than half of the open ones are reached, as (1, 2) rows."""
    cells = np.argwhere(passable)
    order = np.argsort(np.abs(cells - np.array(passable.shape) // 2).max(axis=1), kind="stable")
    for index in order:
        goal = cells[index : index + 1]
        if 2 * np.count_nonzero(distance_map(passable, goal) != UNREACHED) > len(cells):
            return goal
    raise ValueError("the map falls to pieces")


def cpp_queue(kernel: str, inputs: tuple[NDArray[Any], ...], goal: NDArray[np.int64], right: NDArray[np.int32]) -> Runs:
    """The queue in C++ as a contestant, by its name; none without g++. ValueError if it finds other distances."""
    library = compiled("queues")
    if library is None:
        return {}
    bordered = np.zeros(np.add(right.shape, 2), np.uint16)
    arguments = [*map(pointer, inputs), *right.shape, *goal[0].tolist(), pointer(bordered)]
    function = getattr(library, kernel)

    def run(_keep: object = (inputs, bordered)) -> None:
        function(*arguments)

    run()
    inner = bordered[1:-1, 1:-1].astype(np.int32) - 1
    _check("C++ -O3 queue", np.where((inner < 0) | (inner == 65534), UNREACHED, inner), right)
    return {"C++ -O3 queue": run}


def _peers(weight: ByteGrid, goal: NDArray[np.int64], right: NDArray[np.int32]) -> Runs:
    """The installed libraries as contestants, by name; graphs are built here, so that only the search is timed.

    Where the weight belongs to the cell that a step enters, as with tcod, the map differs from ours by the weights of
    goal and cell; the work is the same.
    """
    runs: Runs = {}
    start = int(goal[0, 0]), int(goal[0, 1])
    first = int(weight[start])
    reached = right != UNREACHED
    entered = np.where(reached, right + weight - first, UNREACHED)

    with suppress(ImportError):
        tcod = import_module("tcod.path")
        cost = weight.astype(np.int32)

        def run_tcod() -> Any:
            distance = tcod.maxarray(cost.shape, dtype=np.int32)
            distance[start] = 0
            return tcod.dijkstra2d(distance, cost, 1, 1, out=distance)

        _check("tcod", run_tcod(), entered)
        runs["tcod dijkstra2d"] = run_tcod

    with suppress(ImportError):
        csgraph = import_module("scipy.sparse.csgraph")
        graph, source = _sparse(weight), start[0] * weight.shape[1] + start[1]
        runs["scipy dijkstra"] = lambda: csgraph.dijkstra(graph, indices=source)
        found = runs["scipy dijkstra"]().reshape(weight.shape)
        _check("scipy", np.where(np.isinf(found), UNREACHED, found), right)
    return runs


def _sparse(weight: ByteGrid) -> Any:
    """Moves between cells of weight > 0, as a sparse (cells, cells) matrix of the weights of the cells they leave."""
    height, width = weight.shape
    number = np.pad(np.arange(height * width, dtype=np.int32).reshape(height, width), 1)
    wide = np.pad(weight, 1)
    leaving = np.argwhere(wide > 0).astype(np.int32)
    rows, cols = leaving[:, 0], leaving[:, 1]
    sources, targets = [], []
    for step_row, step_col in STEPS[:8]:
        there = wide[rows + step_row, cols + step_col] > 0
        sources.append(number[rows[there], cols[there]])
        targets.append(number[rows[there] + step_row, cols[there] + step_col])
    source, target = np.concatenate(sources), np.concatenate(targets)
    prices = weight.reshape(-1)[source].astype(np.float64)
    return import_module("scipy.sparse").csr_matrix((prices, (source, target)), shape=(weight.size, weight.size))


def _check(name: str, found: NDArray[Any], right: NDArray[Any]) -> None:
    if not np.array_equal(found, right):
        raise ValueError(f"{name} finds other distances")
