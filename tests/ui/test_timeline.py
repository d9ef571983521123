"""The timeline: what it draws of lines short and long, and where clicks lead."""

import random
from collections.abc import AsyncIterator, Set
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from dungeon_tui.core.turns import Judgement, Turn, TurnLine
from dungeon_tui.ui.glyphs import ASCII, UNICODE, Glyphs
from dungeon_tui.ui.palette import themes
from dungeon_tui.ui.widgets.timeline import Timeline, lines_wanted
from tests.nim_rules import controller_of
from tests.ui.driving import running

NONE: frozenset[int] = frozenset()


def line_of(count: int, mistakes: Set[int] = NONE, heights: Any = None, slips: Set[int] = NONE) -> TurnLine:
    """A line of so many turns, judged if heights are given."""
    first: Turn[Any, Any] = Turn(0)
    turn = first
    for ply in range(1, count):
        newer = Turn(ply, ply, (), turn, ply)
        turn.branches.append(newer)
        turn = newer
    line = TurnLine(first)
    if heights is not None:
        judgements = [Judgement(f"{ply}", heights(ply), ply in mistakes, ply in slips) for ply in range(count)]
        line.take(line.turns, judgements)
    return line


class Host(App[None]):
    def __init__(self, line: TurnLine, ply: int, height: int, glyphs: Glyphs) -> None:
        super().__init__()
        self.line, self.ply, self.lines, self.glyphs = line, ply, height, glyphs
        self.sought: list[int] = []
        for theme in themes():
            self.register_theme(theme)
        self.theme = themes()[0].name

    def compose(self) -> ComposeResult:
        yield Timeline(self.glyphs)

    def on_mount(self) -> None:
        timeline = self.query_one(Timeline)
        timeline.add_class("-shown")
        timeline.styles.height = self.lines
        timeline.show(self.line, self.ply, (self.ply, len(self.line) - 1), ("Turn", "of words"))

    def on_timeline_sought(self, message: Timeline.Sought) -> None:
        self.sought.append(message.ply)


@asynccontextmanager
async def shown(
    line: TurnLine, ply: int = 0, height: int = 2, width: int = 42, glyphs: Glyphs = UNICODE
) -> AsyncIterator[tuple[Pilot[None], Timeline, Host]]:
    app = Host(line, ply, height, glyphs)
    async with running(app, size=(width, 12)) as pilot:
        await pilot.pause()
        yield pilot, app.query_one(Timeline), app


def rows(timeline: Timeline) -> list[str]:
    return timeline.render().plain.split("\n")


@pytest.mark.parametrize(
    ("count", "ply", "size", "drawn"),
    [
        (4, 2, (42, 2), ["Turn  ·  of words", "────────────────●────────"]),
        (12, 3, (30, 1), [" 3/11 of words      ──●─────"]),
        (12, 11, (30, 1), ["11/11 of words      ───────●"]),
    ],
)
async def test_a_short_line_in_two_rows_and_in_one(
    count: int, ply: int, size: tuple[int, int], drawn: list[str]
) -> None:
    async with shown(line_of(count), ply, width=size[0], height=size[1]) as (_, timeline, _app):
        assert rows(timeline) == drawn


async def test_mistakes_and_branches_have_a_glyph_each() -> None:
    controller = controller_of(30, *20 * [1])
    controller.undo(15)
    controller.apply(2)
    line = TurnLine(controller.turn)
    line.take(line.turns, [Judgement("", 0.5, ply == 3) for ply in range(len(line))])
    async with shown(line, 6, height=1, width=20) as (_, timeline, _app):
        assert rows(timeline)[0].endswith(" ──!┬●")


async def test_equal_judgements_have_no_graph() -> None:
    async with shown(line_of(9, heights=lambda ply: 1), 0, height=4) as (_, timeline, _app):
        assert not "".join(rows(timeline)[1:3])


@pytest.mark.parametrize(("glyphs", "full"), [(UNICODE, "█"), (ASCII, "#")])
async def test_the_graph_is_as_high_as_the_judgements(glyphs: Glyphs, full: str) -> None:
    line = line_of(20, heights=lambda ply: ply / 19)
    async with shown(line, 0, height=5, width=22, glyphs=glyphs) as (_, timeline, _app):
        _, *graph, _ = rows(timeline)
        assert [len(row) for row in graph] == [20, 20, 20]
        levels = ["".join(row[column] for row in reversed(graph)) for column in range(20)]
        assert levels[-1] == 3 * full
        assert levels[0] == glyphs.bars[0] + "  "
        amounts = [sum(glyphs.bars.find(cell) + 1 for cell in level) for level in levels]
        assert amounts == sorted(amounts)
        assert amounts[10] == pytest.approx(10 / 19 * 3 * len(glyphs.bars), abs=1)
        assert timeline.render().plain.isascii() == (glyphs is ASCII)
    fresh = line_of(20)
    fresh.take(fresh.unjudged(5), [Judgement("", height, False) for height in (1, 1, 1, 1, 0.1)])
    async with shown(fresh, 0, height=3, width=22, glyphs=glyphs) as (_, timeline, _app):
        assert rows(timeline)[1] == 4 * full + glyphs.bars[0] + 15 * " "


@pytest.mark.parametrize("count", [1, 40, 41, 81, 100_000])
async def test_the_columns_share_all_turns_in_order(count: int) -> None:
    async with shown(line_of(count), count // 2) as (_, timeline, _app):
        spans = list(dict.fromkeys(filter(None, map(timeline.span, range(timeline.size.width)))))
        assert [ply for span in spans for ply in span] == list(range(count))
        (marks,) = rows(timeline)[1:]
        assert len(marks) <= 40
        assert marks.count("●") == 1


@pytest.mark.parametrize("count", [41, 10_000])
async def test_no_mistake_is_lost_in_a_column_of_many_turns(count: int) -> None:
    mistakes = set(random.Random(1).sample(range(count), 10))
    async with shown(line_of(count, mistakes, lambda ply: 0.5), 0) as (_, timeline, _app):
        marked = [column for column, mark in enumerate(rows(timeline)[1]) if mark == "!"]
        assert len(marked) <= len(mistakes)
        assert all(any(mistake in timeline.span(column) for column in marked) for mistake in mistakes)


async def test_a_click_asks_for_the_turn_under_the_mouse() -> None:
    async with shown(line_of(20), width=42) as (pilot, _, app):
        for column, ply in ((0, 0), (1, 0), (2, 0), (3, 1), (20, 9), (40, 19), (41, 19)):
            app.sought.clear()
            await pilot.click(Timeline, offset=(column, 1))
            assert app.sought == [ply], column
    async with shown(line_of(400, {27, 28}, lambda ply: 0)) as (pilot, _, app):
        for column in (3, 4, 41):  # of many turns for the mistake, else for the first, at the end for the last
            await pilot.click(Timeline, offset=(column, 1))
        assert app.sought == [27, 30, 399]


async def test_dragging_follows_the_mouse_until_the_button_is_let_go() -> None:
    async with shown(line_of(40), width=42) as (pilot, _, app):
        await pilot.mouse_down(Timeline, offset=(5, 1))
        await pilot.hover(Timeline, offset=(6, 1))
        await pilot.hover(offset=(30, 8))
        await pilot.mouse_up(offset=(30, 8))
        await pilot.hover(Timeline, offset=(10, 1))
        assert app.sought[0] == 4
        assert app.sought[-1] == 29
        assert 5 in app.sought


def test_how_many_lines_it_takes() -> None:
    assert [lines_wanted(height, has_graph) for height in (10, 24, 40) for has_graph in (False, True)] == [
        1, 1, 2, 3, 2, 4,
    ]  # fmt: skip


async def test_slips_have_a_smaller_mark_than_mistakes_and_are_clicked_like_them() -> None:
    async with shown(line_of(20, {4}, lambda ply: 1, {4, 9})) as (_, timeline, _app):
        marks = rows(timeline)[-1][::2]
        assert [(ply, mark) for ply, mark in enumerate(marks) if mark in "!'"] == [(4, "!"), (9, "'")]
    async with shown(line_of(400, {27}, lambda ply: 1, {28, 41})) as (pilot, _, app):
        await pilot.click(Timeline, offset=(3, 1))
        await pilot.click(Timeline, offset=(5, 1))
        assert app.sought == [27, 41]
