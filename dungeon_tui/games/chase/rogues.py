"""The rogue's strategies: each is one function from a state to the site to move to; the table stands at the foot.

Equal states give equal moves. Where moves are equally good, the first in the order of `rules.neighbours` is taken:
staying, then up, down, left, right and the diagonals. Staying is always a move, so none of them steps onto the monster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.engine import graph_distances
from dungeon_tui.games.chase.maps import move_graph
from dungeon_tui.games.chase.rules import neighbours
from dungeon_tui.games.chase.solver import best_moves
from dungeon_tui.games.chase.state import State

Strategy = Callable[[State], Cell]


def random(state: State) -> Cell:
    """Any legal move but onto the monster, by chance: decided by the seed and the ply."""
    return Random(Random(state.seed).word() + state.ply).choice(_moves(state))


def flee(state: State) -> Cell:
    """As far from the monster as can be, by path length; where no way leads is farthest."""
    return max(_moves(state), key=_steps_from_monster(state))


def cycle(state: State) -> Cell:
    """Flees."""
    return flee(state)


def perfect(state: State) -> Cell:
    """Is never captured where that can be, else lasts longest; among equals as far from the monster as `flee`.

    Raises:
        ValueError: the board has more sites than the engine solves.
    """
    best = set(best_moves(state))
    return max((to for to in _moves(state) if to in best), key=_steps_from_monster(state))


def _moves(state: State) -> list[Cell]:
    """The legal moves but onto the monster."""
    return [to for to in neighbours(state.level, state.rogue) if to != state.monster]


def _steps_from_monster(state: State) -> Callable[[Cell], int]:
    """The path length from the monster to any site."""
    graph = move_graph(state.level)
    distance = graph_distances(graph.indptr, graph.indices, graph.site(state.monster))
    return lambda site: int(distance[graph.site(site)])


ROGUES: Mapping[str, Strategy] = MappingProxyType({"random": random, "flee": flee, "cycle": cycle, "perfect": perfect})
