"""Race and measures on their screen: by their keys, from one to the other, with everything that can go wrong."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.games.rescue.ai.comparison import Comparison, verdict
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.view.comparison_screen import MAX_CELLS, MAX_LANES, ComparisonScreen
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
    ("size", "ascii_only"), [((80, 24), False), pytest.param((50, 16), True, marks=pytest.mark.slow)]
)
async def test_a_race_by_its_keys(size: tuple[int, int], ascii_only: bool) -> None:
    async with opened(size=size, ascii_only=ascii_only) as (pilot, screen):
        for key, visits in (("]", 1), ("]", 2), ("[", 1), ("r", 0)):
            await pilot.press(key)
            await sees(pilot, f"{visits} visits, paused")
        assert [view.lane.name for view in screen.lanes] == screen.names
        await pilot.press("end")
        await sees(pilot, panel_text(screen)[: size[0] - 2])
        assert shown(pilot.app).count("needs 7 health") == 3
        assert shown(pilot.app).isascii() or not ascii_only
        await pilot.press("4")  # at most three take part
        await wait_until(pilot, lambda: [view.lane.name for view in screen.lanes] == screen.names)
        assert screen.names == ["memoised", "binary-search", "wavefront"]
        assert len(screen.names) == MAX_LANES
        await pilot.press("2", "5", "4")  # of which the last one stays: the engine fills its grid at once
        await wait_until(pilot, lambda: [view.lane.name for view in screen.lanes] == ["wavefront"])
        await pilot.press("r", "p")  # it ends by itself
        await sees(pilot, panel_text(screen)[: size[0] - 2])
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is not screen)


async def test_the_calls_of_the_recursion_scroll_by() -> None:
    async with opened(size=(120, 60)) as (pilot, _):
        await pilot.press("i", *["]"] * 4)
        await sees(pilot, "0 of 4 ask again")
        await pilot.press("end")
        await sees(pilot, "10 of 19 ask again")
        assert shown(pilot.app).count(" again") == 11
        await pilot.press("i")
        await wait_until(pilot, lambda: "ask again" not in shown(pilot.app))


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
