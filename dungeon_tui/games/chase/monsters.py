"""The monster's strategies: each is one function from a state to the site to move to; the table stands at the foot.

Equal states give equal moves. Where moves are equally good, the first in the order of `rules.neighbours` is taken:
staying, then up, down, left, right and the diagonals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.engine import UNREACHED, graph_distances
from dungeon_tui.games.chase.maps import move_graph
from dungeon_tui.games.chase.rules import neighbours
from dungeon_tui.games.chase.solver import move_values, solve
from dungeon_tui.games.chase.state import State

Strategy = Callable[[State], Cell]


def random(state: State) -> Cell:
    """Any legal move, by chance: decided by the seed and the ply."""
    return Random(Random(state.seed).word() + state.ply).choice(neighbours(state.level, state.monster))


def greedy(state: State) -> Cell:
    """As near to the rogue as can be, along a straight line; walls may hold it up for ever."""

    def square(to: Cell) -> int:
        return (to.row - state.rogue.row) ** 2 + (to.col - state.rogue.col) ** 2

    return min(neighbours(state.level, state.monster), key=square)


def bfs(state: State) -> Cell:
    """The first step of a shortest way to the rogue; it stays where there is no way."""
    return min(neighbours(state.level, state.monster), key=_steps_to_rogue(state))


def perfect(state: State) -> Cell:
    """Captures in the fewest moves. Where the rogue is safe for ever, it hunts on: the more replies lose, the better.

    Among moves that are equal so far it takes the nearest to the rogue by path length.

    Raises:
        ValueError: the board has more sites than the engine solves.
    """
    values = move_values(state)
    best = min(values.values())
    steps = _steps_to_rogue(state)

    def key(to: Cell) -> tuple[int, int]:
        return (_safe_replies(state, to) if best == UNREACHED else 0), steps(to)

    return min((to for to in neighbours(state.level, state.monster) if values[to] == best), key=key)


def _safe_replies(state: State, to: Cell) -> int:
    """How many of the rogue's moves keep it safe for ever once the monster has gone there."""
    solution = solve(state.level)
    replies = solution.graph.moves(solution.graph.site(state.rogue))
    return int((solution.monster_to_move[replies, solution.graph.site(to)] == UNREACHED).sum())


def _steps_to_rogue(state: State) -> Callable[[Cell], int]:
    """The path length from any site to the rogue."""
    graph = move_graph(state.level)
    distance = graph_distances(graph.indptr, graph.indices, graph.site(state.rogue))
    return lambda site: int(distance[graph.site(site)])


MONSTERS: Mapping[str, Strategy] = MappingProxyType(
    {"random": random, "greedy": greedy, "bfs": bfs, "perfect": perfect}
)
