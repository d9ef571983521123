"""The crawler's state, actions and events."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Event
from dungeon_tui.games.crawler.model.dungeon import Dungeon


class Action(Enum):
    """The adventurer's actions; the values are the commands of the plain transcript."""

    UP = "w"
    LEFT = "a"
    DOWN = "s"
    RIGHT = "d"
    STAY = "e"


STEPS = {
    Action.UP: Direction.UP,
    Action.LEFT: Direction.LEFT,
    Action.DOWN: Direction.DOWN,
    Action.RIGHT: Direction.RIGHT,
}
ACTION_OF = {direction: action for action, direction in STEPS.items()}


class Status(Enum):
    """Status of a game."""

    PLAYING = "playing"
    ESCAPED = "escaped"
    DIED = "died"
    OUT_OF_LEVELS = "out of levels"


@dataclass(frozen=True, slots=True)
class State:
    """A moment of the game. The adventurer is not on the board: the cell below is open floor, or the killer."""

    dungeon: Dungeon
    number: int  # of the level, from 1
    board: Board  # (height, width) of tile codes
    adventurer: Cell
    treasure: int = 0
    moves: int = 0
    left_behind: int = 0  # treasure in the levels that were left
    status: Status = Status.PLAYING

    def apart(self) -> State:
        """A copy of the state with a board of its own, from which another thread may play on."""
        return replace(self, board=Board.owning(self.board.copy()))


class StayReason(Enum):
    """Reason why the adventurer did not move."""

    CHOSEN = "chosen"
    EDGE = "edge"
    PILLAR = "pillar"
    MONSTER = "monster"
    NO_TREASURE = "no treasure"


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """The adventurer went from one cell to the next."""

    origin: Cell
    cell: Cell


@dataclass(frozen=True, slots=True)
class Stayed(Event):
    """The adventurer stayed, by choice or stopped by something."""

    cell: Cell
    reason: StayReason


@dataclass(frozen=True, slots=True)
class TreasureTaken(Event):
    """One treasure more."""

    treasure: int


@dataclass(frozen=True, slots=True)
class AmuletTaken(Event):
    """The amulet crumbled; the level doubles after the monsters' moves, if the adventurer lives."""


@dataclass(frozen=True, slots=True)
class DoorTaken(Event):
    """The level is over."""

    left_behind: int  # treasure in this level


@dataclass(frozen=True, slots=True)
class Escaped(Event):
    """The dungeon is over, and won."""

    left_behind: int  # treasure in this level


@dataclass(frozen=True, slots=True)
class MonstersAdvanced(Event):
    """All monsters on one ray came a step closer."""

    direction: Direction  # of the ray, seen from the adventurer
    distances: tuple[int, ...]  # steps from the adventurer before the move, nearest first
    destroyed: tuple[int, ...]  # the tiles they stepped on that were not floor


@dataclass(frozen=True, slots=True)
class Died(Event):
    """A monster stands where the adventurer stood."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Doubled(Event):
    """The level grew to this size; the upper left quarter is the old one."""

    height: int
    width: int


@dataclass(frozen=True, slots=True)
class DoublingRefused(Event):
    """The level would have grown above the limit, and stayed as it was."""

    cells: int
    limit: int
