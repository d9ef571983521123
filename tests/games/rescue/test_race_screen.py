"""The race: what the algorithms tell of their visits, who needed how much, and the screen by its keys."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from dungeon_tui.games.rescue.ai.race import run_lane, starters, verdict
from dungeon_tui.games.rescue.ai.solver import ALGORITHMS
from dungeon_tui.games.rescue.ai.work import Work
from dungeon_tui.games.rescue.model.generator import uniform
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.view.race_screen import MOST_CELLS, MOST_LANES, RaceScreen
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.widgets.dialogs import LineDialog
from tests import naive_grid_dp as naive
from tests.ui.driving import opened, sees, shown, wait_until

CLASSIC = Level("classic", np.array([[-2, -3, 3], [-5, -10, 1], [10, 30, -5]], np.int32))
TRACED = sorted({*ALGORITHMS} - {"wavefront"})


@asynccontextmanager
async def racing(
    level: Level = CLASSIC, size: tuple[int, int] = (80, 24), ascii_only: bool = False
) -> AsyncIterator[tuple[Pilot[Any], RaceScreen]]:
    """A race that is lined up and holds still."""
    app = DungeonApp(ascii_only=ascii_only)
    async with app.run_test(size=size) as pilot:
        screen = RaceScreen(level, app.glyphs)
        screen.is_playing = False
        await app.push_screen(screen)
        await wait_until(pilot, lambda: screen.lanes or level.grid.size > MOST_CELLS)
        yield pilot, screen


@given(st.sampled_from(TRACED), st.integers(0, 99), st.integers(1, 5), st.integers(1, 5))
def test_every_visit_is_told_and_the_last_one_has_all_of_the_work(name: str, seed: int, rows: int, cols: int) -> None:
    level = uniform(seed, rows, cols)
    lane = run_lane(level, name)
    assert lane.solution is not None
    works = [done for _, _, done in lane.steps]
    visits = [done.visits for done in works]
    assert works[-1] == lane.solution.work
    assert visits == sorted(set(visits))
    assert {(row, col) for row, col, _ in lane.steps} == set(np.ndindex(rows, cols))
    if name != "breadth-first":  # which looks at all ways to a cell in one visit's step
        assert visits == list(range(1, len(visits) + 1))
    assert lane.solution == ALGORITHMS[name](level)


@pytest.mark.parametrize("name", ["memoised", "tabulated"])
def test_a_table_is_filled_from_the_last_cell_each_cell_once(name: str) -> None:
    steps = run_lane(CLASSIC, name).steps
    assert set(Counter((row, col) for row, col, _ in steps).values()) == {1}
    order = {(row, col): number for number, (row, col, _) in enumerate(steps)}
    for (row, col), number in order.items():
        for after in ((row, col + 1), (row + 1, col)):
            assert after not in order or order[after] < number


def test_the_recursion_visits_a_cell_once_for_each_way_to_it() -> None:
    counts = Counter((row, col) for row, col, _ in run_lane(CLASSIC, "recursive").steps)
    assert [[counts[row, col] for col in range(3)] for row in range(3)] == [[1, 1, 1], [1, 2, 3], [1, 3, 6]]


def test_the_engine_tells_of_no_visit_but_of_its_work() -> None:
    lane = run_lane(CLASSIC, "wavefront")
    assert lane.steps == []
    assert lane.end == 9
    assert lane.work(8) == Work()
    assert lane.work(9).visits == 9


def test_a_lane_knows_what_was_done_by_a_moment() -> None:
    lane = run_lane(CLASSIC, "memoised")
    assert lane.work(0) == Work()
    assert [lane.work(visits).visits for visits in (1, 5, 9, 100)] == [1, 5, 9, 9]
    assert [lane.place(visits) for visits in (0, 1, 9, 100)] == [0, 1, 9, 9]


def test_too_many_steps_end_a_lane() -> None:
    lane = run_lane(CLASSIC, "recursive", most=5)
    assert lane.solution is None
    assert (len(lane.steps), lane.end) == (5, 5)
    assert "after 5 steps" in lane.trouble


def test_a_refusal_is_a_lane_without_steps() -> None:
    lane = run_lane(uniform(0, 20, 20), "recursive")
    assert (lane.solution, lane.end) == (None, 0)
    assert "recursive would take" in lane.trouble


def test_nobody_starts_who_is_refused() -> None:
    assert starters(CLASSIC) == ("recursive", "memoised", "binary-search")
    for side in (10, 11, 20, 100):
        level = uniform(0, side, side)
        assert all(run_lane(level, name).solution is not None for name in starters(level) if side <= 20)
        assert ("recursive" in starters(level)) == (side <= 10)


def test_the_verdict_names_the_least_work_first() -> None:
    lanes = [run_lane(CLASSIC, name) for name in ("recursive", "memoised", "wavefront")]
    assert verdict(lanes) == "Memoised needed 9 visits; wavefront 9, as many; recursive 19, 2.11 times as many."
    assert verdict([run_lane(CLASSIC, "recursive", most=3)]) == "Recursive isn't done."


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (50, 16)])
async def test_a_race_by_its_keys(size: tuple[int, int]) -> None:
    async with racing(size=size) as (pilot, screen):
        await sees(pilot, "0 visits, paused")
        await pilot.press("right_square_bracket", "right_square_bracket")
        await sees(pilot, "2 visits, paused")
        assert [view.lane.name for view in screen.lanes] == screen.names
        await pilot.press("left_square_bracket")
        await sees(pilot, "1 visits, paused")
        await pilot.press("end")
        await sees(pilot, "Memoised needed 9 visits")
        need = naive.minimum_health(CLASSIC.grid.tolist())
        assert shown(pilot.app).count(f"needs {need} health") == 3
        await pilot.press("left_square_bracket", "r")
        await sees(pilot, "0 visits, paused")


async def test_a_race_plays_by_itself_and_can_be_held() -> None:
    async with racing() as (pilot, screen):
        for _ in range(20):
            await pilot.press("semicolon")
        await pilot.press("p")
        await sees(pilot, "Memoised needed 9 visits")
        assert screen.visits == screen.end
        await pilot.press(*["comma"] * 20)  # so slow that it can't be over before it is held
        assert screen.pace == 0
        await pilot.press("r", "p")
        await sees(pilot, "visits, paused")


async def test_at_most_three_take_part() -> None:
    async with racing() as (pilot, screen):
        await pilot.press("4")
        await wait_until(pilot, lambda: [view.lane.name for view in screen.lanes] == screen.names)
        assert screen.names == ["memoised", "binary-search", "wavefront"]
        assert len(screen.names) == MOST_LANES
        await pilot.press("4", "5", "2")
        await wait_until(pilot, lambda: [view.lane.name for view in screen.lanes] == ["memoised"])


async def test_the_engine_fills_its_grid_at_once() -> None:
    async with racing() as (pilot, _):
        await pilot.press("4", "2", "5")
        await sees(pilot, "in machine code, at once")
        await pilot.press("end")
        await sees(pilot, "Wavefront needed 9 visits.")
        await sees(pilot, "1 1 1 1 1 1 1 1 1")


async def test_another_grid_can_be_chosen() -> None:
    async with racing() as (pilot, screen):
        for typed, seen in (("4", "Uniform 0 4x4, 4 x 4"), ("101", "up to 10,000 cells"), ("nowhere", "no such file")):
            await pilot.press("g")
            await wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog) and pilot.app.focused)
            await pilot.press(*typed, "enter")
            await sees(pilot, seen)
        assert screen.level.grid.shape == (4, 4)


async def test_what_is_wrong_stays_until_the_next_key_while_the_race_goes_on() -> None:
    async with racing() as (pilot, screen):
        screen.pace = 0
        await pilot.press("p", "g")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog) and pilot.app.focused)
        await pilot.press(*"nope", "enter")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        await sees(pilot, "no such file")
        before = screen.visits
        await wait_until(pilot, lambda: screen.visits > before)
        assert "nope:1:1: can't be opened: no such file" in shown(pilot.app)  # the name as it was typed
        await pilot.press("semicolon")
        await sees(pilot, "visits a second")


async def test_a_large_grid_is_refused_kindly() -> None:
    async with racing(uniform(0, 101, 100)) as (pilot, screen):
        await sees(pilot, "A race is for up to 10,000 cells; g chooses another grid.")
        await pilot.press("r", "p", "end", "right_square_bracket")
        assert screen.lanes == []


async def test_a_grid_too_large_for_its_lane_is_drawn_in_squares() -> None:
    async with racing(uniform(0, 100, 100)) as (pilot, _):
        await pilot.press("end")
        await sees(pilot, "needs")
        assert "Tabulated needed 10,000 visits" in shown(pilot.app)


async def test_ascii_mode_shows_ascii_alone() -> None:
    async with racing(ascii_only=True) as (pilot, _):
        await pilot.press("right_square_bracket")
        assert shown(pilot.app).isascii()
        await pilot.press("end")
        await sees(pilot, "Memoised needed")
        assert shown(pilot.app).isascii()


async def test_leaving() -> None:
    async with racing() as (pilot, screen):
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is not screen)


async def test_the_play_screen_opens_the_race_on_its_grid_and_the_comparison() -> None:
    async with opened("rescue", CLASSIC) as (pilot, screen):
        await pilot.press("R")
        await sees(pilot, "Race: Classic, 3 x 3")
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        await pilot.press("M")
        await sees(pilot, "Compare: time of a run")
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is screen)


def test_nothing_of_a_plot_is_loaded_before_one_is_opened() -> None:
    parts = "dungeon_tui.ui.play.play_screen, dungeon_tui.games.rescue.view.screen"
    code = f"import sys, {parts}; print('textual_plot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    done = subprocess.run(
        [sys.executable, "-c", code.replace("play_screen", "plot_screen")], capture_output=True, text=True
    )
    assert done.stdout == "True\n"
