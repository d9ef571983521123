"""Race and measures on their screen: by their keys, from one to the other, with everything that can go wrong."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.games.rescue.ai.comparison import Comparison, run_lane, verdict
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.view.comparison_screen import MAX_CELLS, MAX_LANES, ComparisonScreen
from dungeon_tui.games.rescue.view.trace import NOTHING, Trace
from dungeon_tui.ui.app import DungeonApp
from tests.games.rescue.grids import CLASSIC, level_of
from tests.ui.driving import running, sees, shown, wait_until

CLASSIC_LEVEL = level_of(CLASSIC, "classic")
TINY = Comparison(("recursive", "memoised"), sizes=(2, 20), runs=1)


@asynccontextmanager
async def opened(
    level: Level = CLASSIC_LEVEL,
    comparison: Comparison = TINY,
    size: tuple[int, int] = (80, 24),
    ascii_only: bool = False,
) -> AsyncIterator[tuple[Pilot[Any], ComparisonScreen]]:
    """A race that is lined up and paused."""
    app = DungeonApp(ascii_only=ascii_only)
    async with running(app, size=size) as pilot:
        screen = ComparisonScreen(level, app.glyphs)
        screen.is_playing, screen.comparison = False, comparison
        await app.push_screen(screen)
        await wait_until(pilot, lambda: screen.lanes or level.grid.size > MAX_CELLS)
        yield pilot, screen


def panel_text(screen: ComparisonScreen) -> str:
    """The verdict on the race, which its lanes give."""
    return verdict([view.lane for view in screen.lanes])


@pytest.mark.parametrize(
    ("size", "ascii_only"), [((80, 24), False), pytest.param((80, 30), True, marks=pytest.mark.slow)]
)
async def test_a_race_by_its_keys(size: tuple[int, int], ascii_only: bool) -> None:
    async with opened(size=size, ascii_only=ascii_only) as (pilot, screen):
        for key, visits in (("]", "1 visit"), ("]", "2 visits"), ("[", "1 visit"), ("[", "0 visits")):
            await pilot.press(key)
            await sees(pilot, f"{visits}, paused")
        assert [view.lane.name for view in screen.lanes] == screen.names
        await pilot.press("end")
        await sees(pilot, panel_text(screen)[: size[0] - 2])
        assert shown(pilot.app).count("needs 7 health") == 3
        assert shown(pilot.app).isascii() or not ascii_only
        await pilot.press("4")  # at most three take part
        await wait_until(pilot, lambda: [view.lane.name for view in screen.lanes] == screen.names)
        assert screen.names == ["memoised", "binary-search", "wavefront"]
        assert len(screen.names) == MAX_LANES
        await pilot.press("2", "5", "4")  # of which the last one stays
        await wait_until(pilot, lambda: [view.lane.name for view in screen.lanes] == ["wavefront"])
        await pilot.press("end", "p")  # begins again, and ends by itself
        await sees(pilot, panel_text(screen)[: size[0] - 2])
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is not screen)


STEPS = [  # algorithm, steps, what its numbers are, the numbers, a part of the sentence
    ("recursive", 0, "calls", "", "right and below"),
    ("recursive", 19, "calls", "1 1 1|1 2 3|1 3 6", "row 3, column 3, 6 times"),
    ("memoised", 4, "need", "- - 2|- - 5|- 1 6", "6 right - 30 = -24, at least 1"),
    ("tabulated", 9, "need", "7 5 2|6 11 5|1 1 6", "min(5 right, 6 below) + 2 = 7"),
    ("wavefront", 5, "need", "- - -|- 11 5|1 - -", "min(5 right, 1 below) + 10 = 11"),
    ("binary-search", 4, "health, 0: dead", "23 20 23|18 - -|- - -", "probe 1, from 25 health: 18 left"),
    ("binary-search", 54, "need", "7 5 2|6 11 5|1 1 6", "= 7"),
    ("breadth-first", 5, "paths kept", "- 1 1|1 1 -|- - -", "1 of 2 paths kept at row 2, column 2"),
]


@pytest.mark.parametrize(("name", "count", "meaning", "numbers", "text"), STEPS)
def test_each_step_is_told_by_numbers_and_a_sentence(
    name: str, count: int, meaning: str, numbers: str, text: str
) -> None:
    trace = Trace(run_lane(CLASSIC_LEVEL, name), CLASSIC_LEVEL)
    rows = [[str(number).replace(str(NOTHING), "-") for number in row] for row in trace.numbers(count).tolist()]
    assert "|".join(" ".join(row) for row in rows) == (numbers or "- - -|- - -|- - -")
    assert trace.meaning(count) == meaning
    assert text in trace.text(count)


def broken(size: int) -> Level:
    raise ValueError(f"no grid of {size} cells")


def endless(size: int) -> Level:
    while True:
        pass


@pytest.mark.parametrize(("size", "ascii_only"), [((80, 24), True), ((120, 70), False)])
async def test_a_comparison_runs_to_its_end_beside_a_race(size: tuple[int, int], ascii_only: bool) -> None:
    async with opened(size=size, ascii_only=ascii_only) as (pilot, screen):
        await pilot.press("s")
        await sees(pilot, "Done: 4 measures.")
        measured = [(each.algorithm, each.size, each.seconds is None) for each in screen.found]
        assert measured == [
            (name, size, (name, size) == ("recursive", 20)) for size in (2, 20) for name in TINY.algorithms
        ]
        assert "C(m+n, m)" in shown(pilot.app)
        assert "0 visits, paused" in shown(pilot.app)
        assert shown(pilot.app).isascii() or not ascii_only
        assert ("recursive left at 20" in shown(pilot.app)) is (size[1] > 24)
        await pilot.press("v")
        await sees(pilot, "rows, columns")
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is screen)


async def test_stopping_starting_again_failing_and_leaving_which_waits_for_nothing() -> None:
    async with opened(comparison=Comparison(("memoised",), endless, (2,))) as (pilot, screen):
        await pilot.press("s")
        assert screen.is_measuring
        await pilot.press("s")
        await sees(pilot, "Stopped after 0 measures.")
        assert not screen.is_measuring
        screen.comparison = Comparison(("memoised",), broken, (2,))
        await pilot.press("s")
        await sees(pilot, "No grid of 2 cells.")
        assert not screen.is_measuring
        screen.comparison = TINY
        pilot.app.set_keymap({"race.plot": "x"})
        await pilot.press("s")
        assert screen.is_measuring
        await sees(pilot, "x plots the times")
        assert len(screen.found) == 4
        screen.comparison = Comparison(("memoised",), endless, (2,))
        await pilot.press("s", "escape")
        await wait_until(pilot, lambda: pilot.app.screen is not screen)
        await wait_until(pilot, lambda: all(worker.is_finished for worker in pilot.app.workers))
