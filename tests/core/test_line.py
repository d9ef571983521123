"""The line of turns beside a twin that builds it anew each time; and the timeline that is drawn of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.turns import Judgement, Turn, TurnController, TurnLine
from tests.ui.nim import NimAnalysis, NimRules

Controller = TurnController[Any, Any, Any]


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
    st.tuples(st.sampled_from(["take 1", "take 2", "undo", "redo", "jump", "judge", "turn"]), st.integers(0, 99))
)


@given(MOVES)
def test_the_line_is_what_leads_here_and_where_redo_leads(moves: list[tuple[str, int]]) -> None:
    controller: Controller = TurnController(NimRules(), 12)
    line = TurnLine(controller.turn)
    for what, number in moves:
        match what:
            case "undo":
                controller.undo(number % 4)
            case "redo":
                controller.redo()
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
        for ply, turn in enumerate(expected):
            assert line.has_fork(ply, ply + 1) == (len(turn.branches) > 1)
            judgement = line.judgement(ply)
            assert judgement is None or judgement == judgement_of(turn)
        mistakes = [ply for ply, judgement in enumerate(line.judgements) if judgement.is_mistake]
        slips = [ply for ply, judgement in enumerate(line.judgements) if judgement.is_slip]
        wanted = mistakes or slips
        assert line.faults == ("mistake" if mistakes else "slip", len(wanted))
        here = controller.turn.ply
        assert line.fault_beside(here, 1) == next((ply for ply in wanted if ply > here), None)
        assert line.fault_beside(here, -1) == next((ply for ply in reversed(wanted) if ply < here), None)
        assert line.first_mistake(1, 4) == next((ply for ply in mistakes if 1 <= ply < 4), None)
        assert line.first_slip(1, 4) == next((ply for ply in slips if 1 <= ply < 4), None)
        forks = [ply for ply, turn in enumerate(expected) if len(turn.branches) > 1]
        ahead = [ply for ply in forks if ply >= here]
        assert line.fork_beside(here) == (ahead[0] if ahead else forks[-1] if forks else None)


def test_judgements_of_turns_that_are_no_longer_on_the_line_are_passed_over() -> None:
    controller: Controller = TurnController(NimRules(), 12)
    for _ in range(4):
        controller.apply(1)
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


@pytest.mark.parametrize("pile", [1, 10])
def test_the_toy_is_judged_as_it_plays(pile: int) -> None:
    """Whoever is said to win does, where both play what is best."""
    rules, analysis = NimRules(), NimAnalysis()
    controller: Controller = TurnController(rules, pile)
    verdict = analysis.judge(controller.turn)
    while controller.outcome is None:
        controller.apply(controller.state.pile % 3 or 1)
        assert not analysis.judge(controller.turn).is_mistake
    assert verdict.text == f"the {controller.outcome.name} one wins"
