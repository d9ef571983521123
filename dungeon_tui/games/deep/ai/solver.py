"""Exact answers about a level of the deep: the fewest moves that leave it, or a proof that none do.

A* over packed moments. The bound is the shortest walk to a door, by way of the treasure or key still missing, as if
there were no monsters. With a bomb, pillars don't block it; with an amulet it wraps around the edges, since copies may
lie beyond.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import heappop, heappush
from time import monotonic

from dungeon_tui.games.deep.ai.aim import Aim, aim_of
from dungeon_tui.games.deep.ai.packed import BOMB, FAR, KEY, Moment, Packed, Ruled, distances, packed
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.room import AMULET, CHASM, DOORS, OPEN, PILLAR, TREASURE
from dungeon_tui.games.deep.model.state import Action, State, Status

MOST_STATES = 1_000_000  # about 750 bytes each on a level of the story

HINT_TIME_LIMIT_S = 5.0  # the same in hints, in plain text and in the analysis: they show the same line
_ARRIVAL_TIME_LIMIT_S = 1.0  # of the check that a hint does not lead into a trap
_WITHOUT_PILLARS = bytes(OPEN if tile == PILLAR else tile for tile in range(256))
_WALLS = bytes(tile if tile in bytes([PILLAR, CHASM]) else OPEN for tile in range(256))


@dataclass(frozen=True, slots=True)
class Escape:
    """An answer: a line out, a proof that none exists, or neither within the limits."""

    line: tuple[Action, ...] | None
    is_decided: bool  # True if the line is proven to be shortest, or proven not to exist
    lower_bound: int  # on the moves; FAR if lost
    states: int  # visited
    has_most: bool = True  # False if a line with more treasure may exist

    @property
    def is_lost(self) -> bool:
        """True if proven that the level can't be left."""
        return self.is_decided and self.line is None


def escape(
    state: State,
    doors: bytes = DOORS,
    treasure: int = 0,
    *,
    most_states: int = MOST_STATES,
    time_limit: float | None = None,
    greed: int = 1,
    needs_key: bool = False,
) -> Escape:
    """The fewest moves that leave the level by some doors' tiles, with this much treasure and a key if needed.

    `greed` weights the bound: above 1 a line is found sooner, but may not be shortest. Raises ValueError at the end.
    """
    if state.status is not Status.PLAYING:
        raise ValueError("the game is over")
    deadline = None if time_limit is None else monotonic() + time_limit
    level = packed(state, doors, treasure, needs_key)
    bound = _bound(level, level.first)
    if bound >= FAR:
        return Escape(None, True, FAR, 1)
    least = {level.first: 0}
    parents: list[tuple[int, Action]] = [(-1, Action.STAY)]
    queue: list[tuple[int, int, int, Moment | None]] = [(greed * bound, 0, 0, level.first)]
    lower = bound

    # Take out the moment with the lowest bound; of equal ones the one with most moves made.
    while queue:
        value, minus, at, here = heappop(queue)
        if greed == 1:
            lower = max(lower, value)
        if here is None:
            return Escape(_line(parents, at), greed == 1, lower, len(least))
        if -minus > least[here]:
            continue
        if len(least) > most_states or (deadline is not None and monotonic() > deadline):
            return Escape(None, False, lower, len(least))
        moves = 1 - minus
        # Add the moments after it that are new or reached in fewer moves, and that may lead out.
        for action, after in level.after(here):
            more = 0
            if after is not None:
                if moves >= least.get(after, FAR):
                    continue
                least[after] = moves
                if (more := _bound(level, after)) >= FAR:
                    continue
            parents.append((at, action))
            heappush(queue, (moves + greed * more, -moves, len(parents) - 1, after))
    return Escape(None, True, FAR, len(least))


def is_lost(state: State, time_limit: float) -> bool | None:
    """True if proven that the level can't be left alive, False if it can, None if unknown after these seconds."""
    if state.status is not Status.PLAYING:
        return state.status is Status.DIED
    found = escape(state, time_limit=max(time_limit, 0.0), greed=4)
    return None if found.line is None and not found.is_decided else found.is_lost


def can_leave(state: State, door: int, treasure: int) -> bool:
    """The prover for descents: True if it finds a line that leaves by a door with at least this much treasure."""
    return escape(state, bytes([door]), treasure, most_states=2_000, greed=3).line is not None


def best_haul(state: State, found: Escape, most: int, time_limit: float, needs_key: bool = False) -> Escape:
    """The line with the most treasure, up to `most`, found in time by the same door as a line; the shortest, if proven.

    Tries all treasure first, then one more at a time.
    """
    deadline = monotonic() + time_limit
    before, _ = followed(state, found)
    door = bytes([door_of(before, found)])

    def search(treasure: int, share: float = 1.0, greed: int = 1) -> Escape:
        limit = share * (deadline - monotonic())
        return escape(state, door, treasure, time_limit=limit, greed=greed, needs_key=needs_key)

    if before.adventurer.treasure >= most:
        return found
    whole = search(most, 0.4)
    if whole.line is None and not whole.is_decided:
        whole = search(most, 0.6, greed=4)
    while whole.line is None:
        more = search(followed(state, found)[0].adventurer.treasure + 1)
        if more.line is None:
            return replace(found, has_most=more.is_lost)
        found = more
    return whole


def followed(state: State, found: Escape) -> tuple[State, State]:
    """The states before and after the last action of a line."""
    before = after = state
    for action in found.line or ():
        before, after = after, rules.step(after, action)[0]
    return before, after


def door_of(before: State, found: Escape) -> int:
    """The tile of the door that a line takes, from the state before its last action."""
    return before.room.tile(rules.destination(before, (found.line or ())[-1]))


class LineFinder:
    """Finds lines for hints, and caches each while the player follows it."""

    def __init__(self) -> None:
        self._cached: dict[tuple[str, int, Moment], Escape] = {}

    def onward(self, state: State, time_limit: float = HINT_TIME_LIMIT_S) -> Escape:
        """A line that does what the goal asks, or as much of it as is found in time; at the least one to any door."""
        aim, held = aim_of(state), state.adventurer.treasure
        goal = held + aim.coins
        if (cached := self._cached.get((state.level.name, goal, packed(state, DOORS, goal).first))) is not None:
            return cached
        found = _onward(state, aim, goal, time_limit)
        self._cached.clear()
        self.follow(state, found)
        return found

    def follow(self, state: State, found: Escape) -> None:
        """Caches a line from a state, and its rest from each state on it."""
        line = found.line or ()
        for made, action in enumerate(line):
            goal = state.adventurer.treasure + aim_of(state).coins
            rest = replace(found, line=line[made:], lower_bound=max(found.lower_bound - made, 0))
            self._cached[state.level.name, goal, packed(state, DOORS, goal).first] = rest
            state = rules.step(state, action)[0]


def _onward(state: State, aim: Aim, goal: int, time_limit: float) -> Escape:
    deadline = monotonic() + time_limit
    for doors, needs_key in ((aim.doors or DOORS, aim.has_key), (aim.doors or DOORS, False), (DOORS, False)):
        found = _to_live(state, doors, needs_key, (deadline - monotonic()) / 2)
        if found.line is not None:
            break
    else:  # treasure may save you behind the door
        found = escape(state, time_limit=(deadline - monotonic()) / 2)
    return found if found.line is None else best_haul(state, found, goal, deadline - monotonic(), needs_key)


def _to_live(state: State, doors: bytes, needs_key: bool, time_limit: float) -> Escape:
    """The shortest line by some doors, but for those behind which you are proven to be lost."""
    while True:
        found = escape(state, doors, time_limit=time_limit, needs_key=needs_key)
        if found.line is None and not found.is_decided:
            found = escape(state, doors, time_limit=time_limit / 4, greed=4, needs_key=needs_key)
        if found.line is None:
            return found
        before, after = followed(state, found)
        if after.status is not Status.PLAYING or not is_lost(after, _ARRIVAL_TIME_LIMIT_S):
            return found
        doors = doors.replace(bytes([door_of(before, found)]), b"")


def _line(parents: list[tuple[int, Action]], at: int) -> tuple[Action, ...]:
    actions = []
    while at:
        at, action = parents[at]
        actions.append(action)
    return tuple(reversed(actions))


def _bound(level: Packed | Ruled, here: Moment) -> int:
    """Lower bound on the moves to leave; FAR if impossible."""
    tiles, width, cell = here.tiles, here.width, here.cell

    # Pillars block unless there is a bomb.
    has_bomb = here.bombs or BOMB in here.items or BOMB in tiles
    walls = (tiles.translate(_WITHOUT_PILLARS) if has_bomb else tiles).translate(_WALLS)
    torus = AMULET in tiles
    coins = _cells(tiles, TREASURE)
    best = FAR

    # For each door: the walk to it, by way of the nth-nearest treasure if n are missing, or of a key.
    for door, price in level.prices.items():
        if door not in tiles or (price.key and KEY not in here.items and KEY not in tiles):
            continue
        to_door = distances(walls, width, *_cells(tiles, door), torus=torus)
        away, missing = to_door[cell], price.treasure - here.treasure
        if missing > 0:
            if torus:  # copies may hold the rest
                missing = 1
            if len(coins) < missing:
                continue
            from_here = distances(walls, width, cell, torus=torus)
            away = sorted(from_here[coin] + to_door[coin] for coin in coins)[missing - 1]
        if price.key and KEY not in here.items:
            from_here = distances(walls, width, cell, torus=torus)
            away = max(away, min(from_here[key] + to_door[key] for key in _cells(tiles, KEY[0])))
        best = min(best, away)
    return best


@lru_cache(1 << 13)
def _cells(tiles: bytes, wanted: int) -> list[int]:
    return [at for at, tile in enumerate(tiles) if tile == wanted]
