"""Grids: the shipped ones and their answers, by every way there is; finding them by name, openings, recordings."""

import re
from collections.abc import Callable
from itertools import accumulate, groupby
from pathlib import Path

import pytest

from dungeon_tui.core.catalogue import levels_folder
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel
from dungeon_tui.games.rescue.ai.algorithms import solve
from dungeon_tui.games.rescue.ai.solver import best_path, needs
from dungeon_tui.games.rescue.model.dungeon import (
    lessons,
    named,
    open_file,
    openings,
    pack_level,
    read_grid,
    sidecar,
    unpack_level,
)
from dungeon_tui.games.rescue.model.level import level_text, read_level
from tests import naive_grid_dp as naive
from tests.games.rescue.grids import CLASSIC

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
    "three-rivers": 14,
    "low-water": 5,
    "thin-ice": 5,
}


# Of each purchase the least gold, the least on a shortest path, and the power-ups worth taking.
PURCHASES = {
    "first-bargain": (5, 9, [6]),
    "more-than-enough": (5, 8, []),
    "long-way-round": (5, 8, []),
    "there-and-back": (6, 7, [9]),
    "not-twice": (9, 13, []),
    "toll-gate": (4, 5, []),
    "too-late": (6, 10, [6]),
    "either-or": (6, 8, [6]),
    "second-helping": (7, 12, [7, 9]),
    "hand-in-hand": (11, 14, [5, 6]),
    "first-things-first": (5, 10, [5, 8]),
    "over-the-threshold": (8, 12, [9]),
    "clear-floor": (6, 10, [3, 8]),
    "larder": (10, 15, [3, 7, 11]),
    "crossroads": (13, 15, [9, 9, 10]),
    "on-the-house": (5, 8, [5, 7, 9]),
    "small-change": (5, 9, [2, 2, 3, 3]),
    "short-by-one": (6, 7, [3, 3]),
    "keep-the-change": (13, 17, [7, 7]),
    "from-hand-to-mouth": (11, 13, [4, 4, 6, 6, 7]),
    "dear-company": (21, 24, [5, 7, 9, 10]),
    "window-shopping": (12, 15, []),
    "full-round": (18, 21, [5, 7, 10, 10]),
    "last-coin": (20, 26, [3, 4, 5, 5, 11]),
}
LEAST_GOLD = {name: least for name, (least, _, _) in PURCHASES.items()}


def rows_of(name: str) -> Rows:
    rows: Rows = read_grid(name).grid.tolist()
    return rows


def test_every_grid_is_listed_once() -> None:
    assert [*lessons()][: len(PURCHASES)] == [*PURCHASES]
    assert {*lessons()} == {*ANSWERS, *PURCHASES}
    assert {path.stem for path in levels_folder("rescue").glob("*.txt")} == {*ANSWERS, *LEAST_GOLD}


@pytest.mark.parametrize("name", [*ANSWERS, *PURCHASES])
def test_every_file_is_as_it_would_be_written_and_its_lesson_short_and_true(name: str) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
    data = (levels_folder("rescue") / f"{name}.txt").read_bytes()
    assert level_text(read_level(LevelFile(name, data))).encode() == data
    lesson = lessons()[name]
    assert lesson[-1] in ".?"
    assert len(lesson) <= 76
    assert name in PURCHASES or str(ANSWERS[name]) not in re.findall(r"[0-9]+", lesson)  # it is kept secret
    assert name not in CLAIMS or CLAIMS[name](rows_of(name), ANSWERS[name])


@pytest.mark.parametrize("name", ANSWERS)
def test_the_answer_is_that_of_the_definition_and_where_they_are_few_of_trying_every_way(name: str) -> None:
    rows = rows_of(name)
    path = best_path(read_grid(name))
    assert needs(read_grid(name)).tolist() == naive.need_table(rows)
    assert naive.need_table(rows)[0][0] == naive.need_of(rows, path) == ANSWERS[name]
    assert list(path) == naive.best_path(rows)
    assert naive.minimum_health(rows) == ANSWERS[name]


def need(values: list[int]) -> int:
    return max(1, 1 - min(accumulate(values)))


def ways(rows: Rows) -> list[list[int]]:
    """The numbers along every way, the richest way first."""
    return sorted(([rows[row][col] for row, col in way] for way in naive.paths(rows)), key=sum, reverse=True)


def greedy(rows: Rows, row: int = 0, col: int = 0) -> list[int]:
    """The numbers along the way that goes on to the larger number."""
    near = [(r, c) for r, c in ((row, col + 1), (row + 1, col)) if r < len(rows) and c < len(rows[0])]
    return [rows[row][col], *(greedy(rows, *max(near, key=lambda cell: rows[cell[0]][cell[1]])) if near else [])]


CLAIMS: dict[str, Callable[[Rows, int], bool]] = {  # of the numbers and the answer
    **dict.fromkeys(("single-row", "single-column"), lambda rows, _: len(ways(rows)) == 1),
    **dict.fromkeys(("classic", "richest-fails"), lambda rows, least: need(ways(rows)[0]) > least),
    **dict.fromkeys(("low-water", "thin-ice"), lambda rows, least: [need(way) for way in ways(rows)].count(least) == 1),
    **dict.fromkeys(("greedy-fails", "three-rivers"), lambda rows, least: need(greedy(rows)) > 2 * least),
    "zero-is-dead": lambda rows, _: all(way == [-3, 3, -3] for way in ways(rows)),
    "all-traps": lambda rows, least: max(map(max, rows)) < 0 and 1 - sum(ways(rows)[0]) == least,
    "all-power-ups": lambda rows, _: min(map(min, rows)) > 0 and naive.count_paths(rows, 1) == 20,
    "two-best-paths": lambda rows, least: naive.count_paths(rows, least) == 2 and naive.best_path(rows)[1] == (0, 1),
    "many-probes": lambda *_: solve(read_grid("many-probes"), "binary-search").work.probes == 62,
    "one-trap-too-many": lambda rows, _: all(sum(each <= -20 for each in way) == 1 for way in ways(rows)),
}


def test_a_path_is_read_and_named_after_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.grid.txt"
    path.write_text("1 2\n")
    level = read_grid(str(path))
    assert (level.grid.tolist(), level.name, level.lesson) == ([[1, 2]], "mine.grid", "")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "classic").write_text("9\n")
    assert read_grid("classic").grid.tolist() == CLASSIC  # shipped names win
    assert read_grid("./classic").grid.tolist() == [[9]]


@pytest.mark.parametrize("arguments", ["there-and-back", "classic"])
def test_a_packed_grid_is_the_same_one(arguments: str) -> None:
    level = named(arguments).load()
    again = unpack_level(pack_level(level))
    for name in ("name", "lesson", "fee", "purse"):
        assert getattr(again, name) == getattr(level, name)


def test_a_pack_that_is_none_is_refused() -> None:
    file = LevelFile("a.txt", b"1 2\n")
    for files in ((), (file, file)):
        with pytest.raises(LevelError, match="holds one grid"):
            unpack_level(PackedLevel(files))
    with pytest.raises(LevelError, match="1:1: 'x'"):
        unpack_level(PackedLevel((LevelFile("a.txt", b"x\n"),)))
    assert unpack_level(PackedLevel((file,))).name == "recording"
    assert unpack_level(PackedLevel((file,), {"name": "\x1b", "lesson": 3})).name == "\\x1b"


def test_the_menu_offers_every_grid_but_those_for_programs() -> None:
    offered = openings()
    grids = [(name, lesson) for name, lesson in lessons().items() if name not in sidecar()["grids"]]
    assert [(opening.arguments, opening.summary) for opening in offered] == grids
    assert len({opening.title for opening in offered}) == len(offered)
    groups = [group for group, _ in groupby(opening.group for opening in offered)]
    assert len(groups) == len({*groups} - {""}) == 5  # four chapters, walks
    for opening in offered:
        level = opening.load()
        assert level.name == opening.arguments
        assert (level.fee is not None) == (level.name in LEAST_GOLD)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("-2 -3 3", [[-2, -3, 3]]),
        (" +4,\t-5\r\n 6, 7\n", [[4, -5], [6, 7]]),
        ("5", [[5]]),
        ("[[1, 2], [3, 4]]", [[1, 2], [3, 4]]),
        (" [ [1] ]", [[1]]),
        ("1 " * 5000, [[1] * 5000]),
    ],
)
def test_a_pasted_grid_opens(text: str, rows: list[list[int]]) -> None:
    opening = open_file(text)
    assert (opening.title, opening.load().grid.tolist()) == ("Pasted grid", rows)


@pytest.mark.parametrize("text", ["[1, 2]", "[", "1 2,", "2-3", "[x].txt"])
def test_what_was_pasted_wrongly_is_reported_as_a_grid(text: str) -> None:
    with pytest.raises(LevelError) as caught:
        open_file(text).load()
    assert caught.value.file == "pasted grid"


def test_names_of_files_that_look_like_grids_and_texts_that_are_neither(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("12", "[1].txt"):
        (tmp_path / name).write_text("9\n")
        assert open_file(name).load().grid.tolist() == [[9]]
    for text in ("-", "+ ,", "grid 1", ""):
        assert open_file(text).title != "Pasted grid"
