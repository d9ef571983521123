"""Prospects of a game: can it still be won, and since when not?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from time import monotonic

from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import turn_name, until_turn
from dungeon_tui.games.crawler.model.state import Action, State, Status
from dungeon_tui.games.crawler.view.advice.solving import Solving
from dungeon_tui.storage.settings import Value
from dungeon_tui.ui.play.features import Outlook

_PATIENCE = 10.0  # seconds for an answer that somebody waits for
_BEHIND = 3.0  # seconds for one that nobody asked for
WAY_LEFT = "A way out is left."


class Watch(Enum):
    """Times to tell that the game can't be won any more."""

    OFF = "never"
    ASKED = "when you press {outlook}"
    ALWAYS = "at once"


_SETTINGS: dict[Watch, Value] = {Watch.OFF: "never", Watch.ASKED: "asked", Watch.ALWAYS: "at once"}


@dataclass(frozen=True, slots=True)
class LastChance:
    """The last turn of a line that could still be won."""

    ply: int | None  # None: none is known
    is_exact: bool  # whether the next one is proven to be lost


def last_chance(states: Sequence[State], is_lost: Callable[[State], bool | None]) -> LastChance:
    """The last state that could still be won, found by halving: what is lost once stays lost.

    Args:
        states: of the turns from the first one on; the last one is lost.
        is_lost: what is known of a state; None: nothing.
    """
    low, high = -1, len(states) - 1  # the last one that is open, as far as is known; one after it
    is_exact = True
    while high - low > 1:
        middle = (low + high) // 2
        verdict = is_lost(states[middle])
        if verdict is False:
            low = middle
        else:
            high, is_exact = middle, verdict is True
    return LastChance(low if low >= 0 else None, is_exact)


class Prospects:
    """Looks at turns for a way out that is left."""

    def __init__(self, solving: Solving) -> None:
        self.watch = Watch.ASKED
        self._solving = solving

    def next_watch(self) -> str:
        """Changes when a lost game is told of, among the values of Watch; returns the sentence that says when."""
        watches = list(Watch)
        self.watch = watches[(watches.index(self.watch) + 1) % len(watches)]
        return f"No way out left: told {self.watch.value}."

    def turn_to(self, value: Value) -> None:
        """Changes when a lost game is told of, by a value of the setting `lost`."""
        self.watch = next(watch for watch, setting in _SETTINGS.items() if setting == value)

    @property
    def setting(self) -> Value:
        """The value of the setting `lost` that stands for when a lost game is told of."""
        return _SETTINGS[self.watch]

    def outlook(self, turn: Turn[State, Action], is_asked: bool) -> Outlook:
        """Verdict on a turn, still to be won or not, and the last that was. May take seconds: call it in a thread."""
        if self.watch is Watch.OFF and not is_asked:
            return Outlook("")
        planner, stop = self._solving.planner(turn.state), self._solving.newest("outlook")
        deadline = monotonic() + (_PATIENCE if is_asked else _BEHIND)

        def is_lost(state: State) -> bool | None:
            return planner.is_lost(state, max(deadline - monotonic(), 0.0), stop)

        verdict, status = is_lost(turn.state), turn.state.status
        if verdict is None:
            return Outlook("Whether a way out is left is not known: neither a way nor a proof was found in time.")
        if not verdict:
            return Outlook(WAY_LEFT if status is Status.PLAYING else "You are out.")
        line = turn.line()
        chance = last_chance([each.state for each in line], is_lost)
        if stop.is_set():
            return Outlook("")
        back = None if chance.ply is None else line[chance.ply]
        lost_from = turn if not chance.is_exact else line[0 if chance.ply is None else chance.ply + 1]
        return Outlook(lost_text(status, chance), True, back, lost_from, mark_text(chance))


def lost_text(status: Status, chance: LastChance) -> str:
    """The verdict on a game that can't be won or is over, with the last turn from which it could have been."""
    if status is Status.PLAYING:
        if chance.ply is None:
            never = "There was none from the start" if chance.is_exact else "Since when is not known"
            return f"No way out is left. {never}."
        last = turn_name(chance.ply)
        since = f"since {turn_name(chance.ply + 1)}" if chance.is_exact else f"since some turn after {last}"
        return f"No way out is left {since}. {{last_chance}} goes back to {last}."
    over = "You are dead" if status is Status.DIED else "The game is over"
    if chance.ply is None:
        return f"{over}: {'there was no way out from the start' if chance.is_exact else 'no way out is known'}."
    until = until_turn(chance.ply) if chance.is_exact else f"at {turn_name(chance.ply)}"
    return f"{over}: a way out was left {until}. {{last_chance}} goes back there."


def mark_text(chance: LastChance) -> str:
    """Few words for a lost game: since when it can't be won, and the key that goes back.

    >>> mark_text(LastChance(1, True))
    'no way out since turn 2, {last_chance} goes back'
    """
    if chance.ply is None:
        return "no way out from the start" if chance.is_exact else "no way out is left"
    since = f"since {turn_name(chance.ply + 1)}" if chance.is_exact else "is left"
    return f"no way out {since}, {{last_chance}} goes back"
