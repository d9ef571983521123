"""The items in one table: each one's tile, key, and effect on adventurer and room."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from dungeon_tui.games.deep.model.room import Adventurer, Bomb, Room

Use = Callable[[Adventurer, Room], tuple[Adventurer, Room]]

HASTE_TURNS = 5
FROST_TURNS = 5
BOMB_COUNT = 3


@dataclass(frozen=True, slots=True)
class Item:
    """An item to carry; without a key it works by itself."""

    tile: int
    glyph: str  # on the map; one that the delve has, too, looks the same there
    text: str
    key: str = ""
    use: Use | None = None


def drink_haste(adventurer: Adventurer, room: Room) -> tuple[Adventurer, Room]:
    """Gives two moves each turn, from the next turn on."""
    return replace(adventurer, haste=2 * HASTE_TURNS), room


def drink_frost(adventurer: Adventurer, room: Room) -> tuple[Adventurer, Room]:
    """Freezes the monsters, this turn included."""
    return replace(adventurer, frost=FROST_TURNS), room


def lay_bomb(adventurer: Adventurer, room: Room) -> tuple[Adventurer, Room]:
    """Lays a bomb on the adventurer's cell; this turn counts as its first."""
    return adventurer, replace(room, bombs=(*room.bombs, Bomb(adventurer.cell, BOMB_COUNT)))


def read_scroll(adventurer: Adventurer, room: Room) -> tuple[Adventurer, Room]:
    """Removes the fog from this level."""
    return adventurer, replace(room, is_mapped=True)


ITEMS = {
    "shield": Item(ord("["), "[", "survives one attack"),
    "sword": Item(ord(")"), ")", "kills the next monster you walk into"),
    "key": Item(ord("k"), "k", "opens a door that takes one"),
    "haste": Item(ord("h"), "%", f"two moves a turn for {HASTE_TURNS} turns", "1", drink_haste),
    "frost": Item(ord("f"), "*", f"monsters wait {FROST_TURNS} turns", "3", drink_frost),
    "bomb": Item(ord("b"), "&", f"explodes after {BOMB_COUNT - 1} turns, kills and breaks all around", "7", lay_bomb),
    "scroll": Item(ord("s"), "s", "shows the level under fog", "9", read_scroll),
}
ITEM_OF_TILE = {item.tile: name for name, item in ITEMS.items()}
ITEM_OF_KEY = {item.key: name for name, item in ITEMS.items() if item.key}
