"""The crawler in words, for its screen and for plain text."""

import re
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from dungeon_tui import engine
from dungeon_tui.core.adventure import SHOWN_AMULET, treasures
from dungeon_tui.core.grid import FOUR_WAYS, Cell, steps_along
from dungeon_tui.core.guide import MapGuide
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.level import AMULET, MONSTER, OPEN, PILLAR, TILE_NAMES, TREASURE, WAY_OUT
from dungeon_tui.games.crawler.model.state import ACTION_OF, Action, State
from dungeon_tui.games.crawler.view.advice.solving import Solving
from dungeon_tui.games.crawler.view.words import THE, WAYS, exit_tile, first_thing, goal, tile_name

COMMANDS = "wasdeqr"
_MOST_LANDMARKS = 200


class CrawlerGuide(MapGuide[State]):
    """The crawler in words."""

    commands = "w a s d: up, left, down, right; e: stay; r: restart the level; q: quit."
    keys = {way: ACTION_OF[way].value for way in FOUR_WAYS}
    names = {action.value: WAYS.get(action, "stay") for action in Action}

    def __init__(self, solving: Solving) -> None:
        self._solving = solving

    def here(self, state: State) -> Cell:
        return state.adventurer

    def name(self, state: State, cell: Cell) -> str:
        if not cell.is_inside(state.board.height, state.board.width):
            return "edge"
        tile = state.board[cell]
        return "" if tile == OPEN else re.split(" of the dungeon| to the next|:", tile_name(state, tile))[0]

    def landmarks(self, state: State) -> Sequence[tuple[str, Cell]]:
        tiles = state.board.array()
        found = np.argwhere((tiles != OPEN) & (tiles != PILLAR))
        distances = np.abs(found - np.array(state.adventurer)).sum(axis=1)
        nearest = found[np.argsort(distances, kind="stable")[:_MOST_LANDMARKS]].tolist()
        glyphs = {tile: chr(tile) for tile in TILE_NAMES} | {AMULET: SHOWN_AMULET}
        return [(glyphs[tiles[row, col]], Cell(row, col)) for row, col in nearest]

    def places(self, state: State) -> Sequence[tuple[str, Cell]]:
        """The landmarks, the exit first, and last those you can't walk to: monsters, a shut gate, what is walled in.

        On a large board the nearest come first, whatever they are.
        """
        if not rules.is_walked_quickly(state.board):
            return self.landmarks(state)
        near, shut = set(rules.cells_on_foot(state)), (MONSTER, WAY_OUT) if state.treasure == 0 else (MONSTER,)
        exit_by, named = exit_tile(state), [(state.board[cell], glyph, cell) for glyph, cell in self.landmarks(state)]
        named.sort(key=lambda each: (each[2] not in near or each[0] in shut, each[0] != exit_by))
        return [(glyph, cell) for _, glyph, cell in named]

    def route(self, state: State, cell: Cell) -> Sequence[Action] | str:
        """A shortest walk to a cell over floor and treasure, past no door, gate or amulet; or why there is none.

        Among equally short ones, one that no monster sees as long as you are out of sight: then none moves.
        """
        if not cell.is_inside(state.board.height, state.board.width):
            return self.cell_text(state, cell)
        tile = state.board[cell]
        if cell == state.adventurer:
            return "You are already there."
        if tile == PILLAR:
            return "You can't walk onto a wall."
        if tile == MONSTER:
            return "A monster stands there."
        if tile == WAY_OUT and state.treasure == 0:
            return "The gate is shut: you need a treasure first."
        tiles = state.board.copy()
        passable = (tiles == OPEN) | (tiles == TREASURE)
        passable[cell] = passable[state.adventurer] = True
        try:
            path = engine.path_to(passable, state.adventurer, cell, diagonal=False)
        except engine.NoPathError:
            with suppress(engine.NoPathError):
                engine.path_to(passable | (tiles == MONSTER), state.adventurer, cell, diagonal=False)
                return f"A monster bars the way to {cell.text}."
            return f"No way leads to {cell.text}."
        unseen = passable & ~_seen_cells(state)
        unseen[cell] = unseen[state.adventurer] = True
        with suppress(engine.NoPathError):
            hidden = engine.path_to(unseen, state.adventurer, cell, diagonal=False)
            path = hidden if len(hidden) == len(path) else path
        return tuple(ACTION_OF[step] for step in steps_along(path))

    def cell_text(self, state: State, cell: Cell) -> str:
        if not cell.is_inside(state.board.height, state.board.width):
            return "That cell exists only once the amulet has doubled the level."
        tile = state.board[cell]
        name = "you, the adventurer" if cell == state.adventurer and tile != MONSTER else tile_name(state, tile)
        shut = ", shut until you have treasure" if tile == WAY_OUT and state.treasure == 0 else ""
        return f"{capitalised(cell.text)}: {name}{shut}"

    def standing(self, state: State) -> str:
        result = f"{treasures(state.treasure)}, {counted(state.moves, 'move')}"
        return f"Level {state.number}, {result}. {goal(state)}".rstrip()

    def hunters(self, state: State) -> Sequence[str]:
        seen = [(far, way) for way, (_, distances) in rules.sight_lines(state).items() for far in distances]
        return [f"monster: {far} {way.words}" for far, way in sorted(seen, key=lambda each: each[0])]

    def deadly(self, state: State) -> Sequence[Action]:
        cells = rules.deadly_cells(state)
        return [action for action in Action if rules.destination(state, action)[0] in cells]

    def hint(self, state: State) -> str:
        found = self._solving.escape(state, state.dungeon.least_treasure, "hint")
        if found.moves is None:
            return "No way out is left." if found.is_proven else "No way out found in time. Ask again to search longer."
        made, _, tile = first_thing(state, found.commands[0])
        keys = found.commands[0][:made]
        proof = "the shortest way" if found.is_proven else "the best way found"
        out = f"{counted(found.moves, 'move')} out, with {treasures(found.treasure)}: {proof}."
        return f"Type {keys}: {self.runs(keys)}, to {THE[tile]}. {out}"


def _seen_cells(state: State) -> NDArray[np.bool_]:
    """The cells on which a monster would see the adventurer."""
    tiles = state.board.array()
    seen = np.zeros(tiles.shape, bool)
    for row, col in np.argwhere(tiles == MONSTER).tolist():
        up, down, left, right = (len(ray) for ray in state.board.rays(Cell(row, col), PILLAR).values())
        seen[row - up : row + down + 1, col] = seen[row, col - left : col + right + 1] = True
    return seen
