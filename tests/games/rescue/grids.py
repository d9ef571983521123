"""Grids for the tests of the rescue, and rescues played on them."""

import json
from typing import Any

import numpy as np
from hypothesis import strategies as st

from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.level import Level, read_level
from dungeon_tui.games.rescue.model.rules import State

CLASSIC = [[-2, -3, 3], [-5, -10, 1], [10, 30, -5]]
TWO_WAYS = [[0, -4, 0], [-4, 9, -4], [0, -4, -5]]  # both ways past the middle are best
SIDES = st.integers(1, 5)


def level_of(grid: object, name: str = "grid") -> Level:
    """A level of these numbers, as a reader makes it."""
    return read_level(LevelFile(f"{name}.txt", json.dumps(np.array(grid, np.int64).tolist()).encode()), name)


def grid_rows(side: int = 5, values: st.SearchStrategy[int] | None = None) -> st.SearchStrategy[list[list[int]]]:
    """Grids of up to side x side cells."""
    values = st.integers(-9, 9) if values is None else values
    return st.tuples(st.integers(1, side), st.integers(1, side)).flatmap(
        lambda shape: st.lists(
            st.lists(values, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
        )
    )


def played(grid: object, *actions: str) -> TurnController[Any, Any, Any]:
    """A rescue after actions as recordings write them."""
    controller = TurnController(rules, level_of(grid))
    for action in actions:
        controller.apply(rules.read_action(action))
    return controller


def state_of(grid: object, *actions: str) -> State:
    """The state after these actions."""
    state: State = played(grid, *actions).state
    return state
