"""The rescue on screen: numbers in cells, questions, needs as they are computed, ways, whole rescues by keys."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.containers import Vertical
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.level import MOST, Level
from dungeon_tui.games.rescue.model.state import Guess, SetOut, State, Status
from dungeon_tui.games.rescue.view.analysis import MOST_CELLS, RescueAnalysis
from dungeon_tui.games.rescue.view.picture import POWER_UPS, TRAPS, Picture, glyph
from dungeon_tui.games.rescue.view.screen import AT_ONCE, RescueView, health_answer, needs, route
from dungeon_tui.games.rescue.view.story import guesses_text
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.glyphs import ASCII, UNICODE
from dungeon_tui.ui.map.distance_layer import OverlayStyle
from dungeon_tui.ui.map.source import Row
from dungeon_tui.ui.menu.screen import MenuScreen
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import ToggledLayer
from dungeon_tui.ui.play.overlay import Same
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.dialogs import LineDialog
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from dungeon_tui.ui.widgets.message_log import Line
from dungeon_tui.ui.widgets.plot import PlotScreen
from tests.games.rescue.grids import CLASSIC, grid_rows, level_of
from tests.ui.driving import (
    dialogue,
    last_message,
    opened,
    paint,
    painted,
    sees,
    sees_no,
    shown,
    tinted,
    wait_until,
    words,
)

TWO_WAYS = [[0, -4, 0], [-4, 9, -4], [0, -4, -5]]  # both ways past the middle are best


@asynccontextmanager
async def rescuing(rows: list[list[int]] | None = None, **options: Any) -> AsyncIterator[tuple[Pilot[str], PlayScreen]]:
    """The app with a grid open and painted."""
    async with opened("rescue", level_of(rows or CLASSIC), **options) as (pilot, screen):
        yield pilot, screen


def view_of(glyphs: Any = UNICODE) -> RescueView:
    game = find_game("rescue")
    assert game is not None
    return RescueView(game, glyphs)


def state_of(rows: list[list[int]], *actions: str) -> State:
    """The state after actions as recordings write them."""
    return played(rows, *actions).state


def played(rows: list[list[int]], *actions: str) -> TurnController[Any, Any, Any]:
    controller = TurnController(rules, level_of(rows))
    for action in actions:
        controller.apply(rules.read_action(action))
    return controller


def text_at(screen: PlayScreen, row: int, col: int) -> str:
    """What stands in a cell that is wide enough."""
    return paint(screen)[row].texts.get(col, "").strip()


def noted(screen: PlayScreen) -> str:
    """What the panel says."""
    return words(str(screen.panel.render()))


async def type_in(pilot: Pilot[Any], screen: PlayScreen, text: str) -> None:
    """Answers the question that is open, or will be in a moment."""
    await wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog) and pilot.app.screen.query(Input))
    pilot.app.screen.query_one(Input).value = text
    await pilot.press("enter")
    await pilot.pause()


async def ask(pilot: Pilot[Any], screen: PlayScreen, key: str, text: str) -> None:
    """Presses the key of a question and answers it."""
    await pilot.press(key)
    await type_in(pilot, screen, text)
    await painted(screen)


# -- the picture


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_every_cell_shows_its_number(size: tuple[int, int]) -> None:
    async with rescuing(size=size) as (pilot, _):
        text = shown(pilot.app)
        for number in ("@ -2", "-3", "3", "-5", "-10", "1", "10", "30", "P -5"):
            assert f" {number} " in text


async def test_wide_numbers_have_room_and_the_map_scrolls() -> None:
    rows = [[-1_000_000_007 + col for col in range(40)] for _ in range(40)]
    async with rescuing(rows, size=(80, 24)) as (pilot, screen):
        assert screen.map.cell_size == (12, 1)
        assert "-1000000006" in shown(pilot.app)
        assert "-999999990" not in shown(pilot.app)
        await ask(pilot, screen, "H", str(10**12))
        await pilot.press(*["right"] * 17)
        assert "-999999990" in shown(pilot.app)


async def test_zoomed_out_glyphs_tell_sign_and_size() -> None:
    rows = [[0, -1, -9], [1, 9, 0]]
    async with rescuing(rows) as (pilot, screen):
        for _ in range(9):
            await pilot.press("minus")
        assert screen.map.cell_size == (1, 1)
        assert "@ai" in shown(pilot.app)
        assert "19P" in shown(pilot.app)
        await pilot.press("0")
        assert screen.map.cell_size[0] >= 3
        assert "-9" in shown(pilot.app)


@given(value=st.integers(-(10**18), 10**18), least=st.integers(-(10**18), -1), most=st.integers(1, 10**18))
def test_glyphs_grow_with_the_number_and_never_mix_signs(value: int, least: int, most: int) -> None:
    value = max(least, min(most, value))
    level = level_of([[least, most]])
    sign, meaning = glyph(level, value, UNICODE)
    if value == 0:
        assert (sign, meaning) == (UNICODE.floor, Meaning.FLOOR)
        return
    signs, good, end = (POWER_UPS, True, most) if value > 0 else (TRAPS, False, least)
    assert signs.index(sign) * end // 9 <= value if good else signs.index(sign) * end // 9 >= value - 1
    assert glyph(level, end, UNICODE)[0] == signs[-1]
    assert (meaning in (Meaning.PRIZE, Meaning.SLIGHT_PRIZE)) == good


def test_the_way_so_far_is_tinted_and_the_knight_shows_his_health() -> None:
    picture = Picture(state_of(CLASSIC, "health 9", "right", "down"), UNICODE)
    rows = [picture.row(number, 0, 3) for number in range(3)]
    assert [[*row.tints] for row in rows] == [[Tint.PATH, Tint.PATH, 0], [0, Tint.DANGER, 0], [0, 0, 0]]
    assert rows[1].texts[1] == "@-6"
    part = picture.row(0, 1, 2)
    assert (part.start, [*part.tints]) == (1, [Tint.PATH])


@given(rows=grid_rows(), choices=st.lists(st.booleans(), max_size=9))
def test_a_picture_is_the_same_in_parts(rows: list[list[int]], choices: list[bool]) -> None:
    controller = played(rows, "health 1000")
    for is_right in choices:
        steps = rules.legal_actions(controller.state)
        if not steps:
            break
        controller.apply(steps[-1 if is_right else 0])
    state = controller.state
    entered = {trail.cell for trail in state.trail or ()}
    height, width = len(rows), len(rows[0])
    for row in range(height):
        whole = Picture(state, UNICODE).row(row, 0, width)
        assert {col for col in range(width) if whole.tints[col]} == {cell.col for cell in entered if cell.row == row}
        for start in range(width):
            part = Picture(state, UNICODE).row(row, start, width)
            assert part.glyphs == whole.glyphs[start:]
            assert part.tints == whole.tints[start:]
            assert [part.texts[index] for index in range(width - start)] == [
                whole.texts[index] for index in range(start, width)
            ]


def test_a_step_changes_two_rows_and_a_leap_all() -> None:
    view, turns = view_of(), played(CLASSIC, "guess 3", "health 9", "right", "down").turn.line()
    states = [turn.state for turn in turns]
    assert view.changed_rows(states[3], states[4]) == {0, 1}
    assert view.changed_rows(states[4], states[3]) == {0, 1}
    assert view.changed_rows(states[1], states[2]) == {0}
    assert view.changed_rows(states[0], states[1]) == {0}
    assert view.changed_rows(states[1], states[4]) is None


# -- questions


async def test_guesses_are_answered_until_one_is_right() -> None:
    async with rescuing() as (pilot, screen):
        for text, said in (
            ("20", "20 is too much."),
            ("1", "1 is too little, warmer."),
            ("30", "30 is too much, colder."),
            ("7", "7 is right: guess number 4."),
        ):
            await ask(pilot, screen, "G", text)
            assert last_message(screen) == said
        await sees(pilot, "Guesses 4: it is 7")
        await pilot.press("G")
        assert last_message(screen) == "That was guessed: 7 is the least. H lets him set out."
        assert pilot.app.screen is screen
        await pilot.press("backspace")
        assert "Guesses 3: it is more than 1 and less than 20" in noted(screen)


async def test_the_next_guess_is_asked_with_what_is_known() -> None:
    async with rescuing() as (pilot, screen):
        await ask(pilot, screen, "G", "20")
        await pilot.press("G")
        await sees(pilot, "What is the least health that is enough? It is less than 20.")
        await pilot.press("escape")
        assert screen.controller.turn.ply == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("seven", "A health is a whole number, such as 10."),
        ("7.5", "A health is a whole number, such as 10."),
        ("٧", "A health is a whole number, such as 10."),
        ("0", "Nobody lives without health: 1 is the least."),
        ("-3", "Nobody lives without health: 1 is the least."),
        (str(MOST + 1), f"Nobody has that much: {MOST} is the most."),
        ("9" * 5000, f"Nobody has that much: {MOST} is the most."),
    ],
)
async def test_a_bad_answer_is_told_and_can_be_typed_again(text: str, said: str) -> None:
    async with rescuing() as (pilot, screen):
        await pilot.press("H")
        await type_in(pilot, screen, text)
        await sees(pilot, said)
        assert isinstance(pilot.app.screen, LineDialog)
        await type_in(pilot, screen, "+9")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        assert (screen.controller.state.initial, screen.controller.state.health) == (9, 7)


@pytest.mark.parametrize("key", ["enter", "right", "down", "up"])
async def test_before_he_sets_out_any_move_asks_for_his_health(key: str) -> None:
    async with rescuing() as (pilot, screen):
        await pilot.press(key)
        await sees(pilot, "With how much does he set out?")
        await type_in(pilot, screen, "9")
        await wait_until(pilot, lambda: screen.controller.state.status is Status.WALKING)
        assert screen.controller.state.cell == Cell(0, 0)  # the key only asked
        await pilot.press("enter")
        assert pilot.app.screen is screen


async def test_on_his_way_his_health_is_chosen() -> None:
    async with rescuing() as (pilot, screen):
        await ask(pilot, screen, "H", "9")
        for key in "HG":
            await pilot.press(key)
            await pilot.pause()
            assert last_message(screen) == ("The knight is on his way: r takes him back to where his health is chosen.")
        assert screen.controller.turn.ply == 1


@given(text=st.text(max_size=30))
def test_an_answer_is_an_action_or_a_value_error(text: str) -> None:
    state = state_of(CLASSIC)
    try:
        action = health_answer(Guess, state, text)
    except ValueError:
        return
    assert action == Guess(int(text))
    rules.step(state, action)


def test_what_guesses_have_told() -> None:
    assert guesses_text(state_of(CLASSIC)) == ""
    assert guesses_text(state_of(CLASSIC, "guess 3")) == "more than 3"
    assert guesses_text(state_of(CLASSIC, "guess 3", "guess 5", "guess 2", "guess 9")) == "more than 5 and less than 9"


# -- walking


async def test_he_walks_right_and_down_only() -> None:
    async with rescuing() as (pilot, screen):
        await ask(pilot, screen, "H", "9")
        for key, said in (
            ("up", "The knight goes right or down only."),
            ("left", "The knight goes right or down only."),
            ("e", "'e' does nothing here; ? lists the keys."),
            ("y", "There are no diagonal moves in this game."),
        ):
            await pilot.press(key)
            assert last_message(screen) == said
        await pilot.press("l")
        assert last_message(screen) == "Row 0, column 1: -3, health 4."
        await pilot.press("right", "right")
        assert last_message(screen) == "The knight can't go right from row 0, column 2."
        assert screen.controller.state.health == 7


async def test_with_too_little_he_may_try_and_dies() -> None:
    async with rescuing(size=(120, 40)) as (pilot, screen):
        await ask(pilot, screen, "H", "6")
        await pilot.press("down")
        await dialogue(pilot)
        assert screen.controller.state.status is Status.DIED
        await sees(pilot, "The knight has died")
        await sees(pilot, "No way is survived with 6: 7 is the least.")
        await sees(pilot, "Your way needs 8 health so far, a best one 7: the arrows show it.")
        await sees(pilot, "Your lowest point: -1 health, at row 1, column 0.")
        assert tinted(screen, Tint.SAFE) == {(0, 0), (0, 1), (0, 2), (1, 2), (2, 2)}
        assert text_at(screen, 0, 1) == "→ -3"
        assert tinted(screen, Tint.DANGER) == {(1, 0)}
        await pilot.press("backspace")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        await pilot.pause()
        assert screen.controller.state.status is Status.WALKING
        assert tinted(screen, Tint.SAFE) == set()


async def test_he_arrives_and_his_way_stands_beside_a_best_one() -> None:
    async with rescuing(size=(120, 40)) as (pilot, screen):
        await ask(pilot, screen, "H", "30")
        await pilot.press("down", "down", "right", "right")
        shown_dialogue = await dialogue(pilot)
        assert shown_dialogue._answers[0].shown == "q"
        await sees(pilot, "The princess is saved")
        await sees(pilot, "7 was enough, you started with 30.")
        await sees(pilot, "Your way needs 8 health, a best one 7: the arrows show it.")
        await sees(pilot, "Your lowest point: 23 health, at row 1, column 0.")
        assert tinted(screen, Tint.PATH) == {(1, 0), (2, 0), (2, 1)}
        await pilot.press("c")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, PlotScreen))
        await sees(pilot, "your way, from 30")
        await pilot.press("q")
        assert await dialogue(pilot)
        await pilot.press("r")
        await wait_until(pilot, lambda: screen.controller.turn.ply == 0)


async def test_the_best_way_with_the_least_health_is_praised() -> None:
    async with rescuing(size=(120, 40)) as (pilot, screen):
        await ask(pilot, screen, "H", "7")
        await pilot.press("right", "right", "down", "down")
        await dialogue(pilot)
        await sees(pilot, "7 is the least health that is enough, and you started with it. Your way is a best one.")


async def test_journeys_take_the_way_that_needs_least() -> None:
    async with rescuing(size=(120, 40)) as (pilot, screen):
        screen.travel.travel_to(Cell(2, 2))
        await sees(pilot, "The knight waits outside: H chooses his health.")
        await ask(pilot, screen, "H", "7")
        screen.travel.travel_to(Cell(0, 0))
        await sees(pilot, "He is there.")
        screen.travel.travel_to(Cell(2, 0))
        await sees(pilot, "No way there is survived with 5 health.")
        assert screen.controller.turn.ply == 1
        await pilot.press("g", "tab", "enter")
        await dialogue(pilot)
        assert screen.controller.state.status is Status.SAVED


async def test_a_journey_back_is_none() -> None:
    async with rescuing() as (pilot, screen):
        await ask(pilot, screen, "H", "9")
        await pilot.press("right")
        screen.travel.travel_to(Cell(1, 0))
        await sees(pilot, "The knight goes right or down only: there is no way back.")


@given(rows=grid_rows(), health=st.integers(1, 30), data=st.data())
def test_a_route_is_survived_or_there_is_none(rows: list[list[int]], health: int, data: st.DataObject) -> None:
    state = state_of(rows, f"health {health}")
    if state.status is not Status.WALKING:
        return
    cell = Cell(data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, len(rows[0]) - 1)))
    if cell == state.cell:
        return
    reachable = {state.cell: [state]}  # every state in which he can stand on a cell
    for row in range(len(rows)):
        for col in range(len(rows[0])):
            for here in reachable.get(Cell(row, col), []):
                for action in rules.legal_actions(here):
                    after, _ = rules.step(here, action)
                    reachable.setdefault(after.cell, []).append(after)
    lives = any(each.status is not Status.DIED for each in reachable.get(cell, []))
    way = route(state, cell)
    if isinstance(way, str):
        assert not lives
        return
    for action in way:
        state, _ = rules.step(state, action)
    assert state.cell == cell
    assert state.status is not Status.DIED


# -- exact needs


def judged(rows: list[list[int]], *actions: str) -> list[tuple[str, bool, str]]:
    analysis, controller = RescueAnalysis(), played(rows, *actions)
    analysis.prepare(controller.first.state)
    judgements = [analysis.judge(turn) for turn in controller.turn.line()]
    assert all(0 <= each.height <= 1 for each in judgements)
    return [(each.text, each.is_mistake, each.label) for each in judgements]


def test_verdicts_and_mistakes() -> None:
    assert judged(CLASSIC, "health 9", "right", "down") == [
        ("to set out, 7 health is enough, and no less", False, "7"),
        ("enough: 2 more than needed", False, "+2"),
        ("enough: 2 more than needed", False, "+2"),
        ("dead", True, "x"),
    ]
    assert judged(CLASSIC, "health 6")[-1] == ("doomed: 4 health, 5 needed", True, "-1")
    assert judged(CLASSIC, "guess 3", "health 7")[-1] == ("enough: exactly what is needed", False, "+0")
    assert judged([[5]], "health 1")[-1] == ("saved, with 6 health", False, "6")
    assert judged([[-5]], "health 1")[-1] == ("dead", True, "x")


@given(rows=grid_rows(), health=st.integers(1, 40), choices=st.lists(st.booleans(), min_size=9, max_size=9))
def test_a_mistake_is_what_turned_life_into_death(rows: list[list[int]], health: int, choices: list[bool]) -> None:
    controller = played(rows, f"health {health}")
    for is_right in choices:
        if steps := rules.legal_actions(controller.state):
            controller.apply(steps[-1 if is_right else 0])

    def can_live(state: State) -> bool:
        if state.status in (Status.SAVED, Status.DIED):
            return state.status is Status.SAVED
        return any(can_live(rules.step(state, action)[0]) for action in rules.legal_actions(state))

    analysis = RescueAnalysis()
    analysis.prepare(controller.state)
    could = True  # before he sets out
    for turn in controller.turn.line()[1:]:
        can = can_live(turn.state)
        assert analysis.judge(turn).is_mistake == (could and not can)
        assert (analysis.judge(turn).height == 1) == can
        could = can


@given(rows=grid_rows(), health=st.integers(1, 40))
def test_why_plays_the_best_way_on(rows: list[list[int]], health: int) -> None:
    analysis, controller = RescueAnalysis(), played(rows, f"health {health}")
    for turn in (controller.first, controller.turn):
        line = analysis.why(turn)
        if isinstance(line, str):
            assert turn.state.status in (Status.SAVED, Status.DIED)
            continue
        state = turn.state
        for action in line:
            state, _ = rules.step(state, action)
        enough = turn is controller.first or health >= solver.needs(state.level)[0, 0]
        assert (state.status is Status.SAVED) == enough
    first = analysis.why(controller.first)
    assert isinstance(first[0], SetOut)


def test_both_steps_are_marked_with_what_they_need() -> None:
    analysis = RescueAnalysis()
    state = state_of(CLASSIC, "health 7")
    rows = [Row(number, "...", bytes(3)) for number in (0, 0, 0)]
    for number, row in enumerate(rows):
        analysis.layer(state).paint(number, row)
    assert (rows[0].texts[1], rows[0].tints[1], rows[0].glyphs[1]) == ("5", Tint.SAFE, "+")
    assert (rows[1].texts[0], rows[1].tints[0], rows[1].glyphs[0]) == ("6", Tint.DANGER, "-")
    assert analysis.note(state) == (
        "Exact needs: enough: exactly what is needed. To enter the next cell with: right needs 5, down needs 6."
    )


async def test_the_timeline_tells_the_mistake_and_c_plays_on() -> None:
    async with rescuing(size=(110, 40)) as (pilot, screen):
        await ask(pilot, screen, "H", "7")
        await pilot.press("A")
        await sees(pilot, "enough: exactly what is needed")
        await pilot.press("c")
        await wait_until(pilot, lambda: screen.controller.state.status is Status.SAVED)
        await pilot.press("c")
        await wait_until(pilot, lambda: screen.controller.turn.ply == 1)
        await pilot.press("r")
        await ask(pilot, screen, "H", "5")
        await sees(pilot, "doomed: 3 health, 5 needed")
        await sees(pilot, "a mistake")


# -- needs, as they are computed


async def test_needs_stand_on_the_map_and_in_words() -> None:
    async with rescuing() as (pilot, screen):
        await pilot.press("o")
        await wait_until(pilot, lambda: screen.distances.overlay.layer())
        await painted(screen)
        table = [[text_at(screen, row, col) for col in range(3)] for row in range(3)]
        assert table == [["7", "5", "2"], ["6", "11", "5"], ["1", "1", "6"]]
        await sees(pilot, "Need, the least health to enter a cell with: numbers, in small cells the last digits.")
        await sees(pilot, "The largest is 11.")
        assert screen.cell_text(Cell(1, 1)) == "Row 1, column 1: a trap, -10, need 11"
        await pilot.press("o")
        assert screen.distances.overlay.style is OverlayStyle.HEAT
        await pilot.press("o")
        await wait_until(pilot, lambda: not screen.distances.overlay.needs(Same(screen.controller.state.level)))
        await painted(screen)
        assert ["".join(row.glyphs) for row in paint(screen)] == ["@→↓", "↓↓↓", "→→o"]
        await pilot.press("o")
        assert last_message(screen) == "Need: hidden."


async def test_the_table_is_filled_cell_by_cell_with_the_formula() -> None:
    async with rescuing() as (pilot, screen):
        await pilot.press("o")
        await wait_until(pilot, lambda: screen.distances.overlay.layer())
        await pilot.press("O", "p")
        screen.distances.overlay.frontier = 0
        await pilot.press("right_square_bracket")
        assert "Step 1, paused. Need of row 2, column 2: 1, to be left with, less -5, is 6." in noted(screen)
        assert tinted(screen, Tint.FRONTIER) == {(2, 2)}
        assert tinted(screen, Tint.FRESH) == set()
        assert text_at(screen, 1, 1) == "-10"  # not yet computed
        await pilot.press("right_square_bracket")
        assert "Need of row 2, column 1: 6 (right), less 30, is -24; 1 at least, so 1." in noted(screen)
        await pilot.press(*["right_square_bracket"] * 3)
        assert "Need of row 1, column 1: the smaller of 5 (right) and 1 (below), less -10, is 11." in noted(screen)
        assert tinted(screen, Tint.FRONTIER) == {(1, 1)}
        assert tinted(screen, Tint.FRESH) == {(1, 2), (2, 1)}
        await pilot.press("left_square_bracket")
        assert "Need of row 1, column 2: 6 (below), less 1, is 5." in noted(screen)
        await pilot.press(*["right_square_bracket"] * 20)
        assert screen.distances.overlay.frontier == 9
        assert "Need of row 0, column 0: the smaller of 5 (right) and 6 (below), less -2, is 7." in noted(screen)


async def test_without_a_panel_the_formula_is_a_message() -> None:
    async with rescuing(size=(80, 24)) as (pilot, screen):
        await pilot.press("o")
        await wait_until(pilot, lambda: screen.distances.overlay.layer())
        await pilot.press("O", "p", "right_square_bracket", "right_square_bracket")
        told = [text for text in screen.messages.texts if text.startswith("Need of row")]
        assert len(told) == 1  # one gives way to the next
        assert last_message(screen) == told[0]


@given(rows=grid_rows(values=st.integers(-99, 99)))
def test_explanations_follow_the_order_and_come_to_the_table(rows: list[list[int]]) -> None:
    level = level_of(rows)
    field = needs(rules.start(level), "need", True)
    assert field.order is not None
    assert field.explain is not None
    assert field.steps is not None
    assert field.explain(0) is None
    assert sorted(field.order.ravel()) == list(range(1, field.last_step + 1))
    for step in range(1, field.last_step + 1):
        told = field.explain(step)
        assert told is not None
        assert field.order[told.cell] == step
        assert all(field.order[source] < step for source in told.sources)
        base = min((int(field.distance[source]) for source in told.sources), default=1)
        assert max(1, base - rows[told.cell.row][told.cell.col]) == field.distance[told.cell]
        ahead = {3: told.cell.neighbour(Direction.RIGHT), 1: told.cell.neighbour(Direction.DOWN)}
        pointed = ahead.get(int(field.steps[told.cell]))
        assert pointed is None or (pointed in told.sources and field.distance[pointed] == base)


async def test_a_large_grid_is_walked_but_has_no_table() -> None:
    side = int(MOST_CELLS**0.5) + 1
    grid = np.zeros((side, side), np.int32)
    grid[-1, -1] = -3
    async with opened("rescue", Level("large", grid)) as (pilot, screen):
        told = f"{side} x {side} cells are too many for a table of their needs: {MOST_CELLS:,} at most."
        for key in "oOAW":
            await pilot.press(key)
            await wait_until(pilot, lambda: last_message(screen) == told)
            announced = ("Need", "It grows", "Analysing")
            assert not any(text.startswith(announced) for text in screen.messages.texts)
            screen.messages.say(Line(""))
        assert not screen.distances.overlay.is_on
        assert not screen.board.is_on
        assert not screen.toggles.shown
        await ask(pilot, screen, "H", "4")
        await pilot.press("right", "B")
        assert screen.controller.state.cell == Cell(0, 1)
        await wait_until(pilot, lambda: last_message(screen) == "A best way: shown.")


# -- ways and curves


async def test_a_best_way_by_arrows_and_all_of_them_by_stars() -> None:
    async with rescuing(TWO_WAYS) as (pilot, screen):
        await pilot.press("B")
        assert text_at(screen, 0, 1) == "↓-4"
        assert text_at(screen, 1, 0) == "-4"
        assert "A best way: the arrows; right where both ways are as good." in noted(screen)
        await pilot.press("W")
        assert text_at(screen, 0, 1) == "↓-4"
        assert text_at(screen, 1, 0) == "*-4"
        assert tinted(screen, Tint.SAFE) == {(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2)}
        await pilot.press("B", "W")
        assert tinted(screen, Tint.SAFE) == set()


@pytest.mark.parametrize(("name", "key"), [("best_layer", "B"), ("all_layer", "W")])
async def test_the_ways_of_a_large_grid_are_found_in_a_thread_once(
    name: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    makers = []
    make_layer = getattr(RescueView, name)

    def watched(view: RescueView, state: State) -> Any:
        makers.append(threading.current_thread() is threading.main_thread())
        return make_layer(view, state)

    monkeypatch.setattr(RescueView, name, watched)
    side = int(AT_ONCE**0.5) + 1
    async with opened("rescue", Level("large", np.zeros((side, side), np.int32))) as (pilot, screen):
        layer = next(layer for layer in screen.view.all_features(ToggledLayer) if layer.key.keys == key)
        assert layer.is_slow(screen.controller.state)
        await pilot.press(key)
        await wait_until(pilot, lambda: not layer.is_slow(screen.controller.state))
        await wait_until(pilot, lambda: len(tinted(screen, Tint.SAFE)) > 1)
        assert makers == [False]
        await ask(pilot, screen, "H", "1")
        assert len(tinted(screen, Tint.SAFE)) > 1  # at once: the grid is the same


@pytest.mark.parametrize("key", ["B", "W"])
async def test_what_is_refused_after_a_while_is_never_said_to_be_shown(key: str) -> None:
    side = int(AT_ONCE**0.5) + 1
    async with opened("rescue", Level("large", np.full((side, side), -MOST))) as (pilot, screen):
        await pilot.press(key)
        await wait_until(pilot, lambda: "64-bit" in last_message(screen))
        assert not any("shown" in text for text in screen.messages.texts)
        assert not screen.toggles.shown


async def test_a_grid_that_needs_too_much_has_no_best_way() -> None:
    async with rescuing([[-MOST, -MOST]] * 2, size=(120, 30)) as (pilot, screen):
        for key in "BWC":
            await pilot.press(key)
            await wait_until(pilot, lambda: "64-bit" in last_message(screen))
            screen.messages.say(Line(""))
        await ask(pilot, screen, "H", "10")
        await dialogue(pilot)
        await sees(pilot, "No health within 64 bits is enough for this grid.")


@pytest.mark.parametrize("size", [(80, 24), (80, 20), (110, 30), (200, 60)])
async def test_the_end_hides_nothing_of_a_small_grid(size: tuple[int, int]) -> None:
    async with rescuing(size=size) as (pilot, screen):
        await ask(pilot, screen, "H", "1")
        question = await dialogue(pilot)
        await wait_until(pilot, lambda: screen.map.last_line < question.query_one(Vertical).region.y)
        await pilot.resize_terminal(size[0], size[1] - 2)
        await wait_until(pilot, lambda: screen.map.last_line < question.query_one(Vertical).region.y)
        await pilot.resize_terminal(*size)
        await pilot.press("backspace")
        await wait_until(pilot, lambda: screen.map.styles.max_height is None)


async def test_footer_and_help_speak_of_needs_signs_and_health() -> None:
    async with rescuing(size=(160, 30)) as (pilot, _):
        await sees(pilot, "o Needs")
        await sees_no(pilot, "Distances")
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)
        page = words(pilot.app.screen.page().plain)
        for text in ("The knight walks right or down", "P the princess", "choose the health to set out with",
                     "the need of each cell as numbers, heat, arrows"):  # fmt: skip
            assert text in page
        assert "diagonal" not in page


async def test_the_curve_of_the_way_and_of_a_best_one() -> None:
    async with rescuing(size=(120, 40)) as (pilot, screen):
        await pilot.press("C")
        await sees(pilot, "a best way, from 7")
        await sees_no(pilot, "your way")
        await pilot.press("q")
        await ask(pilot, screen, "H", "9")
        await pilot.press("C")
        await sees(pilot, "your way, from 9")
        await sees(pilot, "a best way, from 7, lowest: 1 health at step 5")
        await pilot.press("escape")
        assert pilot.app.screen is screen


# -- opening, looking back, looks


async def test_a_pasted_grid_opens() -> None:
    app = DungeonApp(find_game("rescue"))
    app.animation_level = "none"
    async with app.run_test(size=(110, 40), notifications=True) as pilot:
        await wait_until(pilot, lambda: isinstance(app.screen, MenuScreen) and app.screen._entries)
        options = app.screen.query_one(OptionList)
        options.highlighted = next(
            place
            for place in range(options.option_count)
            if "Open a level file" in str(options.get_option_at_index(place).prompt)
        )
        await sees(pilot, "or paste the grid itself")
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(app.screen, LineDialog) and app.screen.query(Input))
        app.screen.query_one(Input).post_message(events.Paste("[[-2,\n  -3],\n [3, 1]]\n"))
        await pilot.pause()
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(app.screen, PlayScreen))
        await sees(pilot, "Pasted grid Grid of 2 x 2")


async def test_looking_back_and_choosing_another_health_takes_over() -> None:
    async with rescuing(size=(110, 40)) as (pilot, screen):
        await ask(pilot, screen, "H", "9")
        await pilot.press("left_square_bracket")
        assert screen.session.is_looking_back
        await ask(pilot, screen, "H", "8")
        assert not screen.session.is_looking_back
        assert screen.controller.state.initial == 8


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_ascii_alone_is_drawn(size: tuple[int, int]) -> None:
    async with rescuing(size=size, ascii_only=True) as (pilot, screen):
        await ask(pilot, screen, "H", "9")
        for keys in ("B", "W", "o", "A", "o", "o", "O", "G", "C"):
            await pilot.press(keys)
            await pilot.pause()
            assert shown(pilot.app).isascii(), keys


def test_inspecting_tells_number_princess_and_health() -> None:
    view, state = view_of(ASCII), state_of([[5, 0], [-1, 4]], "health 2", "down")
    assert view.cell_text(state, Cell(0, 0)) == "Row 0, column 0: a power-up, +5, 7 health left there"
    assert view.cell_text(state, Cell(1, 0)) == "Row 1, column 0: a trap, -1, 6 health left there"
    assert view.cell_text(state, Cell(0, 1)) == "Row 0, column 1: nothing, 0"
    assert view.cell_text(state, Cell(1, 1)) == "Row 1, column 1: the princess, a power-up, +4"
    assert view.cell_text(state, Cell(2, 0)) == ""
