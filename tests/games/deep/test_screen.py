"""The deep on screen: keys to the end, items, doors, fog, hints, one life."""

from dataclasses import replace
from functools import partial

import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.games.deep import GAME
from dungeon_tui.games.deep.ai.solver import LineFinder
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import read_campaign
from dungeon_tui.games.deep.model.campaigns import load_campaign
from dungeon_tui.games.deep.model.kinds import KINDS
from dungeon_tui.games.deep.model.state import Action, Status
from dungeon_tui.games.deep.view import picture, words
from dungeon_tui.games.deep.view import screen as screens
from dungeon_tui.games.deep.view.analysis import DeepAnalysis
from dungeon_tui.games.deep.view.guide import DeepGuide, seen
from dungeon_tui.games.deep.view.screen import DeepView, arrival_lines, distances, is_lesson, reason_to_stop
from dungeon_tui.ui.glyphs import UNICODE
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.moves import DEADLY
from dungeon_tui.ui.widgets.dialogs import Pause
from dungeon_tui.ui.widgets.message_log import LogLine
from tests.clock import Clock
from tests.games.deep.campaigns import campaign_of, campaign_text, entered, played, state_of
from tests.ui.driving import dialogue, do, glyphs, opened, sees, tinted, wait_until

_STORY = load_campaign("story")
_IN_THE_BONE = replace(entered(_STORY, "bone", "2"), left={"well": entered(_STORY, "well").room})
_DOORS = '[levels.two.doors]\n9 = {ending = "out"}'


playing = partial(opened, "deep")


async def test_number_keys_use_items_and_the_others_move() -> None:
    async with playing(campaign_of("oh-b- ----- ----9")) as (pilot, screen):
        await pilot.press("6")
        await sees(pilot, "1 haste")
        await pilot.press("1")
        assert screen.controller.state.adventurer.haste == 10
        await pilot.press("3")  # none is carried
        assert screen.controller.turn.ply == 2
        await pilot.press("6", "6", "7")
        assert [bomb.cell for bomb in screen.controller.state.room.bombs] == [Cell(0, 3)]
        await pilot.press("backspace")
        assert screen.controller.state.room.bombs == ()


async def test_keys_meant_for_the_level_before_are_dropped_and_a_warning_lasts_a_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    levels = {"one": ("o1", '[levels.one.doors]\n1 = {to = "two"}'), "two": ("o---9", _DOORS)}
    async with playing(read_campaign(LevelFile("two", campaign_text(levels).encode()))) as (pilot, screen):
        monkeypatch.setattr(Pause, "clock", clock := Clock())
        await pilot.press("d", "d")
        assert screen.controller.turn.ply == 1
        clock.now += 1
        await pilot.press("w", "d")  # the first is refused, and the next one comes at once
        assert screen.controller.turn.ply == 2
        for key in "AdA":
            await pilot.press(key)
        assert not screen.board.is_on
        await sees(pilot, "as help")


async def test_one_travels_to_a_door_by_its_number() -> None:
    async with playing(campaign_of("o$--8", '[levels.one.doors]\n8 = {ending = "out"}')) as (pilot, screen):
        assert glyphs(screen) == ["@$··8"]
        await pilot.press("right", "g", "8", "enter")  # 8 moves up, too
        await wait_until(pilot, lambda: screen.controller.state.status is Status.WON)
        await dialogue(pilot)
        await sees(pilot, "4 moves,")


def test_a_line_is_drawn_up_to_where_it_meets_itself_and_hides_nothing() -> None:
    state = state_of("o-$-9")
    waits = ("deeeddd", f"@{UNICODE.stay}$→9", 7), ("ddedd", "@→$→9", 5)  # none can be drawn on treasure
    for letters, drawn, made in (("dddd", "@→$→9", 4), ("ddaddd", "@→$·9", 2), *waits):
        row = picture.Picture(state, UNICODE).row(0, 0, 5)
        layer, number, circles = picture.line_layer(state, tuple(map(Action, letters)), UNICODE)
        layer.paint(0, row)
        assert (number, circles) == (made, [Action.STAY] * 3 * ("eee" in letters))
        assert ("".join(row.glyphs), row.tints[2]) == (drawn, Tint.PATH)
        assert str(row.texts.get(1, "")) == f"3{UNICODE.stay}→" * ("eee" in letters)


def test_the_goal_asks_for_what_the_door_asks_for_offers_the_rest_and_forgets_fallen_doors() -> None:
    state = state_of("o-$-9")
    assert words.goal(state) == "Leave by way out 9."
    priced = campaign_text({"1": ("o$9$ ---C", 'text = "Below."\n[levels.1.doors]\n9 = {ending = "out", carry = 1}')})
    asks = rules.start(read_campaign(LevelFile("priced", priced.encode())))
    assert words.goal(asks) == "Carry 1 treasure to way out 9."
    assert (words.purse(asks), words.purse(played(asks, "d"))) == ("0 of 1", "1")
    falling = replace(state, level=replace(state.level, shrinks=9))
    fallen = replace(falling, room=state_of("o-$-!").room)
    assert words.goal(fallen) == "No door is left."


async def test_a_lesson_names_deadly_moves_and_draws_lines_of_sight() -> None:
    async with playing(campaign_of("o--9 -+-- --M-")) as (pilot, screen):
        await pilot.press("d", "d")
        await sees(pilot, "Staying is deadly now.")
        assert not {Tint.SIGHT, Tint.LIT} - {tint for tint in Tint if tinted(screen, tint)}
        await pilot.press("d")
        await dialogue(pilot)
        await pilot.press("backspace")
        await sees(pilot, "Staying is deadly now.")  # after undo, too
        await pilot.press("e")
        await dialogue(pilot)
        await sees(pilot, 'Your move 3 in "one" lost the game: going right would have led to way out 9.')


async def test_the_log_tells_a_goal_that_changes() -> None:
    par = "par = 4\n[levels.one.doors]\n9 = {ending = 'out'}"
    async with playing(campaign_of("o$$-9", par), size=(99, 24)) as (pilot, screen):
        for is_told in (False, True):  # one treasure less is no other goal, none is
            await pilot.press("d")
            assert (screen.messages.texts[-1] == words.goal(screen.controller.state)) == is_told


def test_the_map_shows_prices_and_the_goal_names_open_doors() -> None:
    doors = "[levels.one.doors]\n'?' = {ending = 'out', carry = 1}\n"
    more = doors + "7 = {to = 'one'}\n8 = {ending = 'up', cost = 1}"
    state = state_of("o$78 $--?", more)
    (price,) = arrival_lines(state)
    assert price.text == "Prices of doors: -1$ you pay, 1$ you only carry."
    assert [words.price_sign(state, ord(tile)) for tile in "78?"] == ["", "-1$", "1$"]
    for letters in ("d", "dd"):  # the same on a door
        assert words.goal(played(state, letters)) == (
            "Leave by way out 8 (pay 1 treasure). New door open: the brittle way out."
        )
    assert words.doors(state) == [("Door 7", "new"), ("Brittle way out", "carry 1$")]


def test_a_hint_tells_the_waits_that_it_begins_with() -> None:
    assert DeepView(GAME).advise(state_of("oV-+ +--9 ----"), 2).text.endswith("First wait 1 turn.")


async def test_a_hint_leads_to_a_door_and_says_where_none_can_be_reached() -> None:
    async with playing(campaign_of("o--9")) as (pilot, screen):
        await pilot.press("slash", "slash")  # it asks first
        await wait_until(pilot, lambda: tinted(screen, Tint.FRONTIER) == {(0, 3)})
        await pilot.press("slash")
        await wait_until(pilot, lambda: tinted(screen, Tint.FRONTIER) == {(0, 1)})
    async with playing(campaign_of("oM9 +++")) as (pilot, screen):
        await pilot.press("slash", "slash")
        await sees(pilot, words.NO_DOOR)
        assert screen.view.facts(screen.controller.turn).goal == words.NO_DOOR
    async with playing(campaign_of("$o--9")) as (pilot, screen):
        await pilot.press(*4 * ["slash"])
        await wait_until(pilot, lambda: tinted(screen, Tint.PATH) == {(0, 0), (0, 1)})
        await pilot.press("a", "d")  # the rest stays while you follow it
        await wait_until(pilot, lambda: tinted(screen, Tint.PATH) == {(0, col) for col in range(1, 5)})


async def test_one_life_takes_nothing_back(monkeypatch: pytest.MonkeyPatch) -> None:
    text = campaign_text({"1": ("o-M9", '[levels.1.doors]\n9 = {ending = "out"}')})
    campaign = replace(read_campaign(LevelFile("descent", text.encode())), is_descent=True)
    async with playing(campaign) as (pilot, screen):
        await pilot.press("d")  # certain death: asks first
        await sees(pilot, DEADLY)
        assert screen.controller.turn.ply == 0
        with monkeypatch.context() as held:
            held.setattr(Pause, "clock", staticmethod(lambda: 0.0))
            await pilot.press("d", "d", "d")  # as a key that is held does
        assert screen.controller.turn.ply == 0
        await pilot.press("7", "d")  # another key withdraws it
        assert screen.controller.turn.ply == 0
        screen.say_line(LogLine("Nothing to learn."))  # below the warning
        await pilot.press("d")
        assert screen.controller.turn.ply == 0
        await pilot.press("d")
        assert screen.controller.state.status is Status.DIED
        await dialogue(pilot)
        await do(pilot, "escape", "backspace", "last_chance", "left_square_bracket", "d")
        assert screen.controller.state.moves <= 1
        assert len(screen.controller.turn.line()) <= 2


async def test_fate_tells_since_when_a_level_is_lost() -> None:
    async with playing(campaign_of("ob---+9 +++++++")) as (pilot, screen):
        await do(pilot, "d", "outlook")
        await sees(pilot, words.STILL_OPEN)
        await do(pilot, "7", "e", "outlook")
        await sees(pilot, 'Since move 2 in "one"')
        await do(pilot, "last_chance")
        await wait_until(pilot, lambda: screen.controller.turn.ply == 1)


def test_the_analysis_tells_the_move_that_lost_all_doors_and_what_the_others_cost() -> None:
    analysis = DeepAnalysis(LineFinder(), UNICODE)
    turn = Turn(state_of("ob---+9 +++++++"))
    for letter in "d7":
        state, happened = rules.step(turn.state, Action(letter))
        analysis.prepare(turn.state)
        assert not analysis.judge(turn).is_mistake
        turn = Turn(state, Action(letter), happened, turn, turn.ply + 1)
    assert (analysis.judge(turn).is_mistake, analysis.why(turn)) == (True, words.NO_DOOR)
    before = turn.parent
    assert before is not None
    assert {move.name: move.cost for move in analysis.moves(before.state)} == {
        "←": "+2",
        "→": "0",
        "stay": "+1",
        "bomb": "lost later",
    }
    assert "".join(action.value for action in analysis.why(before)[:3]) == "ddd"


def test_a_way_to_another_new_door_than_the_nearest_is_no_slip() -> None:
    doors = '[levels.one.doors]\n1 = {to = "two"}\n2 = {to = "two"}\n9 = {ending = "out", carry = 1}'
    levels = {"one": ("9---- 2-o-1 -----", doors), "two": ("o$9", _DOORS)}
    state = rules.start(read_campaign(LevelFile("fork", campaign_text(levels).encode())))
    analysis = DeepAnalysis(LineFinder(), UNICODE)
    judged = [analysis.judge(Turn(played(state, key), Action(key), (), Turn(state), 1)) for key in "ads"]
    assert [each.loss for each in judged] == [0, 0, 2]


def test_a_move_that_gives_up_the_goals_door_is_a_mistake_although_another_door_is_left() -> None:
    analysis, start = DeepAnalysis(LineFinder(), UNICODE), Turn(_IN_THE_BONE)
    judged = [analysis.judge(Turn(played(start.state, key), Action(key), (), start, 1)) for key in "as"]
    assert [each.kind for each in judged] == ["", "mistake"]
    assert judged[1].text == "after ↓ no way leads to door 1"


def test_a_descent_judges_lost_treasure_alone_and_its_best_line_ends_before_a_depth_that_you_have_not_seen() -> None:
    doors = '[levels.1.doors]\n9 = {to = "2", carry = 1}\n2 = {to = "vault-1", door = "1"}'
    vault = "o$ 1-", '[levels.vault-1.doors]\n1 = {to = "1", door = "2"}'
    levels = {"1": ("o-$9 2--$", doors), "vault-1": vault, "2": ("o-9", '[levels.2.doors]\n9 = {ending = "out"}')}
    campaign = read_campaign(LevelFile("descent", campaign_text(levels).encode()))
    state, analysis = rules.start(replace(campaign, is_descent=True)), DeepAnalysis(LineFinder(), UNICODE)

    def judged(made: str, key: str) -> Judgement:
        before = played(state, made)
        return analysis.judge(Turn(played(before, key), Action(key), (), Turn(before), 1))

    assert [judged(*moves).kind for moves in (("", "e"), ("", "s"), ("sd", "a"), ("dd", "d"))] == ["", "", "", "slip"]
    assert [judged(*moves).text[:6] for moves in (("ddsda", "a"), ("ddsdaa", "d"))] == ["door 2", "door 9"], (
        "the goal's"
    )
    assert [move.cost for move in analysis.moves(state) if move.action in (Action.RIGHT, Action.STAY)] == ["0", "+1"]
    assert [len(analysis.why(Turn(played(state, made)))) for made in ("", "ddsdw")] == [4, 2]
    last = Turn(played(state, "ddsd"))
    assert analysis.why(last) == analysis.reason(last) == "Door 9 with 2 treasures."
    first, second = words.levels(played(rules.start(campaign), "s"), ()).splitlines()[1:]
    assert (first, second) == ("1: 2 treasures left. New: door 9 (carry 1$).", "vault-1: 1 treasure left.")


async def test_a_loss_names_the_move_even_where_it_was_the_door_to_a_trap() -> None:
    levels = {"one": ("o-1", '[levels.one.doors]\n1 = {to = "two"}'), "two": ("oM+9", _DOORS)}
    async with playing(read_campaign(LevelFile("trap", campaign_text(levels).encode()))) as (pilot, screen):
        await pilot.press("d", "d", "e")
        await dialogue(pilot)
        await sees(pilot, 'Your move 2 in "one" lost the game.')
        await sees(pilot, "Level again")
        await pilot.press("r")
        await wait_until(pilot, lambda: screen.controller.turn.ply == 2)


async def test_a_loss_that_takes_too_long_to_prove_is_said_to_be_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "is_lost", lambda state, _: state.status is Status.DIED or None)
    async with playing(campaign_of("oM-9")) as (pilot, _):
        await pilot.press("e")
        await dialogue(pilot)
        await sees(pilot, "Which move lost the game is unknown: a proof takes too long.")


def test_a_descent_counts_mimics_as_the_treasure_they_seem_and_its_end_tells_the_points() -> None:
    text = campaign_text({"1": ("o$9$ ---C", 'text = "Below."\n[levels.1.doors]\n9 = {ending = "out", carry = 1}')})
    state = rules.start(replace(read_campaign(LevelFile("descent", text.encode())), is_descent=True))
    hunter = "Hunter: comes when it sees you along a row or a column."
    met = replace(state, room=state_of("o+MMC9").room)
    assert [line.text for each in (state, met, played(met, "e")) for line in arrival_lines(each)] == [hunter]
    assert words.goal(state) == "Carry 1 treasure to way out 9."
    assert not is_lesson(state)
    assert "11 points: 10 for reaching depth 1, 1 for treasure." in words.ended(played(state, "dd"), "")[1]
    caught = played(state_of("o-C9"), "de")
    assert (caught.status, DeepView(GAME).figures(caught)) == (Status.DIED, [("burrower", Meaning.FOE)])


async def test_a_level_with_a_par_ends_with_its_result_and_a_straight_campaign_with_its_par() -> None:
    levels = {"one": ("o$1", 'par = 2\n[levels.one.doors]\n1 = {to = "two"}'), "two": ("o-9 -$-", f"par = 4\n{_DOORS}")}
    async with playing(read_campaign(LevelFile("straight", campaign_text(levels).encode()))) as (pilot, screen):
        await pilot.press("d", "d")
        await sees(pilot, "At par! one: 2 moves (par 2), all treasure.")
        assert "0 moves, par 4" in screen.view.facts(screen.controller.turn).short
        await pilot.press("d", "d")
        await dialogue(pilot)
        await sees(pilot, "4 moves (par 6 with all treasure)")
        await pilot.press("backspace", "backspace", "e", "d", "s", "w", "d")
        await dialogue(pilot)
        await sees(pilot, "7 moves (par 6 with all treasure)")
        await pilot.press("L")
        await sees(pilot, "Learn 1 of 1, a slip ('): what is best instead of staying (1 move worse)?")


def test_a_block_that_stands_alone_is_a_pillar() -> None:
    state, guide = state_of("o---+ --+-- ----9"), DeepGuide()
    assert [guide.name(state, Cell(*cell)) for cell in ((0, 4), (1, 2))] == ["wall", "pillar"]


def test_fog_shows_what_is_near_and_along_rows_and_columns() -> None:
    state = state_of("o-------- --------- +-------- --------- --------9", "fog = true")
    shown = seen(state)
    assert shown[0].all()
    assert shown[:4, 1:4].all()
    assert not shown[3:, 4:].any()
    assert not shown[4:, 0].any()  # behind the pillar, farther than three
    assert seen(state_of("o-9")) is None


def test_the_panel_lists_the_habit_of_each_kind_in_view() -> None:
    state = state_of("o-M-- ----M V-C-9")
    rows = {"Hunter": KINDS["hunter"].text, "Patrol": "walks up and down"}
    assert dict(DeepView(GAME).facts(Turn(state)).more) == rows


def test_a_mimic_looks_like_treasure_until_it_wakes() -> None:
    view, state = DeepView(GAME), state_of("o----C 9-----")
    row = picture.Picture(state, UNICODE).row(0, 0, 6)
    assert row.glyphs[-1] == "$"
    assert view.cell_text(state, Cell(0, 5)) == "Row 1, column 6: treasure"
    assert ("$", Cell(0, 5)) in view.guide.landmarks(state)
    assert not screens.danger_ahead(played(state, "ddd"), Action.RIGHT)


def test_a_patrol_says_where_it_walks_now() -> None:
    view = DeepView(GAME)
    walking = state_of("o-V- ---- ---9")
    assert view.cell_text(walking, Cell(0, 2)).endswith(" up and down, now down")
    assert view.cell_text(played(walking, "eee"), Cell(1, 2)).endswith(", now up")


def test_danger_is_where_the_next_turn_would_be_the_last() -> None:
    assert set(picture.danger_layer(state_of("o-M9"), UNICODE).rows()) == {0}
    row = picture.Picture(state_of("oM-9"), UNICODE).row(0, 0, 4)
    picture.danger_layer(state_of("oM-9"), UNICODE).paint(0, row)
    assert row.tints[0] == Tint.DANGER, "to stay"


def test_travel_stops_before_a_monster_and_uses_up_no_sword_or_shield() -> None:
    def refused(picture_of: str, letters: str = "") -> str:
        state = played(state_of(picture_of), letters)
        return "".join(letter for letter in "wasd" if screens.danger_ahead(state, Action(letter)))

    assert [*map(refused, ["o-M9 ----", "--M9 o---", "o-9", "o---Z9"])] == ["d", "w", "", "d"]
    assert refused("o)-M9", "d") == "d"
    start = rules.start(replace(campaign_of("o9 $-"), is_descent=True))
    assert "leaves 1 treasure behind" in screens.danger_ahead(start, Action("d"))
    assert [refused("ob--9", "d7"), refused("ob--9 -----", "d7d")] == ["", "as"], "from a bomb"
    assert [bool(reason_to_stop(None, state_of(line))) for line in ("oM9", "o-M9")] == [True, False]


def test_a_bomb_is_drawn_with_its_count_and_no_mark_covers_it() -> None:
    state = played(state_of("ob--9 -----"), "d7d")
    row = picture.Picture(state, UNICODE).row(0, 0, 5)
    picture.danger_layer(state, UNICODE).paint(0, row)
    assert (row.glyphs[1], str(row.texts[1]), Tint(row.tints[1])) == ("1", "1", Tint.DANGER)
    assert picture.SPRITES["1", row.meanings[1]].name == "bomb"


def test_routes_go_round_doors_and_past_monsters_if_that_is_as_short() -> None:
    state = state_of("o9-$ ----")
    assert len(DeepGuide().route(state, Cell(0, 3))) == 5
    found = DeepGuide().route(state_of("o---- -+++- -M--- ----9"), Cell(3, 4))
    assert [*found] == [*map(Action, "ddddsss")]
    for cell in (Cell(0, 0), Cell(9, 9)):
        assert isinstance(DeepGuide().route(state, cell), str)


def test_the_ring_that_falls_next_is_marked() -> None:
    state = state_of("o---- ----- --9-- ----- -----", "shrinks = 2")
    assert not picture.warning_layer(state, UNICODE).rows()
    layer = picture.warning_layer(played(state, "e"), UNICODE)
    assert sorted(layer.rows()) == [0, 1, 2, 3, 4]
    assert reason_to_stop(None, played(state, "e"))


def test_a_rim_that_falls_each_turn_is_marked_on_arrival_and_can_be_left_behind() -> None:
    levels = {"one": ("o1", '[levels.one.doors]\n1 = {to = "two"}'),
              "two": ("----- ----- o-9-- ----- -----", "shrinks = 1\n" + _DOORS)}  # fmt: skip
    state = played(rules.start(read_campaign(LevelFile("falls", campaign_text(levels).encode()))), "d")
    assert state.level.name == "two"
    assert picture.warning_layer(state, UNICODE).rows()
    assert played(state, "e").status is Status.DIED
    after = played(state, "d")
    assert (after.status, after.room.rings) == (Status.PLAYING, 1)
    assert played(after, "d").status is Status.WON


def test_a_level_without_doors_can_be_entered() -> None:
    levels = {"one": ("o12", '[levels.one.doors]\n1 = {to = "two"}\n2 = {ending = "out"}'), "two": ("o--", "")}
    state = played(rules.start(read_campaign(LevelFile("trap", campaign_text(levels).encode()))), "d")
    assert (state.level.name, [*arrival_lines(state)]) == ("two", [])


def test_the_farthest_cell_is_one_in_sight() -> None:
    foggy = state_of("o------- ++++++-- ++++++-- ++++++-- -------- -------9", "fog = true")
    field = distances(foggy, "walking", False)
    assert field.farthest == 7 < field.distance[4, 0]


async def test_the_status_line_begins_with_the_level_moves_and_treasure_and_names_the_title_once_and_last() -> None:
    async with opened("deep", campaign_of("o$-9"), size=(99, 24)) as (pilot, screen):
        await pilot.press("d")
        line = screen.status.render().plain
        title = screen.view.facts(screen.controller.turn).title
        assert [part.strip() for part in line.split("·")][:3] == ["one", "carried 1, 0 left here", "1 move"]
        assert line.count(title) == 1
        assert line.endswith(title)


def test_two_next_steps_on_one_cell_are_drawn_together_and_one_that_kills_is_red() -> None:
    both = state_of("-V- H-- o$9")
    row = picture.Picture(both, UNICODE).row(1, 0, 3)
    picture.warning_layer(both, UNICODE).paint(1, row)
    assert sorted(str(row.texts[1])) == ["→", "↓"]
    caught = state_of("V-- o-9")
    row = picture.Picture(caught, UNICODE).row(1, 0, 3)
    picture.warning_layer(caught, UNICODE).paint(1, row)
    assert row.tints[0] == Tint.DANGER
