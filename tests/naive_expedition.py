"""Slow, obvious twins of the expedition: Dijkstra over (room, rooms seen), and the recursion that goes wrong."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from dungeon_tui.games.expedition.model.level import Level
from tests import naive_walks

Seen = frozenset[int]


def least_cost(level: Level, room: int | None = None, seen: Iterable[int] = ()) -> int | None:
    """What is left to pay, from a room with these rooms seen; default: from the start. None where it can't be done."""
    edges = [(*corridor.ends, corridor.cost) for corridor in level.corridors]
    costs = [room.cost for room in level.rooms]
    end = level.start if level.is_round_trip else level.end
    return naive_walks.least_cost(edges, costs, level.start if room is None else room, level.needed, end, seen)


def steps_from(level: Level, room: int) -> dict[int, int]:
    """The rooms next to a room, in the order of the file, each with what entering it from there costs."""
    steps = {}
    for corridor in level.corridors:
        if room in corridor.ends:
            other = sum(corridor.ends) - room
            steps[other] = corridor.cost + level.rooms[other].cost
    return steps


Memo = dict[tuple[int, Seen], float]


def recursive_cost(level: Level, memo: Memo | None = None, *, adds_too_late: bool = False) -> float:
    """What the memoised recursion believes the cheapest walk to cost: wrong, see docs/games/expedition.md.

    Args:
        level: the map.
        memo: what it remembers; filled.
        adds_too_late: choose the next room by what is left to pay there, and add what the step costs afterwards.
    """
    memo = {} if memo is None else memo

    def left(room: int, seen: Seen) -> float:
        if len(seen) >= level.needed:
            return 0
        if (room, seen) not in memo:
            memo[room, seen] = inf  # in query: whoever asks now has come round in a circle
            onward = [(left(other, seen | {other}), step) for other, step in steps_from(level, room).items()]
            if adds_too_late:
                memo[room, seen] = sum(min(onward, default=(inf, 0)))
            else:
                memo[room, seen] = min((cost + step for cost, step in onward), default=inf)
        return memo[room, seen]

    return left(level.start, frozenset({level.start}))
