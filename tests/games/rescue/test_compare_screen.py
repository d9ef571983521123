"""The comparison on screen: what it shows while it runs, stopping, starting again, exporting, leaving."""

from __future__ import annotations

import csv
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.games.rescue.ai.comparison import Comparison, Measure
from dungeon_tui.games.rescue.ai.work import Work
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.view import compare_screen
from dungeon_tui.games.rescue.view.compare_screen import QUANTITIES, CompareScreen, figure, table
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.widgets.dialogs import ChoiceDialog, LineDialog
from tests.ui.driving import sees, sees_no, shown, wait_until

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
) -> AsyncIterator[tuple[Pilot[Any], CompareScreen]]:
    app = DungeonApp(ascii_only=ascii_only)
    async with app.run_test(size=size) as pilot:
        screen = CompareScreen(app.glyphs, comparison)
        await app.push_screen(screen)
        yield pilot, screen


async def typed(pilot: Pilot[Any], text: str) -> None:
    """Answers the question for a file's name."""
    await pilot.press("e")
    await wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog) and pilot.app.focused)
    await pilot.press(*("full_stop" if character == "." else character for character in text), "enter")


def test_the_table_says_who_has_left_and_who_is_still_to_run() -> None:
    time, visits, memory = (table(TINY, FOUND, quantity) for quantity in QUANTITIES)
    assert time == [["size", "recursive", "memoised"], ["2", "1 ms", "2 us"], ["20", "-", ""]]
    assert visits[1:] == [["2", "5", "4"], ["20", "-", ""]]
    assert memory[1:] == [["2", "24 B", "56 B"], ["20", "-", ""]]
    assert table(TINY, [], QUANTITIES[0]) == [["size", "recursive", "memoised"]]


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
        await sees(pilot, "recursive left at 20 x 20: recursive would take")
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


async def test_what_goes_wrong_there_is_said() -> None:
    async with comparing(Comparison(("memoised",), broken, (2,))) as (pilot, screen):
        await sees(pilot, "No grid of 2 cells.")
        assert not screen.is_comparing


@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("a.csv", lambda text: [row[:2] for row in csv.reader(text.splitlines())][1] == ["recursive", "2"]),
        ("a.json", lambda text: json.loads(text)["sizes"] == [2, 20]),
        ("a.SVG", lambda text: text.startswith("<svg")),
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
        await sees(pilot, "a.txt: not written, its name must end in .csv, .json, .svg.")
        await typed(pilot, "no/a.csv")
        await sees(pilot, "can't be written: no such file or directory.")
        await pilot.press("e")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog))
        await pilot.press("escape")
    assert list(tmp_path.iterdir()) == []


async def test_ascii_mode_shows_ascii_alone() -> None:
    async with comparing(size=(120, 40), ascii_only=True) as (pilot, _):
        await sees(pilot, "Done")
        assert shown(pilot.app).isascii()


def test_every_quantity_is_told_in_few_columns() -> None:
    wide = Comparison(tuple(compare_screen.ALGORITHMS))
    found = [Measure(name, 2000, 999e-6, 1, Work(visits=123_456_789, bytes=123_456)) for name in wide.algorithms]
    for quantity in QUANTITIES:
        rows = table(wide, found, quantity)
        width = sum(max(map(len, column)) + 2 for column in zip(*rows, strict=True)) - 2
        assert width <= 77  # 80, less the margins and a scrollbar
