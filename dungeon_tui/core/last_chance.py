"""The last turn from which a lost game could be won."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dungeon_tui.core.rules import StateT


@dataclass(frozen=True, slots=True)
class LastChance:
    """The last turn of a line from which the game could be won."""

    ply: int | None  # None if unknown
    is_exact: bool  # True if the next turn is proven to be lost


def last_chance(states: Sequence[StateT], is_lost: Callable[[StateT], bool | None]) -> LastChance:
    """Finds, by bisection, the last winnable state of a line that ends lost. `is_lost` may return None: unknown."""
    verdicts: dict[int, bool | None] = {len(states) - 1: True}

    def is_closed(ply: int) -> bool:
        verdicts[ply] = is_lost(states[ply])
        return verdicts[ply] is not False

    first = bisect_left(range(len(states) - 1), True, key=is_closed)
    return LastChance(first - 1 if first else None, verdicts[first] is True)
