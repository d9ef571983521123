"""The crawler's own events."""

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Event


class DoorTaken(Event): ...


class Escaped(Event): ...


class MonstersAdvanced(Event):
    direction: Direction  # of the ray, seen from the adventurer
    distances: tuple[int, ...]  # steps from the adventurer before the move, nearest first
    destroyed: tuple[int, ...]  # the tiles they stepped on


class Died(Event):
    cell: Cell
