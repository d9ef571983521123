"""Every sentence of the crawler, in wording.txt, made from boards, lines and results of a few words each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.crawler.ai.par import (
    Par,
    Point,
    caption,
    level_result,
    panel_rows,
    point_text,
    result_text,
    summary,
)
from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.check import oddities
from dungeon_tui.games.crawler.model.level import MAX_CELLS, parse_level
from dungeon_tui.games.crawler.model.rules import threats
from dungeon_tui.games.crawler.model.state import Action, State, Status
from dungeon_tui.games.crawler.view.advice import hints, preview, prospects
from dungeon_tui.games.crawler.view.advice.prospects import LastChance
from dungeon_tui.games.crawler.view.editor import draft
from dungeon_tui.games.crawler.view.editor.judge import Verdict, news, no_more_lines, told
from dungeon_tui.games.crawler.view.editor.pen import Pen
from dungeon_tui.games.crawler.view.figure import figure
from dungeon_tui.games.crawler.view.screen import ended, reason_to_stop, route, told_events
from dungeon_tui.games.crawler.view.transcript import remarks
from dungeon_tui.games.crawler.view.words import threat_text
from dungeon_tui.ui.glyphs import UNICODE
from tests.games.crawler.pictures import dungeon_of, level_of, played
from tests.games.crawler.test_draft import drawn

TWO = ("o-$- -+-- ---?", "o-!")


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
    for letters in "d", "ddd":
        state, events = rules.step(begun("o@", cell_limit=7), Action(letters[0]))
        yield from (("beyond the transcript", text) for text in remarks(state, events))
    state, events = rules.step(begun("o?"), Action.RIGHT)
    yield from (("beyond the transcript", text) for text in remarks(state, events))


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
        yield "par, first", caption(par)
        yield "par, all", summary(par)
        yield "par, points", "; ".join(map(point_text, par.points))
        yield "par, panel", ", ".join(map(" ".join, panel_rows(("Par", point) for point in par.points)))
        for treasure, moves in ((1, 4), (1, 6), (2, 9), (3, 10), (3, 8), (3, 9), (3, 3), (4, 20)):
            yield "result", result_text(par, treasure, moves)
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
    for picture in ("o-$ -M-", "o-!", "o!+$", "o$+? +++-", "o-+$ M-++ ?-+$", "o$!", "oM$?"):
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
    for text in (
        "", "x", "2", "2 2", "0 2 0 0", "2 -3 0 0", "1000000 1 0 0", "2 2 0 9", "2 2 0 0 ----x", "2 2 0 0 ---",
        "2 2 0 0 -----", "2 2 0 1 -$--", "2 2 0 0 --[red]", "2.5 2 0 0 ----", "999999 999999 0 0",
    ):  # fmt: skip
        for error in parse_level(LevelFile("level.txt", text.encode())).errors:
            yield "level", str(error)
    for use in (lambda: draft.tiles_of("-x"), lambda: drawn("o").resized("12"), lambda: drawn("o").resized("0 x 4"),
                lambda: drawn("o").resized("9999999 x 4"), lambda: drawn("o-").framed(left=-1)):  # fmt: skip
        with pytest.raises(ValueError, match=r".") as refused:
            use()
        yield "editor", str(refused.value)
    with pytest.raises(LevelError) as unopened:
        draft.open_drawing("-")
    yield "editor", str(unopened.value)


def test_all_sentences(golden: Callable[[Path, str], None]) -> None:
    said: dict[str, None] = {}  # each once, in its order
    for make in (turns, threatened, ends, advice, drawing, refusals):
        said |= dict.fromkeys(f"{event}: {sentence}\n" for event, sentence in make() if sentence)
    golden(Path(__file__).with_name("wording.txt"), "".join(said))
