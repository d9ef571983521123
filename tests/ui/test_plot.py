"""Figures and plots: ticks, thinning, what is drawn in which colours and characters."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.palette import themes
from dungeon_tui.ui.widgets.figure import Axis, Figure, Series, lowest, number_text, thinned
from dungeon_tui.ui.widgets.plot import ASCII_MARKERS, COLOURS, MARK, MARKERS, PlotScreen, marker
from tests.ui.driving import painted, running, shown, shown_lines, wait_until
from tests.wording import numbers

WALK = Series("your walk", (0, 1, 2, 3), (9, 4, 2, 6))
HEALTH = Figure((WALK, Series("a best path", (0, 1, 2, 3), (9, 7, 8, 12))), Axis("step"), Axis("health"))
TIMES = Figure(
    (Series("plain", (1, 10, 100), (1e-6, 1e-3, 1.0)), Series("quick", (1, 10, 100), (1e-6, 2e-6, 4e-6))),
    Axis("rows", is_log=True),
    Axis("time", "s", is_log=True),
)


@asynccontextmanager
async def plotted(
    figure: Figure, size: tuple[int, int] = (80, 24), ascii_only: bool = False
) -> AsyncIterator[tuple[Pilot[Any], PlotScreen]]:
    app = DungeonApp(ascii_only=ascii_only)
    async with running(app, size=size) as pilot:
        screen = PlotScreen("A plot", figure, app.glyphs)
        await app.push_screen(screen)
        await wait_until(pilot, lambda: "q Back" in shown(app))
        await painted(screen)
        yield pilot, screen


@given(st.lists(st.floats(1e-6, 1e12), min_size=1), st.booleans(), st.integers(2, 20))
def test_ticks_are_few_round_and_within_the_axis(values: list[float], is_log: bool, most: int) -> None:
    axis = Axis("cost", is_log=is_log)
    low, high = axis.limits(values)
    places = [place for place, _ in axis.ticks(low, high, most)]
    assert all(low <= axis.scaled(value) < high for value in values)
    assert all(low <= place <= high for place in places)
    assert 1 <= len(places) <= most + 1
    steps = {round(after - before, 6) for before, after in pairwise(places)}
    assert len(steps) <= 1
    if not is_log:
        assert places[0] == 0
        assert all(f"{step:e}"[0] in "125" for step in steps)


def test_ticks_of_whole_numbers_have_no_halves_and_powers_are_skipped_where_there_are_many() -> None:
    axis = Axis("step")
    assert [label for _, label in axis.ticks(*axis.limits([0, 1, 2]), 8)] == ["0", "1", "2"]
    axis = Axis("time", "s", is_log=True)
    low, high = axis.limits([1e-6, 1.0])
    assert low == -6
    powers = ["1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"]
    assert [label for _, label in axis.ticks(low, high, 9)] == powers
    assert [label for _, label in axis.ticks(low, high, 3)] == powers[::3]


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0, "", "0"), (0, "s", "0 s"), (-35, "", "-35"), (99_999, "", "99,999"), (100_000, "", "100 k"),
        (-3e9, "", "-3 G"), (1e-3, "s", "1 ms"), (0.25, "s", "250 ms"), (60, "s", "60 s"), (1e15, "", "1e+15"),
        (1e-12, "s", "1e-12 s"), (1e6, "B", "1 MB"), (0.5, "", "0.5"),
    ],
)  # fmt: skip
def test_numbers_are_short(value: float, unit: str, text: str) -> None:
    assert number_text(value, unit) == text


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=300), st.integers(4, 50))
def test_thinning_keeps_the_ends_the_lowest_and_the_highest(y: list[int], most: int) -> None:
    series = Series("any", range(len(y)), y)
    few = thinned(series, most)
    assert len(few.x) <= most + 2 or few is series
    assert list(few.x) == sorted(few.x)
    assert set(zip(few.x, few.y, strict=True)) <= set(enumerate(y))
    assert (few.y[0], few.y[-1]) == (y[0], y[-1])
    assert (min(few.y), max(few.y)) == (min(y), max(y))


def test_the_lowest_point_is_the_first_of_its_height() -> None:
    mark = lowest(Series("a", (0, 1, 2, 3), (5, 2, 2, 9)), "health", "step")
    assert (mark.x, mark.y, numbers(mark.text)) == (1, 2, [2, 1])


def test_series_are_distinguished_by_marker_and_by_colour() -> None:
    app = DungeonApp(ascii_only=True)
    kinds = [marker(number, app.glyphs) for number in range(len(COLOURS))]
    assert len({char for char, _ in kinds}) == len({colour for _, colour in kinds}) == len(COLOURS)
    assert len(set(MARKERS)) == len(set(ASCII_MARKERS)) == len(COLOURS) + 1
    assert "".join(char for char, _ in kinds).isascii()
    for theme in themes():
        assert len({theme.variables[colour] for _, colour in kinds}) == len(COLOURS)


async def test_a_plot_names_what_it_shows() -> None:
    figure = Figure(HEALTH.series, HEALTH.x, HEALTH.y, (lowest(WALK, "health", "step"),))
    async with plotted(figure, (50, 12)) as (pilot, _):
        lines = shown_lines(pilot.app)
        assert lines[0].strip() == "A plot"
        legend = " ".join("\n".join(lines).split())
        assert "● your walk" in legend
        assert "▲ a best path" in legend
        assert f"{MARK} {figure.marks[0].text}" in legend
        assert any(line.strip() == "health" for line in lines)
        assert any(line.strip() == "step" for line in lines)
        body = "\n".join(lines[4:])
        assert body.count("●") >= 2
        assert body.count(MARK) == 1


async def test_a_log_log_plot_of_powers_is_a_straight_line() -> None:
    async with plotted(Figure(TIMES.series[:1], TIMES.x, TIMES.y), (110, 40)) as (pilot, _):
        lines = shown_lines(pilot.app)
        assert {"1 µs", "1 ms", "1 s"} <= {line[:9].strip() for line in lines}
        (left, low), (middle, half), (right, high) = sorted(
            (line.index("●"), row) for row, line in enumerate(lines[3:]) if "●" in line
        )
        assert abs((left + right) / 2 - middle) <= 1
        assert abs((low + high) / 2 - half) <= 1
        assert low > half > high
    figure = Figure((Series("a", (0, 1, 10), (1.0, 0.0, 5.0)),), Axis("x", is_log=True), Axis("y", is_log=True))
    async with plotted(figure) as (pilot, _):  # a logarithm has no place for the others
        assert "\n".join(shown_lines(pilot.app)[3:]).count("●") == 1


async def test_ascii_mode_draws_ascii_alone() -> None:
    async with plotted(TIMES, ascii_only=True) as (pilot, _):
        text = shown(pilot.app)
        assert text.isascii(), text
        assert "o" in text
        assert "." in text
