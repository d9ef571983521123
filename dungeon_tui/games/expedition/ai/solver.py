"""The cheapest way on from any moment of an expedition, and which legs of a walk were wasted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from threading import Event, Lock

import numpy as np

from dungeon_tui.engine import walks as engine
from dungeon_tui.engine.walks import UNWATCHED, NotProvenError, WalkProblem, Watch
from dungeon_tui.games.expedition.ai.explorer import sure_cost
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.level import Corridor, Level, Room
from dungeon_tui.games.expedition.model.maps import known_rooms, neighbours, step_cost
from dungeon_tui.games.expedition.model.state import State, trails_of

CAP = 1000  # cheapest walks are counted up to
PATIENCE = 10.0  # seconds that a hint, a comparison or a curve may take
_MOST_PLANS = 4096  # that are kept


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


def prepare() -> None:
    """Compiles the kernels that plans need, so that no time limit is spent on that."""
    rooms = tuple(Room(number, str(number)) for number in range(3))
    plan(Level("", rooms, (Corridor((0, 1)), Corridor((0, 2))), 0, is_round_trip=True))


def plan(game: State | Level, watch: Watch = UNWATCHED, *, known_only: bool = False) -> Plan:
    """The cheapest way to do what is still to be done.

    Args:
        game: a moment of an expedition, or a map: then from its start.
        known_only: plan with the rooms seen, their neighbours, and the corridors from the ones to the others; to see as
            many as asked for or, where fewer are known, all that are known, wherever that ends.
        watch: the time limit, and the function told of progress; when time is up the best plan so far is returned.

    Cost:
        At worst it grows like two to the number of rooms; docs/figures.md has measurements.
    """
    state = rules.start(game) if isinstance(game, Level) else game
    found = engine.cheapest_walk(_problem(state, known_only=known_only), watch)
    walk = tuple(found.nodes.tolist())
    return Plan(found.cost, walk, found.seen, found.is_proven, found.lower_bound, found.method)


def first_steps(state: State, watch: Watch = UNWATCHED) -> tuple[int, ...] | None:
    """The rooms that a cheapest way on may enter first, in the order of the map.

    Returns:
        Rooms; none where nothing is left to do, or it can't be done; None where the time was too short to prove them.
    """
    found = engine.first_steps(_problem(state), watch)
    return None if found is None else tuple(found.tolist())


def count_walks(state: State, watch: Watch = UNWATCHED, *, cap: int = CAP) -> int | None:
    """Number of cheapest ways on, at most `cap`; circles that cost nothing make it infinite.

    Returns:
        The number; 0 where it can't be done; None where time or memory did not suffice.
    """
    return engine.count_walks(_problem(state), watch, cap=cap)


def cheapest_walks(
    state: State, watch: Watch = UNWATCHED, *, known_only: bool = False
) -> tuple[list[tuple[int, ...]], bool]:
    """The cheapest ways on, at most CAP, without circles that cost nothing; and whether these are all."""
    found: list[tuple[int, ...]] = []
    with suppress(NotProvenError):
        for walk in islice(engine.cheapest_walks(_problem(state, known_only=known_only), watch), CAP):
            found.append(tuple(walk))
        return found, len(found) < CAP
    return found, False


def curve(level: Level, watch: Watch = UNWATCHED) -> Iterator[tuple[int, int]]:
    """The least costs of seeing 1 room, 2 rooms, and so on; ends early where no walk sees more, or time is up.

    Yields:
        The cost of the best walk known, and the cost below which there is none: the same where that is proven.
    """
    return engine.cheapest_costs(_problem(rules.start(level)), watch)


def compare(state: State, watch: Watch = UNWATCHED, *, best: Plan | None = None) -> Comparison:
    """The walk so far beside the best one; where it is not finished, as if it went on as cheaply as can be.

    What a walk must cost in all, once it has come so far, never falls. So where that is the same at both ends of a
    stretch nothing was wasted between, and halving finds the legs to blame with few plans.

    Args:
        state: where the walk ended.
        best: the plan from the start, where it was made before.
        watch: the time limit is for all of it.
    """
    walk = tuple(trail.room for trail in trails_of(state))
    best, onward = best or plan(state.level, watch), plan(state, watch)
    doubts = [each for each in (best, onward) if not each.is_proven]
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
        rest = plan(moments[middle], watch)
        doubts.extend([] if rest.is_proven else [rest])
        total = moments[middle].cost + (rest.cost or 0)
        total = min(max(total, low), high)  # it can't be elsewhere, but where the time was too short
        yield from blamed(first, middle, low, total)
        yield from blamed(middle, last, total, high)

    cost = state.cost + onward.cost
    legs = tuple(blamed(0, len(moments) - 1, best.cost, cost))
    return Comparison(walk, cost, best, legs, not doubts)


def _problem(state: State, *, known_only: bool = False) -> WalkProblem:
    level, needed, goal = state.level, state.level.needed, state.level.goal
    seen = [room for room in range(len(level.rooms)) if state.has_seen(room)]
    if known_only:
        known = known_rooms(level, state.seen)
        if needed > known.bit_count() or (goal is not None and not known >> goal & 1):
            goal = None
        needed = min(needed, known.bit_count())
    steps = [
        [
            (other, corridor)
            for other, corridor in there.items()
            if not known_only or state.has_seen(room) or state.has_seen(other)
        ]
        for room, there in enumerate(neighbours(level))
    ]
    return WalkProblem(
        np.cumsum([0, *map(len, steps)]),
        np.array([other for row in steps for other, _ in row], np.int64),
        np.array([level.corridors[corridor].cost for row in steps for _, corridor in row], np.int64),
        np.array([room.cost for room in level.rooms], np.int64),
        state.room,
        seen=seen,
        needed=needed,
        end=goal,
    )


def _moments(state: State) -> list[State]:
    """States at the start, after each step that saw a new room, and at the end."""
    trails = trails_of(state)
    seen, moments = 0, []
    for steps, trail in enumerate(trails):
        is_new = not seen >> trail.room & 1
        seen |= 1 << trail.room
        if is_new or trail is trails[-1]:
            moments.append(State(state.level, trail, seen, steps))
    return moments


class Planner:
    """Makes and keeps the plans of the states that were asked about; threads may share it."""

    def __init__(self) -> None:
        # By map, room, rooms seen, and whether only known rooms count.
        self._plans: dict[tuple[Level, int, int, bool], Plan] = {}
        self._compared: tuple[State, Comparison] | None = None
        self._walks: tuple[tuple[Level, int, int, bool], tuple[list[tuple[int, ...]], bool]] | None = None
        self._sure: tuple[Level, int | None] | None = None
        self._lock = Lock()
        self.stop = Event()  # ends whatever is being planned

    def plan(self, state: State, *, known_only: bool = False, time_limit: float = PATIENCE) -> Plan:
        """The cheapest way on, made unless it is kept; a proven one is kept for the states along it, too."""
        with self._lock:
            found = self.known(state, known_only)
            if found is None:
                found = plan(state, Watch(time_limit, self.stop), known_only=known_only)
                self._keep(state, found, known_only)
            return found

    def known(self, state: State, known_only: bool = False) -> Plan | None:
        """The plan that is kept for a state; None if there is none."""
        return self._plans.get((state.level, state.room, state.seen, known_only))

    def walks(self, state: State, known_only: bool = False) -> tuple[list[tuple[int, ...]], bool]:
        """The cheapest ways on and whether these are all, looked for unless this state was asked about last."""
        key = state.level, state.room, state.seen, known_only
        with self._lock:
            if self._walks is None or self._walks[0] != key:
                self._walks = key, cheapest_walks(state, Watch(PATIENCE, self.stop), known_only=known_only)
            return self._walks[1]

    def sure(self, level: Level) -> int | None:
        """The cost that an explorer can be sure of, computed unless this map was asked about last; None: unknown."""
        with self._lock:
            if self._sure is None or self._sure[0] is not level:
                self._sure = level, sure_cost(level, self.stop)
            return self._sure[1]

    def compared(self, state: State) -> Comparison:
        """The walk so far beside the best one, made unless this state was compared last."""
        with self._lock:
            if self._compared is None or self._compared[0] is not state:
                self._compared = state, compare(state, Watch(PATIENCE, self.stop))
            return self._compared[1]

    def comparison(self, state: State) -> Comparison | None:
        """The comparison of this state if it was made last, else None."""
        return self._compared[1] if self._compared is not None and self._compared[0] is state else None

    def _keep(self, state: State, found: Plan, known_only: bool) -> None:
        if len(self._plans) > _MOST_PLANS:
            self._plans.clear()
        self._plans[state.level, state.room, state.seen, known_only] = found
        if known_only or not found.is_proven or found.cost is None:
            return  # what is known changes with each step
        cost, seen = found.cost, state.seen
        for place, (one, two) in enumerate(pairwise(found.walk), 1):
            cost -= step_cost(state.level, one, two)
            seen |= 1 << two
            onward = replace(found, cost=cost, walk=found.walk[place:], lower_bound=cost)
            self._plans.setdefault((state.level, two, seen, False), onward)
