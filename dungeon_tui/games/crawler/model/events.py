"""The crawler's own events."""

from dataclasses import dataclass

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Event


@dataclass(frozen=True, slots=True)
class DoorTaken(Event):
    """The adventurer left the level."""

    left_behind: int  # treasure in this level


@dataclass(frozen=True, slots=True)
class Escaped(Event):
    """The adventurer left the dungeon and won."""

    left_behind: int  # treasure in this level


@dataclass(frozen=True, slots=True)
class MonstersAdvanced(Event):
    """All monsters on one ray came one step closer."""

    direction: Direction  # of the ray, seen from the adventurer
    distances: tuple[int, ...]  # steps from the adventurer before the move, nearest first
    destroyed: tuple[int, ...]  # the tiles they stepped on


@dataclass(frozen=True, slots=True)
class Died(Event):
    """A monster stepped onto the adventurer's cell."""

    cell: Cell
