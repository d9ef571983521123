"""The cheapest walk from any state of an expedition, and the wasted legs of a walk."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from math import inf
from threading import Event, Lock
from typing import Any, TypeVar

from dungeon_tui.engine import walks as engine
from dungeon_tui.engine.walks import UNWATCHED, Watch
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.explorer import Explorer
from dungeon_tui.games.expedition.model.level import Corridor, Level, Room
from dungeon_tui.games.expedition.model.maps import step_cost, walk_problem
from dungeon_tui.games.expedition.model.state import State, trails_of

CAP = 1000  # most cheapest walks to count
PLAN_TIME_LIMIT_S = 10.0  # of a hint, a comparison or a curve
_MOST_PLANS = 4096  # in the cache
FoundT = TypeVar("FoundT")
Plan = engine.CheapestWalk
"""A walk that finishes the task from some state."""


@dataclass(frozen=True, slots=True)
class Leg:
    """The steps of a walk between two first visits."""

    first: int  # indices into the walk
    last: int
    wasted: int  # extra cost of the whole walk
    steps: Sequence[int] = ()  # the wasteful ones among its steps
    mistake: int | None = None  # the one of them from which on the torch was too short


@dataclass(frozen=True, slots=True)
class Comparison:
    """A walk compared with the best one."""

    walk: tuple[int, ...]
    cost: int  # of the walk, completed as cheaply as possible
    best: Plan  # from the start
    legs: tuple[Leg, ...]  # the wasteful ones
    is_proven: bool  # the best is the cheapest, and these are the wasteful legs

    @property
    def wasted(self) -> int:
        """The cost above that of the best walk known; 0 if there is none."""
        return 0 if self.best.cost is None else self.cost - self.best.cost


def prepare() -> None:
    """Compiles the kernels that plans need, so that no time limit has to cover it."""
    rooms = tuple(Room(number, str(number)) for number in range(3))
    plan(Level("", rooms, (Corridor((0, 1)), Corridor((0, 2))), 0, is_round_trip=True))


def plan(game: State | Level, watch: Watch = UNWATCHED) -> Plan:
    """The cheapest walk that finishes the task from a state, or from a map's start; at worst exponential in the rooms.

    Args:
        game: a state, or a map.
        watch: time limit and progress callback; when time is up, the best plan so far is returned.
    """
    state = rules.start(game) if isinstance(game, Level) else game
    return engine.cheapest_walk(walk_problem(state), watch)


def first_steps(state: State, watch: Watch = UNWATCHED) -> tuple[int, ...] | None:
    """The rooms that a cheapest walk can enter first, by index; None if time was too short for a proof."""
    found = engine.first_steps(walk_problem(state), watch)
    return None if found is None else tuple(found.tolist())


def count_walks(state: State, watch: Watch = UNWATCHED) -> int | None:
    """Number of cheapest walks, at most CAP; 0 if the task is impossible; None if time or memory ran out."""
    return engine.count_walks(walk_problem(state), watch, cap=CAP)


def curve(level: Level, watch: Watch = UNWATCHED) -> Iterator[tuple[int, int]]:
    """The least cost of seeing 1 room, 2 rooms, and so on, with a lower bound; the two agree if it is proven.

    Ends early if no walk sees more, or time is up.
    """
    return engine.cheapest_costs(walk_problem(rules.start(level)), watch)


def compare(state: State, watch: Watch = UNWATCHED, *, best: Plan | None = None) -> Comparison:
    """Compares the walk with the best one; an unfinished walk is completed as cheaply as possible.

    The total of a state is the cost so far plus the cost of the cheapest rest. It never falls along a walk, and grows
    with each wasteful step. Between equal totals no plan is needed.
    """
    # Without a plan from both ends of the walk there is nothing to blame.
    states = states_of(state)
    walk = tuple(each.room for each in states)
    best, onward = best or plan(state.level, watch), plan(state, watch)
    is_proven = best.is_proven and onward.is_proven
    if best.cost is None or onward.cost is None:
        return Comparison(walk, state.cost, best, (), best.is_proven)
    # Without time the total of a state may lie outside of those before it and at the end.
    cost, rests = state.cost + onward.cost, dict[tuple[int, int], Plan]()

    def rises(states: Sequence[State], before: int, after: int) -> Iterator[tuple[int, int]]:
        """Yields the steps between these states that raise the total from `before` to `after`, and by how much."""
        nonlocal is_proven
        if before < after and len(states) == 2:
            yield states[0].steps, after - before
        elif before < after:
            half = len(states) // 2
            key = (middle := states[half]).room, middle.seen
            rests[key] = rest = rests.get(key) or plan(middle, watch)
            is_proven &= rest.is_proven
            total = min(max(middle.cost + (rest.cost or 0), before), after)
            yield from rises(states[: half + 1], before, total)
            yield from rises(states[half:], total, after)

    wasted, legs = dict(rises(states, best.cost, cost)), []
    totals = zip(wasted, accumulate(wasted.values(), initial=0), strict=False)
    torch = inf if state.level.torch is None else state.level.torch
    mistake = next((step for step, before in totals if best.cost + before + wasted[step] > torch), None)
    firsts = [two for one, two in pairwise(states) if two.seen != one.seen or two is states[-1]]
    for one, other in pairwise([states[0], *firsts]):
        if steps := [step for step in wasted if one.steps <= step < other.steps]:
            more, last = sum(wasted[step] for step in steps), mistake if mistake in steps else None
            legs.append(Leg(one.steps, other.steps, more, tuple(steps), last))
    return Comparison(walk, cost, best, tuple(legs), is_proven)


def risks(state: State, explorer: Explorer) -> tuple[Leg, ...] | None:
    """The steps of an explorer's walk after which less can be guaranteed than before; None if that is unknown."""
    legs = []
    for before, after in pairwise(states_of(state)):
        least, worst = explorer.total(before), explorer.after(before, after.room, after.cost - before.cost)
        if least is None or worst is None:
            return None
        legs.append(step_leg(before, after, least, worst, explorer.total(after) or worst))
    return tuple(leg for leg in legs if leg.wasted)


def step_leg(before: State, after: State, least: int, worst: int, whole: int) -> Leg:
    """The loss of a step, given the total before it, the worst that could come of it, and the total after it.

    In fog a step is judged by the worst that may lie behind the room that it leads to, never by what did. None is to
    blame while the torch is too short already.
    """
    torch = inf if before.level.torch is None else before.level.torch
    wasted = 0 if least > torch else worst - least
    mistake = before.steps if wasted and whole > torch else None
    return Leg(before.steps, after.steps, wasted, (before.steps,), mistake)


def states_of(state: State) -> list[State]:
    """The states along a walk."""
    seen, states = 0, []
    for steps, trail in enumerate(trails_of(state)):
        seen |= 1 << trail.room
        states.append(State(state.level, trail, seen, steps))
    return states


class Planner:
    """A thread-safe cache of plans."""

    def __init__(self) -> None:
        self._plans: dict[tuple[Level, int, int], Plan] = {}  # by map, room and seen rooms
        self._last: dict[str, tuple[object, Any]] = {}  # the last result of each other kind, and its key
        self._lock = Lock()
        self.stop = Event()  # ends the current search

    def plan(self, state: State) -> Plan:
        """The cheapest walk on, cached; a proven walk is cached for all states along it, too."""
        with self._lock:
            found = self._plans.get((state.level, state.room, state.seen | 1 << state.room))
            if found is None:
                found = plan(state, Watch(PLAN_TIME_LIMIT_S, self.stop))
                self._store(state, found)
            return found

    def explorer(self, level: Level) -> Explorer:
        """The cost that can be guaranteed without the map, cached for the last map."""
        return self._cached("explorer", level, lambda _: Explorer(level, self.stop))

    def risks(self, state: State) -> tuple[Leg, ...] | None:
        """The risky steps of an explorer's walk, cached for the last state; None: unknown."""
        explorer = self.explorer(state.level)
        return self._cached("risks", state, lambda _: risks(state, explorer))

    def compared(self, state: State) -> Comparison:
        """The comparison of a walk with the best one, cached for the last state."""
        return self._cached("comparison", state, lambda watch: compare(state, watch))

    def comparison(self, state: State) -> Comparison | None:
        """The cached comparison of a state, or None."""
        key, found = self._last.get("comparison", (None, None))
        return found if key == state else None

    def _cached(self, kind: str, key: object, make: Callable[[Watch], FoundT]) -> FoundT:
        with self._lock:
            if kind not in self._last or self._last[kind][0] != key:
                self._last[kind] = key, make(Watch(PLAN_TIME_LIMIT_S, self.stop))
            found: FoundT = self._last[kind][1]
            return found

    def _store(self, state: State, found: Plan) -> None:
        if len(self._plans) > _MOST_PLANS:
            self._plans.clear()
        seen = state.seen | 1 << state.room  # a plan counts its first room as seen, even if the torch didn't reach it
        self._plans[state.level, state.room, seen] = found
        if not found.is_proven or found.cost is None:
            return
        cost = found.cost
        for index, (one, two) in enumerate(pairwise(found.walk), 1):
            cost -= step_cost(state.level, one, two)
            seen |= 1 << two
            onward = replace(found, cost=cost, walk=found.walk[index:], lower_bound=cost)
            self._plans.setdefault((state.level, two, seen), onward)
