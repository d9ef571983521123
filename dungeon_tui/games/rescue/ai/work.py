"""The work of an algorithm: counted while it runs, watched, stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

LOOK_EVERY = 1 << 16  # visits between two looks at `stop`


@dataclass(slots=True)
class Work:
    """Counts; 0 where an algorithm has no such thing."""

    visits: int = 0  # of cells; the one measure that all have
    calls: int = 0  # of a function by itself
    probes: int = 0  # healths tried
    states: int = 0  # ways kept, over all levels
    bytes: int = 0  # the most held at once beside the grid, 8 for each number, however Python stores them


Stop: TypeAlias = Callable[[Work], bool] | None  # asked now and then whether to give up
Trace: TypeAlias = Callable[[int, int, Work], None] | None  # told row and column of each visit, with the work so far


class SolvingStoppedError(Exception):
    """Raised inside an algorithm when `stop` says so."""


class RefusedError(ValueError):
    """Raised when a grid is too large for an algorithm; the message says how much it would take."""


class Meter(Work):
    """The work of a run that goes on: the algorithm counts here."""

    __slots__ = ("_next_look", "_stop", "_trace")

    def __init__(self, stop: Stop = None, trace: Trace = None) -> None:
        super().__init__()
        self._stop, self._trace = stop, trace
        self._next_look = 0 if trace else LOOK_EVERY

    def visit(self, row: int, col: int, ways: int = 1) -> None:
        """Counts a look at a cell, on so many ways at once.

        Raises:
            SolvingStoppedError: nobody waits for the answer any more.
        """
        self.visits += ways
        if self.visits >= self._next_look:
            work = self.so_far()
            if self._trace is not None:
                self._trace(row, col, work)
            else:
                self._next_look += LOOK_EVERY
            if self._stop is not None and self._stop(work):
                raise SolvingStoppedError

    def visit_row(self, row: int, cols: range) -> None:
        """Counts a look at each of these cells, in their order."""
        if self._trace is None:
            self.visit(row, cols[-1], len(cols))
        else:
            for col in cols:
                self.visit(row, col)

    def so_far(self) -> Work:
        """A copy of the counts."""
        return Work(self.visits, self.calls, self.probes, self.states, self.bytes)
