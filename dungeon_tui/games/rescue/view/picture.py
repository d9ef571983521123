"""A rescue as a map view shows it: numbers, or one glyph a cell; ways and masks drawn over them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.model.rules import ENTRANCE, State, Status
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import Row
from dungeon_tui.ui.palette import Meaning, Tint

KNIGHT, PRINCESS = "@", "P"
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


class Picture:
    """The grid, the cells that were entered, the knight and the princess."""

    def __init__(self, state: State, glyphs: Glyphs) -> None:
        self.height, self.width = state.level.grid.shape
        self._state, self._glyphs = state, glyphs
        self._trail, self._spans = state.trail, dict[int, tuple[int, int]]()
        self._number_width = number_width(state.level)

    def row(self, row: int, start: int, stop: int) -> Row:
        """Cells of a row from column `start` up to `stop`: numbers, the way so far, knight and princess."""
        state = self._state
        values = state.level.grid[row, start:stop].tolist()
        shown = [glyph(state.level, value, self._glyphs) for value in values]
        cells = Row(start, "".join(sign for sign, _ in shown), bytes(meaning for _, meaning in shown))
        cells.texts = {index: f"{value:>{self._number_width}}" for index, value in enumerate(values)}
        if row == self.height - 1:
            text = f"{PRINCESS}{state.level.grid[-1, -1]:>{self._number_width}}"
            cells.put(self.width - 1, PRINCESS, Meaning.WAY_OUT, text=text)
        if span := self._span(row):
            for col in range(max(span[0], start), min(span[1] + 1, stop)):
                cells.put(col, None, None, Tint.PATH)
        if row == state.cell.row:
            number = f"{state.health}"
            if state.status is Status.READY:  # outside: the number is the cell's, apart from him
                number = f"{state.level.grid[ENTRANCE]:>{self._number_width}}"
            cells.put(state.cell.col, KNIGHT, Meaning.YOU, _TINTS.get(state.status), f"{KNIGHT}{number}")
        return cells

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
    rows, cols = np.array(path).T
    signs[rows, cols] = np.where(np.diff(rows, append=0) > 0, *("v>" if glyphs.is_ascii else "↓→"))
    return signs


class WayLayer:
    """Cells of best ways, each with a sign before its number; the knight and the princess keep theirs."""

    def __init__(self, level: Level, signs: NDArray[np.str_]) -> None:
        """Takes (rows, cols) characters, empty where there is no sign."""
        self._level, self._signs = level, signs
        self._number_width = number_width(level)

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
                text = f"{signs[index]}{self._level.grid[row, col]:>{self._number_width}}"
                cells.put(col, str(signs[index]), None, Tint.SAFE, text)
