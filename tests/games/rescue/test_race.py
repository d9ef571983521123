"""The race: the algorithms tell of their visits; the verdict names who needed how many."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.games.rescue.ai.algorithms import ALGORITHMS, Work, solve
from dungeon_tui.games.rescue.ai.race import run_lane, starters, verdict
from dungeon_tui.games.rescue.model.generator import generated, square
from tests.games.rescue.grids import CLASSIC, level_of

LEVEL = level_of(CLASSIC)
TRACED = sorted({*ALGORITHMS} - {"wavefront"})


@given(st.sampled_from(TRACED), st.integers(0, 99), st.integers(1, 5), st.integers(1, 5))
def test_every_visit_is_told_and_the_last_one_has_all_of_the_work(name: str, seed: int, rows: int, cols: int) -> None:
    level = generated("uniform", seed, rows, cols)
    lane = run_lane(level, name)
    assert lane.solution is not None
    works = [done for _, _, done in lane.steps]
    visits = [done.visits for done in works]
    assert works[-1] == lane.solution.work
    assert visits == sorted(set(visits))
    assert [done.bytes for done in works] == sorted(done.bytes for done in works)
    assert {(row, col) for row, col, _ in lane.steps} == set(np.ndindex(rows, cols))
    if name != "breadth-first":  # which looks at all ways to a cell in one visit's step
        assert visits == list(range(1, len(visits) + 1))
    assert lane.solution == solve(level, name)


@pytest.mark.parametrize("name", ["memoised", "tabulated"])
def test_a_table_is_filled_from_the_last_cell_each_cell_once(name: str) -> None:
    steps = run_lane(LEVEL, name).steps
    assert set(Counter((row, col) for row, col, _ in steps).values()) == {1}
    order = {(row, col): number for number, (row, col, _) in enumerate(steps)}
    for (row, col), number in order.items():
        for after in ((row, col + 1), (row + 1, col)):
            assert after not in order or order[after] < number


def test_the_recursion_visits_a_cell_once_for_each_way_to_it() -> None:
    counts = Counter((row, col) for row, col, _ in run_lane(LEVEL, "recursive").steps)
    assert [[counts[row, col] for col in range(3)] for row in range(3)] == [[1, 1, 1], [1, 2, 3], [1, 3, 6]]


def test_the_engine_tells_of_no_visit_but_of_its_work() -> None:
    lane = run_lane(LEVEL, "wavefront")
    assert lane.steps == []
    assert lane.end == 9
    assert lane.work(8) == Work()
    assert lane.work(9).visits == 9


def test_a_lane_knows_what_was_done_by_a_moment() -> None:
    lane = run_lane(LEVEL, "memoised")
    assert lane.work(0) == Work()
    assert [lane.work(visits).visits for visits in (1, 5, 9, 100)] == [1, 5, 9, 9]
    assert [lane.place(visits) for visits in (0, 1, 9, 100)] == [0, 1, 9, 9]


def test_a_run_that_does_not_end_well_is_a_lane_without_a_solution() -> None:
    cut = run_lane(LEVEL, "recursive", most=5)
    assert (cut.solution, len(cut.steps), cut.end) == (None, 5, 5)
    assert " 5 steps" in cut.trouble
    refused = run_lane(square(20), "recursive")
    assert (refused.solution, refused.end) == (None, 0)
    assert "20 x 20" in refused.trouble


def test_nobody_starts_who_is_refused() -> None:
    assert starters(LEVEL) == ("recursive", "memoised", "binary-search")
    for side in (10, 11, 20, 100):
        level = square(side)
        assert all(run_lane(level, name).solution is not None for name in starters(level) if side <= 20)
        assert ("recursive" in starters(level)) == (side <= 10)


def test_the_verdict_names_the_least_work_first() -> None:
    lanes = [run_lane(LEVEL, name) for name in ("recursive", "memoised", "wavefront")]
    found = re.findall(r"memoised|wavefront|recursive|[0-9.]*[0-9]", verdict(lanes).lower())
    assert found == ["memoised", "9", "wavefront", "9", "recursive", "19", "2.11"]
    assert not re.search(r"\d", verdict([run_lane(LEVEL, "recursive", most=3)]))
