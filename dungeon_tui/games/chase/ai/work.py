"""Work of strategies, move by move: the time they take and the cells that they look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

_counted: ContextVar[list[int] | None] = ContextVar("counted", default=None)  # None: nobody counts


def look(cells: Callable[[], int]) -> None:
    """Counts cells that are looked at; how many is computed only where somebody counts."""
    counted = _counted.get()
    if counted is not None:
        counted.append(cells())


@contextmanager
def counting() -> Iterator[list[int]]:
    """Gathers what is counted within the block, in this thread."""
    counted: list[int] = []
    token = _counted.set(counted)
    try:
        yield counted
    finally:
        _counted.reset(token)


@dataclass(slots=True)
class Work:
    """The work of one side in a chase. What is done before the first move, as solving the board, is not in it."""

    moves: int = 0
    seconds: float = 0.0
    slowest: float = 0.0  # seconds
    cells: int | None = 0  # None: of a strategy of one's own, which nobody can count

    def add(self, seconds: float, cells: int | None) -> None:
        """Adds a move."""
        self.moves += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)
        self.cells = None if self.cells is None or cells is None else self.cells + cells

    def values(self) -> dict[str, float | int | None]:
        """A move's share, as JSON and CSV have it: seconds and cells, and the slowest move's seconds."""
        moves = max(1, self.moves)
        return {
            "seconds_per_move": round(self.seconds / moves, 9),
            "slowest_seconds": round(self.slowest, 9),
            "cells_per_move": None if self.cells is None else round(self.cells / moves, 2),
        }
