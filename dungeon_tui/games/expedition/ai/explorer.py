"""The least cost that an explorer can guarantee in fog: a game against all maps that fit what is seen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement, product
from math import comb, inf
from threading import Event

from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import cheapest_ways, exits, hidden_costs, is_joined, known_rooms
from dungeon_tui.games.expedition.model.state import State, Status, Trail

MOST_ANSWERS = 60_000  # opponent's answers to search before the cost counts as unknown
MOST_HIDDEN = 9  # rooms out of sight; with more, the search hardly ever finishes in MOST_ANSWERS

_Row = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Position:
    """A position reduced to the future: seen rooms count only as paths between the others.

    The edge consists of the rooms that are known but not seen, in some order. Paths lead through seen rooms only.
    """

    missing: int  # number of rooms still to see
    hidden: int  # number of unknown rooms
    corridors: int  # number of unknown corridors
    ways: _Row  # costs of the paths from here to each room of the edge
    costs: _Row  # of entering each room of the edge
    exits: _Row  # unknown corridors of each room of the edge
    across: tuple[_Row, ...]  # costs of the paths between rooms of the edge, through seen rooms
    home: int  # cost of the path from here to the start on round trips; else 0
    homes: _Row  # the same from each room of the edge


class _TooManyError(Exception):
    """Raised when the search exceeds its number of answers, or is stopped."""


class Explorer:
    """What can be guaranteed without the map, from any state of one map; positions are searched once.

    The explorer knows the number of rooms and corridors, the costs and exits of the rooms next to seen ones, the
    corridors of seen rooms, the highest cost of the others, and that every room can be reached. The result is the value
    of a game: the explorer chooses the next room to see, and the opponent any map that agrees with all this. A dearer
    map never costs less, so the opponent gives every hidden room and corridor the highest cost.
    """

    def __init__(self, level: Level, stop: Event | None = None) -> None:
        self._level, self._is_round_trip = level, level.is_round_trip
        self._room_cost, self._corridor_cost = hidden_costs(level)
        self._values: dict[_Position, int] = {}
        self._stop, self._left = stop or Event(), MOST_ANSWERS

    def total(self, state: State) -> int | None:
        """The cost so far, with the least further cost that can be guaranteed; None: unknown.

        It is unknown if too many maps are possible, with a room to end in, and with unreachable rooms.
        """
        if self.sure_cost is None:
            return None
        return state.cost if state.status is not Status.EXPLORING else self._total(state)

    @cached_property
    def sure_cost(self) -> int | None:
        """The total at the start; if it is unknown, so is everything else."""
        return self._total(rules.start(self._level))

    def _total(self, state: State) -> int | None:
        position = self._position(state)
        if position is None:
            return None
        self._left = MOST_ANSWERS
        try:
            return state.cost + self._value(position)
        except _TooManyError:
            return None

    def choices(self, state: State) -> dict[int, int]:
        """The guaranteed total for each known room to see next; on the way home, for the start. Empty: unknown."""
        position = self._position(state)
        if state.status is not Status.EXPLORING or self.sure_cost is None or position is None:
            return {}
        self._left = MOST_ANSWERS
        home = {self._level.start: state.cost + position.home} if position.missing <= 0 else {}
        try:
            worst = {room: int(self._worst(position, at, inf)) for at, room in enumerate(_edge(state))}
        except _TooManyError:
            return {}
        return home | {room: state.cost + cost for room, cost in worst.items()}

    def after(self, state: State, room: int, cost: int) -> int | None:
        """The guaranteed total after a walk of this cost to a known room, whatever is found there; None: unknown."""
        if state.has_seen(room):
            return self.total(replace(state, trail=Trail(room, state.cost + cost, state.trail)))
        total = self.choices(state).get(room)
        ways, _ = cheapest_ways(self._level, state.room, state.seen)
        return None if total is None else total + cost - ways[room]

    def _position(self, state: State) -> _Position | None:
        """The position of a state; None if it has no value, or too many rooms are hidden."""
        level, edge = self._level, _edge(state)
        hidden = len(level.rooms) - known_rooms(level, state.seen).bit_count()
        if level.end is not None or hidden > MOST_HIDDEN or not is_joined(level):
            return None
        paths = [cheapest_ways(level, room, state.seen)[0] for room in (state.room, *edge)]
        to_start = [costs[level.start] if self._is_round_trip else 0 for costs in paths]
        return _Position(
            level.needed - state.seen_count,
            hidden,
            sum(not any(map(state.has_seen, corridor.ends)) for corridor in level.corridors),
            tuple(paths[0][room] for room in edge),
            tuple(level.rooms[room].cost for room in edge),
            tuple(exits(level, state.seen, room) for room in edge),
            tuple(tuple(costs[room] for room in edge) for costs in paths[1:]),
            to_start[0],
            tuple(to_start[1:]),
        )

    def _value(self, position: _Position) -> int:
        """The least further cost that the explorer can guarantee. Raises _TooManyError."""
        if position.missing <= 0 and not self._is_round_trip:
            return 0
        position = _ordered(position)
        if position not in self._values:
            best: float = position.home if position.missing <= 0 else inf
            for room in sorted(range(len(position.ways)), key=position.ways.__getitem__):
                best = min(best, self._worst(position, room, best))
            assert best < inf  # all rooms can be reached
            self._values[position] = int(best)
        return self._values[position]

    def _worst(self, position: _Position, room: int, best: float) -> float:
        """The cost that entering a room of the edge guarantees; any number from `best` on if it is no less."""
        worst = way = position.ways[room]
        for answer in self._answers(position, room):
            if worst >= best:
                break
            worst = max(worst, way + self._value(answer))
        return worst

    def _answers(self, position: _Position, room: int) -> Iterator[_Position]:
        """The positions that the opponent can choose from after the explorer enters a room of the edge."""
        # The last room to see ends the game, so the answer doesn't matter.
        if position.missing == 1 and not self._is_round_trip:
            yield replace(position, missing=0)
            return

        # The room has corridors to `joined` other rooms of the edge, and to new rooms with exits of their own.
        others = [other for other in range(len(position.ways)) if other != room and position.exits[other]]
        own, corridors = position.exits[room], position.corridors - position.exits[room]
        for number in range(min(own, position.hidden), max(-1, own - len(others) - 1), -1):
            hidden = position.hidden - number
            for fresh in combinations_with_replacement(range(corridors + 1), number):
                for beside in combinations(others, own - number):
                    self._left -= 1
                    if self._left < 0 or self._stop.is_set():
                        raise _TooManyError
                    left = [count - (other in beside) for other, count in enumerate(position.exits) if other != room]
                    if _fits(tuple(sorted((*left, *fresh))), hidden, corridors):
                        yield self._after(position, room, beside, fresh, left)

    def _after(
        self, position: _Position, room: int, beside: Sequence[int], fresh: Sequence[int], left: Sequence[int]
    ) -> _Position:
        """The position after entering a room of the edge, by its index.

        Args:
            position: the position before.
            room: the room.
            beside: the other rooms of the edge that turn out to be its neighbours.
            fresh: the exits of the rooms that come into view.
            left: the unknown corridors of the other rooms of the edge.
        """
        # Paths between the room and the new edge, both ways.
        across, own, corridor = position.across, position.costs[room], self._corridor_cost
        old = [other for other in range(len(position.ways)) if other != room]
        news = [self._room_cost] * len(fresh)
        ways = [min(across[room][each], corridor + position.costs[each] if each in beside else inf) for each in old]
        to = [min(across[each][room], corridor + own if each in beside else inf) for each in old]
        ways += [corridor + cost for cost in news]
        to += [corridor + own for _ in news]

        # Paths home, and between rooms of the edge, may now be cheaper through the room.
        homes = [min(position.homes[each], to[at] + position.homes[room]) for at, each in enumerate(old)]
        homes += [back + position.homes[room] if self._is_round_trip else 0 for back in to[len(old) :]]
        new_across = [[back + way for way in ways] for back in to]
        for one, each in enumerate(old):
            for two, other in enumerate(old):
                new_across[one][two] = min(new_across[one][two], across[each][other])
        return _Position(
            position.missing - 1,
            position.hidden - len(fresh),
            position.corridors - position.exits[room],
            tuple(map(int, ways)),
            (*(position.costs[each] for each in old), *news),
            (*left, *fresh),
            tuple(tuple(map(int, row)) for row in new_across),
            position.homes[room],
            tuple(map(int, homes)) if self._is_round_trip else (0,) * len(ways),
        )


def sure_cost(level: Level, stop: Event | None = None) -> int | None:
    """The least cost that an explorer can guarantee from the start without knowing the map; None: unknown."""
    return Explorer(level, stop).sure_cost


def _edge(state: State) -> list[int]:
    """The rooms that are known but not seen."""
    known = known_rooms(state.level, state.seen)
    return [room for room in range(len(state.level.rooms)) if known >> room & 1 and not state.has_seen(room)]


@cache
def _fits(exits: _Row, hidden: int, corridors: int) -> bool:
    """True if some map has these corridors between the rooms of the edge, with these exits, and the hidden rooms.

    Each hidden room must be reachable from the edge. `exits` is ascending.
    """
    for outward in product(*(range(min(count, hidden) + 1) for count in exits)):  # corridors to hidden rooms
        to_hidden = sum(outward)
        inward = sum(exits) - to_hidden
        between = corridors - to_hidden - inward // 2  # of hidden rooms
        reached = min(hidden, to_hidden)
        is_whole = not hidden or to_hidden > 0
        is_apt = inward % 2 == 0 and is_whole and hidden - reached <= between <= comb(hidden, 2)
        if is_apt and _is_graphical([count - out for count, out in zip(exits, outward, strict=True)]):
            return True
    return False


def _is_graphical(degrees: Sequence[int]) -> bool:
    """True if a simple graph has these degrees: Havel and Hakimi's construction."""
    left = sorted(degrees, reverse=True)
    while left and left[0] > 0:
        first, left = left[0], left[1:]
        if first > len(left) or left[first - 1] == 0:
            return False
        left = sorted((count - (at < first) for at, count in enumerate(left)), reverse=True)
    return True


def _ordered(position: _Position) -> _Position:
    """The position with its edge in a nearly canonical order, so that more positions compare equal."""
    edge = range(len(position.ways))
    keys = [
        (
            position.ways[each],
            position.costs[each],
            position.exits[each],
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
        exits=tuple(position.exits[each] for each in order),
        across=tuple(tuple(0 if one == two else position.across[one][two] for two in order) for one in order),
        homes=tuple(position.homes[each] for each in order),
    )
