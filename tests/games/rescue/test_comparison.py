"""Algorithms side by side: who is measured where, who leaves and why; the visits of a race, and who needed how many."""

import json
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.games.rescue.ai import comparison
from dungeon_tui.games.rescue.ai.algorithms import ALGORITHMS, WATCH_EVERY, Meter, Work, solve
from dungeon_tui.games.rescue.ai.comparison import (
    Comparison,
    Measure,
    json_values,
    measures,
    run_lane,
    starters,
    verdict,
)
from dungeon_tui.games.rescue.model.generator import generated, square
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.view.measures import tables_text
from tests.games.rescue.grids import CLASSIC, level_of
from tests.wording import numbers


def compared(*algorithms: str, sizes: tuple[int, ...] = (1, 3, 5), limit: float = 60.0, runs: int = 1) -> Comparison:
    return Comparison(algorithms, square, sizes, limit, runs)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands still; whoever sets its only item moves it."""
    now = [0.0]
    monkeypatch.setattr(comparison, "perf_counter", lambda: now[0])
    return now


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> list[float]:
    """An algorithm "slow" that takes the seconds of this list, run after run, and asks at every tenth of one."""
    times: list[float] = []

    def run(level: Level, meter: Meter) -> tuple[int, None]:
        end = clock[0] + times.pop(0)
        while clock[0] < end - 1e-9:
            clock[0] += 0.1
            meter.visit(0, 0, WATCH_EVERY)
        return 1, None

    monkeypatch.setattr(comparison, "prepare", lambda level, name: None)
    monkeypatch.setitem(ALGORITHMS, "slow", run)
    return times


def test_all_are_measured_size_after_size() -> None:
    found = list(measures(compared(*ALGORITHMS)))
    assert [(each.size, each.algorithm) for each in found] == [
        (size, name) for size in (1, 3, 5) for name in ALGORITHMS
    ]
    for each in found:
        solution = solve(square(each.size), each.algorithm)
        assert (each.health, each.work, each.reason) == (solution.health, solution.work, "")
        assert each.seconds is not None
        assert each.seconds > 0


@pytest.mark.parametrize(
    ("times", "fastest", "left"),
    [
        ([3.0, 0.5, 1.0], 0.5, []),  # the fastest run counts
        ([3.0, 3.0, 1.0], 3.0, [1.0]),  # no further one begins beyond the limit
        ([1.0, 9.0, 1.0], 1.0, [1.0]),  # one that is stopped takes nothing away
    ],
)
def test_the_fastest_run_counts(slow: list[float], times: list[float], fastest: float, left: list[float]) -> None:
    slow += times
    (found,) = measures(compared("slow", sizes=(4,), limit=5.0, runs=3))
    assert (found.seconds, found.health, found.reason) == (pytest.approx(fastest), 1, "")
    assert slow == left


def test_who_gets_too_slow_leaves(slow: list[float]) -> None:
    slow += [1.0, 9.0]
    found = list(measures(compared("slow", "wavefront", sizes=(2, 3, 4), limit=5.0)))
    assert [f"{each.algorithm} {each.size}" for each in found] == [
        "slow 2",
        "wavefront 2",
        "slow 3",
        "wavefront 3",
        "wavefront 4",
    ]
    assert found[2] == Measure("slow", 3, None, reason=found[2].reason)
    assert numbers(found[2].reason) == [5]
    assert slow == []


def test_who_was_too_slow_and_could_not_be_stopped_leaves_at_the_next_size(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    made = []

    def run(level: Level, meter: Meter) -> tuple[int, None]:
        clock[0] += len(level.grid)
        return 1, None

    def make(size: int) -> Level:
        made.append(size)
        return square(size)

    monkeypatch.setitem(ALGORITHMS, "stubborn", run)
    found = list(measures(Comparison(("stubborn",), make, (4, 5, 6, 7, 8), limit=5.0)))
    assert [(each.size, each.seconds) for each in found] == [(4, 4.0), (5, 5.0), (6, 6.0), (7, None)]
    assert found[-1] == Measure("stubborn", 7, None, reason=found[-1].reason)
    assert numbers(found[-1].reason) == [5, 6]
    assert made == [4, 5, 6]


def test_who_refuses_leaves_and_no_grid_is_made_for_nobody() -> None:
    made = []

    def make(size: int) -> Level:
        made.append(size)
        return square(size)

    found = list(measures(Comparison(("recursive",), make, (2, 15, 20), runs=1)))
    assert [each.size for each in found] == [2, 15]
    assert found[1].seconds is None
    assert numbers(found[1].reason)[:3] == [155_117_519, 15, 15]
    assert made == [2, 15]


def test_all_progress_is_reported(slow: list[float]) -> None:
    slow += [0.3, 0.3]
    told: list[tuple[str, int, int]] = []
    slow_and_fast = compared("slow", "wavefront", sizes=(2, 3))
    list(measures(slow_and_fast, lambda name, size, work: told.append((name, size, work.visits))))
    of = [[("slow", size, visits * WATCH_EVERY) for visits in range(4)] + [("wavefront", size, 0)] for size in (2, 3)]
    assert told == of[0] + of[1]


@pytest.fixture
def here() -> Comparison:
    return compared("recursive", "wavefront", sizes=(2, 10, 1000))


@pytest.fixture
def found() -> list[Measure]:
    return [
        Measure("recursive", 2, 0.0000015, 5, Work(visits=5, calls=5, bytes=24)),
        Measure("wavefront", 2, 0.25, 5, Work(visits=4, bytes=24)),
        Measure("recursive", 10, None, reason='too many, "much" too many'),
        Measure("wavefront", 10, 2.0, 9, Work(visits=1_000_000, bytes=88)),
    ]


def test_json(here: Comparison, found: list[Measure]) -> None:
    nothing = {"calls": 0, "probes": 0, "states": 0}
    assert json.loads(json.dumps(json_values(here, found))) == {
        "sizes": [2, 10, 1000],
        "algorithms": {"recursive": [0.0000015, None, None], "wavefront": [0.25, 2.0, None]},
        "work": {
            "recursive": [{**nothing, "visits": 5, "calls": 5, "bytes": 24}, None, None],
            "wavefront": [{**nothing, "visits": 4, "bytes": 24}, {**nothing, "visits": 1_000_000, "bytes": 88}, None],
        },
        "left": {"recursive": {"size": 10, "reason": 'too many, "much" too many'}},
    }


def test_tables(here: Comparison, found: list[Measure]) -> None:
    assert tables_text(here, found) == (
        "growth, m rows and n columns\n"
        "algorithm  visits               measured    time  memory  measured\n"
        "recursive  C(m+n, m) - 1 ~ 4^n         -       -  m + n          -\n"
        "wavefront  m n                    n^7.72  n^1.29  n         n^0.81\n"
        "\n"
        "time\n"
        "size  recursive  wavefront\n"
        "   2     1.5 µs     250 ms\n"
        "  10       left        2 s\n"
        "1000          -          -\n"
        "\n"
        "visits of cells\n"
        "size  recursive  wavefront\n"
        "   2          5          4\n"
        "  10       left  1,000,000\n"
        "1000          -          -\n"
        "\n"
        "memory without the grid, in bytes\n"
        "size  recursive  wavefront\n"
        "   2         24         24\n"
        "  10       left         88\n"
        "1000          -          -\n"
        "\n"
        'recursive left at 10: too many, "much" too many\n'
    )


LEVEL = level_of(CLASSIC)
TRACED = sorted(ALGORITHMS)


@given(st.sampled_from(TRACED), st.integers(0, 99), st.integers(1, 5), st.integers(1, 5))
def test_every_visit_is_reported_and_the_last_has_all_work(name: str, seed: int, rows: int, cols: int) -> None:
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


@pytest.mark.parametrize("name", ["memoised", "tabulated", "wavefront"])
def test_a_table_is_filled_from_the_last_cell_each_cell_once(name: str) -> None:
    steps = run_lane(LEVEL, name).steps
    assert set(Counter((row, col) for row, col, _ in steps).values()) == {1}
    order = {(row, col): number for number, (row, col, _) in enumerate(steps)}
    for (row, col), number in order.items():
        for after in ((row, col + 1), (row + 1, col)):
            assert after not in order or order[after] < number


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
    assert found == ["memoised", "9", "wavefront", "9", "recursive", "19"]
    assert not re.search(r"\d", verdict([run_lane(LEVEL, "recursive", most=3)]))
