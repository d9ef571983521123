"""How a solver of walks is watched, and what it brings back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from time import monotonic


class WalkCancelledError(Exception):
    """Another thread stopped the search for a walk."""


@dataclass(slots=True)
class Watch:
    """Who wants to hear of a search, and when it must end."""

    deadline: float | None = None  # on the monotonic clock
    stop: Event | None = None
    progress: Callable[[int, int, int], None] | None = None

    def tell(self, states: int, bound: int, cost: int) -> None:
        """Says how it stands: states looked at, the proven bound from below, the best walk's cost.

        Raises:
            WalkCancelledError: stop was set.
        """
        if self.stop is not None and self.stop.is_set():
            raise WalkCancelledError("the search for a walk was stopped")
        if self.progress is not None:
            self.progress(states, bound, cost)

    @property
    def seconds_left(self) -> float:
        """Until the deadline; infinite without one."""
        return float("inf") if self.deadline is None else self.deadline - monotonic()


@dataclass(frozen=True, slots=True)
class Finding:
    """What a solver knows when it ends."""

    walk: list[int]
    cost: int
    bound: int  # no walk costs less; the same as the cost where that is proven
    states: int

    @property
    def is_proven(self) -> bool:
        """Whether no walk can be cheaper."""
        return self.bound >= self.cost


def watch_for(time_limit: float | None, stop: Event | None, progress: Callable[[int, int, int], None] | None) -> Watch:
    """A watch that begins now."""
    return Watch(None if time_limit is None else monotonic() + time_limit, stop, progress)
