"""Our own maps: each with its proven optimum."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.catalogue import levels_folder
from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.model.dungeon import lessons, read_map
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import cheapest_ways, known_rooms, way_to
from tests import naive_expedition as naive
from tests.games.expedition.maps import levels, walk_cost

# Rooms, and the least cost of seeing all of them and of seeing 75 %.
LEAST = {
    "path": (7, 13, 9),
    "star": (7, 39, 25),
    "tree": (13, 20, 14),
    "ring": (8, 13, 7),
    "grid": (12, 11, 8),
    "two-rings": (12, 19, 13),
    "memo-fails": (5, 6, 4),
    "for-nothing": (8, 9, 3),
    "ruins": (17, 52, 29),
    "catacombs": (32, 127, 81),
    "undercity": (60, 318, 180),
}


def test_every_map_is_here_with_a_lesson() -> None:
    assert [*lessons()] == [*LEAST]
    assert {path.stem for path in levels_folder("expedition").glob("*.json")} == {*LEAST}
    assert all(lessons().values())


@pytest.mark.parametrize("name", LEAST)
def test_the_least_costs_are_proven(name: str) -> None:
    level = read_map(name)
    assert len(level.rooms) == len({room.place for room in level.rooms} - {None}) == LEAST[name][0]
    for percent, least in zip((100, 75), LEAST[name][1:], strict=True):
        part = replace(level, coverage=Fraction(percent))
        plan = solver.plan(part)
        assert (plan.cost, plan.lower_bound, plan.is_proven) == (least, least, True)
        assert walk_cost(part, plan.walk) == least
        assert len(set(plan.walk)) == plan.seen >= part.needed
        if len(level.rooms) <= 12:
            assert naive.least_cost(part) == least


@given(level=levels(), through=st.integers(0, 127))
def test_cheapest_ways_lead_through_the_rooms_given_and_no_step_shortens_one(level: Level, through: int) -> None:
    costs, parents = cheapest_ways(level, level.start, through)
    assert costs[level.start] == 0
    for room, cost in costs.items():
        way = way_to(parents, room)
        assert (way[0], walk_cost(level, way)) == (level.start, cost)
        assert all(through >> other & 1 for other in way[1:-1])
        if room == level.start or through >> room & 1:
            assert all(costs[other] <= cost + step for other, step in naive.steps_from(level, room).items())


@given(level=levels(), seen=st.integers(0, 127))
def test_whoever_has_seen_rooms_knows_those_beside_them(level: Level, seen: int) -> None:
    seen &= (1 << len(level.rooms)) - 1
    known = {room for room in range(len(level.rooms)) if seen >> room & 1}
    known |= {end for corridor in level.corridors if known & {*corridor.ends} for end in corridor.ends}
    assert known_rooms(level, seen) == sum(1 << room for room in known)
