"""All algorithms find what walking every way finds, and do as much as their texts say; and what else is known."""

from functools import partial
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dungeon_tui.games.rescue.ai import algorithms, solver
from dungeon_tui.games.rescue.ai.algorithms import (
    ALGORITHMS,
    ALIASES,
    MOST_CALLS,
    MOST_CELLS,
    Algorithm,
    Solution,
    Work,
    breadth_first,
    find_algorithm,
    memoised,
    solve,
    tabulated,
)
from dungeon_tui.games.rescue.model.level import LEAST, MOST, Level
from tests import naive_grid_dp as naive
from tests import naive_rescue
from tests.games.rescue.grids import CLASSIC, SIDES
from tests.wording import numbers

BRUTE_FORCE = partial(breadth_first, keeps_all=True)
VALUES = st.one_of(
    st.integers(-3, 3), st.integers(-1000, 1000), st.sampled_from([LEAST, MOST, -(2**62), 2**62, 0]), st.just(-(2**60))
)
SMALL = st.one_of(st.integers(-3, 3), st.integers(-1000, 1000))


def grids(values: st.SearchStrategy[int]) -> st.SearchStrategy[np.ndarray]:
    return st.tuples(SIDES, SIDES).flatmap(lambda shape: arrays.arrays(np.int64, shape, elements=values))


def level(grid: object) -> Level:
    values = np.array(grid, np.int64)
    values.setflags(write=False)
    return Level("test", values)


def answer(name: "str | Algorithm", grid: object) -> Solution | str:
    """What an algorithm finds, or the text of its refusal."""
    try:
        return solve(level(grid), name)
    except ValueError as error:
        return str(error)


@given(grids(VALUES))
def test_all_algorithms_agree_with_walking_every_way(grid: np.ndarray) -> None:
    values = grid.tolist()
    least = naive.minimum_health(values)
    for name in (*ALGORITHMS, BRUTE_FORCE):
        found = answer(name, grid)
        if least > MOST:
            assert numbers(str(found))[:3] == [0, 0, least]
        else:
            assert isinstance(found, Solution)
            assert found.health == least
            assert name == "wavefront" or found.path == tuple(naive.best_path(values))


@given(SIDES, SIDES)
def test_calls_and_visits_are_those_of_the_formulas(rows: int, cols: int) -> None:
    grid = level(np.zeros((rows, cols)))
    calls = naive_rescue.calls_of_the_recursion(rows, cols)
    assert calls == comb(rows + cols, rows) - 1
    assert solve(grid, "recursive").work == Work(visits=calls, calls=calls, bytes=8 * (rows + cols - 1))
    calls = naive_rescue.calls_of_the_memory(rows, cols)
    assert calls == 2 * rows * cols - rows - cols + 1
    held = 8 * (rows * cols + rows + cols - 1)
    assert solve(grid, "memoised").work == Work(visits=rows * cols, calls=calls, bytes=held)
    assert solve(grid, "tabulated").work == Work(visits=rows * cols, bytes=8 * rows * cols)
    assert solve(grid, "wavefront").work == Work(visits=rows * cols, bytes=8 * (cols + 1))


@given(SIDES, SIDES, SMALL)
def test_brute_force_comes_to_a_cell_on_every_way(rows: int, cols: int, value: int) -> None:
    grid = level(np.full((rows, cols), value))
    arrivals = comb(rows + cols, rows) - 1
    done = solve(grid, BRUTE_FORCE).work
    assert done.states == arrivals
    assert done.visits == arrivals + rows * cols  # and the sweep for the way
    assert solve(grid, "breadth-first").work.states == rows * cols  # all ways to a cell are equal here


@given(grids(SMALL))
def test_as_many_ways_are_counted_as_no_other_beats(grid: np.ndarray) -> None:
    kept: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for cell in np.ndindex(*grid.shape):
        part = grid[: cell[0] + 1, : cell[1] + 1].tolist()
        ways = []
        for way in naive.paths(part):
            total = sum(part[row][col] for row, col in way)
            ways.append((total, 1 - naive.need_of(part, way)))
        kept[cell] = naive_rescue.undominated(ways)
    assert solve(level(grid), "breadth-first").work.states == sum(map(len, kept.values()))


def test_probes_halve_what_is_left_and_end_where_nobody_gets_on() -> None:
    assert solve(level([[5, 5], [5, 5]]), "binary-search").work.probes == 0  # 1 is enough for no traps
    assert solve(level([[-(2**60), 0]]), "binary-search").work.probes == 61  # from 0 to 2^61 + 1
    grid = np.zeros((100, 2))
    grid[0, 0] = -1
    done = solve(level(grid), "binary-search").work
    assert done.probes == 7  # from 0 to 102: 51, 25, 12, 6, 3, 1, 2
    assert done.visits == 6 * 200 + 2 + 200  # with 1 he dies in the first row; the last sweep is for the way


def test_recursion_is_refused_beyond_so_many_calls() -> None:
    assert comb(28, 14) - 1 <= MOST_CALLS < comb(30, 15) - 1
    assert "155,117,519 calls on 15 x 15" in str(answer("recursive", np.zeros((15, 15))))
    assert "about 10^1202 calls" in str(answer("recursive", np.zeros((2000, 2000))))
    assert isinstance(answer("recursive", np.zeros((1, 400))), Solution)
    assert "401 calls on 1 x 401 cells" in str(answer("recursive", np.zeros((1, 401))))


@pytest.mark.parametrize("shape", [(1, 20_000), (20_000, 1), (2, 5000)])
def test_long_grids_are_no_matter_for_the_others(shape: tuple[int, int]) -> None:
    grid = np.full(shape, -1)
    for name in ALGORITHMS:
        if name != "recursive":
            found = answer(name, grid)
            assert isinstance(found, Solution)
            assert found.health == sum(shape)


def test_millions_of_cells_are_for_machine_code() -> None:
    rng = np.random.default_rng(5)
    large = Level("large", rng.integers(-9, 9, (2001, 2000), endpoint=True, dtype=np.int32))
    assert large.grid.size > MOST_CELLS
    for name in ("memoised", "binary-search", "breadth-first"):
        with pytest.raises(ValueError, match=rf"^{name} .* 2001 x 2000"):
            solve(large, name)
    found = solve(large, "tabulated")
    assert found.path is not None
    assert found.health == solver.path_need(large, found.path) == solve(large, "wavefront").health
    assert found.work.visits == 2001 * 2000
    assert found.work.bytes == 2001 * 2000 // 8 + 8 * 2000 + 16 * 4000  # a bit a cell, a row, the way


def test_too_many_ways_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    ways = comb(16, 8)  # to the last cell
    monkeypatch.setattr(algorithms, "MOST_PATHS", ways)
    assert solve(level(np.zeros((9, 9))), BRUTE_FORCE).work.bytes == 16 * ways
    monkeypatch.setattr(algorithms, "MOST_PATHS", ways - 1)
    with pytest.raises(ValueError, match=f" {ways - 1:,} paths .* 9 x 9"):
        solve(level(np.zeros((9, 9))), BRUTE_FORCE)
    assert solve(level(np.zeros((9, 9))), "breadth-first").health == 1


def test_names_and_aliases() -> None:
    assert {name: find_algorithm(name) for name in ALGORITHMS} == ALGORITHMS
    assert (find_algorithm("bottom-up"), find_algorithm("top-down")) == (memoised, tabulated)
    with pytest.raises(ValueError, match=r"'quick'.* recursive, memoised, .*top-down"):
        find_algorithm("quick")
    assert not ALGORITHMS.keys() & ALIASES.keys()


@given(grids(VALUES))
def test_what_is_known_is_what_walking_every_way_finds(grid: np.ndarray) -> None:
    values = grid.tolist()
    least, table = naive.minimum_health(values), naive.need_table(values)
    here = level(grid)
    if least > MOST:
        with pytest.raises(ValueError, match=r"cell \(\d+, \d+\)"):
            solver.best_path(here)
        return
    assert solver.best_path(here) == tuple(naive.best_path(values))
    assert solver.path_need(here, solver.best_path(here)) == least
    if max(map(max, table)) <= MOST:
        assert solver.needs(here).tolist() == table
        mask = solver.best_cells(here)
        assert {tuple(cell) for cell in np.argwhere(mask).tolist()} == naive_rescue.best_cells(values)


def test_the_curve_of_a_way_goes_on_below_zero() -> None:
    here = level(CLASSIC)
    path = [(0, 0), (1, 0), (1, 1), (1, 2), (2, 2)]
    assert solver.health_curve(here, path, 10) == [8, 3, -7, -6, -11]
    assert solver.path_need(here, path) == 22
    assert solver.path_need(level([[3, -2]]), [(0, 0), (0, 1)]) == 1
