"""The expedition on screen: walking by keys and clicks, hints, exact play, scouting, the end."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from time import sleep
from typing import Any

import pytest
from hypothesis import given
from textual.pilot import Pilot

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.engine import UNREACHED
from dungeon_tui.engine.walks import UNWATCHED, Watch
from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.ai.planner import Planner
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.dungeon import read_map
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import known_rooms, neighbours
from dungeon_tui.games.expedition.model.state import State, Status, Walk
from dungeon_tui.games.expedition.view import analysis as analysis_module
from dungeon_tui.games.expedition.view.analysis import ExpeditionAnalysis
from dungeon_tui.games.expedition.view.drawing import drawing_of
from dungeon_tui.games.expedition.view.screen import ExpeditionView
from dungeon_tui.ui.glyphs import ASCII, UNICODE, Glyphs
from dungeon_tui.ui.palette import Tint
from dungeon_tui.ui.play.overlay import OverlayStyle
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.figure import Figure
from tests.games.expedition.maps import level_of, levels, walked
from tests.ui.driving import (
    Opened,
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
)

PLACES = {"a": (0.0, 0.0), "b": (0.0, 1.0), "c": (0.0, 2.0), "d": (1.0, 1.0), "e": (1.0, 2.0)}
CORRIDORS = "ab1 bc2 bd ce de4"  # a - b - c
#                                      |   |
#                                      d - e


def placed(corridors: str = CORRIDORS, **options: Any) -> Level:
    """A map whose rooms lie in PLACES."""
    level = level_of(corridors, **options)
    return replace(level, rooms=tuple(replace(room, place=PLACES[room.label]) for room in level.rooms))


def exploring(level: Level, size: tuple[int, int] = (110, 34), **options: Any) -> Opened:
    """The app with a map open and painted."""
    return opened("expedition", level, size=size, **options)


def view_of(glyphs: Glyphs = UNICODE) -> ExpeditionView:
    """A view without an app."""
    game = find_game("expedition")
    assert game is not None
    return ExpeditionView(game, glyphs)


def analysis_of(view: ExpeditionView) -> ExpeditionAnalysis:
    """Its exact play."""
    analysis = view.feature(ExpeditionAnalysis)
    assert analysis is not None
    return analysis


def drawn(screen: PlayScreen) -> str:
    """The map as text."""
    return "\n".join("".join(row.glyphs).rstrip() for row in paint(screen))


def here(screen: PlayScreen) -> str:
    """The label of the party's room."""
    state = screen.controller.state
    return str(state.level.rooms[state.room].label)


def noted(screen: PlayScreen) -> str:
    """What the panel says of what is drawn over the map."""
    return " ".join(note for note in screen._scene(screen.session.turn).notes if note)


async def click_room(pilot: Pilot[Any], screen: PlayScreen, label: str) -> None:
    """Clicks the middle of a room's box."""
    level = screen.controller.state.level
    number = next(at for at, room in enumerate(level.rooms) if room.label == label)
    cell = drawing_of(level).boxes[number].middle
    geometry = screen.map._geometry
    offset = (geometry.left + 1 + cell.col, geometry.top + 1 + cell.row)
    await pilot.click(screen.map, offset=offset)


# -- what is seen


async def test_rooms_and_corridors_are_drawn_with_their_costs() -> None:
    async with exploring(placed(costs={"c": 7})) as (pilot, screen):
        text = drawn(screen)
        for part in ("│@ a +1 ├──■──┤  b +1 ├─■■──┤  c +7 │", "│  d +1 ├■■■■─┤  e +1 │", "└───┬───┘"):
            assert part in text
        await sees(pilot, "Rooms seen 1 of 5")
        await pilot.press("right")
        text = drawn(screen)
        assert "│√ a +1 " in text
        assert "┤@ b +1 " in text
        await sees(pilot, "Cost 2")
        await sees(pilot, "######..........")


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_ascii_alone_is_drawn(size: tuple[int, int]) -> None:
    async with exploring(read_map("ruins"), size=size, ascii_only=True) as (pilot, _):
        for key in ("right", "P", "Y", "A", "o", "o", "o", "o", "f", "slash"):
            await pilot.press(key)
            await pilot.pause()
            assert shown(pilot.app).isascii(), key


async def test_cells_are_characters_and_never_grow() -> None:
    async with exploring(placed()) as (pilot, screen):
        await pilot.press("plus", "plus", "o")
        await wait_until(pilot, lambda: screen.distances.overlay.layer())
        assert screen.map.cell_size == (1, 1)


async def test_sixty_rooms_scroll_with_the_party() -> None:
    async with exploring(read_map("undercity"), size=(80, 24)) as (pilot, screen):
        await pilot.press("down")
        at = screen.map.scroll_offset
        for _ in range(12):
            await pilot.press("z")
            await pilot.pause()
        await wait_until(pilot, lambda: screen.controller.state.seen_count > 10)
        await painted(screen)
        assert screen.map.scroll_offset != at
        assert "@" in shown(pilot.app)


def test_words_for_rooms_and_corridors() -> None:
    view, state = view_of(), walked(placed(end=4), "b")
    drawing = drawing_of(state.level)
    assert view.cell_text(state, drawing.boxes[0].middle) == "a: entering it costs 1, seen, the start"
    assert view.cell_text(state, drawing.boxes[1].middle) == "b: entering it costs 1, seen, the party is here"
    assert view.cell_text(state, drawing.boxes[4].middle) == "e: entering it costs 1, not yet seen, where to end"
    assert view.cell_text(state, drawing.lines[0].cells[1]) == "Corridor from a to b: cost 1"
    assert view.cell_text(state, Cell(0, 0)) == ""


# -- walking


async def test_arrows_walk_to_the_room_that_lies_there() -> None:
    async with exploring(placed()) as (pilot, screen):
        for key, label in (("right", "b"), ("down", "d"), ("right", "e"), ("up", "c")):
            await pilot.press(key)
            assert here(screen) == label, key
        assert screen.controller.state.seen_count == 5
        await dialogue(pilot)  # an app that closes while one opens is cancelled


async def test_where_no_room_lies_the_party_says_so() -> None:
    async with exploring(placed()) as (pilot, screen):
        await pilot.press("up")
        assert last_message(screen) == "No corridor leads to a room further up."
        await pilot.press("e")
        assert last_message(screen) == "'e' does nothing here; ? lists the keys."
        assert screen.controller.turn.ply == 0


@given(level=levels())
def test_arrows_lead_to_neighbours_and_to_one_at_least(level: Level) -> None:
    view, state = view_of(), rules.start(level)
    reached = set()
    for direction in (Direction.UP, Direction.DOWN, Direction.LEFT, Direction.RIGHT):
        with suppress(IllegalActionError):
            reached.add(view.action_towards(state, direction))
    near = {Walk(level.rooms[room].id) for room in neighbours(level)[level.start]}
    assert reached <= near
    assert bool(reached) == bool(near)


async def test_a_click_walks_to_a_neighbour_and_far_through_rooms_seen() -> None:
    async with exploring(placed()) as (pilot, screen):
        await click_room(pilot, screen, "e")
        await wait_until(pilot, lambda: "through rooms that were seen" in last_message(screen))
        await click_room(pilot, screen, "b")
        await wait_until(pilot, lambda: here(screen) == "b")
        await click_room(pilot, screen, "d")
        await wait_until(pilot, lambda: here(screen) == "d")
        await click_room(pilot, screen, "a")
        await wait_until(pilot, lambda: here(screen) == "a")
        assert screen.controller.state.cost == 2 + 1 + 1 + 2
        await pilot.press("backspace")
        await wait_until(pilot, lambda: here(screen) == "b")


async def test_rooms_are_chosen_by_tab_the_nearest_first() -> None:
    async with exploring(placed()) as (pilot, screen):
        await pilot.press("g", "tab", "enter")
        await wait_until(pilot, lambda: here(screen) == "b")
        await pilot.press("g", "tab", "tab", "enter")  # d is nearer than a
        await wait_until(pilot, lambda: here(screen) == "a")


# -- hints


async def test_hints_in_three_steps() -> None:
    async with exploring(placed()) as (pilot, screen):
        await pilot.press("slash")
        await wait_until(pilot, lambda: last_message(screen).startswith("What is left costs at least"))
        least = solver.plan(screen.controller.state).cost
        assert f"at least {least}; proven" in last_message(screen)
        await pilot.press("slash")
        await wait_until(pilot, lambda: last_message(screen) == "Go to b. / again: the whole plan.")
        assert tinted(screen, Tint.SAFE) == set()
        await pilot.press("slash")
        await wait_until(pilot, lambda: tinted(screen, Tint.SAFE))
        assert f"{least} more. P hides it." in last_message(screen)
        await pilot.press("right", "slash")
        await wait_until(pilot, lambda: last_message(screen).startswith("What is left costs at least"))
        await pilot.press("P")
        assert tinted(screen, Tint.SAFE) == set()


async def test_a_plan_that_takes_long_doesn_t_hold_the_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    level = placed()
    planned = solver.plan

    def slowly(state: State, watch: Watch = UNWATCHED, **options: Any) -> solver.Plan:
        sleep(0.0 if watch is UNWATCHED else 1.0)
        return planned(state, watch, **options)

    monkeypatch.setattr(analysis_module.solver, "plan", slowly)
    async with exploring(level) as (pilot, screen):
        await pilot.press("slash")
        await wait_until(pilot, lambda: last_message(screen) == "Thinking ...")
        await pilot.press("slash")
        assert last_message(screen) == "Still thinking ..."
        await pilot.press("right")
        assert here(screen) == "b"
        await pilot.press("P")
        await wait_until(pilot, lambda: tinted(screen, Tint.SAFE))


async def test_what_can_t_be_done_is_said() -> None:
    async with exploring(placed("ab de")) as (pilot, screen):
        await pilot.press("slash")
        await wait_until(pilot, lambda: last_message(screen) == "It can't be done: 2 rooms can be seen.")
        await pilot.press("P")
        await wait_until(pilot, lambda: "plan" not in screen.toggles.shown)
        assert last_message(screen) == "It can't be done: 2 rooms can be seen."
        await pilot.press("A")
        await sees(pilot, "it can't be done: 2 rooms can be seen")
        await pilot.press("C")
        await sees(pilot, "2 rooms for 1")


# -- exact play


def judged(state_rooms: str, level: Level) -> list[tuple[str, bool, str]]:
    """Verdict, mistake, label of every turn of a walk."""
    controller = TurnController(rules, level)
    for room in state_rooms:
        controller.apply(Walk(room))
    analysis = ExpeditionAnalysis(Planner())
    analysis.prepare(controller.state)
    found = [analysis.judge(turn) for turn in controller.turn.line()]
    return [(each.text, each.is_mistake, each.label) for each in found]


def test_a_step_that_makes_the_whole_dearer_is_a_mistake() -> None:
    # From b both ends of a path: the near one first.
    level = level_of("ab bc cd", start="b")
    assert judged("cba", level) == [
        ("4 more is the least; 4 in all", False, "4"),
        ("1 wasted by this step; 5 in all, 1 more than the least", True, "5"),
        ("1 wasted by this step; 6 in all, 2 more than the least", True, "6"),
        ("3 more is the least; 6 in all, 2 more than the least", False, "6"),
    ]


@given(level=levels(most=6))
def test_the_best_line_is_played_to_the_end_and_has_no_mistake(level: Level) -> None:
    controller = TurnController(rules, level)
    analysis = ExpeditionAnalysis(Planner())
    analysis.prepare(controller.state)
    line = analysis.why(controller.turn)
    if isinstance(line, str):
        assert controller.outcome is not None or solver.plan(level).cost is None
        return
    for action in line:
        controller.apply(action)
    assert controller.state.status is Status.EXPLORED
    assert controller.state.cost == solver.plan(level).cost
    assert not any(analysis.judge(turn).is_mistake for turn in controller.turn.line())
    assert all(0 <= analysis.judge(turn).height <= 1 for turn in controller.turn.line())


async def test_each_step_is_marked_with_what_it_wastes_and_c_plays_the_best() -> None:
    async with exploring(placed("ab bc", start="b")) as (pilot, screen):
        await pilot.press("A")
        await wait_until(pilot, lambda: screen.board.is_on)
        assert noted(screen) == "Exact play: 3 more is the least; proven. Best: a, c."
        assert drawn(screen).count("best") == 2
        await pilot.press("c")
        await wait_until(pilot, lambda: screen.controller.state.status is Status.EXPLORED)
        assert screen.controller.state.cost == 3


def test_a_map_that_takes_too_long_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_module, "INSTANT", -1)
    level = read_map("ruins")
    with pytest.raises(ValueError, match="17 rooms are too many to judge every step at once"):
        ExpeditionAnalysis(Planner()).prepare(rules.start(level))


@given(level=levels())
def test_whoever_follows_a_plan_has_the_plans_of_the_next_moments(level: Level) -> None:
    planner, state = Planner(), rules.start(level)
    found = planner.plan(state)
    for room in found.walk[1:]:
        state, _ = rules.step(state, Walk(level.rooms[room].id))
        onward = planner.known(state)
        assert onward is not None
        assert onward.cost == solver.plan(state).cost


# -- scouting


async def test_scouting_shows_what_was_seen_and_its_neighbours() -> None:
    async with exploring(placed()) as (pilot, screen):
        await pilot.press("f")
        text = drawn(screen)
        assert "b +1" in text
        assert "c +1" not in text
        await pilot.press("slash")
        await wait_until(pilot, lambda: "To see what you know of costs at least" in last_message(screen))
        await pilot.press("z")
        await wait_until(pilot, lambda: here(screen) == "b")
        text = drawn(screen)
        assert "c +1" in text
        assert "d +1" in text
        assert "e +1" not in text
        box = drawing_of(screen.controller.state.level).boxes[4]
        assert screen.view.cell_text(screen.controller.state, box.middle) == ""
        await pilot.press("f")
        assert "e +1" in drawn(screen)


async def test_a_fogged_map_begins_in_fog() -> None:
    async with exploring(placed(is_fogged=True)) as (pilot, screen):
        assert "c +1" not in drawn(screen)
        await pilot.press("right", "right", "down", "down")
        await wait_until(pilot, lambda: screen.controller.state.seen_count > 3)


def foggy(view: ExpeditionView) -> ExpeditionView:
    """The same view with the fog on."""
    view.fog.is_on = True
    return view


@given(level=levels(most=6))
def test_exact_play_in_the_fog_says_that_it_knows_the_whole_map_and_names_known_rooms_only(level: Level) -> None:
    level = replace(level, rooms=tuple(replace(room, label=f"room{room.id}") for room in level.rooms))
    view, state = foggy(view_of()), rules.start(level)
    known = known_rooms(level, state.seen)
    names = {room.label for number, room in enumerate(level.rooms) if not known >> number & 1}
    note = analysis_of(view).note(state)
    if state.status is Status.EXPLORING:
        assert note.startswith("Exact play, which knows the whole map: ")
        assert analysis_of(view_of()).note(state).startswith("Exact play: ")
    assert names.isdisjoint(re.findall(r"\w+", note))
    boxes = drawing_of(level).boxes
    assert {*analysis_of(view).layer(state).rows()} <= {boxes[room].row for room in neighbours(level)[state.room]}


async def test_no_line_is_played_out_into_the_fog() -> None:
    async with exploring(placed()) as (pilot, screen):
        await pilot.press("f", "A")
        await wait_until(pilot, lambda: "which knows the whole map: 8 more is the least" in noted(screen))
        turn = screen.controller.turn
        await pilot.press("c")
        await wait_until(pilot, lambda: "rooms that you don't know" in last_message(screen))
        assert screen.controller.turn is turn
        assert not turn.branches
        assert "c +1" not in drawn(screen)
        await pilot.press("f", "c")
        await wait_until(pilot, lambda: screen.controller.outcome is not None)


def test_once_all_rooms_are_known_the_fog_holds_no_line_back() -> None:
    level = placed("ab bc")
    view, state = foggy(view_of()), walked(level, "b")
    assert analysis_of(view).why(Turn(state)) == [Walk("c")]


def test_the_curve_says_in_the_fog_that_it_knows_the_whole_map() -> None:
    for view, name in ((view_of(), "the least"), (foggy(view_of()), "the least, with the whole map known")):
        found = view.curve(rules.start(placed()))
        assert isinstance(found, Figure)
        assert found.series[0].name == name


def test_costs_of_ways_don_t_give_unknown_rooms_away() -> None:
    view, state = view_of(), walked(placed(), "b")
    boxes = drawing_of(state.level).boxes
    whole = view.distances(state, "cost", True)
    assert whole.distance[boxes[4].middle] == 4  # over c: 3, and 1
    view.fog.is_on = True
    known = view.distances(state, "cost", True)
    assert known.distance[boxes[4].middle] == UNREACHED
    assert known.distance[boxes[2].middle] == 3
    assert view.distance_key(state) != view_of().distance_key(state)


async def test_keys_that_a_drawing_has_no_use_for_are_not_there() -> None:
    async with exploring(placed()) as (pilot, screen):
        size = screen.map.cell_size
        for key in ("plus", "minus", "0", "full_stop"):
            await pilot.press(key)
            assert "does nothing here; ? lists the keys." in last_message(screen)
        assert screen.map.cell_size == size
        assert not {"stay", "zoom.in", "zoom.out", "zoom.fit"} & {key.id for key in screen.keys}


async def test_costs_stand_in_the_boxes_by_letter_and_heat() -> None:
    async with exploring(placed()) as (pilot, screen):
        await pilot.press("o")
        await wait_until(pilot, lambda: screen.distances.overlay.layer())
        await painted(screen)
        assert "┤2 b +1 ├" in drawn(screen)
        await pilot.press("o")
        assert screen.distances.overlay.style is OverlayStyle.HEAT
        box = drawing_of(screen.controller.state.level).boxes[1]
        assert screen.cell_text(box.middle).endswith("cost 2 from here")


# -- the end


async def test_the_end_compares_the_walk_and_draws_both() -> None:
    level = level_of("ab bc cd", start="b")
    async with exploring(level) as (pilot, screen):
        for room in "cbabc":
            screen.controller.apply(Walk(room))
        screen.play(Walk("d"))
        await dialogue(pilot)
        await sees(pilot, "The party saw 4 of 4 rooms at a cost of 6.")
        await sees(pilot, "The least is 4, proven: 2 less.")
        await sees(pilot, "+1: wasted between b and c, step 1.")
        await sees(pilot, "+1: wasted between c and a over b, steps 2 to 3.")
        assert tinted(screen, Tint.DANGER)
        await pilot.press("L")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        assert not tinted(screen, Tint.DANGER)
        await pilot.press("Y")
        assert tinted(screen, Tint.DANGER)
        await pilot.press("P")
        await wait_until(pilot, lambda: tinted(screen, Tint.FRESH))
        assert "numbers on the lower sides of rooms" in noted(screen)


async def test_a_cheapest_walk_is_called_one() -> None:
    async with exploring(placed("ab bc")) as (pilot, _):
        await pilot.press("right", "right")
        await dialogue(pilot)
        await sees(pilot, "That is the least: proven.")
        await sees_no(pilot, "wasted")


async def test_coverage_and_the_room_to_end_in_are_told() -> None:
    level = placed(coverage=Fraction(60), is_round_trip=True)
    async with exploring(level) as (pilot, screen):
        await sees(pilot, "See 3 of 5 rooms and end in a, as cheaply as you can.")
        await sees(pilot, "To see 3 of 5: 60 %")
        assert "@ a +1>" in drawn(screen)
        await pilot.press("right", "down", "up", "left")
        await dialogue(pilot)
        assert screen.controller.state.status is Status.EXPLORED


async def test_the_curve_is_plotted() -> None:
    async with exploring(read_map("ruins"), size=(120, 36)) as (pilot, _):
        await pilot.press("right", "C")
        await sees(pilot, "the least")
        await sees(pilot, "your walk")
        await sees(pilot, "17 rooms for 52")


@given(level=levels(most=6))
def test_the_curve_never_falls_and_ends_at_the_cheapest_walk(level: Level) -> None:
    found = view_of().curve(rules.start(level))
    if isinstance(found, str):
        assert level.goal is not None
        return
    assert isinstance(found, Figure)
    costs = list(found.series[0].y)
    assert costs == sorted(costs)
    if len(costs) == len(level.rooms):
        assert costs[-1] == solver.plan(replace(level, coverage=Fraction(100))).cost


@given(level=levels(most=6))
def test_changed_rows_are_all_that_change(level: Level) -> None:
    view, state = view_of(ASCII), rules.start(level)
    for _ in range(4):
        legal = rules.legal_actions(state)
        if not legal:
            return
        before = state
        state, _ = rules.step(state, legal[-1])
        rows = view.changed_rows(before, state)
        assert rows is not None
        pictures = view.picture(before), view.picture(state)
        for number in range(pictures[0].height):
            one, two = (picture.row(number, 0, picture.width) for picture in pictures)
            if (one.glyphs, one.meanings, one.tints) != (two.glyphs, two.meanings, two.tints):
                assert number in rows
