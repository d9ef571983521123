"""Lessons: a player's mistakes, to be solved again."""

from collections.abc import Collection, Mapping
from typing import Any

from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import Judgement, Turn


def own_faults(session: Session) -> dict[Turn[Any, Any], Judgement]:
    """A person's mistakes, then the slips, in the order of play. Strategies' if no person played.

    Of slips in a row, those that lose no more than the one before are steps of the same wrong way: the first counts.
    In a game of two sides they end with the mistake that handed over the win for good.
    """
    judgements, faults, before = session.line.judgements, list[tuple[Turn[Any, Any], Judgement]](), None
    for turn, each in zip(session.line.turns, judgements, strict=False):
        is_alike = before is not None and before.is_slip and before.whose == each.whose and each.loss <= before.loss
        faults += [(turn, each)] if each.is_mistake or (each.is_slip and not is_alike) else []
        before = each
    faults.sort(key=lambda fault: not fault[1].is_mistake)
    own = {turn: each for turn, each in faults if turn.parent is not None and session.is_persons(turn.parent)}
    mistakes = [turn for turn, judgement in faults if judgement.is_mistake]
    if session.seat() and mistakes and mistakes[-1] in own:
        return {turn: each for turn, each in own.items() if turn.ply <= mistakes[-1].ply}
    return own


class Lesson:
    """Faults to be solved one after the other, and the progress."""

    def __init__(self, faults: Mapping[Turn[Any, Any], Judgement], before: Collection[Turn[Any, Any]] = ()) -> None:
        self._faults = [*faults]
        self._judged = faults
        self._index = 0
        self.found = {*faults} & {*before}  # faults for which the better move was found, also in lessons before
        self.tried: dict[Any, Judgement] = {}  # actions that were no better
        self.is_over = False  # the present one: its better move was found or shown

    def __len__(self) -> int:
        return len(self._faults)

    @property
    def fault(self) -> Turn[Any, Any]:
        """The turn of the current fault."""
        return self._faults[self._index]

    @property
    def judgement(self) -> Judgement:
        """The judgement of the current fault."""
        return self._judged[self.fault]

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
        """True if an action is among the best: no fault, by the judgement of its turn."""
        if judgement.fault:
            self.tried[action] = judgement
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
        self.tried, self.is_over = {}, False
        return True
