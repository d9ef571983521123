"""The deep's state and actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Direction
from dungeon_tui.games.deep.model.campaign import Campaign, Level
from dungeon_tui.games.deep.model.room import Adventurer, Room


class Action(Enum):
    """The adventurer's actions; the values are the commands of the plain transcript, digits the items' keys."""

    UP = "w"
    LEFT = "a"
    DOWN = "s"
    RIGHT = "d"
    STAY = "e"
    HASTE = "1"
    FROST = "3"
    BOMB = "7"
    SCROLL = "9"


STEPS = {action: Direction[action.name] for action in Action if action.name in Direction.__members__}
ACTION_OF = {direction: action for action, direction in STEPS.items()}


class Status(Enum):
    """Status of a game."""

    PLAYING = "playing"
    WON = "won"
    DIED = "died"


@dataclass(frozen=True, slots=True)
class State:
    """A state of the game."""

    campaign: Campaign = field(repr=False)
    level: Level = field(repr=False)  # the current level
    room: Room  # the state of the current level
    adventurer: Adventurer
    left: Mapping[str, Room]  # the states of other visited levels
    opened: frozenset[tuple[str, int]] = frozenset()  # paid doors, by level and tile
    moves: int = 0
    status: Status = Status.PLAYING
    ending: str = ""  # the ending reached, or the killer

    def apart(self) -> State:
        """A copy that shares no board, so that another thread may play on from it."""
        room = replace(self.room, board=Board.owning(self.room.board.copy()))
        left = {name: replace(each, board=Board.owning(each.board.copy())) for name, each in self.left.items()}
        return replace(self, room=room, left=left)
