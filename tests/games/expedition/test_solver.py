"""Plans, beside Dijkstra over (room, rooms seen); the recursion that goes wrong; comparisons."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import inf
from threading import Event

from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.engine.walks import Watch
from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.dungeon import read_map
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import known_rooms
from dungeon_tui.games.expedition.model.state import State, Status, Walk
from tests import naive_expedition as naive
from tests.games.expedition.maps import level_of, levels, walk_cost, walked

LINE = level_of("ab bc cd de", start="c")


def played(data: st.DataObject, level: Level, most: int = 6) -> State:
    """Some moment of an expedition."""
    state = rules.start(level)
    for _ in range(data.draw(st.integers(0, most))):
        actions = rules.legal_actions(state)
        if not actions:
            break
        state, _ = rules.step(state, data.draw(st.sampled_from(actions)))
    return state


def seen_by(state: State) -> list[int]:
    return [room for room in range(len(state.level.rooms)) if state.has_seen(room)]


@settings(max_examples=3 * settings().max_examples)
@given(level=levels(), data=st.data())
def test_plans_cost_what_dijkstra_over_the_states_says(level: Level, data: st.DataObject) -> None:
    state = played(data, level)
    plan = solver.plan(state)
    assert plan.is_proven
    assert plan.cost == naive.least_cost(level, state.room, seen_by(state))
    if plan.cost is None:
        assert plan.walk == ()
        reached = state.seen
        while (more := known_rooms(level, reached)) != reached:
            reached = more
        assert plan.seen == reached.bit_count()
        return
    assert plan.lower_bound == plan.cost == walk_cost(level, plan.walk)
    assert plan.walk[0] == state.room
    for room in plan.walk[1:]:
        assert state.status is Status.EXPLORING  # it ends as soon as all is done
        state, _ = rules.step(state, Walk(level.rooms[room].id))
    assert state.status is Status.EXPLORED
    assert plan.seen == state.seen_count


def test_without_time_or_when_stopped_the_best_walk_known_comes_with_a_bound() -> None:
    level, stop = read_map("undercity"), Event()
    stop.set()
    for watch in (Watch(0), Watch(stop=stop)):
        plan = solver.plan(level, watch)
        assert plan.cost is not None
        assert not plan.is_proven
        assert plan.lower_bound < plan.cost == walk_cost(level, plan.walk)


def test_the_memoised_recursion_believes_a_value_too_early() -> None:
    """It is that of docs/games/expedition.md."""
    level = read_map("memo-fails")
    assert naive.least_cost(level) == solver.plan(level).cost == 6
    memo: naive.Memo = {}
    assert naive.recursive_cost(level, memo) == 7
    for room, seen, believed, true in (
        ("c", "abce", inf, 2), ("d", "abde", inf, 2), ("b", "abe", inf, 3), ("a", "ae", inf, 4), ("b", "ab", 6, 6),
    ):  # fmt: skip
        rooms = frozenset(map("abcde".index, seen))
        assert memo["abcde".index(room), rooms] == believed
        assert naive.least_cost(level, "abcde".index(room), rooms) == true


def test_first_steps_are_known_from_any_moment() -> None:
    ring = level_of("ab bc cd da")
    assert solver.first_steps(rules.start(ring)) == (1, 3)
    assert solver.first_steps(walked(ring, "b")) == (2,)
    assert solver.first_steps(walked(ring, "bcd")) == ()


def test_the_number_of_cheapest_walks() -> None:
    assert solver.count_walks(rules.start(LINE)) == 2
    assert solver.count_walks(rules.start(level_of("ab cd"))) == 0
    assert solver.count_walks(rules.start(read_map("for-nothing"))) == solver.CAP


@given(level=levels(6))
def test_the_curve_is_the_least_cost_of_each_number_of_rooms(level: Level) -> None:
    plans = list(solver.curve(level))
    for rooms in range(1, len(level.rooms) + 1):
        cost = naive.least_cost(replace(level, coverage=Fraction(100 * rooms, len(level.rooms))))
        assert cost == (plans[rooms - 1][0] if rooms <= len(plans) else None)


def test_a_comparison_names_the_legs_that_were_wasted() -> None:
    level = level_of("ab ac ad de")
    comparison = solver.compare(walked(level, "dedabac"))  # first to the deep end, and then back
    assert (comparison.cost, comparison.best.cost, comparison.wasted) == (7, 6, 1)
    (leg,) = comparison.legs
    assert (leg.first, leg.last, leg.wasted) == (0, 1, 1)  # into d: with b and c to come, no way on makes up for that
    assert comparison.is_proven
    comparison = solver.compare(walked(level_of("ab bc cd"), "bababcd"))  # to and fro
    assert [(leg.first, leg.last, leg.wasted) for leg in comparison.legs] == [(1, 6, 4)]
    assert [leg.steps for leg in comparison.legs] == [(1, 3)]  # away from b; back is no waste


@given(level=levels(6), data=st.data())
def test_wasted_legs_add_up_to_what_the_walk_costs_too_much(level: Level, data: st.DataObject) -> None:
    state = played(data, level, most=12)
    best, rest = naive.least_cost(level), naive.least_cost(level, state.room, seen_by(state))
    comparison = solver.compare(state)
    assert comparison == solver.compare(state, best=solver.plan(level))
    if best is None or rest is None:
        assert (comparison.legs, comparison.wasted) == ((), 0)
        return
    assert walk_cost(level, comparison.best.walk) == best
    assert comparison.wasted == state.cost + rest - best == sum(leg.wasted for leg in comparison.legs)
    costs = [walk_cost(level, comparison.walk[: place + 1]) for place in range(len(comparison.walk))]
    for leg in comparison.legs:
        totals = [
            costs[place] + (naive.least_cost(level, comparison.walk[place], comparison.walk[: place + 1]) or 0)
            for place in range(leg.first, leg.last + 1)
        ]
        assert totals[-1] - totals[0] == leg.wasted > 0
        rises = enumerate(pairwise(totals), leg.first)
        assert [*leg.steps] == [place for place, (before, after) in rises if after > before]


def test_comparing_without_time_never_blames_more_than_was_lost() -> None:
    level = read_map("undercity")
    state = rules.start(level)
    for room in solver.plan(level, Watch(0)).walk[1:]:
        state, _ = rules.step(state, Walk(level.rooms[room].id))
    comparison = solver.compare(state, Watch(0), best=solver.plan(level))
    assert comparison.wasted == state.cost - 318 > 0
    assert sum(leg.wasted for leg in comparison.legs) == comparison.wasted
    assert not comparison.is_proven
