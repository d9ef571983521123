"""Grids from a seed: random numbers from two sources, and purchases."""

from collections.abc import Callable
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from dungeon_tui import engine
from dungeon_tui.core.random import Random
from dungeon_tui.games.rescue.model.level import Grid, Level
from dungeon_tui.games.rescue.model.purchase import FEE, bargain_grid, purchase

LOW, HIGH = -1000, 1000  # the report's
REPORT_SEED = 1  # the default seed of Microsoft's rand()
MAX_CELLS = 200_000_000
MAX_PUZZLE_SIDE = 20

_BLOCK = 1 << 20  # numbers per draw
_MULTIPLIER, _INCREMENT = 214013, 2531011
_LARGEST_RAND = 0x7FFF
_PURCHASE_LESSON = "Which power-ups are worth their gold and the detour?"
_WALK_LESSON = "The number ahead misleads: which way keeps his lowest point high?"
_TRAPS, _POWER_UPS = 70, 15  # percentage of the cells of a walk
_MOST = 9  # largest number of a walk
_MAX_TRIES = 400


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
    """The name of a grid; the menu calls a purchase a puzzle."""
    return f"{kind.replace('purchase', 'puzzle')}-{seed}-{rows}x{cols}"


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
    """A "purchase" or a "walk" by seed and size. Raises ValueError for a wrong size, or if none is found."""
    if not (min(rows, cols) >= 3 and 4 <= max(rows, cols) <= MAX_PUZZLE_SIDE):
        raise ValueError(f"a puzzle has from 3 x 4 to {MAX_PUZZLE_SIDE} x {MAX_PUZZLE_SIDE} cells, not {rows} x {cols}")
    random = Random(3 * seed + 3)
    if kind == "walk":
        return _level(kind, seed, _walk_grid(random, rows, cols), _WALK_LESSON)
    return purchase(_level(kind, seed, bargain_grid(random, rows, cols), _PURCHASE_LESSON), FEE)


def _walk_grid(random: Random, rows: int, cols: int) -> Grid:
    """A grid in which the first half needs less than the whole, and going to the larger number needs more."""
    is_early = np.add.outer(np.arange(rows), np.arange(cols)) <= (rows + cols) // 2
    for _ in range(_MAX_TRIES):
        kinds = (random.words(rows * cols) % np.uint64(100)).astype(np.int32)
        sizes = (random.words(rows * cols) % np.uint64(_MOST)).astype(np.int32) + 1
        signs = np.where(kinds < _TRAPS, -1, kinds < _TRAPS + _POWER_UPS)
        grid = (signs * sizes).astype(np.int32).reshape(rows, cols)
        least = engine.minimum_health(grid)
        if engine.minimum_health(np.where(is_early, grid, 0)) < least < _greedy_need(grid):
            return grid
    raise ValueError(f"found no such walk of {rows} x {cols} cells in {_MAX_TRIES} tries: try another seed")


def _greedy_need(grid: Grid) -> int:
    """The health for the path that goes to the larger number each time."""
    (rows, cols), row, col, numbers = grid.shape, 0, 0, [int(grid[0, 0])]
    while row + col < rows + cols - 2:
        is_right = row == rows - 1 or (col < cols - 1 and bool(grid[row, col + 1] > grid[row + 1, col]))
        row, col = row + (not is_right), col + is_right
        numbers.append(int(grid[row, col]))
    return 1 - min(0, *accumulate(numbers))


def _level(kind: str, seed: int, grid: Grid, lesson: str = "") -> Level:
    grid.setflags(write=False)
    rows, cols = grid.shape
    return Level(level_name(kind, seed, rows, cols), grid, lesson)


GENERATORS: dict[str, Callable[[int, int, int], Draw]] = {"uniform": uniform, "report": report}
