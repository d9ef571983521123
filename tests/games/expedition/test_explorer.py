"""What an explorer can be sure of in fog, beside trying out every map there may be."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.ai.explorer import sure_cost
from dungeon_tui.games.expedition.model.dungeon import read_map
from dungeon_tui.games.expedition.model.level import Level
from tests import naive_expedition as naive
from tests.games.expedition.maps import level_of


@st.composite
def whole_levels(draw: st.DrawFn, most: int = 5) -> Level:
    """Maps of few rooms in which every room can be reached, with few costs."""
    count = draw(st.integers(1, most))
    tree = [(draw(st.integers(0, other - 1)), other) for other in range(1, count)]
    pairs = [(one, other) for other in range(count) for one in range(other) if (one, other) not in tree]
    more = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=2)) if pairs else []
    costs = draw(st.sampled_from([st.just(1), st.sampled_from((0, 3)), st.sampled_from((1, 2))]))
    letters = "abcde"[:count]
    return level_of(
        " ".join(f"{letters[one]}{letters[other]}{draw(costs)}" for one, other in (*tree, *more)),
        draw(st.sampled_from(letters)),
        {letter: draw(costs) for letter in letters},
        coverage=draw(st.sampled_from([Fraction(percent) for percent in (0, 60, 100)])),
        is_round_trip=draw(st.booleans()),
    )


@given(level=whole_levels())
def test_what_one_can_be_sure_of_is_what_the_worst_map_costs(level: Level) -> None:
    sure = sure_cost(level)
    assert sure == naive.sure_cost(level)
    cost = solver.plan(level).cost
    assert sure is not None
    assert cost is not None
    assert sure >= cost


def test_who_sees_all_from_the_start_needs_no_map_and_others_do() -> None:
    assert sure_cost(read_map("star")) == solver.plan(read_map("star")).cost
    assert sure_cost(read_map("memo-fails")) == 7  # a door of two: the map has 6
    assert sure_cost(level_of("ab bc ad")) == naive.sure_cost(level_of("ab bc ad")) == 5


@pytest.mark.parametrize(
    "level",
    [
        level_of("ab cd"),  # out of reach
        replace(level_of("ab bc"), end=2),  # an end that is to be found first
        read_map("undercity"),  # too many maps
    ],
)
def test_where_it_can_t_be_computed_it_is_unknown(level: Level) -> None:
    assert sure_cost(level) is None
