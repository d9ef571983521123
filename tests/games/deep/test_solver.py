"""The deep's search: its packed turn beside the rules, its answers beside a breadth-first search over the rules."""

from collections import deque
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.core.level import LevelFile
from dungeon_tui.games.deep.ai.aim import aim_of
from dungeon_tui.games.deep.ai.packed import Packed, packed
from dungeon_tui.games.deep.ai.solver import FAR, LineFinder, best_haul, can_leave, escape, followed, is_lost
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import read_campaign
from dungeon_tui.games.deep.model.campaigns import load_campaign
from dungeon_tui.games.deep.model.descent import descent
from dungeon_tui.games.deep.model.events import DoorTaken
from dungeon_tui.games.deep.model.kinds import KINDS, Kind
from dungeon_tui.games.deep.model.state import Action, State, Status
from tests.games.deep.campaigns import campaign_of, campaign_text, entered, played, state_of

TILES = "-----++$$@MVHXSTZC[)hfbks!"
HALL = "o$+-M --+-- --+-- ----9"
MOST = 2000  # moments that the twin looks at


@st.composite
def levels(draw: st.DrawFn, tiles: str = TILES, most_cells: int = 30) -> State:
    rows = draw(st.integers(1, 6))
    cols = draw(st.integers(2, min(7, most_cells // rows)))
    cells = draw(st.lists(st.sampled_from(tiles), min_size=rows * cols, max_size=rows * cols))
    cells[draw(st.integers(0, rows * cols - 1))] = "9"
    cells[draw(st.sampled_from([at for at, cell in enumerate(cells) if cell != "9"]))] = "o"
    picture = " ".join("".join(cells[at : at + cols]) for at in range(0, rows * cols, cols))
    shrinks = draw(st.sampled_from(["", "", "shrinks = 3", "shrinks = 1"])) if "@" not in picture else ""
    coins = min(draw(st.integers(0, 2)), picture.count("$"))
    price = f", {draw(st.sampled_from(['cost', 'carry']))} = {coins}" if coins else ""
    price += ", key = true" if "k" in picture and draw(st.booleans()) else ""
    more = f'{shrinks}\n[levels.one.doors]\n9 = {{ending = "out"{price}}}'
    if "!" in picture:
        more += '\n"!" = {ending = "gone"}'
    return rules.start(campaign_of(picture, more))


def is_out(state: State, events: tuple[object, ...]) -> bool:
    return state.status is Status.WON or any(isinstance(event, DoorTaken) for event in events)


@settings(max_examples=4 * settings().max_examples)
@given(levels(), st.lists(st.integers(0, 99), max_size=25))
def test_packed_turn_is_the_rules_turn(state: State, choices: list[int]) -> None:
    for choice in choices:
        if not (ended := moments_after(state)):
            break
        state = ended[sorted(ended, key=lambda action: action.value)[choice % len(ended)]]


@pytest.mark.parametrize(
    ("picture", "letters"),
    [
        ("o[b--9 ------", "dd7eee"),  # the shield breaks in one's own blast
        ("ob---9 +H++++", "d7ddee"),  # a monster dies in one
        ("ohbb@9 ++++++ ++++++", "ddd177de"),  # two bombs lie where the level doubles, after half a turn
    ],
)
def test_packed_turn_in_rare_moments(picture: str, letters: str) -> None:
    state = rules.start(campaign_of(picture))
    for letter in letters:
        state = moments_after(state)[Action(letter)]


def moments_after(state: State) -> dict[Action, State]:
    """The states after one turn in which the game goes on, each held beside its packed twin."""
    level = packed(state)
    found = dict(level.after(level.first))
    ended = {}
    for action in rules.legal_actions(state):
        after, events = rules.step(state, action)
        if is_out(after, events):
            assert found[action] is None
        elif after.status is Status.DIED:
            assert action not in found
        else:
            ended[action] = after
            assert found.get(action, found.get(Action.STAY)) == packed(after).first or action is Action.SCROLL
    return ended


def fewest(state: State, most: int = MOST) -> int | None:
    """Fewest moves over the rules themselves; FAR: none; None: too many states."""
    known, queue = {packed(state).first}, deque([(state, 0)])
    while queue:
        here, moves = queue.popleft()
        for action in rules.legal_actions(here):
            after, events = rules.step(here, action)
            if is_out(after, events):
                return moves + 1
            if after.status is Status.PLAYING and (key := packed(after).first) not in known:
                known.add(key)
                queue.append((after, moves + 1))
        if len(known) > most:
            return None
    return FAR


@given(levels(most_cells=16))
def test_fewest_moves_are_those_of_breadth_first(state: State) -> None:
    found, expected = escape(state, most_states=20_000), fewest(state)
    if expected is None or not found.is_decided:
        assert found.lower_bound <= (FAR if expected is None else expected)
        return
    assert (len(found.line) if found.line is not None else FAR) == expected == found.lower_bound
    if found.line:
        assert played(state, "".join(action.value for action in found.line)).status is Status.WON


def test_undecided_is_said() -> None:
    state = rules.start(campaign_of(HALL))
    found = escape(state, most_states=5)
    assert found.line is None
    assert not found.is_decided
    assert not found.is_lost
    assert found.states <= 9
    assert 0 < found.lower_bound <= 7


def test_a_greedy_line_leaves_the_bound_alone() -> None:
    found = escape(rules.start(campaign_of(HALL)), greed=4)
    assert found.line
    assert found.lower_bound <= 7 <= len(found.line)
    assert not found.is_decided


def test_a_door_that_was_paid_stays_open() -> None:
    doors = {"one": '[levels.one.doors]\n1 = {to = "two", door = "2", cost = 1, key = true}',
             "two": '[levels.two.doors]\n2 = {to = "one", door = "1"}\n9 = {ending = "out"}'}  # fmt: skip
    text = campaign_text({"one": ("ok$1", doors["one"]), "two": ("o29", doors["two"])})
    state = rules.start(read_campaign(LevelFile("picture", text.encode())))
    back = played(state, "dddada")
    assert back.adventurer.treasure == 0
    assert escape(back, b"1").line == (Action.RIGHT,)


def strange(kind: Kind) -> Kind:
    """The same kind, by a function that the fast search doesn't know."""
    return replace(kind, move=lambda look, monster: kind.move(look, monster))


@given(levels(most_cells=14))
def test_monsters_that_the_fast_search_does_not_know_are_moved_by_the_rules(state: State) -> None:
    kinds = {name: strange(kind) for name, kind in KINDS.items()}
    by_rules = replace(state, campaign=replace(state.campaign, kinds=kinds))
    fast, slow = escape(state, most_states=400), escape(by_rules, most_states=400)
    if fast.is_decided and slow.is_decided:
        assert fast.lower_bound == slow.lower_bound
    if slow.line:
        assert played(by_rules, "".join(action.value for action in slow.line)).status is Status.WON


def test_a_search_by_the_rules_proves_a_loss_too() -> None:
    state = rules.start(campaign_of("o-M-9"))
    state = replace(state, campaign=replace(state.campaign, kinds={"hunter": strange(KINDS["hunter"])}))
    assert escape(state).is_lost
    assert LineFinder().onward(state).is_lost


def test_the_fast_search_knows_all_kinds_of_the_game() -> None:
    assert isinstance(packed(rules.start(campaign_of("o-MVHXSTZC9"))), Packed)


def test_last_chance() -> None:
    """The bomb is the only way through the wall: used at the wrong place, it is over."""
    states = [rules.start(campaign_of("ob---+9 +++++++"))]
    for letter in "d7ddeea":
        states.append(played(states[-1], letter))
    assert [is_lost(state, 10.0) for state in states] == [False, False, *(len(states) - 2) * [True]]
    assert is_lost(states[0], 0.0) is None


def test_a_key_that_must_be_taken_leads_the_search() -> None:
    campaign = load_campaign("story")
    found = escape(rules.entered(campaign, campaign.levels["crown"]), needs_key=True)
    assert found.is_decided
    assert found.states < 1_000


def test_hints_follow_one_line() -> None:
    hints = LineFinder()
    state = rules.start(campaign_of(HALL, '[levels.one.doors]\n9 = {ending = "out", carry = 1}'))
    left = escape(state).lower_bound
    while state.status is Status.PLAYING:
        found = hints.onward(state)
        assert found.line
        assert found.lower_bound == len(found.line) == left
        state, _ = rules.step(state, found.line[0])
        left -= 1
    assert state.status is Status.WON


def test_the_best_haul_is_the_shortest_line_with_the_most_treasure_by_the_same_door() -> None:
    state = rules.start(campaign_of("$-o--9 $+++++"))
    best = best_haul(state, escape(state, b"9"), 2, 10.0)
    assert "".join(action.value for action in best.line) == "aaswddddd"


@pytest.mark.parametrize(
    ("picture", "left"),
    [("k-o-$-9", 0), ("$-o---9 +++++++", 0), ("$+o-$-9 +++++++", 1), ("k+o-$-9", 0), ("M$o---9", 0)],
)
def test_hints_do_what_the_goal_asks_before_they_lead_to_the_door(picture: str, left: int) -> None:
    state = rules.start(campaign_of(picture))
    aim = aim_of(state)
    before, after = followed(state, LineFinder().onward(state))
    assert after.status is Status.WON
    is_possible = "M" not in picture
    assert before.adventurer.treasure == aim.coins * is_possible
    assert ("key" in before.adventurer.items) == aim.has_key
    assert before.room.board.copy().tobytes().count(b"$") == left


def test_hints_in_a_vault_collect_its_treasure_first() -> None:
    campaign = descent(0, can_leave)
    vault = next(level for name, level in campaign.levels.items() if not name.isdecimal())
    for name in (vault.name, "vault-8"):  # who leaves the latter without treasure is lost
        state = entered(campaign, name)
        before, _ = followed(state, LineFinder().onward(state))
        assert before.adventurer.treasure == aim_of(state).coins > 1


def test_the_goal_counts_treasure_behind_a_wall_while_a_bomb_may_break_it() -> None:
    state = state_of("9-ob+$ ----++")
    assert [aim_of(played(state, letters)).coins for letters in ("", "d", "d7", "d7aa")] == [1, 1, 1, 1]
    assert aim_of(state_of("9-o-+$ ----++")).coins == 0
