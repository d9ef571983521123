"""The chase's board for a map view."""

from dungeon_tui.core.board import Board
from dungeon_tui.games.chase.model.level import CAPTURE, CORRIDOR, ROGUE, ROOM, WALL
from dungeon_tui.games.chase.model.state import State, Status
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellText, Sprite, TileMap
from dungeon_tui.ui.palette import Meaning, Tint

MEANINGS = bytes(
    {ROOM: Meaning.FLOOR, CORRIDOR: Meaning.FLOOR, WALL: Meaning.WALL}.get(code, Meaning.UNSEEN) for code in range(256)
)
TINTS = bytes({ROOM: Tint.LIT, CORRIDOR: Tint.WORN}.get(code, Tint.NONE) for code in range(256))


def shown_tiles(glyphs: Glyphs) -> dict[int, str]:
    """Glyphs of the tiles, by their codes."""
    return {ROOM: glyphs.floor, CORRIDOR: chr(CORRIDOR), WALL: glyphs.rock}


class Picture(TileMap):
    """The board with both sides; rooms are lit."""

    is_drawn = True

    def __init__(self, state: State, glyphs: Glyphs) -> None:
        super().__init__(Board.owning(state.level.tiles), shown_tiles(glyphs), MEANINGS, TINTS)
        self.sprites = {
            (state.level.letter, int(Meaning.FOE)): Sprite("monster"),
            (CAPTURE, int(Meaning.FOE)): Sprite("capture"),
            (chr(ROGUE), int(Meaning.YOU)): Sprite("rogue"),
            (chr(CORRIDOR), int(Meaning.FLOOR)): Sprite("corridor"),
        }
        pieces = (state.monster, Meaning.FOE), (state.rogue, Meaning.YOU)
        self.landmarks = [(cell, cell, meaning, "") for cell, meaning in pieces]
        self.marks.mark(state.rogue, chr(ROGUE), Meaning.YOU, Tint.SAFE if state.status is Status.SAFE else None)
        if state.status is Status.CAPTURED:
            both = f"{state.level.letter}{chr(ROGUE)}"
            self.marks.mark(state.monster, CAPTURE, Meaning.FOE, Tint.DANGER, CellText(before=both))
        else:
            self.marks.mark(state.monster, state.level.letter, Meaning.FOE, None)
