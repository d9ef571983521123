"""What a game that is solved exactly tells the screens of its positions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dungeon_tui.core.turns import Turn
from dungeon_tui.ui.map.source import Layer


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a turn came to, for perfect players."""

    text: str  # the verdict in words: "captured in 12 monster moves"
    height: float  # 0 (lost) to 1 (safe), from one side's point of view throughout
    is_mistake: bool  # the move that led here threw value away
    label: str = ""  # a few characters for the timeline: "12"
    is_slip: bool = False  # the move that led here lost something, not all
    whose: str = ""  # who made that move: "the rogue's"

    @property
    def fault(self) -> str:
        """What the move was, in words: "the rogue's mistake"; empty: nothing is wrong with it."""
        what = "mistake" if self.is_mistake else "slip" if self.is_slip else ""
        return f"{self.whose or 'a'} {what}" if what else ""


class Analysis(ABC):
    """The judgement of one game's positions; one object a screen."""

    name: ClassVar[str]
    """What to call it: "Exact play"."""
    takes_time: ClassVar[bool] = False
    """Whether `judge` is more than a look into a table: then threads alone call it, and `look` before `layer`."""

    @abstractmethod
    def prepare(self, state: Any) -> None:
        """Solves the game that the state belongs to. In a thread, may take seconds; at once where it is solved already.

        Called before any of the others.

        Raises:
            ValueError: it can't be solved; the message says why ("too large: ...").
        """

    @abstractmethod
    def judge(self, turn: Turn[Any, Any]) -> Judgement:
        """The judgement of a turn's state and of the move that led there: a look into a table. Also in threads."""

    def look(self, state: Any) -> None:
        """Does, in a thread, what `layer` and `note` of the state need. Only asked for where it `takes_time`."""
        return

    @abstractmethod
    def layer(self, state: Any) -> Layer:
        """The legal moves, each with its value."""

    @abstractmethod
    def note(self, state: Any) -> str:
        """What the layer's marks mean, and the verdict in words."""

    @abstractmethod
    def why(self, turn: Turn[Any, Any]) -> Sequence[Any] | str:
        """The line of actions that refutes the move that led to a turn, from that turn on; or why there is none."""
