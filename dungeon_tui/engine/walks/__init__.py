"""The cheapest walk over a small graph that sees all of its nodes, or as many as are asked for."""

from dungeon_tui.engine.walks.answers import (
    CheapestWalk,
    NotProvenError,
    cheapest_costs,
    cheapest_walk,
    cheapest_walks,
    count_walks,
    first_steps,
)
from dungeon_tui.engine.walks.problem import MAX_COST, MAX_NODES, WalkProblem
from dungeon_tui.engine.walks.solve import METHODS
from dungeon_tui.engine.walks.watch import UNWATCHED, Watch

__all__ = [
    "MAX_COST",
    "MAX_NODES",
    "METHODS",
    "UNWATCHED",
    "CheapestWalk",
    "NotProvenError",
    "WalkProblem",
    "Watch",
    "cheapest_costs",
    "cheapest_walk",
    "cheapest_walks",
    "count_walks",
    "first_steps",
]
