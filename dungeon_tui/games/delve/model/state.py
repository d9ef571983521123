"""The delve's state, actions and events."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntFlag
from typing import NamedTuple

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Event
from dungeon_tui.games.delve.model.level import HEARTS, Level

UNSEEN = 0  # on the board of what was seen


class Action(Enum):
    """An action of the player; the values are the letters of recordings and of plain play."""

    LEFT = "h"
    DOWN = "j"
    UP = "k"
    RIGHT = "l"
    UP_LEFT = "y"
    UP_RIGHT = "u"
    DOWN_LEFT = "b"
    DOWN_RIGHT = "n"
    STAY = "."
    ASCEND = "<"
    DESCEND = ">"


STEPS = {action: Direction[action.name] for action in Action if action.name in Direction.__members__}
ACTION_OF = {direction: action for action, direction in STEPS.items()}


class Ability(IntFlag):
    """Abilities of a monster kind."""

    SMART = 1  # remembers where it last saw you
    TELEPATHIC = 2  # always knows where you are
    TUNNELLING = 4  # goes through rock
    ERRATIC = 8  # half its moves are random


class Kind(NamedTuple):
    """A kind of monster."""

    glyph: str
    abilities: Ability
    first_depth: int = 1  # the least deep dungeon with one of them; for kinds beyond DRAWN


DRAWN = 16  # kinds among which the seeds choose
KINDS = (
    *(Kind(f"{abilities:x}", Ability(abilities)) for abilities in range(DRAWN)),
    # A further kind is a line here. From its first depth on each dungeon has one more monster: all others stay.
)


@dataclass(frozen=True, slots=True)
class Monster:
    """A monster that is alive."""

    sequence: int  # from 1 in each dungeon; who came first acts first where times are equal
    kind: Kind
    cell: Cell
    speed: int  # a turn every 1000 // speed ticks
    next_turn: int = 0  # ticks since the dungeon was entered
    last_seen: Cell | None = None  # where it saw you last, if it is smart and has not been there since

    @property
    def glyph(self) -> str:
        """Character of the monster's kind."""
        return self.kind.glyph

    @property
    def abilities(self) -> str:
        """Its abilities in words.

        >>> Monster(1, KINDS[Ability.TUNNELLING | Ability.ERRATIC], Cell(1, 1), 10).abilities
        'tunnelling, erratic'
        """
        return ", ".join(str(ability.name).lower() for ability in self.kind.abilities) or "plain"


class Status(Enum):
    """Stage of the game."""

    PLAYING = "playing"
    WON = "won"
    DIED = "died"


@dataclass(frozen=True, slots=True)
class State:
    """A moment of the game, the player to move. Neither player nor monsters are on the boards."""

    level: Level  # the present dungeon as it was entered
    seed: int  # of the series of dungeons
    depth: int  # from 1
    dungeons: int  # entered so far, this one included
    hardness: Board  # (height, width) uint8, as Level.hardness
    terrain: Board  # (height, width) terrain codes; has a new version whenever a cell has opened
    seen: Board  # (height, width) the terrain as the player saw it last, UNSEEN where never
    player: Cell
    monsters: tuple[Monster, ...]  # those alive, by sequence
    random: int  # the state of a core.random.Random
    time: int = 0  # of the player's next turn, in ticks since the dungeon was entered
    turns: int = 0  # of the player, in all dungeons
    kills: int = 0  # by the player, in all dungeons
    hearts: int = 1  # left
    deepest: int = 1  # depth so far
    amulet: Cell | None = None  # where it lies in this dungeon
    has_amulet: bool = False
    status: Status = Status.PLAYING

    @property
    def is_fair(self) -> bool:
        """True where the player has hearts and the amulet is the goal; False by the course's rules."""
        return self.level.rules == HEARTS

    @property
    def height(self) -> int:
        """Number of the map's rows."""
        return self.terrain.height

    @property
    def width(self) -> int:
        """Number of the map's columns."""
        return self.terrain.width

    def monster_at(self, cell: Cell) -> Monster | None:
        """The monster that stands on a cell, None if there is none."""
        return next((monster for monster in self.monsters if monster.cell == cell), None)


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """The player went from one cell to the next."""

    origin: Cell
    cell: Cell


@dataclass(frozen=True, slots=True)
class Stayed(Event):
    """The player let a turn pass."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class StairsTaken(Event):
    """The player left for another dungeon; a LevelBegun follows."""

    is_down: bool
    depth: int  # of the dungeon entered


@dataclass(frozen=True, slots=True)
class MonsterKilled(Event):
    """Someone stepped onto a monster."""

    monster: Monster
    by: Monster | None  # None: by the player


@dataclass(frozen=True, slots=True)
class RockWorn(Event):
    """A tunneller wore rock; where nothing is left the cell is open."""

    monster: Monster
    cell: Cell
    hardness: int  # that is left


@dataclass(frozen=True, slots=True)
class PlayerHit(Event):
    """A monster took one of several hearts."""

    cell: Cell
    by: Monster  # as it stood when it struck
    hearts: int  # that are left


@dataclass(frozen=True, slots=True)
class HeartGained(Event):
    """The player came deeper than ever before, and took heart."""

    hearts: int


@dataclass(frozen=True, slots=True)
class AmuletTaken(Event):
    """The player picked the amulet up: all monsters know it."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class AmuletBroughtUp(Event):
    """The player took the stairs up with the amulet: the game is won."""


@dataclass(frozen=True, slots=True)
class PlayerDied(Event):
    """A monster stepped onto the player."""

    cell: Cell
    by: Monster


@dataclass(frozen=True, slots=True)
class DungeonCleared(Event):
    """The last monster is gone: by the course's rules the game is won."""
