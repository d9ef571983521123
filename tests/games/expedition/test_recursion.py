"""The memoised recursion as it can be watched, beside its twin of a few lines."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given, settings

from dungeon_tui.games.expedition.ai.recursion import Kind, TooLargeError, questions
from dungeon_tui.games.expedition.model.dungeon import read_map
from dungeon_tui.games.expedition.model.level import Level
from tests import naive_expedition as naive
from tests.games.expedition.maps import levels


@settings(max_examples=100, deadline=None)
@given(level=levels(5))
def test_it_asks_and_remembers_what_the_recursion_does(level: Level) -> None:
    if level.goal is not None:
        return  # the twin ends anywhere
    memo: naive.Memo = {}
    believed = naive.recursive_cost(level, memo)
    asked = questions(level)
    assert asked[0].answer == believed
    kept = {(each.room, each.seen): each.answer for each in asked if each.kind is Kind.ASKED}
    assert kept == {(room, sum(1 << other for other in seen)): cost for (room, seen), cost in memo.items()}
    for each in asked:
        seen = [room for room in range(len(level.rooms)) if each.seen >> room & 1]
        cost = naive.least_cost(level, each.room, seen)
        assert each.right == (inf if cost is None else cost)
        assert each.is_wrong == (each.answer != each.right)


def test_questions_are_answered_after_those_that_they_ask() -> None:
    asked = questions(read_map("memo-fails"))
    assert (asked[0].answer, asked[0].right, asked[0].answered) == (7, 6, len(asked))
    for each in asked:
        below = asked[each.number + 1 : each.answered]
        assert all(other.depth > each.depth for other in below)
        assert bool(below) == (each.kind is Kind.ASKED)
    assert {each.kind for each in asked} == {*Kind}


def test_large_maps_can_t_be_watched() -> None:
    with pytest.raises(TooLargeError):
        questions(read_map("ruins"))
