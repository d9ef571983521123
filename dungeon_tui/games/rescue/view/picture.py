"""A rescue as a map view shows it: numbers, or one glyph a cell; ways and masks drawn over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import FOUR_WAYS, Cell, Direction
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.model.rules import ENTRANCE, State, Status
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import Row
from dungeon_tui.ui.palette import Meaning, Tint

KNIGHT, PRINCESS = "@", "P"
SHADES = "░▒▓"  # of traps, from slight to large
POWER_UPS, TRAPS = "123456789", "abcdefghi"  # by ninths of the grid's largest power-up, and of its worst trap
_HALF = 4  # ninths, up to which a number is a slight one
_TINTS = {Status.DIED: Tint.DANGER, Status.SAVED: Tint.SAFE}


@lru_cache(maxsize=2)
def extremes(level: Level) -> tuple[int, int]:
    """The least and the largest value of the grid."""
    return int(level.grid.min()), int(level.grid.max())


def number_width(level: Level) -> int:
    """Number of characters of the grid's widest number."""
    return max(len(str(value)) for value in extremes(level))


def glyph(level: Level, value: int, glyphs: Glyphs) -> tuple[str, Meaning]:
    """Character for a number in a cell too small for it, and its meaning: trap or power-up, slight or not.

    A digit for a power-up, a letter for a trap, both from slight to large.
    """
    if value == 0:
        return glyphs.floor, Meaning.FLOOR
    least, most = extremes(level)
    ninths = -(-9 * value // (most if value > 0 else least))  # 1 to 9
    if value > 0:
        return POWER_UPS[ninths - 1], Meaning.PRIZE if ninths > _HALF else Meaning.SLIGHT_PRIZE
    return TRAPS[ninths - 1], Meaning.FOE if ninths > _HALF else Meaning.SLIGHT_FOE


_SPRITES = {
    **{(sign, int(meaning)): "power-up" for sign in POWER_UPS for meaning in (Meaning.PRIZE, Meaning.SLIGHT_PRIZE)},
    **{(sign, int(meaning)): "trap" for sign in TRAPS for meaning in (Meaning.FOE, Meaning.SLIGHT_FOE)},
    (PRINCESS, int(Meaning.WAY_OUT)): "princess",
}


class Picture:
    """The grid, the cells that were entered, the knight and the princess."""

    def __init__(self, state: State, glyphs: Glyphs) -> None:
        self.height, self.width = state.level.grid.shape
        self.sprites = _SPRITES
        self._state, self._glyphs = state, glyphs
        self._trail, self._spans = state.trail, dict[int, tuple[int, int]]()
        self._number_width = number_width(state.level)
        self._is_purchase = state.level.fee is not None

    def row(self, row: int, start: int, stop: int) -> Row:
        """Cells of a row from column `start` up to `stop`: numbers, the way so far, knight and princess."""
        state = self._state
        values = state.level.grid[row, start:stop].tolist()
        for cell in state.taken:
            if cell.row == row and start <= cell.col < stop:
                values[cell.col - start] = 0
        shown = [glyph(state.level, value, self._glyphs) for value in values]
        cells = Row(start, "".join(sign for sign, _ in shown), bytes(meaning for _, meaning in shown))
        cells.texts = {index: self._text(value) for index, value in enumerate(values)}
        if row == self.height - 1:
            text = f"{PRINCESS}{state.level.grid[-1, -1]:>{self._number_width}}"
            cells.put(self.width - 1, PRINCESS, Meaning.WAY_OUT, text=text)
        for col in self._entered(row):
            if start <= col < stop:
                cells.put(col, None, None, Tint.PATH)
        if row == state.cell.row:
            number = f"{state.health}"
            if state.status is Status.READY:  # outside: the number is the cell's, apart from him
                number = f"{state.level.grid[ENTRANCE]:>{self._number_width}}"
            cells.put(state.cell.col, KNIGHT, Meaning.YOU, _TINTS.get(state.status), f"{KNIGHT}{number}")
        return cells

    def _text(self, value: int) -> str:
        """A number with its size before it: a bar for a power-up, a shade for a trap."""
        if value == 0:
            return (
                f"{self._glyphs.floor:>{self._number_width + 1}}"
                if self._is_purchase
                else f" {0:>{self._number_width}}"
            )
        least, most = extremes(self._state.level)
        signs = self._glyphs.bars if value > 0 or self._glyphs.is_ascii else SHADES
        place = -(-len(signs) * value // (most if value > 0 else least)) - 1
        return f"{signs[place]}{value:>{self._number_width}}"

    def _entered(self, row: int) -> Iterable[int]:
        """The columns entered in a row."""
        if self._is_purchase:
            return {entered.cell.col for entered in self._state.trail or () if entered.cell.row == row}
        span = self._span(row)
        return range(span[0], span[1] + 1) if span else ()

    def _span(self, row: int) -> tuple[int, int] | None:
        """The first and the last column entered in a row, None if none was; reads the trail only so far back."""
        while self._trail is not None and self._trail.last.cell.row >= row:
            here = self._trail.last.cell
            self._spans[here.row] = here.col, self._spans.get(here.row, (0, here.col))[1]
            self._trail = self._trail.before
        return self._spans.get(row)


def arrows(level: Level, path: Sequence[Cell], glyphs: Glyphs) -> NDArray[np.str_]:
    """(rows, cols) characters: on the cells of a way an arrow to the next one, empty elsewhere."""
    signs = np.zeros(level.grid.shape, "U1")
    ways = {way.value: "^v<>"[place] if glyphs.is_ascii else glyphs.way(way) for place, way in enumerate(FOUR_WAYS)}
    for here, after in pairwise(path):
        signs[here] = ways[after.row - here.row, after.col - here.col]
    signs[path[-1]] = ways[Direction.RIGHT.value]
    return signs


class WayLayer:
    """Cells of best ways, each with a sign before its number; the knight and the princess keep theirs."""

    def __init__(self, signs: NDArray[np.str_]) -> None:
        """Takes (rows, cols) characters, empty where there is no sign."""
        self._signs = signs

    def rows(self) -> None:
        """None: the layer may have cells in any row."""
        return

    def paint(self, row: int, cells: Row) -> None:
        """Draws the signs of one row into its cells."""
        signs = self._signs[row, cells.start : cells.start + len(cells.glyphs)]
        for index in np.flatnonzero(signs).tolist():
            col = cells.start + index
            if cells.meanings[index] in (Meaning.YOU, Meaning.WAY_OUT):
                cells.put(col, None, None, Tint.DANGER if cells.tints[index] == Tint.DANGER else Tint.SAFE)
            else:
                text = f"{signs[index]}{cells.texts.get(index, '')[1:]}"
                cells.put(col, str(signs[index]), None, Tint.SAFE, text)
