"""The state of one level, and the adventurer."""

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
    """A monster."""

    kind: str  # a name in the campaign's kinds
    cell: Cell
    heading: Direction | None = None  # of kinds that walk straight on
    is_awake: bool = True


class Bomb(NamedTuple):
    """A bomb, and the turns until it explodes."""

    cell: Cell
    turns: int


@dataclass(frozen=True, slots=True)
class Room:
    """The state of a level, without the adventurer; it stays as it is while the adventurer is elsewhere."""

    board: Board  # (height, width) of tile codes; a monster's cell is open floor
    monsters: tuple[Monster, ...]
    bombs: tuple[Bomb, ...] = ()
    turns: int = 0  # spent in it
    rings: int = 0  # fallen away
    is_mapped: bool = False  # True after a map scroll: fog hides nothing

    def monster_at(self, cell: Cell) -> Monster | None:
        """The monster on a cell, or None."""
        return next((monster for monster in self.monsters if monster.cell == cell), None)

    def tile(self, cell: Cell) -> int:
        """The tile of a cell; chasm outside the map."""
        return self.board[cell] if cell.is_inside(self.board.height, self.board.width) else CHASM

    def with_tile(self, cell: Cell, tile: int) -> Room:
        """The room with another tile on a cell."""
        return replace(self, board=self.board.replace([cell.row * self.board.width + cell.col], [tile]))

    def cell_of(self, tile: int) -> Cell | None:
        """The first cell with a tile, row by row, or None."""
        cells = np.argwhere(self.board.array() == tile)
        return Cell(*map(int, cells[0])) if len(cells) else None


@dataclass(frozen=True, slots=True)
class Adventurer:
    """The adventurer, with everything carried from level to level."""

    cell: Cell
    treasure: int = 0
    items: tuple[str, ...] = ()  # by name, in the order found
    haste: int = 0  # moves left, two for each turn
    frost: int = 0  # turns left in which monsters wait

    def without(self, item: str) -> Adventurer:
        """The adventurer with one less of a carried item."""
        at = self.items.index(item)
        return replace(self, items=self.items[:at] + self.items[at + 1 :])
