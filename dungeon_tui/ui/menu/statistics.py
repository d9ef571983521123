"""The statistics: numbers by game, days in a row, a calendar, and a plot of wins."""

from bisect import bisect
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Label, Static

from dungeon_tui.core.text import printable
from dungeon_tui.storage.results import Statistics, Streak, Tally
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.widgets.figure import Axis, Figure, Series
from dungeon_tui.ui.widgets.key_bar import KeyBar
from dungeon_tui.ui.widgets.plot import Plot

NOTHING = "No finished games yet. This page will show what you win, and on which days."
_LATER = "From the second day on, this plot shows the wins of each game."
_MOST_WEEKS = 53
_WIDTH = 78  # columns of the calendar as text
_LABELS = 4  # columns for the names of days
_DAYS = ("Mon", "", "Wed", "", "Fri", "", "Sun")
_STEPS = (0, 1, 2, 4, 8)  # least games per day for each shade
_SHADES, _ASCII_SHADES = "·░▒▓█", ".-+*#"
_MOST_MARKS = 6  # of a curve: more would hide one another
_COLUMNS = (("Begun", 8), ("Won", 6), ("Par", 6), ("Clean", 7), ("Time", 8))
_NAME = 11  # columns of a game's name


class StatisticsScreen(Screen[None]):
    """Numbers by game, streaks, a calendar and a plot of wins."""

    BINDINGS = [Binding("q,escape", "dismiss", show=False, id="statistics.leave")]

    def __init__(self, found: Statistics, titles: Mapping[str, str], today: date, glyphs: Glyphs) -> None:
        super().__init__()
        self._found, self._titles, self._today, self._glyphs = found, titles, today, glyphs

    def compose(self) -> ComposeResult:
        found = self._found
        yield Label("Statistics", classes="title")
        with Horizontal(id="numbers"):
            head, *rows, last = table(found, self._titles)
            yield Static(Content.assemble((head, "dim"), "\n".join(["", *rows, ""]), (last, "bold")), id="table")
            yield Static(id="calendar")
        yield Static(Content("\n".join([*runs(found), *points(found, self._titles)])), id="runs")
        figure = wins(found, self._titles, self._today)
        if figure is not None:
            yield Plot(figure, self._glyphs)
        else:
            yield Static(_LATER if found.by_game else NOTHING, id="nothing")
        yield KeyBar([("q", "Back", "dismiss")])

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_calendar)

    def _show_calendar(self) -> None:
        shown = self.query_one("#calendar", Static)
        months, *days, meanings = _calendar_lines(self._found.days, self._today, shown.size.width, self._glyphs)
        shown.update(Content.assemble((months, "dim"), "\n".join(["", *days, ""]), (meanings, "dim")))


def table(found: Statistics, titles: Mapping[str, str]) -> list[str]:
    """Numbers of each game that was played, and of all, below the names of the columns."""
    rows = [(titles[name], found.by_game[name]) for name in titles if name in found.by_game]
    head = "".join(name.rjust(width) for name, width in _COLUMNS)
    return [" " * _NAME + head, *(_row(name, tally) for name, tally in rows), _row("All", found.total)]


def _row(name: str, tally: Tally) -> str:
    texts = [f"{each:,}" for each in (tally.games, tally.wins, tally.pars, tally.clean)]
    return name.ljust(_NAME) + "".join(
        text.rjust(width) for text, (_, width) in zip([*texts, time_text(tally.seconds)], _COLUMNS, strict=True)
    )


def time_text(seconds: float) -> str:
    """A time in minutes, or from 100 minutes on in hours.

    >>> time_text(59), time_text(3600), time_text(7_265), time_text(500_000)
    ('0 min', '60 min', '2.0 h', '138.9 h')
    """
    return f"{seconds / 3600:,.1f} h" if seconds >= 6000 else f"{int(seconds) // 60} min"


def runs(found: Statistics) -> list[str]:
    """Sentences on days in a row, and on what counts as clean."""
    return [
        _run("Days in a row with a game played to its end", found.streak),
        _run("Dailies in a row", found.dailies),
        "Clean: won without hints, and without moves taken back.",
        "Calendar: games that ended on a day; tries begun again with r are one game.",
    ]


def points(found: Statistics, titles: Mapping[str, str]) -> list[str]:
    """A line with the best results of each game that counts points."""
    lines = []
    for name in titles:
        ends = [(each.score("points"), each) for each in found.points.get(name, ())]
        best = [f"{score.value:,} ({printable(each.title)}, {each.day})" for score, each in ends if score]
        lines += [f"{titles[name]}, most points: {', '.join(best)}."] if best else []
    return lines


def _run(what: str, run: Streak) -> str:
    return f"{what}: {run.present:,}; the most: {run.longest:,}."


def wins(found: Statistics, titles: Mapping[str, str], today: date) -> Figure | None:
    """Plot of the wins of each game up to today; None without any before today."""
    first = min((day for each in found.wins.values() for day in each), default=today)
    if first >= today:
        return None
    series = []
    for name, title in titles.items():
        if won := found.wins.get(name):
            marked = sorted({step * (len(won) - 1) // (_MOST_MARKS - 1) for step in range(_MOST_MARKS)})
            x, y = [(won[index] - first).days for index in marked], [index + 1 for index in marked]
            series.append(Series(title, [*x, max(x[-1], (today - first).days)], [*y, y[-1]]))
    return Figure(tuple(series), Axis(f"days since {first}"), Axis("games won"))


def _calendar_lines(days: Mapping[date, int], today: date, width: int, glyphs: Glyphs) -> list[str]:
    """The calendar with the names of days, and the meanings of its shades."""
    shades = _ASCII_SHADES if glyphs.is_ascii else _SHADES
    months, *rows = calendar(days, today, width, shades)
    named = [f"{name.ljust(_LABELS)}{row}" for name, row in zip(_DAYS, rows, strict=True)]
    key = " ".join(f"{shade} {step}" for shade, step in zip(shades, _STEPS, strict=True))
    return [months, *named, f"{' ' * _LABELS}{key}+ a day"]


def in_words(found: Statistics, titles: Mapping[str, str], today: date, glyphs: Glyphs) -> list[str]:
    """All that the screen shows, except the plot, as text."""
    return [*table(found, titles), "", *_calendar_lines(found.days, today, _WIDTH, glyphs), "", *runs(found)]


def calendar(days: Mapping[date, int], today: date, width: int, shades: str) -> list[str]:
    """A line with months, then one for each weekday from Monday on; the last column is this week."""
    columns = 2 if width - _LABELS >= 2 * _MOST_WEEKS else 1
    weeks = max(1, min(_MOST_WEEKS, (width - _LABELS) // columns))
    monday = today - timedelta(days=today.weekday())
    first = monday - timedelta(weeks=weeks - 1)
    rows = []
    for weekday in range(len(_DAYS)):
        row = ""
        for week in range(weeks):
            day = first + timedelta(weeks=week, days=weekday)
            shade = shades[bisect(_STEPS, days.get(day, 0)) - 1] if day <= today else " "
            row += shade * columns if shade in shades[1:] else shade.ljust(columns)
        rows.append(row)
    return [_months(first, weeks, columns), *rows]


def _months(first: date, weeks: int, columns: int) -> str:
    line = " " * _LABELS
    for week in range(weeks):
        day = first + timedelta(weeks=week, days=6)
        index = _LABELS + week * columns
        if day.day <= 7 and index + 3 <= _LABELS + weeks * columns:
            line = line.ljust(index) + f"{_MONTHS[day.month - 1]}"
    return line


_MONTHS: Sequence[str] = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
