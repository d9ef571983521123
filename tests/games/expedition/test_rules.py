"""The rules: what a walk costs, and when enough is seen."""

import cProfile
import json
import pickle
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.fingerprints import fingerprint
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.state import Explored, RoomSeen, Status, TorchBurnedOut, Walk, Walked, trails_of
from tests.games.expedition.maps import level_of, levels, read, walk_cost, walked

LEVEL = level_of("ab2 bc", costs={"a": 5, "b": 3})


def test_a_walk_from_its_start_which_costs_nothing_until_enough_is_seen() -> None:
    state = rules.start(LEVEL)
    assert (state.room, state.cost, state.seen_count, state.status) == (0, 0, 1, Status.EXPLORING)
    for room, told in (
        ("b", (Walked(1, 5), RoomSeen(1, 2))),
        ("a", (Walked(0, 7),)),  # seen before or not, the corridor and the room entered cost
        ("b", (Walked(1, 5),)),
        ("c", (Walked(2, 1), RoomSeen(2, 3), Explored(18))),
    ):
        assert rules.outcome(state) is None
        state, events = rules.step(state, Walk(room))
        assert events == told
    assert (state.status, state.cost, state.steps, state.seen_count) == (Status.EXPLORED, 18, 4, 3)
    assert rules.legal_actions(state) == ()
    outcome = rules.outcome(state)
    assert (outcome.name, outcome.is_win) == ("explored", True)
    with pytest.raises(IllegalActionError):
        rules.step(state, Walk("b"))


@pytest.mark.parametrize(
    ("corridors", "asked", "rooms", "is_over"),
    [
        ("ab bc", {"coverage": Fraction(60)}, "b", True),
        ("ab bc", {"coverage": Fraction(60), "is_round_trip": True}, "b", False),
        ("ab bc", {"coverage": Fraction(60), "is_round_trip": True}, "ba", True),
        ("ab bc", {"coverage": Fraction(60), "end": 2}, "bc", True),
        ("ab bc", {"end": 1}, "bc", False),
        ("ab", {"coverage": Fraction(0)}, "", True),
        ("", {}, "", True),
    ],
)
def test_coverage_return_and_end(corridors: str, asked: dict[str, Any], rooms: str, is_over: bool) -> None:
    assert walked(level_of(corridors, **asked), rooms).status is (Status.EXPLORED if is_over else Status.EXPLORING)


def test_a_step_that_costs_more_than_is_left_of_the_torch_ends_in_the_dark() -> None:
    for torch, walk, cost, status in ((18, "babc", 18, Status.EXPLORED), (6, "ba", 12, Status.DARK)):
        state = walked(replace(LEVEL, torch=torch), walk)
        assert (state.status, state.cost) == (status, cost)
        assert state.has_seen(2) == (status is Status.EXPLORED)
    outcome = rules.outcome(state)
    assert outcome is not None
    assert (outcome.name, outcome.is_win, rules.legal_actions(state)) == ("dark", False, ())
    _, events = rules.step(walked(replace(LEVEL, torch=6), "b"), Walk("a"))
    assert events == (Walked(0, 7), TorchBurnedOut())


@pytest.mark.parametrize(
    ("torch", "rooms", "status"),
    [(5, "b", Status.DARK), (6, "b", Status.EXPLORING), (6, "bc", Status.EXPLORED), (13, "ba", Status.DARK)],
)
def test_the_expedition_is_over_once_the_torch_is_too_short_for_any_step(
    torch: int, rooms: str, status: Status
) -> None:
    state = walked(replace(LEVEL, torch=torch), rooms)
    assert state.status is status
    assert state.has_seen(state.room)
    if status is Status.DARK:
        assert rules.legal_actions(state) == ()
        assert "each step costs more" in getattr(rules.outcome(state), "reason", "")


def test_a_free_step_needs_no_torch() -> None:
    level = level_of("ab bc", costs={"a": 0, "b": 2, "c": 0})
    state = walked(replace(level, torch=2), "b")
    assert state.status is Status.EXPLORING
    assert rules.step(state, Walk("c"))[0].status is Status.EXPLORED


def test_only_corridors_lead_anywhere() -> None:
    for room in ("c", "z", 1):
        with pytest.raises(IllegalActionError):
            rules.step(rules.start(LEVEL), Walk(room))


def test_ids_of_another_type_are_other_rooms() -> None:
    level = read([{"id": 1, "start": True}, {"id": "1"}], [{"source": 1, "target": "1"}])
    assert walked(level, ["1"]).status is Status.EXPLORED
    with pytest.raises(IllegalActionError):
        rules.step(rules.start(level), Walk(1))


@pytest.mark.parametrize("room", ["a b", "", "\n", 3, -1, 2.5, "1"])
def test_actions_survive_being_written(room: str | int | float) -> None:
    text = rules.action_text(Walk(room))
    assert "\n" not in text
    assert rules.read_action(text) == Walk(room)
    assert type(rules.read_action(text).to) is type(room)


@given(levels(), st.data())
def test_costs_and_rooms_add_up(level: Level, data: st.DataObject) -> None:
    state = rules.start(level)
    while (actions := rules.legal_actions(state)) and state.steps < 12:
        before = state
        state, _ = rules.step(state, data.draw(st.sampled_from(actions)))
        assert fingerprint(state) != fingerprint(before)
    walk = [trail.room for trail in trails_of(state)]
    assert state.cost == walk_cost(level, walk)
    assert state.seen_count == len(set(walk))
    assert [room for room in range(len(level.rooms)) if state.has_seen(room)] == sorted(set(walk))
    assert len(walk) == state.steps + 1
    is_done = len(set(walk)) >= level.needed and level.goal in (None, state.room)
    assert (state.status is Status.EXPLORED) == is_done
    assert json.loads(json.dumps([action.to for action in actions])) == [action.to for action in actions]


def test_a_long_walk_is_pickled_shown_and_compared_without_reading_it_all() -> None:
    state = walked(LEVEL, "ba" * 2600)
    copy = pickle.loads(pickle.dumps(state))
    assert len(repr(state)) < 1000
    assert fingerprint(copy) == fingerprint(state)
    assert fingerprint(rules.step(copy, Walk("b"))[0]) == fingerprint(rules.step(state, Walk("b"))[0])
    with cProfile.Profile() as profile:
        fingerprint(state)
    assert sum(entry.callcount for entry in profile.getstats()) < 1000
