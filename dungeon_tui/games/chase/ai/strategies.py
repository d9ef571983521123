"""The strategies: functions from a state to the site to move to. The tables are at the end.

Equal states give equal moves. Among equally good moves a rogue takes the first in this order: up, down, left, right,
the diagonals, staying. Staying is always legal, so no rogue steps onto the monster.

A monster breaks ties in this order: staying; moves that don't lead to the right of the straight line to the rogue;
the move nearest to the rogue in a straight line. No two moves agree in all three, since equally near ones mirror each
other in the line. Preferring the left matters on loops: opposite a rogue both ways around are equally long, and a
monster that preferred a compass direction would turn back with every move.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.engine import UNREACHED, fold_graph, graph_distances
from dungeon_tui.games.chase.ai.solver import best_moves, move_graph, move_values, path_lengths, solve, value
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.rules import neighbours, step
from dungeon_tui.games.chase.model.state import Move, Side, State, Status

Strategy = Callable[[State], Cell]
SHOWN_SAFE = 24  # plies of a line without a capture
DEPTH = 50  # moves


def random(state: State) -> Cell:
    """A legal move at random, by the seed and the ply; a rogue's is never onto the monster."""
    sites = neighbours(state.level, state.site)
    moves = [to for to in sites if state.side is Side.MONSTER or to != state.monster]
    return Random(Random(state.seed).word() + state.ply).choice(moves)


def greedy(state: State) -> Cell:
    """The move that brings the monster nearest to the rogue in a straight line; a wall may hold it up forever."""
    return min(neighbours(state.level, state.monster), key=lambda to: (_square(state, to), by_tie(state, to)))


def bfs(state: State) -> Cell:
    """The first step of a shortest path to the rogue; it stays if there is none."""
    steps = path_lengths(state.level, state.rogue)
    return min(neighbours(state.level, state.monster), key=lambda to: (steps(to), by_tie(state, to)))


def perfect_monster(state: State) -> Cell:
    """The fastest capture. If the rogue is safe forever, the move that leaves it the fewest safe replies.

    A rogue that knows the answer could pin the monster to one place that way, so the last four of every sixteen moves
    set no trap. Ties go to the shortest path to the rogue. Raises ValueError as `solve`.
    """
    graph, values = move_graph(state.level), move_values(state)
    best = min(values.values())
    steps = path_lengths(state.level, state.rogue)
    is_safe = solve(state.level)[graph.moves(graph.site(state.rogue))] == UNREACHED  # (replies, monster's site)
    is_trapping = best == UNREACHED and state.monster_moves % 16 < 12

    def key(to: Cell) -> tuple[object, ...]:
        return is_trapping and int(is_safe[:, graph.site(to)].sum()), steps(to), by_tie(state, to)

    return min((to for to in neighbours(state.level, state.monster) if values[to] == best), key=key)


def by_tie(state: State, to: Cell) -> tuple[int, ...]:
    """Sort key of equally good moves of the monster: staying, then those to the left, then the nearest to the rogue."""
    monster, rogue = state.monster, state.rogue
    left = (rogue.row - monster.row) * (to.col - monster.col) - (rogue.col - monster.col) * (to.row - monster.row)
    return to != monster, left < 0, _square(state, to)


def _square(state: State, to: Cell) -> int:
    return (to.row - state.rogue.row) ** 2 + (to.col - state.rogue.col) ** 2


@dataclass(frozen=True, eq=False, slots=True)
class Loops:
    """A folded board: the loops without shortcuts, and the paths between them.

    Folding removes a site if a neighbour of it has all its neighbours, until no such site is left: dead ends vanish,
    rooms shrink to paths between their doors. Every site is folded onto a remaining one, its shadow. The monster's
    shadow moves as the rogue could, and from a site next to it the rogue always has a step away.
    """

    sites: NDArray[np.int32]  # (k,) the remaining sites, as numbers of the board's graph
    shadow: NDArray[np.int32]  # (sites of the board,) index in `sites` of each site's shadow
    indptr: NDArray[np.int32]  # (k + 1,) the moves between them, by their index in `sites`
    indices: NDArray[np.int32]
    is_loop: NDArray[np.bool_]  # (k,) False for a part of the board without loops, which has shrunk to one site


@lru_cache(maxsize=8)
def find_loops(level: Level) -> Loops:
    """The loops of a board in O(cells); the last 8 boards' are cached."""
    graph = move_graph(level)
    image = fold_graph(graph.indptr, graph.indices)
    is_left = image == np.arange(len(graph))
    index = np.cumsum(is_left, dtype=np.int32) - 1  # index in `sites` of a remaining site
    origins = np.repeat(np.arange(len(graph)), np.diff(graph.indptr))
    remains = is_left[origins] & is_left[graph.indices]
    degrees = np.bincount(index[origins[remains]], minlength=int(is_left.sum()))
    return Loops(
        sites=np.flatnonzero(is_left).astype(np.int32),
        shadow=index[image],
        indptr=np.concatenate([[0], np.cumsum(degrees)]).astype(np.int32),
        indices=index[graph.indices[remains]],
        is_loop=degrees > 1,  # staying is one move; a site with only one other would have been folded
    )


def flee(state: State) -> Cell:
    """The move that takes the rogue farthest from the monster by path length; unreachable counts as farthest."""
    return max(_moves(state), key=path_lengths(state.level, state.monster))


def cycle(state: State) -> Cell:
    """Goes to a loop before the monster can cut it off, then stays on the loops, away from the monster's shadow.

    On the loops it moves as far from the monster as it can without ending next to the shadow. Elsewhere it takes the
    shortest path to a loop that it reaches in time, or else to the one it misses by least, since the monster may not
    notice. If it can reach no loop, it flees.

    Source:
        The assignment's usual solution has the same two parts. The theorem of Nowakowski and Winkler defines loops, and
        proves that a rogue is never caught on a loop: `engine.fold_graph`.
    """
    graph, loops = move_graph(state.level), find_loops(state.level)
    rogue, monster = graph.site(state.rogue), graph.site(state.monster)

    # Moves to each site on which the monster can't cut the rogue off.
    distance = graph.distances(state.monster)
    moves = graph_distances(graph.indptr, graph.indices, rogue, before=distance)
    moves[rogue] = 1 if distance[rogue] > 1 else UNREACHED  # staying takes a move too

    # Moves to spare on each loop site before the monster's shadow gets there.
    needed = moves[loops.sites]
    from_shadow = graph_distances(loops.indptr, loops.indices, int(loops.shadow[monster]))
    spare = from_shadow - needed
    reached = np.flatnonzero(loops.is_loop & (needed < UNREACHED))
    if not len(reached):
        return flee(state)

    # If one move leads onto a loop, take the one farthest from the monster.
    in_time = reached[spare[reached] > 0]
    entered = {graph.cell(site) for site in loops.sites[in_time[needed[in_time] == 1]].tolist()}
    if entered:
        return max((to for to in _moves(state) if to in entered), key=lambda to: int(distance[graph.site(to)]))

    # Else choose a loop site to run to, and step back along the path to its first move.
    if len(in_time):
        goal = in_time[np.lexsort((-spare[in_time], needed[in_time]))[0]]
    else:
        goal = reached[np.lexsort((needed[reached], -spare[reached]))[0]]
    site = int(loops.sites[goal])
    while moves[site] > 1:
        before = graph.moves(site)[moves[graph.moves(site)] == moves[site] - 1]
        site = int(before[distance[before].argmax()])
    return graph.cell(site)


def dfs(state: State) -> Cell:
    """The first step of the longest path of a depth-first search, at most DEPTH moves; if there is none, as `flee`.

    The path visits each site before the monster could. The search visits no site twice, so it misses longer paths.
    """
    graph, level = move_graph(state.level), state.level
    distance, seen = graph.distances(state.monster), {state.rogue}
    path, branches = [state.rogue], [iter(neighbours(level, state.rogue))]
    longest, first = 0, flee(state)
    while branches and longest < DEPTH:
        to = next(branches[-1], None)
        if to is None:
            branches.pop()
            path.pop()
        elif to not in seen and distance[graph.site(to)] > len(path):
            if len(path) > longest:
                longest, first = len(path), (*path, to)[1]
            seen.add(to)
            path.append(to)
            branches.append(iter(neighbours(level, to)))
    return first


def perfect_rogue(state: State) -> Cell:
    """Never captured if possible, else lasts longest; ties as `flee`. Raises ValueError as `solve`."""
    best = set(best_moves(state))
    return max((to for to in _moves(state) if to in best), key=path_lengths(state.level, state.monster))


def principal_variation(state: State) -> list[Move]:
    """The moves of both sides under perfect play; without a capture, the first SHOWN_SAFE."""
    line: list[Move] = []
    is_safe = value(state) == UNREACHED
    while state.status is Status.PLAYING and not (is_safe and len(line) == SHOWN_SAFE):
        line.append(Move(STRATEGIES[state.side]["perfect"](state)))
        state, _ = step(state, line[-1])
    return line


def _moves(state: State) -> list[Cell]:
    stay, *steps = neighbours(state.level, state.rogue)
    return [*(to for to in steps if to != state.monster), stay]


MONSTERS: Mapping[str, Strategy] = {"random": random, "greedy": greedy, "bfs": bfs, "perfect": perfect_monster}
ROGUES: Mapping[str, Strategy] = {"random": random, "flee": flee, "cycle": cycle, "perfect": perfect_rogue, "dfs": dfs}
STRATEGIES = {Side.MONSTER: MONSTERS, Side.ROGUE: ROGUES}
