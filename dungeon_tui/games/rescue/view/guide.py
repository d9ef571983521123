"""The spoken words of the rescue, for its screen and for plain text."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dungeon_tui import engine
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.guide import MapGuide, apart
from dungeon_tui.core.words import counted
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.rules import BEYOND, Action, SetOut, State, Status, Walk
from dungeon_tui.games.rescue.view.words import goal

KNIGHT, PRINCESS, POWER_UP = "@", "P", "+"
HOPELESS = "He can't survive from here"


class RescueGuide(MapGuide[State]):
    """Spoken words for the knight."""

    keys = {Direction.RIGHT: "d", Direction.DOWN: "s", Direction.LEFT: "a", Direction.UP: "w"}
    names = {key: way.words for way, key in keys.items()}

    def __init__(self, commands: str = "") -> None:
        self.commands = commands.strip()

    def here(self, state: State) -> Cell:
        return state.cell

    def name(self, state: State, cell: Cell) -> str:
        if not cell.is_inside(*state.level.grid.shape):
            return "edge"
        value = state.value(cell)
        there = f"trap, {value}" if value < 0 else f"power-up, +{value}" if value else "nothing"
        return f"princess{f', {value:+}' * (value != 0)}" if cell == state.level.princess else there

    def landmarks(self, state: State) -> Sequence[tuple[str, Cell]]:
        ends = [(PRINCESS, state.level.princess), (KNIGHT, state.cell)]
        ups = np.argwhere(state.level.grid > 0) if state.level.fee is not None else ()
        cells = (Cell(int(row), int(col)) for row, col in ups)
        return [*ends, *((POWER_UP, cell) for cell in cells if state.value(cell) > 0)]

    def things(self, state: State) -> Sequence[tuple[str, Cell]]:
        valued = [Cell(*cell) for cell in np.argwhere(state.level.grid).tolist()]
        return [(self.name(state, cell), cell) for cell in dict.fromkeys([*valued, state.level.princess])]

    def route(self, state: State, cell: Cell) -> Sequence[Action] | str:
        if state.status is Status.READY:
            return "First choose his health."
        here = state.cell
        if cell == here:
            return "He is already there."
        if state.level.fee is not None:
            return _free_route(state, cell)
        if cell.row < here.row or cell.col < here.col:
            return "The knight goes only right or down: he can't turn back."
        part = state.level.grid[here.row : cell.row + 1, here.col : cell.col + 1]
        try:
            need, path = engine.minimum_health_path(part)
        except ValueError:
            need, path = BEYOND, np.empty((0, 2), np.int64)
        if state.health - int(part[0, 0]) < need:  # his health before he entered his cell
            return f"He can't get there alive with {state.health} health."
        return _walks(path)

    def typed(self, state: State, actions: Sequence[Action]) -> str:
        return "".join(self.keys[action.direction] for action in actions if isinstance(action, Walk))

    def ways(self, state: State) -> Sequence[Direction]:
        return rules.ways(state.level)

    def underfoot(self, state: State) -> str:
        if state.status is not Status.READY:
            return f"Health {state.health}."
        rows, cols = state.level.grid.shape
        first = self.name(state, state.cell)
        return f"He stands before {counted(rows, 'row')} of {counted(cols, 'cell')}. First cell: {first}."

    def standing(self, state: State) -> str:
        level = state.level
        facts = [f"The princess is {apart(state.cell, state.level.princess)}."]
        facts += [] if level.fee is None else [f"{level.purse - state.spent} gold left."]
        return " ".join([*facts, goal(level)])

    def hint(self, state: State) -> str:
        actions = solver.actions_on(state)
        if not actions:
            return f"{HOPELESS}: undo or restart."
        keys = self.typed(state, actions)
        start = next((f"health {action.health}, and " for action in actions if isinstance(action, SetOut)), "")
        return f"Type {start}{keys}: {self.runs(keys)}, to the princess."


def _free_route(state: State, cell: Cell) -> Sequence[Action] | str:
    """The steps of a shortest path over empty cells in a purchase; or why there is none."""
    is_free = state.level.grid == 0
    for there in (*state.taken, state.cell, cell):
        is_free[there] = True
    try:
        return _walks(engine.path_to(is_free, state.cell, cell, diagonal=False))
    except engine.NoPathError:
        return "Traps or power-ups are in the way: walk there step by step."


def _walks(path: NDArray[np.int64]) -> list[Action]:
    return [Walk(Direction((int(rows), int(cols)))) for rows, cols in np.diff(path, axis=0)]
