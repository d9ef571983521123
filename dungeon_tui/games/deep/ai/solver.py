"""Exact answers about a level of the deep: the fewest moves that leave it, or a proof that none do.

A* over packed moments. The bound is the shortest walk to a door, by way of the treasure still missing, as if there were
no monsters. With a bomb, pillars don't block it; with an amulet it wraps around the edges, since copies may lie beyond.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import heappop, heappush
from time import monotonic

from dungeon_tui.games.deep.ai.packed import BOMB, FAR, KEY, Moment, Packed, Ruled, distances, packed
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import Level
from dungeon_tui.games.deep.model.descent import exit_of
from dungeon_tui.games.deep.model.room import AMULET, CHASM, DOORS, OPEN, PILLAR, TREASURE, Room
from dungeon_tui.games.deep.model.state import Action, State, Status

MOST_STATES = 1_000_000  # about 750 bytes each on a level of the story

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
) -> Escape:
    """The fewest moves that leave the level by some doors' tiles with at least a treasure, within the limits.

    `greed` weights the bound: above 1 a line is found sooner, but may not be shortest. Raises ValueError at the end.
    """
    if state.status is not Status.PLAYING:
        raise ValueError("the game is over")
    deadline = None if time_limit is None else monotonic() + time_limit
    level = packed(state, doors, treasure)
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
    return escape(state, bytes([door]), treasure, most_states=1_000, greed=3).line is not None


def best_haul(state: State, line: tuple[Action, ...], time_limit: float) -> tuple[Action, ...]:
    """The line by the same door as a line with the most treasure found in time, each the shortest for its haul."""
    deadline = monotonic() + time_limit
    while True:
        here, end = state, state
        for action in line:
            here, end = end, rules.step(end, action)[0]
        door = here.room.tile(rules.destination(here, line[-1])[0])
        wanted = here.adventurer.treasure + 1
        found = escape(state, bytes([door]), wanted, time_limit=deadline - monotonic())
        if found.line is None:
            return line
        line = found.line


class LineFinder:
    """Finds lines for hints, and caches each while the player follows it."""

    def __init__(self) -> None:
        self._cached: dict[tuple[str, bytes, int, Moment], Escape] = {}
        self._barren: set[str] = set()  # levels whose treasure is out of reach

    def ask(self, state: State, doors: bytes = DOORS, treasure: int = 0, time_limit: float = 10.0) -> Escape:
        """The answer for a state: the rest of a cached line, or a search."""
        level = packed(state, doors, treasure)
        if (cached := self._cached.get((state.level.name, doors, treasure, level.first))) is not None:
            return cached
        found = escape(state, doors, treasure, time_limit=time_limit)
        if found.line is None and not found.is_decided:
            found = escape(state, doors, treasure, time_limit=time_limit / 4, greed=4)
        self._cached.clear()
        here: Moment | None = level.first
        for made, action in enumerate(found.line or ()):
            assert here is not None, "a line leaves at its end"
            rest = replace(found, line=(found.line or ())[made:], lower_bound=max(found.lower_bound - made, 0))
            self._cached[state.level.name, doors, treasure, here] = rest
            here = dict(level.after(here))[action]
        return found

    def onward(self, state: State, time_limit: float = 10.0) -> Escape:
        """A line to the next useful goal; each search has the time limit.

        The goals in order: a new door with one more treasure, a new door, one more treasure, a door towards a level
        with either, any door; not through doors behind which you are proven to be lost. In a descent the exit comes
        first; in a vault treasure does, since it is worth points.
        """
        treasure = state.adventurer.treasure + 1
        new = _new_doors(state, state.level)
        if state.campaign.is_descent:
            new = bytes([exit_of(state.level)]) if state.level.name.isdecimal() else b""
        is_coin_left = not state.campaign.is_descent and self._may_have_treasure(state.level.name, state.room)
        if new and is_coin_left and (found := self._to_live(state, new, treasure, time_limit / 2)).line:
            return found
        if new and (found := self._to_live(state, new, 0, time_limit)).line:
            return found
        if self._may_have_treasure(state.level.name, state.room):
            if (found := self._to_live(state, DOORS, treasure, time_limit)).line:
                return found
            self._barren.add(state.level.name)
        if (door := self._door_towards_more(state)) and (found := self._to_live(state, door, 0, time_limit)).line:
            return found
        found = self._to_live(state, DOORS, 0, time_limit)
        return found if found.line else self.ask(state, time_limit=time_limit)

    def _to_live(self, state: State, doors: bytes, treasure: int, time_limit: float) -> Escape:
        """The answer of `ask`, but for doors behind which you are proven to be lost."""
        while (found := self.ask(state, doors, treasure, time_limit)).line:
            after, door = state, 0
            for action in found.line:
                door, after = after.room.tile(rules.destination(after, action)[0]), rules.step(after, action)[0]
            if after.status is not Status.PLAYING or not is_lost(after, _ARRIVAL_TIME_LIMIT_S):
                break
            doors = bytes(each for each in doors if each != door)
        return found

    def _door_towards_more(self, state: State) -> bytes:
        """The first door on a shortest way to another known level with new doors or treasure, or ""."""
        rooms = {**state.left, state.level.name: state.room}
        first, queue = {state.level.name: b""}, [state.level]
        for level in queue:
            there = replace(state, level=level)
            is_new = any(rules.can_pay(there, tile, level.doors[tile]) for tile in _new_doors(state, level))
            if first[level.name] and (is_new or self._may_have_treasure(level.name, rooms[level.name])):
                return first[level.name]
            for tile, door in level.doors.items():
                if door.to in rooms and door.to not in first and rules.can_pay(there, tile, door):
                    first[door.to] = first[level.name] or bytes([tile])
                    queue.append(state.campaign.levels[door.to])
        return b""

    def _may_have_treasure(self, name: str, room: Room) -> bool:
        return name not in self._barren and TREASURE in room.board.copy()


def _new_doors(state: State, level: Level) -> bytes:
    return bytes(
        tile for tile, door in level.doors.items() if door.ending or door.to not in {*state.left, state.level.name}
    )


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

    # For each door: the walk to it, by way of the nth-nearest treasure if n are missing.
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
        best = min(best, away)
    return best


@lru_cache(1 << 13)
def _cells(tiles: bytes, wanted: int) -> list[int]:
    return [at for at, tile in enumerate(tiles) if tile == wanted]
