"""The chase's board for a map view."""

from dungeon_tui.games.chase.model.level import CAPTURE, CORRIDOR, ROGUE, ROOM, WALL
from dungeon_tui.games.chase.model.state import Side, State, Status
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import Row
from dungeon_tui.ui.palette import Meaning, Tint

MEANINGS = bytes(
    {ROOM: Meaning.FLOOR, CORRIDOR: Meaning.FLOOR, WALL: Meaning.WALL}.get(code, Meaning.UNSEEN) for code in range(256)
)


def shown_tiles(glyphs: Glyphs) -> dict[int, str]:
    """Glyphs of the tiles, by their codes."""
    return {ROOM: glyphs.floor, CORRIDOR: glyphs.corridor, WALL: glyphs.rock}


class Picture:
    """The board with both sides."""

    def __init__(self, state: State, glyphs: Glyphs) -> None:
        self.height = self.width = state.level.size
        self._state = state
        self._table = shown_tiles(glyphs)
        self.sprites = {(state.level.letter, int(Meaning.FOE)): "monster", (chr(ROGUE), int(Meaning.YOU)): "rogue"}

    def row(self, row: int, start: int, stop: int) -> Row:
        state = self._state
        codes = state.level.tiles[row, start:stop].tobytes()
        cells = Row(start, codes.decode("ascii").translate(self._table), codes.translate(MEANINGS))
        if row == state.rogue.row:
            cells.put(state.rogue.col, chr(ROGUE), Meaning.YOU)
        if row == state.monster.row:
            cells.put(state.monster.col, state.level.letter, Meaning.FOE)
            if state.status is Status.CAPTURED:
                by_rogue = state.by is Side.ROGUE
                cells.put(state.monster.col, CAPTURE, Meaning.YOU if by_rogue else Meaning.FOE, Tint.DANGER)
        return cells
