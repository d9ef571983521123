"""Exact answers about a level of the deep: the fewest moves that leave it, or that it can't be left any more.

A* over packed moments. Its bound is the walk to a door as if no monster were there, by the treasure that it still asks
for; no pillar counts where there is a bomb, and under an amulet no edge, since copies of the level may lie behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import heappop, heappush
from time import monotonic

from dungeon_tui.games.deep.ai.packed import BOMB, FAR, KEY, Moment, Packed, UnknownHabitError, distances, packed
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import Level
from dungeon_tui.games.deep.model.descent import exit_of
from dungeon_tui.games.deep.model.room import AMULET, CHASM, DOORS, OPEN, PILLAR, TREASURE, Room
from dungeon_tui.games.deep.model.state import Action, State, Status

MOST_STATES = 1_000_000  # some 750 bytes each on a level of the story

_WITHOUT_PILLARS = bytes(OPEN if tile == PILLAR else tile for tile in range(256))
_WALLS = bytes(tile if tile in bytes([PILLAR, CHASM]) else OPEN for tile in range(256))


@dataclass(frozen=True, slots=True)
class Escape:
    """An answer: a line out, or that there is none, or neither within what was allowed."""

    line: tuple[Action, ...] | None
    is_decided: bool  # the line is a shortest one, or there is none at all
    lower_bound: int  # moves that are needed at least; FAR where it is lost
    states: int  # that were met

    @property
    def is_lost(self) -> bool:
        """True if it is proven that the level can't be left."""
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
    """The fewest moves that leave the level of a state, which goes on.

    Args:
        state: a moment of the game.
        doors: the tiles of the doors by which it may be left.
        treasure: how much one must carry then, beside what the door asks for.
        most_states: moments that may be met, after which it is not decided.
        time_limit: seconds, the same.
        greed: by how much more the walk that is left counts; above 1 a line is found sooner and may not be shortest.
    """
    if state.status is not Status.PLAYING:
        raise ValueError("the game is over")
    deadline = None if time_limit is None else monotonic() + time_limit
    try:
        level = packed(state, doors, treasure)
    except UnknownHabitError:
        return Escape(None, False, 0, 0)
    bound = _bound(level, level.first)
    if bound >= FAR:
        return Escape(None, True, FAR, 1)
    least = {level.first: 0}
    parents: list[tuple[int, Action]] = [(-1, Action.STAY)]
    queue: list[tuple[int, int, int, Moment | None]] = [(greed * bound, 0, 0, level.first)]
    lower = bound
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


def lost_since(states: Sequence[State], *, time_limit: float = 10.0) -> tuple[int, bool]:
    """The number of the first of successive states from which the level can't be left any more.

    The state before it is the last chance. What is lost stays lost, so a few searches are enough.

    Returns:
        That number, the count of states where none is lost; and whether all of it is proven within the time.
    """
    low, high = 0, len(states)
    deadline = monotonic() + time_limit
    while low < high:
        middle = (low + high) // 2
        state = states[middle]
        if state.status is Status.WON:
            low = middle + 1
        elif state.status is Status.DIED:
            high = middle
        else:
            found = escape(state, time_limit=max(deadline - monotonic(), 0.0), greed=4)
            if found.line is None and not found.is_decided:
                return high, False
            low, high = (low, middle) if found.is_lost else (middle + 1, high)
    return low, True


def can_leave(state: State, door: int, treasure: int) -> bool:
    """True if a line is found that leaves by a door with so much treasure: the prover of the descent's levels."""
    return escape(state, bytes([door]), treasure, most_states=1_000, greed=3).line is not None


class Hints:
    """Next steps of proven lines. A line is kept as long as the player goes along it."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, bytes, int, Moment], Escape] = {}
        self._barren: set[str] = set()  # levels with treasure to which no way was found

    def ask(self, state: State, doors: bytes = DOORS, treasure: int = 0, time_limit: float = 10.0) -> Escape:
        """The answer for a state: the rest of a line that was found before, or what a search finds in time."""
        try:
            level = packed(state, doors, treasure)
        except UnknownHabitError:
            return Escape(None, False, 0, 0)
        if (kept := self._kept.get((state.level.name, doors, treasure, level.first))) is not None:
            return kept
        found = escape(state, doors, treasure, time_limit=time_limit)
        if found.line is None and not found.is_decided:
            found = escape(state, doors, treasure, time_limit=time_limit / 4, greed=4)
        self._kept.clear()
        here: Moment | None = level.first
        for made, action in enumerate(found.line or ()):
            assert here is not None, "a line leaves at its end"
            rest = replace(found, line=(found.line or ())[made:], lower_bound=max(found.lower_bound - made, 0))
            self._kept[state.level.name, doors, treasure, here] = rest
            here = dict(level.after(here))[action]
        return found

    def onward(self, state: State, time_limit: float = 10.0) -> Escape:
        """A line to a door not taken yet; without one to one treasure more; then towards a level that has either.

        Where there is none of these, to any door. In a descent the door that leads on comes first. Each is searched for
        as long as the limit says.
        """
        treasure = state.adventurer.treasure + 1
        new = bytes([exit_of(state.level)]) if state.campaign.is_descent else _new_doors(state, state.level)
        if new and (found := self.ask(state, new, 0, time_limit)).line:
            return found
        if self._may_have_treasure(state.level.name, state.room):
            if (found := self.ask(state, DOORS, treasure, time_limit)).line:
                return found
            self._barren.add(state.level.name)
        if (door := self._door_towards_more(state)) and (found := self.ask(state, door, 0, time_limit)).line:
            return found
        return self.ask(state, time_limit=time_limit)

    def _door_towards_more(self, state: State) -> bytes:
        """The first door on a shortest way to another known level that is worth a visit; empty where there is none."""
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
    """The ways out of a known level, and its doors to levels where nobody has been."""
    return bytes(
        tile for tile, door in level.doors.items() if door.ending or door.to not in {*state.left, state.level.name}
    )


def _line(parents: list[tuple[int, Action]], at: int) -> tuple[Action, ...]:
    actions = []
    while at:
        at, action = parents[at]
        actions.append(action)
    return tuple(reversed(actions))


def _bound(level: Packed, here: Moment) -> int:
    """Moves that are needed at least to leave; FAR where that is impossible."""
    tiles, width, cell = here.tiles, here.width, here.cell
    has_bomb = here.bombs or BOMB in here.items or BOMB in tiles
    walls = (tiles.translate(_WITHOUT_PILLARS) if has_bomb else tiles).translate(_WALLS)
    torus = AMULET in tiles
    coins = _places(tiles, TREASURE)
    best = FAR
    for door, price in level.prices.items():
        if door not in tiles or (price.key and KEY not in here.items and KEY not in tiles):
            continue
        to_door = distances(walls, width, *_places(tiles, door), torus=torus)
        away, missing = to_door[cell], price.treasure - here.treasure
        if missing > 0:
            if torus:  # each coin may be there often
                missing = 1
            if len(coins) < missing:
                continue
            from_here = distances(walls, width, cell, torus=torus)
            away = sorted(from_here[coin] + to_door[coin] for coin in coins)[missing - 1]
        best = min(best, away)
    return best


@lru_cache(1 << 13)
def _places(tiles: bytes, wanted: int) -> list[int]:
    return [at for at, tile in enumerate(tiles) if tile == wanted]
