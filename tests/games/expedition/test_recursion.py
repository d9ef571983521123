"""The memoised recursion as it can be watched, beside its twin of a few lines."""

from math import inf

import pytest
from hypothesis import given

from dungeon_tui.games.expedition.ai.recursion import Kind, Question, TooLargeError, happenings
from dungeon_tui.games.expedition.model.dungeon import read_map
from dungeon_tui.games.expedition.model.level import Level
from tests import naive_expedition as naive
from tests.games.expedition.maps import levels


def questions_on(level: Level) -> list[Question]:
    return [question for question, is_answered in happenings(level) if not is_answered]


@given(level=levels(5))
def test_it_asks_and_remembers_what_the_recursion_does(level: Level) -> None:
    if level.goal is not None:
        return  # the twin ends anywhere
    memo: naive.Memo = {}
    believed = naive.recursive_cost(level, memo)
    asked = questions_on(level)
    assert asked[0].answer == believed
    kept = {(each.room, each.seen): each.answer for each in asked if each.kind is Kind.ASKED}
    assert kept == {(room, sum(1 << other for other in seen)): cost for (room, seen), cost in memo.items()}
    for each in asked:
        seen = [room for room in range(len(level.rooms)) if each.seen >> room & 1]
        cost = naive.least_cost(level, each.room, seen)
        assert each.right == (inf if cost is None else cost)
        assert each.is_wrong == (each.answer != each.right)


def test_questions_are_answered_after_those_that_they_ask() -> None:
    found = happenings(read_map("memo-fails"))
    whole, _ = found[0]
    assert (whole.answer, whole.right, found[-1]) == (7, 6, (whole, True))
    waiting: list[Question] = []
    for question, is_answered in found:
        if is_answered:
            assert waiting.pop() is question
        else:
            assert question.depth == len(waiting)
            waiting += [question] * (question.kind is Kind.ASKED)
    assert {question.kind for question, _ in found} == {*Kind}


def test_large_maps_can_t_be_watched() -> None:
    with pytest.raises(TooLargeError):
        happenings(read_map("ruins"))
