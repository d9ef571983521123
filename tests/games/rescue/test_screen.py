"""The rescue on screen: numbers in cells, questions, needs as they are computed, ways, whole rescues by keys."""

import asyncio
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Input

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.identity import ByIdentity
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.level import MOST, Level
from dungeon_tui.games.rescue.model.purchase import purchase
from dungeon_tui.games.rescue.model.rules import SetOut, State, Status, Walk
from dungeon_tui.games.rescue.view.analysis import RescueAnalysis
from dungeon_tui.games.rescue.view.guide import RescueGuide
from dungeon_tui.games.rescue.view.overlays import MAX_NEEDS, check_size, need_field
from dungeon_tui.games.rescue.view.picture import POWER_UPS, TRAPS, Picture, glyph
from dungeon_tui.games.rescue.view.screen import FAST_CELLS, RescueView
from dungeon_tui.games.rescue.view.words import compared, read_health, setting_out
from dungeon_tui.ui.glyphs import ASCII, UNICODE
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.analysis import MoveMarks
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.dialogs import LineDialog, Pause
from dungeon_tui.ui.widgets.key_bar import KeyBar
from dungeon_tui.ui.widgets.plot import PlotScreen
from tests.games.rescue.grids import CLASSIC, TWO_WAYS, grid_rows, level_of, played, state_of
from tests.ui import driving as ui


def rescuing(rows: object = CLASSIC, **options: Any) -> ui.Opened:
    """The app with a grid open and painted."""
    return ui.opened("rescue", level_of(rows), **options)


def view_of(glyphs: Any = UNICODE) -> RescueView:
    game = find_game("rescue")
    assert game is not None
    return RescueView(game, glyphs)


def text_at(screen: PlayScreen, row: int, col: int) -> str:
    """What stands in a cell that is wide enough."""
    return str(ui.paint(screen)[row].texts.get(col, "")).strip()


def noted(screen: PlayScreen) -> str:
    """What the panel says."""
    return ui.words(str(screen.panel.render()))


async def type_in(pilot: Pilot[Any], screen: PlayScreen, text: str) -> None:
    """Answers the question that is open, or will be in a moment."""
    await ui.wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog) and pilot.app.screen.query(Input))
    pilot.app.screen.query_one(Input).value = text
    await pilot.press("enter")
    await pilot.pause()


async def ask(pilot: Pilot[Any], screen: PlayScreen, key: str, text: str) -> None:
    """Presses the key of a question and answers it."""
    await pilot.press(key)
    await type_in(pilot, screen, text)
    await ui.painted(screen)


# -- the picture


@given(value=st.integers(-(10**18), 10**18), least=st.integers(-(10**18), -1), most=st.integers(1, 10**18))
def test_glyphs_grow_with_the_number_and_never_mix_signs(value: int, least: int, most: int) -> None:
    value = max(least, min(most, value))
    level = level_of([[least, most]])
    sign, meaning = glyph(level, value, UNICODE)
    if value == 0:
        assert (sign, meaning) == (UNICODE.floor, Meaning.FLOOR)
        return
    signs, good, end = (POWER_UPS, True, most) if value > 0 else (TRAPS, False, least)
    end = max(end, 9) if good else min(end, -9)
    assert signs.index(sign) * end // 9 <= value if good else signs.index(sign) * end // 9 >= value - 1
    assert (meaning in (Meaning.PRIZE, Meaning.SLIGHT_PRIZE)) == good


def test_the_way_so_far_is_tinted_and_the_knight_shows_his_health() -> None:
    picture = Picture(state_of(CLASSIC, "health 9", "right", "down"), UNICODE)
    rows = [picture.row(number, 0, 3) for number in range(3)]
    assert [[*row.tints] for row in rows] == [[Tint.WORN, Tint.WORN, 0], [0, Tint.DANGER, 0], [0, 0, 0]]
    assert str(rows[1].texts[1]) == "@-10"  # what killed him
    assert Picture(state_of(CLASSIC, "health 9", "right"), UNICODE).row(1, 0, 3).tints[1] == Tint.DANGER  # he'd die


@pytest.mark.parametrize(("health", "tint"), [(99, Tint.SAFE), (6, Tint.DANGER)])
def test_the_knight_ends_beside_the_princess(health: int, tint: Tint) -> None:
    state = state_of(CLASSIC, f"health {health}", "right", "right", "down", "down")
    rows = [Picture(state, UNICODE).row(number, 0, 3) for number in (1, 2)]
    drawn = [(row.glyphs[2], row.meanings[2], row.tints[2]) for row in rows]
    assert drawn == [("@", Meaning.YOU, tint), ("P", Meaning.WAY_OUT, tint)]
    assert not any("so far" in told for told in compared(state))


async def test_signs_stand_above_the_numbers_of_small_cells() -> None:
    async with rescuing([[0, -9, -1, 9]] * 9, size=(80, 24)) as (pilot, _):
        await ui.sees(pilot, "▟▙ ▗▖ ▜▛")


def test_numbers_of_traps_have_a_blank_before_them() -> None:
    row = Picture(state_of([[0, -27, -1]]), UNICODE).row(0, 0, 3)
    assert str(row.texts[1]) == " -27"


def test_a_refused_health_names_the_trap_under_the_knight() -> None:
    level = level_of([[-2, 1, -5]])
    for task in (level, purchase(level, 1)):
        with pytest.raises(ValueError, match="the first cell alone takes 2: enter 3 or more"):
            setting_out(rules.start(task), "2")


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
            assert part.texts == {index - start: text for index, text in whole.texts.items() if index >= start}


# -- questions


async def test_any_digit_begins_a_health() -> None:
    async with rescuing(size=(80, 24)) as (pilot, screen):
        for health in ("4", "8", "16"):  # some are ways of the number pad
            for digit in health:  # comes before the dialog opens
                screen.post_message(Key(digit, digit))
            await ui.wait_until(pilot, lambda: pilot.app.screen is not screen)
            line = pilot.app.screen.query_one(Input)
            await ui.wait_until(pilot, lambda line=line, health=health: line.value == health)
            await pilot.press("escape")
            await ui.wait_until(pilot, lambda: pilot.app.screen is screen)


@pytest.mark.parametrize("gap", [0, 0.02])  # seconds
async def test_keys_typed_while_the_question_closes_move_the_knight(gap: float) -> None:
    async with rescuing(size=(80, 24)) as (pilot, screen):
        for key in ("7", "enter", "right", "l", "down"):
            pilot.app.post_message(Key(key, key if len(key) == 1 else None))
            await asyncio.sleep(gap)
        await ui.wait_until(pilot, lambda: len(screen.controller.state.trail or ()) == 4)
        assert rules.path_of(screen.controller.state) == ((0, 0), (0, 1), (0, 2), (1, 2))
        assert screen.controller.state.initial == 7


async def test_more_health_than_the_purse_holds_is_refused_where_it_is_typed() -> None:
    async with ui.opened("rescue", purchase(level_of([[0, -2], [3, 0]]), 1), size=(80, 24)) as (pilot, screen):
        purse, footer = screen.controller.state.level.purse, screen.query_one(KeyBar).render
        assert "Health" in str(footer())
        assert "best.all" in screen.unused_keys
        await pilot.press("1", "7", "escape")
        await ui.sees_no(pilot, "diagonal")
        await ask(pilot, screen, "H", str(purse + 1))
        await ui.sees(pilot, f"you have {purse} gold")
        await type_in(pilot, screen, str(purse))
        await ui.wait_until(pilot, lambda: screen.controller.state.initial == purse)
        await ui.wait_until(pilot, lambda: "Health" not in str(footer()))


@pytest.mark.parametrize("first", [-6, 6, 0])
def test_the_knight_shows_the_number_of_his_cell_until_he_has_health(first: int) -> None:
    level = level_of([[first, -2], [3, 0]])
    for start in (level, purchase(level, 1)):
        assert str(Picture(rules.start(start), UNICODE).row(0, 0, 2).texts[0]) == (f"@{first:+}" if first else "@")
    after, _ = rules.step(rules.start(level), SetOut(9))
    assert str(Picture(after, UNICODE).row(0, 0, 2).texts[0]) == f"@{9 + first}♥"


async def test_a_rescue_by_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    async with rescuing(size=(120, 40)) as (pilot, screen):
        await ui.do(pilot, "curve")
        await ui.sees(pilot, "knight has not set out")
        for key in ("enter", "right", "up", "H"):  # any move asks for his health
            await pilot.press(key)
            await ui.wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog))
            await pilot.press(*["escape"] * (key != "H"))
        for text in ("0", "9" * 5000):
            await type_in(pilot, screen, text)
            with pytest.raises(ValueError) as caught:  # noqa: PT011
                setting_out(screen.controller.state, text)
            await ui.sees(pilot, str(caught.value)[1:])
        await pilot.press("escape")
        pilot.app.post_message(Key("H", "H"))
        while pilot.app.screen is screen:
            await asyncio.sleep(0)
        for key in ("x", "3", "0", "enter"):  # typed before the question is painted; only digits count
            pilot.app.post_message(Key(key, key if len(key) == 1 else None))
        await ui.wait_until(pilot, lambda: screen.controller.turn.ply == 1)
        assert (screen.controller.state.initial, screen.controller.state.health) == (30, 28)
        for key in ("H", "up", "left", "e", "y", "enter"):
            await pilot.press(key)
            await pilot.pause()
            assert pilot.app.screen is screen
        assert screen.controller.turn.ply == 1
        await pilot.press("backspace")
        screen.play(SetOut(30))
        assert screen.journal.used(screen.session.turn).names == ("undo",)
        await pilot.press("j", "down", "right", "l")
        await ui.dialogue(pilot)
        for sentence in compared(screen.controller.state):
            await ui.sees(pilot, sentence)
        assert ui.tinted(screen, Tint.WORN) == {(0, 0), (1, 0), (2, 0)}
        await pilot.press("V")
        await ui.wait_until(pilot, lambda: isinstance(pilot.app.screen, PlotScreen))
        await ui.sees(pilot, "your path, from 30")
        monkeypatch.setattr(Pause, "clock", int)  # 0: from now on no pause is long
        await pilot.press("q")
        assert await ui.dialogue(pilot)
        await pilot.press("r")
        await ui.wait_until(pilot, lambda: screen.controller.turn.ply == 0)


@given(text=st.text(max_size=30) | st.from_regex("[-+]?0*[0-9]{1,20}", fullmatch=True))
def test_a_health_is_a_number_or_a_value_error(text: str) -> None:
    is_one = text.isascii() and text.removeprefix("-").removeprefix("+").isdigit() and 1 <= int(text) <= MOST
    try:
        assert read_health(text) == int(text)
    except ValueError:
        assert not is_one
    else:
        assert is_one


# -- walking


@pytest.mark.parametrize(("cell", "steps"), [((0, 2), 2), ((2, 2), 4), ((0, 0), 0)])
def test_a_route_leads_over_empty_cells(cell: tuple[int, int], steps: int) -> None:
    state = state_of([[0, 0, -1], [0, -9, 1], [0, 0, -2]], "health 9")
    route = RescueGuide().route(state, Cell(*cell))
    assert isinstance(route, str) if steps == 0 else len(route) == steps
    assert isinstance(RescueGuide().route(rules.step(state, Walk(Direction.RIGHT))[0], Cell(2, 0)), str)


async def test_a_plan_shows_what_it_costs_and_is_walked() -> None:
    level = replace(purchase(level_of([[0, 6, -9], [-2, -2, -3]]), 2), purse=7)
    async with ui.opened("rescue", level, size=(80, 24)) as (pilot, screen):
        await pilot.press("g", "down", "right", "right")
        await ui.sees(pilot, "costs 8 gold")
        await pilot.press("enter")
        await ui.sees(pilot, "you have 7 gold")
        await pilot.press("backspace", "backspace", "backspace", "right")
        await ui.sees(pilot, "2 for power-ups")
        await pilot.press("enter")
        await ui.sees(pilot, "Draw on to the princess")
        screen.travel.plan(Cell(1, 1))  # by a click
        await pilot.press("right", "enter")
        await ui.wait_until(pilot, lambda: screen.controller.state.is_over)
        assert screen.controller.state.spent == 3
        await ui.dialogue(pilot)


async def test_a_plan_of_a_walk_shows_the_health_it_needs() -> None:
    async with rescuing(size=(80, 24)) as (pilot, screen):
        await pilot.press("g", "right", "left")
        await ui.sees(pilot, "walks right and down only")
        await pilot.press("down")
        await ui.sees(pilot, "needs 16")
        assert text_at(screen, 1, 1) == "@-10"
        await pilot.press("escape", "7", "enter", "g", "down")
        await ui.sees(pilot, "He dies there")


@pytest.mark.parametrize(
    ("grid", "way"), [([[0] * 4, [0, 0, 0, -9]], ("down", *["right"] * 3)), ([[0, 0], [0, -9]], ("down", "right"))]
)
async def test_the_end_page_covers_no_row_of_a_low_grid(grid: list[list[int]], way: tuple[str, ...]) -> None:
    async with rescuing(grid, size=(80, 24)) as (pilot, screen):
        for text in ("health 5", *way):
            screen.play(rules.read_action(text))
        await ui.dialogue(pilot)
        box = pilot.app.screen.query_one("ChoiceDialog > Vertical")
        # A grid that is not wide leaves its side free: the page stands there.
        await ui.wait_until(
            pilot, lambda: box.region.x >= screen.map.region.right if screen.is_beside else box.region.bottom == 24
        )
        assert screen.is_beside == (len(grid[0]) < 4)


# -- exact needs


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

    def least(state: State) -> int:
        """The least health to set out with for the path so far and any on from there."""
        if state.status is Status.DIED:
            return health + 1
        steps = [step for step in rules.legal_actions(state) if isinstance(step, Walk)]
        if not steps:
            return solver.path_need(state.level, rules.path_of(state))
        return min(least(rules.step(replace(state, health=999), step)[0]) for step in steps)

    analysis = RescueAnalysis()
    analysis.prepare(controller.state)
    could, ago, before = True, 0, 0  # before he sets out
    for turn in controller.turn.line()[1:]:
        can = can_live(turn.state)
        assert analysis.judge(turn).is_mistake == (could and not can)
        needed = least(turn.state)
        assert analysis.judge(turn).is_slip == (turn.ply > 1 and before < needed <= health)
        could, ago, before = can, 0 if can else ago + 1, needed
        if ago and not turn.state.is_over:
            assert solver.moves_since_hope(turn.state) == ago


@given(rows=grid_rows(), health=st.integers(1, 40))
def test_why_plays_the_best_way_on(rows: list[list[int]], health: int) -> None:
    analysis, controller = RescueAnalysis(), played(rows, f"health {health}")
    for turn in (controller.first, controller.turn):
        line = analysis.why(turn)
        if isinstance(line, str):
            assert turn.state.is_over or health < rules.least_health(turn.state.level)
            continue
        state = turn.state
        for action in line:
            state, _ = rules.step(state, action)
        assert state.status is Status.SAVED


@pytest.mark.parametrize(
    ("grid", "fee", "actions", "text"),
    [
        (CLASSIC, None, ["health 9"], "A best path takes at most 4 on the way, so he needs 5 health and has 7."),
        (CLASSIC, None, ["health 9"], " Your move, down, would need 6."),
        ([[0, -8], [6, -9]], 2, [], "A cheapest path takes the power-up, and costs 6 gold in all."),
    ],
)
def test_why_explains_the_best_way_by_its_numbers(
    grid: list[list[int]], fee: int | None, actions: list[str], text: str
) -> None:
    controller = TurnController(rules, level_of(grid) if fee is None else purchase(level_of(grid), fee))
    controller.apply_texts(actions)
    explanation = RescueAnalysis().explanation(controller.turn.state, Walk(Direction.DOWN) if actions else SetOut(6))
    assert text in explanation


def test_both_steps_are_marked_with_what_they_need() -> None:
    one, other = RescueAnalysis().moves(state_of(CLASSIC, "health 7"))
    assert (one.cell, one.cost, one.is_best) == (Cell(0, 1), "0", True)
    assert (other.cell, other.loss, other.is_best) == (Cell(1, 0), 1, False)
    assert other.losing
    assert not RescueAnalysis().moves(state_of(CLASSIC, "health 9"))[1].losing
    row = Picture(state_of(CLASSIC, "health 7"), UNICODE).row(1, 0, 3)
    glyph_before = row.glyphs[0]
    MoveMarks(Picture(state_of(CLASSIC, "health 7"), UNICODE), 4, UNICODE).costs([other]).paint(1, row)
    assert (row.glyphs[0], str(row.texts[0])[1:].strip()) == (glyph_before, f"-5{UNICODE.cross}")  # the trap stays


# -- needs, as they are computed


async def test_needs_stand_on_the_map_and_are_computed_cell_by_cell() -> None:
    async with rescuing() as (pilot, screen):
        await pilot.press("o")
        assert not screen.distances.is_on  # it asks first
        await pilot.press("o")
        await ui.wait_until(pilot, lambda: screen.distances.layer())
        await ui.painted(screen)
        table = [[text_at(screen, row, col) for col in range(3)] for row in range(3)]
        assert table == [
            ["@ 7(-2)", "5(-3)", "2(+3)"],
            ["6(-5)", "11(-10)", "5(+1)"],
            ["1(+10)", "1(+30)", "P 6(-5)"],
        ]
        await ui.sees(pilot, "brackets. o: next view.")
        screen.hover(Cell(1, 1))
        await ui.sees(pilot, "need 11")
        await ui.do(pilot, "overlay.watch", "p")
        screen.distances.frontier = 0
        explain = need_field(screen.controller.state, "need", False).explain
        assert explain is not None
        on, back = "right_square_bracket", "left_square_bracket"
        for keys, step in (([on], 1), ([on], 2), ([on] * 3, 5), ([back], 4), ([on] * 20, 9)):
            await pilot.press(*keys)
            assert screen.distances.frontier == step
            told = explain(step)
            assert told.text in noted(screen)
            assert ui.tinted(screen, Tint.FRONTIER) == {told.cell}
            assert ui.tinted(screen, Tint.FRESH) == {*told.sources}
            assert text_at(screen, 1, 1) == ("-10" if step < 5 else "11(-10)")
        await ui.do(pilot, "overlay.watch", "o", "o")
        await ui.wait_until(pilot, lambda: not screen.distances.needs(ByIdentity(screen.controller.state.level)))
        await ui.painted(screen)
        assert ["".join(row.glyphs) for row in ui.paint(screen)] == ["@→↓", "↓↓↓", "→→P"]
        await pilot.press("o")
        assert not screen.distances.is_on


@given(rows=grid_rows(values=st.integers(-99, 99)))
def test_explanations_follow_the_order_and_come_to_the_table(rows: list[list[int]]) -> None:
    level = level_of(rows)
    field = need_field(rules.start(level), "need", True)
    assert field.order is not None
    assert field.explain is not None
    assert field.steps is not None
    assert field.explain(0) is None
    assert sorted(field.order.ravel()) == list(range(1, field.last_step + 1))
    for step in range(1, field.last_step + 1):
        told = field.explain(step)
        assert field.order[told.cell] == step
        assert all(field.order[source] < step for source in told.sources)
        base = min((int(field.distance[source]) for source in told.sources), default=1)
        assert max(1, base - rows[told.cell.row][told.cell.col]) == field.distance[told.cell]
        ahead = {3: told.cell.neighbour(Direction.RIGHT), 1: told.cell.neighbour(Direction.DOWN)}
        pointed = ahead.get(int(field.steps[told.cell]))
        assert pointed is None or (pointed in told.sources and field.distance[pointed] == base)


def test_a_large_grid_has_no_table() -> None:
    side = int(MAX_NEEDS**0.5) + 1
    with pytest.raises(ValueError, match=f"{side} x {side} cells are too many"):
        check_size(Level("large", np.zeros((side, side), np.int32)))


# -- ways and curves


async def test_the_best_line_can_be_walked_over_an_older_try() -> None:
    async with ui.opened("rescue", purchase(level_of([[0, -8], [6, -9]]), 2)) as (pilot, screen):
        for text in ("health 9", "right"):
            screen.play(rules.read_action(text))
        await pilot.press("r", "c")
        await ui.sees(pilot, "as help")
        await pilot.press("c")
        await ui.sees(pilot, "plays it")
        walked = []
        for key in ("]", "]", "[", "[", "]", "]", "]"):
            await pilot.press({"[": "left_square_bracket", "]": "right_square_bracket"}[key])
            walked.append(rules.action_text(action) if (action := screen.controller.turn.action) else "")
        assert walked == ["health 4", "down", "health 4", "", "health 4", "down", "right"]


async def test_nothing_asks_once_the_whole_path_is_drawn() -> None:
    async with ui.opened("rescue", purchase(level_of([[0, -8], [6, -9]]), 2)) as (pilot, _):
        for text in ("Nothing to learn", "again", "cheapest path takes", "He goes", "is drawn"):
            await pilot.press("L" if text[0] == "N" else "slash")
            await ui.sees(pilot, text)
        await pilot.press("c")
        await ui.sees(pilot, "plays it")


async def test_all_best_ways_by_stars() -> None:
    async with rescuing(TWO_WAYS) as (pilot, screen):
        await ui.do(pilot, "best.all", "best.all")
        assert text_at(screen, 1, 0) == "*-4"
        assert ui.tinted(screen, Tint.SAFE) == {(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2)}
        await ui.do(pilot, "best.all")
        assert ui.tinted(screen, Tint.SAFE) == set()


# -- opening, looking back, looks


def test_inspecting_tells_the_number() -> None:
    view, state = view_of(ASCII), state_of([[5, 0], [-1, 4]], "health 2", "down")
    told = [view.cell_text(state, Cell(row, col)) for row in range(2) for col in range(2)]
    assert [re.findall("[+-]?[0-9]+", text)[2:] for text in told] == [["+5"], [], ["-1"], ["+4"]]
    assert view.cell_text(state, Cell(2, 0)) == ""


@pytest.mark.parametrize("side", [2, int(FAST_CELLS**0.5) + 1])
async def test_what_is_refused_at_once_or_after_a_while_is_never_said_to_be_shown(side: int) -> None:
    async with rescuing(np.full((side, side), -MOST)) as (pilot, screen):
        await ui.do(pilot, "best.all")
        await ui.wait_until(pilot, lambda: "64-bit" in ui.last_message(screen))
        assert not screen.toggles.shown
        assert not any("shown" in text for text in screen.messages.texts)
        await ask(pilot, screen, "H", str(MOST))
        await ui.dialogue(pilot)
        await ui.sees(pilot, next(compared(screen.controller.state)))


async def test_neither_the_analysis_nor_an_empty_cell_pushes_the_rules_out_of_the_log() -> None:
    async with rescuing([[0, 0, -1, 0]], size=(80, 24)) as (pilot, screen):
        rule, _, goal = screen.messages.texts
        await pilot.press("A", "A")
        await ui.wait_until(pilot, lambda: screen.board.is_on)
        assert not screen.board.legend  # no cell is marked
        await pilot.press("escape")
        await ui.wait_until(pilot, lambda: "Analysis off" in ui.last_message(screen))
        for text in ("health 5", "right", "right"):
            screen.play(rules.read_action(text))
        assert screen.messages.texts == [rule, goal]
