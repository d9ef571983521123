"""Maps: our own, each with its proven optimum, found, read and packed; and those from a seed."""

import io
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import dist
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.catalogue import levels_folder
from dungeon_tui.core.level import LevelError
from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.model import dungeon
from dungeon_tui.games.expedition.model.dungeon import lessons, pack_level, read_map, unpack_level
from dungeon_tui.games.expedition.model.generator import generate
from dungeon_tui.games.expedition.model.level import Level, level_text
from dungeon_tui.games.expedition.model.maps import cheapest_ways, known_rooms, scout_cost, way_to
from dungeon_tui.games.expedition.model.options import tasks
from tests import naive_expedition as naive
from tests.games.expedition.maps import level_of, levels, nearest_first, walk_cost

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
LARGEST = "the-old-fortress"


def test_every_map_is_here_with_a_lesson() -> None:
    assert [*lessons()] == [*tasks("routes"), *tasks("exploring"), *LEAST]
    assert len(tasks("routes")) == 16
    assert {path.stem for path in levels_folder("expedition").glob("*.json")} == {*lessons()}
    assert all(text and len(f"{name}. {text}") <= 78 for name, text in lessons().items())  # one line of the log
    assert all("?" in task["lesson"] and task["idea"] and task["answer"] for task in tasks("routes").values())


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name == LARGEST)) for name in tasks("routes")]
)
def test_the_par_of_a_route_is_proven(name: str) -> None:
    level = read_map(name)
    plan = solver.plan(level)
    assert not level.is_fogged
    assert (plan.cost, plan.is_proven) == (level.par, True)
    assert walk_cost(level, plan.walk) == level.par
    assert naive.least_cost(level) == level.par
    assert level.torch is not None
    if not level.is_round_trip:
        assert nearest_first(replace(level, torch=None)).cost > level.torch > plan.cost
    if name in [*tasks("routes")][8:]:  # the harder half: dead ends first is no plan, either
        assert (scout_cost(level) or 0) >= level.torch


@pytest.mark.parametrize("name", LEAST)
def test_the_least_costs_are_proven(name: str) -> None:
    level = read_map(name)
    assert len(level.rooms) == len({room.position for room in level.rooms} - {None}) == LEAST[name][0]
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
        known = naive.steps_from(level, room).items() if room == level.start or through >> room & 1 else ()
        assert all(costs[to] <= cost + step for to, step in known if (through >> room | through >> to) & 1)


ASKED = level_of("ab bc cd", coverage=Fraction("33.3"), end=2, is_fogged=True, lesson="Beware.")


def test_maps_are_found_by_name_in_files_and_on_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LevelError):
        read_map("no-such-map")
    path = tmp_path / "mine.json"
    path.write_text(level_text(ASKED))
    assert read_map(str(path), start="c", end="a").start == 2
    opening = dungeon.open_file(str(path))
    assert (opening.title, opening.load().name, opening.load().rooms) == ("mine", "mine", ASKED.rooms)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert read_map("-").rooms == ASKED.rooms


def test_the_menu_offers_all_maps_but_those_for_tests_with_what_they_teach() -> None:
    offered = [(opening.load(), opening.summary) for opening in dungeon.openings()]
    assert [level.name for level, _ in offered] == [*tasks("routes"), *tasks("exploring")]
    assert all(level.lesson == summary == lessons()[level.name] for level, summary in offered)


@pytest.mark.parametrize(
    "level",
    [
        ASKED,
        replace(ASKED, end=None, is_round_trip=True, is_fogged=False, par=3),
        replace(ASKED, torch=9),
        replace(ASKED, coverage=Fraction("66.66666666666667")),
        level_of("ab"),
    ],
)
def test_a_packed_map_is_the_same_again_with_what_was_requested(level: Level) -> None:
    again = unpack_level(pack_level(level))
    assert (again.rooms, again.corridors, again.start) == (level.rooms, level.corridors, level.start)
    for name in ("name", "lesson", "coverage", "is_round_trip", "end", "is_fogged", "torch", "par"):
        assert getattr(again, name) == getattr(level, name)


@pytest.mark.parametrize("options", [{"coverage": "101"}, {"coverage": "x"}, {"coverage": "1/0"}, {"coverage": "-1"},
                                     {"end": 4}, {"end": -2}, {"end": "a"}])  # fmt: skip
def test_spoilt_recordings_are_refused(options: dict[str, int | str]) -> None:
    packed = pack_level(ASKED)
    with pytest.raises(LevelError, match="<recording>"):
        unpack_level(replace(packed, options={**packed.options, **options}))
    with pytest.raises(LevelError, match="one map"):
        unpack_level(replace(packed, files=()))


@given(seed=st.integers(), rooms=st.integers(1, 80), degree=st.floats(0, 4), is_uniform=st.booleans())
def test_every_room_can_be_reached_and_corridors_join_neighbours(
    seed: int, rooms: int, degree: float, is_uniform: bool
) -> None:
    level = generate(seed, rooms, degree, is_uniform=is_uniform)
    assert [room.id for room in level.rooms] == [*range(1, rooms + 1)]
    assert sorted({room.position for room in level.rooms}) == [room.position for room in level.rooms]
    seen = 1 << level.start
    for _ in range(rooms):
        seen = known_rooms(level, seen)
    assert seen == (1 << rooms) - 1
    for corridor in level.corridors:
        (row, col), (other_row, other_col) = (level.rooms[end].position or (0, 0) for end in corridor.ends)
        assert abs(row - other_row) + abs(col - other_col) == 1
    things = (*level.rooms, *level.corridors)
    assert all(thing.cost >= 0 for thing in things)
    if is_uniform:
        assert {room.cost for room in level.rooms} == {1}
        assert {corridor.cost for corridor in level.corridors} <= {0}
        assert not any(thing.events for thing in things)


def test_new_routes_have_a_torch_and_a_par_unless_they_are_large() -> None:
    small, large, changed = (dungeon.named(each).load() for each in ("--rooms 12", "--rooms 61", "two-ends --return"))
    assert small.par is not None
    assert (small.torch, small.par) == (small.par + 2, solver.plan(small).cost)
    assert large.torch is large.par is None
    assert (changed.torch, changed.par) == (15, 13)


@pytest.mark.parametrize(("degree", "corridors"), [(0, 59), (2.0, 60), (2.5, 75), (3.0, 90)])
def test_rooms_have_as_many_corridors_as_requested_or_nearly(degree: float, corridors: int) -> None:
    assert {len(generate(seed, 60, degree).corridors) for seed in range(5)} == {corridors}


def test_at_most_all_neighbours_are_joined() -> None:
    full = generate(1, 30, 4)
    places = [room.position or (0, 0) for room in full.rooms]
    near = [(one, two) for one, two in combinations(range(30), 2) if dist(places[one], places[two]) == 1]
    assert sorted(corridor.ends for corridor in full.corridors) == near


def test_events_raise_costs_somewhere() -> None:
    level = generate(1, 100)
    assert {event for thing in (*level.rooms, *level.corridors) for event in thing.events} == {
        "trap", "darkness", "curio",
    }  # fmt: skip
