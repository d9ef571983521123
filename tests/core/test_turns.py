"""The turn controller, with a game of counting: an action adds its number, 10 begins a level, 100 is the end.

And the line of turns beside a twin that builds it anew each time.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dungeon_tui.core.rules import Event, LevelBegun, Outcome
from dungeon_tui.core.turns import ChangeKind, Judgement, Turn, TurnController, TurnLine
from tests.nim_rules import NimRules, controller_of

Controller = TurnController[int, int, int]


class Counting(NimRules):
    def __init__(self) -> None:
        self.steps = 0  # how often the rules were asked

    def start(self, level: int, seed: int = 0) -> int:
        return level + seed

    def legal_actions(self, state: int) -> Sequence[int]:
        return range(1, 12) if state < 100 else ()

    def step(self, state: int, action: int) -> tuple[int, tuple[Event, ...]]:
        self.steps += 1
        return state + action, (Event(), LevelBegun(2)) if action == 10 else (Event(),)

    def outcome(self, state: int) -> Outcome | None:
        return Outcome("done", "Counted to the end.", True) if state >= 100 else None


def played(*actions: int) -> Controller:
    controller = TurnController(Counting(), 0)
    for action in actions:
        controller.apply(action)
    return controller


def listening(controller: Controller) -> list[tuple[ChangeKind, int, int]]:
    """What an observer hears from now on: the kind of change, the state before, the present one."""
    heard: list[tuple[ChangeKind, int, int]] = []
    controller.observe(lambda change: heard.append((change.kind, change.before.state, controller.state)))
    return heard


def test_a_game_starts_from_its_level_and_seed_and_applying_goes_forward() -> None:
    controller = TurnController(Counting(), 3, seed=4)
    assert (controller.state, controller.level, controller.seed) == (7, 3, 4)
    assert (controller.turn.ply, controller.turn.action, controller.turn.events) == (0, None, ())
    turn = controller.apply(3)
    assert turn is controller.turn
    assert (turn.state, turn.action, turn.ply, turn.events) == (10, 3, 1, (Event(),))
    assert [turn.state for turn in turn.line()] == [7, 10]
    assert turn != played(3).turn  # though both hold the same


def test_observers_hear_after_every_change_once_and_why() -> None:
    controller = TurnController(Counting(), 0)
    heard = listening(controller)
    for change in (controller.undo, controller.redo, controller.restart, lambda: controller.go_to(controller.turn)):
        assert not change()
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


# -- the line through the present turn


def naive_line(turn: Turn[Any, Any]) -> list[Turn[Any, Any]]:
    line = turn.line()
    while line[-1].branches:
        line.append(line[-1].branches[-1])
    return line


def every_turn(turn: Turn[Any, Any]) -> Iterator[Turn[Any, Any]]:
    yield turn
    for branch in turn.branches:
        yield from every_turn(branch)


def judgement_of(turn: Turn[Any, Any]) -> Judgement:
    return Judgement(f"{id(turn)}", 0.5, is_mistake=turn.state.pile % 6 == 1, is_slip=turn.state.pile % 2 == 0)


MOVES = st.lists(
    st.tuples(
        st.sampled_from(["take 1", "take 2", "undo", "redo", "restart", "jump", "judge", "turn"]), st.integers(0, 99)
    )
)


@example([("take 1", 0), ("undo", 1), ("take 2", 0), ("undo", 1), ("take 1", 0)])
@example([("take 1", 0), ("take 1", 0), ("undo", 2), ("take 2", 0), ("jump", 2)])
@given(MOVES)
def test_the_line_is_what_leads_here_and_where_redo_leads(moves: list[tuple[str, int]]) -> None:
    controller = controller_of(12)
    line = TurnLine(controller.turn)
    heard = listening(controller)
    for what, number in moves:
        before = controller.turn
        heard.clear()
        match what:
            case "undo":
                controller.undo(number % 4)
            case "redo" | "restart":
                getattr(controller, what)()
            case "jump":
                turns = list(every_turn(controller.first))
                controller.go_to(turns[number % len(turns)])
            case "turn" if controller.turn.branches:
                controller.prefer(controller.turn.branches[0])
                line.follow(controller.turn)
                line.forget_after(controller.turn.ply)
            case "turn":
                pass
            case "judge":
                turns = line.unjudged(number % 5)
                line.take(turns, [judgement_of(turn) for turn in turns])
            case _:
                if controller.outcome is None:
                    controller.apply(min(int(what[-1]), controller.state.pile))
        line.follow(controller.turn)
        expected = naive_line(controller.turn)
        assert line.turns == expected
        assert what == "turn" or len(heard) == (controller.turn is not before)
        for ply, (parent, turn) in enumerate(pairwise(expected), 1):
            assert (turn.ply, turn.parent, parent.branches[-1]) == (ply, parent, turn)  # redo leads along it
            assert len({branch.action for branch in parent.branches}) == len(parent.branches)
        for ply, turn in enumerate(expected):
            assert line.has_fork(ply, ply + 1) == (len(turn.branches) > 1)
            judgement = line.judgement(ply)
            assert judgement is None or judgement == judgement_of(turn)
        mistakes = [ply for ply, judgement in enumerate(line.judgements) if judgement.is_mistake]
        slips = [ply for ply, judgement in enumerate(line.judgements) if judgement.is_slip]
        assert line.faults == sorted({*mistakes, *slips})
        assert line.worst(range(1, 4)) == next((ply for ply in mistakes + slips if 1 <= ply < 4), None)
        here = controller.turn.ply
        forks = [ply for ply, turn in enumerate(expected) if len(turn.branches) > 1]
        ahead = [ply for ply in forks if ply >= here]
        assert line.fork_beside(here) == (ahead[0] if ahead else forks[-1] if forks else None)


def test_judgements_of_turns_that_are_no_longer_on_the_line_are_passed_over() -> None:
    controller = controller_of(12, 1, 1, 1, 1)
    line = TurnLine(controller.turn)
    turns = line.unjudged(10)
    assert [turn.ply for turn in turns] == [0, 1, 2, 3, 4]
    controller.undo(2)
    controller.apply(2)
    line.follow(controller.turn)
    line.take(turns, [judgement_of(turn) for turn in turns])
    assert line.judgements == []


def test_following_costs_what_has_changed() -> None:
    """A line of many turns is not walked again for each of them."""

    class Watched(Turn[Any, Any]):
        __slots__ = ("asked",)

        def __getattribute__(self, name: str) -> Any:
            if name == "parent":
                seen.append(self)
            return super().__getattribute__(name)

    seen: list[Turn[Any, Any]] = []
    first = Watched(None)
    turn = first
    for ply in range(1, 2000):
        newer = Watched(None, ply, (), turn, ply)
        turn.branches.append(newer)
        turn = newer
    line = TurnLine(turn)
    seen.clear()
    for ply in (1999, 1000, 1001, 0, 500):
        line.follow(line.turns[min(ply, len(line) - 1)])
    assert len(seen) <= 5
    newer = Watched(None, "end", (), turn, 2000)
    turn.branches.append(newer)
    line.follow(newer)
    assert len(seen) <= 7
    assert line.turns[-1] is newer


@pytest.mark.parametrize(
    ("is_mistake", "is_slip", "whose", "fault"),
    [
        (True, True, "the rogue's", "the rogue's mistake"),
        (False, True, "", "a slip"),
        (False, False, "the rogue's", ""),
    ],
)
def test_a_fault_is_named_with_its_mover(is_mistake: bool, is_slip: bool, whose: str, fault: str) -> None:
    assert Judgement("", 0, is_mistake, is_slip=is_slip, whose=whose).fault == fault
