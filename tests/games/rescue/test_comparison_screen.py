"""Race and measures on their screen: by their keys, from one to the other, with everything that can go wrong."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.games.rescue.ai.algorithms import ALGORITHMS
from dungeon_tui.games.rescue.ai.comparison import Comparison, Measure, table
from dungeon_tui.games.rescue.ai.work import Work
from dungeon_tui.games.rescue.model.generator import uniform
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.view.comparison_screen import (
    MOST_CELLS,
    MOST_LANES,
    QUANTITIES,
    ComparisonScreen,
    figure,
)
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.widgets.dialogs import ChoiceDialog, LineDialog
from tests import naive_grid_dp as naive
from tests.games.rescue.grids import CLASSIC, level_of
from tests.ui.driving import opened, sees, sees_no, shown, wait_until

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
        need = naive.minimum_health(CLASSIC_LEVEL.grid.tolist())
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
        await sees(pilot, "Memoised needed 9 visits")
        await pilot.press("M")
        await sees(pilot, "Done: 4 measures.")
        assert len(screen.found) == 4


async def test_the_play_screen_opens_the_race_on_its_grid_and_the_comparison() -> None:
    async with opened("rescue", CLASSIC_LEVEL) as (pilot, screen):
        await pilot.press("R")
        await sees(pilot, "Race: Classic, 3 x 3")
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        await pilot.press("M")
        await sees(pilot, "Compare: time of a run")
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is screen)


@pytest.mark.parametrize(("module", "is_loaded"), [("screen", False), ("comparison_screen", True)])
def test_nothing_of_a_plot_is_loaded_before_one_is_opened(module: str, is_loaded: bool) -> None:
    code = f"import sys, dungeon_tui.games.rescue.view.{module}; print('textual_plot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{is_loaded}\n"


# -- the measures

TINY = Comparison(("recursive", "memoised"), sizes=(2, 20), runs=1)
FOUND = [
    Measure("recursive", 2, 1e-3, 5, Work(visits=5, calls=5, bytes=24)),
    Measure("memoised", 2, 2e-6, 5, Work(visits=4, calls=5, bytes=56)),
    Measure("recursive", 20, None, reason="too many calls"),
]


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


def test_the_table_says_who_has_left_and_who_was_not_measured() -> None:
    cells = [table(TINY, FOUND, quantity.text, (2, 20)) for quantity in QUANTITIES]
    assert [[[cell.strip() for cell in row] for row in rows] for rows in cells] == [
        [["size", "recursive", "memoised"], ["2", "1 ms", "2 us"], ["20", "left", "-"]],
        [["size", "recursive", "memoised"], ["2", "5", "4"], ["20", "left", "-"]],
        [["size", "recursive", "memoised"], ["2", "24 B", "56 B"], ["20", "left", "-"]],
    ]


def test_the_figure_has_a_line_for_each_algorithm_in_their_order() -> None:
    shown_figure = figure(TINY, FOUND, QUANTITIES[0])
    assert [(each.name, each.x, each.y) for each in shown_figure.series] == [
        ("recursive", [2], [1e-3]),
        ("memoised", [2], [2e-6]),
    ]
    assert shown_figure.x.is_log
    assert shown_figure.y.is_log
    assert figure(TINY, [], QUANTITIES[1]).series[0].x == []


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_a_comparison_runs_to_its_end(size: tuple[int, int]) -> None:
    async with comparing(size=size) as (pilot, screen):
        await sees(pilot, "Done: 4 measures.")
        assert [(each.algorithm, each.size, each.seconds is None) for each in screen.found] == [
            ("recursive", 2, False),
            ("memoised", 2, False),
            ("recursive", 20, True),
            ("memoised", 20, False),
        ]
        await sees(pilot, "recursive left at 20: recursive would take")
        has_both = size[1] > 24
        assert ("rows, columns" in shown(pilot.app)) is has_both
        await pilot.press("v")
        await sees(pilot, "rows, columns")
        assert ("left at" in shown(pilot.app)) is has_both


async def test_time_visits_and_memory_take_turns() -> None:
    async with comparing() as (pilot, _):
        await sees(pilot, "Done")
        await pilot.press("w")
        await sees(pilot, "Compare: visits of cells")
        await sees(pilot, "400")
        await pilot.press("w")
        await sees(pilot, "Compare: memory")
        await sees(pilot, "56 B")
        await pilot.press("w")
        await sees(pilot, "Compare: time of a run")


async def test_stopping_and_starting_again() -> None:
    async with comparing(Comparison(("memoised",), endless, (2,))) as (pilot, screen):
        assert screen.is_comparing
        await pilot.press("s")
        await sees(pilot, "Stopped after 0 measures.")
        assert not screen.is_comparing
        screen.comparison = TINY
        await pilot.press("s")
        await sees(pilot, "Done: 4 measures.")
        await pilot.press("s")
        assert screen.is_comparing
        await wait_until(pilot, lambda: not screen.is_comparing)
        assert len(screen.found) == 4


@pytest.mark.parametrize("key", ["q", "escape"])
async def test_leaving_does_not_wait_for_what_runs(key: str) -> None:
    async with comparing(Comparison(("memoised",), endless, (2,))) as (pilot, screen):
        await pilot.press(key)
        await wait_until(pilot, lambda: pilot.app.screen is not screen)
        await wait_until(pilot, lambda: all(worker.is_finished for worker in pilot.app.workers))


async def test_messages_name_the_keys_as_they_are_bound_now() -> None:
    async with comparing() as (pilot, _):
        await sees(pilot, "Done: 4 measures. s starts again, e exports them.")
        pilot.app.set_keymap({"compare.export": "x"})
        await pilot.press("s")
        await sees(pilot, "s starts again, x exports them.")


async def test_what_goes_wrong_there_is_said() -> None:
    async with comparing(Comparison(("memoised",), broken, (2,))) as (pilot, screen):
        await sees(pilot, "No grid of 2 cells.")
        assert not screen.is_comparing


@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("a.csv", lambda text: [row[:2] for row in csv.reader(text.splitlines())][1] == ["recursive", "2"]),
        ("a.JSON", lambda text: json.loads(text)["sizes"] == [2, 20]),
    ],
)  # fmt: skip
async def test_exporting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, check: Callable[[str], bool]
) -> None:
    monkeypatch.chdir(tmp_path)
    async with comparing(size=(200, 40)) as (pilot, _):
        await sees(pilot, "Done")
        await typed(pilot, name)
        await sees(pilot, f"4 measures written to {tmp_path / name}")
    assert check((tmp_path / name).read_text())
    assert [path.name for path in tmp_path.iterdir()] == [name]


async def test_a_file_that_is_there_is_replaced_only_if_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "a.csv"
    file.write_text("mine")
    async with comparing() as (pilot, _):
        await sees(pilot, "Done")
        for key, kept in (("escape", True), ("n", True), ("r", False)):
            await typed(pilot, "a.csv")
            await wait_until(pilot, lambda: isinstance(pilot.app.screen, ChoiceDialog) and pilot.app.screen.query("*"))
            await pilot.press(key)
            await sees_no(pilot, "There is such a file")
            await wait_until(pilot, lambda kept=kept: (file.read_text() == "mine") is kept)


async def test_names_that_say_no_format_and_places_that_take_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with comparing() as (pilot, _):
        await sees(pilot, "Done")
        await typed(pilot, "a.txt")
        await sees(pilot, "a.txt: not written, its name must end in .csv or .json.")
        await typed(pilot, "no/a.csv")
        await sees(pilot, "can't be written: no such file or directory.")
        await pilot.press("e")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog))
        await pilot.press("escape")
    assert list(tmp_path.iterdir()) == []


async def test_ascii_mode_shows_ascii_alone_of_the_measures() -> None:
    async with comparing(size=(120, 40), ascii_only=True) as (pilot, _):
        await sees(pilot, "Done")
        assert shown(pilot.app).isascii()


def test_every_quantity_is_told_in_few_columns() -> None:
    wide = Comparison(tuple(ALGORITHMS))
    found = [Measure(name, 2000, 999e-6, 1, Work(visits=123_456_789, bytes=123_456)) for name in wide.algorithms]
    for quantity in QUANTITIES:
        (names, cells) = table(wide, found, quantity.text, (2000,))
        assert list(map(len, names)) == list(map(len, cells)) == [4, *map(len, ALGORITHMS)]  # no wider than its name
