"""Lessons: a player's mistakes, to be solved again."""

from collections.abc import Collection, Sequence
from typing import Any

from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import Judgement, Turn


def own_faults(session: Session) -> list[Turn[Any, Any]]:
    """A person's mistakes, earliest first; worst slips first if there are none. Strategies' if no person played."""
    judged = zip(session.line.turns, session.line.judgements, strict=False)
    faults = [
        (turn, judgement)
        for turn, judgement in judged
        if judgement.fault and turn.parent is not None and session.is_persons(turn.parent)
    ]
    mistakes = [turn for turn, judgement in faults if judgement.is_mistake]
    return mistakes or [turn for turn, _ in sorted(faults, key=lambda fault: -fault[1].loss)]


class Lesson:
    """Faults to be solved one after the other, and the progress."""

    def __init__(self, faults: Sequence[Turn[Any, Any]], before: Collection[Turn[Any, Any]] = ()) -> None:
        self._faults = faults
        self._index = 0
        self.found = {*faults} & {*before}  # faults for which the better move was found, also in lessons before
        self.tried: list[Any] = []  # actions that were no better
        self.is_over = False  # the present one: its better move was found or shown

    def __len__(self) -> int:
        return len(self._faults)

    @property
    def fault(self) -> Turn[Any, Any]:
        """The turn of the current fault."""
        return self._faults[self._index]

    @property
    def order(self) -> str:
        """The order of the faults in words."""
        plies = [turn.ply for turn in self._faults]
        return "earliest first" if plies == sorted(plies) else "worst first"

    @property
    def origin(self) -> Turn[Any, Any]:
        """The turn in which to find the better move."""
        assert self.fault.parent is not None
        return self.fault.parent

    @property
    def number(self) -> int:
        """The number of the current fault, from 1."""
        return self._index + 1

    def answer(self, action: Any, judgement: Judgement) -> bool:
        """True if an action is no fault, by the judgement of its turn."""
        if judgement.fault:
            if action not in self.tried:
                self.tried.append(action)
            return False
        if not self.is_over:
            self.found.add(self.fault)
        self.is_over = True
        return True

    def show(self) -> None:
        """Ends the current fault, unsolved."""
        self.is_over = True

    def next(self) -> bool:
        """Goes to the next fault; False at the last one."""
        if self.number == len(self):
            return False
        self._index += 1
        self.tried, self.is_over = [], False
        return True
