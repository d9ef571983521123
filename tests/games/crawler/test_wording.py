"""Every sentence of the crawler, in wording.txt, made from boards, lines, files and results of a few words each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.crawler import GAME, commands
from dungeon_tui.games.crawler.ai.par import (
    Par,
    Point,
    level_result,
    panel_rows,
    point_text,
    read_par,
    result_text,
)
from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape
from dungeon_tui.games.crawler.ai.solver import Planner
from dungeon_tui.games.crawler.ai.worth import Certifier
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.check import oddities
from dungeon_tui.games.crawler.model.dungeon import read_dungeon
from dungeon_tui.games.crawler.model.level import MAX_CELLS, parse_level
from dungeon_tui.games.crawler.model.rules import threats
from dungeon_tui.games.crawler.model.state import Action, State, Status
from dungeon_tui.games.crawler.view.advice import hints, preview, prospects
from dungeon_tui.games.crawler.view.advice.prospects import LastChance
from dungeon_tui.games.crawler.view.analysis import CrawlerAnalysis
from dungeon_tui.games.crawler.view.editor.craft import CRAFT
from dungeon_tui.games.crawler.view.editor.judge import Verdict, news, no_more_lines, told
from dungeon_tui.games.crawler.view.figure import figure
from dungeon_tui.games.crawler.view.screen import CrawlerView, ended, reason_to_stop, route, told_events
from dungeon_tui.games.crawler.view.transcript import remarks
from dungeon_tui.games.crawler.view.words import goal, threat_text
from dungeon_tui.ui.editor import draft
from dungeon_tui.ui.editor.pen import Pen
from dungeon_tui.ui.glyphs import UNICODE
from dungeon_tui.ui.play.analysis import moves_told
from dungeon_tui.ui.play.features import ToggledLayer
from tests.games.crawler.pictures import dungeon_of, level_of, played
from tests.games.crawler.test_draft import drawn
from tests.games.crawler.test_verdict import LOST
from tests.games.crawler.test_verdict import judged as judged_level
from tests.wording import sentences, usage_errors

EDITOR = "games/crawler/view/editor"
TWO = ("o-$- -+-- ---?", "o-!")
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


def begun(*pictures: str, cell_limit: int = MAX_CELLS) -> State:
    return rules.start(dungeon_of(*pictures, cell_limit=cell_limit))


def turns() -> Iterator[tuple[str, str]]:
    for picture, letters in (
        ("+!- -o- -+M", "w"), ("+!- -o- -+M", "s"), ("+!- -o- -+M", "aa"), ("-oM ---", "d"), ("o--$M", "eed"),
        ("o--?M", "e"), ("o--!M", "e"), ("o--@M", "e"), ("M - M - o", "ee"), ("o$$?$", "ddd"), ("o$!", "dd"),
        ("o@-", "d"),
    ):  # fmt: skip
        controller = TurnController(rules, dungeon_of(picture, "$o!"))
        for letter in letters:
            controller.apply(Action(letter))
            for line in told_events(controller.turn):
                yield "turn", line.text
            yield "goal", goal(controller.state)
    for letters in "d", "ddd":
        state, events = rules.step(begun("o@", cell_limit=7), Action(letters[0]))
        yield from (("beyond the transcript", text) for text in remarks(state, events))
    state, events = rules.step(begun("o?"), Action.RIGHT)
    yield from (("beyond the transcript", text) for text in remarks(state, events))


def shown() -> Iterator[tuple[str, str]]:
    view = CrawlerView(GAME, UNICODE)
    yield from (("layer", each.note()) for each in view.features if isinstance(each, ToggledLayer))
    yield from (("preview", view.switch_preview(begun(picture))) for picture in ("o-@", "o@-", "o-@", "o-@"))


def threatened() -> Iterator[tuple[str, str]]:
    for pictures in (
        ("o----?M -------", "o$!"), ("-----?M o------", "o$!"), ("o----!M $------",), ("o----$M !------",),
        ("!+o-@-M ++-----",),
    ):  # fmt: skip
        state = begun(*pictures)
        yield from (("threat", threat_text(state, threat)) for threat in threats(state))


def ends() -> Iterator[tuple[str, str]]:
    proven = Par("", (Point(1, 4, 4, 9, ()), Point(3, 9, 9, 9, ())), True)
    open_ = Par("", (Point(1, 4, 4, 9, ()), Point(3, 9, 6, 9, ())), False)
    for picture, letters, par in (
        ("$o-!", "addd", proven), ("$o$!$", "dd", None), ("$o--M -----", "add", None), ("o?", "d", None),
    ):  # fmt: skip
        state = played(begun(picture), letters)
        outcome = rules.outcome(state)
        assert outcome is not None
        yield "end", ": ".join(ended(state, outcome, 61.9, par)).replace("\n", " ")
    for par in (proven, open_, Par("", (), True), Par("", open_.points[1:], False)):
        yield "par, points", "; ".join(map(point_text, par.points))
        yield "par, panel", ", ".join(map(" ".join, panel_rows(("Par", point) for point in par.points)))
        for status in Status:
            plot = figure(replace(begun("o$!"), status=status, treasure=1, moves=4), par, is_open=not par.is_all)
            yield "curve", plot if isinstance(plot, str) else f"{plot.marks[0].text}; {plot.x.label}"
    controller = TurnController(rules, dungeon_of("o?", "$o!"))
    yield "level", level_result(controller.apply(Action.RIGHT))


def advice() -> Iterator[tuple[str, str]]:
    state = begun(*TWO)
    for found in (Escape(1, ("dddss", "dd"), 1, 7, (), 0), Escape(2, ("dddss", "dd"), 2, 5, (), 0, "time"),
                  Escape(1, ("edddss", "dd"), 3, 8, (), 0)):  # fmt: skip
        yield "hint 1", hints.way_text(state, found)
        yield "hint 2", hints.move_text(found)
        yield "hint 3", hints.line_text(state, found)
        yield "line out", hints.line_note(found, UNICODE)
    for found in (Escape(1, (), 0, None, (), 0), Escape(3, (), 0, None, (), 0), Escape(1, (), 0, 3, (), 5, "time"),
                  Escape(2, (), 0, 3, (), 1, "memory"), Escape(1, (), 0, 3, (), 0, "size")):  # fmt: skip
        yield "no hint", hints.none_text(found)
    for status in Status:
        for chance in (LastChance(None, True), LastChance(None, False), LastChance(0, True), LastChance(2, True),
                       LastChance(2, False)):  # fmt: skip
            yield "prospects", prospects.lost_text(status, chance)
            yield "mark", prospects.mark_text(chance)
    for picture, limit in (("o@M ---", 99), ("o@- --+", 23), ("--- -o@ -M+", 99), ("---o- -M+@-", 99)):
        shown = preview.preview(begun(picture, cell_limit=limit))
        assert shown is not None
        yield "amulet", shown.text
    state = begun("oM+!- --?--")
    for row in range(2):
        for col in range(6):
            answer = route(state, Cell(row, col))
            yield "journey", answer if isinstance(answer, str) else "goes there"
    seen = begun("o-M")
    yield "journey", reason_to_stop(None, seen)
    yield "journey", reason_to_stop(begun("o+M"), seen)


def drawing() -> Iterator[tuple[str, str]]:
    def verdict(*points: tuple[int, int, int], is_all: bool = True, ended: str = "", states: int = 1) -> Verdict:
        par = Par("", tuple(Point(*point, 1, ("",)) for point in points), is_all)
        return Verdict(par=par, is_over=True, ended=ended, states=states, all_treasure=3, seconds=10)

    nothing = verdict()
    for known in (
        nothing, verdict((0, 9, 9)), verdict((2, 1, 1), (3, 12, 12)), verdict((1, 9, 7), is_all=False, ended="time"),
        verdict((1, 9, 9), (2, 20, 12), is_all=False), verdict((1, 9, 9), is_all=False, ended="time"),
        verdict((0, 8, 8), (1, 10, 10), (2, 12, 12), (3, 14, 14)),
        verdict((0, 8, 8), (1, 10, 10), (2, 12, 12), (3, 14, 14), (4, 1600, 1600)),
        *(verdict(is_all=False, ended=reason) for reason in ("memory", "size", "time")),
        verdict(is_all=False, ended="size", states=0),
    ):  # fmt: skip
        yield "verdict", told(known)
        yield "verdict, while it thinks", told(replace(known, is_over=False))
        yield "no more lines", no_more_lines(known)
        if known.par.points:
            yield "news", news(known, nothing.par)
    yield from (("lost", told(judged_level(*rows)[-1])) for rows in LOST)
    for picture in ("o-$ -M-", "o-!", "o!+$", "o+? -++ -$!", "o+? $+!", "o-+$ M-++ ?-+$", "o$!", "oM$?"):
        level = level_of(picture)
        for is_followed in (False, True):
            for odd in oddities(level, is_followed=is_followed):
                yield "odd", f"{odd.message} [{odd.bar}]" if odd.bar else odd.message
    for keys in (
        "M", "f", "v right shift+down", "v right enter", "v right down e", "e", "C", "backspace",
        "right plus backspace", "right plus backspace ctrl+y", "ctrl+y", "b", "c", "V", "right c left V",
        "end v shift+down c V", "r", "r up",
        "r right right shift+right", "r shift+up", "i v right enter",
    ):  # fmt: skip
        pen = Pen(drawn("o-$", "-+-"))
        pen.cursor = pen.draft.start
        deeds = {name: each.run for each in pen.commands() for name in each.key.keys.split(",")}
        said = [deeds[key]() for key in keys.split()][-1]
        yield f"editor, {keys}", getattr(said, "text", "")


def refusals() -> Iterator[tuple[str, str]]:
    for use in (lambda: CRAFT.tiles_of("-x"), lambda: drawn("o").resized("12"), lambda: drawn("o").resized("0 x 4"),
                lambda: drawn("o").resized("9999999 x 4"), lambda: drawn("o-").framed(left=-1)):  # fmt: skip
        with pytest.raises(ValueError, match=r".") as refused:
            use()
        yield "editor", str(refused.value)
    yield from (("editor", text.replace("\n", " / ")) for text in sentences(f"{EDITOR}/craft.py"))
    with pytest.raises(LevelError) as unopened:
        draft.open_drawing(CRAFT, "-")
    yield "editor", str(unopened.value)


def about_levels() -> Iterator[tuple[str, str]]:
    for name, text in BROKEN_LEVELS.items():
        data = text if isinstance(text, bytes) else text.encode()
        for error in parse_level(LevelFile("a1.txt", data)).errors:
            yield name, str(error)


def about_dungeons(folder: Path) -> Iterator[tuple[str, str]]:
    (folder / "cave1.txt").write_text("1 3\n0 0\n-$?\n")
    for text in SIDECARS:
        (folder / "cave.toml").write_text(text)
        (warning,) = read_dungeon(str(folder / "cave")).warnings
        yield repr(text), re.sub("(?<=not TOML).*", "", warning.replace(str(folder), ""))  # the rest is Python's


def about_par() -> Iterator[tuple[str, str]]:
    for name, lines in PAR_FILES.items():
        with pytest.raises(LevelError) as caught:
            read_par(LevelFile("x", "\n".join(map(json.dumps, lines)).encode()))
        yield name, str(caught.value)
    for par, treasure, moves in RESULTS:
        yield f"{treasure} in {moves}", result_text(par, treasure, moves)


def about_worth() -> Iterator[tuple[str, str]]:
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


class Patient(Planner):
    """Finds everything, however slow the machine."""

    def escape(self, state: State, aim: int, *_: object) -> Escape:
        return super().escape(state, aim, 1e6)


class InVain(Planner):
    """Finds nothing in time."""

    def escape(self, *_: object) -> Escape:
        return Escape(1, (), 0, None, (), 0, "time")


def judged() -> Iterator[tuple[str, str]]:
    for picture, letters, aim, planner_of in (
        ("o-$! ----", "daddd", 1, Patient), ("$o$-!", "adddd", 2, Patient), ("o+$ ++!", "", 1, Patient),
        ("o$? +--", "d", 2, Patient), ("o--M $--! ----", "d", 1, Patient), ("o-$!", "d", 1, InVain),
    ):  # fmt: skip
        controller = TurnController(rules, dungeon_of(picture))
        planner = planner_of(controller.level)
        analysis = CrawlerAnalysis(lambda _, it=planner: it, lambda _, it=aim: it, UNICODE)  # type: ignore[misc]
        for turn in (controller.turn, *(controller.apply(Action(letter)) for letter in letters)):
            yield "analysis, judgement", analysis.judge(turn).text
            yield "analysis", "; ".join(moves_told("Exact play", "...", analysis.moves(turn.state), False))
            best = analysis.why(turn)
            yield "analysis, why", best if isinstance(best, str) else ""
        try:
            analysis.prepare(controller.turn.state)
        except ValueError as error:
            yield "analysis", str(error)


def test_all_sentences(tmp_path: Path, golden: Callable[[Path, str], None]) -> None:
    said: dict[str, None] = {}  # each once, in its order
    makers = (
        turns, shown, threatened, ends, advice, judged, drawing, refusals, about_levels,
        partial(about_dungeons, tmp_path), about_par, about_worth, partial(usage_errors, "games/crawler/commands.py"),
    )  # fmt: skip
    for make in makers:
        said |= dict.fromkeys(f"{event}: {sentence}\n" for event, sentence in make() if sentence)
    golden(Path(__file__).with_name("wording.txt"), "".join(said))
