"""The rogue's strategies: each is one function from a state to the site to move to; the table stands at the foot.

Equal states give equal moves. Where moves are equally good, the first in the order of `rules.neighbours` is taken:
staying, then up, down, left, right and the diagonals. Staying is always a move, so none of them steps onto the monster.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.engine import UNREACHED, fold_graph, graph_distances
from dungeon_tui.games.chase.ai.monsters import Strategy
from dungeon_tui.games.chase.ai.solver import best_moves, path_lengths
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.maps import move_graph
from dungeon_tui.games.chase.model.rules import neighbours
from dungeon_tui.games.chase.model.state import State


@dataclass(frozen=True, eq=False, slots=True)
class Loops:
    """Rest of a board's graph once it is folded: the loops that can't be cut across, and the ways between them.

    A site that sees no more than one of its neighbours sees is folded onto that one, until there is none: dead ends
    vanish, rooms shrink to ways between their doors. Every site ends on one that is left, its shadow. The monster's
    shadow moves as the rogue itself would, and from beside it there is always a step away.
    """

    sites: NDArray[np.int32]  # (k,) what is left, by the numbers of the board's graph
    shadow: NDArray[np.int32]  # (sites of the board,) the place in `sites` of each site's shadow
    indptr: NDArray[np.int32]  # (k + 1,) the moves between them, by their places in `sites`
    indices: NDArray[np.int32]
    is_loop: NDArray[np.bool_]  # (k,) False where a part of the board has shrunk to one site: no loop is in it


@lru_cache(maxsize=8)
def find_loops(level: Level) -> Loops:
    """The loops of a board; one asked for lately is not folded again.

    Cost:
        O(cells) time and memory.
    """
    graph = move_graph(level)
    image = fold_graph(graph.indptr, graph.indices)
    is_left = image == np.arange(len(graph))
    place = np.cumsum(is_left, dtype=np.int32) - 1  # in `sites`, of those that are left
    origins = np.repeat(np.arange(len(graph)), np.diff(graph.indptr))
    is_kept = is_left[origins] & is_left[graph.indices]
    degrees = np.bincount(place[origins[is_kept]], minlength=int(is_left.sum()))
    return Loops(
        sites=np.flatnonzero(is_left).astype(np.int32),
        shadow=place[image],
        indptr=np.concatenate([[0], np.cumsum(degrees)]).astype(np.int32),
        indices=place[graph.indices[is_kept]],
        is_loop=degrees > 1,  # every site has itself among its moves
    )


def random(state: State) -> Cell:
    """Any legal move but onto the monster, by chance: decided by the seed and the ply."""
    return Random(Random(state.seed).word() + state.ply).choice(_moves(state))


def flee(state: State) -> Cell:
    """As far from the monster as can be, by path length; where no way leads is farthest."""
    return max(_moves(state), key=path_lengths(state.level, state.monster))


def cycle(state: State) -> Cell:
    """Goes to a loop before the monster can cut it off, then keeps to the loops, away from the monster's shadow.

    On the loops it goes where the shadow will not be beside it, as far from the monster as can be. Elsewhere it takes
    the shortest way to a site of a loop that it reaches in time; if there is none, to the one that it misses by least,
    for the monster may not know. Where no loop is in reach, it flees.

    Source:
        The two parts are those of the assignment's usual solution; what a loop is, and why nobody is caught on one, is
        the theorem of Nowakowski and Winkler: `engine.fold_graph`.
    """
    graph, loops = move_graph(state.level), find_loops(state.level)
    rogue, monster = graph.site(state.rogue), graph.site(state.monster)
    distance = graph_distances(graph.indptr, graph.indices, monster)
    moves = graph_distances(graph.indptr, graph.indices, rogue, before=distance)  # that are safe from the monster
    moves[rogue] = 1 if distance[rogue] > 1 else UNREACHED  # to stay takes a move too
    needed = moves[loops.sites]
    spare = graph_distances(loops.indptr, loops.indices, int(loops.shadow[monster])) - needed
    reached = np.flatnonzero(loops.is_loop & (needed < UNREACHED))
    if not len(reached):
        return flee(state)
    in_time = reached[spare[reached] > 0]
    entered = {graph.cell(site) for site in loops.sites[in_time[needed[in_time] == 1]].tolist()}
    if entered:
        return max((to for to in _moves(state) if to in entered), key=lambda to: int(distance[graph.site(to)]))
    if len(in_time):
        goal = in_time[np.lexsort((-spare[in_time], needed[in_time]))[0]]
    else:
        goal = reached[np.lexsort((needed[reached], -spare[reached]))[0]]
    site = int(loops.sites[goal])
    while moves[site] > 1:
        before = graph.moves(site)[moves[graph.moves(site)] == moves[site] - 1]
        site = int(before[distance[before].argmax()])
    return graph.cell(site)


def perfect(state: State) -> Cell:
    """Is never captured where that can be, else lasts longest; among equals as far from the monster as `flee`.

    Raises:
        ValueError: the board has more sites than the engine solves.
    """
    best = set(best_moves(state))
    return max((to for to in _moves(state) if to in best), key=path_lengths(state.level, state.monster))


def _moves(state: State) -> list[Cell]:
    """The legal moves but onto the monster."""
    return [to for to in neighbours(state.level, state.rogue) if to != state.monster]


ROGUES: Mapping[str, Strategy] = MappingProxyType({"random": random, "flee": flee, "cycle": cycle, "perfect": perfect})
