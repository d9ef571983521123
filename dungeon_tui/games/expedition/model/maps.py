"""A map as a graph: neighbours of rooms, rooms known in fog, cheapest paths, the problem of the cheapest walk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.state import State

if TYPE_CHECKING:
    from dungeon_tui.engine.walks import WalkProblem


@lru_cache(maxsize=16)
def neighbours(level: Level) -> Sequence[Mapping[int, int]]:
    """For each room, its neighbours with the corridor to each, as indices into the level's rooms and corridors."""
    found: tuple[dict[int, int], ...] = tuple({} for _ in level.rooms)
    for number, corridor in enumerate(level.corridors):
        first, second = corridor.ends
        found[first][second] = found[second][first] = number
    return tuple(dict(sorted(there.items())) for there in found)


def known_rooms(level: Level, seen: int) -> int:
    """The seen rooms and their neighbours; both are bit sets."""
    known = seen
    for room, there in enumerate(neighbours(level)):
        if seen >> room & 1:
            known |= sum(1 << other for other in there)
    return known


def is_joined(level: Level) -> bool:
    """True if every room can be reached from the start."""
    seen = 1 << level.start
    while (known := known_rooms(level, seen)) != seen:
        seen = known
    return seen.bit_count() == len(level.rooms)


def hidden_costs(level: Level) -> tuple[int, int]:
    """The highest cost of a room and of a corridor that can't be seen from the start; 0 if there is none.

    Explorers know both.
    """
    known = known_rooms(level, 1 << level.start)
    rooms = (room.cost for number, room in enumerate(level.rooms) if not known >> number & 1)
    corridors = (corridor.cost for corridor in level.corridors if level.start not in corridor.ends)
    return max(rooms, default=0), max(corridors, default=0)


def exits(level: Level, seen: int, room: int) -> int:
    """Number of corridors of a room whose other end is not seen; `seen` is a bit set."""
    return sum(not seen >> other & 1 for other in neighbours(level)[room])


def scouted(level: Level, room: int, seen: int) -> list[int]:
    """The walk of a scout without a map to the nearest unseen room, of several the one with fewest exits; then home.

    Empty if the scout knows no way.
    """
    costs, parents = cheapest_ways(level, room, seen)
    unseen = [other for other in costs if not seen >> other & 1]
    if seen.bit_count() >= level.needed and (level.goal is None or seen >> level.goal & 1):
        unseen = [] if level.goal is None else [level.goal]
    return way_to(parents, min(unseen, key=lambda at: (costs[at], exits(level, seen, at), at))) if unseen else []


def scout_cost(level: Level) -> int | None:
    """The cost of the scout's walk; None if it can't be finished."""
    room, seen, cost = level.start, 1 << level.start, 0
    while seen.bit_count() < level.needed or level.goal not in (None, room):
        walk = scouted(level, room, seen)
        if not walk:
            return None
        for other in walk[1:]:
            cost += step_cost(level, room, other)
            room, seen = other, seen | 1 << other
    return cost


def step_cost(level: Level, one: int, two: int) -> int:
    """Cost of a step between neighbouring rooms: the corridor, and entering the room."""
    return level.corridors[neighbours(level)[one][two]].cost + level.rooms[two].cost


def cheapest_ways(level: Level, start: int, through: int) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """The cheapest paths from a room through rooms of `through` (bits); each corridor has an end in one of these.

    Returns the cost of each path and the previous room, by room; unreachable rooms are missing.
    """
    costs, parents = {start: 0}, dict[int, int]()
    heap = [(0, start)]
    while heap:
        cost, room = heappop(heap)
        if cost > costs[room] or (not through >> room & 1 and room != start):
            continue
        for other in neighbours(level)[room]:
            if not (through >> room | through >> other) & 1:
                continue  # nobody knows this corridor
            onward = cost + step_cost(level, room, other)
            if onward < costs.get(other, onward + 1):
                costs[other], parents[other] = onward, room
                heappush(heap, (onward, other))
    return costs, parents


def way_to(parents: Mapping[int, int], room: int) -> list[int]:
    """The rooms of the path from the start to a room, both included, given the parents from `cheapest_ways`."""
    rooms = [room]
    while rooms[-1] in parents:
        rooms.append(parents[rooms[-1]])
    return rooms[::-1]


def walk_problem(state: State) -> WalkProblem:
    """The rest of a walk over a known map, for the engine."""
    import numpy as np  # slow to import, as the engine is

    from dungeon_tui.engine.walks import WalkProblem

    level = state.level
    steps = [[*there.items()] for there in neighbours(level)]
    return WalkProblem(
        np.cumsum([0, *map(len, steps)]),
        np.array([other for row in steps for other, _ in row], np.int64),
        np.array([level.corridors[corridor].cost for row in steps for _, corridor in row], np.int64),
        np.array([room.cost for room in level.rooms], np.int64),
        state.room,
        seen=[room for room in range(len(level.rooms)) if state.has_seen(room)],
        needed=level.needed,
        end=level.goal,
    )
