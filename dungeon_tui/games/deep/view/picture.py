"""A level of the deep on the map, and the layers over it."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from dungeon_tui.core.adventure import SHOWN_AMULET, YOU
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.games.deep.ai.aim import is_disguised
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.items import ITEM_OF_TILE, ITEMS
from dungeon_tui.games.deep.model.kinds import KINDS, Look, hunter, runner
from dungeon_tui.games.deep.model.room import AMULET, CHASM, DOORS, OPEN, PILLAR, TREASURE, Monster
from dungeon_tui.games.deep.model.state import STEPS, Action, State, Status
from dungeon_tui.games.deep.view import words
from dungeon_tui.games.deep.view.guide import seen, shown_monsters
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.map import sprites
from dungeon_tui.ui.map.distance_layer import deadly_layer, way_layer
from dungeon_tui.ui.map.source import CellLayer, CellText, MapSource, Row, Sprite
from dungeon_tui.ui.palette import Meaning, Tint

_PART = 9, 19, 3  # rows and columns that are enough if they fit, and the least lines of a cell
CHASM_MARK = "~"
SHUT = Meaning.ROCK_NOTE  # of doors: grey in the wall
GLYPHS = {name: kind.letter for name, kind in KINDS.items()}
"""The letters of the game's kinds; a campaign's kinds use the first letter of their name."""
SPRITES: Mapping[tuple[str, int], Sprite] = {
    **{
        (kind.letter, int(meaning)): Sprite(kind.sprite)
        for kind in KINDS.values()
        for meaning in (Meaning.FOE, Meaning.SLIGHT_FOE)
    },
    **{(item.glyph, int(Meaning.MAGIC)): Sprite(name) for name, item in ITEMS.items()},
    (UNICODE.wall, int(Meaning.FLOOR)): Sprite("pillar"),
    **{(turns, int(Meaning.FOE)): Sprite("bomb", signs=turns) for turns in "123"},
    **{(number, int(door)): Sprite("door", digit=number) for number in "123456789" for door in (Meaning.DOOR, SHUT)},
    **{(glyph, int(door)): Sprite("door-brittle") for glyph in "?∩" for door in (Meaning.DOOR, SHUT)},
    **{(number, int(Meaning.WAY_OUT)): Sprite("way-out", digit=number) for number in "123456789"},
    **{(way, int(Meaning.SLIGHT_FOE)): sprite for way, sprite in sprites.STEPS.items()},  # of patrols
}


class Picture(MapSource):
    """A level: tiles, bombs with their count, monsters, and the adventurer."""

    def __init__(self, state: State, glyphs: Glyphs) -> None:
        self.height, self.width = state.room.board.height, state.room.board.width
        self.part = min(self.height, _PART[0]), min(self.width, _PART[1]), _PART[2]
        self._state, self._glyphs, self._seen = state, glyphs, seen(state)
        self._shown = {tile: shown_tile(state, tile, glyphs) for tile in np.unique(state.room.board.array()).tolist()}
        signs = "".join(ITEMS[name].glyph for name in ITEMS if name in state.adventurer.items)
        self.sprites = {**SPRITES, (YOU, int(Meaning.YOU)): Sprite("hero", signs=signs)}
        for tile in self._shown.keys() & state.level.doors.keys():
            look, meaning = self._shown[tile], Meaning.WAY_OUT if state.level.doors[tile].ending else Meaning.DOOR
            sprite = SPRITES.get((look[0], meaning), Sprite("way-out"))
            self.sprites[look] = sprite._replace(above=words.price_sign(state, tile))

    def row(self, row: int, start: int, stop: int) -> Row:
        state = self._state
        shown = [self._shown[tile] for tile in state.room.board.row(row, start, stop)]
        cells = Row(start, "".join(glyph for glyph, _ in shown), bytes(meaning for _, meaning in shown))
        for col, tile in enumerate(state.room.board.row(row, start, stop), start):
            if tile == PILLAR and rules.block_name(state, Cell(row, col)) == "pillar":
                cells.put(col, self._glyphs.wall, Meaning.FLOOR)
        for bomb in state.room.bombs:
            if bomb.cell.row == row:
                cells.put(bomb.cell.col, str(bomb.turns), Meaning.FOE, text=CellText(before=str(bomb.turns)))
        for monster in state.room.monsters:
            if monster.cell.row == row:
                cells.put(monster.cell.col, *monster_look(state, monster))
        if self._seen is not None:
            for index in np.flatnonzero(~self._seen[row, start:stop]).tolist():
                cells.put(start + index, " ", Meaning.UNSEEN)
        if row == state.adventurer.cell.row:
            is_dead, tile = state.status is Status.DIED, state.room.tile(state.adventurer.cell)
            ground = Tint.TORCH if tile in DOORS else Tint.NONE  # a door below you
            cells.put(
                state.adventurer.cell.col, *((None, None, Tint.DANGER) if is_dead else (YOU, Meaning.YOU, ground))
            )
        return cells


def shown_tile(state: State, tile: int, glyphs: Glyphs) -> tuple[str, Meaning]:
    """Glyph and meaning of a tile of the current level; a door whose price you lack is grey."""
    if tile in ITEM_OF_TILE:
        return ITEMS[ITEM_OF_TILE[tile]].glyph, Meaning.MAGIC
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
    if door is not None and not rules.can_pay(state, tile, door):
        return chr(tile), SHUT
    return chr(tile), Meaning.WAY_OUT if door is not None and door.ending else Meaning.DOOR


def monster_look(state: State, monster: Monster) -> tuple[str, Meaning]:
    """Glyph and meaning of a monster: sleeping mimics are treasure, other sleepers are dim."""
    if is_disguised(state, monster):
        return "$", Meaning.PRIZE
    letter = GLYPHS.get(monster.kind) or monster.kind[0].upper()
    return letter, Meaning.FOE if monster.is_awake else Meaning.SLIGHT_FOE


def sight_layer(state: State, glyphs: Glyphs) -> CellLayer:
    """Layer for the cells that a hunter sees, and the lines along which one sees the adventurer."""
    layer, here, shown, kinds = CellLayer(), state.adventurer.cell, seen(state), state.campaign.kinds
    awake = [each for each in shown_monsters(state) if each.is_awake]
    hunters = [each.cell for each in awake if kinds[each.kind].move is hunter]
    for watcher in hunters:
        rays = state.room.board.rays(watcher, PILLAR).items()
        cells = [watcher.neighbour(way, steps) for way, ray in rays for steps in range(1, len(ray) + 1)]
        layer.tint([cell for cell in cells if shown is None or shown[cell]], Tint.LIT)
    look = Look(state.room, here)
    for watcher, direction in [(cell, way) for cell in hunters if (way := look.sight(cell)) is not None]:
        for steps in range(look.away(watcher)):
            cell = watcher.neighbour(direction, steps)
            line = glyphs.horizontal if cell.row == here.row else glyphs.vertical
            layer.mark_over(cell, _is_bare(state, cell), line, Meaning.PATH, Tint.SIGHT)
    return layer


def _is_bare(state: State, cell: Cell) -> bool:
    things = state.adventurer.cell, *(bomb.cell for bomb in state.room.bombs)
    return state.room.tile(cell) == OPEN and not state.room.monster_at(cell) and cell not in things


def danger_layer(state: State, glyphs: Glyphs) -> CellLayer:
    """Layer for the cells on which the adventurer would die next turn."""
    return deadly_layer(_deadly_cells(state), partial(_is_bare, state), glyphs)


def _deadly_cells(state: State) -> list[Cell]:
    return [rules.destination(state, action) for action in rules.deadly_actions(state)]


def warning_layer(state: State, glyphs: Glyphs) -> CellLayer:
    """Layer for the next steps of patrols, the ring that falls now, and bombs."""
    layer, deadly, steps = CellLayer(), _deadly_cells(state), dict[Cell, str]()
    for monster in shown_monsters(state):
        ahead = runner(Look(state.room, state.adventurer.cell), monster) if monster.heading else monster
        if ahead.cell != monster.cell and ahead.heading:
            steps[ahead.cell] = steps.get(ahead.cell, "") + glyphs.way(ahead.heading)
    for cell, arrows in steps.items():
        if _is_bare(state, cell):
            layer.mark(cell, arrows[0], Meaning.SLIGHT_FOE, None, CellText(ways=arrows) if len(arrows) > 1 else None)
        else:
            layer.tint([cell], Tint.DANGER if cell in deadly else Tint.SIGHT)
    for bomb in state.room.bombs:
        layer.tint(rules.blast(bomb), Tint.DANGER if bomb.turns == 1 else Tint.WORN)
    for cell in rules.falling_cells(state) if state.status is Status.PLAYING else []:
        layer.mark_over(cell, _is_bare(state, cell), CHASM_MARK, Meaning.FOE, Tint.DANGER)
    return layer


def line_layer(state: State, line: tuple[Action, ...], glyphs: Glyphs) -> tuple[CellLayer, int, list[Action]]:
    """Layer with the way along a line, up to an amulet or before it meets itself; how far; the actions of circles."""
    first, steps = state, list[tuple[Cell, Direction | None]]()
    for action in line:
        board, cell = state.room.board, state.adventurer.cell
        is_met = steps and action in STEPS and rules.destination(state, action) in dict(steps)
        if is_met or (board.height, board.width) != (first.room.board.height, first.room.board.width):
            break
        steps.append((cell, STEPS.get(action)))
        state, _ = rules.step(state, action)
    circles = [action for action, (cell, way) in zip(line, steps, strict=False) if not way and _is_bare(first, cell)]
    layer = way_layer(steps, partial(_is_bare, first), glyphs)
    layer.tint([state.adventurer.cell] * (state.level is first.level), Tint.PATH)
    return layer, len(steps), circles
