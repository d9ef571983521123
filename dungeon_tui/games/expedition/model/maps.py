"""A map as a graph: neighbours of rooms, rooms known in fog, cheapest paths."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush

from dungeon_tui.games.expedition.model.level import Level


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


def step_cost(level: Level, one: int, two: int) -> int:
    """Cost of a step between neighbouring rooms: the corridor, and entering the room."""
    return level.corridors[neighbours(level)[one][two]].cost + level.rooms[two].cost


def cheapest_ways(level: Level, start: int, through: int) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """The cheapest paths from a room through rooms of `through` (bits); they may end in neighbours of these.

    Returns the cost of each path and the previous room, by room; unreachable rooms are missing.
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
    """The rooms of the path from the start to a room, both included, given the parents from `cheapest_ways`."""
    rooms = [room]
    while rooms[-1] in parents:
        rooms.append(parents[rooms[-1]])
    return rooms[::-1]
