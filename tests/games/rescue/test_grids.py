"""The shipped grids: their answers by every way there is or by a table proven cell by cell, and what each one says."""

from __future__ import annotations

import re
from math import comb

import pytest

from dungeon_tui.core.catalogue import levels_folder
from dungeon_tui.core.level import LevelFile
from dungeon_tui.games.rescue.ai.algorithms import solve
from dungeon_tui.games.rescue.ai.solver import best_path, needs
from dungeon_tui.games.rescue.model.dungeon import lessons, read_grid
from dungeon_tui.games.rescue.model.level import level_text, read_level
from tests import naive_grid_dp as naive
from tests.naive_rescue import greedy_path

Rows = list[list[int]]
Way = list[tuple[int, int]]

ANSWERS = {
    "classic": 7,
    "single-row": 6,
    "single-column": 8,
    "one-trap": 6,
    "one-power-up": 1,
    "one-nothing": 1,
    "zero-is-dead": 4,
    "all-traps": 24,
    "all-power-ups": 1,
    "greedy-fails": 11,
    "richest-fails": 8,
    "two-best-paths": 9,
    "many-probes": 2,
    "one-trap-too-many": 18,
    "three-rivers": 30,
}


def rows_of(name: str) -> Rows:
    rows: Rows = read_grid(name).grid.tolist()
    return rows


def richest_way(rows: Rows) -> Way:
    """The one with the largest sum."""
    best: dict[tuple[int, int], tuple[int, Way]] = {}
    for row, values in enumerate(rows):
        for col, value in enumerate(values):
            before = [best[cell] for cell in ((row - 1, col), (row, col - 1)) if cell in best]
            total, way = max(before, default=(0, []))
            best[row, col] = (total + value, [*way, (row, col)])
    return best[len(rows) - 1, len(rows[0]) - 1][1]


def test_every_grid_is_listed_once() -> None:
    assert list(lessons()) == list(ANSWERS)
    assert {path.stem for path in levels_folder("rescue").glob("*.txt")} == set(ANSWERS)


@pytest.mark.parametrize("name", ANSWERS)
def test_every_file_is_as_it_would_be_written(name: str) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
    data = (levels_folder("rescue") / f"{name}.txt").read_bytes()
    assert level_text(read_level(LevelFile(name, data))).encode() == data


@pytest.mark.parametrize("name", ANSWERS)
def test_every_lesson_is_a_short_sentence_that_keeps_the_answer_secret(name: str) -> None:
    lesson = lessons()[name]
    assert lesson[-1] in ".?"
    assert len(lesson) <= 76
    assert str(ANSWERS[name]) not in re.findall(r"[0-9]+", lesson)


@pytest.mark.parametrize("name", ANSWERS)
def test_the_answer_is_that_of_the_definition_and_where_they_are_few_of_trying_every_way(name: str) -> None:
    rows = rows_of(name)
    path = best_path(read_grid(name))
    assert needs(read_grid(name)).tolist() == naive.need_table(rows)
    assert naive.need_table(rows)[0][0] == naive.need_of(rows, path) == ANSWERS[name]
    assert list(path) == naive.best_path(rows)
    assert name == "three-rivers" or naive.minimum_health(rows) == ANSWERS[name]


def test_greed_and_riches_mislead_where_they_are_said_to() -> None:
    for name, (greedy, richest) in {"classic": (7, 8), "greedy-fails": (24, 11), "three-rivers": (79, 41)}.items():
        rows = rows_of(name)
        needs = naive.need_of(rows, greedy_path(rows)), naive.need_of(rows, richest_way(rows))
        assert needs == (greedy, richest)
        assert max(needs) > ANSWERS[name]
    assert naive.need_of(rows_of("richest-fails"), richest_way(rows_of("richest-fails"))) == 10 > 8
    row, col = naive.best_path(rows_of("greedy-fails"))[1]
    assert rows_of("greedy-fails")[row][col] < rows_of("greedy-fails")[col][row]  # the other one


def test_the_ends_are_what_they_are_called() -> None:
    assert [rows_of(name) for name in ("one-trap", "one-power-up", "one-nothing")] == [[[-5]], [[5]], [[0]]]
    assert (len(rows_of("single-row")), len(rows_of("single-column")[0])) == (1, 1)
    assert (rows_of("single-column")[-1][0], naive.minimum_health(rows_of("single-column")[:-1])) == (50, 8)
    zero, traps, ups = (rows_of(name) for name in ("zero-is-dead", "all-traps", "all-power-ups"))
    assert {tuple(zero[row][col] for row, col in way) for way in naive.paths(zero)} == {(-3, 3, -3)}
    assert all(value < 0 for values in traps for value in values)
    assert all(value > 0 for values in ups for value in values)
    assert naive.count_paths(ups, 1) == comb(6, 3)


def test_the_others_show_what_they_say() -> None:
    rows = rows_of("two-best-paths")
    best = [way for way in naive.paths(rows) if naive.need_of(rows, way) == 9]
    assert len(best) == 2
    assert all((1, 1) not in way for way in best)
    assert naive.best_path(rows)[1] == (0, 1)
    assert solve(read_grid("many-probes"), "binary-search").work.probes == 62
    rows = rows_of("one-trap-too-many")
    assert {sum(rows[row][col] <= -20 for row, col in way) for way in naive.paths(rows)} == {1}
    assert naive.best_relief(rows) == ((0, 4), 2)
    path = best_path(read_grid("three-rivers"))
    turns = sum(before[0] != after[0] and before[1] != after[1] for before, after in zip(path, path[2:], strict=False))
    assert (len(rows_of("three-rivers")), turns >= 15) == (20, True)
