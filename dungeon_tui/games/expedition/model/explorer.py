"""The least cost that an explorer can guarantee in fog: a game against all maps that fit what is seen."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement, product
from math import comb, inf
from threading import Event
from typing import NamedTuple

from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import (
    cheapest_ways,
    exits,
    hidden_costs,
    is_joined,
    known_rooms,
    neighbours,
    step_cost,
)
from dungeon_tui.games.expedition.model.state import State, Status, Trail

MOST_ANSWERS = 60_000  # opponent's answers to search before the cost counts as unknown
MOST_HIDDEN = 9  # rooms out of sight; with more, the search hardly ever finishes in MOST_ANSWERS


class _Room(NamedTuple):
    """A room of the edge, which is known but not seen."""

    way: float  # cost of the path to it
    cost: int  # of entering it
    exits: int  # its unknown corridors
    home: float  # cost of the path from it to the room to end in; 0 if there is none


@dataclass(frozen=True, slots=True)
class _Position:
    """A position reduced to the future: seen rooms count only as paths between the others, which lead through them."""

    missing: int  # number of rooms still to see
    hidden: int  # number of unknown rooms
    corridors: int  # number of unknown corridors
    home: float  # cost of the path from here to the room to end in; 0 if there is none
    edge: tuple[_Room, ...]
    across: tuple[tuple[float, ...], ...]  # costs of the paths between rooms of the edge


class _TooManyError(Exception):
    """Raised when the search exceeds its number of answers, or is stopped."""


class Explorer:
    """The cost that can be guaranteed without the map, from any state of one map; positions are searched once.

    The explorer knows the number of rooms and corridors, the costs and exits of the rooms next to seen ones, the
    corridors of seen rooms, the highest cost of the others, and that every room can be reached. The result is the value
    of a game: the explorer chooses the next room to see, and the opponent any map that agrees with all this. A dearer
    map never costs less, so the opponent gives every hidden room and corridor the highest cost.
    """

    def __init__(self, level: Level, stop: Event | None = None) -> None:
        self._level, self._has_goal = level, level.goal is not None
        self._room_cost, self._corridor_cost = hidden_costs(level)
        self._values: dict[_Position, float] = {}
        self._stop, self._left = stop or Event(), MOST_ANSWERS

    @cached_property
    def sure_cost(self) -> int | None:
        """The total at the start; if it is unknown, so is everything else.

        It is unknown if too many maps are possible, if the room to end in is hidden, with unreachable rooms, and if
        the torch can't be promised to last.
        """
        total, torch = self._total(rules.start(self._level)), self._level.torch
        return None if total is None or (torch is not None and total > torch) else total

    def total(self, state: State) -> int | None:
        """The cost so far, with the least further cost that can be guaranteed; None: unknown."""
        if state.status is Status.EXPLORED or self.sure_cost is None:
            return None if self.sure_cost is None else state.cost
        return self._total(state)

    def _total(self, state: State) -> int | None:
        self._left = MOST_ANSWERS
        with suppress(_TooManyError):
            if (position := self._position(state)) is not None:
                return state.cost + int(self._value(position))
        return None

    def choices(self, state: State) -> dict[int, int]:
        """The guaranteed total for each known room to see next; on the way to the end, for that. Empty: unknown."""
        position = self._position(state)
        if state.status is not Status.EXPLORING or self.total(state) is None or position is None:
            return {}
        goal = self._level.goal
        home = {} if goal is None or position.missing > 0 else {goal: position.home}
        self._left = MOST_ANSWERS
        with suppress(_TooManyError):
            found = home | {room: self._worst(position, at, inf) for at, room in enumerate(edge_rooms(state))}
            return {room: state.cost + int(cost) for room, cost in found.items()}
        return {}

    def certain(self, state: State) -> list[tuple[int, int]]:
        """Pairs of known rooms that a hidden corridor joins on every map that fits; those found quickly."""
        edge, found = edge_rooms(state), list[tuple[int, int]]()
        if not state.level.is_fogged or (position := self._position(state)) is None:
            return []
        self._left = MOST_ANSWERS // 30
        with suppress(_TooManyError):
            for at, room in enumerate(edge):
                sure = set.intersection(*({*beside} for beside, _, _ in self._answers(position, at)))
                found += [(room, edge[other]) for other in sure if other > at]
        return found

    def after(self, state: State, room: int, cost: int) -> int | None:
        """The guaranteed total after a walk of this cost to a known room, whatever is found there; None: unknown."""
        if state.has_seen(room):
            return self.total(replace(state, trail=Trail(room, state.cost + cost, state.trail)))
        total = self.choices(state).get(room)
        ways, _ = cheapest_ways(self._level, state.room, state.seen)
        return None if total is None else total + cost - ways[room]

    def _position(self, state: State) -> _Position | None:
        """The position of a state; None if it has no value, or too many rooms are hidden."""
        level, edge, (rooms, corridors) = self._level, edge_rooms(state), hidden(state)
        goal, is_lost = level.goal, level.goal is not None and not known_rooms(level, state.seen) >> level.goal & 1
        if is_lost or rooms > MOST_HIDDEN or not is_joined(level):
            return None
        # From a room of the edge only the corridors to seen rooms are known.
        here, there = cheapest_ways(level, state.room, state.seen)[0], neighbours(level)
        ways = {room: cheapest_ways(level, room, state.seen)[0] for room in range(len(there)) if state.has_seen(room)}
        paths = [
            {
                to: min(step_cost(level, room, other) + ways[other][to] for other in there[room] if other in ways)
                for to in here
            }
            for room in edge
        ]
        home, *homes = (costs[goal] if goal is not None else 0 for costs in (here, *paths))
        homes = [back * (room != goal) for room, back in zip(edge, homes, strict=True)]
        return _Position(
            level.needed - state.seen_count,
            rooms,
            corridors,
            home,
            tuple(
                _Room(here[room], level.rooms[room].cost, exits(level, state.seen, room), back)
                for room, back in zip(edge, homes, strict=True)
            ),
            tuple(
                tuple(0 if one == two else costs[two] for two in edge) for one, costs in zip(edge, paths, strict=True)
            ),
        )

    def _value(self, position: _Position) -> float:
        """The least further cost that the explorer can guarantee. Raises _TooManyError."""
        if position.missing <= 0 and not self._has_goal:
            return 0
        position = _ordered(position)
        if position not in self._values:
            best = position.home if position.missing <= 0 else inf
            for room in range(len(position.edge)):  # the nearest first
                best = min(best, self._worst(position, room, best))
            self._values[position] = best
        return self._values[position]

    def _worst(self, position: _Position, room: int, best: float) -> float:
        """The cost that entering a room of the edge guarantees; any number from `best` on if it is no less."""
        worst = way = position.edge[room].way
        for _, _, answer in self._answers(position, room):
            if worst >= best:
                break
            worst = max(worst, way + self._value(answer))
        return worst

    def _answers(self, position: _Position, room: int) -> Iterator[tuple[Sequence[int], Sequence[int], _Position]]:
        """The opponent's choices after the explorer enters a room of the edge, each with the position.

        A choice: rooms of the edge that it has corridors to, by index, and the exits of each room that comes into view.
        """
        # The last room to see ends the game, so the answer doesn't matter.
        if position.missing == 1 and not self._has_goal:
            yield (), (), replace(position, missing=0)
            return

        # The room has corridors to new rooms, which have exits of their own, and to others of the edge.
        edge, own = position.edge, position.edge[room].exits
        others = [other for other in range(len(edge)) if other != room and edge[other].exits]
        corridors = position.corridors - own
        for number in range(min(own, position.hidden), max(-1, own - len(others) - 1), -1):
            for fresh in combinations_with_replacement(range(corridors + 1), number):
                for beside in combinations(others, own - number):
                    self._left -= 1
                    if self._left < 0 or self._stop.is_set():
                        raise _TooManyError
                    left = (each.exits - (at in beside) for at, each in enumerate(edge) if at != room)
                    if _fits(tuple(sorted((*left, *fresh))), position.hidden - number, corridors):
                        yield beside, fresh, self._after(position, room, beside, fresh)

    def _after(self, position: _Position, room: int, beside: Collection[int], fresh: Sequence[int]) -> _Position:
        """The position after entering a room of the edge, by its index, with its new neighbours.

        `beside` are those on the edge, and `fresh` are the exits of those that come into view.
        """
        # The new edge: rooms of the old one, by index, and rooms without an index.
        left, corridor = position.edge[room], self._corridor_cost
        old = [at for at in range(len(position.edge)) if at != room]
        ends = [*old, *[None] * len(fresh)]
        rooms = [position.edge[at]._replace(exits=position.edge[at].exits - (at in beside)) for at in old]
        rooms += [_Room(inf, self._room_cost, count, inf) for count in fresh]

        def path(one: int | None, two: int | None) -> float:
            return inf if one is None or two is None else position.across[one][two]

        # Paths between its rooms, and home, may now be cheaper through the entered room.
        steps = [corridor if end is None or end in beside else inf for end in ends]
        ways = [min(path(room, end), step + to.cost) for end, step, to in zip(ends, steps, rooms, strict=True)]
        backs = [min(path(end, room), step + left.cost) for end, step in zip(ends, steps, strict=True)]
        home = min([left.home, *(way + each.home for way, each in zip(ways, rooms, strict=True))])
        homes = [min(each.home, back + home) * self._has_goal for each, back in zip(rooms, backs, strict=True)]
        return _Position(
            position.missing - 1,
            position.hidden - len(fresh),
            position.corridors - left.exits,
            home,
            tuple(each._replace(way=way, home=home) for each, way, home in zip(rooms, ways, homes, strict=True)),
            tuple(
                tuple(0 if one == two else min(path(ends[one], end), back + ways[two]) for two, end in enumerate(ends))
                for one, back in enumerate(backs)
            ),
        )


def hidden(state: State) -> tuple[int, int]:
    """Numbers of rooms and corridors that are out of sight in fog."""
    level = state.level
    corridors = sum(not any(map(state.has_seen, each.ends)) for each in level.corridors)
    return len(level.rooms) - known_rooms(level, state.seen).bit_count(), corridors


def edge_rooms(state: State) -> list[int]:
    """The rooms that are known but not seen."""
    known = known_rooms(state.level, state.seen)
    return [room for room in range(len(state.level.rooms)) if known >> room & 1 and not state.has_seen(room)]


@cache
def _fits(exits: tuple[int, ...], hidden: int, corridors: int) -> bool:
    """True if some map has these corridors between the rooms of the edge, with these exits, and the hidden rooms.

    Each hidden room must be reachable from the edge. `exits` is ascending.
    """
    for outward in product(*(range(min(count, hidden) + 1) for count in exits)):  # corridors to hidden rooms
        to_hidden = sum(outward)
        inward = sum(exits) - to_hidden
        between = corridors - to_hidden - inward // 2  # of hidden rooms
        is_whole = (to_hidden > 0 or not hidden) and hidden - min(hidden, to_hidden) <= between <= comb(hidden, 2)
        if inward % 2 == 0 and is_whole and _is_graphical([a - b for a, b in zip(exits, outward, strict=True)]):
            return True
    return False


def _is_graphical(degrees: Sequence[int]) -> bool:
    """True if a simple graph has these degrees: Havel and Hakimi's construction."""
    first, *left = sorted(degrees, reverse=True) or [0]
    if first == 0:
        return True
    if first > len(left) or left[first - 1] == 0:
        return False
    return _is_graphical([count - (at < first) for at, count in enumerate(left)])


def _ordered(position: _Position) -> _Position:
    """The position with its edge in a nearly canonical order, the nearest first, so that more positions are equal."""
    edge, across = position.edge, position.across
    order = sorted(range(len(edge)), key=lambda at: (edge[at], sorted(across[at]), sorted(row[at] for row in across)))
    return replace(
        position,
        edge=tuple(edge[at] for at in order),
        across=tuple(tuple(across[one][two] for two in order) for one in order),
    )
