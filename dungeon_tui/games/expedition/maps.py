"""A map as a graph: each room's neighbours, and the same in compressed rows for the engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.games.expedition.level import Corridor, Level, RoomId


@dataclass(frozen=True, eq=False, slots=True)
class RoomGraph:
    """Who is whose neighbour, by the rooms' places in the level's list."""

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
