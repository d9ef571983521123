"""The deep's state, actions and events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Event
from dungeon_tui.games.deep.model.campaign import Campaign, Level
from dungeon_tui.games.deep.model.room import Adventurer, Room


class Action(Enum):
    """The adventurer's actions; the values are the commands of the plain transcript, digits the items' keys."""

    UP = "w"
    LEFT = "a"
    DOWN = "s"
    RIGHT = "d"
    STAY = "e"
    HASTE = "1"
    FROST = "3"
    BOMB = "7"
    SCROLL = "9"


STEPS = {
    Action.UP: Direction.UP,
    Action.LEFT: Direction.LEFT,
    Action.DOWN: Direction.DOWN,
    Action.RIGHT: Direction.RIGHT,
}


class Status(Enum):
    """Status of a game."""

    PLAYING = "playing"
    WON = "won"
    DIED = "died"


@dataclass(frozen=True, slots=True)
class State:
    """A moment of the game."""

    campaign: Campaign
    level: Level  # the one he is in
    room: Room  # that level now
    adventurer: Adventurer
    left: Mapping[str, Room]  # the levels that were left, as they were left
    opened: frozenset[tuple[str, int]] = frozenset()  # levels and tiles of doors that were paid
    moves: int = 0
    status: Status = Status.PLAYING
    ending: str = ""  # the way it was won, or the killer

    def apart(self) -> State:
        """A copy of the state with a board of its own, from which another thread may play on."""
        room = replace(self.room, board=Board.owning(self.room.board.copy()))
        left = {name: replace(each, board=Board.owning(each.board.copy())) for name, each in self.left.items()}
        return replace(self, room=room, left=left)


class StayReason(Enum):
    """Reason why the adventurer did not move."""

    CHOSEN = "chosen"
    EDGE = "edge"
    PILLAR = "pillar"
    MONSTER = "monster"
    PRICE = "price"  # the door asks for more
    BLOCKED = "blocked"  # the cell behind the door is taken, or gone


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
class ItemTaken(Event):
    """One item more."""

    item: str


@dataclass(frozen=True, slots=True)
class ItemUsed(Event):
    """One item less: drunk, laid, read, or worn out by what it did."""

    item: str


@dataclass(frozen=True, slots=True)
class AmuletTaken(Event):
    """The amulet crumbled; the level doubles later in this turn, if the adventurer lives."""


@dataclass(frozen=True, slots=True)
class DoorPaid(Event):
    """A door took its price, and is open from now on."""

    cost: int
    key: bool


@dataclass(frozen=True, slots=True)
class DoorTaken(Event):
    """The adventurer left for another level; it stays as it is."""

    level: str  # the one behind the door
    is_return: bool


@dataclass(frozen=True, slots=True)
class Won(Event):
    """The game is over, and won."""

    ending: str


@dataclass(frozen=True, slots=True)
class MonsterWoke(Event):
    """A monster woke."""

    kind: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class MonsterMoved(Event):
    """A monster went from one cell to the next."""

    kind: str
    origin: Cell
    cell: Cell
    destroyed: int  # the tile it stepped on; open floor: nothing


@dataclass(frozen=True, slots=True)
class MonsterKilled(Event):
    """A monster is no more."""

    kind: str
    cell: Cell
    cause: str  # "sword", "bomb", "chasm"


@dataclass(frozen=True, slots=True)
class MonstersFrozen(Event):
    """The monsters waited this turn."""

    left: int  # turns that they still wait


@dataclass(frozen=True, slots=True)
class BombBlewUp(Event):
    """A bomb went off."""

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


@dataclass(frozen=True, slots=True)
class RingFell(Event):
    """The outermost ring that was left fell away."""

    ring: int  # counted from 1


@dataclass(frozen=True, slots=True)
class Died(Event):
    """The adventurer is dead."""

    cell: Cell
    killer: str  # a kind, "bomb" or "chasm"
