"""The rescue for those who don't look: the knight's health, the cells beside him, the nearest of a kind, a best way."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.spoken import Spoken, Surroundings, apart, in_runs
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.rules import SetOut, State, Status, Walk
from dungeon_tui.games.rescue.view.words import goal, guesses_text

_KEYS = {Direction.RIGHT: "d", Direction.DOWN: "s", Direction.LEFT: "a", Direction.UP: "w"}
_MOVES = {key: way.words for way, key in _KEYS.items()}


def spoken(keys: str, board: Callable[[State], str]) -> Spoken[State]:
    """The answers in words of one rescue, with its commands in a line and the grid as the transcript prints it."""
    return Spoken(
        keys=keys.strip(),
        look=look,
        who=lambda state: "",
        near=lambda state, word: surroundings(state).near(word),
        hint=_hint,
        board=board,
    )


def surroundings(state: State) -> Surroundings:
    """The grid around the knight."""
    level, rows, cols = state.level, *state.level.grid.shape
    princess = Cell(rows - 1, cols - 1)

    def name(cell: Cell) -> str:
        if not cell.is_inside(rows, cols):
            return "edge"
        value = state.value(cell)
        there = f"trap, {value}" if value < 0 else f"power-up, +{value}" if value else "nothing"
        return f"princess, with {there}" if cell == princess else there

    def steps(cell: Cell) -> Iterable[Cell]:
        return [to for to in map(cell.neighbour, rules.ways(level)) if to.is_inside(rows, cols)]

    valued = [Cell(*place) for place in np.argwhere(level.grid).tolist()]
    things = [(name(cell), cell) for cell in dict.fromkeys([*valued, princess]) if cell != state.cell]
    keys = {way: _KEYS[way] for way in rules.ways(level)}
    return Surroundings(state.cell, name, things, steps, keys)


def look(state: State) -> str:
    """The knight's health and place, the cells beside him, and the way to the princess as the crow flies."""
    level, around = state.level, surroundings(state)
    rows, cols = level.grid.shape
    is_ready = state.status is Status.READY
    beside = {"first cell": state.cell} if is_ready else {}
    beside |= {way.words: state.cell.neighbour(way) for way in around.keys}
    told = [f"{capitalised(where)}: {around.name(cell)}." for where, cell in beside.items()]
    health = (
        f"He stands before {counted(rows, 'row')} of {counted(cols, 'cell')}."
        if is_ready
        else f"Health {state.health}."
    )
    far = f"The princess is {apart(state.cell, Cell(rows - 1, cols - 1))}."
    gold = "" if level.fee is None else f"{level.purse - state.spent} gold left."
    known = f"The least health is {guessed}." if (guessed := guesses_text(state)) else ""
    return " ".join(filter(None, [health, *told, far, gold, known, goal(level)]))


def _hint(state: State) -> str:
    """The guess that halves what is possible, or the commands of a best way on."""
    if state.level.is_guessed:
        low, high = solver.known(state)
        least, most = solver.bounds(state.level)
        low, high = max(low, least), min(high, most)
        return f"Type guess {(low + high) // 2}: it is from {low} to {high}."
    actions = solver.actions_on(state)
    if not actions:
        return "He survives no way on from here: undo, or restart."
    keys = "".join(_KEYS[action.direction] for action in actions if isinstance(action, Walk))
    way = f"{keys}: {in_runs(keys, _MOVES)}, to the princess."
    start = [f"Type health {action.health}, and" for action in actions if isinstance(action, SetOut)]
    return " ".join([*(start or ["Type"]), way])
