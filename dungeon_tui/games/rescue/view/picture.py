"""A rescue's grid for a map view, as numbers or glyphs, and paths drawn over it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile

from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.model.rules import State, Status
from dungeon_tui.games.rescue.view.guide import KNIGHT, PRINCESS
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellText, Layer, MapSource, Row, Sprite
from dungeon_tui.ui.palette import Meaning, Tint

POWER_UPS, TRAPS = "123456789", "abcdefghi"  # by ninths of the largest power-up and the worst trap
_HALF = 4  # ninths of a small number, at most
_TINTS = {Status.DIED: Tint.DANGER, Status.SAVED: Tint.SAFE}


@lru_cache(maxsize=2)
def extremes(level: Level) -> tuple[int, int]:
    """The lowest and the highest number of the grid."""
    return int(level.grid.min()), int(level.grid.max())


def number_width(level: Level) -> int:
    """Number of characters of the widest number, with its sign."""
    return max(len(f"{value:+}") for value in extremes(level))


def glyph(level: Level, value: int, glyphs: Glyphs) -> tuple[str, Meaning]:
    """A character for a number, and its meaning: a digit for a power-up, a letter for a trap, by size."""
    if value == 0:
        return glyphs.floor, Meaning.FLOOR
    least, most = extremes(level)
    ninths = -(-9 * value // (max(most, 9) if value > 0 else min(least, -9)))  # 1 to 9; of 9, so that grids look alike
    if value > 0:
        return POWER_UPS[ninths - 1], Meaning.PRIZE if ninths > _HALF else Meaning.SLIGHT_PRIZE
    return TRAPS[ninths - 1], Meaning.FOE if ninths > _HALF else Meaning.SLIGHT_FOE


def knight_over(level: Level, value: int, glyphs: Glyphs) -> CellText:
    """The knight above the number of his cell, in its colour."""
    return CellText(f"{value:+}", KNIGHT, ink=glyph(level, value, glyphs)[1]) if value else CellText("", KNIGHT)


_SIGNS = "↑↓←→↘*"  # of paths and needs, drawn on the cells
_SPRITES = {
    **{(sign, int(Meaning.PRIZE)): "power-up" for sign in POWER_UPS + _SIGNS},
    **{(sign, int(Meaning.SLIGHT_PRIZE)): "power-up-low" for sign in POWER_UPS + _SIGNS},
    **{(sign, int(Meaning.FOE)): "trap" for sign in TRAPS + _SIGNS},
    **{(sign, int(Meaning.SLIGHT_FOE)): "trap-low" for sign in TRAPS + _SIGNS},
    (PRINCESS, int(Meaning.WAY_OUT)): "princess",
    (KNIGHT, int(Meaning.YOU)): "knight",
}


def knight_cell(state: State) -> Cell:
    """The cell of the knight on the map: beside the princess if the game ended in her cell."""
    before = None if state.trail is None else state.trail.before
    return before.last.cell if before is not None and state.cell == state.level.princess else state.cell


class Picture(MapSource):
    """The grid, the path so far, the knight and the princess."""

    sprites = {look: Sprite(name) for look, name in _SPRITES.items()}

    def __init__(self, state: State, glyphs: Glyphs) -> None:
        self.height, self.width = state.level.grid.shape
        self._state, self._glyphs = state, glyphs
        self._number_width = number_width(state.level)
        self._is_purchase = state.level.fee is not None
        self._walked = WayLayer(arrow_signs(rules.path_of(state) if state.is_over else (), glyphs), None)

    def row(self, row: int, start: int, stop: int) -> Row:
        state = self._state
        values = state.level.grid[row, start:stop].tolist()
        for cell in state.taken:
            if cell.row == row and start <= cell.col < stop:
                values[cell.col - start] = 0
        shown = [glyph(state.level, value, self._glyphs) for value in values]
        cells = Row(start, "".join(sign for sign, _ in shown), bytes(meaning for _, meaning in shown))
        cells.texts = {index: self._text(value) for index, value in enumerate(values)}
        if row == self.height - 1:
            value = state.value(state.level.princess)
            cells.put(self.width - 1, PRINCESS, Meaning.WAY_OUT, text=CellText(f"{value:+}" * bool(value), PRINCESS))
        since = takewhile(lambda entered: self._is_purchase or entered.cell.row >= row, state.trail or ())
        for col in {entered.cell.col for entered in since if entered.cell.row == row}:
            cells.put(col, None, None, Tint.WORN)
        for way in rules.ways(state.level) if state.status is Status.WALKING else ():  # steps that would kill him
            there = state.cell.neighbour(way)
            if there.row == row and there.col < self.width and state.health <= -state.value(there):
                cells.put(there.col, None, None, Tint.DANGER)
        self._walked.paint(row, cells)
        knight, tint = knight_cell(state), _TINTS.get(state.status)
        if row == state.cell.row:
            cells.put(state.cell.col, None, None, tint)
        if row == knight.row:
            text = knight_over(state.level, state.value(knight), self._glyphs)
            if state.status is Status.WALKING:
                text = CellText(str(state.health), KNIGHT, "♥" * (not self._glyphs.is_ascii))
            cells.put(knight.col, KNIGHT, Meaning.YOU, tint, text)
        return cells

    def _text(self, value: int) -> CellText:
        width = self._number_width + 1
        return CellText(f"{value:+}".rjust(width) if value else self._glyphs.floor.center(width))


def path_on(state: State) -> Sequence[Cell]:
    """A best path from here, with the knight's cell; empty if he can't survive. Raises ValueError if it is unknown."""
    path = (None if state.is_over else solver.line_on(state)) or ()
    return path if state.status is Status.READY or not path else (state.cell, *path)


def arrows(path: Sequence[Cell], glyphs: Glyphs) -> Layer:
    """On each cell of a path an arrow to the next, and the princess at its end."""
    return WayLayer({path[-1]: PRINCESS} | arrow_signs(path, glyphs))


def arrow_signs(path: Sequence[Cell], glyphs: Glyphs) -> dict[Cell, str]:
    """For each cell of a path but the last an arrow to the next; several where it comes back."""
    ways = {way.value: "^v<>"[index] if glyphs.is_ascii else glyphs.way(way) for index, way in enumerate(FOUR_WAYS)}
    signs: dict[Cell, dict[str, None]] = {}
    for here, after in pairwise(path):
        signs.setdefault(here, {})[ways[after.row - here.row, after.col - here.col]] = None
    return {cell: "".join(each) for cell, each in signs.items()}


class WayLayer:
    """The signs of paths before the numbers of their cells; the knight and the princess keep theirs."""

    def __init__(self, signs: Mapping[Cell, str], tint: Tint | None = Tint.SAFE) -> None:
        self._signs, self._tint = signs, tint

    def paint(self, row: int, cells: Row) -> None:
        for index in range(len(cells.glyphs)):
            col = cells.start + index
            if (sign := self._signs.get(Cell(row, col))) is None:
                continue
            if cells.meanings[index] in (Meaning.YOU, Meaning.WAY_OUT):
                cells.put(col, None, None, Tint.DANGER if cells.tints[index] == Tint.DANGER else self._tint)
            else:
                meaning = Meaning.PATH if cells.meanings[index] in (Meaning.FLOOR, Meaning.PATH) else None
                text = cells.texts.get(index, CellText())
                text = CellText("", sign.center(len(text.number))) if meaning else text.signed(sign)
                cells.put(col, sign[-1], meaning, self._tint, text)
