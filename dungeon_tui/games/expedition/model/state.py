"""An expedition's state, actions and events, all frozen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from dungeon_tui.core.rules import Event
from dungeon_tui.games.expedition.model.level import Level, RoomId


class Status(Enum):
    """The expedition goes on, or how it ended."""

    EXPLORING = "exploring"
    EXPLORED = "explored"
    DARK = "dark"  # the torch burned out on the way, or has too little left for any step


@dataclass(frozen=True, eq=False, slots=True)
class Trail:
    """A room that was entered, linked to the trail before it, which is shared, not copied."""

    room: int
    cost: int  # of all steps so far
    before: Trail | None = field(default=None, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles as a flat list, since pickling the links would recurse too deeply."""
        return _trail, ([(trail.room, trail.cost) for trail in _back(self)][::-1],)


def _back(trail: Trail | None) -> Iterator[Trail]:
    """The trail, its predecessor, and so on to the start."""
    while trail is not None:
        yield trail
        trail = trail.before


def _trail(steps: Iterable[tuple[int, int]]) -> Trail | None:
    trail = None
    for room, cost in steps:
        trail = Trail(room, cost, trail)
    return trail


@dataclass(frozen=True, slots=True)
class State:
    """A state of an expedition; rooms are indices into the level's list."""

    level: Level = field(repr=False)
    trail: Trail
    seen: int  # the seen rooms, as bits
    steps: int = 0
    status: Status = Status.EXPLORING

    @property
    def room(self) -> int:
        """The party's room."""
        return self.trail.room

    @property
    def cost(self) -> int:
        """Cost of all steps so far."""
        return self.trail.cost

    @property
    def seen_count(self) -> int:
        """Number of rooms seen."""
        return self.seen.bit_count()

    def has_seen(self, room: int) -> bool:
        """True if the room has been seen."""
        return bool(self.seen >> room & 1)


def trails_of(state: State) -> list[Trail]:
    """The trails of all rooms entered, from the start on."""
    return [*_back(state.trail)][::-1]


def reached(state: State) -> list[Trail]:
    """The trails of all rooms reached: without the last one entered if the torch didn't last for that step."""
    torch = state.level.torch
    return [trail for trail in trails_of(state) if torch is None or trail.cost <= torch]


@dataclass(frozen=True, slots=True)
class Walk:
    """A step through a corridor into a neighbouring room."""

    to: RoomId


Action = Walk


class Walked(Event):
    """The party entered a room."""

    to: int
    cost: int  # of this step


class RoomSeen(Event):
    """A room was seen for the first time."""

    room: int
    seen: int  # number of rooms seen


class Explored(Event):
    """The task is done."""

    cost: int


class TorchBurnedOut(Event):
    """The walk came to cost more than the torch lasts, or any further step would."""
