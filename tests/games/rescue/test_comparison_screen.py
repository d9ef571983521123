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
from dungeon_tui.games.rescue.view.comparison_screen import MOST_CELLS, MOST_LANES, ComparisonScreen, Mode
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.widgets.dialogs import ChoiceDialog, LineDialog
from tests.games.rescue.grids import CLASSIC, level_of
from tests.ui.driving import sees, shown, wait_until

CLASSIC_LEVEL = level_of(CLASSIC, "classic")
TINY = Comparison(("recursive", "memoised"), sizes=(2, 20), runs=1)


@asynccontextmanager
async def opened(
    mode: Mode = "race",
    level: Level = CLASSIC_LEVEL,
    comparison: Comparison = TINY,
    size: tuple[int, int] = (80, 24),
    ascii_only: bool = False,
) -> AsyncIterator[tuple[Pilot[Any], ComparisonScreen]]:
    """A race that is lined up and holds still, or measures that are being taken."""
    app = DungeonApp(ascii_only=ascii_only)
    async with app.run_test(size=size) as pilot:
        screen = ComparisonScreen(level, app.glyphs, mode)
        screen.is_playing, screen.comparison = False, comparison
        await app.push_screen(screen)
        await wait_until(pilot, lambda: screen.lanes or mode == "measures" or level.grid.size > MOST_CELLS)
        yield pilot, screen


def told(screen: ComparisonScreen) -> str:
    """The verdict on the race, which its lanes give."""
    return verdict([view.lane for view in screen.lanes])


async def answer(pilot: Pilot[Any], text: str) -> None:
    """Answers the question that is open, or will be in a moment."""
    await wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog) and pilot.app.focused)
    pilot.app.screen.query_one(Input).value = text
    await pilot.press("enter")


@pytest.mark.parametrize(("size", "ascii_only"), [((80, 24), False), ((120, 36), True), ((50, 16), True)])
async def test_a_race_by_its_keys(size: tuple[int, int], ascii_only: bool) -> None:
    async with opened(size=size, ascii_only=ascii_only) as (pilot, screen):
        for key, visits in (("]", 1), ("]", 2), ("[", 1), ("r", 0)):
            await pilot.press(key)
            await sees(pilot, f"{visits} visits, paused")
        assert [view.lane.name for view in screen.lanes] == screen.names
        await pilot.press("end")
        await sees(pilot, told(screen)[: size[0] - 2])
        assert shown(pilot.app).count("needs 7 health") == 3
        assert shown(pilot.app).isascii() or not ascii_only
        await pilot.press("4")  # at most three take part
        await wait_until(pilot, lambda: [view.lane.name for view in screen.lanes] == screen.names)
        assert screen.names == ["memoised", "binary-search", "wavefront"]
        assert len(screen.names) == MOST_LANES
        await pilot.press("2", "5", "4")  # of which the last one stays: the engine fills its grid at once
        await wait_until(pilot, lambda: [view.lane.name for view in screen.lanes] == ["wavefront"])
        await pilot.press("end", "g")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog))
        for typed, seen in (("101", "10,000"), ("nope", "nope:1:1: "), ("4", "Uniform 0 4x4, 4 x 4")):
            await answer(pilot, typed)
            await sees(pilot, seen)
        await pilot.press(*["semicolon"] * 20, "p")  # as fast as it can be
        await sees(pilot, told(screen)[: size[0] - 2])
        await pilot.press("g", "escape", "q")
        await wait_until(pilot, lambda: pilot.app.screen is not screen)


async def test_the_inside_of_a_race_grows_with_it() -> None:
    async with opened(size=(120, 40)) as (pilot, screen):
        await pilot.press("i", *["]"] * 4)
        await sees(pilot, "1,2: ?")
        assert screen.is_inside
        await pilot.press("end")
        await sees(pilot, "10 of 19 ask again")
        text = shown(pilot.app)
        assert (text.count(" again"), text.count(" < ")) == (11, 10)
        await pilot.press("i")
        await wait_until(pilot, lambda: "ask again" not in shown(pilot.app))


async def test_any_grid_is_measured_in_corners() -> None:
    async with opened("measures", size=(120, 40)) as (pilot, screen):
        await sees(pilot, "Done: 4 measures.")
        await pilot.press("t")
        await sees(pilot, "Done: 18 measures.")
        assert {each.size for each in screen.found} == {(1, 1), (2, 2), (3, 3)}
        await pilot.press("g")
        await answer(pilot, "3000 x 3000")
        await sees(pilot, "4,000,000 cells")
        await answer(pilot, "2 x 4")
        await wait_until(pilot, lambda: screen.found and screen.found[-1].size == (2, 4))
        await pilot.press("t")
        await wait_until(pilot, lambda: screen.comparison.make is square and screen.is_comparing)
        await pilot.press("R")
        await sees(pilot, "Race: Uniform 0 2x4, 2 x 4")


async def test_a_grid_may_be_too_large_for_its_lane_or_for_a_race() -> None:
    async with opened(level=square(100)) as (pilot, screen):
        await pilot.press("end")
        await sees(pilot, "needs")
        assert told(screen)[:60] in shown(pilot.app)
        screen.level = generated("uniform", 0, 101, 100)
        await pilot.press("1")
        await sees(pilot, "10,000 cells; g ")
        await pilot.press("r", "p", "end", "right_square_bracket")
        assert screen.lanes == []


async def test_race_and_measures_are_one_screen_with_keys_of_their_own() -> None:
    async with opened() as (pilot, screen):
        await pilot.press("s", "w", "e")  # of the measures
        assert pilot.app.screen is screen
        assert not screen.is_comparing
        await pilot.press("end", "M")
        await sees(pilot, "Done: 4 measures.")
        await pilot.press("p", "r", "1", "i")  # of the race
        await sees(pilot, "Compare: time")
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


def broken(size: int) -> Level:
    raise ValueError(f"no grid of {size} cells")


def endless(size: int) -> Level:
    while True:
        pass


@pytest.mark.parametrize(("size", "ascii_only"), [((80, 24), True), ((200, 60), False)])
async def test_a_comparison_runs_to_its_end(size: tuple[int, int], ascii_only: bool) -> None:
    async with opened("measures", size=size, ascii_only=ascii_only) as (pilot, screen):
        await sees(pilot, "Done: 4 measures.")
        measured = [(each.algorithm, each.size, each.seconds is None) for each in screen.found]
        assert measured == [
            (name, size, (name, size) == ("recursive", 20)) for size in (2, 20) for name in TINY.algorithms
        ]
        await sees(pilot, "recursive left at 20")
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


async def test_stopping_starting_again_failing_and_leaving_which_waits_for_nothing() -> None:
    async with opened("measures", comparison=Comparison(("memoised",), endless, (2,))) as (pilot, screen):
        assert screen.is_comparing
        await pilot.press("s")
        await sees(pilot, "Stopped after 0 measures.")
        assert not screen.is_comparing
        screen.comparison = Comparison(("memoised",), broken, (2,))
        await pilot.press("s")
        await sees(pilot, "No grid of 2 cells.")
        assert not screen.is_comparing
        screen.comparison = TINY
        pilot.app.set_keymap({"compare.export": "x"})
        await pilot.press("s")
        assert screen.is_comparing
        await sees(pilot, ", x ")
        assert len(screen.found) == 4
        screen.comparison = Comparison(("memoised",), endless, (2,))
        await pilot.press("s", "escape")
        await wait_until(pilot, lambda: pilot.app.screen is not screen)
        await wait_until(pilot, lambda: all(worker.is_finished for worker in pilot.app.workers))


async def test_exporting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file, other = tmp_path / "a.csv", tmp_path / "a.JSON"
    file.write_text("mine")

    async def export(name: str) -> None:
        await pilot.press("e")
        await answer(pilot, name)

    async with opened("measures", size=(200, 40)) as (pilot, _):
        await sees(pilot, "Done")
        for key, is_kept in (("escape", True), ("n", True), ("r", False)):
            await export("a.csv")
            await wait_until(pilot, lambda: isinstance(pilot.app.screen, ChoiceDialog) and pilot.app.screen.query("*"))
            await pilot.press(key)
            await wait_until(pilot, lambda: not isinstance(pilot.app.screen, ChoiceDialog))
            await wait_until(pilot, lambda is_kept=is_kept: (file.read_text() == "mine") is is_kept)
        for name, seen in (
            ("a.JSON", f"4 measures written to {other}"),
            ("no/a.csv", "no/a.csv"),
            ("a.txt", ".csv or .json."),
        ):
            await export(name)
            await sees(pilot, seen)
        await pilot.press("escape")
    assert [row[:2] for row in csv.reader(file.read_text().splitlines())][1] == ["recursive", "2"]
    assert json.loads(other.read_text())["sizes"] == [2, 20]
    assert {path.name for path in tmp_path.iterdir() if path.is_file()} == {file.name, other.name}
