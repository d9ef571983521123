"""The rescue's state, and its rules: choose a health, walk right or down, stay alive. All values are frozen.

In a purchase health and power-ups cost gold, and he walks all four ways; in a guess the least health is all that is
asked for.

Source:
    The puzzle "Dungeon Game" of interview courses, as docs/games/rescue.md restates it; each function names the
    sentence it obeys.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from typing import Generic, TypeVar

from dungeon_tui import engine
from dungeon_tui.core.grid import FOUR_WAYS, Cell, Direction
from dungeon_tui.core.rules import Event, IllegalActionError, Outcome
from dungeon_tui.games.rescue.model.level import MOST, Level

VERSION = 1
WAYS = (Direction.RIGHT, Direction.DOWN)
BEYOND = MOST + 1  # more health than any knight can have
_FOLD = 256  # cells of a way whose part of a fingerprint is remembered as one text
_FEW = (1, 2, 10, 1000)  # healths that are offered where any may be chosen
ENTRANCE = Cell(0, 0)
ItemT = TypeVar("ItemT")


class Status(Enum):
    """The stages of a rescue."""

    READY = "ready"  # outside the first cell; his health is still to be chosen
    WALKING = "walking"
    SAVED = "saved"
    DIED = "died"
    FOUND = "found"  # the least health, where only that was asked for
    MISSED = "missed"  # with as many guesses as halving takes


@dataclass(frozen=True, eq=False, slots=True)
class Past(Generic[ItemT]):
    """A list of things that happened, linked from the last one back, so that states share it instead of copying."""

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
        """Pickles it as a plain list: pickle would follow the links too deep."""
        return _past, ([*self][::-1],)


def _past(items: Iterable[ItemT]) -> Past[ItemT] | None:
    past: Past[ItemT] | None = None
    for item in items:
        past = onward(past, item)
    return past


def onward(past: Past[ItemT] | None, item: ItemT) -> Past[ItemT]:
    """A new past with one thing more, which is its last; None stands for an empty past."""
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
    taken: frozenset[Cell] = frozenset()  # the cells of a purchase whose power-ups are gone

    @property
    def is_over(self) -> bool:
        """True once the princess is reached, the knight dead, or the guessing over."""
        return self.status not in (Status.READY, Status.WALKING)

    @property
    def spent(self) -> int:
        """Gold that a purchase took so far: 1 for each health, the fee for each power-up."""
        return self.initial + (self.level.fee or 0) * len(self.taken)

    def value(self, cell: Cell) -> int:
        """The number that entering a cell adds to his health now."""
        return 0 if cell in self.taken else int(self.level.grid[cell])


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
class Paid(Event):
    """Gold was paid for a power-up, which is gone now."""

    gold: int


@dataclass(frozen=True, slots=True)
class Saved(Event):
    """The princess is free."""


@dataclass(frozen=True, slots=True)
class Died(Event):
    """No health was left."""


# -- the rules

UNLISTED: frozenset[type] = frozenset({Guess, SetOut})


def start(level: Level, seed: int = 0) -> State:
    """State before the knight enters the first cell. Nothing is left to chance: the seed plays no part."""
    return State(level)


def legal_actions(state: State) -> tuple[Action, ...]:
    """The steps right and down; before he sets out a few healths to set out with, and to guess until one was right.

    After the end there are none. Other healths are legal, too.
    """
    actions: tuple[Action, ...] = (*map(SetOut, _FEW), *map(Guess, _FEW), *map(Walk, ways(state.level)))
    return tuple(action for action in actions if objection(state, action) is None)


def objection(state: State, action: Action) -> str | None:
    """Reason why `step` refuses an action; None if it is legal.

    A step leads off the grid, or, but in a purchase, up or left; a health is below 1 or above MOST; a guess follows the
    right one; the purse is too small; or it is not the moment for such an action.
    """
    level = state.level
    if state.is_over:
        return f"the rescue is over ({state.status.value}): undo or restart"
    if level.is_guessed and not isinstance(action, Guess):
        return "the knight stays at home: guess the least health that he would need"
    if isinstance(action, Walk):
        if state.status is Status.READY:
            return "the knight waits outside: choose his health first"
        way, cell = action.direction, state.cell.neighbour(action.direction)
        if way not in ways(level):
            return f"you can't go {way.words}: the knight walks right and down only"
        if not cell.is_inside(*level.grid.shape):
            return f"you can't go {way.words}: the grid ends there"
        left = level.purse - state.spent
        if level.fee and state.value(cell) > 0 and left < level.fee:
            return f"you can't go {way.words}: that power-up costs {level.fee} gold, and the knight has {left}"
        return None
    if state.status is not Status.READY:
        return "the knight is on his way: his health was chosen"
    if not 1 <= action.health <= MOST:
        return f"a health is a whole number from 1 to {MOST}, not {action.health}"
    if level.fee is not None:
        if isinstance(action, Guess):
            return "there is nothing to guess in a purchase: buy health, and walk"
        left = level.purse - (level.fee if level.grid[ENTRANCE] > 0 else 0)
        return None if action.health <= left else f"health costs 1 gold each, and there are {left}"
    if isinstance(action, Guess) and state.guesses and state.guesses.last == least_health(state.level):
        return f"it was guessed: {state.guesses.last} is right; choose a health"
    return None


def ways(level: Level) -> Sequence[Direction]:
    """The ways that the knight may go: right and down; in a purchase all four."""
    return WAYS if level.fee is None else (*WAYS, Direction.UP, Direction.LEFT)


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after a guess, the choice of a health or a step, and its events.

    Raises:
        IllegalActionError: as `objection` says.
    """
    if (problem := objection(state, action)) is not None:
        raise IllegalActionError(problem)
    match action:
        case Walk(direction=direction):
            return _enter(state, state.cell.neighbour(direction))
        case Guess(health=health):
            return _guess(state, health)
        case SetOut(health=health):
            return _enter(replace(state, initial=health, health=health, lowest=health), ENTRANCE)


def outcome(state: State) -> Outcome | None:
    """The end of the rescue; None while it goes on."""
    if state.status is Status.FOUND:
        return Outcome("found", f"{least_health(state.level)} is the least: {_guessed(state)}.", is_win=True)
    if state.status is Status.MISSED:
        return Outcome("missed", f"Not found: {_guessed(state)}.", is_win=False)
    if state.status is Status.SAVED and state.level.fee is not None:
        return Outcome("saved", f"The knight reached the princess for {state.spent} gold.", is_win=True)
    if state.status is Status.SAVED:
        left = f"{state.health} of {state.initial} health left"
        if state.health >= state.initial:
            left = f"{state.health} health, from {state.initial}"
        return Outcome("saved", f"The knight reached the princess with {left}.", is_win=True)
    if state.status is Status.DIED:
        reason = f"The knight died at {state.cell.place}: {state.initial} health was too little for this way."
        return Outcome("died", reason, is_win=False)
    return None


def action_text(action: Action) -> str:
    """An action as recordings write it: `guess 7`, `health 7` to set out with it, `right` or another way."""
    match action:
        case Guess(health=health):
            return f"guess {health}"
        case SetOut(health=health):
            return f"health {health}"
        case Walk(direction=direction):
            return direction.name.lower()


def read_action(text: str) -> Action:
    """The action that `action_text` wrote. Raises ValueError where no action is written so."""
    for way in FOUR_WAYS:
        if text == way.name.lower():
            return Walk(way)
    found = re.fullmatch(r"(guess|health) ([0-9]{1,19})", text)
    if found is None:
        raise ValueError(f"{text!r} is not an action")
    return (Guess if found[1] == "guess" else SetOut)(int(found[2]))


@lru_cache(maxsize=2)
def least_health(level: Level) -> int:
    """The least health with which the princess can be reached; BEYOND where it is more than 64 bits hold."""
    try:
        return engine.minimum_health(level.grid)
    except ValueError:
        return BEYOND


def most_health(level: Level) -> int:
    """Health that is enough on any way: 1, and the worst trap on each of its cells."""
    return 1 + (sum(level.grid.shape) - 1) * max(0, -int(level.grid.min()))


def most_guesses(level: Level) -> int:
    """Guesses that halving takes at most to name the least health, if it knows the worst trap and nothing else."""
    return most_health(level).bit_length()


def fingerprint(state: State) -> str:
    """SHA-256 over the whole state, its grid and way included, as 64 hexadecimal digits."""
    guesses = list(state.guesses or ())[::-1]
    numbers = (state.status.value, *state.cell, state.initial, state.health, state.lowest, *guesses)
    digest = hashlib.sha256(f"{numbers}\n".encode() + _grid_digest(state.level))
    digest.update(_trail_text(state.trail))
    return digest.hexdigest()


@lru_cache(maxsize=2)
def _grid_digest(level: Level) -> bytes:
    """SHA-256 over the grid's shape and values, the same on every machine."""
    digest = hashlib.sha256(f"{level.grid.shape}\n".encode())
    for row in level.grid:
        digest.update(row.astype("<i8").data)
    return digest.digest()


def _trail_text(trail: Past[Entered] | None) -> bytes:
    """A line with row, column and health for each cell of a trail, the last one first; parts of it are cached."""
    lines = []
    while trail is not None and trail.count % _FOLD:
        lines.append(_line(trail.last))
        trail = trail.before
    return b"".join(lines) + (b"" if trail is None else _folded(trail))


@lru_cache(maxsize=4)
def _folded(trail: Past[Entered]) -> bytes:
    """The text of a trail whose length is a multiple of _FOLD, cached."""
    return _line(trail.last) + _trail_text(trail.before)


def _line(entered: Entered) -> bytes:
    return f"{entered.cell.row} {entered.cell.col} {entered.health}\n".encode()


def _guess(state: State, health: int) -> tuple[State, tuple[Event, ...]]:
    least = least_health(state.level)
    answer = Answer.RIGHT if health == least else Answer.TOO_LITTLE if health < least else Answer.TOO_MUCH
    is_warmer = None
    if state.guesses and abs(health - least) != abs(state.guesses.last - least):
        is_warmer = abs(health - least) < abs(state.guesses.last - least)
    guesses, status = onward(state.guesses, health), state.status
    if state.level.is_guessed and answer is Answer.RIGHT:
        status = Status.FOUND
    elif state.level.is_guessed and len(guesses) == most_guesses(state.level):
        status = Status.MISSED
    return replace(state, guesses=guesses, status=status), (Guessed(health, answer, is_warmer),)


def _guessed(state: State) -> str:
    return f"guess {len(state.guesses or ())} of the {most_guesses(state.level)} that halving may take"


def _enter(state: State, cell: Cell) -> tuple[State, tuple[Event, ...]]:
    """The state once the knight has entered a cell, and the events: Entered, and Died or Saved at the end.

    Rule: "Values are added to the knight's health on entering it, the first cell included; health must stay above 0 at
    all times." In a purchase: "A power-up is taken once, for its fee."
    """
    value, fee, taken = state.value(cell), state.level.fee, state.taken
    health = state.health + value
    entered = Entered(cell, value, health)
    events: tuple[Event, ...] = (entered,)
    if fee is not None and value > 0:
        taken, events = taken | {cell}, (entered, Paid(fee))
    rows, cols = state.level.grid.shape
    status = Status.WALKING
    if health <= 0:
        status, events = Status.DIED, (*events, Died())
    elif cell == (rows - 1, cols - 1):
        status, events = Status.SAVED, (*events, Saved())
    lowest = min(state.lowest, health)
    trail = onward(state.trail, entered)
    after = replace(state, status=status, cell=cell, health=health, lowest=lowest, trail=trail, taken=taken)
    return after, events
