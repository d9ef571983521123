"""State, actions and events of a chase, all frozen."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import Event, Outcome
from dungeon_tui.games.chase.model.level import Level


class Side(Enum):
    """A side of the chase; the monster begins."""

    MONSTER = "monster"
    ROGUE = "rogue"

    @property
    def other(self) -> Side:
        """The side that plays against this one."""
        return Side.ROGUE if self is Side.MONSTER else Side.MONSTER


class Status(Enum):
    """Stage of a chase."""

    PLAYING = "playing"
    CAPTURED = "captured"
    EVADED = "evaded"
    FORFEIT = "forfeit"
    SAFE = "safe"  # exact play never captures the rogue
    MISSED = "missed"  # the rogue isn't safe in time


@dataclass(frozen=True, slots=True)
class State:
    """A position of a chase: everything a strategy may know."""

    level: Level = field(repr=False)
    monster: Cell
    rogue: Cell
    side: Side = Side.MONSTER  # to move
    monster_moves: int = 0  # made so far
    seed: int = 0
    status: Status = Status.PLAYING
    by: Side | None = None  # who captured or forfeited
    reason: str = ""  # of a forfeit

    @property
    def site(self) -> Cell:
        """Site of the side to move."""
        return self.monster if self.side is Side.MONSTER else self.rogue

    @property
    def ply(self) -> int:
        """Number of moves that both sides have made."""
        return 2 * self.monster_moves - (self.side is Side.ROGUE)


def own_moves(state: State, side: Side) -> int:
    """Number of moves that a side has made."""
    return state.monster_moves - (side is Side.ROGUE and state.side is Side.ROGUE)


@dataclass(frozen=True, slots=True)
class Move:
    """The side to move goes to a site, or stays on its own."""

    to: Cell


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The side to move loses: a ruling of the referee, or it gives up."""

    reason: str


Action = Move | Forfeit


class Moved(Event):
    """A side went from one site to another, or stayed."""

    side: Side
    start: Cell
    to: Cell


class Ended(Event):
    """The chase is over."""

    outcome: Outcome
