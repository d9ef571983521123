"""Sentences about levels, dungeons, par and worth: all of them stand in sentences.txt, and in no other test."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.games.crawler import commands
from dungeon_tui.games.crawler.ai.par import Par, Point, caption, read_par, result_text, summary
from dungeon_tui.games.crawler.ai.solver import Escape
from dungeon_tui.games.crawler.ai.worth import Certifier
from dungeon_tui.games.crawler.model.check import oddities
from dungeon_tui.games.crawler.model.dungeon import read_dungeon
from dungeon_tui.games.crawler.model.level import parse_level
from tests.games.crawler.pictures import level_of

Said = Iterator[tuple[str, str]]  # what is told, and the sentence
Golden = Callable[[Path, str], None]

BROKEN_LEVELS: dict[str, str | bytes] = {
    "NUL": b"2 2\n0 0\n--\x00-",
    "bytes that are no text": b"2 2\n0 0\n\xff---",
    "UTF-16": b"\xff\xfe2\x00 \x002\x00\n\x000\x00 \x000\x00\n\x00-\x00-\x00-\x00-\x00",
    "nothing at all": "",
    "blanks only": " \n\t\n",
    "a byte order mark only": "\ufeff",
    "no columns": "2",
    "no start row": "2 2\n",
    "no start column": "2 2\n0",
    "rows that are a word": "two 2\n0 0\n----",
    "columns that are a letter": "2 x\n0 0\n----",
    "a start row that is a fraction": "2 2\n1.5 0\n----",
    "a start column that is a tile": "2 2\n0 -\n----",
    "numbers in another notation": "0x2 2\n0 0\n----",
    "numbers with underscores": "1_0 2\n0 0\n----",
    "digits of another script": "\u0663 2\n0 0\n----",
    "a foreign letter after a digit": "3\xe9 2\n0 0\n----",
    "a number after foreign letters": "\xe9\xe9 2\xe9\n0 0\n----",
    "an escape sequence for a number": "\x1b[2J 2\n0 0\n--",
    "a lone escape for a number": "2 \x1b\n0 0\n--",
    "a byte order mark within": "2 2\n\ufeff0 0\n----",
    "0 rows": "0 2\n0 0\n",
    "0 columns": "2 00\n0 0\n",
    "negative rows": "-1 2\n0 0\n",
    "negative columns": "2 -7\n0 0\n",
    "too many rows": "1000000 1\n0 0\n",
    "too many columns": "1 1000000\n0 0\n",
    "5000 digits": "9" * 5000 + " 1\n0 0\n",
    "5000 negative digits": "1 -" + "9" * 5000 + "\n0 0\n",
    "5000 letters": "x" * 5000 + " 1\n0 0\n",
    "too many tiles to address": "46341 46341\n0 0\n-",
    "the largest sides": "999999 999999\n0 0\n-",
    "a negative start row": "2 2\n-1 0\n----",
    "a negative start column": "2 2\n0 -1\n----",
    "a start row of 5000 digits": "2 2\n" + "7" * 5000 + " 0\n----",
    "a start below the map": "2 3\n2 0\n------",
    "a start right of the map": "2 3\n0 3\n------",
    "a start on a pillar": "2 2\n1 0\n--\n+-",
    "a start on treasure": "1 2\n0 1\n-$",
    "a start on a monster": "1 1\n0 0\nM",
    "a start on an amulet": "1 1\n0 0\n@",
    "a start on a door": "1 1\n0 0\n?",
    "a start on a way out": "1 1\n0 0\n!",
    "no tiles": "2 2\n0 0\n",
    "too few tiles": "2 2\n0 0\n- -\n-",
    "too few tiles by far": "999999 2147\n0 0\n-",
    "an unknown tile": "2 2\n0 0\n- -\n- x",
    "a digit for a tile": "2 2\n0 0\n- -\n- 0",
    "a small m": "2 2\n0 0\n- -\n- m",
    "the adventurer as a tile": "2 2\n0 0\no -\n- -",
    "an unknown tile after wide characters": "1 4\n0 0\n-\xe9\u20acx",
    "an emoji": "1 2\n0 0\n-\U0001f600",
    "a space that is no blank": "1 2\n0 0\n-\xa0-",
    "a line end that is no blank": "1 2\n0 0\n-\x85-",
    "an escape sequence": "1 4\n0 0\n-\x1b[m",
    "a backspace": "1 2\n0 0\n-\x08",
    "a separator that is no blank": "1 2\n0 0\n-\x1c-",
    "a tile too many": "2 2\n0 0\n- -\n- - -",
    "a word at the end": "1 2\n0 0\n--\nby me",
    "an escape at the end": "1 2\n0 0\n--\x1b",
    "a foreign letter at the end": "1 2\n0 0\n--\xe9",
    "a last tile of several bytes": "1 1\n0 0\n\xe9",
    "a pillar as a start row off the map": "1 1\n3 0\n---M",
    "a start column off the map, looked for on no tile": "2 1\n0 1\n-M",
    "four wrong numbers": "x 0\ny z\n",
    "wrong starts that hide no tile": "1 2\n-1 9999999-x",
    "unknown and too few": "1 4\n0 0\n- x \xe9",
    "all that is wrong": "2 2\n5 1\n- x\ny - \xe9 -",
}
SIDECARS = (
    "title =",
    "\n\ntitle = 'x",
    "title = 3",
    "summary = ['a']",
    "levels = 3",
    "levels = ['x']",
    "[[levels]]\nhint = 3",
    'title = "a\\u001b[31mb"',
    'author = "a\\u202eb"',
    "title = 'a\x1b'",
    "title = 'a\0'",
    "order = ",
)
LEVELS = {
    "none leads out": "o-$M",
    "a way out before the last level": "o$!?",
    "shut off": "o+? -++ -$!",
    "all are shut off": "o+? $+!",
    "treasure must be brought": "o-!",
    "treasure out of reach": "o!+$",
    "a monster beside the start": "Mo?",
}
HEADER = {"format": "dungeon-tui par", "version": 1, "rules": 1}
DUNGEON = {"par": "dungeon", "sha256": "0", "more": "unknown"}
POINT = {"treasure": 0, "moves": 1, "bound": 1, "states": 9, "commands": ["d"]}
NEXT = POINT | {"treasure": 1, "moves": 2, "bound": 2, "commands": ["dd"]}
PAR_FILES: dict[str, list[object]] = {
    "nothing": [],
    "no format": [{}],
    "another format": [{"format": "other"}],
    "no object": [[1]],
    "no version": [{"format": "dungeon-tui par", "rules": 1}],
    "another version": [HEADER | {"version": 9}],
    "a point without a part": [HEADER, {"treasure": 1}],
    "no hash": [HEADER, {"par": "dungeon"}],
    "another part": [HEADER, DUNGEON | {"par": "cellar"}],
    "another level": [HEADER, DUNGEON, DUNGEON | {"par": "level 2"}],
    "no commands": [HEADER, DUNGEON, {"treasure": 1}],
    "commands that are none": [HEADER, DUNGEON, POINT, NEXT | {"commands": ["d", 1]}],
    "moves that are none": [HEADER, DUNGEON, POINT, NEXT | {"moves": "2"}],
    "moves unlike the commands": [HEADER, DUNGEON, POINT, NEXT | {"moves": 3}],
    "a bound above the moves": [HEADER, DUNGEON, POINT, NEXT | {"bound": 3}],
    "a negative bound": [HEADER, DUNGEON, POINT, NEXT | {"bound": -1}],
    "points that don't grow": [HEADER, DUNGEON, POINT, NEXT | {"treasure": 0}],
}
FRONT = Par("", (Point(1, 23, 23, 9, ()), Point(3, 30, 30, 9, ())), True)
OPEN_END = Par("", (Point(1, 23, 23, 9, ()), Point(3, 30, 25, 9, ())), False)
PARS = {
    "all proven": FRONT,
    "an open end": OPEN_END,
    "many points": Par("", tuple(Point(each, 10 * each, 10 * each, 9, ()) for each in range(1, 8)), False),
    "nothing proven": Par("", (Point(1, 23, 20, 9, ()),), False),
    "no way out": Par("", (), True),
    "nothing known": Par("", (), False),
    "no file": None,
}
RESULTS = [
    *((FRONT, *result) for result in ((1, 23), (3, 30), (2, 32), (2, 30), (1, 22), (4, 99))),
    *((OPEN_END, *result) for result in ((4, 99), (3, 31), (3, 30), (3, 25), (3, 24))),
    *((par, 1, 1) for par in (Par("", (), True), Par("", (), False), None)),
]
WORTHS = {
    "an amulet is needed": "o-+! @$++ ----",
    "treasure brought along": "-o-! M+-- ----",
    "one of two monsters": "M---- o---? ---M-",
    "the only monster": "oM?",
    "a monster that doesn't matter": "$o? --M",
    "neither of two": "oMM?",
    "more solutions than are counted": " ".join(["o" + 12 * "-", *[13 * "-"] * 11, 12 * "-" + "?"]),
}
ANSWERS = (
    Escape(1, ("d", "dd"), 1, 3, ((1, 3),), 9),
    Escape(5, ("dd", "s"), 6, 2, (), 0, "memory"),
    Escape(4, ("addddd",), 4, 6, ((1, 4),), 0, "time"),
    Escape(7, (), 0, 82, (), 0, "time"),
    Escape(7, (), 0, 0, (), 0, "size"),
    Escape(3, (), 0, None, (), 9),
)


def about_levels() -> Said:
    for name, text in BROKEN_LEVELS.items():
        data = text if isinstance(text, bytes) else text.encode()
        for error in parse_level(LevelFile("a1.txt", data)).errors:
            yield name, str(error)
    for name, picture in LEVELS.items():
        for odd in oddities(level_of(picture), is_followed=name.startswith("a way out")):
            yield name, f"{odd.message} ({odd.bar})"


def about_dungeons(folder: Path) -> Said:
    (folder / "cave1.txt").write_text("1 3\n0 0\n-$?\n")
    for text in SIDECARS:
        (folder / "cave.toml").write_text(text)
        (warning,) = read_dungeon(str(folder / "cave")).warnings
        yield repr(text), re.sub("(?<=not TOML).*", "", warning.replace(str(folder), ""))  # the rest is Python's


def about_par() -> Said:
    for name, lines in PAR_FILES.items():
        with pytest.raises(LevelError) as caught:
            read_par(LevelFile("x", "\n".join(map(json.dumps, lines)).encode()))
        yield name, str(caught.value)
    for name, par in PARS.items():
        yield name, f"{caption(par)} / {summary(par)}"
    for par, treasure, moves in RESULTS:
        yield f"{treasure} in {moves}", result_text(par, treasure, moves)


def about_worth() -> Said:
    for name, picture in WORTHS.items():
        found = Certifier(level_of(picture), 1).certify()
        opened = replace(
            found, lower_bound=5, solutions=None, amulets=1, amulet_needed=None, monsters_that_matter=None,
            most_treasure=None,
        )  # fmt: skip
        for line in found.lines():
            yield name, line
        for line in opened.lines():
            yield f"{name}, left open", line
    for line in replace(
        found, moves=2500, lower_bound=1200, solutions=1992, most_treasure=60_000, monsters=1024
    ).lines():
        yield "thousands", line
    for answer in ANSWERS:
        for line in commands._answer_lines(answer, 1 if answer.ended else None):
            yield answer.ended or "proven", line


def test_every_sentence(tmp_path: Path, golden: Golden) -> None:
    said = [*about_levels(), *about_dungeons(tmp_path), *about_par(), *about_worth()]
    golden(Path(__file__).with_name("sentences.txt"), "".join(f"{what}: {text}\n" for what, text in said))
