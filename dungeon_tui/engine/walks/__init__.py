"""The cheapest walk over a small graph that visits all of its nodes, or a given number of them."""

# mypy: implicit-reexport
# ruff: noqa: F401

from dungeon_tui.engine.walks.answers import (
    CheapestWalk,
    NotProvenError,
    cheapest_costs,
    cheapest_walk,
    count_walks,
    first_steps,
)
from dungeon_tui.engine.walks.problem import MAX_COST, MAX_NODES, WalkProblem
from dungeon_tui.engine.walks.solve import METHODS
from dungeon_tui.engine.walks.watch import UNWATCHED, Watch
