"""The crawler's state and actions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.games.crawler.model.dungeon import Dungeon


class Action(Enum):
    """The adventurer's actions; the values are the commands of the plain transcript."""

    UP = "w"
    LEFT = "a"
    DOWN = "s"
    RIGHT = "d"
    STAY = "e"


STEPS: dict[Action, Direction] = {action: Direction[action.name] for action in Action if action is not Action.STAY}
ACTION_OF = {direction: action for action, direction in STEPS.items()}


class Status(Enum):
    """Status of a game."""

    PLAYING = "playing"
    ESCAPED = "escaped"
    DIED = "died"
    OUT_OF_LEVELS = "out of levels"


@dataclass(frozen=True, slots=True)
class State:
    """A state of the game. The adventurer is not on the board: its cell there is open floor, or the killer."""

    dungeon: Dungeon = field(repr=False)
    number: int  # of the level, from 1
    board: Board  # (height, width) of tile codes
    adventurer: Cell
    treasure: int = 0
    moves: int = 0
    left_behind: int = 0  # treasure left in finished levels
    status: Status = Status.PLAYING

    @property
    def doors_lead_on(self) -> bool:
        """False if the doors of this level end the game without an escape.

        Rule: "`?` [counts] where another level follows or no level ever had a `!`."
        """
        return self.number < len(self.dungeon.levels) or self.dungeon.is_left_by_door

    def apart(self) -> State:
        """A copy that shares no board, so that another thread may play on from it."""
        return replace(self, board=Board.owning(self.board.copy()))
