"""Exact values: how a chase ends if neither side errs, for every position at once, through the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import EIGHT_WAYS, Cell
from dungeon_tui.core.words import counted
from dungeon_tui.engine import STAY, STEPS, UNREACHED, graph_distances, solve_pursuit
from dungeon_tui.games.chase.ai.work import look
from dungeon_tui.games.chase.model.level import ROOM, WALL, Level
from dungeon_tui.games.chase.model.rules import moved, neighbours
from dungeon_tui.games.chase.model.state import Side, State

Ints = NDArray[np.int32]
Steps = NDArray[np.uint8]


@dataclass(frozen=True, eq=False, slots=True)
class MoveGraph:
    """The sites of a board, numbered row by row, and the moves from each in compressed rows; all arrays read-only."""

    cells: Ints  # (sites, 2) rows of (row, col)
    number: Ints  # (size, size): the number of the site; -1 on walls
    indptr: Ints  # (sites + 1,)
    indices: Ints  # (moves,): the sites that a site's moves lead to, itself included, in their order

    def __len__(self) -> int:
        """Number of sites."""
        return len(self.cells)

    def site(self, cell: Cell) -> int:
        """Number of the site on a cell; -1 for a wall."""
        return int(self.number[cell])

    def cell(self, site: int) -> Cell:
        """Cell of the site with a number."""
        return Cell(*self.cells[site].tolist())

    def moves(self, site: int) -> Ints:
        """The sites that a move may lead to."""
        return self.indices[self.indptr[site] : self.indptr[site + 1]]

    def distances(self, goal: Cell) -> Ints:
        """(sites,) moves to a goal as if nobody else moved; UNREACHED where no way leads there."""
        found = graph_distances(self.indptr, self.indices, self.site(goal))
        look(lambda: int((found < UNREACHED).sum()))
        return found


@lru_cache(maxsize=8)
def move_graph(level: Level) -> MoveGraph:
    """The board's graph; `rules.is_legal_move` for all pairs of sites at once.

    Cost:
        O(cells) time and memory, in numpy; a board asked for lately is not computed again.
    """
    is_site, room = level.tiles != WALL, np.pad(level.tiles == ROOM, 1)
    padded = np.full((level.size + 2, level.size + 2), -1, np.int32)
    padded[1:-1, 1:-1][is_site] = np.arange(is_site.sum(), dtype=np.int32)
    cells = np.argwhere(is_site).astype(np.int32)
    rows, cols = (cells + 1).T
    targets = [padded[rows, cols]]
    for direction in EIGHT_WAYS:
        down, right = direction.value
        to = padded[rows + down, cols + right]
        if down and right:
            to = np.where(room[rows, cols] & room[rows + down, cols + right], to, -1)
        targets.append(to)
    table = np.sort(np.stack(targets, axis=1), axis=1)
    indptr = np.concatenate([[0], np.cumsum((table >= 0).sum(axis=1))]).astype(np.int32)
    arrays = cells, np.ascontiguousarray(padded[1:-1, 1:-1]), indptr, table[table >= 0]
    for array in arrays:
        array.setflags(write=False)
    return MoveGraph(*arrays)


@lru_cache(maxsize=2)
def solve(level: Level) -> Ints:
    """Solves a board; one that was asked for lately is not solved again.

    Returns:
        (sites, sites) monster moves until the capture by the numbers of the rogue's and of the monster's site, the
        monster to move; UNREACHED: the rogue evades it for ever.

    Raises:
        ValueError: it has too many sites; the message says how many, and the memory that it would take.
    """
    graph = move_graph(level)
    return solve_pursuit(graph.indptr, graph.indices)


def value(state: State) -> int:
    """Monster moves until the capture if neither side errs, from a position on; UNREACHED: it never comes."""
    moves, graph = solve(state.level), move_graph(state.level)
    rogue, monster = graph.site(state.rogue), graph.site(state.monster)
    look(lambda: 1 if state.side is Side.MONSTER else len(graph.moves(rogue)))
    if state.side is Side.MONSTER or rogue == monster:
        return int(moves[rogue, monster])
    return int(moves[graph.moves(rogue), monster].max())


def value_text(value: int) -> str:
    """A value in words: `captured in 3 monster moves`, or `the rogue is safe for ever` for UNREACHED."""
    return "the rogue is safe for ever" if value == UNREACHED else f"captured in {counted(value, 'monster move')}"


def move_values(state: State) -> dict[Cell, int]:
    """Value of each move of the side to move: monster moves until the capture, this one included if it is one.

    UNREACHED where the rogue is safe for ever.
    """
    own = 1 if state.side is Side.MONSTER else 0
    values = {}
    for to in sorted(neighbours(state.level, state.site)):
        after = value(moved(state, to))
        values[to] = after if after == UNREACHED else after + own
    return values


def best_moves(state: State) -> list[Cell]:
    """Sites of all moves of the side to move that keep the position's value, sorted."""
    values = move_values(state)
    best = min(values.values()) if state.side is Side.MONSTER else max(values.values())
    return sorted(to for to, value in values.items() if value == best)


def first_step(state: State, goal: Cell) -> Cell | None:
    """First site on a shortest way of the side to move to another; None where no way leads there."""
    steps = path_lengths(state.level, goal)
    best = min(sorted(neighbours(state.level, state.site)), key=steps)
    return None if steps(best) == UNREACHED else best


def path_lengths(level: Level, goal: Cell) -> Callable[[Cell], int]:
    """Function that gives the moves from a site to a goal, as if nobody else moved; UNREACHED where no way leads."""
    graph = move_graph(level)
    distance = graph.distances(goal)
    return lambda site: int(distance[graph.site(site)])


def walking_map(state: State, side: Side) -> tuple[Ints, Steps]:
    """Moves from every site to where a side stands, by the rules of the board, as if nobody else moved.

    Returns:
        (size, size) int32 moves, UNREACHED on walls and where no way leads; (size, size) uint8 rows of engine.STEPS
        that lead there.
    """
    distance = move_graph(state.level).distances(state.monster if side is Side.MONSTER else state.rogue)
    return _on_board(state.level, distance, distance, np.minimum)


def capture_map(state: State, side: Side) -> tuple[Ints, Steps]:
    """Monster moves until the capture, for every site on which a side might stand instead; the other stays where it is.

    Returns:
        (size, size) int32 monster moves, UNREACHED on walls and where the rogue is safe for ever; (size, size) uint8
        indices into engine.STEPS: a best move of that side from there, as if it were its turn.
    """
    moves, graph = solve(state.level), move_graph(state.level)
    rogue, monster = graph.site(state.rogue), graph.site(state.monster)
    is_monsters_turn = state.side is Side.MONSTER
    if side is Side.MONSTER:
        after = moves[graph.moves(rogue)].max(axis=0)
        after[rogue] = 0
        return _on_board(state.level, moves[rogue] if is_monsters_turn else after, after, np.minimum)
    after = np.ascontiguousarray(moves[:, monster])
    values = after if is_monsters_turn else _best_of(graph, after, np.maximum)
    values[monster] = 0
    return _on_board(state.level, values, after, np.maximum)


def _best_of(graph: MoveGraph, values: Ints, best: np.ufunc) -> Ints:
    """(sites,) the best of the values of the sites that each site's moves lead to."""
    found: Ints = best.reduceat(values[graph.indices], graph.indptr[:-1])
    return found


def _on_board(level: Level, values: Ints, after: Ints, best: np.ufunc) -> tuple[Ints, Steps]:
    """(sites,) values as a grid; and for each site the step to the first neighbour whose value `after` is the best."""
    graph = move_graph(level)
    grid = np.full((level.size, level.size), UNREACHED, np.int32)
    grid[tuple(graph.cells.T)] = values
    starts = np.repeat(np.arange(len(graph), dtype=np.int32), np.diff(graph.indptr))
    is_best = after[graph.indices] == _best_of(graph, after, best)[starts]
    _, first = np.unique(starts[is_best], return_index=True)
    rows, cols = (graph.cells[graph.indices[is_best][first]] - graph.cells).T
    steps = np.full((level.size, level.size), STAY, np.uint8)
    steps[tuple(graph.cells.T)] = _STEP_OF[rows + 1, cols + 1]
    return grid, steps


_STEP_OF = np.empty((3, 3), np.uint8)
_STEP_OF[tuple(STEPS.T + 1)] = np.arange(len(STEPS))
