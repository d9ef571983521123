"""Walks through the delve, as if no monster moved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.engine import UNREACHED, distance_map, path
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.level import OPEN, BoolGrid
from dungeon_tui.games.delve.model.maps import and_around
from dungeon_tui.games.delve.model.state import ACTION_OF, UNSEEN, Action, Monster, State


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


def _walk(state: State, distance: NDArray[np.int32], complaint: str) -> tuple[Action, ...] | str:
    """The actions down a distance map; the complaint where no way leads down."""
    if distance[state.player] == UNREACHED:
        return complaint
    steps = np.diff(path(distance, state.player), axis=0)
    return tuple(ACTION_OF[Direction((int(rows), int(cols)))] for rows, cols in steps)
