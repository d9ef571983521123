"""Slow, obvious twins of the expedition: Dijkstra over (room, rooms seen), and the recursion that goes wrong."""

from collections.abc import Collection, Iterable
from itertools import combinations, product
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


def recursive_cost(level: Level, memo: Memo) -> float:
    """What the memoised recursion believes the cheapest walk to cost: wrong, see docs/games/expedition.md.

    Fills what it remembers, `memo`.
    """

    def left(room: int, seen: Seen) -> float:
        if len(seen) >= level.needed:
            return 0
        if (room, seen) not in memo:
            memo[room, seen] = inf  # in query: whoever asks now has come round in a circle
            onward = (left(other, seen | {other}) + step for other, step in steps_from(level, room).items())
            memo[room, seen] = min(onward, default=inf)
        return memo[room, seen]

    return left(level.start, frozenset({level.start}))


Corridors = dict[tuple[int, int], int]
Map = tuple[tuple[int, ...], Corridors]


def possible_maps(level: Level, *, only_dearest: bool) -> list[Map]:
    """Every map that agrees with what is seen from the start; out of sight all costs, or only the highest."""
    rooms, start = range(len(level.rooms)), level.start
    there = steps_from(level, start)
    known = {each.ends: each.cost for each in level.corridors if start in each.ends}
    unknown = [each for each in level.corridors if start not in each.ends]
    pairs = [pair for pair in combinations(rooms, 2) if start not in pair]

    def exits(corridors: Collection[tuple[int, int]]) -> list[int]:
        return [sum(room in ends for ends in corridors) for room in there]

    room_costs, corridor_costs = (
        [max(costs, default=0)] if only_dearest else range(max(costs, default=0) + 1)
        for costs in (
            [room.cost for number, room in enumerate(level.rooms) if number != start and number not in there],
            [each.cost for each in unknown],
        )
    )
    maps = []
    for more in combinations(pairs, len(unknown)):
        fits = exits(more) == exits([each.ends for each in unknown])
        if fits and _is_whole({*known, *more}, start, len(level.rooms)):
            given = ([room.cost] if room is level.rooms[start] or number in there else room_costs
                     for number, room in enumerate(level.rooms))  # fmt: skip
            for costs in product(*given):
                for steps in product(corridor_costs, repeat=len(more)):
                    maps.append((costs, known | dict(zip(more, steps, strict=True))))
    return maps


def sure_cost(level: Level, *, only_dearest: bool = True) -> float:
    """What an explorer in fog can be sure of, tried out on each possible map."""
    rooms, start = range(len(level.rooms)), level.start

    def exits(corridors: Corridors, room: int) -> int:
        return sum(room in ends for ends in corridors)

    def sure(maps: list[Map], room: int, seen: Seen) -> float:
        costs, corridors = maps[0]  # in what is known all are alike

        def ways() -> dict[int, float]:
            found: dict[int, float] = {room: 0}
            for _ in rooms:
                for (one, two), cost in corridors.items():
                    for here, other in ((one, two), (two, one)):
                        if here in seen and here in found:
                            found[other] = min(found.get(other, inf), found[here] + cost + costs[other])
            return found

        best = inf
        if len(seen) >= level.needed:
            best = 0 if level.goal is None else ways()[level.goal]
        for other, cost in ways().items():
            if other not in seen and cost < best:
                kinds: dict[object, list[Map]] = {}
                for each in maps:
                    beside = {ends: each[1][ends] for ends in each[1] if other in ends}
                    far = [(sum(ends) - other, ends) for ends in beside]
                    near = sorted((room, each[0][room], beside[ends], exits(each[1], room)) for room, ends in far)
                    kinds.setdefault(tuple(near), []).append(each)
                best = min(best, cost + max(sure(kind, other, seen | {other}) for kind in kinds.values()))
        return best

    return sure(possible_maps(level, only_dearest=only_dearest), start, frozenset({start}))


def _is_whole(corridors: Iterable[tuple[int, int]], start: int, rooms: int) -> bool:
    reached = {start}
    for _ in range(rooms):
        reached |= {end for ends in corridors if reached & {*ends} for end in ends}
    return len(reached) == rooms
