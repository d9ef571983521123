"""A level as it stands at a moment, and the adventurer in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell, Direction

OPEN, PILLAR, TREASURE, AMULET, NEXT_DOOR, WAY_OUT, CHASM = b"-+$@?!~"
NUMBERED_DOORS = b"123456789"
DOORS = NUMBERED_DOORS + bytes([NEXT_DOOR, WAY_OUT])
ADVENTURER = ord("o")  # in a level's text the start, never stored


class Monster(NamedTuple):
    """A monster at a moment."""

    kind: str  # a name in the campaign's kinds
    cell: Cell
    heading: Direction | None = None  # of those that walk straight on
    is_awake: bool = True


class Bomb(NamedTuple):
    """A bomb that was laid, and the turns until it blows up."""

    cell: Cell
    turns: int


@dataclass(frozen=True, slots=True)
class Room:
    """A level as it is now. The adventurer is not in it: it is kept as it is when he leaves."""

    board: Board  # (height, width) of tile codes; a monster's cell is open floor
    monsters: tuple[Monster, ...]
    bombs: tuple[Bomb, ...] = ()
    turns: int = 0  # that were spent in it
    rings: int = 0  # that have fallen away
    is_mapped: bool = False  # by a map scroll: fog hides nothing

    def monster_at(self, cell: Cell) -> Monster | None:
        """The monster on a cell, of which there is at most one."""
        return next((monster for monster in self.monsters if monster.cell == cell), None)

    def tile(self, cell: Cell) -> int:
        """The tile of a cell; off the map all is chasm."""
        return self.board[cell] if cell.is_inside(self.board.height, self.board.width) else CHASM

    def with_tile(self, cell: Cell, tile: int) -> Room:
        """The room with another tile on a cell."""
        return replace(self, board=self.board.replace([cell.row * self.board.width + cell.col], [tile]))

    def place_of(self, tile: int) -> Cell | None:
        """The first cell of a tile, row by row; None where there is none."""
        places = np.argwhere(self.board.array() == tile)
        return Cell(*map(int, places[0])) if len(places) else None


@dataclass(frozen=True, slots=True)
class Adventurer:
    """The adventurer, and all that goes with him from level to level."""

    cell: Cell
    treasure: int = 0
    items: tuple[str, ...] = ()  # by name, in the order in which they were found
    haste: int = 0  # moves left, two of which make a turn
    frost: int = 0  # turns left that monsters wait

    def without(self, item: str) -> Adventurer:
        """The adventurer with one less of an item that he carries."""
        at = self.items.index(item)
        return replace(self, items=self.items[:at] + self.items[at + 1 :])
