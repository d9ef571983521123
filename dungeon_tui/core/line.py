"""The line of turns through the present one: the turns that led here and those that redo leads to, judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dungeon_tui.core.turns import Turn

SLIP, MISTAKE = 1, 2


@dataclass(frozen=True, slots=True)
class Judgement:
    """The value of a turn under perfect play, and the fault of the move that led to it."""

    text: str  # the verdict in words: "captured in 12 monster moves"
    height: float  # 0 (lost) to 1 (safe), from one side's point of view throughout
    is_mistake: bool  # the move that led here threw value away
    label: str = ""  # a few characters for the timeline: "12"
    is_slip: bool = False  # the move that led here lost something, not all
    whose: str = ""  # the mover, as a possessive: "the rogue's"

    @property
    def fault(self) -> str:
        """The move's fault in words: "the rogue's mistake"; empty where there is none."""
        what = "mistake" if self.is_mistake else "slip" if self.is_slip else ""
        return f"{self.whose or 'a'} {what}" if what else ""


class TurnLine:
    """The turns of one line, each at the place of its ply, with their judgements.

    Following a turn costs what changed. Judgements cover the line from its start on, as far as they were given.
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
        """The judgement of a turn; None where it is not judged yet."""
        return self.judgements[ply] if ply < len(self.judgements) else None

    def forget_judgements(self) -> None:
        """Drops all judgements."""
        self.judgements.clear()
        self._faults.clear()

    @property
    def faults(self) -> tuple[str, int]:
        """The kind of fault to step through, and its number: mistakes; where there are none, slips."""
        mistakes = self._faults.count(MISTAKE)
        return ("mistake", mistakes) if mistakes else ("slip", self._faults.count(SLIP))

    def fault_beside(self, ply: int, steps: int) -> int | None:
        """The ply of the next fault of the kind in `faults` (steps > 0), or of the previous one."""
        fault = MISTAKE if MISTAKE in self._faults else SLIP
        return _place(self._faults.find(fault, ply + 1) if steps > 0 else self._faults.rfind(fault, 0, ply))

    def fault_number(self, ply: int) -> tuple[int, int]:
        """The number of a turn among the faults of that kind, from 1 on, and how many there are."""
        fault = MISTAKE if MISTAKE in self._faults else SLIP
        return self._faults.count(fault, 0, ply + 1), self._faults.count(fault)

    # -- forks

    def fork_beside(self, ply: int) -> int | None:
        """The first ply from here on with several branches, else the last one before."""
        found = self._forks.find(1, ply)
        return _place(found if found >= 0 else self._forks.rfind(1, 0, ply))

    def forget_after(self, ply: int) -> None:
        """Forgets the turns after a ply, once redo leads elsewhere from there."""
        self._cut(ply + 1)

    # -- stretches, plies from start up to stop

    def first_mistake(self, start: int, stop: int) -> int | None:
        """The first mistake of a stretch."""
        return _place(self._faults.find(MISTAKE, start, stop))

    def first_slip(self, start: int, stop: int) -> int | None:
        """The first slip of a stretch."""
        return _place(self._faults.find(SLIP, start, stop))

    def has_fork(self, start: int, stop: int) -> bool:
        """True if some turn of the stretch has several branches."""
        return self._forks.find(1, start, stop) >= 0

    def _holds(self, turn: Turn[Any, Any]) -> bool:
        return turn.ply < len(self.turns) and self.turns[turn.ply] is turn

    def _put(self, turn: Turn[Any, Any]) -> None:
        """Puts a turn in its place; the turns that stood there and after are dropped."""
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
