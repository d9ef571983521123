"""Race and measures on their screen: by their keys, from one to the other, with everything that can go wrong."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from dungeon_tui.games.rescue.ai.comparison import Comparison
from dungeon_tui.games.rescue.ai.race import verdict
from dungeon_tui.games.rescue.model.generator import generated, square
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.view.comparison_screen import MOST_CELLS, MOST_LANES, ComparisonScreen
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.widgets.dialogs import ChoiceDialog, LineDialog
from tests.games.rescue.grids import CLASSIC, level_of
from tests.ui.driving import sees, sees_no, shown, wait_until

CLASSIC_LEVEL = level_of(CLASSIC, "classic")

# -- the race


@asynccontextmanager
async def racing(
    level: Level = CLASSIC_LEVEL, size: tuple[int, int] = (80, 24), ascii_only: bool = False
) -> AsyncIterator[tuple[Pilot[Any], ComparisonScreen]]:
    """A race that is lined up and holds still."""
    app = DungeonApp(ascii_only=ascii_only)
    async with app.run_test(size=size) as pilot:
        screen = ComparisonScreen(level, app.glyphs)
        screen.is_playing = False
        await app.push_screen(screen)
        await wait_until(pilot, lambda: screen.lanes or level.grid.size > MOST_CELLS)
        yield pilot, screen


def told(screen: ComparisonScreen) -> str:
    """The verdict on the race, which its lanes give."""
    return verdict([view.lane for view in screen.lanes])


@pytest.mark.parametrize(("size", "ascii_only"), [((80, 24), False), ((120, 36), True), ((50, 16), True)])
async def test_a_race_by_its_keys(size: tuple[int, int], ascii_only: bool) -> None:
    async with racing(size=size, ascii_only=ascii_only) as (pilot, screen):
        for keys, visits in (("]]", 2), ("[", 1), ("r", 0)):
            await pilot.press(
                *({"[": "left_square_bracket", "]": "right_square_bracket"}.get(key, key) for key in keys)
            )
            await sees(pilot, f"{visits} visits, paused")
        assert [view.lane.name for view in screen.lanes] == screen.names
        await pilot.press("end")
        await sees(pilot, told(screen)[: size[0] - 2])
        assert shown(pilot.app).count("needs 7 health") == 3
        assert shown(pilot.app).isascii() or not ascii_only


async def test_at_most_three_take_part_and_the_engine_fills_its_grid_at_once() -> None:
    async with racing() as (pilot, screen):
        await pilot.press("4")
        await wait_until(pilot, lambda: [view.lane.name for view in screen.lanes] == screen.names)
        assert screen.names == ["memoised", "binary-search", "wavefront"]
        assert len(screen.names) == MOST_LANES
        await pilot.press("2", "5", "4")  # of which the last one stays
        await wait_until(pilot, lambda: [view.lane.name for view in screen.lanes] == ["wavefront"])
        await sees_no(pilot, "1 1 1")
        await pilot.press("end")
        await sees(pilot, "1 1 1 1 1 1 1 1 1")


async def test_another_grid_can_be_chosen_and_a_wrong_one_typed_again() -> None:
    async with racing() as (pilot, screen):
        await pilot.press("g")
        for typed, seen in (("101", "10,000"), ("nope", "nope:1:1: "), ("4", "Uniform 0 4x4, 4 x 4")):
            await wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog) and pilot.app.focused)
            pilot.app.screen.query_one(Input).value = typed
            await pilot.press("enter")
            await sees(pilot, seen)
        assert screen.level.grid.shape == (4, 4)
        await pilot.press("g", "escape")
        assert screen.level.grid.shape == (4, 4)


async def test_a_grid_may_be_too_large_for_its_lane_or_for_a_race() -> None:
    async with racing(square(100)) as (pilot, screen):
        await pilot.press("end")
        await sees(pilot, "needs")
        assert told(screen)[:60] in shown(pilot.app)
        screen.level = generated("uniform", 0, 101, 100)
        await pilot.press("1")
        await sees(pilot, "10,000 cells; g ")
        await pilot.press("r", "p", "end", "right_square_bracket")
        assert screen.lanes == []


async def test_race_and_measures_are_one_screen_with_keys_of_their_own() -> None:
    async with racing() as (pilot, screen):
        await pilot.press("s", "w", "e")  # of the measures
        assert pilot.app.screen is screen
        assert not screen.is_comparing
        await pilot.press("end")
        screen.comparison = TINY
        await pilot.press("M")
        await sees(pilot, "Done: 4 measures.")
        await pilot.press("p", "r", "1", "g")  # of the race
        await sees(pilot, "Compare: time of a run")
        await pilot.press("R")
        await sees(pilot, told(screen))
        await pilot.press("M")
        await sees(pilot, "Done: 4 measures.")
        assert len(screen.found) == 4


@pytest.mark.parametrize(("module", "is_loaded"), [("screen", False), ("comparison_screen", True)])
def test_nothing_of_a_plot_is_loaded_before_one_is_opened(module: str, is_loaded: bool) -> None:
    code = f"import sys, dungeon_tui.games.rescue.view.{module}; print('textual_plot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{is_loaded}\n"


# -- the measures

TINY = Comparison(("recursive", "memoised"), sizes=(2, 20), runs=1)


def broken(size: int) -> Level:
    raise ValueError(f"no grid of {size} cells")


def endless(size: int) -> Level:
    while True:
        pass


@asynccontextmanager
async def comparing(
    comparison: Comparison = TINY, size: tuple[int, int] = (80, 24), ascii_only: bool = False
) -> AsyncIterator[tuple[Pilot[Any], ComparisonScreen]]:
    app = DungeonApp(ascii_only=ascii_only)
    async with app.run_test(size=size) as pilot:
        screen = ComparisonScreen(CLASSIC_LEVEL, app.glyphs, "measures")
        screen.comparison = comparison
        await app.push_screen(screen)
        yield pilot, screen


async def typed(pilot: Pilot[Any], text: str) -> None:
    """Answers the question for a file's name."""
    await pilot.press("e")
    await wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog) and pilot.app.focused)
    await pilot.press(*("full_stop" if character == "." else character for character in text), "enter")


@pytest.mark.parametrize(("size", "ascii_only"), [((80, 24), True), ((120, 40), True), ((200, 60), False)])
async def test_a_comparison_runs_to_its_end(size: tuple[int, int], ascii_only: bool) -> None:
    async with comparing(size=size, ascii_only=ascii_only) as (pilot, screen):
        await sees(pilot, "Done: 4 measures.")
        assert [(each.algorithm, each.size, each.seconds is None) for each in screen.found] == [
            ("recursive", 2, False),
            ("memoised", 2, False),
            ("recursive", 20, True),
            ("memoised", 20, False),
        ]
        await sees(pilot, "recursive left at 20: recursive would take")
        assert shown(pilot.app).isascii() or not ascii_only
        has_both = size[1] > 24
        assert ("rows, columns" in shown(pilot.app)) is has_both
        await pilot.press("v")
        await sees(pilot, "rows, columns")
        assert ("left at" in shown(pilot.app)) is has_both
        await pilot.press("v")
        for quantity, value in (("visits of cells", "400"), ("memory", "56 B"), ("time of a run", "s")):
            await pilot.press("w")
            await sees(pilot, f"Compare: {quantity}")
            await sees(pilot, value)


async def test_stopping_and_starting_again() -> None:
    async with comparing(Comparison(("memoised",), endless, (2,))) as (pilot, screen):
        assert screen.is_comparing
        await pilot.press("s")
        await sees(pilot, "Stopped after 0 measures.")
        assert not screen.is_comparing
        screen.comparison = TINY
        await pilot.press("s")
        await sees(pilot, "Done: 4 measures.")
        pilot.app.set_keymap({"compare.export": "x"})
        await pilot.press("s")
        assert screen.is_comparing
        await sees(pilot, "s starts again, x exports them.")
        assert len(screen.found) == 4


async def test_leaving_does_not_wait_for_what_runs() -> None:
    async with comparing(Comparison(("memoised",), endless, (2,))) as (pilot, screen):
        await pilot.press("escape")
        await wait_until(pilot, lambda: pilot.app.screen is not screen)
        await wait_until(pilot, lambda: all(worker.is_finished for worker in pilot.app.workers))


async def test_what_goes_wrong_there_is_said() -> None:
    async with comparing(Comparison(("memoised",), broken, (2,))) as (pilot, screen):
        await sees(pilot, "No grid of 2 cells.")
        assert not screen.is_comparing


async def test_exporting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file, other = tmp_path / "a.csv", tmp_path / "a.JSON"
    file.write_text("mine")
    async with comparing(size=(200, 40)) as (pilot, _):
        await sees(pilot, "Done")
        for key, is_kept in (("escape", True), ("n", True), ("r", False)):
            await typed(pilot, "a.csv")
            await wait_until(pilot, lambda: isinstance(pilot.app.screen, ChoiceDialog) and pilot.app.screen.query("*"))
            await pilot.press(key)
            await sees_no(pilot, "There is such a file")
            await wait_until(pilot, lambda is_kept=is_kept: (file.read_text() == "mine") is is_kept)
        await typed(pilot, "a.JSON")
        await sees(pilot, f"4 measures written to {other}")
        await typed(pilot, "no/a.csv")
        await sees(pilot, "no/a.csv")
        await typed(pilot, "a.txt")
        await sees(pilot, ".csv or .json.")
        assert isinstance(pilot.app.screen, LineDialog)
        await pilot.press("escape")
    assert [row[:2] for row in csv.reader(file.read_text().splitlines())][1] == ["recursive", "2"]
    assert json.loads(other.read_text())["sizes"] == [2, 20]
    assert {path.name for path in tmp_path.iterdir()} == {file.name, other.name}
