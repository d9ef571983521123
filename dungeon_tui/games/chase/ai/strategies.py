"""The strategies: each is one function from a state to the site to move to; the tables stand at the foot.

Equal states give equal moves. Of equally good moves a rogue takes the first in the order of `rules.neighbours`:
staying, then up, down, left, right and the diagonals. Staying is always a move, so no rogue steps onto the monster.

A monster takes, in this order: staying; one that doesn't lead to the right of the straight line to the rogue; the
nearest to the rogue as the crow flies. No two moves agree in all three: those that are as near to the rogue are each
other's mirror images in the line. The left hand is there for loops: opposite a rogue both ways round are as long, and a
monster that chose by the points of the compass would turn back with every move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.engine import UNREACHED, fold_graph, graph_distances
from dungeon_tui.games.chase.ai.solver import best_moves, move_graph, move_values, path_lengths, solve, value
from dungeon_tui.games.chase.ai.work import look
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.rules import neighbours, step
from dungeon_tui.games.chase.model.state import Action, Move, Side, State, Status

Strategy = Callable[[State], Cell]
SHOWN_SAFE = 24  # plies of a line that leads to no capture


def random(state: State) -> Cell:
    """Any legal move, a rogue's not onto the monster, by chance: decided by the seed and the ply."""
    moves = neighbours(state.level, state.monster) if state.side is Side.MONSTER else _moves(state)
    return Random(Random(state.seed).word() + state.ply).choice(moves)


def greedy(state: State) -> Cell:
    """The move that brings the monster nearest to the rogue as the crow flies; walls may hold it up for ever."""
    return min(neighbours(state.level, state.monster), key=lambda to: (_square(state, to), _by_tie(state, to)))


def bfs(state: State) -> Cell:
    """The first step of a shortest way to the rogue; it stays where there is no way."""
    steps = path_lengths(state.level, state.rogue)
    return min(neighbours(state.level, state.monster), key=lambda to: (steps(to), _by_tie(state, to)))


def perfect_monster(state: State) -> Cell:
    """The move to capture soonest. Where the rogue is safe for ever, it sets a trap: the more replies lose, the better.

    A rogue that knows the answer could hold it in one place so: of every sixteen moves the last four set none. Of moves
    that are equal so far it takes the nearest to the rogue by path length.

    Raises:
        ValueError: the board has more sites than the engine solves.
    """
    graph, values = move_graph(state.level), move_values(state)
    best = min(values.values())
    steps = path_lengths(state.level, state.rogue)
    is_safe = solve(state.level)[graph.moves(graph.site(state.rogue))] == UNREACHED  # (replies, monster's site)
    look(lambda: is_safe.size)
    is_trapping = best == UNREACHED and state.monster_moves % 16 < 12

    def key(to: Cell) -> tuple[object, ...]:
        return is_trapping and int(is_safe[:, graph.site(to)].sum()), steps(to), _by_tie(state, to)

    return min((to for to in neighbours(state.level, state.monster) if values[to] == best), key=key)


def _by_tie(state: State, to: Cell) -> tuple[int, ...]:
    monster, rogue = state.monster, state.rogue
    left = (rogue.row - monster.row) * (to.col - monster.col) - (rogue.col - monster.col) * (to.row - monster.row)
    return to != monster, left < 0, _square(state, to)


def _square(state: State, to: Cell) -> int:
    return (to.row - state.rogue.row) ** 2 + (to.col - state.rogue.col) ** 2


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
        is_loop=degrees > 1,  # itself is among its moves; with one other it would have been folded
    )


def flee(state: State) -> Cell:
    """The move that brings the rogue farthest from the monster by path length; where no way leads is farthest."""
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
    distance = graph.distances(state.monster)
    moves = graph_distances(graph.indptr, graph.indices, rogue, before=distance)  # that are safe from the monster
    look(lambda: int((moves < UNREACHED).sum()))
    moves[rogue] = 1 if distance[rogue] > 1 else UNREACHED  # to stay takes a move too
    needed = moves[loops.sites]
    from_shadow = graph_distances(loops.indptr, loops.indices, int(loops.shadow[monster]))
    look(lambda: int((from_shadow < UNREACHED).sum()))
    spare = from_shadow - needed
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


def perfect_rogue(state: State) -> Cell:
    """Is never captured where that can be, else lasts longest; among equals as far from the monster as `flee`.

    Raises:
        ValueError: the board has more sites than the engine solves.
    """
    best = set(best_moves(state))
    return max((to for to in _moves(state) if to in best), key=path_lengths(state.level, state.monster))


def principal_variation(state: State) -> list[Action]:
    """The moves of both sides from a position on if neither errs; where no capture comes, the first SHOWN_SAFE."""
    line: list[Action] = []
    is_safe = value(state) == UNREACHED
    while state.status is Status.PLAYING and not (is_safe and len(line) == SHOWN_SAFE):
        line.append(Move(STRATEGIES[state.side]["perfect"](state)))
        state, _ = step(state, line[-1])
    return line


def _moves(state: State) -> list[Cell]:
    return [to for to in neighbours(state.level, state.rogue) if to != state.monster]


MONSTERS: Mapping[str, Strategy] = MappingProxyType(
    {"random": random, "greedy": greedy, "bfs": bfs, "perfect": perfect_monster}
)
ROGUES: Mapping[str, Strategy] = MappingProxyType(
    {"random": random, "flee": flee, "cycle": cycle, "perfect": perfect_rogue}
)
STRATEGIES = {Side.MONSTER: MONSTERS, Side.ROGUE: ROGUES}
