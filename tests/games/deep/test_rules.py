"""The deep's turn: small cases, and the classic beside the crawler; test_solver.py has a packed twin of it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.core.adventure import Doubled, DoublingRefused
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.games.crawler.model import rules as crawler
from dungeon_tui.games.crawler.model.state import Action as CrawlerAction
from dungeon_tui.games.deep.model import events, rules
from dungeon_tui.games.deep.model.campaign import MOST_CELLS, parse_campaign
from dungeon_tui.games.deep.model.state import Action, State, Status
from tests.games.crawler.pictures import dungeon_of
from tests.games.deep.campaigns import LEGEND, campaign_of, campaign_text, played

KIND_OF = LEGEND | {"M": "hunter"}


def picture_of(state: State) -> str:
    rows = [list(row.tobytes().decode()) for row in state.room.board.array()]
    for monster in state.room.monsters:
        rows[monster.cell.row][monster.cell.col] = next(key for key, name in KIND_OF.items() if name == monster.kind)
    if state.status is Status.PLAYING:
        rows[state.adventurer.cell.row][state.adventurer.cell.col] = "o"
    return " ".join("".join(row) for row in rows)


def played_on(picture: str, letters: str, more: str = "") -> State:
    return played(rules.start(campaign_of(picture, more)), letters)


@pytest.mark.parametrize(
    ("picture", "letters", "expected"),
    [
        ("o--M9 +++++", "e", "o-M-9 +++++"),
        ("o+-M9 -----", "e", "o+-M9 -----"),
        ("o-V9 +--- +--+", "ee", "o--9 +--- +-V+"),
        ("o-V9 +--- +--+", "eee", "o--9 +-V- +--+"),
        ("o+++9 H--++", "eee", "o+++9 -H-++"),
        ("X---9 ----- o----", "e", "----9 -X--- o----"),
        ("o---S 9++++", "e", "o-S-- 9++++"),
        ("o+T-9 -+--- -----", "e", "o+--9 -+T-- -----"),
        ("o[--S9 ++++++", "de", "-oS--9 ++++++"),
        ("o----Z 9+++++", "ee", "o----Z 9+++++"),
        ("o--Z9 +++++", "ee", "o-Z-9 +++++"),
        ("o-C-9 +++++", "ee", "o-C-9 +++++"),
        ("o-C-9 +++++", "d", "-oC-9 +++++"),
        ("o-$M9 +++++", "e", "o-M-9 +++++"),
        ("o)-M9 +++++", "dd", "--o-9 +++++"),
        ("o[-M9 +++++", "de", "-oM-9 +++++"),
        ("of-M9 +++++", "d3eeee", "-oM-9 +++++"),
        ("oh-V9 ++--+ ++--+", "d1d", "--o-9 ++--+ ++-V+"),
        ("oh-V9 ++--+ ++--+", "d1dd", "---o9 ++-V+ ++--+"),
        ("ob---9 ++++++ ------", "d7dd", "---o-9 ---+++ ------"),
        ("+b--9 +o+++ -----", "w7dd", "---o9 ---++ -----"),
        ("o@9 +++", "d", "-o9--9 ++++++ --9--9 ++++++"),
    ],
)
def test_each_kind_and_each_item_does_as_described(picture: str, letters: str, expected: str) -> None:
    assert picture_of(played_on(picture, letters)) == expected


def test_a_shield_survives_one_attack_and_no_more() -> None:
    assert played_on("o[-M9 +++++", "dee").status is Status.DIED
    assert played_on("o-M9 ++++", "ee").status is Status.DIED


def test_a_level_that_would_grow_too_large_stays_as_it_is() -> None:
    state = played_on(" ".join(["o@@9" + 60 * "-", *63 * [64 * "-"]]), "d")
    assert (state.room.board.height, state.room.board.width) == (128, 128)
    assert DoublingRefused(4 * 128 * 128, MOST_CELLS) in rules.step(state, Action.RIGHT)[1]
    assert Doubled(4, 6) in rules.step(played_on("o@9 +++", ""), Action.RIGHT)[1]


def test_an_item_that_is_not_carried_and_a_step_that_is_blocked_are_refused_and_cost_nothing() -> None:
    state = played_on("oM9 +++", "")
    assert rules.legal_actions(state) == (Action.STAY,)
    found = [str(rules.objection(state, action)).split()[-1] for action in (Action.UP, Action.DOWN, Action.RIGHT)]
    assert found == ["floor", "wall", "monster"]
    with pytest.raises(IllegalActionError):
        rules.step(state, Action.BOMB)


def test_a_ring_falls_with_all_that_stands_there_and_is_shown_a_turn_ahead() -> None:
    state = played_on("V--- -o-- ---- ---9", "e", "shrinks = 2")
    assert len(rules.falling_cells(state)) == 12
    state, happened = rules.step(state, Action.STAY)
    assert events.RingFell(1) in happened
    assert [event.cause for event in happened if isinstance(event, events.MonsterKilled)] == ["chasm"]
    assert picture_of(state) == "~~~~ ~o-~ ~--~ ~~~~"
    state = played(state, "e")
    assert rules.step(state, Action.STAY)[1][-1] == events.Died(Cell(1, 1), "chasm")


TWO = {
    "one": ("o$1 --M", '[levels.one.doors]\n1 = {to = "two", door = "2"}'),
    "two": ("--2 !o- $--", '[levels.two.doors]\n2 = {to = "one", door = "1", cost = 1}'),
}


def test_a_level_that_was_left_is_found_as_it_was_left() -> None:
    campaign = parse_campaign(LevelFile("two", campaign_text(TWO).encode())).campaign
    assert campaign is not None
    state = played(rules.start(campaign), "d")
    before = state.room
    state, happened = rules.step(state, Action.RIGHT)
    assert events.DoorTaken("two", False) in happened
    state = played(state, "s")
    state, happened = rules.step(state, Action.UP)
    assert events.DoorPaid(1, False) in happened
    assert events.DoorTaken("one", True) in happened
    assert (state.room, state.adventurer.treasure) == (before, 0)
    state = played(state, "ad")  # and it is paid once
    assert state.level.name == "two"
    state = played(state, "sw")
    assert (state.level.name, state.adventurer.treasure) == ("one", 0)


def test_doors_ask_their_price() -> None:
    more = '[levels.one.doors]\n1 = {ending = "rich", carry = 1}\n2 = {ending = "locked", key = true}'
    state = played_on("1o2k$", "", more)
    assert rules.objection(state, Action.LEFT) == "way out 1 stays shut: carry 1 treasure"
    assert rules.objection(state, Action.RIGHT) == "way out 2 stays shut: pay a key"


@settings(max_examples=3 * settings().max_examples)
@given(
    tiles=st.lists(st.sampled_from("-----+$@MM"), min_size=25, max_size=25),
    start=st.integers(0, 24),
    letters=st.text("wasde", max_size=25),
)
def test_the_classic_is_the_deep_with_hunters_alone(tiles: list[str], start: int, letters: str) -> None:
    tiles[start] = "o"
    tiles[(start + 7) % 25] = "!"
    picture = " ".join("".join(tiles[row : row + 5]) for row in range(0, 25, 5))
    campaign = parse_campaign(LevelFile("classic", campaign_text({"one": (picture, "")}).encode())).campaign
    if campaign is None:  # a way out that no treasure of the level can open
        assert "$" not in picture
        return
    state, classic = rules.start(campaign), crawler.start(dungeon_of(picture))
    for letter in letters:
        action = Action(letter)  # the classic's bump is a stay here
        state, _ = rules.step(state, Action.STAY if rules.objection(state, action) else action)
        classic, _ = crawler.step(classic, CrawlerAction(letter))
        assert (state.adventurer.cell, state.adventurer.treasure) == (classic.adventurer, classic.treasure)
        assert (rules.outcome(state) is None) == (crawler.outcome(classic) is None)
        if classic.status.value in ("escaped", "died"):
            return
        rows = [list(row.tobytes().decode()) for row in state.room.board.array()]
        for monster in state.room.monsters:
            rows[monster.cell.row][monster.cell.col] = "M"
        assert rows == [list(row.tobytes().decode()) for row in classic.board.array()]
