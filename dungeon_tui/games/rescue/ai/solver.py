"""All that is known of a grid: a best way, the cells of all best ways, the needs; and what a way costs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from dungeon_tui import engine
from dungeon_tui.core.grid import Cell, Direction, cells_of
from dungeon_tui.games.rescue.ai.algorithms import Path
from dungeon_tui.games.rescue.model.generator import greedy_path
from dungeon_tui.games.rescue.model.level import LEAST, MOST, Level
from dungeon_tui.games.rescue.model.purchase import Bargain, bargain
from dungeon_tui.games.rescue.model.rules import Action, SetOut, State, Status, Walk, least_health, most_health


@lru_cache(maxsize=2)
def best_path(level: Level) -> Path:
    """Cells of a best way, on which the least health is enough: where two are as good, it goes right.

    Raises:
        ValueError: the least health is beyond 64 bits.
    """
    return cells_of(engine.minimum_health_path(level.grid)[1])


@lru_cache(maxsize=2)
def needs(level: Level) -> NDArray[np.int64]:
    """(rows, cols) read-only: the least health to enter each cell with.

    Raises:
        ValueError: one of them is beyond 64 bits.
    """
    table = engine.need_table(level.grid)
    table.setflags(write=False)
    return table


@lru_cache(maxsize=2)
def best_cells(level: Level) -> NDArray[np.bool_]:
    """(rows, cols) read-only: the cells of all best ways, those that the knight survives with the least health.

    A cell is on one if he can come to it alive with as much as it needs. So the most that he can come with is compared
    with its need, one anti-diagonal after the other.

    Raises:
        ValueError: the least health, or what a cell needs, is beyond 64 bits.

    Cost:
        O(m n) time; 9 bytes a cell. Where sums may be beyond 64 bits, some 50 times the time.
    """
    rows, cols = level.grid.shape
    mask = np.ones((rows, cols), bool)
    if 1 not in mask.shape:
        table = needs(level)
        most = int(table[0, 0]) + (rows + cols) * max(0, int(level.grid.max()))
        arriving_with = np.zeros(rows + 1, np.int64 if most <= MOST else object)  # by row, from 1; 0: not alive
        arriving_with[1] = int(table[0, 0])
        for diagonal in range(rows + cols - 1):
            first, last = max(0, diagonal - cols + 1), min(diagonal, rows - 1)
            cells = slice(diagonal + first * (cols - 1), diagonal + last * (cols - 1) + 1, cols - 1)
            entering = np.maximum(arriving_with[first + 1 : last + 2], arriving_with[first : last + 1])
            mask.reshape(-1)[cells] = entering >= table.reshape(-1)[cells]
            leaving = np.maximum(entering + level.grid.reshape(-1)[cells], 0)
            arriving_with[first + 1 : last + 2] = np.where(entering > 0, leaving, 0)
    mask.setflags(write=False)
    return mask


def bounds(level: Level) -> tuple[int, int]:
    """Numbers that the least health is between, which anybody can read off the grid.

    The first cell and the better one beside it take so much on any way; on the way of the larger numbers so much is
    enough.
    """
    row, col = int(level.grid.shape[0] > 1), int(level.grid.shape[1] > 1)
    first = int(level.grid[0, 0])
    second = max(int(level.grid[row, 0]) if row else LEAST, int(level.grid[0, col]) if col else LEAST)
    return 1 - min(0, first, first + second if row + col else 0), path_need(level, greedy_path(level.grid))


def par(level: Level) -> int | None:
    """The gold that a purchase takes at least, or the guesses that halving takes between `bounds`; None: not known."""
    if level.fee is None:
        low, high = bounds(level)
        return (high - low + 1).bit_length()
    try:
        found = bargain(level)
    except ValueError:
        return None
    return found.gold if found is not None else None


def known(state: State) -> tuple[int, int]:
    """Numbers that the least health is between, by the answers to the guesses so far."""
    least, guesses = least_health(state.level), [*(state.guesses or ())]
    low = max((guess + 1 for guess in guesses if guess < least), default=1)
    high = min((guess - 1 for guess in guesses if guess > least), default=most_health(state.level))
    return (least, least) if least in guesses else (low, high)


def least_start(level: Level) -> int:
    """The health that is best to set out with. Raises ValueError where it can't be computed."""
    if level.fee is None:
        return engine.minimum_health(level.grid)
    found = bargain(level)
    assert found is not None  # enough health is enough for any way
    return found.health


def line_on(state: State) -> Path | None:
    """Cells of a best way on, from the next one on; None if he dies on every way. Raises ValueError as its searches."""
    if state.level.fee is not None:
        found = bargain_of(state)
        return found.path if found is not None else None
    if state.status is Status.READY:
        return best_path(state.level)
    row, col = state.cell
    need, path = engine.minimum_health_path(state.level.grid[row:, col:])
    if state.health - state.value(state.cell) < need:  # his health when he entered his cell
        return None
    return tuple(Cell(row + there.row, col + there.col) for there in cells_of(path)[1:])


def actions_on(state: State) -> list[Action]:
    """The actions of a best way on, to the princess; none if he dies on all. Raises ValueError as its searches."""
    path = line_on(state)
    if path is None:
        return []
    is_ready = state.status is Status.READY
    cells = pairwise(path if is_ready else (state.cell, *path))
    walk = [Walk(Direction((to.row - cell.row, to.col - cell.col))) for cell, to in cells]
    return [SetOut(least_start(state.level)), *walk] if is_ready else [*walk]


def bargain_of(state: State) -> Bargain | None:
    """The cheapest way on in a purchase that the purse can pay. Raises ValueError where there are too many ways."""
    if state.status is Status.READY:
        found = bargain(state.level)
        return found if found is not None and found.gold <= state.level.purse else None
    return bargain(state.level, state.cell, state.health, state.taken, state.level.purse - state.spent)


def health_curve(level: Level, path: Iterable[tuple[int, int]], health: int) -> list[int]:
    """The health after each cell of a way; it goes on where the knight is dead, so that a plot shows by how much."""
    return list(accumulate((int(level.grid[cell]) for cell in path), initial=health))[1:]


def path_need(level: Level, path: Iterable[tuple[int, int]]) -> int:
    """The least health with which the cells of a way are survived, the first one included."""
    return 1 - min(0, *health_curve(level, path, 0))
