"""Exact knowledge of a grid: a best path, the cells of all best paths, the needs; and the cost of a given path."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui import engine
from dungeon_tui.core.grid import Cell, Direction, cells_of
from dungeon_tui.games.rescue.ai.algorithms import Path
from dungeon_tui.games.rescue.model.level import MOST, Grid, Level
from dungeon_tui.games.rescue.model.purchase import Bargain, bargain
from dungeon_tui.games.rescue.model.rules import Action, SetOut, State, Status, Walk, path_of, start, step


@lru_cache(maxsize=2)
def best_path(level: Level) -> Path:
    """The cells of a best path, right if both ways are equal. Raises ValueError if its need is beyond 64 bits."""
    return cells_of(engine.minimum_health_path(level.grid)[1])


@lru_cache(maxsize=2)
def needs(level: Level) -> NDArray[np.int64]:
    """(rows, cols) read-only: the least health to enter each cell with. Raises ValueError if one is beyond 64 bits."""
    table = engine.need_table(level.grid)
    table.setflags(write=False)
    return table


@lru_cache(maxsize=2)
def best_cells(level: Level) -> NDArray[np.bool_]:
    """(rows, cols) read-only: the cells of all best paths, reached alive with what they need. ValueError as `needs`."""
    need = needs(level)
    leaving = most_leaving(level.grid, int(need[0, 0]))
    entering = np.zeros_like(leaving)
    entering[0, 0] = need[0, 0]
    entering[:, 1:] = leaving[:, :-1]
    entering[1:] = np.maximum(entering[1:], leaving[:-1])
    mask: NDArray[np.bool_] = (entering >= need).astype(bool)
    mask.setflags(write=False)
    return mask


def most_leaving(grid: Grid, health: int) -> NDArray[Any]:
    """(rows, cols) most health to leave each cell with, from the initial health, by anti-diagonals; 0: dead."""
    rows, cols = grid.shape
    fits = health + (rows + cols) * max(0, int(grid.max())) <= MOST
    table = np.zeros((rows + 1, cols + 1), np.int64 if fits else object)
    table[1, 0] = health
    for diagonal in range(rows + cols - 1):
        row = np.arange(max(0, diagonal - cols + 1), min(diagonal, rows - 1) + 1)
        col = diagonal - row
        entering = np.maximum(table[row + 1, col], table[row, col + 1])
        table[row + 1, col + 1] = np.where(entering > 0, np.maximum(entering + grid[row, col], 0), 0)
    return table[1:, 1:]


def par(level: Level) -> int | None:
    """The least gold of a purchase; None: unknown."""
    try:
        found = bargain(level)
    except ValueError:
        return None
    return found.gold if found is not None else None


def least_start(level: Level) -> int:
    """The best health to set out with. Raises ValueError if it can't be computed."""
    if level.fee is None:
        return engine.minimum_health(level.grid)
    found = bargain(level)
    assert found is not None  # with enough health he survives every path
    return found.health


def line_on(state: State) -> Path | None:
    """The cells of a best path from here, without the current one; None if he dies on every path. Raises ValueError."""
    if state.level.fee is not None:
        found = bargain_of(state)
        return found.path if found is not None else None
    if state.status is Status.READY:
        return best_path(state.level)
    row, col = state.cell
    need, path = engine.minimum_health_path(state.level.grid[row:, col:])
    if state.health - state.value(state.cell) < need:  # his health before he entered his cell
        return None
    return tuple(Cell(row + there.row, col + there.col) for there in cells_of(path)[1:])


def actions_on(state: State) -> list[Action]:
    """The actions of a best path to the princess; empty if he dies on all. Raises ValueError as `line_on` does."""
    path = line_on(state)
    if path is None:
        return []
    is_ready = state.status is Status.READY
    walk = _walks(path if is_ready else (state.cell, *path))
    return [SetOut(least_start(state.level)), *walk] if is_ready else [*walk]


def moves_since_hope(state: State) -> int:
    """The number of moves since he could last survive; all of them if not even after setting out. ValueError as above.

    Only after setting out.
    """
    actions: list[Action] = [SetOut(state.initial), *_walks(path_of(state))]
    states = accumulate(actions, lambda before, action: step(before, action)[0], initial=start(state.level))
    return next(moves for moves, before in enumerate([*states][::-1]) if line_on(before) is not None)


def _walks(path: Iterable[Cell]) -> list[Walk]:
    return [Walk(Direction((to.row - cell.row, to.col - cell.col))) for cell, to in pairwise(path)]


def bargain_of(state: State) -> Bargain | None:
    """The cheapest path that the purse can pay, or None. Raises ValueError if there are too many paths."""
    if state.status is Status.READY:
        found = bargain(state.level)
        return found if found is not None and found.gold <= state.level.purse else None
    return bargain(state.level, state.cell, state.health, state.taken, state.level.purse - state.spent)


def health_curve(level: Level, path: Iterable[tuple[int, int]], health: int) -> list[int]:
    """The health after each cell of a path; continues below 0, so that a plot shows how much is missing."""
    return list(accumulate((int(level.grid[cell]) for cell in path), initial=health))[1:]


def path_need(level: Level, path: Iterable[tuple[int, int]]) -> int:
    """The least health that survives a path, the first cell included."""
    return 1 - min(0, *health_curve(level, path, 0))
