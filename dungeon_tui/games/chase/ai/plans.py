"""Plans of our strategies: the path each has in mind, and the sites that matter to it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.strategies import STRATEGIES, find_loops
from dungeon_tui.games.chase.model.rules import moved
from dungeon_tui.games.chase.model.state import State

_MAX_MOVES = 40  # of a path


@dataclass(frozen=True, slots=True)
class Plan:
    """The intentions of a strategy in a state."""

    way: tuple[Cell, ...] = ()  # the path it means to take, next site first
    sites: tuple[Cell, ...] = ()  # sites that it heads for or believes safe


def plan(state: State, name: str) -> Plan:
    """The plan of one of our strategies, as the side to move. Raises ValueError for `random`, which has none."""
    if name == "random":
        raise ValueError(f"{name} has no plan")
    return Plan(_way(state, name), _SITES[name](state) if name in _SITES else ())


def _way(state: State, name: str) -> tuple[Cell, ...]:
    """The strategy's path until it stays or returns to a site: against best replies, or a side that stands still."""
    own, start, is_exact = state.side, state.site, name == "perfect"
    way: list[Cell] = []
    while len(way) < _MAX_MOVES and state.monster != state.rogue:
        to = STRATEGIES[state.side][name](state)
        if state.side is own:
            if to in way or (to == start and not is_exact):
                break
            way.append(to)
        state = moved(state, to)
        state = state if is_exact else replace(state, side=own)
    return tuple(way)


def loop_cells(state: State) -> tuple[Cell, ...]:
    """The cells of the loops, on which the rogue can circle."""
    graph, loops = solver.move_graph(state.level), find_loops(state.level)
    return tuple(graph.cell(int(site)) for site in loops.sites[loops.is_loop])


_SITES: Mapping[str, Callable[[State], tuple[Cell, ...]]] = {
    "cycle": loop_cells,
    "perfect": solver.safe_sites,
}
