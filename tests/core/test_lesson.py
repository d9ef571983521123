"""A lesson: whose faults are put before one, which answers are right, and what is counted."""

import pytest

from dungeon_tui.core.lesson import Lesson, faults_text, own_faults
from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import Judgement
from tests.nim_rules import SEATS, controller_of

NOBODY = {"first": "perfect", "second": "greedy"}


def judged(players: dict[str, str], faults: str) -> Session:
    """A game of as many moves as there are faults: ! a mistake, ? a slip, too, ' a slip, - none."""
    session = Session(controller_of(20), SEATS, players)
    for _ in faults:
        session.play(1)
    given = [Judgement("", 1.0, mark in "!?", mark in "'?") for mark in "-" + faults]
    session.line.take(session.line.unjudged(99), given)
    return session


@pytest.mark.parametrize(
    ("players", "faults", "plies", "text"),
    [
        ({}, "!-'!", [1, 3, 4], "2 mistakes and 1 slip"),
        ({}, "'?'-", [1, 2, 3], "1 mistake and 2 slips"),
        ({"second": "greedy"}, "'!'", [1, 3], "2 slips"),
        ({"first": "greedy"}, "!'-'", [2, 4], "2 slips"),
        (NOBODY, "!-!", [1, 3], "2 mistakes"),
        ({}, "---", [], ""),
        ({}, "", [], ""),
    ],
)
def test_a_persons_mistakes_and_slips_come_in_the_order_of_play(
    players: dict[str, str], faults: str, plies: list[int], text: str
) -> None:
    found = own_faults(judged(players, faults))
    assert [turn.ply for turn in found] == plies
    assert faults_text(found.values()) == text


def test_only_what_is_found_counts() -> None:
    session = judged({}, "'-'!")
    found = own_faults(session)
    faults = [*found]
    lesson = Lesson(found)
    wrong, right, slip = Judgement("", 0.0, True), Judgement("", 1.0, False), Judgement("", 0.5, False, is_slip=True)
    assert (lesson.number, len(lesson), lesson.fault, lesson.origin) == (1, 3, faults[0], session.line.turns[0])
    assert [lesson.answer(action, wrong) for action in (1, 2, 1)] == [False] * 3
    assert ([*lesson.tried], lesson.is_over, lesson.found) == ([1, 2], False, set())
    assert not lesson.answer(3, slip)  # no mistake, but not best
    assert lesson.answer(2, right)
    assert (lesson.is_over, lesson.found) == (True, {faults[0]})
    assert lesson.go(1)
    assert (lesson.tried, lesson.is_over, lesson.number) == ({}, False, 2)
    assert not lesson.answer(2, slip)
    lesson.show()
    assert lesson.is_over
    assert lesson.answer(2, right)
    assert lesson.go(1)
    assert (lesson.number, lesson.fault) == (3, faults[2])
    assert not lesson.answer(2, wrong)
    assert not lesson.go(1)
    assert lesson.found == {faults[0]}
    assert lesson.answer(3, right)
    assert Lesson(found, lesson.found).found == {faults[0], faults[2]}
