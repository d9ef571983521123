"""The cheapest way on from any moment of an expedition, and which legs of a walk were wasted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event
from time import monotonic
from typing import TypedDict, Unpack

from dungeon_tui.engine import walks as engine
from dungeon_tui.engine.walks import WalkProblem
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.level import Corridor, Level, Room
from dungeon_tui.games.expedition.model.maps import RoomGraph, known_rooms, room_graph, seen_part
from dungeon_tui.games.expedition.model.state import State, trails_of

CAP = 1000  # cheapest walks are counted up to


@dataclass(frozen=True, slots=True)
class Plan:
    """A way to do what is asked, from a moment on."""

    cost: int | None  # of the steps ahead; None where it can't be done
    walk: tuple[int, ...]  # rooms, the present one first; empty where it can't be done
    seen: int  # rooms seen at its end; where it can't be done, how many can be seen
    is_proven: bool  # that nothing is cheaper, or that it can't be done
    lower_bound: int  # no way costs less
    method: str  # what found it


@dataclass(frozen=True, slots=True)
class LeastCost:
    """A point of the curve: the cost of the best walk known that sees so many rooms."""

    cost: int
    lower_bound: int  # no walk costs less

    @property
    def is_proven(self) -> bool:
        """True if no walk can be cheaper."""
        return self.cost == self.lower_bound


@dataclass(frozen=True, slots=True)
class Leg:
    """Steps of a walk from where a room was seen for the first time to where the next one was."""

    first: int  # places in the walk
    last: int
    wasted: int  # how much dearer it made the whole


@dataclass(frozen=True, slots=True)
class Comparison:
    """A walk beside the best one."""

    walk: tuple[int, ...]
    cost: int  # of the walk; where it is not finished, with the cheapest way on
    best: Plan  # from the start
    legs: tuple[Leg, ...]  # those on which something was wasted
    is_proven: bool  # that nothing is cheaper than the best, and that these legs are to blame

    @property
    def wasted(self) -> int:
        """The cost above that of the best walk known; 0 where there is none."""
        return 0 if self.best.cost is None else self.cost - self.best.cost


class Watched(TypedDict, total=False):
    """The options of a search that is watched."""

    time_limit: float | None  # seconds; then the best way known is given
    stop: Event | None  # ends it with WalkCancelledError
    progress: Callable[[int, int, int], None] | None  # states looked at, the bound from below, the best cost known


def prepare() -> None:
    """Compiles what plans need, so that no time limit is spent on that."""
    rooms = tuple(Room(number, str(number)) for number in range(3))
    plan(Level("", rooms, (Corridor((0, 1)), Corridor((0, 2))), 0, is_round_trip=True))


def plan(game: State | Level, *, known_only: bool = False, **watched: Unpack[Watched]) -> Plan:
    """The cheapest way to do what is still to be done.

    Args:
        game: a moment of an expedition, or a map: then from its start.
        known_only: plan with the rooms seen, their neighbours, and the corridors from the ones to the others; to see as
            many as asked for or, where fewer are known, all that are known, wherever that ends.
        watched: see there.

    Raises:
        WalkCancelledError: stop was set.

    Cost:
        At worst it grows like two to the number of rooms; docs/architecture.md has what was measured.
    """
    state = rules.start(game) if isinstance(game, Level) else game
    level, graph = state.level, room_graph(state.level)
    needed, goal = level.needed, level.goal
    if known_only:
        known = known_rooms(level, state.seen)
        graph = seen_part(graph, state.seen)
        is_enough = needed <= known.bit_count()
        needed = min(needed, known.bit_count())
        goal = goal if is_enough and goal is not None and known >> goal & 1 else None
    found = engine.cheapest_walk(_problem(graph, state, needed, goal), **watched)
    walk = tuple(found.nodes.tolist())
    return Plan(found.cost, walk, found.seen, found.is_proven, found.lower_bound, found.method)


def first_steps(state: State, **watched: Unpack[Watched]) -> tuple[int, ...] | None:
    """The rooms that a cheapest way on may begin with; none where nothing is left to do, or it can't be done.

    Args:
        state: where the party is.
        watched: the time limit is for all of it.

    Returns:
        Rooms in the order of the map; None where the time was too short to prove which they are.

    Raises:
        WalkCancelledError: stop was set.
    """
    problem = _problem(room_graph(state.level), state, state.level.needed, state.level.goal)
    found = engine.first_steps(problem, **watched)
    return None if found is None else tuple(found.tolist())


def count_walks(state: State, cap: int = CAP, **watched: Unpack[Watched]) -> int | None:
    """Counts the cheapest ways on.

    Args:
        state: where the party is.
        cap: so many are told where there are more, or infinitely many: walking in circles may cost nothing.
        watched: the time limit is for all of it.

    Returns:
        The number; 0 where it can't be done; None where time or memory did not suffice.

    Raises:
        WalkCancelledError: stop was set.
    """
    problem = _problem(room_graph(state.level), state, state.level.needed, state.level.goal)
    return engine.count_walks(problem, cap=cap, **watched)


def curve(level: Level, **watched: Unpack[Watched]) -> Iterator[LeastCost]:
    """The least cost of seeing 1 room, 2 rooms, and so on, as long as there are any.

    Args:
        level: the map; where the walk should end holds for all of them, what it should see for none.
        watched: the time limit is for all of them.

    Raises:
        WalkCancelledError: stop was set.
    """
    problem = _problem(room_graph(level), rules.start(level), 0, level.goal)
    for cost, bound in engine.cheapest_costs(problem, **watched):
        yield LeastCost(cost, bound)


def compare(state: State, best: Plan | None = None, **watched: Unpack[Watched]) -> Comparison:
    """A walk beside the best one; where it is not finished, as if it went on as cheaply as can be.

    What a walk must cost in all, once it has come so far, never falls. So where that is the same at both ends of a
    stretch nothing was wasted between, and halving finds the legs to blame with few plans.

    Args:
        state: where the walk ended.
        best: the plan from the start, where it was made before.
        watched: the time limit is for all of it.

    Raises:
        WalkCancelledError: stop was set.
    """
    clock = _Clock(watched)
    walk = tuple(trail.room for trail in trails_of(state))
    best, onward = best or clock.plan(rules.start(state.level)), clock.plan(state)
    if best.cost is None or onward.cost is None:
        return Comparison(walk, state.cost, best, (), best.is_proven)
    moments = _moments(state)

    def blamed(first: int, last: int, low: int, high: int) -> Iterator[Leg]:
        """The legs between two moments, given what the walk must cost in all at the one and at the other."""
        if low >= high:
            return
        if last == first + 1:
            yield Leg(moments[first].steps, moments[last].steps, high - low)
            return
        middle = (first + last) // 2
        total = moments[middle].cost + (clock.plan(moments[middle]).cost or 0)
        total = min(max(total, low), high)  # it can't be elsewhere, but where the time was too short
        yield from blamed(first, middle, low, total)
        yield from blamed(middle, last, total, high)

    cost = state.cost + onward.cost
    legs = tuple(blamed(0, len(moments) - 1, best.cost, cost))
    return Comparison(walk, cost, best, legs, best.is_proven and clock.is_all_proven)


class _Clock:
    """Makes plans that share one time limit."""

    def __init__(self, watched: Watched) -> None:
        limit = watched.get("time_limit")
        self._deadline = None if limit is None else monotonic() + limit
        self._watched = watched
        self.is_all_proven = True

    def plan(self, state: State) -> Plan:
        """As the function."""
        watched = self._watched.copy()
        if self._deadline is not None:
            watched["time_limit"] = max(0.0, self._deadline - monotonic())
        found = plan(state, **watched)
        self.is_all_proven &= found.is_proven
        return found


def _problem(graph: RoomGraph, state: State, needed: int, goal: int | None) -> WalkProblem:
    """The same in the engine's terms."""
    seen = [room for room in range(len(state.level.rooms)) if state.has_seen(room)]
    costs = graph.edge_costs, graph.node_costs
    return WalkProblem(graph.indptr, graph.indices, *costs, state.room, seen=seen, needed=needed, end=goal)


def _moments(state: State) -> list[State]:
    """The start, each moment at which a room was seen for the first time, and the end."""
    trails = trails_of(state)
    seen, moments = 0, []
    for steps, trail in enumerate(trails):
        is_new = not seen >> trail.room & 1
        seen |= 1 << trail.room
        if is_new or trail is trails[-1]:
            moments.append(State(state.level, trail, seen, steps))
    return moments
