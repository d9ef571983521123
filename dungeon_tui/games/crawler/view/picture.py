"""The crawler's board as a map view shows it."""

from dungeon_tui.core.adventure import SHOWN_AMULET, YOU, StayReason
from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.level import ADVENTURER, AMULET, DOOR, MONSTER, OPEN, PILLAR, TREASURE, WAY_OUT
from dungeon_tui.games.crawler.model.state import STEPS, State
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.distance_layer import deadly_layer
from dungeon_tui.ui.map.source import CellLayer, Row, TileMap
from dungeon_tui.ui.palette import Meaning, Tint

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
    """Glyphs of the adventurer and of tiles that look different from the file, by tile code."""
    shown = {OPEN: glyphs.floor, PILLAR: glyphs.wall, DOOR: glyphs.door, WAY_OUT: glyphs.way_out}
    return shown | {AMULET: SHOWN_AMULET, ADVENTURER: YOU}


class Picture(TileMap):
    """A board as a map view shows it."""

    def __init__(self, board: Board, adventurer: Cell, glyphs: Glyphs) -> None:
        super().__init__(board, shown_tiles(glyphs), _MEANING_TABLE)
        if board[adventurer] == MONSTER:
            self.marks.mark(adventurer, None, None, Tint.DANGER)
        else:
            self.marks.mark(adventurer, YOU, Meaning.YOU, None)


class NewQuarters:
    """Layer for the three new quarters of a doubled level while they grow; `share` of them is visible."""

    def __init__(self, height: int, width: int, share: float) -> None:
        self._height, self._width = height, width
        self._to_row, self._to_col = height + round(share * height), width + round(share * width)

    def rows(self) -> None:
        return

    def paint(self, row: int, cells: Row) -> None:
        """Tints the new cells of a row; blanks the ones that have not grown yet."""
        begin = 0 if row >= self._height else max(0, self._width - cells.start)
        for index in range(begin, len(cells.tints)):
            if row < self._to_row and cells.start + index < self._to_col:
                cells.tints[index] = Tint.FRESH
            else:
                cells.glyphs[index] = " "


def mark_ray(layer: CellLayer, board: Board, origin: Cell, direction: Direction, steps: range, glyphs: Glyphs) -> None:
    """Draws part of a ray, `steps` away from its origin: tints every cell and puts a line on floor."""
    line = glyphs.vertical if direction in (Direction.UP, Direction.DOWN) else glyphs.horizontal
    for step in steps:
        cell = origin.neighbour(direction, step)
        layer.mark_over(cell, board[cell] == OPEN, line, Meaning.PATH, Tint.SIGHT)


def sight_layer(state: State, glyphs: Glyphs) -> CellLayer:
    """Layer that marks the lines along which monsters see the adventurer."""
    layer = CellLayer()
    for direction, (_, distances) in rules.sight_lines(state).items():
        if distances:
            mark_ray(layer, state.board, state.adventurer, direction, range(1, distances[-1] + 1), glyphs)
    return layer


def danger_layer(state: State, glyphs: Glyphs) -> CellLayer:
    """Layer for the cells on which the adventurer would die next turn, and of monsters that would stop him there."""
    cells, here = rules.deadly_cells(state), state.adventurer
    if here in cells:
        bumped = [action for action in STEPS if rules.destination(state, action)[1] is StayReason.MONSTER]
        cells += [here.neighbour(STEPS[action]) for action in bumped]
    return deadly_layer(cells, lambda cell: state.board[cell] == OPEN and cell != here, glyphs)
