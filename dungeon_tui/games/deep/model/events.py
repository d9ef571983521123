"""The deep's own events."""

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import Event


class ItemTaken(Event):
    item: str


class ItemUsed(Event):
    item: str


class DoorPaid(Event):
    cost: int
    key: bool


class DoorTaken(Event):
    level: str  # the level behind the door
    is_return: bool


class Won(Event):
    ending: str


class MonsterWoke(Event):
    kind: str
    cell: Cell


class MonsterMoved(Event):
    kind: str
    origin: Cell
    cell: Cell
    destroyed: int  # the tile it stepped on; open floor if nothing was there


class MonsterKilled(Event):
    kind: str
    cell: Cell
    cause: str  # "sword", "bomb", "chasm"


class MonstersFrozen(Event):
    left: int  # further turns of frost


class BombBlewUp(Event):
    cell: Cell


class RingFell(Event):
    ring: int  # counted from 1


class Died(Event):
    cell: Cell
    killer: str  # a kind, "bomb" or "chasm"
