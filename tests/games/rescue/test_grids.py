"""The shipped grids: their answers by every way there is or by a table proven cell by cell."""

from __future__ import annotations

import re

import pytest

from dungeon_tui.core.catalogue import levels_folder
from dungeon_tui.core.level import LevelFile
from dungeon_tui.games.rescue.ai.solver import best_path, needs
from dungeon_tui.games.rescue.model.dungeon import lessons, read_grid
from dungeon_tui.games.rescue.model.level import level_text, read_level
from tests import naive_grid_dp as naive

Rows = list[list[int]]
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
