"""The least cost that an explorer can guarantee in fog: a game against all maps that are possible."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement, product
from math import comb, inf
from threading import Event

from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import is_joined, neighbours

MOST_ANSWERS = 300_000  # opponent's answers to search before the cost counts as unknown
MOST_HIDDEN = 7  # rooms not next to the start; with more, the search hardly ever finishes in MOST_ANSWERS

_Row = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Position:
    """A position after entering a room, reduced to the future: seen rooms count only as paths between the others.

    The edge consists of the rooms that are known but not seen, in some order. Paths lead through seen rooms only.
    """

    missing: int  # number of rooms still to see
    hidden: _Row  # costs of the unknown rooms, ascending
    corridors: _Row  # costs of the unknown corridors, ascending
    ways: _Row  # costs of the paths from here to each room of the edge
    costs: _Row  # of entering each room of the edge
    across: tuple[_Row, ...]  # costs of the paths between rooms of the edge, through seen rooms
    home: int  # cost of the path from here to the room to end in; 0 if any will do
    homes: _Row  # the same from each room of the edge


class _TooManyError(Exception):
    """Raised when the search exceeds its number of answers, or is stopped."""


def sure_cost(level: Level, stop: Event | None = None) -> int | None:
    """The least cost that an explorer can guarantee from the start without knowing the map; None: unknown.

    The explorer knows the costs of all rooms and corridors, and that every room can be reached, but not which corridor
    connects which rooms; fog reveals that as in the rules. The result is the value of a game: the explorer chooses the
    next room to see, and the opponent any map with these costs that agrees with everything seen so far. It is unknown
    if too many maps are possible, with a room to end in, and with unreachable rooms.
    """
    if not is_joined(level) or level.end is not None:
        return None

    # Enter the start, as the only room of the edge so far; its neighbours come into view.
    others = [room.cost for number, room in enumerate(level.rooms) if number != level.start]
    corridors = [corridor.cost for corridor in level.corridors]
    own = level.rooms[level.start].cost
    outside = _Position(level.needed, _row(others), _row(corridors), (0,), (own,), ((0,),), 0, (0,))
    there = neighbours(level)[level.start].items()
    fresh = [(level.rooms[room].cost, level.corridors[corridor].cost) for room, corridor in there]
    if len(others) - len(fresh) > MOST_HIDDEN:
        return None
    begin = _after(outside, 0, {}, fresh)
    begin = begin if level.is_round_trip else replace(begin, homes=(0,) * len(fresh))
    try:
        return _Game(level, stop or Event()).value(begin)
    except _TooManyError:
        return None


class _Game:
    """The game's values, each position searched once."""

    def __init__(self, level: Level, stop: Event) -> None:
        self._is_round_trip = level.is_round_trip
        self._values: dict[_Position, int] = {}
        self._stop, self._left = stop, MOST_ANSWERS

    def value(self, position: _Position) -> int:
        """The least further cost that the explorer can guarantee. Raises _TooManyError."""
        if position.missing <= 0 and not self._is_round_trip:
            return 0
        position = _ordered(position)
        if position not in self._values:
            self._values[position] = self._found(position)
        return self._values[position]

    def _found(self, position: _Position) -> int:
        # Choose the room with the least worst case; stop at an answer that is no better than an earlier choice.
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
        """The positions that the opponent can choose from after the explorer enters a room of the edge."""
        others = [other for other in range(len(position.ways)) if other != room]

        # The last room to see ends the game, so the answer doesn't matter.
        if position.missing == 1 and not self._is_round_trip:
            yield _after(position, room, {}, ())
            return

        # The room has `number` corridors to new rooms and `joined` to other rooms of the edge.
        doors = [*product(sorted({*position.hidden}), sorted({*position.corridors}))]
        for number in range(min(len(position.hidden), len(position.corridors)), -1, -1):
            edge, hidden = len(others) + number, len(position.hidden) - number
            for joined in range(min(len(others), len(position.corridors) - number) + 1):
                # The corridors left over must fit between the rooms, and reach all hidden ones.
                left = len(position.corridors) - number - joined
                if not hidden <= left <= comb(edge + hidden, 2) or (hidden and not edge):
                    continue

                # Choose the costs of the new rooms and all corridors, dearest first.
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


def _row(costs: Iterable[int]) -> _Row:
    return tuple(sorted(costs))


def _has(costs: Sequence[int], wanted: Sequence[int]) -> bool:
    """True if `costs` includes `wanted`, counting duplicates."""
    return all(costs.count(cost) >= wanted.count(cost) for cost in wanted)


def _without(costs: _Row, taken: Iterable[int]) -> _Row:
    left = [*costs]
    for cost in taken:
        left.remove(cost)
    return tuple(left)


def _after(position: _Position, room: int, beside: Mapping[int, int], fresh: Sequence[tuple[int, int]]) -> _Position:
    """The position after entering a room of the edge, by its index.

    `beside`: the other rooms of the edge that turn out to be its neighbours, each with the corridor's cost. `fresh`:
    the costs of the rooms that come into view, each with its corridor's.
    """
    # Paths between the room and the new edge, both ways.
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

    # Paths home, and between rooms of the edge, may now be cheaper through the room.
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
    """The position with its edge in a nearly canonical order, so that more positions compare equal."""
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
    # Paths from a room to itself don't matter.
    return replace(
        position,
        ways=tuple(position.ways[each] for each in order),
        costs=tuple(position.costs[each] for each in order),
        across=tuple(tuple(0 if one == two else position.across[one][two] for two in order) for one in order),
        homes=tuple(position.homes[each] for each in order),
    )
