"""A rescue's state, its actions, its events. All frozen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, TypeVar

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Event
from dungeon_tui.games.rescue.model.level import Level

ENTRANCE = Cell(0, 0)
ItemT = TypeVar("ItemT")


class Status(Enum):
    """The stages of a rescue."""

    READY = "ready"  # outside the first cell; his health is still to be chosen
    WALKING = "walking"
    SAVED = "saved"
    DIED = "died"


@dataclass(frozen=True, eq=False, slots=True)
class Past(Generic[ItemT]):
    """Things that happened, the last one first; all before it is shared with other states, not copied."""

    last: ItemT
    before: Past[ItemT] | None = field(default=None, repr=False)
    count: int = 1

    def __iter__(self) -> Iterator[ItemT]:
        """The things, the last one first."""
        past: Past[ItemT] | None = self
        while past is not None:
            yield past.last
            past = past.before

    def __len__(self) -> int:
        return self.count

    def __reduce__(self) -> tuple[object, ...]:
        """For pickle, which would follow it thing by thing into the depth."""
        return _past, ([*self][::-1],)


def _past(items: Iterable[ItemT]) -> Past[ItemT] | None:
    past: Past[ItemT] | None = None
    for item in items:
        past = onward(past, item)
    return past


def onward(past: Past[ItemT] | None, item: ItemT) -> Past[ItemT]:
    """The past with one thing more; None is an empty one."""
    return Past(item, past, 1 if past is None else past.count + 1)


@dataclass(frozen=True, slots=True)
class State:
    """A moment of a rescue."""

    level: Level
    status: Status = Status.READY
    cell: Cell = ENTRANCE
    initial: int = 0  # health to start with; 0 before it is chosen
    health: int = 0
    lowest: int = 0  # health so far, the initial one included
    trail: Past[Entered] | None = None  # the cells that were entered
    guesses: Past[int] | None = None

    @property
    def is_over(self) -> bool:
        """True once he is saved or dead."""
        return self.status in (Status.SAVED, Status.DIED)


def path_of(state: State) -> tuple[Cell, ...]:
    """The cells that the knight has entered, the first one first."""
    return tuple(entered.cell for entered in state.trail or ())[::-1]


@dataclass(frozen=True, slots=True)
class Guess:
    """The least health might be this."""

    health: int


@dataclass(frozen=True, slots=True)
class SetOut:
    """The knight enters the first cell with so much health."""

    health: int


@dataclass(frozen=True, slots=True)
class Walk:
    """A step to the right, or down."""

    direction: Direction


Action = Guess | SetOut | Walk


class Answer(Enum):
    """The answers to a guess."""

    TOO_LITTLE = "too little"
    TOO_MUCH = "too much"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Guessed(Event):
    """A guess was answered."""

    health: int
    answer: Answer
    is_warmer: bool | None  # than the guess before; None where there was none, or both are as far off


@dataclass(frozen=True, slots=True)
class Entered(Event):
    """The knight came into a cell."""

    cell: Cell
    value: int
    health: int  # afterwards


@dataclass(frozen=True, slots=True)
class Saved(Event):
    """The princess is free."""


@dataclass(frozen=True, slots=True)
class Died(Event):
    """No health was left."""
