"""The monster's strategies: each is one function from a state to the site to move to; the table stands at the foot.

Equal states give equal moves. Of equally good moves the monster takes, in this order: staying; one that doesn't lead
to the right of the straight line to the rogue; the nearest to the rogue as the crow flies. No two moves agree in all
three: those that are as near to the rogue are each other's mirror images in the line. The left hand is there for
loops: opposite a rogue both ways round are as long, and a monster that chose by the points of the compass would turn
back with every move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai.solver import move_values, path_lengths, solve
from dungeon_tui.games.chase.model.rules import neighbours
from dungeon_tui.games.chase.model.state import State

Strategy = Callable[[State], Cell]


def random(state: State) -> Cell:
    """Any legal move, by chance: decided by the seed and the ply."""
    return Random(Random(state.seed).word() + state.ply).choice(neighbours(state.level, state.monster))


def greedy(state: State) -> Cell:
    """As near to the rogue as can be, along a straight line; walls may hold it up for ever."""
    return min(neighbours(state.level, state.monster), key=lambda to: (_square(state, to), _by_tie(state, to)))


def bfs(state: State) -> Cell:
    """The first step of a shortest way to the rogue; it stays where there is no way."""
    steps = path_lengths(state.level, state.rogue)
    return min(neighbours(state.level, state.monster), key=lambda to: (steps(to), _by_tie(state, to)))


def perfect(state: State) -> Cell:
    """Captures in the fewest moves. Where the rogue is safe for ever, it sets traps: the more replies lose, the better.

    A rogue that knows the answer could hold it in one place so: of every sixteen moves the last four set none. Of moves
    that are equal so far it takes the nearest to the rogue by path length.

    Raises:
        ValueError: the board has more sites than the engine solves.
    """
    values = move_values(state)
    best = min(values.values())
    steps = path_lengths(state.level, state.rogue)
    is_trapping = best == UNREACHED and state.monster_moves % 16 < 12

    def key(to: Cell) -> tuple[int, int, tuple[int, ...]]:
        return (_safe_replies(state, to) if is_trapping else 0), steps(to), _by_tie(state, to)

    return min((to for to in neighbours(state.level, state.monster) if values[to] == best), key=key)


def _safe_replies(state: State, to: Cell) -> int:
    """Number of the rogue's moves that keep it safe for ever once the monster has gone there."""
    solution = solve(state.level)
    replies = solution.graph.moves(solution.graph.site(state.rogue))
    return int((solution.monster_to_move[replies, solution.graph.site(to)] == UNREACHED).sum())


def _by_tie(state: State, to: Cell) -> tuple[int, ...]:
    """Smaller for the move to take of two that are equally good."""
    monster, rogue = state.monster, state.rogue
    left = (rogue.row - monster.row) * (to.col - monster.col) - (rogue.col - monster.col) * (to.row - monster.row)
    return to != monster, left < 0, _square(state, to)


def _square(state: State, to: Cell) -> int:
    """The straight distance to the rogue, squared."""
    return (to.row - state.rogue.row) ** 2 + (to.col - state.rogue.col) ** 2


MONSTERS: Mapping[str, Strategy] = MappingProxyType(
    {"random": random, "greedy": greedy, "bfs": bfs, "perfect": perfect}
)
