"""Walks through the delve, as if no monster moved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell, Direction, cells_of
from dungeon_tui.engine import UNREACHED, distance_map, path
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.level import OPEN, BoolGrid
from dungeon_tui.games.delve.model.maps import Field, and_around
from dungeon_tui.games.delve.model.state import ACTION_OF, UNSEEN, Action, Monster, State

WALKING, TUNNELLING = "walking", "tunnelling"


class NoRouteError(ValueError):
    """No walk leads there; the message is a sentence for people."""


def field(state: State, kind: str) -> Field:
    """The distance map of a kind, WALKING or TUNNELLING, from the player outward."""
    return rules.walking_map(state) if kind == WALKING else rules.tunnelling_map(state)


def known_passable(state: State, *, is_foggy: bool = True) -> BoolGrid:
    """(height, width) bool: the open cells that the player has seen; without fog, all open cells."""
    is_open: BoolGrid = state.hardness.copy() == OPEN
    if is_foggy:
        is_open &= state.seen.copy() != UNSEEN
    return is_open


def route(state: State, cell: Cell, *, is_foggy: bool = True) -> tuple[Action, ...]:
    """A shortest walk to a cell, eight ways, as if no monster moved.

    Args:
        state: any.
        cell: where to, anywhere.
        is_foggy: over cells that the player has seen, not over any.

    Raises:
        NoRouteError: there is none; says why.
    """
    if not cell.is_inside(state.height, state.width):
        raise NoRouteError("That is off the map.")
    if cell == state.player:
        raise NoRouteError("You are there already.")
    if is_foggy and state.seen[cell] == UNSEEN:
        raise NoRouteError("You have not seen that cell yet.")
    passable = known_passable(state, is_foggy=is_foggy)
    if not passable[cell]:
        raise NoRouteError("That is rock: you can't walk there.")
    return _walk(state, distance_map(passable, np.array([cell])), "No way that you know leads there.")


def explore_route(state: State) -> tuple[Action, ...]:
    """A shortest walk over seen cells to the nearest one that has an unseen neighbour.

    Raises:
        NoRouteError: there is none; says why.
    """
    seen = state.seen.copy() != UNSEEN
    passable = known_passable(state)
    frontier = np.argwhere(passable & and_around(~seen))
    if not len(frontier):
        raise NoRouteError("You have seen all that can be walked to.")
    return _walk(state, distance_map(passable, frontier), "What you have not seen yet can't be walked to from here.")


def stairs(state: State, glyph: int, *, is_foggy: bool = True) -> list[Cell]:
    """The stairs of a terrain code that the player knows of, the nearest first."""
    looks = state.seen.copy() if is_foggy else state.terrain.copy()
    cells = np.argwhere(looks == glyph)
    distance = rules.walking_map(state).distance[cells[:, 0], cells[:, 1]]
    return [*cells_of(cells[np.argsort(distance, kind="stable")])]


def monsters_in_view(state: State) -> tuple[Monster, ...]:
    """The monsters that the player sees now."""
    seen = rules.visible(state)
    return tuple(monster for monster in state.monsters if seen[monster.cell])


def _walk(state: State, distance: NDArray[np.int32], complaint: str) -> tuple[Action, ...]:
    """The actions down a distance map."""
    if distance[state.player] == UNREACHED:
        raise NoRouteError(complaint)
    steps = np.diff(path(distance, state.player), axis=0)
    return tuple(ACTION_OF[Direction((int(rows), int(cols)))] for rows, cols in steps)
