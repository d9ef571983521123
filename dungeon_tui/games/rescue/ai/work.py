"""What an algorithm of the rescue is asked, and what it tells: its answer, and the work that it did for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.rescue.model.level import Level

Path = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Work:
    """What an algorithm has done so far; 0 where it does no such thing."""

    visits: int = 0  # how often it looked at a cell; the one measure that all have
    calls: int = 0  # of a function by itself
    probes: int = 0  # healths tried
    states: int = 0  # ways kept, over all levels
    bytes: int = 0  # the most that it holds at once beside the grid, 8 for each number, however Python stores them


@dataclass(frozen=True, slots=True)
class Solution:
    """What an algorithm found."""

    health: int
    path: Path | None  # from the first cell to the last; None: the algorithm tells no way
    work: Work


class RefusedError(ValueError):
    """An algorithm is not for a grid of this size; says why, and how much it would take."""


class SolvingStoppedError(Exception):
    """`stop` said so."""


Stop = Callable[[Work], bool] | None  # asked now and then, with the work so far, whether to give up
Trace = Callable[[int, int, Work], None] | None  # told the row and the column of each visit, with the work so far


class Algorithm(Protocol):
    """One of the six."""

    def __call__(self, level: Level, stop: Stop = None, *, trace: Trace = None) -> Solution:
        """The least health for a grid."""
