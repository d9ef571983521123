"""Watches a search for a walk and ends it in time."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from time import monotonic

Progress = Callable[[int, int, int], None]
"""Called with the number of states searched, a lower bound, and the cost of the best walk so far."""


class Watch:
    """A deadline, an event that ends the search sooner, and a progress function; several searches can share one."""

    def __init__(
        self, time_limit: float | None = None, stop: Event | None = None, progress: Progress | None = None
    ) -> None:
        """Starts the clock.

        `stop`, set by another thread, ends the search at once; `progress` is called now and then.
        """
        self._deadline = float("inf") if time_limit is None else monotonic() + time_limit
        self._stop, self._progress = stop or Event(), progress

    def tell(self, states: int, bound: int, cost: int) -> None:
        """Calls the progress function, if any, with the states searched, the bound and the best cost."""
        if self._progress is not None:
            self._progress(states, bound, cost)

    @property
    def is_over(self) -> bool:
        """True once the deadline has passed, or stop is set."""
        return self._stop.is_set() or monotonic() >= self._deadline


UNWATCHED = Watch()


@dataclass(frozen=True, slots=True)
class Finding:
    """The best walk that a solver knows, with a lower bound."""

    walk: list[int]
    cost: int
    bound: int  # no walk costs less; equals the cost if the walk is proven cheapest
    states: int = 0
    method: str = "greedy"

    @property
    def is_proven(self) -> bool:
        """True if no walk can be cheaper."""
        return self.bound >= self.cost
