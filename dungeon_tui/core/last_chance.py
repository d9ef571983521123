"""The last turn from which a lost game could be won."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dungeon_tui.core.rules import StateT


@dataclass(frozen=True, slots=True)
class LastChance:
    """The last turn of a line from which the game could be won."""

    ply: int | None  # None if unknown
    is_exact: bool  # True if the next turn is proven to be lost


def last_chance(states: Sequence[StateT], is_lost: Callable[[StateT], bool | None]) -> LastChance:
    """The last of a line's states that could be won, by bisection: the last one is lost. `is_lost` None: unknown."""
    low, high = -1, len(states) - 1  # states[low] can be won, or low is -1; states[high] is lost or unknown
    is_exact = True
    while high - low > 1:
        middle = (low + high) // 2
        verdict = is_lost(states[middle])
        if verdict is False:
            low = middle
        else:
            high, is_exact = middle, verdict is True
    return LastChance(low if low >= 0 else None, is_exact)
