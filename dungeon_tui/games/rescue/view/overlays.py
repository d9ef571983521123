"""Overlays, each computed step by step: the need of every cell; in a guess, how far a knight gets with the last one."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model.level import MOST, Level
from dungeon_tui.games.rescue.model.rules import State, Status, least_health
from dungeon_tui.ui.map.distance_layer import DistanceField, Explanation, Wording

NEED, PROBE = "need", "probe"
NEED_WORDING = Wording(
    "Need, the least health to enter a cell with",
    farthest="The largest is {}.",
    frontier="Step {}",
    of_cell="need {}",
    heat="bright is little, dark is much",
    arrows="lead along a best path",
    has_letters=False,
    speed=1,  # slow enough to read the formula
)
PROBE_WORDING = Wording(
    "The last guess, the most health he can have there",
    farthest="The most is {}.",
    frontier="Step {}",
    of_cell="{} health at most with the last guess",
    heat="bright is little, dark is much, empty is death",
    arrows="lead back along the best path",
    has_letters=False,
    speed=1,
)
MAX_NEEDS = 10_000_000  # cells, 8 bytes each
MAX_PROBED = 1_000_000  # cells
_UP, _DOWN, _LEFT, _RIGHT, _STAY = 0, 1, 2, 3, 8  # as in DistanceField.steps


def is_guessing(state: State) -> bool:
    """True while the player is guessing, so that overlays must not show the answer."""
    if state.level.is_guessed:
        return not state.is_over
    return (
        state.status is Status.READY and state.guesses is not None and state.guesses.last != least_health(state.level)
    )


def keep_secret(state: State) -> None:
    """Raises ValueError while the answer is secret."""
    if state.level.is_guessed and not state.is_over:
        raise ValueError("that would give the answer away")


def check_size(level: Level) -> None:
    """Raises ValueError for grids without a table of needs: too large ones, and purchases."""
    if level.fee is not None:
        raise ValueError("in a purchase a cell's need depends on the power-ups taken")
    rows, cols = level.grid.shape
    if rows * cols > MAX_NEEDS:
        raise ValueError(f"{rows} x {cols} cells are too many for a table of needs: at most {MAX_NEEDS:,}")


def number_field(state: State, kind: str, has_arrows: bool) -> DistanceField:
    """The numbers of a kind; raises ValueError if they can't be computed."""
    return (probe_field if kind == PROBE else need_field)(state, kind, has_arrows)


def need_field(state: State, kind: str, has_arrows: bool) -> DistanceField:
    """The need of every cell, computed step by step from the last cell backwards, row by row."""
    level = state.level
    check_size(level)
    table = solver.needs(level)
    order = np.arange(table.size, 0, -1, dtype=np.int32).reshape(table.shape)
    steps = _best_steps(table) if has_arrows else None
    return _field(kind, table, steps, order, lambda step: _explanation(level, table, step))


def _explanation(level: Level, table: NDArray[np.int64], step: int) -> Explanation | None:
    """The cell that a step (from 1) computes, its sources and the formula in words; None for step 0."""
    if step == 0:
        return None
    rows, cols = table.shape
    cell = Cell(*divmod(table.size - step, cols))
    named = {cell.neighbour(Direction.RIGHT): "right", cell.neighbour(Direction.DOWN): "below"}
    sources = tuple(source for source in named if source.is_inside(rows, cols))
    given = " and ".join(f"{table[source]} ({named[source]})" for source in sources) or "1, to be left with"
    least = f"the smaller of {given}" if len(sources) > 1 else given
    value = int(level.grid[cell])
    result = min((int(table[source]) for source in sources), default=1) - value
    clamped = "" if result >= 1 else "; at least 1, so 1"
    return Explanation(cell, sources, f"Need of {cell.text}: {least}, less {value}, is {result}{clamped}.")


def _best_steps(table: NDArray[np.int64]) -> NDArray[np.uint8]:
    """(rows, cols) indices into engine.STEPS: towards the neighbour that needs less, right if both are equal."""
    steps = np.full(table.shape, _RIGHT, np.uint8)
    steps[:, -1] = _DOWN
    steps[:-1, :-1][table[1:, :-1] < table[:-1, 1:]] = _DOWN
    steps[-1, -1] = _STAY
    return steps


def probe_field(state: State, kind: str, has_arrows: bool) -> DistanceField:
    """The sweep of the last guess, from the first cell, row by row. Raises ValueError if there is no guess yet."""
    grid = state.level.grid
    if state.guesses is None:
        raise ValueError("guess first: this shows how far he gets with the guess")
    if grid.size > MAX_PROBED:
        raise ValueError(f"this works on up to {MAX_PROBED:,} cells")
    table = np.minimum(solver.most_leaving(grid, guess := state.guesses.last), MOST).astype(np.int64)
    order = np.arange(1, table.size + 1, dtype=np.int32).reshape(table.shape)
    steps = np.full(table.shape, _UP, np.uint8)
    steps[0] = _LEFT
    steps[1:, 1:][table[1:, :-1] > table[:-1, 1:]] = _LEFT
    steps[0, 0] = _STAY

    def explain(step: int) -> Explanation | None:
        if step == 0:
            return None
        cell = Cell(*divmod(step - 1, table.shape[1]))
        before = [cell.neighbour(way) for way in (Direction.LEFT, Direction.UP)]
        sources = tuple(each for each in before if each.is_inside(*table.shape))
        best = max((int(table[each]) for each in sources), default=guess)
        left = f"{best} at most, {int(grid[cell]):+}, leaves {best + int(grid[cell])}"
        if not best:
            left = "he can't get here alive"
        elif not table[cell]:
            left += ": he dies"
        return Explanation(cell, sources, f"With {guess}, {cell.text}: {left}.")

    return _field(kind, table, steps if has_arrows else None, order, explain)


def _field(
    kind: str,
    table: NDArray[np.int64],
    steps: NDArray[np.uint8] | None,
    order: NDArray[np.int32],
    explain: Callable[[int], Explanation | None],
) -> DistanceField:
    most = int(table.max())
    return DistanceField(kind, table, steps, 0, most, order=order, explain=explain, covers_things=True)
