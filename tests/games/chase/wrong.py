"""Strategies with mistakes that students make. They import rules only: judged functions see no solver."""

from collections import deque

import numpy as np

from dungeon_tui.core.grid import Cell, Direction
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


def steps_from(state: State, start: Cell) -> dict[Cell, int]:
    """The steps from a cell to each that can be reached."""
    steps, queue = {start: 0}, deque([start])
    while queue:
        cell = queue.popleft()
        for to in neighbours(state.level, cell):
            if to not in steps:
                steps[to] = steps[cell] + 1
                queue.append(to)
    return steps


def restless(state: State) -> Cell:
    """Away from the monster, and never stays."""
    steps = steps_from(state, state.monster)
    return max(neighbours(state.level, state.site)[1:], key=lambda to: steps.get(to, 0), default=state.site)


def roomy(state: State) -> Cell:
    """Looks for a room where nobody stands, and trusts that there is one."""
    rooms = {Cell(*cell) for cell in np.argwhere(state.level.tiles == ord(".")).tolist()}
    goal = max(rooms - {state.monster, state.rogue})
    steps = steps_from(state, goal)
    return min(neighbours(state.level, state.rogue), key=lambda to: steps.get(to, len(steps)))


def tired(state: State) -> Cell:
    """Runs at first."""
    steps = steps_from(state, state.monster)
    moves = neighbours(state.level, state.rogue)
    return max(moves, key=lambda to: steps.get(to, 0)) if state.monster_moves < 4 else state.rogue


def patient(state: State) -> Cell:
    """Waits until the rogue comes."""
    return state.monster
