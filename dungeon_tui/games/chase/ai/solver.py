"""Exact values: how a chase ends under perfect play, solved for all positions together by the engine."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import EIGHT_WAYS, Cell
from dungeon_tui.core.identity import ByIdentity
from dungeon_tui.core.words import counted
from dungeon_tui.engine import UNREACHED, graph_distances, solve_pursuit
from dungeon_tui.games.chase.model.level import ROOM, WALL, Level
from dungeon_tui.games.chase.model.rules import moved, neighbours
from dungeon_tui.games.chase.model.state import Side, State

Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False, slots=True)
class MoveGraph:
    """The sites of a board, numbered row by row, and the moves from each in CSR form; all arrays are read-only."""

    cells: Ints  # (sites, 2) rows of (row, col)
    number: Ints  # (size, size) site numbers; -1 on walls
    indptr: Ints  # (sites + 1,)
    indices: Ints  # (moves,) the sites that each site's moves lead to, itself included, sorted

    def __len__(self) -> int:
        return len(self.cells)

    def site(self, cell: Cell) -> int:
        """The number of a cell's site; -1 for a wall."""
        return int(self.number[cell])

    def cell(self, site: int) -> Cell:
        """The cell of a site."""
        return Cell(*self.cells[site].tolist())

    def moves(self, site: int) -> Ints:
        """The sites that a move from a site can lead to."""
        return self.indices[self.indptr[site] : self.indptr[site + 1]]

    def distances(self, goal: Cell) -> Ints:
        """(sites,) moves to a goal if the other side stays in place; UNREACHED if no path exists. Read-only."""
        return _distances(self, self.site(goal))


@lru_cache(maxsize=1024)  # the moves of a strategy in all positions ask for each goal many times
def _distances(graph: MoveGraph, site: int) -> Ints:
    found = graph_distances(graph.indptr, graph.indices, site)
    found.setflags(write=False)
    return found


def move_graph(level: Level) -> MoveGraph:
    """The board's graph: `rules.is_legal_move` for all pairs of sites; the last 8 are cached."""
    return _graph_of(ByIdentity(level.tiles))


@lru_cache(maxsize=8)
def _graph_of(tiles: ByIdentity[NDArray[np.uint8]]) -> MoveGraph:
    # Number the sites, on a board with a wall around it.
    is_site, room = tiles.thing != WALL, np.pad(tiles.thing == ROOM, 1)
    padded = np.full(room.shape, -1, np.int32)
    padded[1:-1, 1:-1][is_site] = np.arange(is_site.sum(), dtype=np.int32)
    cells = np.argwhere(is_site).astype(np.int32)
    rows, cols = (cells + 1).T

    # Find the target of each site in each direction, -1 if there is none.
    targets = [padded[rows, cols]]
    for direction in EIGHT_WAYS:
        down, right = direction.value
        to = padded[rows + down, cols + right]
        if down and right:
            to = np.where(room[rows, cols] & room[rows + down, cols + right], to, -1)
        targets.append(to)

    # Turn the table of targets into compressed rows.
    table = np.sort(np.stack(targets, axis=1), axis=1)
    indptr = np.concatenate([[0], np.cumsum((table >= 0).sum(axis=1))]).astype(np.int32)
    arrays = cells, np.ascontiguousarray(padded[1:-1, 1:-1]), indptr, table[table >= 0]
    for array in arrays:
        array.setflags(write=False)
    return MoveGraph(*arrays)


def solve(level: Level) -> Ints:
    """(sites, sites) monster moves until the capture, by the rogue's site, then the monster's, monster to move.

    UNREACHED: never captured. Cached for two boards. Raises ValueError if the board has too many sites.
    """
    return _values_of(move_graph(level))


@lru_cache(maxsize=2)
def _values_of(graph: MoveGraph) -> Ints:
    return solve_pursuit(graph.indptr, graph.indices)


def value(state: State) -> int:
    """Monster moves until the capture under perfect play; UNREACHED: the rogue is never captured."""
    moves, graph = solve(state.level), move_graph(state.level)
    rogue, monster = graph.site(state.rogue), graph.site(state.monster)
    if state.side is Side.MONSTER or rogue == monster:
        return int(moves[rogue, monster])
    return int(moves[graph.moves(rogue), monster].max())


def value_text(value: int) -> str:
    """A value in words: `captured in 3 moves`, or `the rogue is safe forever` for UNREACHED."""
    return "the rogue is safe forever" if value == UNREACHED else f"captured in {counted(value, 'move')}"


def move_values(state: State) -> dict[Cell, int]:
    """The value of each move: monster moves until the capture, counting this one; UNREACHED: the rogue is safe."""
    own = 1 if state.side is Side.MONSTER else 0
    values = {}
    for to in sorted(neighbours(state.level, state.site)):
        after = value(moved(state, to))
        values[to] = after if after == UNREACHED else after + own
    return values


def best_moves(state: State) -> list[Cell]:
    """The sites of all moves that keep the position's value, sorted."""
    values = move_values(state)
    best = min(values.values()) if state.side is Side.MONSTER else max(values.values())
    return sorted(to for to, value in values.items() if value == best)


def path_lengths(level: Level, goal: Cell) -> Callable[[Cell], int]:
    """A function that gives the moves from a site to the goal, ignoring the other side; UNREACHED if no path exists."""
    graph = move_graph(level)
    distance = graph.distances(goal)
    return lambda site: int(distance[graph.site(site)])


def walking_map(state: State, side: Side) -> Ints:
    """(size, size) moves to a side from every site, ignoring the other."""
    graph = move_graph(state.level)
    grid = np.full(graph.number.shape, UNREACHED, np.int32)
    grid[tuple(graph.cells.T)] = graph.distances(state.monster if side is Side.MONSTER else state.rogue)
    return grid


def safe_sites(state: State) -> tuple[Cell, ...]:
    """The sites on which the rogue would be safe forever, if the monster moved from its site; ValueError as `solve`."""
    graph = move_graph(state.level)
    values = solve(state.level)[:, graph.site(state.monster)]
    return tuple(graph.cell(int(site)) for site in (values == UNREACHED).nonzero()[0])
