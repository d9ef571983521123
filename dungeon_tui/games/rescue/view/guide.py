"""The spoken words of the rescue, for its screen and for plain text."""

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from dungeon_tui import engine
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.guide import MapGuide, apart
from dungeon_tui.core.words import counted
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.rules import Action, SetOut, State, Status, Walk
from dungeon_tui.games.rescue.view.words import goal

KNIGHT, PRINCESS = "@", "P"
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
        valued = [Cell(*cell) for cell in np.argwhere(state.level.grid).tolist()]
        return [("", cell) for cell in dict.fromkeys([*valued, state.level.princess])]

    def route(self, state: State, cell: Cell) -> Sequence[Action] | str:
        if state.status is Status.READY:
            return "First choose his health."
        if cell == state.cell:
            return "He is already there."
        is_free = state.level.grid == 0
        for there in (*state.taken, state.cell, cell):
            is_free[there] = True
        with suppress(engine.NoPathError):
            steps = np.diff(engine.path_to(is_free, state.cell, cell, diagonal=False), axis=0)
            if state.level.fee is not None or (steps >= 0).all():  # a shortest path turns back only if all do
                return [Walk(Direction((int(rows), int(cols)))) for rows, cols in steps]
        return "No free way leads there: walk step by step."

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
