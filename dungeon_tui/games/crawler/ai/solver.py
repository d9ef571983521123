"""Exact answers about the crawler, through the engine."""

from __future__ import annotations

from functools import cache
from threading import Event, Lock

import numpy as np

from dungeon_tui.core.grid import Cell
from dungeon_tui.engine._jit import is_kept
from dungeon_tui.games.crawler.ai.search.astar import search_states
from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape
from dungeon_tui.games.crawler.ai.search.nodes import enlarged
from dungeon_tui.games.crawler.ai.search.solver import MEMORY, Progress, Solver
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import alone
from dungeon_tui.games.crawler.model.level import Level
from dungeon_tui.games.crawler.model.state import State

__all__ = [
    "MEMORY",
    "Progress",
    "Solver",
    "escape",
    "is_prepared",
    "prepare",
]

_PREPARING = Lock()


def escape(
    state: State,
    treasure: int = 1,
    *,
    by_door: bool = False,
    max_doublings: int | None = None,
    time_limit: float | None = None,
    memory: int = MEMORY,
    stop: Event | None = None,
    progress: Progress | None = None,
) -> Escape:
    """The fewest further moves that leave the dungeon by a way out, on any level, with so much treasure.

    The present board counts as a level of its own, from the adventurer's cell. Who has more than one question about a
    dungeon asks a `Solver`.

    Args:
        state: a moment of the game, which goes on. Any thread may ask.
        treasure: how much at least, what is held already included; from 1 on, or 0 `by_door`.
        by_door: a door of the last level is as good as a way out, and needs no treasure of its own.
        max_doublings: lines that double a level more often, from the present board on, are left out.
        time_limit: seconds, after which the best that is known is returned.
        memory: bytes that the searches may take.
        stop: set by another thread to end as if the time were over.
        progress: told now and then, in the calling thread, (treasure asked for now, states, lower bound).

    Returns:
        What was found. Proven means: every shorter line has been examined or is shut out by a bound, on doubled boards
        too. That there is no line is proven without a cap on doublings only where the search comes to an end: no amulet
        can be reached, or the last one is taken, or no number of copies holds a way out that can be reached.

    Raises:
        ValueError: the game is over, or so little treasure can't be enough.
    """
    solver = Solver(state.dungeon, by_door=by_door, max_doublings=max_doublings, memory=memory)
    return solver.escape(state, treasure, time_limit=time_limit, stop=stop, progress=progress)


def is_prepared() -> bool:
    """True if an earlier start has compiled the search."""
    return is_kept(search_states)


def prepare() -> None:
    """Compiles the search, or loads it, once: no clock is to run meanwhile. Who asks for it a second time waits."""
    with _PREPARING:
        _run_all_kernels()


@cache
def _run_all_kernels() -> None:
    """On a tiny dungeon."""
    tiles = np.frombuffer(b"-$@!", np.uint8).reshape(1, 4)
    escape(rules.start(alone(Level("tiny", tiles, Cell(0, 0)))))
    enlarged(np.zeros(4, np.int64), 8)
