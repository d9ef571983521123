"""A level of the deep as a map view shows it, and the layers over it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.sight import rays
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.items import ITEMS
from dungeon_tui.games.deep.model.kinds import KINDS, Look, hunter
from dungeon_tui.games.deep.model.room import AMULET, CHASM, OPEN, PILLAR, TREASURE, Monster
from dungeon_tui.games.deep.model.state import STEPS, Action, State, Status
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellLayer, Row
from dungeon_tui.ui.palette import Meaning, Tint

YOU = "@"
SHOWN_AMULET = '"'
SEEN_AROUND = 3  # cells in fog, each way; farther along the row and the column up to a pillar

GLYPHS = {
    "hunter": "M",
    "up-down": "U",
    "left-right": "L",
    "diagonal": "D",
    "sprinter": "S",
    "tracker": "T",
    "sleeper": "Z",
    "mimic": "C",
}
"""The letters of the game's own kinds; a campaign's are shown by their first letter."""
_SPRITES = {
    "M": "monster", "U": "walker", "L": "erratic-walker", "D": "digger", "S": "hunter", "T": "seer", "Z": "mole",
    "C": "burrower",
}  # fmt: skip
SPRITES: Mapping[tuple[str, int], str] = {
    **{(glyph, int(Meaning.FOE)): name for glyph, name in _SPRITES.items()},
    **{(glyph, int(Meaning.SLIGHT_FOE)): name for glyph, name in _SPRITES.items()},
    **{(chr(item.tile), int(Meaning.MAGIC)): name for name, item in ITEMS.items()},
    **{(str(number), int(Meaning.DOOR)): "door" for number in range(1, 10)},
    **{(str(number), int(Meaning.WAY_OUT)): "way-out" for number in range(1, 10)},
}


def glyph_of(kind: str) -> str:
    """The letter of a kind of monsters."""
    return GLYPHS.get(kind) or kind[0].upper()


def seen(state: State) -> NDArray[np.bool_] | None:
    """(height, width) True where fog hides nothing; None: it hides nothing at all."""
    room, here = state.room, state.adventurer.cell
    if not state.level.is_foggy or room.is_mapped or state.status is not Status.PLAYING:
        return None
    shown = np.zeros((room.board.height, room.board.width), bool)
    top, left = (max(0, place - SEEN_AROUND) for place in here)
    shown[top : here.row + SEEN_AROUND + 1, left : here.col + SEEN_AROUND + 1] = True
    for direction, ray in rays(room.board, here, PILLAR).items():
        for steps in range(1, len(ray) + 2):
            cell = here.neighbour(direction, steps)
            if cell.is_inside(room.board.height, room.board.width):
                shown[cell] = True
    return shown


class Picture:
    """A state's level: tiles, bombs with their count, monsters, and the adventurer."""

    sprites = SPRITES

    def __init__(self, state: State, glyphs: Glyphs) -> None:
        self.height, self.width = state.room.board.height, state.room.board.width
        self._state, self._glyphs, self._seen = state, glyphs, seen(state)
        self._shown = {tile: shown_tile(state, tile, glyphs) for tile in np.unique(state.room.board.array()).tolist()}

    def row(self, row: int, start: int, stop: int) -> Row:
        """Cells of a row from column `start` up to `stop`; what fog hides is blank."""
        state = self._state
        shown = [self._shown[tile] for tile in state.room.board.row(row, start, stop)]
        cells = Row(start, "".join(glyph for glyph, _ in shown), bytes(meaning for _, meaning in shown))
        for bomb in state.room.bombs:
            if bomb.cell.row == row:
                cells.put(bomb.cell.col, str(bomb.turns), Meaning.FOE)
        for monster in state.room.monsters:
            if monster.cell.row == row:
                cells.put(monster.cell.col, *monster_look(state, monster))
        if self._seen is not None:
            for index in np.flatnonzero(~self._seen[row, start:stop]).tolist():
                cells.put(start + index, " ", Meaning.UNSEEN)
        if row == state.adventurer.cell.row:
            is_dead = state.status is Status.DIED
            cells.put(
                state.adventurer.cell.col,
                None if is_dead else YOU,
                None if is_dead else Meaning.YOU,
                Tint.DANGER if is_dead else None,
            )
        return cells


def shown_tile(state: State, tile: int, glyphs: Glyphs) -> tuple[str, Meaning]:
    """Glyph and meaning of a tile of the present level."""
    item = next((each for each in ITEMS.values() if each.tile == tile), None)
    if item is not None:
        return chr(tile), Meaning.MAGIC
    plain = {
        OPEN: (glyphs.floor, Meaning.FLOOR),
        PILLAR: (glyphs.wall, Meaning.WALL),
        TREASURE: ("$", Meaning.PRIZE),
        AMULET: (SHOWN_AMULET, Meaning.MAGIC),
        CHASM: (" ", Meaning.UNSEEN),
    }
    if tile in plain:
        return plain[tile]
    door = state.level.doors.get(tile)
    return chr(tile), Meaning.WAY_OUT if door is not None and door.ending else Meaning.DOOR


def monster_look(state: State, monster: Monster) -> tuple[str, Meaning]:
    """Glyph and meaning of a monster: a mimic that sleeps is treasure, other sleepers are dim."""
    if is_disguised(state, monster):
        return "$", Meaning.PRIZE
    return glyph_of(monster.kind), Meaning.FOE if monster.is_awake else Meaning.SLIGHT_FOE


def is_disguised(state: State, monster: Monster) -> bool:
    """True if a monster looks like treasure: a mimic that sleeps."""
    return not monster.is_awake and state.campaign.kinds[monster.kind].looks == TREASURE


def sight_layer(state: State, glyphs: Glyphs) -> CellLayer:
    """Layer on the cells along which a monster that hunts by sight sees the adventurer."""
    layer, here = CellLayer(), state.adventurer.cell
    look, shown = Look(state.room, here), seen(state)
    for monster in state.room.monsters:
        direction = look.sight(monster.cell)
        is_hunting = state.campaign.kinds[monster.kind].move is hunter and monster.is_awake
        if direction is None or not is_hunting or (shown is not None and not shown[monster.cell]):
            continue
        for steps in range(look.away(monster.cell)):
            cell = monster.cell.neighbour(direction, steps)
            is_bare = state.room.tile(cell) == OPEN and state.room.monster_at(cell) is None
            line = glyphs.horizontal if cell.row == here.row else glyphs.vertical
            layer.mark(cell, line if is_bare else None, Meaning.PATH if is_bare else None, Tint.SIGHT)
    return layer


def danger_layer(state: State, glyphs: Glyphs) -> CellLayer:
    """Layer on the cells on which the adventurer would be dead after his next turn."""
    layer = CellLayer()
    for action in (*STEPS, Action.STAY):
        after, _ = rules.step(state, action)
        if after.status is Status.DIED:
            cell = rules.destination(state, action)[0]
            is_bare = state.room.tile(cell) == OPEN and state.room.monster_at(cell) is None
            is_bare &= cell != state.adventurer.cell
            layer.mark(cell, glyphs.cross if is_bare else None, Meaning.FOE if is_bare else None, Tint.DANGER)
    return layer


def warning_layer(state: State, glyphs: Glyphs) -> CellLayer | None:
    """Layer on the ring that falls at the end of this turn; None where none does."""
    falling = rules.falling_cells(state) if state.status is Status.PLAYING else []
    if not falling:
        return None
    layer = CellLayer()
    for cell in falling:
        is_bare = state.room.tile(cell) == OPEN and state.room.monster_at(cell) is None
        is_bare &= cell != state.adventurer.cell
        layer.mark(cell, CHASM_MARK if is_bare else None, Meaning.FOE if is_bare else None, Tint.DANGER)
    return layer


CHASM_MARK = "~"


def line_layer(state: State, line: tuple[Action, ...], glyphs: Glyphs) -> CellLayer:
    """Layer with arrows along a line of actions, up to the door that it takes."""
    layer = CellLayer()
    for action in line:
        if action in STEPS and rules.destination(state, action)[1] is None:
            cell = state.adventurer.cell
            layer.mark(cell, glyphs.way(STEPS[action]), Meaning.PATH, Tint.PATH)
        before = state
        state, _ = rules.step(state, action)
        if state.level is not before.level:
            break
    return layer


def legend_kinds() -> list[tuple[str, str]]:
    """The letters of the game's own kinds, and their habits."""
    return [(GLYPHS[name], f"{name}: {kind.text}") for name, kind in KINDS.items()]


def places(state: State) -> list[tuple[str, Cell]]:
    """Places to travel to, each with its glyph, nearest first: doors, treasure, items, as far as fog shows them."""
    tiles, shown, here = state.room.board.array(), seen(state), state.adventurer.cell
    found = [Cell(*map(int, place)) for place in np.argwhere(~np.isin(tiles, [OPEN, PILLAR, CHASM]))]
    near = sorted(found, key=lambda cell: abs(cell.row - here.row) + abs(cell.col - here.col))
    glyphs = {AMULET: SHOWN_AMULET}
    return [(glyphs.get(tiles[cell], chr(tiles[cell])), cell) for cell in near if shown is None or shown[cell]]
