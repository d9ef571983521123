"""The line of turns through the present one: what led here, and where redo leads. With what is judged of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dungeon_tui.core.turns import Turn
from dungeon_tui.ui.play.analysis import Judgement

SLIP, MISTAKE = 1, 2


class TurnLine:
    """Kept up to date turn by turn, at the cost of what changed; a turn's place is its ply.

    Judgements cover the line from its start on, as far as they were given.
    """

    def __init__(self, turn: Turn[Any, Any]) -> None:
        self.turns: list[Turn[Any, Any]] = []
        self.judgements: list[Judgement] = []
        self._forks = bytearray()  # 1: the turn has several branches
        self._faults = bytearray()  # of the move that led to the turn: MISTAKE, SLIP, or neither
        self.follow(turn)

    def __len__(self) -> int:
        return len(self.turns)

    def follow(self, turn: Turn[Any, Any]) -> None:
        """Makes this the line through a turn."""
        way: list[Turn[Any, Any]] = []
        known: Turn[Any, Any] | None = turn
        while known is not None and not self._holds(known):
            way.append(known)
            known = known.parent
        for newer in reversed(way):
            self._put(newer)
        if known is not None:
            self._forks[known.ply] = len(known.branches) > 1
        while turn.branches:
            turn = turn.branches[-1]
            if self._holds(turn):
                return  # whatever follows was followed before
            self._put(turn)
        self._cut(turn.ply + 1)

    # -- judgements

    def unjudged(self, most: int) -> Sequence[Turn[Any, Any]]:
        """The first turns that are not judged yet, at most so many."""
        start = len(self.judgements)
        return self.turns[start : start + most]

    def take(self, turns: Sequence[Turn[Any, Any]], judgements: Sequence[Judgement]) -> None:
        """Judgements of what `unjudged` gave; passed over where the line has changed meanwhile."""
        start = len(self.judgements)
        if self.turns[start : start + len(turns)] == list(turns):  # turns are equal to themselves alone
            self.judgements += judgements
            self._faults += bytes(map(_fault, judgements))

    def judgement(self, ply: int) -> Judgement | None:
        """What is known of a turn."""
        return self.judgements[ply] if ply < len(self.judgements) else None

    def forget_judgements(self) -> None:
        """They no longer hold."""
        self.judgements.clear()
        self._faults.clear()

    @property
    def faults(self) -> tuple[str, int]:
        """What to look for, and how many there are: mistakes; where there are none, slips."""
        mistakes = self._faults.count(MISTAKE)
        return ("mistake", mistakes) if mistakes else ("slip", self._faults.count(SLIP))

    def fault_beside(self, ply: int, steps: int) -> int | None:
        """The ply of the next one of what to look for (steps > 0), or of the previous one."""
        fault = MISTAKE if MISTAKE in self._faults else SLIP
        return _place(self._faults.find(fault, ply + 1) if steps > 0 else self._faults.rfind(fault, 0, ply))

    def fault_number(self, ply: int) -> tuple[int, int]:
        """Which one of what to look for a turn is, from 1 on, and how many there are."""
        fault = MISTAKE if MISTAKE in self._faults else SLIP
        return self._faults.count(fault, 0, ply + 1), self._faults.count(fault)

    # -- forks

    def fork_beside(self, ply: int) -> int | None:
        """The first ply from here on with several branches, else the last one before."""
        found = self._forks.find(1, ply)
        return _place(found if found >= 0 else self._forks.rfind(1, 0, ply))

    def forget_after(self, ply: int) -> None:
        """Redo leads elsewhere, from the next turn that is followed on, which comes there or later."""
        self._cut(ply + 1)

    # -- what a stretch of it holds, plies from start up to stop

    def first_mistake(self, start: int, stop: int) -> int | None:
        """The first mistake of a stretch."""
        return _place(self._faults.find(MISTAKE, start, stop))

    def first_slip(self, start: int, stop: int) -> int | None:
        """The first slip of a stretch."""
        return _place(self._faults.find(SLIP, start, stop))

    def has_fork(self, start: int, stop: int) -> bool:
        """Whether one could have gone on otherwise from somewhere in a stretch, and did once."""
        return self._forks.find(1, start, stop) >= 0

    def _holds(self, turn: Turn[Any, Any]) -> bool:
        return turn.ply < len(self.turns) and self.turns[turn.ply] is turn

    def _put(self, turn: Turn[Any, Any]) -> None:
        """A turn in its place; what followed there goes."""
        self._cut(turn.ply)
        self.turns.append(turn)
        self._forks.append(len(turn.branches) > 1)

    def _cut(self, length: int) -> None:
        if length < len(self.turns):
            del self.turns[length:], self.judgements[length:]
            del self._forks[length:], self._faults[length:]


def _fault(judgement: Judgement) -> int:
    return MISTAKE if judgement.is_mistake else SLIP if judgement.is_slip else 0


def _place(found: int) -> int | None:
    return None if found < 0 else found
