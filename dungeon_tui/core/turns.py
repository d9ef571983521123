"""The turn controller asks the rules, stores the tree of turns and notifies observers; and one line of the tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic

from dungeon_tui.core.rules import ActionT, Event, LevelBegun, LevelT, Outcome, Rules, StateT


@dataclass(slots=True, eq=False)
class Turn(Generic[StateT, ActionT]):
    """A node of the history: a state and how it was reached. The first turn has no parent and no action."""

    state: StateT
    action: ActionT | None = None
    events: tuple[Event, ...] = ()
    parent: Turn[StateT, ActionT] | None = field(default=None, repr=False)
    ply: int = 0  # actions since the start
    branches: list[Turn[StateT, ActionT]] = field(default_factory=list, repr=False)  # the one seen last comes last
    begins_level: bool = field(init=False, repr=False)
    continues_command: bool = False  # of the person's turn before: undo and redo don't stop between them

    def __post_init__(self) -> None:
        self.begins_level = self.parent is None
        for event in self.events:
            if isinstance(event, LevelBegun):
                self.begins_level = True

    def line(self) -> list[Turn[StateT, ActionT]]:
        """The turns that led here, from the first to this one."""
        turns = [self]
        while (parent := turns[-1].parent) is not None:
            turns.append(parent)
        turns.reverse()
        return turns


class ChangeKind(Enum):
    """Reason for a change of the current turn."""

    APPLIED = "applied"
    UNDONE = "undone"
    REDONE = "redone"
    RESTARTED = "restarted"
    JUMPED = "jumped"


@dataclass(frozen=True, slots=True)
class Change(Generic[StateT, ActionT]):
    """The message to observers: the current turn changed."""

    kind: ChangeKind
    before: Turn[StateT, ActionT]
    after: Turn[StateT, ActionT]


Observer = Callable[[Change[StateT, ActionT]], None]


class TurnController(Generic[LevelT, StateT, ActionT]):
    """Drives one game: the current turn, the tree of all turns with their states, and its observers."""

    def __init__(self, rules: Rules[LevelT, StateT, ActionT], level: LevelT, seed: int = 0) -> None:
        self.rules = rules
        self.level = level
        self.seed = seed
        self.first: Turn[StateT, ActionT] = Turn(rules.start(level, seed))
        self.turn = self.first
        self.restarted_from: Turn[StateT, ActionT] | None = None  # the turn left, if the last change was a restart
        self._observers: list[Observer[StateT, ActionT]] = []

    @property
    def state(self) -> StateT:
        """The current state."""
        return self.turn.state

    @property
    def outcome(self) -> Outcome | None:
        """The outcome in the current turn; None while the game continues."""
        return self.rules.outcome(self.turn.state)

    def observe(self, observer: Observer[StateT, ActionT]) -> None:
        """Adds a function to call after every change of the current turn."""
        self._observers.append(observer)

    def apply(self, action: ActionT) -> Turn[StateT, ActionT]:
        """Plays an action and returns its turn, which may exist already. Raises IllegalActionError if it is illegal."""
        turn = self.after(self.turn, action)
        self._go(ChangeKind.APPLIED, turn)
        return turn

    def after(self, before: Turn[StateT, ActionT], action: ActionT) -> Turn[StateT, ActionT]:
        """The turn after an action in another turn, for `go_to`; as `apply` makes it."""
        for branch in before.branches:
            if branch.action == action:
                return branch
        state, events = self.rules.step(before.state, action)
        turn = Turn(state, action, events, before, before.ply + 1)
        before.branches.append(turn)
        return turn

    def apply_texts(self, actions: Iterable[str]) -> None:
        """Plays actions written as in recordings. Raises ValueError at the first that is illegal or no action."""
        for text in actions:
            self.apply(self.rules.read_action(text))

    def undo(self, turns: int = 1) -> bool:
        """Goes back a number of turns, at most to the first; False if already there."""
        turn = self.turn
        while turns > 0 and turn.parent is not None:
            turn, turns = turn.parent, turns - 1
        return turn is not self.turn and self._go(ChangeKind.UNDONE, turn)

    def redo(self) -> bool:
        """Goes one turn forward, into the branch seen last; False if there is none."""
        branches = self.turn.branches
        return bool(branches) and self._go(ChangeKind.REDONE, branches[-1])

    def restart(self) -> bool:
        """Goes back to the turn in which the current level began; False if already there. Redo leads forward again."""
        turn = self.turn
        while turn.parent is not None and not turn.begins_level:
            turn = turn.parent
        return turn is not self.turn and self._go(ChangeKind.RESTARTED, turn)

    def go_to(self, turn: Turn[StateT, ActionT], kind: ChangeKind = ChangeKind.JUMPED) -> bool:
        """Goes to any turn of the tree, and tells observers the kind of change; False if it is the current one."""
        return turn is not self.turn and self._go(kind, turn)

    def prefer(self, turn: Turn[StateT, ActionT]) -> None:
        """Makes redo lead from a turn's parent to this turn."""
        if turn.parent is not None and turn.parent.branches[-1] is not turn:
            turn.parent.branches.remove(turn)
            turn.parent.branches.append(turn)

    def _go(self, kind: ChangeKind, turn: Turn[StateT, ActionT]) -> bool:
        change = Change(kind, self.turn, turn)
        self.restarted_from = self.turn if kind is ChangeKind.RESTARTED else None
        self.turn = turn
        # Redo follows the line seen last; only a jump can land on another line.
        while (parent := turn.parent) is not None and kind is not ChangeKind.UNDONE:
            self.prefer(turn)
            if kind is not ChangeKind.JUMPED:
                break
            turn = parent
        for observer in self._observers:
            observer(change)
        return True


_SLIP, _MISTAKE = 1, 2


@dataclass(frozen=True, slots=True)
class Judgement:
    """The value of a turn under perfect play, and whether the move that led to it was a fault."""

    text: str  # the verdict in words: "captured in 12 moves"
    height: float  # 0 (lost) to 1 (safe), from one side's point of view throughout
    is_mistake: bool  # the move that led here threw value away
    is_slip: bool = False  # the move that led here lost something, not all
    is_unknown: bool = False  # nobody could tell whether the move that led here was a fault
    whose: str = ""  # the mover, as a possessive: "the rogue's"
    loss: int = 0  # what a slip lost; 0: unknown

    @property
    def kind(self) -> str:
        """The fault in a word, "mistake" or "slip"; empty if there is none."""
        return "mistake" if self.is_mistake else "slip" if self.is_slip else ""

    @property
    def fault(self) -> str:
        """The fault in words, such as "the rogue's mistake"; empty if there is none."""
        return f"{self.whose or 'a'} {self.kind}" if self.kind else ""


class TurnLine:
    """The turns of one line, indexed by ply, and the judgements of its first turns."""

    def __init__(self, turn: Turn[Any, Any]) -> None:
        self.turns: list[Turn[Any, Any]] = []
        self.judgements: list[Judgement] = []
        self._forks = bytearray()  # 1: the turn has several branches
        self._faults = bytearray()  # of the move that led to the turn: _MISTAKE, _SLIP, or 0
        self.follow(turn)

    def __len__(self) -> int:
        return len(self.turns)

    def follow(self, turn: Turn[Any, Any]) -> None:
        """Changes to the line through a turn and on along redo; keeps the judgements of turns that stay."""
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
                return  # the rest is known already
            self._put(turn)
        self.forget_after(turn.ply)

    # -- judgements

    def unjudged(self, most: int) -> Sequence[Turn[Any, Any]]:
        """The first turns without a judgement, at most `most`."""
        start = len(self.judgements)
        return self.turns[start : start + most]

    def take(self, turns: Sequence[Turn[Any, Any]], judgements: Sequence[Judgement]) -> None:
        """Adds the judgements of turns from `unjudged`, unless the line has changed since."""
        start = len(self.judgements)
        if self.turns[start : start + len(turns)] == list(turns):  # turns are equal to themselves alone
            self.judgements += judgements
            self._faults += bytes(_MISTAKE if each.is_mistake else _SLIP if each.is_slip else 0 for each in judgements)

    def judgement(self, ply: int) -> Judgement | None:
        """The judgement of the turn at a ply, or None."""
        return self.judgements[ply] if ply < len(self.judgements) else None

    def forget_judgements(self) -> None:
        """Drops all judgements."""
        self.judgements.clear()
        self._faults.clear()

    @property
    def faults(self) -> list[int]:
        """The plies of the faults on the line."""
        return [ply for ply, kind in enumerate(self._faults) if kind] if any(self._faults) else []

    def worst(self, span: range) -> int | None:
        """The ply of the first mistake in a span, else of the first slip, or None."""
        found = [self._faults.find(kind, span.start, span.stop) for kind in (_MISTAKE, _SLIP)]
        return next((ply for ply in found if ply >= 0), None)

    # -- forks: turns with several branches

    def fork_beside(self, ply: int) -> int | None:
        """The ply of the next turn that has several branches, or else of the last one before. None if no turn has."""
        found = self._forks.find(1, ply)
        found = found if found >= 0 else self._forks.rfind(1, 0, ply)
        return found if found >= 0 else None

    def has_fork(self, start: int, stop: int) -> bool:
        """True if a turn in range(start, stop) has several branches."""
        return self._forks.find(1, start, stop) >= 0

    def forget_after(self, ply: int) -> None:
        """Forgets the turns after a ply, before `follow` takes another way from there."""
        if ply + 1 < len(self.turns):
            for each in (self.turns, self.judgements, self._forks, self._faults):
                del each[ply + 1 :]

    def _holds(self, turn: Turn[Any, Any]) -> bool:
        return turn.ply < len(self.turns) and self.turns[turn.ply] is turn

    def _put(self, turn: Turn[Any, Any]) -> None:
        self.forget_after(turn.ply - 1)
        self.turns.append(turn)
        self._forks.append(len(turn.branches) > 1)
