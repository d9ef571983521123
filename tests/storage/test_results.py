"""Results: stored with their scores, compared with earlier ones, counted as stars, days in a row, and dailies."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from dungeon_tui.core.scores import Score
from dungeon_tui.storage.library import End, Library
from dungeon_tui.storage.results import (
    Record,
    Result,
    Streak,
    Tally,
    best_before,
    daily_line,
    daily_results,
    record,
    records,
    results,
    results_line,
    stars,
    statistics,
    streak,
)

CLEAN = {"is_won": True, "is_helped": False, "is_undone": False}


def moves(value: int, par: int | None = None) -> Score:
    return Score("moves", value, par)


def treasure(value: int, par: int | None = None) -> Score:
    return Score("treasure", value, par, is_less_better=False)


def result(*scores: Score, seed: int = 0, players: str = "{}", **flags: bool) -> Result:
    flags = CLEAN | flags
    return Result(
        1, 1, "nim", "a", seed, players, "", "", "", "2026-01-01 10:00:00", "won", **flags, seconds=1.0, scores=scores
    )


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(tmp_path / "library.db")
    with library.writing() as database:
        database.executemany("INSERT INTO levels VALUES (?, '')", [("a",), ("b",)])
    yield library
    library.close()


def add(
    library: Library,
    at: str,
    *scores: Score,
    is_won: bool = True,
    is_undone: bool = False,
    is_helped: bool = False,
    game: str = "nim",
    level: str = "a",
    daily: str = "",
    **values: Any,
) -> int:
    """Adds a game of one turn that ended; returns its id."""
    stored = library.begin(game=game, rules=1, level=level, seed=0, title="", is_helped=is_helped, **values)
    library.add_turns(stored.id, [(0, "1")], -1, -1, daily=daily)
    ended = End("won" if is_won else "lost", is_won, is_undone, 3.0, f"{at} 12:00:00")
    library.add_end(stored.id, 1, ended, scores)
    return stored.id


def test_scores_come_back_as_they_were_stored_and_an_end_is_stored_once(library: Library) -> None:
    stored = add(library, "2026-01-01", moves(50, 49), treasure(2), is_undone=True, is_helped=True)
    library.add_end(stored, 1, End("lost", False, False, 9.0, "2026-01-02 10:00:00"), [moves(1)])
    (found,) = results(library)
    assert found.scores == (moves(50, 49), treasure(2))
    assert (found.outcome, found.is_won, found.is_helped, found.is_undone) == ("won", True, True, True)
    assert found.day == date(2026, 1, 1)
    library.remove(stored)
    assert results(library) == []


@pytest.mark.parametrize(
    ("earlier", "now", "best"),
    [
        ([], [moves(50)], [None]),
        ([[moves(53)], [moves(60)]], [moves(50)], [53]),
        ([[moves(49)], [moves(60)]], [moves(50)], [49]),
        ([[treasure(3)], [treasure(1)]], [treasure(2)], [3]),
        # Fewer moves with less treasure are no better; with as much or more they are.
        ([[moves(10), treasure(1)], [moves(60), treasure(2)]], [moves(50), treasure(2)], [60, 2]),
        ([[moves(40), treasure(3)], [moves(60), treasure(2)]], [moves(50), treasure(2)], [40, 3]),
        ([[moves(10), treasure(1)]], [moves(50), treasure(2)], [None, 1]),
        ([[treasure(9)]], [moves(50), treasure(2)], [None, 9]),
        ([[], [moves(7)]], [moves(8)], [7]),  # a game lost has no scores
    ],
)
def test_the_best_before(earlier: list[list[Score]], now: list[Score], best: list[int | None]) -> None:
    assert best_before(now, [result(*scores) for scores in earlier]) == best


@pytest.mark.parametrize(
    ("found", "count"),
    [
        ([], 0),
        ([result(moves(49, 49), is_won=False)], 0),
        ([result(moves(50, 49))], 1),
        ([result(moves(49, 49), is_helped=True)], 2),
        ([result(moves(49, 49), is_undone=True)], 2),
        ([result(moves(49, 49))], 3),
        ([result(moves(48, 49))], 3),  # less than exact play would have needed: the other one erred
        ([result(moves(50, 49)), result(moves(49, 49))], 3),
        # Par in each aim, but in two games; then in one.
        ([result(moves(20, 20), treasure(1, 2))], 1),
        ([result(moves(20, 20), treasure(1, 2)), result(moves(40, 30), treasure(2, 2))], 2),
        ([result(moves(30, 30), treasure(2, 2))], 3),
        ([result(moves(30, 30), treasure(2))], 3),  # nobody knows the most
        ([result(moves(31), treasure(2, 2), is_helped=True)], 2),
        # Nothing has a par.
        ([result(moves(50))], 3),
        ([result(moves(50), is_helped=True)], 1),
        ([result(moves(50), is_helped=True), result(is_undone=True)], 2),
        ([result()], 3),
        # Each of the seats counts for itself.
        ([result(moves(50, 49), players="a"), result(moves(9, 9), players="b", is_helped=True)], 2),
        ([result(moves(50, 49), seed=1), result(moves(9, 9), seed=2)], 3),
    ],
)
def test_stars(found: list[Result], count: int) -> None:
    assert stars(found) == count


def test_stars_are_found_by_arguments_and_by_the_levels_hash(library: Library) -> None:
    add(library, "2026-01-01", moves(50, 49), arguments="caves")
    add(library, "2026-01-02", moves(49, 49), is_helped=True)  # of the same level, as a file
    add(library, "2026-01-02", moves(49, 49), level="b")  # another level, which has no name
    add(library, "2026-01-02", moves(49, 49), game="crawler")  # another game
    add(library, "2026-01-02", moves(50, 49), game="crawler", arguments="caves", level="b", is_won=False)
    found = records(library)
    assert [(*level, each.stars) for level, each in found.items()] == [("crawler", "caves", 0), ("nim", "caves", 2)]
    assert found["nim", "caves"] == Record(2, 2, 2, (moves(49, 49),), 3.0)
    assert found["crawler", "caves"] == Record(0, 1, 0, (moves(50, 49),), None)


@pytest.mark.parametrize(
    ("days", "today", "found"),
    [
        ([], "2026-03-02", Streak(0, 0)),
        (["2026-03-02"], "2026-03-02", Streak(1, 1)),
        (["2026-03-01"], "2026-03-02", Streak(1, 1)),  # today may still come
        (["2026-02-28"], "2026-03-02", Streak(0, 1)),
        (["2026-02-27", "2026-02-28", "2026-03-01"], "2026-03-02", Streak(3, 3)),
        (["2028-02-28", "2028-02-29", "2028-03-01"], "2028-03-01", Streak(3, 3)),
        (["2028-02-28", "2028-03-01"], "2028-03-01", Streak(1, 1)),
        (["2025-12-30", "2025-12-31", "2026-01-01", "2026-01-03"], "2026-01-03", Streak(1, 3)),
        (["2026-01-03", "2026-01-01", "2026-01-03", "2026-01-02"], "2026-01-04", Streak(3, 3)),
    ],
)
def test_days_in_a_row(days: list[str], today: str, found: Streak) -> None:
    assert streak([date.fromisoformat(day) for day in days], date.fromisoformat(today)) == found


def test_only_one_try_of_a_daily_counts_and_its_first_end_does(library: Library) -> None:
    first = add(library, "2026-11-22", moves(90, 84), daily="2026-11-22", is_won=False)
    with library.writing() as database:
        database.execute("INSERT INTO turns VALUES (?, 2, 0, '2')", (first,))
    library.add_end(first, 2, End("won", True, True, 9.0, "2026-11-22 13:00:00"), [moves(84, 84)])
    second = add(library, "2026-11-22", moves(84, 84), daily="2026-11-22")
    other = add(library, "2026-11-22", moves(10), daily="2026-11-22", game="crawler")
    assert [each.daily for each in library.games("id = ?", second)] == [""]
    found = daily_results(library, date(2026, 11, 22))
    assert {game: (each.id, each.turn) for game, each in found.items()} == {"nim": (first, 1), "crawler": (other, 1)}
    assert daily_results(library, date(2026, 11, 21)) == {}


def test_the_line_of_a_day_has_the_games_in_the_requested_order(library: Library) -> None:
    day, names = date(2026, 11, 22), ("crawler", "nim", "delve")
    assert daily_line(library, day, names) == ""
    add(library, "2026-11-22", moves(90, 84), treasure(2), daily="2026-11-22", is_helped=True)
    add(library, "2026-11-23", is_won=False, daily="2026-11-22", game="crawler")
    assert daily_line(library, day, names) == "dungeon-tui 2026-11-22  crawler lost  nim 90/84 par  with hints"


def test_the_line_of_a_day_shows_figures_of_wins_and_points_and_depth_of_a_loss_and_explains_par_once() -> None:
    day = date(2026, 11, 22)
    played = [result(moves(84, 84)), result(moves(52, 52)), result(), result(moves(812)), result(is_won=False)]
    assert (
        results_line(day, played)
        == "dungeon-tui 2026-11-22  nim 84/84 par  nim 52/52  nim won ★★★  nim 812  nim won  no hints"
    )
    lost = result(Score("points", 1720), Score("depth", 10), is_won=False, is_helped=True)
    assert results_line(day, [lost]) == "dungeon-tui 2026-11-22  nim 1720, depth 10  with hints"


def test_what_all_results_come_to(library: Library) -> None:
    add(library, "2026-02-26", moves(50, 49), is_won=False)
    add(library, "2026-02-27", moves(50, 49))
    add(library, "2026-02-28", moves(49, 49), is_helped=True)
    add(library, "2026-02-28", moves(49, 49), game="crawler", daily="2026-02-28")
    add(library, "2026-03-01", game="crawler", daily="2026-03-01", is_undone=True)
    add(library, "2026-03-01", game="crawler", daily="2026-02-20")  # a day's daily, made up for later
    library.add_turns(library.begin(game="rescue", rules=1, level="a", seed=0, title="").id, [(0, "1")], -1, -1)
    library.add_turns(1, [(0, "2")], -1, -1)
    library.add_end(1, 2, End("lost", False, False, 3.0, "2026-02-26 13:00:00"), [])  # after r: the same game
    found = statistics(library, date(2026, 3, 2))
    assert found.by_game == {
        "nim": Tally(3, 4, 2, 1, 1, 0),
        "crawler": Tally(3, 3, 3, 1, 2, 0),
        "rescue": Tally(1, 0, 0, 0, 0, 0),
    }
    assert found.total == Tally(7, 7, 5, 2, 3, 0)
    assert found.days == {date(2026, 2, 26): 1, date(2026, 2, 27): 1, date(2026, 2, 28): 2, date(2026, 3, 1): 2}
    assert found.wins["nim"] == [date(2026, 2, 27), date(2026, 2, 28)]
    assert (found.streak, found.dailies) == (Streak(4, 4), Streak(2, 2))


@pytest.mark.parametrize("at", ["yesterday", "now", "2026-02-30", "0000-01-01", "12:00", "2460000.5", "2026-1-1", ""])
def test_an_end_of_no_day_counts_for_nothing(library: Library, at: str) -> None:
    add(library, at, moves(49, 49))
    assert results(library) == []
    assert statistics(library, date(2026, 3, 2)).streak == Streak(0, 0)


@pytest.mark.parametrize(
    ("table", "change", "left"),
    [
        ("scores", "value = 'many'", [()]),
        ("scores", "value = 4.5", [()]),
        ("scores", "par = x'00'", [()]),
        ("scores", "aim = 'mo' || char(27) || 'ves'", [(Score("mo\\x1bves", 49, 49),)]),
        ("scores", "aim = 7", [(Score("7", 49, 49),)]),
        ("ends", "seconds = 'long'", []),
        ("ends", "at = 5", []),
        ("ends", "is_won = 'yes'", [(moves(49, 49),)]),
    ],
)
def test_damaged_results_are_left_out_or_shown_safely(
    library: Library, table: str, change: str, left: list[tuple[Score, ...]]
) -> None:
    add(library, "2026-01-01", moves(49, 49))
    with library.writing() as database:
        database.execute(f"UPDATE {table} SET {change}")
    assert [each.scores for each in results(library)] == left


def test_the_table_of_points_has_the_most_first_and_none_with_moves_taken_back(library: Library) -> None:
    for number, value in enumerate((30, 70, 10, 70, 50, 20)):
        add(library, f"2026-01-0{number + 1}", Score("points", value, None, is_less_better=False))
    add(library, "2026-01-07", Score("points", 99, None, is_less_better=False), is_undone=True)
    add(library, "2026-01-08", moves(5))
    (table,) = statistics(library, date(2026, 1, 2)).points.values()
    assert [each.scores[0].value for each in table] == [70, 70, 50, 30, 20]
    assert [each.value for each in record(results(library)).bests] == [70, 5]
