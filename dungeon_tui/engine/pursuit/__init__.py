"""A pursuer and an evader on a graph, both seeing all: the game solved exactly, from its ends backwards."""

from dungeon_tui.engine.pursuit.certificate import check_safe_positions
from dungeon_tui.engine.pursuit.graph import MAX_SITES, pursuit_memory
from dungeon_tui.engine.pursuit.solve import PursuitCancelledError, safe_positions, solve_pursuit

__all__ = [
    "MAX_SITES",
    "PursuitCancelledError",
    "check_safe_positions",
    "pursuit_memory",
    "safe_positions",
    "solve_pursuit",
]
