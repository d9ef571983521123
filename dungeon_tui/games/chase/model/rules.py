"""The chase's rules: the monster moves, the rogue moves, until both share a site.

Source:
    The "Rogue" assignment of introductory computer science courses, as docs/games/chase.md restates it; each function
    names the sentence it obeys.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

from dungeon_tui.core.grid import EIGHT_WAYS, Cell, Direction
from dungeon_tui.core.rules import Event, IllegalActionError, Outcome
from dungeon_tui.core.text import one_line
from dungeon_tui.core.words import counted
from dungeon_tui.games.chase.model.level import ROOM, WALL, Level, level_text
from dungeon_tui.games.chase.model.players import SAFETY
from dungeon_tui.games.chase.model.state import Action, Ended, Forfeit, Move, Moved, Settle, Side, State, Status

VERSION = 1
UNLISTED: frozenset[type] = frozenset({Forfeit, Settle})
WRONG_CLAIM = "the rogue isn't safe"


def start(level: Level, seed: int = 0) -> State:
    """The board as its file gives it, the monster to move."""
    return State(level, level.monster, level.rogue, seed=seed)


def is_legal_move(level: Level, start: Cell, to: Cell) -> bool:
    """True if a side may step from one site to another, or to itself.

    Rule: "w = v (staying) or w adjacent; neither is a wall; diagonal only if both are room sites (no corner rule)."
    """
    rows, cols = abs(start.row - to.row), abs(start.col - to.col)
    if max(rows, cols) > 1 or not (is_site(level, start) and is_site(level, to)):
        return False
    is_diagonal = rows == cols == 1
    return not is_diagonal or bool(level.tiles[start] == ROOM == level.tiles[to])


def is_site(level: Level, cell: Cell) -> bool:
    """True if the cell lies on the board and is no wall."""
    return cell.is_inside(level.size, level.size) and bool(level.tiles[cell] != WALL)


def neighbours(level: Level, site: Cell) -> tuple[Cell, ...]:
    """Sites that a move from one may lead to: staying first, then up, down, left, right and the diagonals."""
    around = (site, *map(site.neighbour, EIGHT_WAYS))
    return tuple(to for to in around if is_legal_move(level, site, to))


def legal_actions(state: State) -> tuple[Move, ...]:
    """The moves of the side whose turn it is, staying first; none once the chase is over. Nothing else is listed."""
    if state.status is not Status.PLAYING:
        return ()
    return tuple(map(Move, neighbours(state.level, state.site)))


def objection(state: State, action: Action) -> str | None:
    """Reason why `step` refuses an action: it is no legal move, or the chase is over; None if it is legal.

    A forfeit is legal as long as the chase goes on; so is to settle it, where somebody can tell if the rogue is safe.
    """
    if state.status is not Status.PLAYING:
        return f"the chase is over ({state.status.value}): undo or restart"
    if isinstance(action, Settle):
        return None if state.level.is_safe is not None else "nobody can tell here if the rogue is safe"
    if isinstance(action, Forfeit) or is_legal_move(state.level, state.site, action.to):
        return None
    return _refusal(state, action.to)


def _refusal(state: State, to: Cell) -> str:
    """A refusal of a move, in words."""
    step = to.row - state.site.row, to.col - state.site.col
    why = fault(state.level, state.site, to)
    if max(map(abs, step)) > 1:
        return f"the {state.side.value} can't go from {state.site.place} to {to.place}: {why}"
    return f"you can't go {Direction(step).words}: {why}"


def fault(level: Level, start: Cell, to: Cell) -> str:
    """Reason why a move is illegal, in words."""
    if max(abs(start.row - to.row), abs(start.col - to.col)) > 1:
        return "that is no step"
    if is_site(level, to):
        return "diagonals lead from room to room only"
    return "there is a wall" if to.is_inside(level.size, level.size) else "the board ends there"


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The position after a move or a forfeit of the side to move, and the events: Moved, and Ended after the last.

    Rule: "The monster moves first, then they alternate; it ends when both share a site after either's move."

    Raises:
        IllegalActionError: as `objection` says.
    """
    if (problem := objection(state, action)) is not None:
        raise IllegalActionError(problem)
    side = state.side
    events: tuple[Event, ...] = ()
    if isinstance(action, Forfeit):
        state = replace(state, status=Status.FORFEIT, by=side, reason=one_line(action.reason))
    elif isinstance(action, Settle):
        is_right = _is_safe(state)
        state = replace(state, status=Status.SAFE) if is_right else step(state, Forfeit(WRONG_CLAIM))[0]
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
    """Stage of a chase once the rogue has answered and is not captured."""
    is_for_safety = state.level.task is not None and state.level.task.aim == SAFETY
    if is_for_safety and _is_safe(state):
        return Status.SAFE
    if state.monster_moves >= state.level.moves:
        return Status.MISSED if is_for_safety else Status.EVADED
    return Status.PLAYING


def _is_safe(state: State) -> bool:
    return state.level.is_safe is not None and state.level.is_safe(state)


def moved(state: State, to: Cell) -> State:
    """The position once the side to move stands on a site and the other one is to move; nothing is checked or ended."""
    if state.side is Side.MONSTER:
        return replace(state, monster=to, side=Side.ROGUE, monster_moves=state.monster_moves + 1)
    return replace(state, rogue=to, side=Side.MONSTER)


def outcome(state: State) -> Outcome | None:
    """End of the chase, None while it goes on; a win is the rogue's."""
    moves = counted(state.monster_moves, "monster move")
    match state.status:
        case Status.PLAYING:
            return None
        case Status.CAPTURED if state.by is Side.MONSTER:
            return Outcome("captured", f"The monster caught the rogue in {moves}.", is_win=False)
        case Status.CAPTURED:
            return Outcome("captured", f"The rogue stepped onto the monster after {moves}.", is_win=False)
        case Status.EVADED:
            return Outcome("evaded", f"The rogue evaded the monster for {moves}.", is_win=True)
        case Status.SAFE:
            return Outcome("safe", f"The rogue is safe for ever, after {moves}.", is_win=True)
        case Status.MISSED:
            return Outcome("missed", f"The rogue isn't safe after {moves}.", is_win=False)
        case Status.FORFEIT:
            assert state.by is not None
            why = f": {state.reason}" if state.reason else ""
            return Outcome("forfeit", f"Forfeit by the {state.by.value}{why}.", state.by is Side.MONSTER)


def action_text(action: Action) -> str:
    """An action as recordings write it: `3 5` is a move to row 3, column 5; a forfeit is `forfeit` and its reason.

    Where the chase is settled, `safe`.
    """
    if isinstance(action, Settle):
        return "safe"
    if isinstance(action, Forfeit):
        return f"forfeit {one_line(action.reason)}".rstrip()
    return f"{action.to.row} {action.to.col}"


def read_action(text: str) -> Action:
    """The action that `action_text` wrote. Raises ValueError where no action is written so."""
    if text == "safe":
        return Settle()
    if text == "forfeit" or text.startswith("forfeit "):
        return Forfeit(one_line(text.removeprefix("forfeit")))
    if not re.fullmatch(r"[0-9]{1,5} [0-9]{1,5}", text, re.ASCII):
        raise ValueError(f"{text!r} is not an action")
    row, col = map(int, text.split())
    return Move(Cell(row, col))


def fingerprint(state: State) -> str:
    """SHA-256 over the whole state, its board included, as 64 hexadecimal digits."""
    level = state.level
    parts = (
        state.status.value, state.side.value, state.by.value if state.by else "", *state.monster, *state.rogue,
        state.monster_moves, level.moves, state.seed, state.reason,
    )  # fmt: skip
    digest = hashlib.sha256(f"{' '.join(map(str, parts))}\n".encode())
    digest.update(level_text(level).encode())
    if level.task is not None:
        digest.update(f"{level.task}".encode())
    return digest.hexdigest()
