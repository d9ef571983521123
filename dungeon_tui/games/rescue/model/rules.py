"""The rescue's state and rules: choose a health, walk right or down, stay alive. All values are frozen.

In a purchase, health and power-ups cost gold, and the knight walks in all four directions.

Source:
    The puzzle "Dungeon Game" of interview courses, as docs/games/rescue.md restates it; each function quotes the
    sentence it obeys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache

from dungeon_tui import engine
from dungeon_tui.core.grid import FOUR_WAYS, Cell, Direction
from dungeon_tui.core.rules import Event, IllegalActionError, Outcome
from dungeon_tui.games.rescue.model.level import MOST, Level

VERSION = 3
WAYS = (Direction.RIGHT, Direction.DOWN)
BEYOND = MOST + 1  # stands for a health beyond 64 bits
_FEW = (1, 2, 10, 1000)  # healths to list as legal actions, of all that are
ENTRANCE = Cell(0, 0)


class Status(Enum):
    """The stages of a rescue."""

    READY = "ready"  # outside the first cell, without a health
    WALKING = "walking"
    SAVED = "saved"
    DIED = "died"


@dataclass(frozen=True, eq=False, slots=True)
class Past:
    """The entered cells, a linked list from the last one back, which states share instead of copying."""

    last: Entered
    before: Past | None = field(default=None, repr=False)
    count: int = 1

    def __iter__(self) -> Iterator[Entered]:
        past: Past | None = self
        while past is not None:
            yield past.last
            past = past.before

    def __len__(self) -> int:
        return self.count


def onward(past: Past | None, entered: Entered) -> Past:
    """The past with one more cell; None is an empty past."""
    return Past(entered, past, 1 if past is None else past.count + 1)


@dataclass(frozen=True, slots=True)
class State:
    """A state of a rescue."""

    level: Level = field(repr=False)
    status: Status = Status.READY
    cell: Cell = ENTRANCE
    initial: int = 0  # health to start with; 0 before it is chosen
    health: int = 0
    lowest: int = 0  # lowest health so far, the initial one included
    trail: Past | None = None
    taken: frozenset[Cell] = frozenset()  # in a purchase, cells whose power-ups he has taken

    @property
    def is_over(self) -> bool:
        """True after the end."""
        return self.status not in (Status.READY, Status.WALKING)

    @property
    def spent(self) -> int:
        """Gold spent in a purchase: 1 per health, the fee per power-up."""
        return self.initial + (self.level.fee or 0) * len(self.taken)

    @property
    def need(self) -> int:
        """The least health to set out with for the path so far."""
        return self.initial - self.lowest + 1

    def value(self, cell: Cell) -> int:
        """The change of his health on entering a cell now."""
        return 0 if cell in self.taken else int(self.level.grid[cell])


def path_of(state: State) -> tuple[Cell, ...]:
    return tuple(entered.cell for entered in state.trail or ())[::-1]


@dataclass(frozen=True, slots=True)
class SetOut:
    """The knight enters the first cell with this health."""

    health: int


@dataclass(frozen=True, slots=True)
class Walk:
    """A step in a direction."""

    direction: Direction


Action = SetOut | Walk


class Entered(Event):
    """The knight entered a cell."""

    cell: Cell
    value: int
    health: int  # afterwards


class Paid(Event):
    """The knight paid for a power-up, which is gone now."""

    gold: int


class Saved(Event):
    """The princess is free."""


class Died(Event):
    """No health was left."""


# -- the rules

UNLISTED: frozenset[type] = frozenset({SetOut})


def start(level: Level, seed: int = 0) -> State:
    return State(level)


def legal_actions(state: State) -> tuple[Action, ...]:
    actions: tuple[Action, ...] = (*map(SetOut, _FEW), *map(Walk, ways(state.level)))
    return tuple(action for action in actions if objection(state, action) is None)


def objection(state: State, action: Action) -> str | None:
    level = state.level
    if state.is_over:
        return f"the rescue is over ({state.status.value}): undo or restart"
    if isinstance(action, Walk):
        if state.status is Status.READY:
            return "choose his health first"
        way, cell = action.direction, state.cell.neighbour(action.direction)
        if way not in ways(level):
            return f"the knight can't go {way.words}: he walks right and down only"
        if not cell.is_inside(*level.grid.shape):
            return f"the knight can't go {way.words}: the grid ends there"
        left = level.purse - state.spent
        if level.fee and state.value(cell) > 0 and left < level.fee:
            return f"the knight can't go {way.words}: that power-up costs {level.fee} gold, and he has {left}"
        return None
    if state.status is not Status.READY:
        return "the knight is on his way: you chose his health"
    if not 1 <= action.health <= MOST:
        return f"a health is a whole number from 1 to {MOST}, not {action.health}"
    if level.fee is not None:
        left = level.purse - (level.fee if level.grid[ENTRANCE] > 0 else 0)
        return None if action.health <= left else f"health costs 1 gold each, and you have {left} gold"
    return None


def ways(level: Level) -> Sequence[Direction]:
    """The directions that the knight may walk in: right and down; in a purchase all four."""
    return WAYS if level.fee is None else (*WAYS, Direction.UP, Direction.LEFT)


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    if (problem := objection(state, action)) is not None:
        raise IllegalActionError(problem)
    match action:
        case Walk(direction=direction):
            return _enter(state, state.cell.neighbour(direction))
        case SetOut(health=health):
            return _enter(replace(state, initial=health, health=health, lowest=health), ENTRANCE)


def outcome(state: State) -> Outcome | None:
    if state.status is Status.SAVED and state.level.fee is not None:
        return Outcome("saved", f"The knight reached the princess for {state.spent} gold.", is_win=True)
    if state.status is Status.SAVED:
        left = f"{state.health} of {state.initial} health left"
        if state.health >= state.initial:
            left = f"{state.health} health, from {state.initial}"
        return Outcome("saved", f"The knight reached the princess with {left}.", is_win=True)
    if state.status is Status.DIED:
        reason = f"The knight died at {state.cell.text}: {state.initial} health was too little for this path."
        return Outcome("died", reason, is_win=False)
    return None


def action_text(action: Action) -> str:
    """An action as recordings write it: `health 7` to set out, or a direction such as `right`."""
    return action.direction.name.lower() if isinstance(action, Walk) else f"health {action.health}"


def read_action(text: str) -> Action:
    for way in FOUR_WAYS:
        if text == way.name.lower():
            return Walk(way)
    found = re.fullmatch(r"health ([0-9]{1,19})", text)
    if found is None:
        raise ValueError(f"{text!r} is not an action")
    return SetOut(int(found[1]))


@lru_cache(maxsize=2)
def least_health(level: Level) -> int:
    """The least health to reach the princess with; BEYOND if it exceeds 64 bits."""
    try:
        return engine.minimum_health(level.grid)
    except ValueError:
        return BEYOND


def _enter(state: State, cell: Cell) -> tuple[State, tuple[Event, ...]]:
    """The state after the knight enters a cell, and the events: Entered, and Died or Saved at the end.

    Rule: "Values are added to the knight's health on entering it, the first cell included; health must stay above 0 at
    all times." In a purchase: "A power-up is taken once, for its fee."
    """
    value, fee, taken = state.value(cell), state.level.fee, state.taken
    health = state.health + value
    entered = Entered(cell, value, health)
    events: tuple[Event, ...] = (entered,)
    if fee is not None and value > 0:
        taken, events = taken | {cell}, (entered, Paid(fee))
    status = Status.WALKING
    if health <= 0:
        status, events = Status.DIED, (*events, Died())
    elif cell == state.level.princess:
        status, events = Status.SAVED, (*events, Saved())
    lowest = min(state.lowest, health)
    trail = onward(state.trail, entered)
    after = replace(state, status=status, cell=cell, health=health, lowest=lowest, trail=trail, taken=taken)
    return after, events
