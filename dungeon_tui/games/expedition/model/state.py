"""An expedition's state, its action, its events. All frozen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice

from dungeon_tui.core.rules import Event
from dungeon_tui.games.expedition.model.level import Level, RoomId


class Status(Enum):
    """The expedition goes on, or all is done."""

    EXPLORING = "exploring"
    EXPLORED = "explored"


@dataclass(frozen=True, eq=False, slots=True)
class Trail:
    """A room that was entered, and the way before it, which is shared, not copied."""

    room: int
    cost: int  # of all steps so far
    before: Trail | None = field(default=None, repr=False)
    _folds: tuple[_Folds, bytes] | None = field(default=None, repr=False)  # the text up to the last fold
    _unfolded: int = field(default=1, repr=False)  # trails since then, this one included

    def onward(self, room: int, cost: int) -> Trail:
        """The trail after a step into a room, with the cost of all steps so far.

        Every 64 steps their text is kept, so that `text` need not read the whole way again.
        """
        if self._unfolded < _FOLD:
            return Trail(room, cost, self, self._folds, self._unfolded + 1)
        return Trail(room, cost, self, (self._folds, self._last_lines()))

    @property
    def text(self) -> bytes:
        """A line for each trail from the start on: its room and its cost."""
        parts, folds = [self._last_lines()], self._folds
        while folds is not None:
            folds, lines = folds
            parts.append(lines)
        return b"".join(reversed(parts))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles it as a plain list: pickle would follow the links too deep."""
        return _trail, ([(trail.room, trail.cost) for trail in _back(self)][::-1],)

    def _last_lines(self) -> bytes:
        lines = [f"{trail.room} {trail.cost}\n" for trail in islice(_back(self), self._unfolded)]
        return "".join(reversed(lines)).encode()


_Folds = tuple["_Folds", bytes] | None
_FOLD = 64  # steps


def _back(trail: Trail | None) -> Iterator[Trail]:
    """The trail, the one before it, and so on back to the start."""
    while trail is not None:
        yield trail
        trail = trail.before


def _trail(steps: Iterable[tuple[int, int]]) -> Trail:
    """The trail of these rooms and costs."""
    (room, cost), *others = steps
    trail = Trail(room, cost)
    for room, cost in others:
        trail = trail.onward(room, cost)
    return trail


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
        """The room in which the party stands."""
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
        """True if a room was seen."""
        return bool(self.seen >> room & 1)


def trails_of(state: State) -> list[Trail]:
    """The trails of all rooms entered, from the start to the present one."""
    return [*_back(state.trail)][::-1]


@dataclass(frozen=True, slots=True)
class Walk:
    """A step through a corridor into a neighbouring room."""

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
    """All that was asked is done."""

    cost: int
