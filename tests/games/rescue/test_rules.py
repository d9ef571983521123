"""The rescue's rules, one sentence after another, and whole rescues beside the slow twin."""

import cProfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.fingerprints import fingerprint
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.recording import record, reexecute
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.level import MOST, Level
from dungeon_tui.games.rescue.model.rules import (
    BEYOND,
    Action,
    Died,
    Entered,
    Saved,
    SetOut,
    State,
    Status,
    Walk,
    least_health,
)
from tests import naive_rescue_rules as naive
from tests.games.rescue.grids import CLASSIC, grid_rows, level_of

RIGHT, DOWN = Walk(Direction.RIGHT), Walk(Direction.DOWN)
START = rules.start(level_of(CLASSIC))


def after(state: State, *actions: Action) -> State:
    for action in actions:
        state, _ = rules.step(state, action)
    return state


def trail_of(state: State) -> list[tuple[int, int, int]]:
    """The cells entered, with the health left there, the first one first."""
    return [(*entered.cell, entered.health) for entered in state.trail or ()][::-1]


def test_the_knight_waits_outside_to_set_out() -> None:
    assert (START.status, START.initial, START.trail) == (Status.READY, 0, None)
    assert rules.outcome(START) is None
    assert fingerprint(START) == fingerprint(rules.start(level_of(CLASSIC), seed=5))
    offered = rules.legal_actions(START)
    assert {type(action) for action in offered} == {SetOut}
    assert all(after(START, action) != START for action in offered)


def test_right_and_down_are_the_only_ways_and_all_else_has_its_moment() -> None:
    inside = after(START, SetOut(99), RIGHT)
    assert rules.legal_actions(inside) == (RIGHT, DOWN)
    assert rules.legal_actions(after(inside, RIGHT)) == (DOWN,)
    assert rules.legal_actions(after(inside, DOWN, DOWN)) == (RIGHT,)
    refused = [(inside, Walk(way)) for way in set(Direction) - {Direction.RIGHT, Direction.DOWN}]
    refused += [(after(inside, RIGHT), RIGHT), (START, RIGHT)]
    refused += [(START, SetOut(health)) for health in (0, -1, MOST + 1)]
    refused += [(after(START, SetOut(7)), SetOut(7))]
    refused += [(after(START, SetOut(1)), action) for action in (SetOut(7), DOWN)]
    for state, action in refused:
        with pytest.raises(IllegalActionError) as caught:
            rules.step(state, action)
        assert str(caught.value) == rules.objection(state, action)


def test_where_no_knight_can_have_enough_the_most_is_too_little() -> None:
    level = level_of([[-MOST, -MOST]])
    assert least_health(level) == BEYOND
    assert after(rules.start(level), SetOut(MOST)).status is Status.DIED


HEALTHS = st.integers(1, 40) | st.just(MOST)
ACTIONS = st.lists(
    st.one_of(st.builds(SetOut, HEALTHS), *[st.just(RIGHT)] * 3, *[st.just(DOWN)] * 3),
    max_size=16,
)


@given(grid_rows(), ACTIONS)
def test_rescues_go_as_the_slow_twin_plays_them(rows: list[list[int]], actions: list[Action]) -> None:
    state, twin = rules.start(level_of(rows)), naive.Rescue(rows)
    for action in actions:
        if not twin.do(rules.action_text(action)):
            with pytest.raises(IllegalActionError):
                rules.step(state, action)
            continue
        if isinstance(action, Walk):
            assert action in rules.legal_actions(state)
        state, events = rules.step(state, action)
        assert trail_of(state) == [(*cell, left) for cell, left in zip(twin.cells, twin.healths()[1:], strict=True)]
        assert state.lowest == (min(twin.healths()) if twin.cells else 0)
        outcome = rules.outcome(state)
        assert (outcome.name if outcome else "") == twin.end()
        assert outcome is None or outcome.is_win == (twin.end() == "saved")
        cell = Cell(*twin.cells[-1])
        ending = {"": (), "died": (Died(),), "saved": (Saved(),)}[twin.end()]
        assert events == (Entered(cell, rows[cell.row][cell.col], twin.healths()[-1]), *ending)


def walked(steps: int) -> State:
    """The state after so many steps along a row."""
    level = Level("long", np.zeros((1, steps + 2), np.int32))
    return after(rules.start(level), SetOut(3), *[RIGHT] * steps)


def test_a_long_walk_is_shown_in_a_few_words() -> None:
    assert len(repr(walked(20_000))) < 1000


def test_verifying_twice_as_many_turns_takes_twice_as_many_calls() -> None:
    calls = []
    for steps in (2048, 4096):
        controller = TurnController(rules, Level("long", np.zeros((1, steps + 1), np.int32)))
        for action in (SetOut(1), *[RIGHT] * steps):
            controller.apply(action)
        recording = record(controller, "rescue")
        with cProfile.Profile() as profile:
            assert reexecute(recording)[1].is_ok
        calls.append(sum(entry.callcount for entry in profile.getstats()))
    assert calls[1] <= 2.1 * calls[0]
