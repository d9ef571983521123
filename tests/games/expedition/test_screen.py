"""The expedition on screen: walking by keys and clicks, hints, exact play, scouting, the end."""

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from textual.pilot import Pilot

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.ai.solver import Planner
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.dungeon import named, read_map
from dungeon_tui.games.expedition.model.explorer import Explorer
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import known_rooms, neighbours
from dungeon_tui.games.expedition.model.state import Status, Walk, trails_of
from dungeon_tui.games.expedition.view import analysis as analysis_module
from dungeon_tui.games.expedition.view.analysis import ExpeditionAnalysis
from dungeon_tui.games.expedition.view.drawing import drawing_of, first_step
from dungeon_tui.games.expedition.view.guide import known_bits
from dungeon_tui.games.expedition.view.picture import Picture, draw_plan, draw_walk
from dungeon_tui.games.expedition.view.screen import ExpeditionView
from dungeon_tui.games.expedition.view.story import (
    BEST_WALK,
    comparison,
    not_safe,
    room_text,
    standing,
)
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.map.distance_layer import DistanceLayer, OverlayStyle
from dungeon_tui.ui.map.source import CellLayer
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.play.travel import NEWS
from dungeon_tui.ui.widgets.timeline import SLIP
from tests.games.expedition.maps import level_of, levels, played, walked
from tests.ui import driving as ui

PLACES = {"a": (0.0, 0.0), "b": (0.0, 1.0), "c": (0.0, 2.0), "d": (1.0, 1.0), "e": (1.0, 2.0)}
CORRIDORS = "ab1 bc2 bd ce de4"  # a - b - c
#                                      |   |
#                                      d - e


def placed(corridors: str = CORRIDORS, **options: Any) -> Level:
    """A map whose rooms lie in PLACES."""
    level = level_of(corridors, **options)
    return replace(level, rooms=tuple(replace(room, position=PLACES[room.label]) for room in level.rooms))


def exploring(level: Level, size: tuple[int, int] = (110, 34), **options: Any) -> ui.Opened:
    """The app with a map open and painted."""
    return ui.opened("expedition", level, size=size, **options)


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
    return "\n".join("".join(row.glyphs).rstrip() for row in ui.paint(screen))


def here(screen: PlayScreen) -> str:
    """The label of the party's room."""
    state = screen.controller.state
    return str(state.level.rooms[state.room].label)


def noted(screen: PlayScreen) -> str:
    """What the panel says of what is drawn over the map."""
    return ui.words(screen.panel.render().plain)


async def click_room(pilot: Pilot[Any], screen: PlayScreen, label: str) -> None:
    """Clicks the middle of a room's box."""
    level = screen.controller.state.level
    number = next(at for at, room in enumerate(level.rooms) if room.label == label)
    cell = drawing_of(level, screen.view.space).boxes[number].middle
    await pilot.click(screen.map, offset=ui.middle_of(screen.map, cell))


# -- what is seen, and walking


async def test_a_walk_by_keys_and_clicks_over_a_drawing_with_its_costs() -> None:
    async with exploring(placed(costs={"c": 7})) as (pilot, screen):
        text = drawn(screen)
        for part in ("█    ✓ a +1     █", "│····1····│", "│····2····│", "·4·", "▀▀▀▀ · ▀▀▀▀", "█       @ "):
            assert part in text
        for is_wished in (True, False):
            screen.map.draw_sprites(is_wished)
            await ui.painted(screen)
            assert ("@" in ui.shown(pilot.app)) != is_wished
        size = screen.map.cell_size
        await pilot.press("up")
        assert "go up" in ui.last_message(screen)
        await ui.do(pilot, "e", "plus", "minus", "zoom.fit", "full_stop")  # a drawing has no use for these
        assert (screen.controller.turn.ply, screen.map.cell_size) == (0, size)
        assert not {"stay", "zoom.in", "zoom.out", "zoom.fit"} & {key.id for key in screen.keys}
        for label in ("d", "a"):  # far, too
            await click_room(pilot, screen, label)
            await ui.wait_until(pilot, lambda label=label: here(screen) == label)
        assert screen.controller.state.cost == 2 + 1 + 1 + 2
        text = drawn(screen)
        assert "█    ✓ b +1 " in text
        assert "█      c +7 " in text
        await ui.sees(pilot, "Cost 6")
        await ui.sees(pilot, "To visit 2")
        await pilot.press("backspace")
        await ui.wait_until(pilot, lambda: here(screen) == "d")  # a whole walk back
        await pilot.press("g", "tab", "tab", "tab", "enter")  # after those to visit; b is nearer than a
        await ui.wait_until(pilot, lambda: here(screen) == "b")
        for key, label in (("down", "d"), ("right", "e"), ("up", "c")):
            await pilot.press(key)
            assert here(screen) == label, key
        assert screen.controller.state.seen_count == 5
        await ui.dialogue(pilot)  # an app that closes while one opens is cancelled


async def test_the_cost_of_the_path_to_a_room_stands_once_in_it() -> None:
    async with exploring(placed()) as (pilot, screen):
        await pilot.press("o")
        await ui.wait_until(pilot, lambda: "  b =2  " in drawn(screen))
        assert "✓ a +1" in drawn(screen)


async def test_the_mark_jumps_from_room_to_room_lights_the_box_and_tells_the_trip_and_a_hint_marks_its_room() -> None:
    async with exploring(placed()) as (pilot, screen):
        boxes = drawing_of(screen.controller.state.level, screen.view.space).boxes
        await pilot.press("slash", "slash")  # it asks first
        await ui.sees(pilot, "Visit b next")
        assert {ui.paint(screen)[cell.row].meanings[cell.col] for cell in boxes[1].frame} == {Meaning.WAY_OUT}
        await pilot.press("right")
        await ui.wait_until(pilot, lambda: here(screen) == "b")
        await pilot.press("g", "left")
        rows = ui.paint(screen)
        assert {rows[cell.row].meanings[cell.col] for cell in boxes[0].frame} == {Meaning.NOTE}
        assert "2 from b, then 4 in all" in noted(screen)
        await pilot.press("question_mark", "escape")  # help, from which the mark comes back
        for key, room in (("right", 1), ("right", 2), ("up", 2), ("down", 4), ("left", 3)):
            await pilot.press(key)
            assert screen.travel.cursor == boxes[room].middle, key
        await pilot.press("space", "right", "space", "up")  # a plan by d and e, told from there on
        await ui.sees(pilot, "The plan costs 6, 8 in all, 1 to visit.")
        assert "1 from e, then 9 in all" in noted(screen)
        await pilot.press("backspace", "escape", "g", "tab", "enter")  # by the plan, which is still there, to the mark
        await ui.wait_until(pilot, lambda: (here(screen), screen.controller.state.steps) == ("c", 4))


async def test_a_plan_in_fog_shows_nothing_new_and_its_walk_stops_where_something_comes_into_sight() -> None:
    async with exploring(FOGGED) as (pilot, screen):
        await pilot.press("right", "g", "down", "space")  # to d, beside which lies e
        assert {glyph for glyph, _ in screen.view.landmarks(screen.travel.ahead)} == {*"abc"}
        await pilot.press("tab", "space", "enter")
        await ui.sees(pilot, NEWS)
        assert here(screen) == "d"


def test_heat_lies_behind_the_costs_of_rooms_too_but_not_in_the_room_of_the_party() -> None:
    view, state = view_of(), rules.start(placed())
    field, drawing = view.distances(state, "cost", False), drawing_of(state.level)
    layer, box = DistanceLayer(field, OverlayStyle.HEAT, UNICODE), drawing.boxes[1]
    row = view.picture(state).row(box.middle.row, 0, drawing.width)
    layer.paint(box.middle.row, row)
    assert len({*row.tints[box.col + 1 : box.right]}) == 1
    assert row.tints[box.col + 1] >= Tint.HEAT_0
    assert max(row.tints[: drawing.boxes[0].right]) < Tint.HEAT_0


async def test_another_size_of_the_terminal_draws_the_map_anew_without_the_hint_on_it() -> None:
    async with exploring(placed()) as (pilot, screen):
        assert screen.map.source is not None
        large = screen.map.source.height
        await pilot.press(*3 * ["slash"])
        await ui.wait_until(pilot, lambda: ui.tinted(screen, Tint.SAFE))
        await pilot.resize_terminal(60, 16)
        await ui.wait_until(pilot, lambda: screen.map.source is not None and screen.map.source.height < large)
        assert "█✓ a +1    █" in drawn(screen)
        assert not ui.tinted(screen, Tint.SAFE)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "2 from b, then 4 in all"),
        ({"is_fogged": True, "torch": 6}, "2 from b, then 2 left"),
        ({"is_fogged": True, "torch": 3}, "the torch is too short"),
    ],
)
def test_a_room_tells_what_the_trip_there_comes_to(options: dict[str, Any], told: str) -> None:
    state = walked(placed(**options), "b")
    assert room_text(state, 0).split(": ", 1)[1].startswith(told)
    assert ("you know of no way there" in room_text(state, 4)) == state.level.is_fogged


def test_cells_and_costs_tell_of_rooms_and_of_nothing_unknown() -> None:
    view, state = view_of(), walked(placed(end=4), "b")
    cells = [box.middle for box in drawing_of(state.level).boxes]
    assert [view.cell_text(state, cell) for cell in cells] == [room_text(state, room) for room in range(5)]
    assert view.cell_text(state, Cell(4, 0)) == ""
    foggy = walked(placed(end=4, is_fogged=True), "b")
    cells = [box.middle for box in view.drawn(foggy.level).boxes]
    assert [bool(view.cell_text(foggy, cell)) for cell in cells] == [True] * 4 + [False]
    costs = view.distances(foggy, "cost", True).distance
    assert (costs[cells[2]], costs[cells[4]]) == (3, UNREACHED)
    assert view.distance_key(state) != view.distance_key(foggy)


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


# -- exact play


@given(level=levels(most=6))
def test_the_best_line_is_played_to_the_end_has_no_mistake_and_each_moment_its_plan(level: Level) -> None:
    controller, planner = TurnController(rules, level), Planner()
    analysis = ExpeditionAnalysis(planner)
    analysis.prepare(controller.state)
    planner.plan(controller.state)
    line = analysis.why(controller.turn)
    if isinstance(line, str):
        assert controller.outcome is not None or solver.plan(level).cost is None
        return
    for action in line:
        assert analysis.drawn(controller.state) is not None
        controller.apply(action)
        assert planner.plan(controller.state).cost == solver.plan(controller.state).cost
    assert controller.state.status is Status.EXPLORED
    assert controller.state.cost == solver.plan(level).cost
    assert not any(analysis.judge(turn).is_mistake for turn in controller.turn.line())
    assert all(0 <= analysis.judge(turn).height <= 1 for turn in controller.turn.line())


def test_a_map_with_too_many_states_is_not_judged_whatever_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_module, "MAX_STATES", 100)
    with pytest.raises(ValueError, match=r"17 rooms[^{]*$"):
        ExpeditionAnalysis(Planner()).prepare(rules.start(read_map("ruins")))


# -- exploring


def rooms_drawn(screen: PlayScreen) -> str:
    """The rooms on the map, in their order."""
    text = drawn(screen)
    return "".join(label for label in PLACES if f"{label} +1" in text)


FOGGED = placed(is_fogged=True, torch=20, par=20)  # b has two exits to c and d; e lies between these


async def test_fog_shows_what_was_seen_and_its_neighbours_with_exits_and_hints_and_values_promise_no_more() -> None:
    async with exploring(FOGGED) as (pilot, screen):
        assert rooms_drawn(screen) == "ab"
        assert "2 exits" in drawn(screen)
        await ui.sees(pilot, "20 of 20")
        await ui.sees(pilot, "hidden, max +1")
        promised = Explorer(FOGGED).sure_cost or 0
        standing = f"{promised} needed at worst"
        await pilot.press("slash", "slash")  # it asks first
        await ui.wait_until(pilot, lambda: standing in ui.last_message(screen))
        await pilot.press("z")
        await ui.wait_until(pilot, lambda: here(screen) == "b")
        assert rooms_drawn(screen) == "abcd"
        assert "1 exit" in drawn(screen)
        await pilot.press("A", "A")
        await ui.wait_until(pilot, lambda: "at worst" in noted(screen))
        assert "why" in screen.unused_keys
        await ui.resize(pilot, 80, 24)
        await ui.sees(pilot, "Visit all 5 rooms")


def test_the_torch_lights_less_and_less_and_what_is_out_of_sight_is_dark() -> None:
    drawing, lit = drawing_of(FOGGED), []
    hidden = drawing.boxes[4].middle
    for rooms in ("b", "bdbcbdbcb"):
        state = walked(FOGGED, rooms)
        known = known_rooms(FOGGED, state.seen)
        picture = Picture(state, drawing, UNICODE)
        rows = [picture.row(row, 0, picture.width) for row in range(picture.height)]
        lit.append(sum(row.tints.count(Tint.LIT) for row in rows))
        for box in (box for room, box in enumerate(drawing.boxes) if known >> room & 1):  # no light in half a room
            top = zip(rows[box.row].glyphs, rows[box.row].tints, strict=True)
            assert len({tint for glyph, tint in [*top][box.col : box.right + 1] if glyph == "▄"}) == 1
        assert (rows[hidden.row].meanings[hidden.col] == Meaning.UNSEEN) == (rooms == "b")
    assert lit[0] > lit[1]
    assert known_bits(lost := walked(replace(FOGGED, torch=1), "b")) == known_rooms(FOGGED, lost.seen)


@given(level=levels(most=6))
def test_exact_play_in_the_fog_names_known_rooms_only(level: Level) -> None:
    level = replace(level, rooms=tuple(replace(room, label=f"room{room.id}") for room in level.rooms), is_fogged=True)
    view, state = view_of(), rules.start(level)
    known = known_rooms(level, state.seen)
    names = {room.label for number, room in enumerate(level.rooms) if not known >> number & 1}
    moves = analysis_of(view).moves(state)
    assert not names or analysis_of(view).drawn(state) is None  # a walk would show where they are
    assert names.isdisjoint(move.name for move in moves)
    for move in moves:  # marked on the corridor, or below it
        cells = drawing_of(level).cells_between(state.room, [room.label for room in level.rooms].index(move.name))
        assert {move.cell, move.cell.neighbour(Direction.UP)} & {*cells}


async def test_a_torch_too_short_is_told_when_the_party_can_know_it_with_the_step_that_did_it() -> None:
    level = replace(read_map("the-costly-door"), torch=19)  # no more than can be promised
    async with exploring(level) as (pilot, screen):
        await pilot.press("left")  # past the dead end, beyond a corridor of 2: told at once, and no move is the best
        await ui.wait_until(pilot, lambda: "at worst the torch is 2 short" in ui.last_message(screen))
        outlook = screen.view.outlook(screen.controller.turn, True)
        assert (outlook.text, outlook.is_lost) == (not_safe(2), False)  # on this map it is, but nobody could know that
        assert outlook.last_chance is screen.controller.first
        advice = screen.view.advise(screen.controller.state, 0)
        assert advice.text == "Go back 1 move, to Nave ({last_chance}). Or go on to Loft: 2 short at worst."
        assert advice.is_all
        moves = analysis_of(screen.view).moves(screen.controller.state)
        assert {move.cost for move in moves} == {"not safe"}
        for room in ("shrine", "aisle", "crypt", "aisle", "crypt"):
            screen.controller.apply(Walk(room))
        screen.play(Walk("aisle"))
        await ui.wait_until(pilot, lambda: "Move 1" in ui.last_message(screen))
        assert "The torch is " in ui.last_message(screen)
        screen.play(Walk("shrine"))
        question = await ui.dialogue(pilot)
        text = ui.dialog_text(question)
        assert "The torch has 0 left, each step costs more" in text
        assert "Move 1 (Nave to Aisle) was not safe: 20 needed at worst, 18 left." in text
        await pilot.press("U")
        await ui.wait_until(pilot, lambda: screen.controller.turn.ply == 0)


@pytest.mark.parametrize(
    ("level", "rooms", "way"),
    [
        (FOGGED, "", "b"),  # the only room to go to
        (FOGGED, "b", "Your choice: d for 1, c for 3."),
        (placed("ab bc2", is_fogged=True, torch=3), "b", "The torch is too short for the rest: 3 needed, 2 left."),
        (
            placed("ab bc9 bd9 de", torch=5, is_fogged=True),
            "b",
            "The torch is too short for the rest: 12 needed, 4 left.",
        ),
        (placed("ab bc9 bd de", is_fogged=True, torch=5), "b", "d"),  # the torch doesn't reach c
        (placed("ab bc bd3", is_fogged=True, torch=9), "b", "c"),  # it doesn't last for c after d
        (placed("ab bc bd de", end=0, coverage=Fraction(60), is_fogged=True), "bc", "ba"),  # home is nearest
        (placed("ab bc bd de", coverage=Fraction(60), is_fogged=True), "b", "c"),  # any room is the last
        (placed(end=0, coverage=Fraction(60), is_fogged=True), "bc", "Your choice: e for 1, d for 4, a for 5."),
    ],
)
def test_walking_on_makes_no_choice(level: Level, rooms: str, way: str) -> None:
    state = walked(level, rooms)
    found = view_of().explore(state)
    assert found == (way if way.endswith(".") else [*map(Walk, way)])


@pytest.mark.parametrize(
    ("rooms", "told"),
    [
        ("loft nave aisle crypt aisle shrine chapel", "Loft is best first"),
        ("bdbce", "cheaper"),
        ("bdec", "With the map, 8"),
    ],
)
def test_the_end_of_an_exploration_compares_it_with_par_and_draws_what_costs_less(rooms: str, told: str) -> None:
    state = walked(read_map("the-costly-door"), rooms.split()) if " " in rooms else walked(FOGGED, rooms)
    view = view_of()
    view.prepare_ending(Turn(state))
    outcome = rules.outcome(state)
    assert outcome is not None
    title, text = view.ending(state, outcome, 1.0)
    assert title.startswith(f"Cost {state.cost}, par {state.level.par}")
    assert told in text
    is_blamed = "worse than" in text or "lucky" in text
    assert view.is_flawless(state) == (state.cost <= state.level.par and not is_blamed)
    walk = [trail.room for trail in trails_of(state)]
    draw_walk(alone := CellLayer(), view.drawn(state.level), walk, UNICODE, {}, len(walk))
    assert ("With the map" in text) == ({*view.ending_layer(state).rows()} != {*alone.rows()})
    assert [score.par for score in view.scores(state)] == [state.level.par]


def test_a_large_room_has_the_party_and_furniture_on_its_floor_and_is_all_in_the_heat_of_its_cost() -> None:
    state = rules.start(read_map("the-old-fortress"))
    well = [room.label for room in state.level.rooms].index("Well")
    for space, names in ((168, 55), {"hero", "well"}), ((80, 18), set[str]()):
        drawn = drawing_of(state.level, space)
        picture = Picture(state, drawn, UNICODE)
        rows = [picture.row(row, 0, drawn.width) for row in range(drawn.height)]
        pieces = [part for row in rows for part in row.slices.values()]
        assert names <= {part.sprite.name for part in pieces}
        assert bool(names) == bool(pieces)
        assert sum(row.glyphs.count("@") for row in rows) == 1
        box, (distance, _) = drawn.boxes[well], drawn.cost_field(state.room, {well: 7})
        assert (distance[box.row + 1 : box.bottom, box.col + 1 : box.right] == 7).all()
        assert (distance == 7).sum() == (box.height - 2) * (box.width - 2)


def test_a_plan_and_a_walk_have_an_arrow_in_each_door_and_cover_no_cost_of_a_corridor() -> None:
    level = placed("ab1 bc2 bd2 ce3 de4")  # two corridors are vertical and short
    drawn = drawing_of(level)
    marks = {cell for line in drawn.lines for cell, _ in line.marks}
    rooms = [0, 1, 3, 1, 2, 4, 3]
    doors = [drawn.cells_between(*ends)[:2] for ends in pairwise(rooms)]
    draw_walk(walk := CellLayer(), drawn, rooms, UNICODE, {}, len(rooms))
    for layer in draw_plan(drawn, rooms, UNICODE), walk:
        arrows = set[Cell]()
        for row in layer.rows():
            plain, over = (Picture(rules.start(level), drawn, UNICODE).row(row, 0, 100) for _ in range(2))
            layer.paint(row, over)
            assert all(plain.glyphs[col] == over.glyphs[col] for at, col in marks if at == row)
            arrows |= {Cell(row, col) for col, char in enumerate(over.glyphs) if char in UNICODE.pointers}
            for door, beyond in doors:
                is_here = door.row == row
                assert not is_here or over.glyphs[door.col] == UNICODE.pointers[first_step((door, beyond))]
        assert arrows == {door for door, _ in doors}


def test_neither_a_later_step_nor_the_plan_hides_that_one_was_wasted_and_the_plan_shows_too() -> None:
    level = placed("ab bc")
    layer = draw_plan(drawing_of(level), [0, 1, 2], UNICODE)
    draw_walk(layer, drawing_of(level), [0, 1, 0, 1, 2], UNICODE, {0: SLIP}, 5)
    cells = [Picture(rules.start(level), drawing_of(level), UNICODE).row(row, 0, 100) for row in layer.rows()]
    for row, each in zip(layer.rows(), cells, strict=True):
        layer.paint(row, each)
    assert sum(each.glyphs.count(SLIP) for each in cells) == 1
    assert [sum(each.tints.count(tint) for each in cells) > 1 for tint in (Tint.DANGER, Tint.SAFE)] == [False, True]


def test_a_hint_tells_a_maps_idea_or_the_next_room_with_what_another_would_cost_then_the_plan() -> None:
    for corridors, told in (
        ("ab1 bc", "Visit b next: the rest costs 3."),  # the only way
        ("ab ac cd", "Visit b next: the rest costs 4. c first costs 1 more: you enter c +1 again."),
        ("ab1 bc ad1 de", "Visit d next: the rest costs 9. b first would cost as much."),  # as near
    ):
        view, state = view_of(), rules.start(level_of(corridors))
        assert [view.advise(state, step).text for step in (0, 1)] == [told, told]
    assert view.advise(rules.start(read_map("two-ends")), 0).text.startswith("Compare what it costs to come back")


@pytest.mark.parametrize(
    ("rooms", "told", "plan"),
    [
        ("", "Visit b next: 4 needed at worst. c first: 5.", "b is a dead end: later you would come back to a for it."),
        ("bac", "Visit d next: the rest costs 1.", "Visit d next"),
        ("cd", "Go back 2 moves, to a ({last_chance}).", "Go back"),
    ],
)
def test_a_hint_in_fog_has_one_set_of_numbers_and_draws_what_is_certain(rooms: str, told: str, plan: str) -> None:
    view, state = view_of(), walked(level_of("ab ac cd", is_fogged=True, torch=4), rooms)
    assert view.advise(state, 0).text == told
    assert plan in view.advise(state, 2).text


def test_why_names_the_way_back_if_the_torch_is_too_short() -> None:
    lost = played(level_of("ab ac cd", torch=5), "baba").turn
    told = "Go back 2 moves, to a ({last_chance})."
    assert analysis_of(view_of()).why(lost) == told  # no line that the torch can't light
    assert told.startswith(view_of().advise(lost.state, 0).text)


@pytest.mark.parametrize(
    ("name", "walk", "lost"),
    [
        ("now-or-last", ["choir", "nave"] * 5 + ["crypt"], 1),
        ("four-arms", ["hall", "gallery", "hall", *["landing", "hall"] * 9, "landing", "crypt"], 3),
    ],
)
def test_a_step_that_the_torch_could_not_pay_changes_no_other_verdict(name: str, walk: list[str], lost: int) -> None:
    view, line = view_of(), played(named(name).load(), walk).turn.line()
    blamed = {each.ply for turn in reversed(line) if (each := view.outlook(turn, False).lost_from) is not None}
    assert blamed | {turn.ply for turn in line if analysis_of(view).judge(turn).is_mistake} == {lost}
    left = (line[0].state.level.torch or 0) - line[-2].state.cost
    assert standing(line[-1].state).short[0].startswith(f"torch: {left} of")


def test_the_panel_says_the_task_and_what_is_hidden() -> None:
    facts = standing(rules.start(read_map("home-by-torchlight")))
    assert facts.goal.startswith("Visit 6 of 7 rooms and end in Hut")
    assert facts.below == "hidden: 2 rooms (max +1), 4 corridors (max 3): 8 ends, 4 in sight"
    assert ("8 ends", "4 in sight") in facts.rows


# -- the end


def test_the_end_praises_par() -> None:
    view, state = view_of(), walked(level_of("ab bc"), "bc")
    view.prepare_ending(Turn(state))
    assert (ended := rules.outcome(state)) is not None
    assert view.ending(state, ended, 0) == ("Cost 2: par", "No walk is cheaper.")
    state = walked(level_of("ab2 ac cd4"), "bacd")
    assert "best: at a, c first costs 2 more: you enter c +1" in comparison(solver.compare(state), state, Planner())[1]
    state = walked(level_of("ab bc cd", start="b"), "cbabcd")
    assert comparison(solver.compare(state), state, Planner())[1].endswith("c +1 again. 1 more slip: 1 worse.")


async def test_the_end_blames_steps_of_the_walk_and_the_cheapest_one_comes_on_request() -> None:
    level = level_of("ab bc cd", start="b")
    async with exploring(level) as (pilot, screen):
        for room in "cbabc":
            screen.controller.apply(Walk(room))
        screen.play(Walk("d"))
        question = await ui.dialogue(pilot)
        compared = solver.compare(screen.controller.state)
        for told in comparison(compared, screen.controller.state, Planner()):
            assert " ".join(told.split()) in ui.dialog_text(question)
        assert len(compared.legs) == 2
        assert ui.tinted(screen, Tint.DANGER)
        assert not ui.tinted(screen, Tint.SAFE)
        await pilot.press("escape")
        await ui.wait_until(pilot, lambda: pilot.app.screen is screen)
        await ui.wait_until(pilot, lambda: screen.spell(BEST_WALK) in screen.messages.texts)
        await pilot.press("c")
        await ui.wait_until(pilot, lambda: ui.tinted(screen, Tint.SAFE))
        assert screen.controller.turn is screen.controller.first
        await pilot.press("c", "left_curly_bracket", "c")  # at a slip, its mark gives way
        await ui.wait_until(pilot, lambda: ui.tinted(screen, Tint.SAFE))
        await ui.do(pilot, "c", "end_page")
        await ui.dialogue(pilot)
        await pilot.press("L")
        await ui.sees(pilot, "Learn 1 of 2")
