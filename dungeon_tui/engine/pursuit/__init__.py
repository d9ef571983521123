"""A pursuer and an evader on a graph, both seeing all: the game solved exactly, from its ends backwards."""

from dungeon_tui.engine.pursuit.graph import MAX_SITES, check_safe_positions, pursuit_memory, safe_positions
from dungeon_tui.engine.pursuit.solve import PursuitCancelledError, solve_pursuit

__all__ = [
    "MAX_SITES",
    "PursuitCancelledError",
    "check_safe_positions",
    "pursuit_memory",
    "safe_positions",
    "solve_pursuit",
]
