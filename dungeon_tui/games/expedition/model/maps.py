"""A map as a graph: each room's neighbours, the same in compressed rows for the engine, and ways through it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.games.expedition.model.level import Corridor, Level, RoomId


@dataclass(frozen=True, eq=False, slots=True)
class RoomGraph:
    """Neighbours by the rooms' places in the level's list, also in compressed rows."""

    corridors: tuple[dict[int, Corridor], ...]  # per room: neighbour -> the corridor there
    numbers: dict[tuple[type, RoomId], int]  # by type and id
    indptr: NDArray[np.int64]  # (rooms + 1,)
    indices: NDArray[np.int64]  # (2 * corridors,)
    edge_costs: NDArray[np.int64]  # (2 * corridors,)
    node_costs: NDArray[np.int64]  # (rooms,)

    def number(self, room_id: RoomId) -> int | None:
        """The place of a room; None where there is none of this id."""
        return self.numbers.get((type(room_id), room_id))


@lru_cache(maxsize=16)
def room_graph(level: Level) -> RoomGraph:
    """The graph of a level; asked for again, it is not made again."""
    corridors: tuple[dict[int, Corridor], ...] = tuple({} for _ in level.rooms)
    for corridor in level.corridors:
        first, second = corridor.ends
        corridors[first][second] = corridors[second][first] = corridor
    ordered = [sorted(there.items()) for there in corridors]
    return RoomGraph(
        corridors=tuple(map(dict, ordered)),
        numbers={(type(room.id), room.id): number for number, room in enumerate(level.rooms)},
        indptr=np.cumsum([0, *map(len, ordered)]),
        indices=np.array([other for there in ordered for other, _ in there], np.int64),
        edge_costs=np.array([corridor.cost for there in ordered for _, corridor in there], np.int64),
        node_costs=np.array([room.cost for room in level.rooms], np.int64),
    )


@lru_cache(maxsize=8)
def corridor_numbers(level: Level) -> Mapping[tuple[int, int], int]:
    """The corridors' places in the level's list, by their ends."""
    return {corridor.ends: number for number, corridor in enumerate(level.corridors)}


def known_rooms(level: Level, seen: int) -> int:
    """The rooms that whoever has seen these knows of, one bit each: they and their neighbours."""
    known = seen
    for room, there in enumerate(room_graph(level).corridors):
        if seen >> room & 1:
            for other in there:
                known |= 1 << other
    return known


def seen_part(graph: RoomGraph, seen: int) -> RoomGraph:
    """The same rooms with the corridors that have an end in a room seen."""
    is_seen = np.array([seen >> room & 1 for room in range(len(graph.corridors))], bool)
    tails = np.repeat(np.arange(len(is_seen)), np.diff(graph.indptr))
    kept = is_seen[tails] | is_seen[graph.indices]
    return replace(
        graph,
        corridors=tuple(
            {other: corridor for other, corridor in there.items() if is_seen[room] or is_seen[other]}
            for room, there in enumerate(graph.corridors)
        ),
        indptr=np.concatenate([[0], np.cumsum(np.bincount(tails[kept], minlength=len(is_seen)))]),
        indices=graph.indices[kept],
        edge_costs=graph.edge_costs[kept],
    )


def step_cost(level: Level, one: int, two: int) -> int:
    """Of walking from a room into a neighbouring one."""
    return room_graph(level).corridors[one][two].cost + level.rooms[two].cost


def cheapest_ways(level: Level, start: int, through: int) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """The cheapest ways from a room that lead through some rooms only: by room their costs, and the room before.

    Args:
        level: the map.
        start: where they begin.
        through: the rooms that may lie on the way, one bit each; a way may end in a room beside these.
    """
    costs, parents = {start: 0}, dict[int, int]()
    heap = [(0, start)]
    while heap:
        cost, room = heappop(heap)
        if cost > costs[room] or (not through >> room & 1 and room != start):
            continue
        for other in room_graph(level).corridors[room]:
            onward = cost + step_cost(level, room, other)
            if onward < costs.get(other, onward + 1):
                costs[other], parents[other] = onward, room
                heappush(heap, (onward, other))
    return costs, parents


def way_to(parents: Mapping[int, int], room: int) -> list[int]:
    """The rooms that lead to one, the first one included."""
    rooms = [room]
    while rooms[-1] in parents:
        rooms.append(parents[rooms[-1]])
    return rooms[::-1]
