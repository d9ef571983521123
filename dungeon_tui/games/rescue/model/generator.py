"""Grids from a seed: random numbers from two sources, and puzzles with a lesson."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dungeon_tui import engine
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.games.rescue.model.level import Grid, Level
from dungeon_tui.games.rescue.model.purchase import FEE, bargain_grid, purchase

LOW, HIGH = -1000, 1000  # the report's
REPORT_SEED = 1  # the default seed of Microsoft's rand()
MAX_CELLS = 200_000_000
MAX_PUZZLE_SIDE = 100
MAX_PURCHASE_SIDE = 20

_BLOCK = 1 << 20  # numbers per draw
_MULTIPLIER, _INCREMENT = 214013, 2531011
_LARGEST_RAND = 0x7FFF
_ROUND, _HIGHEST = 5, 6  # a puzzle's numbers are multiples of 5, up to 6 times 5
_MAX_TRIES = 5000


Draw = Callable[[int], NDArray[np.int64]]
"""Returns the next `count` numbers of a random source."""


def generated(kind: str, seed: int, rows: int, cols: int, low: int = LOW, high: int = HIGH) -> Level:
    """A grid of numbers from `low` to `high`, of a kind of GENERATORS. Raises ValueError if it is too large."""
    info = np.iinfo(np.int32)
    dtype = np.dtype(np.int32 if info.min <= low and high <= info.max else np.int64)
    if rows * cols > MAX_CELLS:
        gigabytes = rows * cols * dtype.itemsize / 1e9
        raise ValueError(f"{rows} x {cols} cells would take {gigabytes:,.1f} GB; at most {MAX_CELLS:,} are possible")
    draw = GENERATORS[kind](seed, low, high)
    grid = np.empty((rows, cols), dtype)
    cells = grid.reshape(-1)
    for start in range(0, len(cells), _BLOCK):
        block = cells[start : start + _BLOCK]
        block[:] = draw(len(block))
    return _level(kind, seed, grid)


def level_name(kind: str, seed: int, rows: int, cols: int) -> str:
    """The name of a grid; that of a lesson doesn't give its kind away."""
    return f"{'puzzle' if kind in LESSONS else kind}-{seed}-{rows}x{cols}"


def square(size: int) -> Level:
    """The `size` x `size` grid for comparing algorithms: uniform, seed 0."""
    return generated("uniform", 0, size, size)


def uniform(seed: int, low: int, high: int) -> Draw:
    """NumPy's random numbers: grids are `default_rng(seed).integers(low, high, (rows, cols), endpoint=True)`."""
    if seed < 0:
        raise ValueError(f"numpy needs a seed of 0 or more, not {seed}")
    random = np.random.default_rng(seed)
    return lambda count: random.integers(low, high, count, endpoint=True)


def report(seed: int, low: int, high: int) -> Draw:
    """The numbers of the report's dungeon master: rand() % (high + 1 - low) + low, row by row.

    rand() starts at the seed modulo 2^32; the report's own grids use REPORT_SEED. It returns 0 to 32767, so values are
    at most 32767 above the lowest.

    Source:
        rand() of Microsoft's C library: state = state * 214013 + 2531011 modulo 2^32; it returns bits 16 to 30.
    """
    # The state after 1, 2, 3, ... steps is factor * state + term, modulo 2^32.
    factors, terms = np.array([_MULTIPLIER], np.uint32), np.array([_INCREMENT], np.uint32)
    while len(factors) < _BLOCK:
        terms = np.concatenate([terms, factors * terms[-1] + terms])
        factors = np.concatenate([factors, factors * factors[-1]])
    state = seed % 2**32

    def draw(count: int) -> NDArray[np.int64]:
        nonlocal state
        states = factors[:count] * np.uint32(state) + terms[:count]
        state = int(states[-1])
        rand = (states >> np.uint32(16)).astype(np.int64) & _LARGEST_RAND
        return rand % min(high + 1 - low, _LARGEST_RAND + 1) + low

    return draw


def puzzle(kind: str, seed: int, rows: int, cols: int) -> Level:
    """A grid with a lesson by seed, kind (of PUZZLES) and size. Raises ValueError for a wrong size, or if none fits."""
    short, long, most = (2, 3, MAX_PUZZLE_SIDE) if kind in LESSONS else (3, 4, MAX_PURCHASE_SIDE)
    if not (min(rows, cols) >= short and long <= max(rows, cols) <= most):
        raise ValueError(f"a puzzle has from {short} x {long} to {most} x {most} cells, not {rows} x {cols}")
    lesson, make, offset = PUZZLES[kind]
    grid = make(Random(3 * seed + offset), rows, cols)  # lessons share no seeds
    level = _level(kind, seed, grid, lesson)
    return level if kind in LESSONS else purchase(level, FEE)


def greedy_path(grid: Grid) -> tuple[Cell, ...]:
    """The path of a knight who always takes the larger neighbour, right if both are equal."""
    rows, cols = grid.shape
    path = [Cell(0, 0)]
    while path[-1] != (rows - 1, cols - 1):
        row, col = path[-1]
        goes_right = row == rows - 1 or (col < cols - 1 and grid[row, col + 1] >= grid[row + 1, col])
        path.append(Cell(row, col + 1) if goes_right else Cell(row + 1, col))
    return tuple(path)


def _level(kind: str, seed: int, grid: Grid, lesson: str = "") -> Level:
    grid.setflags(write=False)
    rows, cols = grid.shape
    return Level(level_name(kind, seed, rows, cols), grid, lesson)


def _misleads_greed(grid: Grid) -> bool:
    way = [[int(grid[cell]) for cell in greedy_path(grid)]]
    return engine.minimum_health(way) > engine.minimum_health(grid)


def _starts_uphill(grid: Grid) -> bool:
    needs = np.maximum(engine.need_table(grid) - grid[0, 0], 1)  # of paths through each of the second cells
    right, below = (0, 1), (1, 0)
    better, worse = (right, below) if grid[right] > grid[below] else (below, right)
    return bool(grid[better] > grid[worse] and needs[better] > needs[worse])


def _first(is_one: Callable[[Grid], bool], random: Random, rows: int, cols: int) -> Grid:
    for _ in range(_MAX_TRIES):
        grid = _numbers(random, rows, cols)
        if is_one(grid):
            return grid
    raise ValueError(f"found no such puzzle of {rows} x {cols} cells in {_MAX_TRIES} tries: try another seed")


def _numbers(random: Random, rows: int, cols: int) -> NDArray[np.int32]:
    """(rows, cols) multiples of 5 from -30 to 30, uniformly distributed."""
    steps = random.words(rows * cols) % np.uint64(2 * _HIGHEST + 1)
    return (_ROUND * (steps.astype(np.int32) - _HIGHEST)).reshape(rows, cols)


PUZZLES: dict[str, tuple[str, Callable[[Random, int, int], Grid], int]] = {
    "greedy-fails": (
        "The larger number next door, or a path that needs less?",
        partial(_first, _misleads_greed),
        0,
    ),
    "uphill": ("Right or down first? Look far enough ahead to tell.", partial(_first, _starts_uphill), 2),
    "purchase": ("Which power-ups are worth their gold and the detour?", bargain_grid, 3),
}
LESSONS = ("greedy-fails", "uphill")  # puzzles other than purchases
GENERATORS: dict[str, Callable[[int, int, int], Draw]] = {"uniform": uniform, "report": report}
