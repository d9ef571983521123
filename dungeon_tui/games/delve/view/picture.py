"""The delve's map: terrain, things, monsters and you."""

from dataclasses import replace

import numpy as np

from dungeon_tui.core.grid import EIGHT_WAYS, Cell, cells_of
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.model import level as levels
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model import state as model
from dungeon_tui.games.delve.model.finds import FINDS, GLYPHS, GOLD, HEART
from dungeon_tui.games.delve.model.state import Action, State, Status
from dungeon_tui.games.delve.view import words
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import Row, Sprite, TileMap
from dungeon_tui.ui.palette import Meaning, Tint

_CODE_MEANINGS = bytearray([Meaning.UNSEEN] * 256)
_CODE_MEANINGS[levels.ROOM] = _CODE_MEANINGS[levels.CORRIDOR] = Meaning.FLOOR
_CODE_MEANINGS[levels.STAIRS_UP] = _CODE_MEANINGS[levels.STAIRS_DOWN] = Meaning.DOOR
_CODE_MEANINGS[levels.ROCK] = Meaning.WALL
_DIM: dict[int, int] = {Meaning.FLOOR: Meaning.REMEMBERED, Meaning.WALL: Meaning.REMEMBERED_WALL}


_ROCKS = "░▒▓"  # by the turns that a tunneller needs: 1, 2, more
_MONSTERS = (Meaning.FOE, Meaning.SLIGHT_FOE)
_SPRITES = {
    **{(kind.letter, int(meaning)): kind.sprite for kind in model.KINDS for meaning in _MONSTERS},
    **{(find.glyph, int(Meaning.MAGIC)): name for name, find in FINDS.items()},
    ("z", int(Meaning.FOE)): "monster",  # it is awake
    (FINDS["bomb"].glyph, int(Meaning.FOE)): "bomb",
    (chr(levels.AMULET), int(Meaning.PRIZE)): "amulet",
    (GLYPHS[HEART], int(Meaning.PRIZE)): "heart",
    **{
        (rock, int(meaning)): name
        for rock, name in zip(_ROCKS, ("rock-soft", "rock", "rock-hard"), strict=True)
        for meaning in (Meaning.WALL, Meaning.REMEMBERED_WALL)
    },
    ("·", int(Meaning.REMEMBERED)): "floor",
    ("#", int(Meaning.REMEMBERED)): "corridor",
}
_GROUNDS = "rock-soft", "rock", "rock-hard", "floor", "corridor"


class Picture(TileMap):
    """A dungeon on the map, in fog or without."""

    in_letters = True
    sprites = {look: Sprite(name, least=2 if name in _GROUNDS else 3) for look, name in _SPRITES.items()}

    def __init__(self, state: State, glyphs: Glyphs, is_foggy: bool, *, is_drawn: bool = False) -> None:
        board = state.seen if is_foggy else state.terrain
        super().__init__(board, {model.UNSEEN: " "} | shown_terrain(glyphs), bytes(_CODE_MEANINGS))
        self.is_drawn = is_drawn
        self._lit = rules.visible(state) if is_foggy else None
        hardness = state.hardness.copy()
        if is_foggy:  # rock out of view may have been worn since you saw it
            hardness = np.where(rules.visible(state), hardness, state.level.hardness)
        self._rocks = (hardness - 1) // rules.WEAR

        # On the terrain: things that were seen, bombs, monsters in sight, and you.
        marks = self.marks
        if is_foggy and not is_drawn:  # the edge is known: all dungeons are walled
            is_edge = np.pad(np.zeros((state.height - 2, state.width - 2), bool), 1, constant_values=True)
            for cell in cells_of(np.argwhere(is_edge)):
                marks.mark(cell, glyphs.rock, Meaning.WALL, None)
        if state.amulet is not None and board[state.amulet] != model.UNSEEN:
            marks.mark(state.amulet, chr(levels.AMULET), Meaning.PRIZE, None)
        for cell, name in state.things:
            if board[cell] != model.UNSEEN:
                meaning = Meaning.PRIZE if name in (GOLD, HEART) else Meaning.MAGIC
                marks.mark(cell, GLYPHS[name], meaning, None)
        shown = [each for each in state.monsters if not is_foggy or words.is_known(state, each)]
        for archer in (each for each in shown if each.aim is not None):
            pointer = glyphs.pointers[EIGHT_WAYS.index(archer.aim)]
            for cell in rules.arrow_path(state, archer):
                if board[cell] != model.UNSEEN:
                    marks.mark_over(cell, is_bare(state, cell), pointer, Meaning.FOE, Tint.DANGER)
        for bomb in state.bombs:
            marks.mark(bomb.cell, GLYPHS["bomb"], Meaning.FOE, Tint.DANGER)
        for monster in shown:
            is_asleep, alone = monster.mood is model.Mood.ASLEEP, replace(state, monsters=(monster,))
            is_idle = is_asleep or is_drawn or state.status is not Status.PLAYING
            tint = None if is_idle or solver.attacker(alone, Action.STAY) is None else Tint.FOE  # it can hit you now
            marks.mark(monster.cell, monster.kind.letter, Meaning.SLIGHT_FOE if is_asleep else Meaning.FOE, tint)
        tint = Tint.DANGER if state.status is Status.DIED else None
        marks.mark(state.player, chr(levels.PLAYER), Meaning.YOU, tint)  # over its killer

    def row(self, row: int, start: int, stop: int) -> Row:
        cells = super().row(row, start, stop)
        for index, rock in enumerate(self._rocks[row, start:stop].tolist()):
            if cells.glyphs[index] == _ROCKS[0]:
                cells.glyphs[index] = _ROCKS[rock]
        if self._lit is not None:
            for index, is_lit in enumerate(self._lit[row, start:stop].tolist()):
                if not is_lit:
                    cells.meanings[index] = _DIM.get(cells.meanings[index], cells.meanings[index])
                elif cells.meanings[index] != Meaning.WALL and not cells.tints[index]:
                    cells.tints[index] = Tint.LIT
        return cells


def shown_terrain(glyphs: Glyphs) -> dict[int, str]:
    """The glyphs of terrain that aren't its codes."""
    return {levels.ROOM: glyphs.floor, levels.CORRIDOR: glyphs.corridor, levels.ROCK: glyphs.rock}


def is_bare(state: State, cell: Cell) -> bool:
    """True if nothing is on a cell of rooms or corridors."""
    return (
        state.terrain[cell] in (levels.ROOM, levels.CORRIDOR)
        and state.monster_at(cell) is None
        and cell != state.player
        and cell not in dict(state.things)
        and all(bomb.cell != cell for bomb in state.bombs)
    )
