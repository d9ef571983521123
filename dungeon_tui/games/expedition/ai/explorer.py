"""The least cost that an explorer can be sure of, whatever the fog hides: a game against all maps there may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from math import comb, inf
from threading import Event

from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import known_rooms, neighbours, step_cost

MOST_ANSWERS = 300_000  # of the opponent that are looked at before the cost counts as unknown
MOST_HIDDEN = 7  # rooms not next to the start; of more, that many answers settle hardly ever anything

_Row = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Position:
    """A room that was just entered, as far as it matters how it goes on: rooms seen are only ways between the others.

    The edge are the rooms that are known and not yet seen, in some order. Ways pass rooms seen only.
    """

    missing: int  # rooms still to be seen
    hidden: _Row  # costs of the rooms of which nothing is known, ascending
    corridors: _Row  # costs of the corridors that are still to be found, ascending
    ways: _Row  # costs of the ways from here to the edge
    costs: _Row  # of entering the rooms of the edge
    across: tuple[_Row, ...]  # costs of the ways from each room of the edge to each other one, through rooms seen
    home: int  # cost of the way from here to where it must end; 0 where that may be anywhere
    homes: _Row  # the same from each room of the edge


class _TooManyError(Exception):
    """Raised where the opponent has more answers than are looked at."""


def sure_cost(level: Level, stop: Event | None = None, most: int = MOST_ANSWERS) -> int | None:
    """The least cost that an explorer can be sure of from the start, without knowing the map.

    The explorer knows what rooms and corridors there are, by their costs, and that every room can be reached, but not
    how they are joined; that comes into view as the rules of fog have it. The answer is the value of the game in which
    the explorer chooses the room to see next, and an opponent any map of these that fits what was seen.

    Returns:
        The cost; None where it isn't known: too many maps to look at, an end to be found first, or rooms out of reach.

    Cost:
        Grows faster than exponentially with the rooms; at most `most` answers of the opponent are looked at.
    """
    if not _can_reach_all(level) or level.end is not None:
        return None
    there = neighbours(level)[level.start]
    edge = tuple(there)
    steps = tuple(step_cost(level, level.start, room) for room in edge)
    back = tuple(step_cost(level, room, level.start) for room in edge)
    if len(level.rooms) - 1 - len(edge) > MOST_HIDDEN:
        return None
    begin = _Position(
        level.needed - 1,
        tuple(sorted(each.cost for at, each in enumerate(level.rooms) if at != level.start and at not in there)),
        tuple(sorted(each.cost for each in level.corridors if level.start not in each.ends)),
        steps,
        tuple(level.rooms[room].cost for room in edge),
        tuple(tuple(out + step for step in steps) for out in back),
        0,
        back if level.is_round_trip else tuple(0 for _ in edge),
    )
    try:
        return _Game(level, stop or Event(), most).value(begin)
    except _TooManyError:
        return None


class _Game:
    """The values of positions, each found once."""

    def __init__(self, level: Level, stop: Event, most: int) -> None:
        self._is_round_trip = level.is_round_trip
        self._values: dict[_Position, int] = {}
        self._stop, self._left = stop, most

    def value(self, position: _Position) -> int:
        """The least cost of going on that the explorer can be sure of. Raises _TooManyError."""
        if position.missing <= 0 and not self._is_round_trip:
            return 0
        position = _ordered(position)
        if position not in self._values:
            self._values[position] = self._found(position)
        return self._values[position]

    def _found(self, position: _Position) -> int:
        best: float = position.home if position.missing <= 0 else inf
        for room in sorted(range(len(position.ways)), key=position.ways.__getitem__):
            worst = way = position.ways[room]
            for answer in self._answers(position, room):
                if worst >= best:
                    break
                worst = max(worst, way + self.value(answer))
            best = min(best, worst)
        assert best < inf  # all rooms can be reached
        return int(best)

    def _answers(self, position: _Position, room: int) -> Iterator[_Position]:
        """The positions that may come of entering a room of the edge, some others beside it, some rooms new."""
        others = [other for other in range(len(position.ways)) if other != room]
        if position.missing == 1 and not self._is_round_trip:
            yield _after(position, room, {}, ())
            return
        doors = [*product(sorted({*position.hidden}), sorted({*position.corridors}))]
        for number in range(min(len(position.hidden), len(position.corridors)), -1, -1):
            edge, hidden = len(others) + number, len(position.hidden) - number
            for joined in range(min(len(others), len(position.corridors) - number) + 1):
                left = len(position.corridors) - number - joined
                if not hidden <= left <= comb(edge + hidden, 2) or (hidden and not edge):
                    continue
                for fresh in combinations_with_replacement(doors[::-1], number):
                    self._count()
                    if not _has(position.hidden, [cost for cost, _ in fresh]):
                        continue
                    for beside in combinations(others, joined):
                        for costs in product(sorted({*position.corridors}, reverse=True), repeat=joined):
                            self._count()
                            if _has(position.corridors, [*costs, *(cost for _, cost in fresh)]):
                                yield _after(position, room, dict(zip(beside, costs, strict=True)), fresh)

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0 or self._stop.is_set():
            raise _TooManyError


def _has(costs: Sequence[int], wanted: Sequence[int]) -> bool:
    """True if there are so many of each cost."""
    return all(costs.count(cost) >= wanted.count(cost) for cost in wanted)


def _without(costs: _Row, taken: Iterable[int]) -> _Row:
    left = [*costs]
    for cost in taken:
        left.remove(cost)
    return tuple(left)


def _after(position: _Position, room: int, beside: Mapping[int, int], fresh: Sequence[tuple[int, int]]) -> _Position:
    """The position in a room of the edge just entered.

    Args:
        position: the one before.
        room: the room, as a place in the edge.
        beside: other rooms of the edge that turn out to be joined to it, each with the corridor's cost.
        fresh: costs of the rooms that come into view, each with its corridor's.
    """
    across, own = position.across, position.costs[room]
    old = [other for other in range(len(position.ways)) if other != room]
    costs = [*(position.costs[each] for each in old), *(cost for cost, _ in fresh)]
    ways, to = [], []  # from the room to the edge, and back
    for each in old:
        step = beside.get(each, inf)
        ways.append(min(across[room][each], step + position.costs[each]))
        to.append(min(across[each][room], step + own))
    ways += [cost + step for cost, step in fresh]
    to += [own + step for _, step in fresh]
    homes = [min(position.homes[each], to[at] + position.homes[room]) for at, each in enumerate(old)]
    homes += [back + position.homes[room] for back in to[len(old) :]]
    new_across = [[back + way for way in ways] for back in to]
    for one, each in enumerate(old):
        for two, other in enumerate(old):
            new_across[one][two] = min(new_across[one][two], across[each][other])
    return _Position(
        max(0, position.missing - 1),
        _without(position.hidden, (cost for cost, _ in fresh)),
        _without(position.corridors, (*beside.values(), *(step for _, step in fresh))),
        tuple(map(int, ways)),
        tuple(costs),
        tuple(tuple(map(int, row)) for row in new_across),
        position.homes[room],
        tuple(map(int, homes)),
    )


def _ordered(position: _Position) -> _Position:
    """The same position with its edge in an order of its own, as far as that is cheap, not in that of its making."""
    edge = range(len(position.ways))
    keys = [
        (
            position.ways[each],
            position.costs[each],
            position.homes[each],
            sorted(position.across[each][other] for other in edge if other != each),
            sorted(position.across[other][each] for other in edge if other != each),
        )
        for each in edge
    ]
    order = sorted(edge, key=keys.__getitem__)
    # A way from a room to itself says nothing.
    return _Position(
        position.missing,
        position.hidden,
        position.corridors,
        tuple(position.ways[each] for each in order),
        tuple(position.costs[each] for each in order),
        tuple(tuple(0 if one == two else position.across[one][two] for two in order) for one in order),
        position.home,
        tuple(position.homes[each] for each in order),
    )


def _can_reach_all(level: Level) -> bool:
    seen = 1 << level.start
    while (known := known_rooms(level, seen)) != seen:
        seen = known
    return seen.bit_count() == len(level.rooms)
