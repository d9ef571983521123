"""Exact values: how a chase ends if neither side errs, for every position at once, through the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.words import counted
from dungeon_tui.engine import STAY, STEPS, UNREACHED, graph_distances, solve_pursuit
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.maps import MoveGraph, move_graph
from dungeon_tui.games.chase.model.state import Side, State

Grid = NDArray[np.int32]
Steps = NDArray[np.uint8]


@dataclass(frozen=True, eq=False, slots=True)
class Solution:
    """The value of every position of a board: how many monster moves are left until the capture."""

    graph: MoveGraph
    monster_to_move: NDArray[np.int32]  # [rogue, monster], by the sites' numbers; UNREACHED: evades for ever

    def rogue_to_move(self, rogue: int) -> NDArray[np.int32]:
        """(sites,) the same with the rogue, standing on a site, to move: the best of its moves, by monster sites."""
        values: NDArray[np.int32] = self.monster_to_move[self.graph.moves(rogue)].max(axis=0)
        values[rogue] = 0
        return values

    def after(self, state: State, to: Cell) -> int:
        """The value of the position that a move of the side to move leads to."""
        site, monster, rogue = map(self.graph.site, (to, state.monster, state.rogue))
        if state.side is Side.MONSTER:
            return self._answered(rogue, site)
        return int(self.monster_to_move[site, monster])

    def value(self, state: State) -> int:
        """Monster moves until the capture, from here on, if neither side errs; UNREACHED: it never comes."""
        rogue, monster = self.graph.site(state.rogue), self.graph.site(state.monster)
        return (
            int(self.monster_to_move[rogue, monster]) if state.side is Side.MONSTER else self._answered(rogue, monster)
        )

    def _answered(self, rogue: int, monster: int) -> int:
        """The value with the rogue to move; 0 where both share a site."""
        return 0 if rogue == monster else int(self.monster_to_move[self.graph.moves(rogue), monster].max())


@lru_cache(maxsize=2)
def solve(level: Level) -> Solution:
    """Solves a board; one that was asked for lately is not solved again.

    Raises:
        ValueError: it has too many sites; the message says how many, and the memory that it would take.
    """
    graph = move_graph(level)
    return Solution(graph, solve_pursuit(graph.indptr, graph.indices))


def move_values(state: State) -> dict[Cell, int]:
    """Value of each move of the side to move: monster moves until the capture, this one included if it is one.

    UNREACHED where the rogue is safe for ever.
    """
    solution = solve(state.level)
    own = 1 if state.side is Side.MONSTER else 0
    values = {}
    for site in solution.graph.moves(solution.graph.site(state.site)).tolist():
        to = solution.graph.cell(site)
        after = solution.after(state, to)
        values[to] = after if after == UNREACHED else after + own
    return values


def value(state: State) -> int:
    """Monster moves until the capture if neither side errs, from a position on; UNREACHED: it never comes."""
    return solve(state.level).value(state)


def value_text(value: int) -> str:
    """A value in words."""
    return "the rogue is safe for ever" if value == UNREACHED else f"captured in {counted(value, 'monster move')}"


def best_moves(state: State) -> list[Cell]:
    """Every move that keeps the position's value, sorted."""
    values = move_values(state)
    best = min(values.values()) if state.side is Side.MONSTER else max(values.values())
    return sorted(to for to, value in values.items() if value == best)


def first_step(state: State, goal: Cell) -> Cell | None:
    """First site on a shortest way of the side to move to another; None where no way leads there."""
    graph = move_graph(state.level)
    distance = graph_distances(graph.indptr, graph.indices, graph.site(goal))
    sites = graph.moves(graph.site(state.site))
    best = sites[np.argmin(distance[sites])]
    return None if distance[best] == UNREACHED else graph.cell(int(best))


def path_lengths(level: Level, goal: Cell) -> Callable[[Cell], int]:
    """Moves from any site of a board to a goal, as if nobody else moved; UNREACHED where no way leads there."""
    graph = move_graph(level)
    distance = graph_distances(graph.indptr, graph.indices, graph.site(goal))
    return lambda site: int(distance[graph.site(site)])


def walking_map(state: State, side: Side) -> tuple[Grid, Steps]:
    """Moves from every site to where a side stands, by the rules of the board, as if nobody else moved.

    Returns:
        (size, size) int32 moves, UNREACHED on walls and where no way leads; (size, size) uint8 rows of engine.STEPS
        that lead there.
    """
    graph = move_graph(state.level)
    goal = state.monster if side is Side.MONSTER else state.rogue
    distance = graph_distances(graph.indptr, graph.indices, graph.site(goal))
    return _on_board(state.level, graph, distance), _steps(state.level, graph, distance, np.minimum)


def capture_map(state: State, side: Side) -> tuple[Grid, Steps]:
    """Values of the position if a side stood elsewhere: monster moves until the capture.

    Returns:
        (size, size) int32 monster moves, UNREACHED on walls and where the rogue is safe for ever; (size, size) uint8
        rows of engine.STEPS: that side's best moves, as if it were its turn.
    """
    solution = solve(state.level)
    graph, moves = solution.graph, solution.monster_to_move
    rogue, monster = graph.site(state.rogue), graph.site(state.monster)
    is_monsters_turn = state.side is Side.MONSTER
    best: np.ufunc
    if side is Side.MONSTER:
        after, best = solution.rogue_to_move(rogue), np.minimum
        values = moves[rogue] if is_monsters_turn else after
    else:
        after, best = np.ascontiguousarray(moves[:, monster]), np.maximum
        values = after if is_monsters_turn else _best_of(graph, after, best)
        values[monster] = 0
    return _on_board(state.level, graph, values), _steps(state.level, graph, after, best)


def _best_of(graph: MoveGraph, values: NDArray[np.int32], best: np.ufunc) -> NDArray[np.int32]:
    """(sites,) the best value among each site's moves."""
    found: NDArray[np.int32] = best.reduceat(values[graph.indices], graph.indptr[:-1])
    return found


def _on_board(level: Level, graph: MoveGraph, values: NDArray[np.int32]) -> Grid:
    """(sites,) values as a (size, size) grid, UNREACHED on walls."""
    grid = np.full((level.size, level.size), UNREACHED, np.int32)
    grid[tuple(graph.cells.T)] = values
    return grid


def _steps(level: Level, graph: MoveGraph, values: NDArray[np.int32], best: np.ufunc) -> Steps:
    """For each site the move to the neighbour of the best value, the first one where several are."""
    starts = np.repeat(np.arange(len(graph), dtype=np.int32), np.diff(graph.indptr))
    is_best = values[graph.indices] == _best_of(graph, values, best)[starts]
    _, first = np.unique(starts[is_best], return_index=True)
    rows, cols = (graph.cells[graph.indices[is_best][first]] - graph.cells).T
    steps = np.full((level.size, level.size), STAY, np.uint8)
    steps[tuple(graph.cells.T)] = _STEP_OF[rows + 1, cols + 1]
    return steps


_STEP_OF = np.empty((3, 3), np.uint8)
_STEP_OF[tuple(STEPS.T + 1)] = np.arange(len(STEPS))
