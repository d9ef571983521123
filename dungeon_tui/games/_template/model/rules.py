"""Level, state, events, and the functions of core.rules.Rules: pure, over frozen values."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.rules import Event, IllegalActionError, Outcome

VERSION = 1
UNLISTED: frozenset[type] = frozenset()
WALL, ICE, START, WAY_OUT = "#.@!"


class Action(Enum):
    """Slides, by their commands in plain text and in recordings."""

    UP = "w"
    LEFT = "a"
    DOWN = "s"
    RIGHT = "d"


WAYS = {Direction[action.name]: action for action in Action}


@dataclass(frozen=True, slots=True)
class Level:
    """A level as its file has it."""

    file: LevelFile
    rows: tuple[str, ...]  # of equal length
    start: Cell

    def tile(self, cell: Cell) -> str:
        """The tile of a cell; off the map all is wall."""
        return self.rows[cell.row][cell.col] if cell.is_inside(len(self.rows), len(self.rows[0])) else WALL


@dataclass(frozen=True, slots=True)
class State:
    """A moment of the game."""

    level: Level = field(repr=False)
    cell: Cell
    slides: int = 0


class Slid(Event):
    """You went to a cell, or stayed there."""

    cell: Cell


class Escaped(Event):
    """You are out."""


def read_level(file: LevelFile) -> Level:
    """The level of a file. Raises LevelError, which names the line and column of a mistake."""
    file.refuse_what_is_not_text()
    for offset, byte in enumerate(file.data):
        if byte not in b"#.@!\n":
            raise file.error(offset, "a tile is one of # . @ !")
    text = file.data.decode()
    rows = tuple(text.split())
    if len({*map(len, rows)}) != 1 or text.count(START) != 1 or WAY_OUT not in text:
        raise file.error(0, "a level has rows of one length, one start @ and a way out !")
    row = next(number for number, tiles in enumerate(rows) if START in tiles)
    return Level(file, rows, Cell(row, rows[row].index(START)))


def start(level: Level, seed: int = 0) -> State:
    return State(level, level.start)


def legal_actions(state: State) -> Sequence[Action]:
    return () if outcome(state) else tuple(Action)


def objection(state: State, action: Action) -> str | None:
    return "the game is over" if outcome(state) else None


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    if (problem := objection(state, action)) is not None:
        raise IllegalActionError(problem)
    cell, way = state.cell, Direction[action.name]
    while state.level.tile(cell) != WAY_OUT and state.level.tile(cell.neighbour(way)) != WALL:
        cell = cell.neighbour(way)
    after = replace(state, cell=cell, slides=state.slides + 1)
    return after, (Slid(cell), Escaped()) if outcome(after) else (Slid(cell),)


def outcome(state: State) -> Outcome | None:
    return Outcome("escaped", "You are out.", True) if state.level.tile(state.cell) == WAY_OUT else None


def action_text(action: Action) -> str:
    return action.value


def read_action(text: str) -> Action:
    return Action(text)
