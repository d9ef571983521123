"""Exact values: how a chase ends if neither side errs, for every position at once, through the engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.engine import UNREACHED, evader_values, solve_pursuit
from dungeon_tui.games.chase.level import Level
from dungeon_tui.games.chase.maps import MoveGraph, move_graph
from dungeon_tui.games.chase.state import Side, State


@dataclass(frozen=True, eq=False, slots=True)
class Solution:
    """The value of every position of a board: how many monster moves are left until the capture."""

    graph: MoveGraph
    monster_to_move: NDArray[np.int32]  # [rogue, monster], by the sites' numbers; UNREACHED: evades for ever
    rogue_to_move: NDArray[np.int32]  # the same, with the rogue to move

    def after(self, state: State, to: Cell) -> int:
        """The value of the position that a move of the side to move leads to."""
        site, monster, rogue = map(self.graph.site, (to, state.monster, state.rogue))
        if state.side is Side.MONSTER:
            return 0 if site == rogue else int(self.rogue_to_move[rogue, site])
        return 0 if site == monster else int(self.monster_to_move[site, monster])

    def value(self, state: State) -> int:
        """Monster moves until the capture, from here on, if neither side errs; UNREACHED: it never comes."""
        table = self.monster_to_move if state.side is Side.MONSTER else self.rogue_to_move
        return int(table[self.graph.site(state.rogue), self.graph.site(state.monster)])


@lru_cache(maxsize=4)
def solve(level: Level) -> Solution:
    """Solves a board; one that was asked for lately is not solved again.

    Raises:
        ValueError: it has too many sites; the message says how many, and the memory that it would take.
    """
    graph = move_graph(level)
    moves = solve_pursuit(graph.indptr, graph.indices)
    return Solution(graph, moves, evader_values(graph.indptr, graph.indices, moves))


def move_values(state: State) -> dict[Cell, int]:
    """What each move of the side to move is worth: monster moves until the capture, this one included if it is one.

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


def best_moves(state: State) -> list[Cell]:
    """Every move that keeps the position's value, sorted."""
    values = move_values(state)
    best = min(values.values()) if state.side is Side.MONSTER else max(values.values())
    return sorted(to for to, value in values.items() if value == best)
