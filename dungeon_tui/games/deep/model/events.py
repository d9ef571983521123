"""The deep's own events."""

from dataclasses import dataclass

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import Event


@dataclass(frozen=True, slots=True)
class ItemTaken(Event):
    """The adventurer took an item."""

    item: str


@dataclass(frozen=True, slots=True)
class ItemUsed(Event):
    """The adventurer used up an item, or it took effect by itself."""

    item: str


@dataclass(frozen=True, slots=True)
class DoorPaid(Event):
    """The adventurer paid a door; it stays open."""

    cost: int
    key: bool


@dataclass(frozen=True, slots=True)
class DoorTaken(Event):
    """The adventurer left for another level."""

    level: str  # the level behind the door
    is_return: bool


@dataclass(frozen=True, slots=True)
class Won(Event):
    """The adventurer found a way out and won."""

    ending: str


@dataclass(frozen=True, slots=True)
class MonsterWoke(Event):
    """A monster woke."""

    kind: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class MonsterMoved(Event):
    """A monster moved by one cell."""

    kind: str
    origin: Cell
    cell: Cell
    destroyed: int  # the tile it stepped on; open floor if nothing was there


@dataclass(frozen=True, slots=True)
class MonsterKilled(Event):
    """A monster was killed."""

    kind: str
    cell: Cell
    cause: str  # "sword", "bomb", "chasm"


@dataclass(frozen=True, slots=True)
class MonstersFrozen(Event):
    """The monsters waited this turn."""

    left: int  # further turns of frost


@dataclass(frozen=True, slots=True)
class BombBlewUp(Event):
    """A bomb exploded."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class RingFell(Event):
    """The outermost remaining ring fell away."""

    ring: int  # counted from 1


@dataclass(frozen=True, slots=True)
class Died(Event):
    """The adventurer died."""

    cell: Cell
    killer: str  # a kind, "bomb" or "chasm"
