"""Generated grids are the numbers that numpy and Microsoft's rand() give, and puzzles stay the same."""

import hashlib
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.engine import minimum_health
from dungeon_tui.games.rescue.model import generator
from dungeon_tui.games.rescue.model.generator import (
    GENERATORS,
    MAX_CELLS,
    MAX_PUZZLE_SIDE,
    REPORT_SEED,
    generated,
    puzzle,
    square,
)
from dungeon_tui.games.rescue.model.level import LEAST, MOST, level_text
from tests import naive_grid_dp as naive
from tests.naive_grid_dp import rand

SIZES = st.tuples(st.integers(1, 7), st.integers(1, 7))
RANGES = st.one_of(
    st.tuples(st.integers(-1000, 1000), st.integers(-1000, 1000)), st.tuples(*[st.integers(LEAST, MOST)] * 2)
).map(sorted)
PUZZLE_SIZES = st.tuples(st.integers(2, 9), st.integers(2, 9)).filter(lambda size: max(size) > 2)


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "_BLOCK", 8)


@given(st.integers(0, 2**70), SIZES, RANGES)
def test_uniform_is_what_numpy_gives(seed: int, size: tuple[int, int], limits: list[int]) -> None:
    expected = np.random.default_rng(seed).integers(*limits, size, endpoint=True)
    assert generated("uniform", seed, *size, *limits).grid.tolist() == expected.tolist()


@given(st.integers(-5, 2**33), SIZES, RANGES)
def test_report_is_what_rand_gives(seed: int, size: tuple[int, int], limits: list[int]) -> None:
    low, high = limits
    numbers = [drawn % (high + 1 - low) + low for drawn in islice(rand(seed), size[0] * size[1])]
    assert generated("report", seed, *size, low, high).grid.ravel().tolist() == numbers


def test_the_reports_grids() -> None:
    """3 x 3 needs what the report prints; 9 x 9 needs 1502, and the report prints 1503."""
    first = generated("report", REPORT_SEED, 3, 3).grid
    assert first.tolist() == [[-959, -542, -669], [-513, 160, 717], [473, 344, -51]]
    assert minimum_health(first) == 1473
    grid = generated("report", REPORT_SEED, 9, 9).grid.tolist()
    assert minimum_health(grid) == 1502
    way = naive.best_path(grid)
    assert [grid[row][col] for row, col in way[:2]] == [-959, -542]  # 1501 in all, and he never falls as low again
    assert naive.need_of(grid, way) == 1502


@pytest.mark.parametrize("kind", GENERATORS)
def test_grids_are_levels(kind: str) -> None:
    level = generated(kind, 3, 4, 5)
    assert level.name == f"{kind}-3-4x5"
    assert level.grid.dtype == np.int32
    assert not level.grid.flags.writeable
    assert -1000 <= level.grid.min() < level.grid.max() <= 1000
    assert generated(kind, 3, 2, 2, 0, 2**40).grid.dtype == np.int64
    assert generated(kind, 3, 2, 2, 7, 7).grid.tolist() == [[7, 7], [7, 7]]


@pytest.mark.parametrize("kind", GENERATORS)
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((1, 10**5, 10**5), "100000 x 100000 .* 40.0 GB"),
        ((1, 10**5, 10**5, 0, MOST), "100000 x 100000 .* 80.0 GB"),
    ],
)
def test_refusals(kind: str, arguments: tuple[int, ...], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        generated(kind, *arguments)


def test_the_largest_grids_and_the_smallest_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_CELLS >= 10_000 * 10_000
    assert square(3).name == "uniform-0-3x3"
    with pytest.raises(ValueError, match=r"not -1$"):
        generated("uniform", -1, 3, 3)
    monkeypatch.setattr(generator, "MAX_CELLS", 12)
    assert generated("uniform", 1, 3, 4).grid.shape == (3, 4)
    with pytest.raises(ValueError, match="13 x 1 cells"):
        generated("uniform", 1, 13, 1)


def test_the_largest_number_that_rand_gives_is_given() -> None:
    seed = (0x7FFF_0000 - 2531011) * pow(214013, -1, 2**32) % 2**32
    assert generated("report", seed, 1, 1, 0, 50_000).grid.tolist() == [[0x7FFF]]


def test_a_seed_gives_the_same_puzzle_for_ever() -> None:
    level = puzzle("purchase", 7, 6, 5)
    assert hashlib.sha256(level_text(level).encode()).hexdigest()[:16] == "7e7974e22d5c0ac2"
    assert level.name == "puzzle-7-6x5"
    assert level_text(puzzle("purchase", 8, 6, 5)) != level_text(level)


@pytest.mark.parametrize("kind", ["purchase", "walk"])
def test_the_largest_and_the_smallest_puzzles(kind: str) -> None:
    most = MAX_PUZZLE_SIDE
    assert puzzle(kind, 1, most, most).grid.shape == (most, most)
    for rows, cols in ((2, 2), (1, 9), (9, 1), (0, 0), (most + 1, 3), (3, most + 1)):
        with pytest.raises(ValueError, match=f" {rows} x {cols}$"):
            puzzle(kind, 1, rows, cols)


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (6, 8), (12, 9)])
def test_the_need_of_a_walk_is_not_in_its_first_half_nor_on_the_path_of_larger_numbers(rows: int, cols: int) -> None:
    for seed in range(20):
        grid = puzzle("walk", seed, rows, cols).grid
        least, first_half = minimum_health(grid), np.where(np.indices(grid.shape).sum(0) <= (rows + cols) // 2, grid, 0)
        assert minimum_health(first_half) < least
        numbers, (row, col) = [grid[0, 0]], (0, 0)
        while (row, col) != (rows - 1, cols - 1):
            ahead = [(row, col + 1)] * (col + 1 < cols) + [(row + 1, col)] * (row + 1 < rows)
            row, col = max(ahead[::-1], key=grid.__getitem__)
            numbers.append(grid[row, col])
        assert 1 - np.cumsum(numbers).min() > least
