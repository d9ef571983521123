"""Maps for the tests: by hand in a line, and any that hypothesis can think of."""

import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.level import Corridor, Level, Room, read_level
from dungeon_tui.games.expedition.model.maps import cheapest_ways, way_to
from dungeon_tui.games.expedition.model.state import State, Status, Walk


def level_of(corridors: str, start: str = "a", costs: dict[str, int] | None = None, **asked: Any) -> Level:
    """The map of corridors such as "ab bc3": rooms of one letter, in the alphabet's order, and a corridor's cost."""
    ids = sorted({letter for corridor in corridors.split() for letter in corridor[:2]} | {start, *(costs or {})})
    return Level(
        "drawn",
        tuple(Room(letter, letter, (costs or {}).get(letter, 1)) for letter in ids),
        tuple(
            Corridor((min(ends), max(ends)), int(corridor[2:] or 0))
            for corridor in corridors.split()
            for ends in [(ids.index(corridor[0]), ids.index(corridor[1]))]
        ),
        ids.index(start),
        **asked,
    )


def walked(level: Level, rooms: str | Sequence[str]) -> State:
    """What becomes of a walk into these rooms."""
    state = rules.start(level)
    for room in rooms:
        state, _ = rules.step(state, Walk(room))
    return state


def nearest_first(level: Level) -> State:
    """The end of a walk that always goes to the nearest unseen room."""
    state = rules.start(level)
    while state.status is Status.EXPLORING:
        costs, parents = cheapest_ways(level, state.room, state.seen)
        nearest = min((room for room in costs if not state.has_seen(room)), key=lambda room: (costs[room], room))
        for room in way_to(parents, nearest)[1:]:
            if state.status is Status.EXPLORING:
                state, _ = rules.step(state, Walk(level.rooms[room].id))
    return state


def played(level: Level, rooms: str | Sequence[str]) -> TurnController[Level, State, Walk]:
    """The same with all its turns."""
    controller = TurnController(rules, level)
    for room in rooms:
        controller.apply(Walk(room))
    return controller


def file_of(nodes: Sequence[Any], edges: Sequence[Any] = (), **more: Any) -> LevelFile:
    """A map's file as networkx writes it."""
    values = {"directed": False, "multigraph": False, "graph": {}, "nodes": nodes, "edges": edges} | more
    return LevelFile("map.json", json.dumps(values).encode())


def read(nodes: Sequence[Any], edges: Sequence[Any] = (), **more: Any) -> Level:
    """The map that such a file is."""
    return read_level(file_of(nodes, edges, **more))


def walk_cost(level: Level, walk: Sequence[int]) -> int:
    """Rule: "the sum over its steps of the corridor's cost and the cost of the room entered"."""
    cheapest = {corridor.ends: corridor.cost for corridor in level.corridors}
    return sum(cheapest[min(one, other), max(one, other)] + level.rooms[other].cost for one, other in pairwise(walk))


@st.composite
def levels(draw: st.DrawFn, most: int = 7) -> Level:
    """Maps of up to so many rooms, whole or in parts, with costs of all kinds, and anything that can be asked."""
    count = draw(st.integers(1, most))
    costs = draw(st.sampled_from([st.just(0), st.just(1), st.integers(0, 3), st.integers(0, 10**9)]))
    pairs = [(one, other) for other in range(count) for one in range(other)]
    kept = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=2 * count)) if pairs else []
    places = st.integers(0, count - 1)
    is_round_trip = draw(st.booleans())
    return Level(
        "drawn",
        tuple(Room(number, str(number), draw(costs)) for number in range(count)),
        tuple(Corridor(ends, draw(costs)) for ends in kept),
        draw(places),
        coverage=draw(st.sampled_from([Fraction(percent) for percent in (0, 40, "66.6", 90, 100)])),
        is_round_trip=is_round_trip,
        end=None if is_round_trip else draw(st.none() | places),
    )
