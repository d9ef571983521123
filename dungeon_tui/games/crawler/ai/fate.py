"""The fate of a game: can it still be won, and what is the last turn from which it could?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from dungeon_tui.core.words import turn_name, until_turn
from dungeon_tui.games.crawler.model.state import State, Status


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


def lost_text(status: Status, chance: LastChance) -> str:
    """Sentences on a game that can't be won, or is over, and the last turn until which it could have been."""
    if status is Status.PLAYING:
        if chance.ply is None:
            never = "There was none from the start" if chance.is_exact else "Since when is not known"
            return f"No way out is left. {never}."
        last = turn_name(chance.ply)
        since = f"since {turn_name(chance.ply + 1)}" if chance.is_exact else f"since some turn after {last}"
        return f"No way out is left {since}. {{last_chance}} goes back to {last}."
    over = "You are dead" if status is Status.DIED else "The game is over"
    if chance.ply is None:
        return f"{over}: {'no way led out from the start' if chance.is_exact else 'no way out is known'}."
    until = until_turn(chance.ply) if chance.is_exact else f"at {turn_name(chance.ply)}"
    return f"{over}: a way out was left {until}. {{last_chance}} goes back there."


def mark_text(chance: LastChance) -> str:
    """A game's being lost, in a few words.

    >>> mark_text(LastChance(1, True))
    'no way out since turn 2, {last_chance} goes back'
    """
    if chance.ply is None:
        return "no way out from the start" if chance.is_exact else "no way out is left"
    since = f"since {turn_name(chance.ply + 1)}" if chance.is_exact else "is left"
    return f"no way out {since}, {{last_chance}} goes back"
