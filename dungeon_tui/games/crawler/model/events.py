"""The crawler's own events."""

from dataclasses import dataclass

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Event


@dataclass(frozen=True, slots=True)
class DoorTaken(Event):
    left_behind: int  # treasure in this level


@dataclass(frozen=True, slots=True)
class Escaped(Event):
    left_behind: int  # treasure in this level


@dataclass(frozen=True, slots=True)
class MonstersAdvanced(Event):
    direction: Direction  # of the ray, seen from the adventurer
    distances: tuple[int, ...]  # steps from the adventurer before the move, nearest first
    destroyed: tuple[int, ...]  # the tiles they stepped on


@dataclass(frozen=True, slots=True)
class Died(Event):
    cell: Cell
