"""The turn controller, with a game of counting: an action adds its number, 10 begins a level, 100 is the end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.rules import Event, IllegalActionError, LevelBegun, Outcome
from dungeon_tui.core.turns import ChangeKind, TurnController

Controller = TurnController[int, int, int]


class Counting:
    VERSION = 1
    UNLISTED: frozenset[type] = frozenset()

    def __init__(self) -> None:
        self.steps = 0  # how often the rules were asked

    def start(self, level: int, seed: int = 0) -> int:
        return level + seed

    def legal_actions(self, state: int) -> Sequence[int]:
        return range(1, 12) if state < 100 else ()

    def objection(self, state: int, action: int) -> str | None:
        return None if action in self.legal_actions(state) else f"{action} at {state}"

    def step(self, state: int, action: int) -> tuple[int, tuple[Event, ...]]:
        self.steps += 1
        if (problem := self.objection(state, action)) is not None:
            raise IllegalActionError(problem)
        return state + action, (Event(), LevelBegun(2)) if action == 10 else (Event(),)

    def outcome(self, state: int) -> Outcome | None:
        return Outcome("done", "Counted to the end.", True) if state >= 100 else None

    def action_text(self, action: int) -> str:
        return str(action)

    def read_action(self, text: str) -> int:
        return int(text)

    def fingerprint(self, state: int) -> str:
        return str(state)


def played(*actions: int) -> Controller:
    controller = TurnController(Counting(), 0)
    for action in actions:
        controller.apply(action)
    return controller


def test_a_game_starts_from_its_level_and_seed() -> None:
    controller = TurnController(Counting(), 3, seed=4)
    assert (controller.state, controller.level, controller.seed) == (7, 3, 4)
    assert (controller.turn.ply, controller.turn.action, controller.turn.events) == (0, None, ())
    assert [turn.action for turn in controller.turn.line()[1:]] == []


def test_applying_goes_forward() -> None:
    controller = played(1, 2)
    turn = controller.apply(3)
    assert turn is controller.turn
    assert (turn.state, turn.action, turn.ply, turn.events) == (6, 3, 3, (Event(),))
    assert [turn.action for turn in controller.turn.line()[1:]] == [1, 2, 3]
    assert [turn.state for turn in turn.line()] == [0, 1, 3, 6]


def test_an_illegal_action_changes_nothing() -> None:
    controller = played(1)
    before, heard = controller.turn, listening(controller)
    with pytest.raises(IllegalActionError):
        controller.apply(99)
    assert controller.turn is before
    assert before.branches == []
    assert heard == []


def test_the_outcome_is_that_of_the_present_state() -> None:
    controller = TurnController(Counting(), 95)
    assert controller.outcome is None
    controller.apply(5)
    assert controller.outcome == Outcome("done", "Counted to the end.", True)
    controller.undo()
    assert controller.outcome is None


def test_undo_and_redo_walk_the_line_and_stop_at_its_ends() -> None:
    controller = played(1, 2)
    assert not controller.redo()
    assert controller.undo()
    assert controller.undo()
    assert controller.state == 0
    assert not controller.undo()
    assert controller.redo()
    assert controller.redo()
    assert controller.state == 3
    assert not controller.redo()


def test_another_action_after_an_undo_branches_and_keeps_the_old_line() -> None:
    controller = played(1, 2)
    old = controller.turn
    controller.undo()
    controller.apply(5)
    assert controller.state == 6
    assert controller.go_to(old)
    assert controller.state == 3


def test_redo_leads_into_the_branch_seen_last() -> None:
    controller = played(1, 2)
    controller.undo()
    controller.apply(5)
    controller.undo()
    controller.redo()
    assert controller.state == 6
    controller.undo()
    controller.apply(2)  # the first branch again
    controller.undo()
    controller.redo()
    assert controller.state == 3


def test_the_same_action_after_an_undo_follows_its_branch_without_asking_the_rules() -> None:
    controller = played(1, 2)
    turn = controller.turn
    controller.undo()
    asked = controller.rules.steps  # type: ignore[attr-defined]
    assert controller.apply(2) is turn
    assert controller.rules.steps == asked  # type: ignore[attr-defined]
    assert len(controller.first.branches[0].branches) == 1


def test_turns_are_told_apart_though_they_hold_the_same() -> None:
    controller = played(1, 2)
    controller.undo()
    other = played(1)
    assert controller.turn != other.turn
    assert controller.turn == controller.first.branches[0]


def test_redo_after_a_jump_follows_the_line_that_was_jumped_to() -> None:
    controller = played(1, 2, 3)
    deep = controller.turn
    controller.go_to(controller.first)
    controller.apply(5)
    controller.apply(6)
    controller.go_to(deep)
    controller.go_to(controller.first)
    for state in (1, 3, 6):
        controller.redo()
        assert controller.state == state


def test_going_to_the_present_turn_is_no_change() -> None:
    controller = played(1)
    heard = listening(controller)
    assert not controller.go_to(controller.turn)
    assert heard == []


def test_restart_goes_back_to_where_the_level_began() -> None:
    controller = played(1, 10, 2, 3)
    assert controller.restart()
    assert controller.state == 11
    assert not controller.restart()
    controller.redo()
    controller.redo()
    assert controller.state == 16


def test_restart_in_the_first_level_goes_back_to_the_start() -> None:
    controller = played(1, 2)
    assert controller.restart()
    assert controller.turn is controller.first
    assert not controller.restart()


def listening(controller: Controller) -> list[tuple[ChangeKind, int, int]]:
    heard: list[tuple[ChangeKind, int, int]] = []
    controller.observe(lambda change: heard.append((change.kind, change.before.state, change.after.state)))
    return heard


def test_observers_hear_of_every_change_once_and_why() -> None:
    controller = TurnController(Counting(), 0)
    heard = listening(controller)
    controller.apply(10)
    controller.apply(2)
    controller.undo()
    controller.redo()
    controller.restart()
    controller.apply(2)
    controller.go_to(controller.first)
    assert heard == [
        (ChangeKind.APPLIED, 0, 10),
        (ChangeKind.APPLIED, 10, 12),
        (ChangeKind.UNDONE, 12, 10),
        (ChangeKind.REDONE, 10, 12),
        (ChangeKind.RESTARTED, 12, 10),
        (ChangeKind.APPLIED, 10, 12),
        (ChangeKind.JUMPED, 12, 0),
    ]


def test_a_branch_that_is_discarded_is_forgotten_and_nobody_hears_of_it() -> None:
    controller = TurnController(Counting(), 0)
    kept = controller.apply(1)
    controller.undo()
    controller.apply(2)
    controller.apply(3)
    controller.go_to(controller.first)
    heard = listening(controller)
    controller.discard(controller.first.branches[-1])
    assert heard == []
    assert controller.first.branches == [kept]
    assert controller.redo()
    assert controller.turn is kept


def test_what_leads_to_the_present_turn_is_not_discarded() -> None:
    controller = TurnController(Counting(), 0)
    controller.apply(1)
    controller.apply(2)
    for turn in controller.turn.line():
        with pytest.raises(ValueError, match="can't be forgotten"):
            controller.discard(turn)
    assert len(controller.turn.line()) == 3


def test_observers_see_the_controller_after_the_change() -> None:
    controller = TurnController(Counting(), 0)
    states: list[int] = []
    controller.observe(lambda change: states.append(controller.state))
    controller.apply(4)
    controller.undo()
    assert states == [4, 0]


def test_nothing_is_heard_where_nothing_happens() -> None:
    controller = TurnController(Counting(), 0)
    heard = listening(controller)
    controller.undo()
    controller.redo()
    controller.restart()
    assert heard == []


COMMANDS = st.lists(st.one_of(st.integers(1, 11), st.sampled_from(["undo", "redo", "restart", "jump"])), max_size=60)


@given(COMMANDS, st.randoms(use_true_random=False))
def test_any_order_of_commands_keeps_a_sound_tree(commands: list[int | str], random: object) -> None:
    controller = TurnController(Counting(), 0)
    turns = [controller.first]
    heard = listening(controller)
    for command in commands:
        before, count = controller.turn, len(heard)
        match command:
            case int():
                if controller.outcome is None:
                    controller.apply(command)
            case "jump":
                controller.go_to(random.choice(turns))  # type: ignore[attr-defined]
            case _:
                getattr(controller, command)()
        if all(turn is not controller.turn for turn in turns):
            turns.append(controller.turn)
        assert len(heard) - count == (controller.turn is not before)
        assert sum(turn.action or 0 for turn in controller.turn.line()[1:]) == controller.state
        assert len(controller.turn.line()) == 1 + controller.turn.ply
        line = controller.turn.line()
        assert line[0] is controller.first
        for parent, turn in pairwise(line):
            assert turn.parent is parent
            assert parent.branches[-1] is turn  # so that redo leads along it
    for turn in turns:
        actions = [branch.action for branch in turn.branches]
        assert len(set(actions)) == len(actions)


def test_several_turns_are_undone_in_one_change() -> None:
    controller = played(1, 2, 3, 4)
    heard = listening(controller)
    assert controller.undo(3)
    assert controller.state == 1
    assert heard == [(ChangeKind.UNDONE, 10, 1)]
    assert controller.undo(9)
    assert controller.turn is controller.first
    assert not controller.undo(9)
    assert not controller.undo(0)
    while controller.redo():
        pass
    assert controller.state == 10


def test_redo_leads_where_it_is_told_to() -> None:
    controller = played(1, 2)
    first_way = controller.turn
    controller.undo()
    second_way = controller.apply(5)
    controller.undo()
    controller.prefer(first_way)
    assert controller.redo()
    assert controller.turn is first_way
    controller.undo()
    controller.prefer(second_way)
    controller.prefer(controller.first)  # leads nowhere, breaks nothing
    controller.redo()
    assert controller.turn is second_way
