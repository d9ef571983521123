"""The events and sentences that the crawler and the deep share."""

from enum import Enum

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.meaning import Meaning
from dungeon_tui.core.rules import Event
from dungeon_tui.core.words import Table, Telling, counted

YOU, SHOWN_AMULET = "@", '"'  # on the map; in level files an amulet is @


class StayReason(Enum):
    """Reason why the adventurer did not move."""

    CHOSEN = "chosen"
    EDGE = "edge"
    PILLAR = "pillar"
    MONSTER = "monster"
    PRICE = "price"  # the adventurer has too little for the way out


class Moved(Event):
    """The adventurer moved by one cell."""

    origin: Cell
    cell: Cell


class Stayed(Event):
    """The adventurer stayed, by choice or because something blocked the way."""

    cell: Cell
    reason: StayReason


class TreasureTaken(Event):
    """The adventurer took a treasure."""

    treasure: int  # carried now


class AmuletTaken(Event):
    """The adventurer took an amulet; the level doubles later in this turn, if the adventurer is alive."""


class Doubled(Event):
    """The level grew to this size; its upper left quarter is the old level."""

    height: int
    width: int


class DoublingRefused(Event):
    """The level did not grow, since it would exceed the limit."""

    cells: int
    limit: int


EVENTS: Table = {
    Moved: Telling(motion="step"),
    TreasureTaken: Telling(
        lambda event, _: f"Treasure! You have {treasures(event.treasure)}.", Meaning.PRIZE, "sparkling"
    ),
    AmuletTaken: Telling("The amulet crumbles to dust, and the ground rumbles.", Meaning.MAGIC),
    Doubled: Telling("The level doubles: now {0.width} wide, {0.height} high.", Meaning.MAGIC),
    DoublingRefused: Telling("Nothing happens: {0.cells:,} cells would exceed the limit of {0.limit:,}."),
}


def treasures(number: int) -> str:
    """A number of treasures: "1 treasure", "2 treasures"."""
    return counted(number, "treasure")
