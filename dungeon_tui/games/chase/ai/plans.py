"""Plans of strategies, by their own account: the way that each has in mind, and the sites that matter to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from dungeon_tui.core.grid import Cell
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.strategies import STRATEGIES, Strategy, find_loops
from dungeon_tui.games.chase.model.rules import moved
from dungeon_tui.games.chase.model.state import Side, State

_LONGEST = 40  # moves of a way


@dataclass(frozen=True, slots=True)
class Plan:
    """The intentions of a strategy at a state."""

    way: tuple[Cell, ...] = ()  # the sites it means to go to, the next one first
    sites: tuple[Cell, ...] = ()  # those that it heads for, or believes safe


def _way(state: State, choose: Strategy) -> tuple[Cell, ...]:
    """The moves of a strategy as long as the other side stands still, until it stays or comes back."""
    way = [state.site]
    while len(way) <= _LONGEST:
        to = choose(state)
        if to in way:
            break
        way.append(to)
        state = replace(moved(state, to), side=state.side)
        if state.monster == state.rogue:
            break
    return tuple(way[1:])


def _straight(choose: Strategy) -> Callable[[State], Plan]:
    return lambda state: Plan(_way(state, choose))


def _farthest(state: State) -> Plan:
    """The plan of `flee`: the sites that are farthest from the monster."""
    graph = solver.move_graph(state.level)
    distance = graph.distances(state.monster)
    way = _way(state, STRATEGIES[Side.ROGUE]["flee"])
    return Plan(way, tuple(graph.cell(int(site)) for site in (distance == distance.max()).nonzero()[0]))


def _loops(state: State) -> Plan:
    """The plan of `cycle`: the sites of loops."""
    graph, loops = solver.move_graph(state.level), find_loops(state.level)
    way = _way(state, STRATEGIES[Side.ROGUE]["cycle"])
    return Plan(way, tuple(graph.cell(int(site)) for site in loops.sites[loops.is_loop]))


def _exact(state: State) -> Plan:
    """The plan of exact play: best moves and replies; and where the rogue would be safe, with the monster here."""
    values, _ = solver.capture_map(state, Side.ROGUE)
    graph = solver.move_graph(state.level)
    sites = tuple(cell for site in range(len(graph)) if values[cell := graph.cell(site)] == UNREACHED)
    own, way = state.side, []
    for _ in range(2 * _LONGEST):
        to = STRATEGIES[state.side]["perfect"](state)
        if state.side is own:
            if to in way:
                break
            way.append(to)
        state = moved(state, to)
        if state.monster == state.rogue:
            break
    return Plan(tuple(way), sites)


PLANS: Mapping[tuple[Side, str], Callable[[State], Plan]] = {
    (Side.MONSTER, "greedy"): _straight(STRATEGIES[Side.MONSTER]["greedy"]),
    (Side.MONSTER, "bfs"): _straight(STRATEGIES[Side.MONSTER]["bfs"]),
    (Side.MONSTER, "perfect"): _exact,
    (Side.ROGUE, "flee"): _farthest,
    (Side.ROGUE, "cycle"): _loops,
    (Side.ROGUE, "perfect"): _exact,
}
"""Of each strategy of ours that has a plan, by its side and name, at a state in which it is to move."""
