"""Walks through the delve, as if no monster moved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.engine import UNREACHED, distance_map, path
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.level import AMULET, OPEN, STAIRS_DOWN, STAIRS_UP, BoolGrid
from dungeon_tui.games.delve.model.maps import TUNNELLING, WALKING, and_around
from dungeon_tui.games.delve.model.state import (
    ACTION_OF,
    UNSEEN,
    Ability,
    Action,
    Monster,
    PlayerDied,
    PlayerHit,
    State,
)


def _known_passable(state: State, *, is_foggy: bool = True) -> BoolGrid:
    """(height, width) bool: the open cells that the player has seen; without fog, all open cells."""
    is_open: BoolGrid = state.hardness.copy() == OPEN
    return is_open & (state.seen.copy() != UNSEEN) if is_foggy else is_open


def route(state: State, cell: Cell, *, is_foggy: bool = True) -> tuple[Action, ...] | str:
    """The actions of a shortest walk to a cell, as if no monster moved; where there is none, the reason in a sentence.

    Args:
        state: any.
        cell: where to, anywhere.
        is_foggy: keep to cells that the player has seen.
    """
    if not cell.is_inside(state.height, state.width):
        return "That is off the map."
    if cell == state.player:
        return "You are there already."
    if is_foggy and state.seen[cell] == UNSEEN:
        return "You have not seen that cell yet."
    passable = _known_passable(state, is_foggy=is_foggy)
    if not passable[cell]:
        return "That is rock: you can't walk there."
    return _walk(state, distance_map(passable, np.array([cell])), "No way that you know leads there.")


def explore_route(state: State) -> tuple[Action, ...] | str:
    """The actions of a shortest walk over seen cells to one with an unseen neighbour; without one the reason."""
    seen = state.seen.copy() != UNSEEN
    passable = _known_passable(state)
    frontier = np.argwhere(passable & and_around(~seen))
    if not len(frontier):
        return "You have seen all that can be walked to."
    return _walk(state, distance_map(passable, frontier), "What you have not seen yet can't be walked to from here.")


def monsters_in_view(state: State) -> tuple[Monster, ...]:
    """The monsters that the player sees now."""
    seen = rules.visible(state)
    return tuple(monster for monster in state.monsters if seen[monster.cell])


def finds(state: State) -> dict[Cell, int]:
    """The goals of this dungeon that the player has seen: cells of stairs down and the amulet, with their codes."""
    goals = {cell: STAIRS_DOWN for cell in state.level.stairs_down if state.seen[cell] == STAIRS_DOWN}
    if state.amulet is not None and state.seen[state.amulet] != UNSEEN:
        goals[state.amulet] = AMULET
    if state.has_amulet:
        goals |= {cell: STAIRS_UP for cell in state.level.stairs_up if state.seen[cell] == STAIRS_UP}
    return goals


CLOSE, NEAR = 5, 10  # turns away: by itself nobody goes on while one is close, or begins while one in sight is near


def noticed(state: State) -> tuple[Monster, ...]:
    """The monsters that the player sees or hears and that can be there within twice the moves of their speed.

    Those on the move are heard: who knows where the player is, or remembers it, and the erratic.
    """
    seen = rules.visible(state)
    return tuple(
        each
        for each in state.monsters
        if (seen[each.cell] or is_heard(state, each)) and _moves(state, each) <= 2 * each.speed
    )


def is_heard(state: State, monster: Monster) -> bool:
    """True if a monster makes a noise: it is on the move, or may be at any moment."""
    return is_aware(state, monster) or Ability.ERRATIC in monster.kind.abilities


def is_aware(state: State, monster: Monster) -> bool:
    """True if a monster knows where an unseen player is, or goes where it saw the player last."""
    is_telepathic = Ability.TELEPATHIC in monster.kind.abilities
    return is_telepathic or monster.last_seen is not None or state.has_amulet


def turns_away(state: State, monster: Monster) -> int:
    """The player's turns until a monster can be there, rounded down; UNREACHED where no way leads."""
    moves = _moves(state, monster)
    return moves if moves == UNREACHED else moves * rules.PLAYER_SPEED // monster.speed


def attacker(state: State, action: Action) -> Monster | None:
    """The monster that hits the player in the turn of an action, as it stands before; None if none does."""
    hits = (event.by.sequence for event in rules.step(state, action)[1] if isinstance(event, (PlayerHit, PlayerDied)))
    sequence = next(hits, None)
    return next((monster for monster in state.monsters if monster.sequence == sequence), None)


def threat(state: State) -> Monster | None:
    """The monster that hits a player who stays, and that can't be struck before; None if there is none."""
    nearest = min((_moves(state, monster) for monster in monsters_in_view(state)), default=0)
    return attacker(state, Action.STAY) if nearest == 2 else None  # nobody has more moves in a turn


def _moves(state: State, monster: Monster) -> int:
    kind = TUNNELLING if Ability.TUNNELLING in monster.kind.abilities else WALKING
    return int(rules.distances(state, kind).distance[monster.cell])


def _walk(state: State, distance: NDArray[np.int32], complaint: str) -> tuple[Action, ...] | str:
    """The actions down a distance map; the complaint where no way leads down."""
    if distance[state.player] == UNREACHED:
        return complaint
    steps = np.diff(path(distance, state.player), axis=0)
    return tuple(ACTION_OF[Direction((int(rows), int(cols)))] for rows, cols in steps)
