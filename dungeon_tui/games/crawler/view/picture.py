"""The crawler's board as a map view shows it."""

from collections.abc import Mapping

from dungeon_tui.core.adventure import SHOWN_AMULET, YOU
from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.level import (
    ADVENTURER,
    AMULET,
    DOOR,
    FALSE_DOOR,
    MONSTER,
    OPEN,
    PILLAR,
    TILE_NAMES,
    TREASURE,
    WAY_OUT,
)  # fmt: skip
from dungeon_tui.games.crawler.model.state import State
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.distance_layer import deadly_layer
from dungeon_tui.ui.map.source import CellLayer, Row, Sprite, TileMap
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
_DOORS, _NOTES = bytes([Meaning.DOOR]), bytes([Meaning.NOTE])
_FALSE_DOORS = "π%"  # in Unicode and in ASCII


def legend(glyphs: Glyphs) -> list[tuple[str, str]]:
    """The glyphs on maps, with their names."""
    shown = shown_tiles(glyphs)
    names = TILE_NAMES | {WAY_OUT: f"{TILE_NAMES[WAY_OUT]}, shut until you have treasure"}
    tiles = [(shown.get(tile, chr(tile)), name) for tile, name in names.items()]
    return [(YOU, "you, the adventurer"), *tiles, (_FALSE_DOORS[glyphs.is_ascii], FALSE_DOOR)]


def shown_tiles(glyphs: Glyphs) -> dict[int, str]:
    """Glyphs of the adventurer and of tiles that look different from the file, by tile code."""
    shown = {OPEN: glyphs.floor, PILLAR: glyphs.wall, DOOR: glyphs.door, WAY_OUT: glyphs.way_out}
    return shown | {AMULET: SHOWN_AMULET, ADVENTURER: YOU}


class Picture(TileMap):
    """A board as a map view shows it."""

    is_drawn = True
    sprites: Mapping[tuple[str, int], Sprite] = {(glyph, int(Meaning.NOTE)): Sprite("door") for glyph in _FALSE_DOORS}

    def __init__(self, board: Board, adventurer: Cell, glyphs: Glyphs, *, has_false_doors: bool = False) -> None:
        shown, meanings = shown_tiles(glyphs), _MEANING_TABLE
        if has_false_doors:
            shown[DOOR], meanings = _FALSE_DOORS[glyphs.is_ascii], _MEANING_TABLE.replace(_DOORS, _NOTES)
        super().__init__(board, shown, meanings)
        if board[adventurer] == MONSTER:
            self.marks.mark(adventurer, None, None, Tint.DANGER)
        else:
            self.marks.mark(adventurer, YOU, Meaning.YOU, None)


def level_picture(state: State, glyphs: Glyphs) -> Picture:
    """The level of a state; arrows point to what sees you out of view."""
    board, here = state.board, state.adventurer
    picture = Picture(board, here, glyphs, has_false_doors=not state.doors_lead_on)
    seers = ((here.neighbour(way, far), far) for way, (_, seen) in rules.sight_lines(state).items() for far in seen[:1])
    picture.landmarks = [(cell, cell, Meaning.FOE, f"{MONSTER:c}{far}") for cell, far in seers]
    return picture


class NewQuarters:
    """Layer for the three new quarters of a doubled level while they grow; `share` of them is visible."""

    def __init__(self, height: int, width: int, share: float) -> None:
        self._height, self._width = height, width
        self._to_row, self._to_col = height + round(share * height), width + round(share * width)

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
    """Layer for the cells on which the adventurer would die next turn."""
    here = state.adventurer
    return deadly_layer(rules.deadly_cells(state), lambda cell: state.board[cell] == OPEN and cell != here, glyphs)
