"""What an expedition is made of: its state, its action, its events. All frozen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from dungeon_tui.core.rules import Event
from dungeon_tui.games.expedition.model.level import Level, RoomId


class Status(Enum):
    """How far the expedition has come."""

    EXPLORING = "exploring"
    EXPLORED = "explored"


@dataclass(frozen=True, eq=False, slots=True)
class Trail:
    """A room that was entered and what all steps cost so far; the way before it is shared, not copied."""

    room: int
    cost: int
    before: Trail | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A moment of an expedition. Rooms are their places in the level's list."""

    level: Level
    trail: Trail
    seen: int  # the rooms seen, one bit each
    steps: int = 0
    status: Status = Status.EXPLORING

    @property
    def room(self) -> int:
        """Where the party is."""
        return self.trail.room

    @property
    def cost(self) -> int:
        """Of all steps so far."""
        return self.trail.cost

    @property
    def seen_count(self) -> int:
        """How many rooms were seen."""
        return self.seen.bit_count()

    def has_seen(self, room: int) -> bool:
        """Whether a room was seen."""
        return bool(self.seen >> room & 1)


def trails_of(state: State) -> list[Trail]:
    """The trail room by room, from the start on."""
    trails: list[Trail] = []
    trail: Trail | None = state.trail
    while trail is not None:
        trails.append(trail)
        trail = trail.before
    return trails[::-1]


@dataclass(frozen=True, slots=True)
class Walk:
    """Through a corridor into a neighbouring room."""

    to: RoomId


Action = Walk


@dataclass(frozen=True, slots=True)
class Walked(Event):
    """The party came into a room."""

    to: int
    cost: int  # of this step


@dataclass(frozen=True, slots=True)
class RoomSeen(Event):
    """A room was seen for the first time."""

    room: int
    seen: int  # rooms so far


@dataclass(frozen=True, slots=True)
class Explored(Event):
    """The quest is done."""

    cost: int
