"""Maps from a seed."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.games.expedition.model.generator import generate
from dungeon_tui.games.expedition.model.level import MOST_ROOMS, level_text
from dungeon_tui.games.expedition.model.maps import known_rooms


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(), rooms=st.integers(1, 80), degree=st.floats(0, 4), is_uniform=st.booleans())
def test_every_room_can_be_reached_and_corridors_join_neighbours(
    seed: int, rooms: int, degree: float, is_uniform: bool
) -> None:
    level = generate(seed, rooms, degree, is_uniform=is_uniform)
    assert [room.id for room in level.rooms] == [*range(1, rooms + 1)]
    assert sorted({room.place for room in level.rooms}) == [room.place for room in level.rooms]
    seen = 1 << level.start
    for _ in range(rooms):
        seen = known_rooms(level, seen)
    assert seen == (1 << rooms) - 1
    for corridor in level.corridors:
        (row, col), (other_row, other_col) = (level.rooms[end].place or (0, 0) for end in corridor.ends)
        assert abs(row - other_row) + abs(col - other_col) == 1
    things = (*level.rooms, *level.corridors)
    assert all(thing.cost >= 0 for thing in things)
    if is_uniform:
        assert {room.cost for room in level.rooms} == {1}
        assert {corridor.cost for corridor in level.corridors} <= {0}
        assert not any(thing.events for thing in things)


@pytest.mark.parametrize(("degree", "corridors"), [(0, 59), (2.0, 60), (2.5, 75), (3.0, 90)])
def test_rooms_have_as_many_corridors_as_asked_for_or_as_near_as_can_be(degree: float, corridors: int) -> None:
    assert {len(generate(seed, 60, degree).corridors) for seed in range(5)} == {corridors}


def test_at_most_all_neighbours_are_joined() -> None:
    full = generate(1, 30, 4)
    places = [room.place or (0, 0) for room in full.rooms]
    near = [(one, two) for one, two in combinations(range(30), 2) if dist(places[one], places[two]) == 1]
    assert sorted(corridor.ends for corridor in full.corridors) == near


def test_a_seed_makes_the_same_map_each_time() -> None:  # the document holds one that is never to change
    assert level_text(generate(4, 40)) == level_text(generate(4, 40)) != level_text(generate(5, 40))


def test_events_raise_costs_somewhere() -> None:
    level = generate(1, 100)
    assert {event for thing in (*level.rooms, *level.corridors) for event in thing.events} == {
        "trap", "darkness", "curio",
    }  # fmt: skip


@pytest.mark.parametrize(("rooms", "degree"), [(0, 2), (MOST_ROOMS + 1, 2), (5, -1), (5, 5), (5, float("nan"))])
def test_what_cannot_be_made_is_refused(rooms: int, degree: float) -> None:
    with pytest.raises(ValueError, match="has from"):
        generate(1, rooms, degree)
