"""The overlay of a walk's needs, computed cell by cell."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.model.rules import State
from dungeon_tui.games.rescue.view.picture import number_width
from dungeon_tui.ui.map.distance_layer import DistanceField, Explanation, Wording

NEED = "need"
NEED_WORDING = Wording(
    "Need",
    farthest="",
    frontier="Step {}",
    of_cell="need {}",
    digits="the health to enter with; the cell's number is in brackets",
    heat="bright is little, dark is much",
    arrows="lead along best paths; diagonal: both",
    has_letters=False,
    speed=1,  # slow enough to read the formula
)
MAX_NEEDS = 10_000_000  # cells, 8 bytes each
_DOWN, _RIGHT, _EITHER, _STAY = 1, 3, 7, 8  # as in DistanceField.steps


def check_size(level: Level) -> None:
    """Raises ValueError for grids without a table of needs: too large ones, and purchases."""
    if level.fee is not None:
        raise ValueError("with gold, a cell's need depends on the power-ups taken")
    rows, cols = level.grid.shape
    if rows * cols > MAX_NEEDS:
        raise ValueError(f"{rows} x {cols} cells are too many for a table of needs: at most {MAX_NEEDS:,}")


def need_field(state: State, kind: str, has_arrows: bool) -> DistanceField:
    """The need of every cell, computed step by step from the last cell backwards, row by row."""
    level = state.level
    check_size(level)
    table = solver.needs(level)
    order = np.arange(table.size, 0, -1, dtype=np.int32).reshape(table.shape)
    steps = _best_steps(table) if has_arrows else None
    most, own = int(table.max()), number_width(level) + 2
    explain = partial(_explanation, level, table)
    return DistanceField(kind, table, steps, 0, most, order=order, explain=explain, covers_things=True, own_columns=own)


def _explanation(level: Level, table: NDArray[np.int64], step: int) -> Explanation | None:
    """The cell that a step (from 1) computes, its sources and the formula; None for step 0."""
    if step == 0:
        return None
    cell = Cell(*divmod(table.size - step, table.shape[1]))
    return Explanation(cell, tuple(_ahead(table, cell)), f"Need of {cell.text}: {formula(level, table, cell)}.")


def _ahead(table: NDArray[np.int64], cell: Cell) -> dict[Cell, str]:
    """The cells to which a path goes on, with their directions."""
    named = {cell.neighbour(Direction.RIGHT): "right", cell.neighbour(Direction.DOWN): "below"}
    return {source: name for source, name in named.items() if source.is_inside(*table.shape)}


def formula(level: Level, table: NDArray[np.int64], cell: Cell) -> str:
    """The need of a cell, computed from its neighbours: "min(6 right, 5 below) + 3 = 8"."""
    ahead = _ahead(table, cell)
    given = ", ".join(f"{table[source]} {name}" for source, name in ahead.items()) or "1 to be left with"
    value = int(level.grid[cell])
    result = min((int(table[source]) for source in ahead), default=1) - value
    text = f"{f'min({given})' if len(ahead) > 1 else given} {'-' if value > 0 else '+'} {abs(value)} = {result}"
    return text if result >= 1 else f"{text}, at least 1"


def _best_steps(table: NDArray[np.int64]) -> NDArray[np.uint8]:
    """(rows, cols) indices into engine.STEPS: towards the neighbour that needs less; diagonal if both are equal."""
    steps = np.full(table.shape, _RIGHT, np.uint8)
    steps[:, -1] = _DOWN
    below, beside = table[1:, :-1], table[:-1, 1:]
    steps[:-1, :-1] = np.where(below < beside, _DOWN, np.where(below > beside, _RIGHT, _EITHER))
    steps[-1, -1] = _STAY
    return steps
