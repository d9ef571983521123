"""Lessons: a player's mistakes, to be solved again."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import counted


def own_faults(session: Session) -> dict[Turn[Any, Any], Judgement]:
    """A person's mistakes and slips in the order of play. Strategies' if no person played."""
    line = session.line
    faults = [(line.turns[ply], line.judgements[ply]) for ply in line.faults]
    return {turn: fault for turn, fault in faults if turn.parent is not None and session.is_persons(turn.parent)}


def faults_text(faults: Iterable[Judgement], marks: Mapping[str, str] | None = None) -> str:
    """The number of faults of each kind: "1 mistake and 2 slips"; empty if none.

    `marks` follow the kinds: "1 mistake (!)".
    """
    numbers = Counter(each.kind for each in faults)
    return " and ".join(
        counted(numbers[kind], kind) + (marks or {}).get(kind, "") for kind in ("mistake", "slip") if numbers[kind]
    )


def unknown_text(judgements: Sequence[Judgement]) -> str:
    """The number of a line's moves that could not be judged: "12 of 20 moves could not be judged"; empty if all were.

    >>> unknown_text([Judgement("safe", 1.0, False), Judgement("too large", 0.5, False, is_unknown=True)])
    '1 of 1 move could not be judged'
    """
    unknown = sum(each.is_unknown for each in judgements[1:])
    return f"{unknown} of {counted(len(judgements) - 1, 'move')} could not be judged" if unknown else ""


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

    def go(self, steps: int) -> bool:
        """Goes to the next fault or the one before; False if there is none."""
        if not 0 <= self._index + steps < len(self):
            return False
        self._index += steps
        self.tried, self.is_over = {}, False
        return True
