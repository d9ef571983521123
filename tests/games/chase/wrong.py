"""Strategies with mistakes that students make."""

import numpy as np

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.strategies import ROGUES
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.rules import neighbours
from dungeon_tui.games.chase.model.state import State


def diagonally(state: State) -> Cell:
    """As far away as can be, walls or not."""
    return max(
        (cell for cell in map(state.rogue.neighbour, Direction) if rules.is_site(state.level, cell)),
        key=lambda cell: max(abs(cell.row - state.monster.row), abs(cell.col - state.monster.col)),
        default=state.rogue,
    )


def beside(state: State) -> Cell:
    """Anywhere but to its own site and the monster's."""
    moves = neighbours(state.level, state.rogue)[1:]
    return next((to for to in moves if to != state.monster), state.rogue)


def restless(state: State) -> Cell:
    """The best move but for staying."""
    values = solver.move_values(state)
    moves = neighbours(state.level, state.site)[1:]
    return max(moves, key=lambda to: values[to], default=state.site)


def still(state: State) -> Cell:
    """Never moves."""
    return state.site


def roomy(state: State) -> Cell:
    """Looks for a room where nobody stands, and trusts that there is one."""
    rooms = {Cell(*cell) for cell in np.argwhere(state.level.tiles == ord(".")).tolist()}
    goal = max(rooms - {state.monster, state.rogue})
    return min(neighbours(state.level, state.rogue), key=solver.path_lengths(state.level, goal))


def tired(state: State) -> Cell:
    """Without a fault at first."""
    return ROGUES["perfect"](state) if state.monster_moves < 4 else state.rogue


def patient(state: State) -> Cell:
    """Waits until the rogue comes."""
    return state.monster
