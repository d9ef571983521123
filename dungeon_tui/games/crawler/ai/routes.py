"""Walks and distances on the present board, through the engine, which is loaded with the first question."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dungeon_tui import engine
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.games.crawler.model.level import OPEN, PILLAR, TREASURE
from dungeon_tui.games.crawler.model.state import ACTION_OF, Action, State


class NoRouteError(ValueError):
    """No walk leads there."""


def route(state: State, cell: Cell) -> tuple[Action, ...]:
    """A shortest walk to a cell over open floor and treasure, as if no monster moved.

    Doors, ways out and amulets change the level: they are entered only as the goal.

    Raises:
        NoRouteError: there is none.
    """
    tiles = state.board.copy()
    passable = (tiles == OPEN) | (tiles == TREASURE)
    passable[cell] = True
    passable[state.adventurer] = True
    distance = engine.distance_map(passable, np.array([cell]), diagonal=False)
    if distance[state.adventurer] == engine.UNREACHED:
        raise NoRouteError(f"no way leads to {cell.place}")
    steps = np.diff(engine.path(distance, state.adventurer, diagonal=False), axis=0)
    return tuple(ACTION_OF[Direction((int(rows), int(cols)))] for rows, cols in steps)


def distances(state: State, has_steps: bool = True) -> tuple[NDArray[np.int32], NDArray[np.uint8] | None]:
    """Distances of all cells from the adventurer's, four ways, pillars being all that stops.

    Returns:
        (height, width) int32 steps; (height, width) uint8 rows of engine.STEPS that lead to the adventurer, if asked
        for.
    """
    distance = engine.distance_map(state.board.copy() != PILLAR, np.array([state.adventurer]), diagonal=False)
    return distance, engine.downhill(distance, diagonal=False) if has_steps else None
