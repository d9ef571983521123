"""The rescue's rules: choose a health, walk right or down, stay alive.

Source:
    The puzzle "Dungeon Game" of interview courses, as docs/games/rescue.md restates it; each function names the
    sentence it obeys.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Event, IllegalActionError, Outcome
from dungeon_tui.games.rescue.model.level import MOST, Level
from dungeon_tui.games.rescue.model.maps import grid_digest, least_health
from dungeon_tui.games.rescue.model.state import (
    ENTRANCE,
    Action,
    Answer,
    Died,
    Entered,
    Guess,
    Guessed,
    Saved,
    SetOut,
    State,
    Status,
    Trail,
    Walk,
)

VERSION = 1
UNLISTED: frozenset[type] = frozenset({Guess, SetOut})
WAYS = (Direction.RIGHT, Direction.DOWN)
_FEW = (1, 2, 10, 1000)  # healths that are offered where any may be chosen
_WORDS = {Direction.RIGHT: "right", Direction.DOWN: "down"}


def start(level: Level, seed: int = 0) -> State:
    """The knight before the first cell. Nothing is left to chance: the seed plays no part."""
    return State(level)


def legal_actions(state: State) -> tuple[Action, ...]:
    """The steps; before the first one a few of the healths from 1, to choose, and to guess until that was right."""
    actions: tuple[Action, ...] = (*map(SetOut, _FEW), *map(Guess, _FEW), *map(Walk, WAYS))
    return tuple(action for action in actions if objection(state, action) is None)


def objection(state: State, action: Action) -> str | None:
    """Reason why `step` refuses an action.

    A step leads off the grid, or up or left; a health is below 1 or above MOST; a guess follows the right one; or it is
    not the moment for such an action.
    """
    if state.is_over:
        return f"the rescue is over ({state.status.value}): undo or restart"
    if isinstance(action, Walk):
        if state.status is Status.READY:
            return "the knight waits outside: choose his health first"
        way = action.direction
        if way in WAYS and state.cell.neighbour(way).is_inside(*state.level.grid.shape):
            return None
        return f"the knight can't go {way.name.lower()} from {state.cell.place}"
    if state.status is not Status.READY:
        return "the knight is on his way: his health was chosen"
    if not 1 <= action.health <= MOST:
        return f"a health is a whole number from 1 to {MOST}, not {action.health}"
    if isinstance(action, Guess) and _is_guessed(state):
        return f"it was guessed: {state.guesses[-1]} is right; choose a health"
    return None


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
    """`guess 7`, `health 7`, `right`, `down`."""
    match action:
        case Guess(health=health):
            return f"guess {health}"
        case SetOut(health=health):
            return f"health {health}"
        case Walk(direction=direction):
            return _WORDS[direction]


def read_action(text: str) -> Action:
    """The action that `action_text` wrote. Raises ValueError where no action is written so."""
    for way, word in _WORDS.items():
        if text == word:
            return Walk(way)
    found = re.fullmatch(r"(guess|health) ([0-9]{1,19})", text)
    if found is None:
        raise ValueError(f"{text!r} is not an action")
    return (Guess if found[1] == "guess" else SetOut)(int(found[2]))


def fingerprint(state: State) -> str:
    """SHA-256 over the numbers, the way and the grid."""
    numbers = (state.status.value, *state.cell, state.initial, state.health, state.lowest, *state.guesses)
    digest = hashlib.sha256(f"{numbers}\n".encode() + grid_digest(state.level))
    if state.trail is not None:
        digest.update(state.trail.text)
    return digest.hexdigest()


def _is_guessed(state: State) -> bool:
    return bool(state.guesses) and state.guesses[-1] == least_health(state.level)


def _guess(state: State, health: int) -> tuple[State, tuple[Event, ...]]:
    least = least_health(state.level)
    answer = Answer.RIGHT if health == least else Answer.TOO_LITTLE if health < least else Answer.TOO_MUCH
    is_warmer = None
    if state.guesses and abs(health - least) != abs(state.guesses[-1] - least):
        is_warmer = abs(health - least) < abs(state.guesses[-1] - least)
    return replace(state, guesses=(*state.guesses, health)), (Guessed(health, answer, is_warmer),)


def _enter(state: State, cell: Cell) -> tuple[State, tuple[Event, ...]]:
    """The knight comes into a cell.

    Rule: "Values are added to the knight's health on entering it, the first cell included; health must stay above 0 at
    all times."
    """
    value = int(state.level.grid[cell])
    health = state.health + value
    rows, cols = state.level.grid.shape
    status, events = Status.WALKING, [Entered(cell, value, health)]  # type: tuple[Status, list[Event]]
    if health <= 0:
        status = Status.DIED
        events.append(Died())
    elif cell == (rows - 1, cols - 1):
        status = Status.SAVED
        events.append(Saved())
    state = replace(
        state,
        status=status,
        cell=cell,
        health=health,
        lowest=min(state.lowest, health),
        trail=Trail(cell, health) if state.trail is None else state.trail.onward(cell, health),
    )
    return state, tuple(events)
