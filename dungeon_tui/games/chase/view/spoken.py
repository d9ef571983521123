"""The chase for those who don't look: what is around, where the other one is, the nearest site of a kind, a move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np

from dungeon_tui.core.grid import EIGHT_WAYS, Cell, Direction
from dungeon_tui.core.spoken import Spoken, Surroundings
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.games.chase.model.level import TILE_NAMES, WALL, Level
from dungeon_tui.games.chase.model.rules import neighbours
from dungeon_tui.games.chase.model.state import Move, Side, State
from dungeon_tui.games.chase.view import late

_KEYS = (
    "w s a d: up, down, left, right; y u b n: up-left, up-right, down-left, down-right; e: stay; q: leave."
    " Corners are cut within rooms only."
)
_LETTERS = dict(zip(EIGHT_WAYS, "wsadyubn", strict=True))


def spoken(board: Callable[[State], str], players: Mapping[Side, object | None], commands: str) -> Spoken[State]:
    """The answers in words of one chase, and its board as the transcript prints it.

    Args:
        board: the board in text.
        players: by side; None: a person.
        commands: characters that play.
    """
    return Spoken(
        keys=_KEYS,
        look=look,
        who=who,
        near=lambda state, word: surroundings(state).near(word),
        hint=_hint,
        board=board,
        commands=commands,
        is_asked=lambda state: players[state.side] is None,
    )


def surroundings(state: State) -> Surroundings:
    """The board around the side to move."""
    level, other = state.level, _other(state)
    here = level.tiles[state.site]
    places = np.argwhere((level.tiles != WALL) & (level.tiles != here)).tolist()
    things = [(other.value, _site(state, other)), *((_kind(level, row, col), Cell(row, col)) for row, col in places)]

    def name(cell: Cell) -> str:
        if cell == _site(state, other):
            return other.value
        kind = _kind(level, *cell) if cell.is_inside(level.size, level.size) else "wall"
        return "" if kind == TILE_NAMES[int(here)] else kind

    def steps(cell: Cell) -> Iterable[Cell]:
        return neighbours(level, cell)

    return Surroundings(state.site, name, things, steps, _LETTERS)


def look(state: State) -> str:
    """The legal moves, with how far each way leads through sites of this kind, and the other side."""
    around, level, site = surroundings(state), state.level, state.site
    around = replace(around, things=around.things[:1])
    ways = [way for way in EIGHT_WAYS if site.neighbour(way) in neighbours(level, site)]
    told = around.look(ways) if ways else "No way leads from here."
    made = f"{state.monster_moves:,} of {counted(level.moves, 'monster move')} are made."
    return f"You are the {state.side.value}, in a {_kind(level, *site)}. {told} {made}"


def who(state: State) -> str:
    """The other side: its direction, and the steps between."""
    return surroundings(state).near(_other(state).value)


def _hint(state: State) -> str:
    """The move of exact play, and how the chase ends then, or what meets the task."""
    line = late.best_line(state)
    if not line or not isinstance(line[0], Move):
        return "The task can't be met from here any more: undo, or restart."
    to = line[0].to
    ways: dict[Cell, Direction] = {state.site.neighbour(way): way for way in EIGHT_WAYS}
    move = f"Type {_LETTERS[ways[to]]}: {ways[to].words}." if to in ways else "Type e: stay."
    return f"{move} {capitalised(late.value_text(state))}."


def _kind(level: Level, row: int, col: int) -> str:
    return TILE_NAMES[int(level.tiles[row, col])]


def _site(state: State, side: Side) -> Cell:
    return state.monster if side is Side.MONSTER else state.rogue


def _other(state: State) -> Side:
    return Side.ROGUE if state.side is Side.MONSTER else Side.MONSTER
