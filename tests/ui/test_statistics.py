"""The screen of statistics: its calendar, its curves, and all of it in small and large terminals."""

from datetime import date, timedelta
from typing import Any

import pytest

from dungeon_tui.storage.results import Statistics, Streak, Tally
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.menu.statistics import StatisticsScreen, calendar, wins
from tests.ui.driving import running, shown_lines, wait_until

TODAY = date(2026, 3, 3)  # a Tuesday
TITLES = {"crawler": "Crawler", "chase": "Chase"}
SHADES = ".-+*#"


def summed_up(**won: list[date]) -> Statistics:
    days = {day: 3 for each in won.values() for day in each}
    tallies = {name: Tally(9, 5, len(each), 2, 1, 7_265.0) for name, each in won.items()}
    return Statistics(tallies, days, won, Streak(1, 4), Streak(0, 2), {})


@pytest.mark.parametrize(
    ("ago", "count", "row", "col", "shade"),
    [
        (0, 1, 1, 2, "-"),  # today, in the last week
        (1, 2, 0, 2, "+"),
        (2, 4, 6, 1, "*"),  # the Sunday before
        (8, 8, 0, 1, "#"),
        (15, 99, 0, 0, "#"),
    ],
)
def test_each_day_has_its_place(ago: int, count: int, row: int, col: int, shade: str) -> None:
    _, *rows = calendar({TODAY - timedelta(days=ago): count}, TODAY, 7, SHADES)
    places = {(r, c): sign for r, line in enumerate(rows) for c, sign in enumerate(line) if sign not in ". "}
    assert places == {(row, col): shade}
    assert [len(line.rstrip()) for line in rows] == [3, 3, 2, 2, 2, 2, 2]  # no day that is still to come


def test_wider_terminals_show_more_weeks_and_months_begin_in_theirs() -> None:
    assert [len(calendar({}, TODAY, width, SHADES)[1]) for width in (1, 30, 57, 109, 110, 300)] == [
        1, 26, 53, 53, 106, 106,
    ]  # fmt: skip
    months = calendar({}, TODAY, 30, SHADES)[0]
    assert months.split() == ["Oct", "Nov", "Dec", "Jan", "Feb"]  # no room for March in its first week
    assert months.index("Feb") == 4 + 20  # its first day is the Sunday of that week


def test_wins_are_counted_up_to_today() -> None:
    first = TODAY - timedelta(days=10)
    figure = wins(summed_up(crawler=[first, first, TODAY - timedelta(days=4)], chase=[]), TITLES, TODAY)
    (series,) = figure.series
    assert (series.name, [*series.x], [*series.y]) == ("Crawler", [0, 0, 6, 10], [1, 2, 3, 3])
    assert wins(summed_up(chase=[]), TITLES, TODAY) is None
    assert wins(summed_up(crawler=[TODAY]), TITLES, TODAY) is None  # a curve of one day is none


@pytest.mark.parametrize(("size", "ascii_only"), [((80, 24), False), ((40, 12), True)])
async def test_all_fits(size: tuple[int, int], ascii_only: bool) -> None:
    app: Any = DungeonApp(ascii_only=ascii_only)
    found = summed_up(crawler=[TODAY - timedelta(days=40), TODAY], chase=[TODAY])
    async with running(app, size=size) as pilot:
        await wait_until(pilot, lambda: app.screen_stack)
        app.push_screen(StatisticsScreen(found, TITLES, TODAY, app.glyphs))
        await wait_until(pilot, lambda: "All" in "\n".join(shown_lines(app)))
        lines = shown_lines(app)
        assert all(len(line) <= size[0] for line in lines)
        if ascii_only:
            assert "\n".join(lines).isascii()
        if size[0] >= 80:
            assert {"Crawler", "Chase", "All"} <= {line.split()[0] for line in lines if line.split()}
            assert any("a day" in line for line in lines)
