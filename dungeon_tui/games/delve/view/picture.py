"""The delve as a map view shows it."""

from __future__ import annotations

import numpy as np

from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.level import CORRIDOR, PLAYER, ROCK, ROOM, STAIRS_DOWN, STAIRS_UP
from dungeon_tui.games.delve.model.state import UNSEEN, Monster, State, Status
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import Row
from dungeon_tui.ui.palette import Meaning, Tint

_MEANINGS = bytes(
    {
        ROOM: Meaning.FLOOR,
        CORRIDOR: Meaning.FLOOR,
        ROCK: Meaning.WALL,
        STAIRS_UP: Meaning.DOOR,
        STAIRS_DOWN: Meaning.DOOR,
    }.get(code, Meaning.UNSEEN)
    for code in range(256)
)
_DIM = {Meaning.FLOOR: Meaning.REMEMBERED, Meaning.WALL: Meaning.REMEMBERED_WALL}


class Picture:
    """A state as a map view shows it, in the fog or without."""

    def __init__(self, state: State, glyphs: Glyphs, is_foggy: bool) -> None:
        self.height, self.width = state.height, state.width
        self._state, self._is_foggy = state, is_foggy
        self._board = state.seen if is_foggy else state.terrain
        self._visible = rules.visible(state) if is_foggy else None
        self._table = {UNSEEN: " ", ROOM: glyphs.floor, CORRIDOR: glyphs.corridor, ROCK: glyphs.rock}
        self._monsters: dict[int, list[Monster]] = {}
        for monster in state.monsters:
            if self._visible is None or self._visible[monster.cell]:
                self._monsters.setdefault(monster.cell.row, []).append(monster)

    def row(self, row: int, start: int, stop: int) -> Row:
        """One row's cells."""
        codes = self._board.row(row, start, stop)
        cells = Row(start, codes.decode("ascii").translate(self._table), codes.translate(_MEANINGS))
        if self._visible is not None:
            for index in np.flatnonzero(~self._visible[row, start:stop]).tolist():
                cells.meanings[index] = _DIM.get(Meaning(cells.meanings[index]), cells.meanings[index])
        for monster in self._monsters.get(row, ()):
            cells.put(monster.cell.col, monster.glyph, Meaning.FOE)
        if row == self._state.player.row and self._state.status is not Status.DIED:
            cells.put(self._state.player.col, chr(PLAYER), Meaning.YOU)
        elif row == self._state.player.row:
            cells.put(self._state.player.col, None, None, Tint.DANGER)
        return cells
