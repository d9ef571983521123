"""Work of strategies, move by move: the time they take and the cells they visit."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

_counted: ContextVar[list[int] | None] = ContextVar("counted", default=None)  # None: not counting


def look(cells: Callable[[], int]) -> None:
    """Counts visited cells; calls `cells` only inside a `counting` block."""
    counted = _counted.get()
    if counted is not None:
        counted.append(cells())


@contextmanager
def counting() -> Iterator[list[int]]:
    """Collects the counts of `look` within the block, in this thread."""
    counted: list[int] = []
    token = _counted.set(counted)
    try:
        yield counted
    finally:
        _counted.reset(token)


@dataclass(slots=True)
class Work:
    """The work of one side in a chase, without its preparation before the first move, such as solving the board."""

    moves: int = 0
    seconds: float = 0.0
    cells: int | None = 0  # None: unknown, as of programs

    def add(self, seconds: float, cells: int | None) -> None:
        """Adds a move."""
        self.moves += 1
        self.seconds += seconds
        self.cells = None if self.cells is None or cells is None else self.cells + cells

    def values(self) -> dict[str, float | int | None]:
        """Averages per move for JSON and CSV: seconds and cells."""
        moves = max(1, self.moves)
        return {
            "seconds_per_move": round(self.seconds / moves, 9),
            "cells_per_move": None if self.cells is None else round(self.cells / moves, 2),
        }
