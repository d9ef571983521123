"""What a rescue is made of: its state, its actions, its events. All frozen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Event
from dungeon_tui.games.rescue.model.level import Level

ENTRANCE = Cell(0, 0)


class Status(Enum):
    """How far the knight has come."""

    READY = "ready"  # outside the first cell; his health is still to be chosen
    WALKING = "walking"
    SAVED = "saved"
    DIED = "died"


@dataclass(frozen=True, eq=False, slots=True)
class Trail:
    """A cell that was entered, with what was left of the health there; the way so far is shared, not copied."""

    cell: Cell
    health: int
    before: Trail | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A moment of a rescue."""

    level: Level
    status: Status = Status.READY
    cell: Cell = ENTRANCE
    initial: int = 0  # health to start with; 0 before it is chosen
    health: int = 0
    lowest: int = 0  # health so far, the initial one included
    trail: Trail | None = None
    guesses: tuple[int, ...] = ()


def path_of(state: State) -> tuple[Cell, ...]:
    """The cells that the knight has entered, the first one first."""
    cells, trail = [], state.trail
    while trail is not None:
        cells.append(trail.cell)
        trail = trail.before
    return tuple(reversed(cells))


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
    """What a guess hears."""

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
