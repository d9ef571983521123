"""A rescue judged by the needs of all cells: verdicts, moves, the best way on, the curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import sentence
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.model.rules import ENTRANCE, Action, Guess, SetOut, State, Status, Walk, least_health
from dungeon_tui.games.rescue.view.probe import keep_secret
from dungeon_tui.ui.map.distance_layer import DistanceField, Explanation
from dungeon_tui.ui.play.analysis import Analysis, MoveValue
from dungeon_tui.ui.widgets.figure import Axis, Figure, Series, lowest

MOST_CELLS = 10_000_000  # whose needs are kept: 8 bytes each
_RIGHT, _DOWN, _HERE = 3, 1, 8  # as DistanceField.steps numbers them
_DOOMED = 0.5  # the height where little is missing


class RescueAnalysis(Analysis):
    """The need of every cell; in a purchase the gold of every move; what was known at each guess."""

    name = "Exact needs"

    def prepare(self, state: State) -> None:
        """Computes the needs of all cells. Raises ValueError where they take too much, or would tell a secret."""
        keep_secret(state)
        if state.level.fee is not None:
            solver.bargain_of(rules.start(state.level))
        elif not state.level.is_guessed:
            check_size(state.level)
            solver.needs(state.level)

    def judge(self, turn: Turn[State, Action]) -> Judgement:
        """Verdict on the health from here on, enough or too little; a mistake is an action that makes it too little.

        In a purchase one that takes more gold than it has to, among guesses one that could not be right.
        """
        if turn.state.level.fee is not None:
            return _judged_by_gold(turn)
        if turn.state.level.is_guessed:
            return _judged_guess(turn)
        state, margin = turn.state, _margin(turn.state)
        is_mistake = turn.parent is not None and _margin(turn.parent.state) >= 0 > margin
        match state.status:
            case Status.SAVED:
                return Judgement(f"saved, with {state.health} health", 1.0, is_mistake, str(state.health))
            case Status.DIED:
                return Judgement("dead", 0.0, is_mistake, "x")
            case Status.READY:
                return Judgement(verdict(state), 1.0, is_mistake, str(need_ahead(state)))
        height = 1.0 if margin >= 0 else _DOOMED * state.health / need_ahead(state)
        return Judgement(verdict(state), height, is_mistake, f"{margin:+}")

    def moves(self, state: State) -> Sequence[MoveValue]:
        """The next actions: the health or gold that each costs more than the best, or that it dooms him."""
        if state.is_over:
            return ()
        if state.level.is_guessed:
            low, high = solver.known(state)
            middle = Guess((low + high) // 2)
            return (MoveValue(middle, ENTRANCE, 0, "", str(middle.health), rules.action_text(middle)),)
        if state.level.fee is not None:
            return _moves_by_gold(state)
        steps, least, told = _steps_ahead(state), need_ahead(state), []
        for action, (cell, need) in steps.items():
            is_lost = state.status is Status.WALKING and least <= state.health < need
            losing = "doomed" if is_lost else ""
            told.append(MoveValue(action, cell, need - least, losing, str(need), rules.action_text(action)))
        return told

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        """Actions of a best way on from here, to its end; a sentence if the rescue is over."""
        state = turn.state
        if state.is_over:
            return "The rescue is over: step back to see the best way from there."
        if state.level.is_guessed:
            return "Only a number is asked for: there is no way to play."
        if state.level.fee is not None:
            return solver.actions_on(state) or "No way on is survived from here."
        line: list[Action] = []
        while not state.is_over:
            steps = _steps_ahead(state)
            line.append(min(steps, key=lambda step: steps[step][1]))
            state, _ = rules.step(state, line[-1])
        return line


def gold_in_all(state: State) -> int | None:
    """Gold that a purchase takes at the best from here on, with what is spent; None if no way on is survived."""
    if state.is_over:
        return state.spent if state.status is Status.SAVED else None
    found = solver.bargain_of(state)
    return None if found is None else state.spent + found.gold


def _judged_by_gold(turn: Turn[State, Action]) -> Judgement:
    gold, before = gold_in_all(turn.state), None if turn.parent is None else gold_in_all(turn.parent.state)
    is_mistake = before is not None and (gold is None or gold > before)
    if gold is None:
        is_dead = turn.state.is_over
        return Judgement("dead" if is_dead else "doomed: no way on is survived", 0.0, is_mistake, "x")
    over = gold - (solver.par(turn.state.level) or gold)
    text = f"{gold} gold in all at best" + (f", {over} over par" if over else ", which is par")
    return Judgement(text, 1 / (1 + over / 4), is_mistake, str(gold))


def _moves_by_gold(state: State) -> Sequence[MoveValue]:
    """The steps, or the best health to set out with, each with the gold that it takes in all."""
    actions: list[Action] = [action for action in rules.legal_actions(state) if isinstance(action, Walk)]
    if state.status is Status.READY:
        actions = [] if solver.bargain_of(state) is None else [SetOut(solver.least_start(state.level))]
    after = [rules.step(state, action)[0] for action in actions]
    golds = [gold_in_all(each) for each in after]
    least = min((gold for gold in golds if gold is not None), default=None)
    told = []
    for action, each, gold in zip(actions, after, golds, strict=True):
        loss = None if gold is None or least is None else gold - least
        losing = "doomed" if gold is None else ""
        told.append(MoveValue(action, each.cell, loss, losing, str(gold or "-"), rules.action_text(action)))
    return told


def _judged_guess(turn: Turn[State, Action]) -> Judgement:
    low, high = solver.known(turn.state)
    is_mistake, text = False, f"known to be from {low} to {high}" if low < high else f"it is {low}"
    if turn.parent is not None and isinstance(turn.action, Guess):
        before = solver.known(turn.parent.state)
        is_mistake = not before[0] <= turn.action.health <= before[1]
        text += f"; {turn.action.health} could not be right" if is_mistake else ""
    return Judgement(text, 1 / (1 + (high - low).bit_length()), is_mistake, str(high - low + 1))


def check_size(level: Level) -> None:
    """Raises ValueError where a table of needs would be too large, or makes no sense."""
    if level.fee is not None:
        raise ValueError("in a purchase no cell has one need: it depends on the power-ups that are gone")
    rows, cols = level.grid.shape
    if rows * cols > MOST_CELLS:
        raise ValueError(f"{rows} x {cols} cells are too many for a table of their needs: {MOST_CELLS:,} at most")


def need_field(state: State, kind: str, has_arrows: bool) -> DistanceField:
    """The need of every cell as numbers, computed step by step from the last cell backwards, row by row.

    Raises:
        ValueError: they take too much memory, or one is beyond 64 bits.
    """
    level = state.level
    check_size(level)
    table = solver.needs(level)
    order = np.arange(table.size, 0, -1, dtype=np.int32).reshape(table.shape)
    return DistanceField(
        kind,
        table,
        _best_steps(table) if has_arrows else None,
        unreached=0,
        farthest=int(table.max()),
        order=order,
        explain=lambda step: explanation(level, table, step),
        covers_things=True,
    )


def explanation(level: Level, table: NDArray[np.int64], step: int) -> Explanation | None:
    """The cell whose need is computed in a step, from 1, the cells it is computed from, and words; None for step 0."""
    if step == 0:
        return None
    rows, cols = table.shape
    cell = Cell(*divmod(table.size - step, cols))
    named = {cell.neighbour(Direction.RIGHT): "right", cell.neighbour(Direction.DOWN): "below"}
    sources = tuple(source for source in named if source.is_inside(rows, cols))
    told = " and ".join(f"{table[source]} ({named[source]})" for source in sources) or "1, to be left with"
    least = f"the smaller of {told}" if len(sources) > 1 else told
    value = int(level.grid[cell])
    result = min((int(table[source]) for source in sources), default=1) - value
    clamped = "" if result >= 1 else "; 1 at least, so 1"
    return Explanation(cell, sources, f"Need of {cell.place}: {least}, less {value}, is {result}{clamped}.")


def _best_steps(table: NDArray[np.int64]) -> NDArray[np.uint8]:
    """(rows, cols) of engine.STEPS: from each cell to the neighbour that needs less, right if both need as much."""
    steps = np.full(table.shape, _RIGHT, np.uint8)
    steps[:, -1] = _DOWN
    steps[:-1, :-1][table[1:, :-1] < table[:-1, 1:]] = _DOWN
    steps[-1, -1] = _HERE
    return steps


def need_ahead(state: State) -> int:
    """The least health that is enough from here on, while the rescue lasts."""
    return min(need for _, need in _steps_ahead(state).values())


def verdict(state: State) -> str:
    """The knight's health beside the least that is enough from here on, in words; only while the rescue lasts."""
    need = need_ahead(state)
    if state.status is Status.READY:
        return f"{need} is the least health to set out with"
    margin = state.health - need
    if margin < 0:
        return f"doomed: {state.health} health, {need} needed"
    return f"enough: {margin} more than needed" if margin else "enough: exactly what is needed"


def _margin(state: State) -> int:
    """Health beyond what is needed from here on; below 0: he is lost. 0 before he sets out, and once saved."""
    if state.status is Status.WALKING:
        return state.health - need_ahead(state)
    return -1 if state.status is Status.DIED else 0  # before he sets out any health can still be chosen


def _steps_ahead(state: State) -> Mapping[Action, tuple[Cell, int]]:
    """The next actions, to set out or right before down, each with the cell that it leads to and the cell's need."""
    table = solver.needs(state.level)
    if state.status is Status.READY:
        least = int(table[ENTRANCE])
        return {SetOut(least): (ENTRANCE, least)}
    steps = [action for action in rules.legal_actions(state) if isinstance(action, Walk)]
    cells = [state.cell.neighbour(step.direction) for step in steps]
    return {step: (cell, int(table[cell])) for step, cell in zip(steps, cells, strict=True)}


def health_figure(state: State) -> Figure | str:
    """The health along the way so far, and along a best one, each with its lowest point; or why there is neither."""
    ways = []
    if state.initial:
        walked = [entered.health for entered in state.trail or ()]
        ways.append(("your way", [state.initial, *walked[::-1]]))
    try:
        keep_secret(state)
        if state.level.fee is not None:
            raise ValueError("he has still to set out")
        least = least_health(state.level)
        ways.append(("a best way", [least, *solver.health_curve(state.level, solver.best_path(state.level), least)]))
    except ValueError as error:
        if not ways:
            return sentence(str(error))
    series, marks = [], []
    for name, curve in ways:
        series.append(Series(f"{name}, from {curve[0]}", range(len(curve)), curve))
        mark = lowest(series[-1], "health", "step")
        marks.append(replace(mark, text=f"{series[-1].name}, {mark.text}"))
    return Figure(tuple(series), Axis("cells entered"), Axis("health"), tuple(marks))
