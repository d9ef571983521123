"""The protocol of a game's rules: pure functions from states and actions to states and events."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, dataclass_transform

LevelT = TypeVar("LevelT")
LevelT_contra = TypeVar("LevelT_contra", contravariant=True)
StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Event:
    """An event of a turn; games derive theirs, named in the past tense. Each is a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class LevelBegun(Event):
    """A new level was entered; restarting comes back to it."""

    number: int  # counted from 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game."""

    name: str  # one word or two for scripts and recordings: "escaped", "died"
    reason: str  # one sentence for people
    is_win: bool


class IllegalActionError(ValueError):
    """Raised when the attempted action is illegal in this state."""


class Rules(Protocol[LevelT_contra, StateT, ActionT]):
    """A game's rules: a module of pure functions, with equal results on every machine. States are frozen."""

    VERSION: int
    """Raised whenever the same actions may lead to other states."""

    UNLISTED: frozenset[type]
    """Kinds of actions too many to list, any health say: `step` takes more of these than `legal_actions` names."""

    def start(self, level: LevelT_contra, seed: int = 0) -> StateT:
        """The state before the first action."""

    def legal_actions(self, state: StateT) -> Sequence[ActionT]:
        """All actions that `step` accepts, except `UNLISTED` kinds; none once the game is over."""

    def objection(self, state: StateT, action: ActionT) -> str | None:
        """Reason why the action is illegal, in one line; None if it is legal."""

    def step(self, state: StateT, action: ActionT) -> tuple[StateT, tuple[Event, ...]]:
        """The state after the action, and the events in order. Raises IllegalActionError with the objection."""

    def outcome(self, state: StateT) -> Outcome | None:
        """The end of the game; None while it continues."""

    def action_text(self, action: ActionT) -> str:
        """The action as one line of a recording."""

    def read_action(self, text: str) -> ActionT:
        """The action that `action_text` wrote. Raises ValueError if there is none."""
