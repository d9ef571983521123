"""A guess at work: how far a knight comes with the health that was guessed last, which gives no answer away."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.games.rescue.model.level import MOST, Grid
from dungeon_tui.games.rescue.model.rules import State, Status, least_health
from dungeon_tui.ui.map.distance_layer import DistanceField, Explanation, Wording

PROBE = "probe"
PROBE_WORDING = Wording(
    "The last guess at work, the most health he can have there",
    farthest="The most is {}.",
    frontier="Step {}",
    of_cell="{} health at most with the last guess",
    heat="bright is little, dark is much; the rest is death",
    arrows="lead home along the best way there",
    has_letters=False,
    speed=1,
)
MOST_CELLS = 1_000_000
_UP, _LEFT, _STAY = 0, 2, 8  # as DistanceField.steps numbers them


def is_guessing(state: State) -> bool:
    """True while the least health is being guessed: what `o` shows must not tell it."""
    if state.level.is_guessed:
        return not state.is_over
    return (
        state.status is Status.READY and state.guesses is not None and state.guesses.last != least_health(state.level)
    )


def keep_secret(state: State) -> None:
    """Raises ValueError where to tell the least health would be to end the game."""
    if state.level.is_guessed and not state.is_over:
        raise ValueError("that would give the answer away")


def sweep(grid: Grid, health: int) -> NDArray[np.int64]:
    """(rows, cols): the most health to stand with on each cell, of so much at first; 0 where nobody comes alive."""
    most = np.zeros(grid.shape, np.int64)
    above = [health] + [0] * (grid.shape[1] - 1)
    for row, values in enumerate(grid.tolist()):
        left = 0
        for col, value in enumerate(values):
            alive = max(left, above[col])
            left = above[col] = min(MOST, max(0, alive + value)) if alive else 0
        most[row] = above
    return most


def probe_field(state: State, kind: str, has_arrows: bool) -> DistanceField:
    """The sweep of the last guess over the grid, from the first cell, row by row.

    Raises:
        ValueError: nothing was guessed yet, or the grid is too large.
    """
    grid = state.level.grid
    if state.guesses is None:
        raise ValueError("guess first: this shows how far he comes with it")
    if grid.size > MOST_CELLS:
        raise ValueError(f"a guess is shown at work on up to {MOST_CELLS:,} cells")
    table = sweep(grid, guess := state.guesses.last)
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
        left = (
            "nobody comes here alive"
            if not best
            else f"{best} at most, {int(grid[cell]):+}, leaves {best + int(grid[cell])}"
        )
        dead = ": he dies" if best and not table[cell] else ""
        return Explanation(cell, sources, f"{guess} at work, {cell.place}: {left}{dead}.")

    return DistanceField(
        kind,
        table,
        steps if has_arrows else None,
        unreached=0,
        farthest=int(table.max()),
        order=order,
        explain=explain,
        covers_things=True,
    )
