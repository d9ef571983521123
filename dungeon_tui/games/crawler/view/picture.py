"""The crawler's board as a map view shows it."""

from __future__ import annotations

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.level import ADVENTURER, AMULET, DOOR, MONSTER, OPEN, PILLAR, TREASURE, WAY_OUT
from dungeon_tui.games.crawler.model.state import State
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellLayer, Row
from dungeon_tui.ui.palette import Meaning, Tint

YOU, SHOWN_AMULET = "@", '"'  # on screens, as in all games; in files an amulet is @
MEANINGS = {
    OPEN: Meaning.FLOOR,
    PILLAR: Meaning.WALL,
    TREASURE: Meaning.PRIZE,
    AMULET: Meaning.MAGIC,
    MONSTER: Meaning.FOE,
    DOOR: Meaning.DOOR,
    WAY_OUT: Meaning.WAY_OUT,
}
_MEANING_TABLE = bytes(MEANINGS.get(code, Meaning.NOTE) for code in range(256))


def shown_tiles(glyphs: Glyphs) -> dict[int, str]:
    """Glyphs of the tiles that screens show otherwise than files, by their codes, and of the adventurer."""
    return {OPEN: glyphs.floor, PILLAR: glyphs.wall, AMULET: SHOWN_AMULET, ADVENTURER: YOU}


class Picture:
    """A board as a map view shows it."""

    def __init__(self, board: Board, adventurer: Cell, glyphs: Glyphs) -> None:
        self.height, self.width = board.height, board.width
        self._board, self._adventurer = board, adventurer
        self._table = shown_tiles(glyphs)

    def row(self, row: int, start: int, stop: int) -> Row:
        """Cells of a row from column `start` up to `stop`: tiles, and the adventurer or the monster that killed it."""
        codes = self._board.row(row, start, stop)
        cells = Row(start, codes.decode("ascii").translate(self._table), codes.translate(_MEANING_TABLE))
        if row == self._adventurer.row:
            if self._board[self._adventurer] == MONSTER:  # which has killed the adventurer
                cells.put(self._adventurer.col, None, None, Tint.DANGER)
            else:
                cells.put(self._adventurer.col, YOU, Meaning.YOU)
        return cells


class NewQuarters:
    """The three new quarters of a doubled level, grown by a share so far."""

    def __init__(self, height: int, width: int, share: float) -> None:
        self._height, self._width = height, width
        self._to_row, self._to_col = height + round(share * height), width + round(share * width)

    def rows(self) -> None:
        """None: it may draw on any."""
        return

    def paint(self, row: int, cells: Row) -> None:
        """Tints the cells of one row that were not there before; blanks those that have not grown yet."""
        begin = 0 if row >= self._height else max(0, self._width - cells.start)
        for index in range(begin, len(cells.tints)):
            if row < self._to_row and cells.start + index < self._to_col:
                cells.tints[index] = Tint.FRESH
            else:
                cells.glyphs[index] = " "


def mark_ray(layer: CellLayer, board: Board, origin: Cell, direction: Direction, steps: range, glyphs: Glyphs) -> None:
    """Draws part of a ray, so many steps from its origin: tints every cell, and puts a line on floor."""
    line = glyphs.vertical if direction in (Direction.UP, Direction.DOWN) else glyphs.horizontal
    for step in steps:
        cell = origin.neighbour(direction, step)
        is_floor = board[cell] == OPEN
        layer.mark(cell, line if is_floor else None, Meaning.PATH if is_floor else None, Tint.SIGHT)


def sight_layer(state: State, glyphs: Glyphs) -> CellLayer:
    """Layer that marks the lines along which monsters see the adventurer."""
    layer = CellLayer()
    for direction, (_, distances) in rules.sight_lines(state).items():
        if distances:
            mark_ray(layer, state.board, state.adventurer, direction, range(1, distances[-1] + 1), glyphs)
    return layer


def danger_layer(state: State, glyphs: Glyphs) -> CellLayer:
    """Layer that marks the cells on which the adventurer would die in the next turn."""
    layer = CellLayer()
    for cell in rules.deadly_cells(state):
        is_floor = state.board[cell] == OPEN and cell != state.adventurer
        layer.mark(cell, glyphs.cross if is_floor else None, Meaning.FOE if is_floor else None, Tint.DANGER)
    return layer
