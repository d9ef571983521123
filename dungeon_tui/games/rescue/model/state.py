"""A rescue's state, its actions, its events. All frozen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Event
from dungeon_tui.games.rescue.model.level import Level

ENTRANCE = Cell(0, 0)


class Status(Enum):
    """The stages of a rescue."""

    READY = "ready"  # outside the first cell; his health is still to be chosen
    WALKING = "walking"
    SAVED = "saved"
    DIED = "died"


_FOLD = 256  # cells whose lines are kept as one text
_Folds = tuple[bytes, "_Folds | None"]


@dataclass(frozen=True, eq=False, slots=True)
class Trail:
    """A cell that was entered, with the health left there; the way before it is shared, not copied."""

    cell: Cell
    health: int
    before: Trail | None = field(default=None, repr=False)
    _folds: _Folds | None = field(default=None, repr=False)  # the text before the present fold

    def onward(self, cell: Cell, health: int) -> Trail:
        """The trail one step further."""
        is_folded = sum(cell) % _FOLD == 0
        return Trail(cell, health, self, (self._last_lines(), self._folds) if is_folded else self._folds)

    def __iter__(self) -> Iterator[Trail]:
        """The trails from here back to the first cell."""
        trail: Trail | None = self
        while trail is not None:
            yield trail
            trail = trail.before

    @property
    def text(self) -> bytes:
        """A line for each cell, from here back to the first one, without reading them all again."""
        parts, folds = [self._last_lines()], self._folds
        while folds is not None:
            lines, folds = folds
            parts.append(lines)
        return b"".join(parts)

    def __reduce__(self) -> tuple[object, ...]:
        """For pickle, which would follow the way step by step into the depth."""
        return _trail, ([(trail.cell, trail.health) for trail in self][::-1],)

    def _last_lines(self) -> bytes:
        """The lines of the present fold: a cell's row and column add up to the steps before it."""
        fold = islice(self, sum(self.cell) % _FOLD + 1)
        return "".join([f"{trail.cell.row} {trail.cell.col} {trail.health}\n" for trail in fold]).encode()


def _trail(places: Iterable[tuple[Cell, int]]) -> Trail:
    """The trail of these cells and healths, the first one first."""
    (cell, health), *onward = places
    trail = Trail(cell, health)
    for cell, health in onward:
        trail = trail.onward(cell, health)
    return trail


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

    @property
    def is_over(self) -> bool:
        """True once he is saved or dead."""
        return self.status in (Status.SAVED, Status.DIED)


def path_of(state: State) -> tuple[Cell, ...]:
    """The cells that the knight has entered, the first one first."""
    return tuple(trail.cell for trail in state.trail or ())[::-1]


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
