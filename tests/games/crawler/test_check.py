"""`crawler check`: every oddity, several files, and the JSON that scripts rely on."""

import json
from pathlib import Path

import pytest
from hypothesis import given

from dungeon_tui.core.level import FileReport
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.check import check_files, oddities
from dungeon_tui.games.crawler.model.dungeon import alone
from dungeon_tui.games.crawler.model.level import Level
from tests.games.crawler.pictures import level_of, levels
from tests.naive_escape import fewest_moves
from tests.processes import call
from tests.ui.driving import level_text

NO_WAY_OUT = "no way out: the level has neither a door '?' nor a gate '!'"
TOO_EARLY = "a gate '!' before the last level: the game may end here"
SHUT_OFF = "this way out can't be reached: walls or other ways out shut it off"
NEEDS_TREASURE = "this gate opens only with treasure from an earlier level: you can't reach any in this level"
NO_TREASURE = "this treasure can't be reached"
BESIDE = "a monster next to the start: it catches you unless you step out of its line"


def check(folder: Path, *rows: str, name: str = "level.txt", others: tuple[str, ...] = ()) -> FileReport:
    path = folder / name
    path.write_text(level_text(*rows))
    return next(check_files([str(path), *others]))[0]


def found(report: FileReport) -> list[tuple[int, int, str]]:
    return [(finding.line, finding.column, finding.message) for finding in report.warnings]


def place(row: int, col: int) -> tuple[int, int]:
    """Line and column of a tile in what `level_text` writes."""
    return row + 3, 2 * col + 1


def test_a_level_with_nothing_odd(tmp_path: Path) -> None:
    assert check(tmp_path, "o-$?") == FileReport(str(tmp_path / "level.txt"), (), ())
    assert not check(tmp_path, "o-$!").errors


def test_a_way_out_before_the_last_level(tmp_path: Path) -> None:
    (tmp_path / "cave2.txt").write_text(level_text("o$!"))
    assert found(check(tmp_path, "?o-$!", name="cave1.txt")) == [(*place(0, 4), TOO_EARLY)]
    assert found(check(tmp_path, "o-$!", name="cave2.txt")) == []  # the last one
    assert found(check(tmp_path, "o-$!", name="other1.txt")) == []


def test_a_next_level_may_be_among_the_files_given(tmp_path: Path) -> None:
    early = [(*place(0, 2), TOO_EARLY)]
    assert found(check(tmp_path, "o$!", name="x9.txt", others=(str(tmp_path / "x10.txt"),))) == early
    assert found(check(tmp_path, "o$!", name="x9.txt", others=(str(tmp_path / "x11.txt"),))) == []
    assert found(check(tmp_path, "o$!", name="7.txt", others=(str(tmp_path / "8.txt"),))) == early


ODD: dict[str, tuple[str, list[tuple[int, int, str]]]] = {
    "no way out at all": ("o-$M", [(1, 1, NO_WAY_OUT)]),
    "pillars shut the way out off": ("o+? -++ -$!", [(*place(0, 2), SHUT_OFF)]),
    "both ways out": ("o+! $+?", [(*place(0, 2), SHUT_OFF), (*place(1, 2), SHUT_OFF)]),
    "a door shuts off, too": ("o?! +++", [(*place(0, 2), SHUT_OFF)]),
    "unless a monster may break it": ("o?$! +++M", []),
    "corners let nobody through": ("o+ +?", [(*place(1, 1), SHUT_OFF)]),
    "treasure out of reach": ("o-+$ -?++ -+-$", [(*place(0, 3), NO_TREASURE), (*place(2, 3), NO_TREASURE)]),
    "no treasure for the way out": ("o-!", [(*place(0, 2), NEEDS_TREASURE)]),
    "nor with a door beside it": ("o-! --?", [(*place(0, 2), NEEDS_TREASURE)]),
    "only out of reach": ("o! ++ $-", [(*place(0, 1), NEEDS_TREASURE), (*place(2, 0), NO_TREASURE)]),
    "two ways out": ("o-$! --$!", []),
    "a monster above the start": ("M o ?", [(*place(0, 0), BESIDE)]),
    "below": ("? o M", [(*place(2, 0), BESIDE)]),
    "to the left": ("Mo?", [(*place(0, 0), BESIDE)]),
    "to the right": ("?oM", [(*place(0, 2), BESIDE)]),
    "monsters further off or at a corner": ("M-M -o- M-? -M-", []),
    "over the right edge into the copy": ("++++ ?+o@ ++++", []),
    "no copy without an amulet": ("++++ ?+o- ++++", [(*place(1, 0), SHUT_OFF)]),
    "through the copy, to its amulet below, and right": ("--+o@ +-+++ +---- ++++- ?+++-", []),
    "the same without amulets": ("--+o- +-+++ +---- ++++- ?+++-", [(*place(4, 0), SHUT_OFF)]),
    "an amulet out of reach": ("!+o-+@", [(*place(0, 0), SHUT_OFF)]),
}


@pytest.mark.parametrize(("picture", "expected"), ODD.values(), ids=ODD.keys())
def test_what_is_odd_about_a_level(tmp_path: Path, picture: str, expected: list[tuple[int, int, str]]) -> None:
    assert found(check(tmp_path, *picture.split())) == expected


@pytest.mark.parametrize(
    "picture",
    [
        "-+o@ --++ +--+ ?+-- ++++",  # in the third copy to the right
        "--+?+ +--++ o+--+ @++-+",  # the same downward
        ODD["through the copy, to its amulet below, and right"][0],
    ],
)
def test_a_map_is_looked_through_as_far_as_two_doublings_let_it_grow(
    monkeypatch: pytest.MonkeyPatch, picture: str
) -> None:
    level = level_of(*picture.split())
    twice_doubled = 16 * level.tiles.size
    for most, is_barred in ((twice_doubled, False), (twice_doubled - 1, True)):
        monkeypatch.setattr("dungeon_tui.games.crawler.model.check._MOST_CELLS", most)
        assert any(odd.bar for odd in oddities(level)) is is_barred


def test_treasure_for_a_way_out_may_come_from_an_earlier_level(tmp_path: Path) -> None:
    needs = [(*place(0, 2), NEEDS_TREASURE)]
    assert found(check(tmp_path, "o-!", name="cave2.txt")) == needs
    assert found(check(tmp_path, "o-!", name="cave2.txt", others=(str(tmp_path / "cave1.txt"),))) == []
    (tmp_path / "cave1.txt").write_text(level_text("o$?"))
    assert found(check(tmp_path, "o-!", name="cave2.txt")) == []
    assert found(check(tmp_path, "o-!", name="cave4.txt")) == needs
    (tmp_path / "well0.txt").write_text(level_text("o$?"))
    assert found(check(tmp_path, "o-!", name="well1.txt")) == needs  # levels count from 1


@pytest.mark.parametrize(
    ("picture", "is_barred"),
    [("o$-", True), ("o+? $+!", True), ("o?!", False), ("o-!", True), ("o!+$", True), ("o!+$ -?--", False),
     ("o!$", True), ("$o!", False)],
)  # fmt: skip
def test_whether_a_level_can_be_left(picture: str, is_barred: bool) -> None:
    assert any(odd.bar for odd in oddities(level_of(picture))) is is_barred


@given(levels(b"-+$?!M"))
def test_where_something_bars_the_way_no_line_leads_out(level: Level) -> None:
    if any(odd.bar for odd in oddities(level)):
        assert fewest_moves(rules.start(alone(level)), 0, 0, 20_000, by_door=True) == (None, -1)


def test_errors_are_listed_all_together_and_no_oddities_beside_them(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("2 3\n9 0\n-x-\n-y$$\n")
    ((report, level),) = check_files([str(path)])
    assert (level, report.warnings) == (None, ())
    assert [(error.line, error.column) for error in report.errors] == [(2, 1), (3, 2), (4, 2), (4, 4)]


def test_lines_and_columns_count_characters_wherever_the_tiles_stand(tmp_path: Path) -> None:
    path = tmp_path / "free.txt"
    path.write_text("\ufeff1 5 0\n0\n\n  o".replace("o", "-") + "-+\n\t$ !")
    ((report, _),) = check_files([str(path)])
    assert found(report) == [(5, 2, NO_TREASURE), (5, 4, SHUT_OFF)]


def test_several_files_and_standard_input_as_json_and_for_people(tmp_path: Path) -> None:
    good, odd, bad, missing = (tmp_path / f"{name}.txt" for name in ("good", "odd", "bad", "missing"))
    good.write_text(level_text("o$!"))
    odd.write_text(level_text("oM?"))
    bad.write_text("1 1\n0 0\nx\n")
    files = [str(path) for path in (good, odd, bad, missing)]
    reports = [report for report, _ in check_files(files)]
    done = call("crawler", "check", "--json", *files)
    assert (done.returncode, done.stdout.count(b"\n")) == (1, 1)
    assert b"2 of 4 files" in done.stderr
    fine = {"ok": True, "errors": [], "warnings": []}
    wrong = {
        each: {"line": line, "column": 1, "message": report.errors[0].message}
        for each, line, report in zip(("bad", "missing"), (3, 1), reports[2:], strict=True)
    }
    assert json.loads(done.stdout) == {
        "files": [
            {"file": str(good), **fine},
            {"file": str(odd), **fine, "warnings": [{"line": 3, "column": 3, "message": BESIDE}]},
            {"file": str(bad), **fine, "ok": False, "errors": [wrong["bad"]]},
            {"file": str(missing), **fine, "ok": False, "errors": [wrong["missing"]]},
        ]
    }
    done = call("crawler", "check", *files)
    folder = str(tmp_path)
    assert done.stdout.decode().splitlines() == [line for report in reports for line in report.lines()]
    assert [f"{folder}{line.removeprefix(folder).split(' ')[0]}" for report in reports for line in report.lines()] == [
        f"{good}:", f"{odd}:3:3:", f"{odd}:", f"{bad}:3:1:", f"{missing}:1:1:"
    ]  # fmt: skip
    for text, is_ok in ((level_text("o$!").encode(), True), (bytes(range(256)), False)):
        done = call("crawler", "check", "--json", "-", given=text)
        (entry,) = json.loads(done.stdout)["files"]
        assert (entry["file"], entry["ok"], done.returncode) == ("-", is_ok, int(not is_ok))


def test_what_levels_are_worth_as_json(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(level_text("--o-M-$!", "?-------"))
    bad.write_text("1 1\n0 0\nx\n")
    done = call("crawler", "check", "--solve", "--json", str(good), str(bad))
    first, second = json.loads(done.stdout)["files"]
    assert set(first) == set(second) == {"file", "ok", "errors", "warnings", "solved"}
    assert first["solved"] == {
        "max_doublings": 2,
        "can_be_won": True,
        "needs_treasure_brought": False,
        "with_treasure_brought": None,
        "moves": 3,
        "lower_bound": 3,
        "commands": first["solved"]["commands"],
        "most_treasure": 0,
        "treasure_known": 0,
        "amulet_needed": False,
        "shortest_solutions": 3,
        "shortest_solutions_counted_to": 1_000_000,
        "monsters": 1,
        "monsters_that_matter": [],
        "proven": dict.fromkeys(first["solved"]["proven"], True),
    }
    assert sorted(first["solved"]["commands"]) == ["a", "a", "s"]
    assert second["solved"] is None
    assert done.returncode == 1
