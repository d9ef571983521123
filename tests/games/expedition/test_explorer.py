"""What an explorer can guarantee in fog, beside trying out every map there may be; torches, risks, the scout."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.ai.solver import Planner
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.dungeon import named, read_map
from dungeon_tui.games.expedition.model.explorer import Explorer
from dungeon_tui.games.expedition.model.generator import generate
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import known_rooms, scout_cost
from dungeon_tui.games.expedition.model.options import tasks
from dungeon_tui.games.expedition.model.state import State, Status, Walk
from dungeon_tui.games.expedition.view.analysis import ExpeditionAnalysis
from dungeon_tui.games.expedition.view.guide import promised
from tests import naive_expedition as naive
from tests.games.expedition.maps import level_of, walked


@st.composite
def whole_levels(draw: st.DrawFn, most: int = 5) -> Level:
    """Maps of few rooms in which every room can be reached, with few costs."""
    count = draw(st.integers(1, most))
    tree = [(draw(st.integers(0, other - 1)), other) for other in range(1, count)]
    pairs = [(one, other) for other in range(count) for one in range(other) if (one, other) not in tree]
    more = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=2)) if pairs else []
    costs = draw(st.sampled_from([st.just(1), st.sampled_from((0, 3)), st.sampled_from((1, 2))]))
    letters = "abcdef"[:count]
    level = level_of(
        " ".join(f"{letters[one]}{letters[other]}{draw(costs)}" for one, other in (*tree, *more)),
        draw(st.sampled_from(letters)),
        {letter: draw(costs) for letter in letters},
        coverage=draw(st.sampled_from([Fraction(percent) for percent in (0, 60, 100)])),
    )
    goals = [room for room in range(count) if known_rooms(level, 1 << level.start) >> room & 1]
    return replace(level, end=draw(st.sampled_from([None, *goals])))


@given(level=whole_levels())
def test_what_one_can_be_sure_of_is_what_the_worst_map_costs(level: Level) -> None:
    sure = Explorer(level).sure_cost
    assert sure == naive.sure_cost(level)
    cost = solver.plan(level).cost
    assert sure is not None
    assert cost is not None
    assert sure >= cost
    foggy = rules.start(replace(level, is_fogged=True))
    for ends in Explorer(foggy.level).certain(foggy):
        assert all(ends in corridors for _, corridors in naive.possible_maps(level, only_dearest=True))


@settings(max_examples=2 * settings().max_examples)
@example(level=level_of("ab ac ad3 bc bd", "b", {"a": 0, "b": 3, "c": 0, "d": 0}, coverage=Fraction(60)))
@given(level=whole_levels(most=4))
def test_lower_costs_out_of_sight_than_the_highest_promise_no_more_and_no_less(level: Level) -> None:
    assert Explorer(level).sure_cost == naive.sure_cost(level, only_dearest=False)


def test_exits_tell_dead_ends_from_ways_on() -> None:
    assert Explorer(read_map("star")).sure_cost == solver.plan(read_map("star")).cost
    # e is a dead end, and b has two exits for the two rooms left.
    assert Explorer(read_map("memo-fails")).sure_cost == 6
    assert Explorer(level_of("ab bc ad")).sure_cost == naive.sure_cost(level_of("ab bc ad")) == 4


@pytest.mark.parametrize(
    "level",
    [
        level_of("ab cd"),  # out of reach
        replace(level_of("ab bc"), end=2),  # an end that is to be found first
        read_map("undercity"),  # too many maps
    ],
)
def test_where_it_can_t_be_computed_it_is_unknown(level: Level) -> None:
    assert Explorer(level).sure_cost is None


def led(level: Level) -> State:
    """The end of a walk that follows every hint."""
    planner, state = Planner(), rules.start(level)
    while state.status is Status.EXPLORING:
        for room in promised(state, planner)[0][1:]:
            state, _ = rules.step(state, Walk(level.rooms[room].id))
    return state


FORGIVING = "first-light", "branch-and-twig"  # always going to the nearest room may do
EXPLORING = [
    pytest.param(name, marks=[pytest.mark.slow] * (len(read_map(name).rooms) > 6)) for name in tasks("exploring")
]


@pytest.mark.parametrize("name", EXPLORING)
def test_a_torch_lasts_for_the_promised_plan_and_no_plan_promises_more(name: str) -> None:
    level = read_map(name)
    assert level.is_fogged
    assert level.par == Explorer(level).sure_cost
    assert level.torch > level.par
    assert led(level).status is Status.EXPLORED
    assert level.par == naive.sure_cost(level)
    if not level.is_round_trip and name not in FORGIVING:
        assert (scout_cost(level) or 0) > level.torch


@pytest.mark.parametrize("name", EXPLORING)
def test_the_promised_plan_finishes_every_map_there_may_be_within_the_torch(name: str) -> None:
    level = read_map(name)
    costs = []
    for room_costs, corridors in naive.possible_maps(level, only_dearest=True):
        rooms = tuple(replace(room, cost=cost) for room, cost in zip(level.rooms, room_costs, strict=True))
        known = {each.ends: each for each in level.corridors}
        made = tuple(
            replace(known.get(ends, level.corridors[0]), ends=ends, cost=cost) for ends, cost in corridors.items()
        )
        state = led(replace(level, rooms=rooms, corridors=made))
        assert state.status is Status.EXPLORED
        costs.append(state.cost)
    assert max(costs) == level.par


@given(level=whole_levels(), data=st.data())
def test_no_walk_lowers_what_could_be_promised_but_by_luck_and_risks_are_what_a_step_adds(
    level: Level, data: st.DataObject
) -> None:
    explorer, state = Explorer(level), rules.start(level)
    while actions := rules.legal_actions(state):
        before, (after, _) = state, rules.step(state, data.draw(st.sampled_from(actions)))
        worst = explorer.after(before, after.room, after.cost - before.cost)
        total, least = explorer.total(after), explorer.total(before)
        assert worst is not None
        assert total is not None
        assert least is not None
        assert max(total, least) <= worst
        state = after
        if state.steps == 8:
            break
    legs = solver.risks(state, explorer)
    assert legs is not None
    assert all(leg.wasted > 0 for leg in legs)


def test_only_what_could_be_known_is_blamed() -> None:
    lucky = replace(level_of("ab ac bd ce"), is_fogged=True)  # both have an exit: neither choice is better
    explorer = Explorer(lucky)
    assert solver.risks(walked(lucky, "bdbace"), explorer) == ()
    wasteful = solver.risks(walked(lucky, "babdbace"), explorer)
    assert wasteful is not None
    assert [leg.wasted for leg in wasteful] == [2]


@pytest.mark.parametrize("name", ["round-the-corner", "six-of-eight", "--seed 0 --rooms 7 --degree 2 --return --fog"])
def test_a_hint_is_a_best_move_of_the_analysis_after_mistakes_too(name: str) -> None:
    planner, state = Planner(), rules.start(named(name).load())
    analysis = ExpeditionAnalysis(planner)
    analysis.prepare(state)  # no error: a plan is promised
    assert any(move.loss for move in analysis.moves(state))  # the first choice matters
    while actions := rules.legal_actions(state):
        losses = {move.action: move.loss for move in analysis.moves(state)}
        way = promised(state, planner)[0]
        assert losses.get(Walk(state.level.rooms[way[1]].id), 0) == 0
        state, _ = rules.step(state, max(actions, key=lambda action: losses.get(action, 0)))


def test_no_step_on_which_the_torch_goes_out_is_best() -> None:
    state = rules.start(read_map("two-ends"))
    analysis = ExpeditionAnalysis(Planner())
    while actions := rules.legal_actions(state):
        after = {action: rules.step(state, action)[0] for action in actions}
        best = [after[move.action].status for move in analysis.moves(state) if move.is_best]
        assert Status.DARK not in best
        state = after[actions[0]]
    assert state.status is Status.DARK


@given(seed=st.integers(0, 99), rooms=st.sampled_from([2, 5, 7, 30]))
def test_hints_finish_a_generated_map_in_fog_of_any_size(seed: int, rooms: int) -> None:
    assert led(replace(generate(seed, rooms), is_fogged=True)).cost >= (solver.plan(generate(seed, rooms)).cost or 0)
