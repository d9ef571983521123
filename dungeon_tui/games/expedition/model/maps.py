"""A map as a graph: each room's neighbours, the rooms that are known in fog, the cheapest ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush

from dungeon_tui.games.expedition.model.level import Level


@lru_cache(maxsize=16)
def neighbours(level: Level) -> Sequence[Mapping[int, int]]:
    """For each room its neighbours, each with the corridor there; rooms and corridors are indices into the level's."""
    found: tuple[dict[int, int], ...] = tuple({} for _ in level.rooms)
    for number, corridor in enumerate(level.corridors):
        first, second = corridor.ends
        found[first][second] = found[second][first] = number
    return tuple(dict(sorted(there.items())) for there in found)


def known_rooms(level: Level, seen: int) -> int:
    """The rooms known to someone who has seen these: they and their neighbours; both are sets of bits."""
    known = seen
    for room, there in enumerate(neighbours(level)):
        if seen >> room & 1:
            known |= sum(1 << other for other in there)
    return known


def step_cost(level: Level, one: int, two: int) -> int:
    """Cost of a step from a room into a neighbouring one: the corridor, and entering the room."""
    return level.corridors[neighbours(level)[one][two]].cost + level.rooms[two].cost


def cheapest_ways(level: Level, start: int, through: int) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """The cheapest ways from a room that pass only rooms of `through` (bits); they may end in rooms beside these.

    Returns:
        By room the cost of the way there, and the room before it; rooms that can't be reached are left out.
    """
    costs, parents = {start: 0}, dict[int, int]()
    heap = [(0, start)]
    while heap:
        cost, room = heappop(heap)
        if cost > costs[room] or (not through >> room & 1 and room != start):
            continue
        for other in neighbours(level)[room]:
            onward = cost + step_cost(level, room, other)
            if onward < costs.get(other, onward + 1):
                costs[other], parents[other] = onward, room
                heappush(heap, (onward, other))
    return costs, parents


def way_to(parents: Mapping[int, int], room: int) -> list[int]:
    """The rooms of the way from the start to a room, both included; `parents` as `cheapest_ways` gives them."""
    rooms = [room]
    while rooms[-1] in parents:
        rooms.append(parents[rooms[-1]])
    return rooms[::-1]
