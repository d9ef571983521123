"""The chase's rules: the monster moves, the rogue moves, until both share a site.

Source:
    The "Rogue" assignment of introductory computer science courses, as docs/games/chase.md restates it; each function
    quotes the sentence it obeys.
"""

import re
from dataclasses import replace
from functools import lru_cache

from dungeon_tui.core.grid import EIGHT_WAYS, Cell, Direction
from dungeon_tui.core.rules import Event, IllegalActionError, Outcome
from dungeon_tui.core.text import one_line
from dungeon_tui.core.words import counted
from dungeon_tui.games.chase.model.level import CORRIDOR, ROOM, WALL, Level
from dungeon_tui.games.chase.model.players import SAFETY
from dungeon_tui.games.chase.model.state import Action, Ended, Forfeit, Move, Moved, Side, State, Status

VERSION = 2
UNLISTED: frozenset[type] = frozenset({Forfeit})


def start(level: Level, seed: int = 0) -> State:
    return State(level, level.monster, level.rogue, seed=seed)


def is_legal_move(level: Level, start: Cell, to: Cell) -> bool:
    """True if a side may step between two sites, or stay.

    Rule: "w = v (staying) or w adjacent; neither is a wall; diagonal only if both are room sites (no corner rule)."
    """
    rows, cols = abs(start.row - to.row), abs(start.col - to.col)
    if max(rows, cols) > 1 or not (is_site(level, start) and is_site(level, to)):
        return False
    is_diagonal = rows == cols == 1
    return not is_diagonal or bool(level.tiles[start] == ROOM == level.tiles[to])


def is_site(level: Level, cell: Cell) -> bool:
    return cell.is_inside(level.size, level.size) and bool(level.tiles[cell] != WALL)


@lru_cache(maxsize=4096)  # searches visit each site thousands of times
def neighbours(level: Level, site: Cell) -> tuple[Cell, ...]:
    """The sites that a move can lead to: the site itself, then up, down, left, right and the diagonals."""
    around = (site, *map(site.neighbour, EIGHT_WAYS))
    return tuple(to for to in around if is_legal_move(level, site, to))


def legal_actions(state: State) -> tuple[Move, ...]:
    """The moves of the side to move, staying first; none once the chase is over. A Forfeit isn't listed."""
    if state.status is not Status.PLAYING:
        return ()
    return tuple(map(Move, neighbours(state.level, state.site)))


def objection(state: State, action: Action) -> str | None:
    """Reason the action is illegal, or None."""
    if state.status is not Status.PLAYING:
        return f"the chase is over ({state.status.value}): undo or restart"
    if isinstance(action, Forfeit) or is_legal_move(state.level, state.site, action.to):
        return None
    step = action.to.row - state.site.row, action.to.col - state.site.col
    why = fault(state.level, state.site, action.to)
    if max(map(abs, step)) > 1:
        return f"the {state.side.value} can't go from {state.site.text} to {action.to.text}: {why}"
    return f"you can't go {Direction(step).words}: {why}"


def fault(level: Level, start: Cell, to: Cell) -> str:
    if max(abs(start.row - to.row), abs(start.col - to.col)) > 1:
        return "that is more than one step"
    if is_site(level, to):
        return f"no diagonal step {'leaves' if level.tiles[start] == CORRIDOR else 'enters'} a corridor"
    return "a wall is in the way" if to.is_inside(level.size, level.size) else "the board ends there"


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The position after an action of the side to move, and the events: Moved, and Ended after the last.

    Rule: "The monster moves first, then they alternate; it ends when both share a site after either's move."
    """
    if (problem := objection(state, action)) is not None:
        raise IllegalActionError(problem)
    events: tuple[Event, ...] = ()
    side = state.side
    if isinstance(action, Forfeit):
        state = replace(state, status=Status.FORFEIT, by=side, reason=one_line(action.reason))
    else:
        events = (Moved(side, state.site, action.to),)
        state = moved(state, action.to)
        if state.monster == state.rogue:
            state = replace(state, status=Status.CAPTURED, by=side)
        elif side is Side.ROGUE:
            state = replace(state, status=_status(state))
    end = outcome(state)
    return state, events if end is None else (*events, Ended(end))


def _status(state: State) -> Status:
    is_for_safety = state.level.task is not None and state.level.task.aim == SAFETY
    if is_for_safety and state.level.is_safe is not None and state.level.is_safe(state):
        return Status.SAFE
    if state.monster_moves >= state.level.moves:
        return Status.MISSED if is_for_safety else Status.EVADED
    return Status.PLAYING


def moved(state: State, to: Cell) -> State:
    """The position after a move of the side to move; neither checks the move nor ends the chase."""
    if state.side is Side.MONSTER:
        return replace(state, monster=to, side=Side.ROGUE, monster_moves=state.monster_moves + 1)
    return replace(state, rogue=to, side=Side.MONSTER)


def outcome(state: State) -> Outcome | None:
    """The end of the chase, or None; a win is the rogue's."""
    moves, status = counted(state.monster_moves, "move"), state.status
    if status is Status.PLAYING:
        return None
    if status is Status.FORFEIT:
        assert state.by is not None
        why = f": {state.reason}" if state.reason else ""
        return Outcome("forfeit", f"Forfeit by the {state.by.value}{why}.", state.by is Side.MONSTER)
    caught = f"The monster caught the rogue in {moves}."
    reasons = {
        Status.CAPTURED: caught
        if state.by is Side.MONSTER
        else f"The rogue stepped onto the monster in move {state.monster_moves:,}.",
        Status.EVADED: f"The rogue evaded the monster for {moves}.",
        Status.SAFE: "The rogue is safe forever.",
        Status.MISSED: f"The rogue isn't safe after {moves}.",
    }
    return Outcome(status.value, reasons[status], is_win=status in (Status.EVADED, Status.SAFE))


def action_text(action: Action) -> str:
    """An action as recordings write it: `3 5` (to row 3, column 5, from 0), or `forfeit` and its reason."""
    if isinstance(action, Forfeit):
        return f"forfeit {one_line(action.reason)}".rstrip()
    return f"{action.to.row} {action.to.col}"


def read_action(text: str) -> Action:
    if text == "forfeit" or text.startswith("forfeit "):
        return Forfeit(one_line(text.removeprefix("forfeit")))
    if not re.fullmatch(r"[0-9]{1,5} [0-9]{1,5}", text, re.ASCII):
        raise ValueError(f"{text!r} is not an action")
    row, col = map(int, text.split())
    return Move(Cell(row, col))
