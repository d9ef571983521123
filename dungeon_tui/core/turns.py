"""The turn controller: asks the rules, keeps the history, tells whoever listens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic

from dungeon_tui.core.rules import ActionT, Event, LevelBegun, LevelT, Outcome, Rules, StateT


@dataclass(slots=True, eq=False)
class Turn(Generic[StateT, ActionT]):
    """A node of the history: a state, and how it came about.

    The first turn has neither parent nor action. Turns are told apart by identity.
    """

    state: StateT
    action: ActionT | None = None
    events: tuple[Event, ...] = ()
    parent: Turn[StateT, ActionT] | None = field(default=None, repr=False)
    ply: int = 0  # actions since the start
    branches: list[Turn[StateT, ActionT]] = field(default_factory=list, repr=False)  # the one seen last comes last

    def line(self) -> list[Turn[StateT, ActionT]]:
        """The turns that led here, the first one first, this one included."""
        turns = [self]
        while (parent := turns[-1].parent) is not None:
            turns.append(parent)
        turns.reverse()
        return turns


class ChangeKind(Enum):
    """The reason for another present turn."""

    APPLIED = "applied"
    UNDONE = "undone"
    REDONE = "redone"
    RESTARTED = "restarted"
    JUMPED = "jumped"


@dataclass(frozen=True, slots=True)
class Change(Generic[StateT, ActionT]):
    """The message to observers: another turn is the present one."""

    kind: ChangeKind
    before: Turn[StateT, ActionT]
    after: Turn[StateT, ActionT]


Observer = Callable[[Change[StateT, ActionT]], None]


class TurnController(Generic[LevelT, StateT, ActionT]):
    """Drives one game: the present turn, the tree of all turns played, and its observers.

    Every turn keeps its state; a state costs what the turn changed, since boards share what they have in
    common (see core.board).
    """

    def __init__(self, rules: Rules[LevelT, StateT, ActionT], level: LevelT, seed: int = 0) -> None:
        self.rules = rules
        self.level = level
        self.seed = seed
        self.first: Turn[StateT, ActionT] = Turn(rules.start(level, seed))
        self.turn = self.first
        self._observers: list[Observer[StateT, ActionT]] = []

    @property
    def state(self) -> StateT:
        """The present state."""
        return self.turn.state

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game; None while it goes on."""
        return self.rules.outcome(self.turn.state)

    def observe(self, observer: Observer[StateT, ActionT]) -> Callable[[], None]:
        """Lets the observer hear of every change once; returns what ends it."""
        self._observers.append(observer)
        return lambda: self._observers.remove(observer)

    def apply(self, action: ActionT) -> Turn[StateT, ActionT]:
        """Plays an action. After an undo this starts a branch, or follows the one that began with this action.

        Raises:
            IllegalActionError: the rules don't allow it here; nothing has changed.
        """
        before = self.turn
        for branch in before.branches:
            if branch.action == action:
                self._go(ChangeKind.APPLIED, branch)
                return branch
        state, events = self.rules.step(before.state, action)
        turn = Turn(state, action, events, before, before.ply + 1)
        before.branches.append(turn)
        self._go(ChangeKind.APPLIED, turn)
        return turn

    def undo(self, turns: int = 1) -> bool:
        """Goes back that many turns, or to the start; False at the start."""
        turn = self.turn
        while turns > 0 and turn.parent is not None:
            turn, turns = turn.parent, turns - 1
        return turn is not self.turn and self._go(ChangeKind.UNDONE, turn)

    def redo(self) -> bool:
        """Goes forward again, into the branch seen last; False where nothing was undone."""
        branches = self.turn.branches
        return bool(branches) and self._go(ChangeKind.REDONE, branches[-1])

    def restart(self) -> bool:
        """Goes back to where the present level began; False when that is here. Redo still leads forward."""
        turn = self.turn
        while turn.parent is not None and not any(isinstance(event, LevelBegun) for event in turn.events):
            turn = turn.parent
        return turn is not self.turn and self._go(ChangeKind.RESTARTED, turn)

    def go_to(self, turn: Turn[StateT, ActionT]) -> bool:
        """Goes to any turn of the tree, from which play may branch; False when it is the present one."""
        return turn is not self.turn and self._go(ChangeKind.JUMPED, turn)

    def prefer(self, turn: Turn[StateT, ActionT]) -> None:
        """Lets redo lead from a turn's parent into this turn."""
        if turn.parent is not None and turn.parent.branches[-1] is not turn:
            turn.parent.branches.remove(turn)
            turn.parent.branches.append(turn)

    def discard(self, branch: Turn[StateT, ActionT]) -> None:
        """Forgets a turn and all that followed it.

        Raises:
            ValueError: it is the first turn, or the present one comes after it.
        """
        if branch.parent is None or branch in self.turn.line():
            raise ValueError("the line that leads to the present turn can't be forgotten")
        branch.parent.branches.remove(branch)

    def _go(self, kind: ChangeKind, turn: Turn[StateT, ActionT]) -> bool:
        change = Change(kind, self.turn, turn)
        self.turn = turn
        # So that redo leads along the line that was looked at last; only a jump can land on a line apart.
        while (parent := turn.parent) is not None and kind is not ChangeKind.UNDONE:
            self.prefer(turn)
            if kind is not ChangeKind.JUMPED:
                break
            turn = parent
        for observer in tuple(self._observers):
            observer(change)
        return True
