"""The deep's own events."""

from dataclasses import dataclass

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import Event


@dataclass(frozen=True, slots=True)
class ItemTaken(Event):
    item: str


@dataclass(frozen=True, slots=True)
class ItemUsed(Event):
    item: str


@dataclass(frozen=True, slots=True)
class DoorPaid(Event):
    cost: int
    key: bool


@dataclass(frozen=True, slots=True)
class DoorTaken(Event):
    level: str  # the level behind the door
    is_return: bool


@dataclass(frozen=True, slots=True)
class Won(Event):
    ending: str


@dataclass(frozen=True, slots=True)
class MonsterWoke(Event):
    kind: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class MonsterMoved(Event):
    kind: str
    origin: Cell
    cell: Cell
    destroyed: int  # the tile it stepped on; open floor if nothing was there


@dataclass(frozen=True, slots=True)
class MonsterKilled(Event):
    kind: str
    cell: Cell
    cause: str  # "sword", "bomb", "chasm"


@dataclass(frozen=True, slots=True)
class MonstersFrozen(Event):
    left: int  # further turns of frost


@dataclass(frozen=True, slots=True)
class BombBlewUp(Event):
    cell: Cell


@dataclass(frozen=True, slots=True)
class RingFell(Event):
    ring: int  # counted from 1


@dataclass(frozen=True, slots=True)
class Died(Event):
    cell: Cell
    killer: str  # a kind, "bomb" or "chasm"
