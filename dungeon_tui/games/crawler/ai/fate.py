"""The fate of a game: can it still be won, and what is the last turn from which it could?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from dungeon_tui.games.crawler.model.state import State


class Fate(Enum):
    """Fate of a game."""

    OPEN = "open"  # a line leads out
    LOST = "lost"  # none does: proven
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class LastChance:
    """The last turn of a line that could still be won."""

    ply: int | None  # None: none is known
    is_exact: bool  # whether the next one is proven to be lost


def last_chance(states: Sequence[State], fate: Callable[[State], Fate]) -> LastChance:
    """Looks for it by halving: what is lost once stays lost.

    Args:
        states: of the turns from the first one on; the last one is lost.
        fate: what is known of a state.

    Cost:
        About log2 of the turns.
    """
    low, high = -1, len(states) - 1  # the last one that is open, as far as is known; one after it
    is_exact = True
    while high - low > 1:
        middle = (low + high) // 2
        match fate(states[middle]):
            case Fate.OPEN:
                low = middle
            case Fate.LOST:
                high, is_exact = middle, True
            case _:
                high, is_exact = middle, False
    return LastChance(low if low >= 0 else None, is_exact)
