"""Looks at a search for a walk while it runs, and ends it in time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from time import monotonic

Progress = Callable[[int, int, int], None]
"""Told how many states were looked at, what every walk costs at least, and what the best one so far costs."""


class Watch:
    """A deadline, a way to end sooner, and someone to tell; several searches can share one."""

    def __init__(
        self, time_limit: float | None = None, stop: Event | None = None, progress: Progress | None = None
    ) -> None:
        """Starts the clock.

        Args:
            time_limit: seconds after which the best walk so far is the answer, with what is proven until then.
            stop: set by another thread so that time runs out at once.
            progress: told now and then, in the calling thread.
        """
        self._deadline = float("inf") if time_limit is None else monotonic() + time_limit
        self._stop, self._progress = stop or Event(), progress

    def tell(self, states: int, bound: int, cost: int) -> None:
        """Calls the progress function, if there is one, with the states looked at, the bound and the best cost."""
        if self._progress is not None:
            self._progress(states, bound, cost)

    @property
    def is_over(self) -> bool:
        """True once the deadline has passed, or stop was set."""
        return self._stop.is_set() or monotonic() >= self._deadline


UNWATCHED = Watch()


@dataclass(frozen=True, slots=True)
class Finding:
    """The best walk known to a solver, and its proof as far as that goes."""

    walk: list[int]
    cost: int
    bound: int  # no walk costs less; the same as the cost where that is proven
    states: int = 0
    method: str = "greedy"

    @property
    def is_proven(self) -> bool:
        """True if no walk can be cheaper."""
        return self.bound >= self.cost
