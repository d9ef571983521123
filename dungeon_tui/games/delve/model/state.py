"""The delve's state, actions and events."""

from dataclasses import dataclass, field
from enum import Enum, IntFlag

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Event
from dungeon_tui.games.delve.model.level import HEARTS, Level

UNSEEN = 0  # code on the board of seen terrain
PLAYER_SPEED = 10  # turns in the time in which a monster of speed 20 has twice as many
MOST_HEARTS = 3


def compass(rows: int, cols: int) -> str:
    """The nearest of eight compass directions: "north-west"."""
    vertical, level = ("north" if rows < 0 else "south"), ("west" if cols < 0 else "east")
    ways = (vertical,) * (2 * abs(rows) >= abs(cols)) + (level,) * (2 * abs(cols) >= abs(rows))
    return "-".join(ways)


class Action(Enum):
    """The player's actions; the values are the letters of recordings and plain text."""

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
    HASTE = "S"  # the keys of the finds
    FROST = "F"
    BOMB = "B"


STEPS = {action: Direction[action.name] for action in Action if action.name in Direction.__members__}
ACTION_OF = {direction: action for action, direction in STEPS.items()}


class Ability(IntFlag):
    """Abilities of a monster kind."""

    SMART = 1  # remembers your last seen position
    TELEPATHIC = 2  # always knows where you are
    TUNNELLING = 4  # goes through rock
    ERRATIC = 8  # half its moves are random
    PACK = 32  # hunts with others
    COWARD = 64  # runs from you at first sight, and comes back with others
    SHOOTING = 128  # draws a bow, and shoots along that line


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of monsters."""

    name: str
    letter: str = field(repr=False)  # on the map
    glyph: str = field(repr=False)  # in the course's transcripts
    abilities: Ability = field(repr=False)
    sprite: str = field(repr=False)  # a file of ui/map/art
    first_depth: int = field(repr=False)  # with such monsters, in games with hearts
    is_stocked: bool = field(default=False, repr=False)  # placed by a rule of its own


# Seeds choose among these. Rule: "Telepathic ones come from depth 2 on, tunnellers from 3, those that are both from 4":
# each depth has something new to learn.
_NOUNS = ("walker", "hunter", "seer", "oracle", "tunneller", "digger", "mole", "burrower")
_DEPTHS = (1, 1, 2, 2, 3, 3, 4, 4)
DRAWN = 16
SLEEPER = Kind("guard", "z", "z", Ability.TELEPATHIC, "sleeper", 1, is_stocked=True)
JACKAL = Kind("jackal", "j", "j", Ability.SMART | Ability.PACK, "jackal", 2, is_stocked=True)
LOOKOUT = Kind("lookout", "l", "l", Ability.SMART | Ability.COWARD, "lookout", 2, is_stocked=True)
ARCHER = Kind("archer", "a", "A", Ability.SMART | Ability.SHOOTING, "archer", 2, is_stocked=True)
PURSUER = Kind("pursuer", "p", "p", Ability.TELEPATHIC, "pursuer", 1, is_stocked=True)  # comes by the stairs, late
KINDS = (
    *(Kind(noun, noun[0], f"{n:x}", Ability(n), noun, _DEPTHS[n]) for n, noun in enumerate(_NOUNS)),
    *(
        Kind(f"erratic {noun}", noun[0].upper(), f"{n + 8:x}", Ability(n + 8), f"erratic-{noun}", _DEPTHS[n])
        for n, noun in enumerate(_NOUNS)
    ),
    SLEEPER,
    JACKAL,
    LOOKOUT,
    ARCHER,
    PURSUER,
    # A new kind is a row here. From its first depth on, each dungeon with hearts gets one; all else stays the same.
)


class Mood(Enum):
    """A monster's state of mind."""

    AWAKE = "awake"
    ASLEEP = "asleep"
    FLEEING = "fleeing"  # to fetch others
    BOLD = "bold"  # comes back with them


@dataclass(frozen=True, slots=True)
class Monster:
    """A living monster."""

    sequence: int  # from 1 in each dungeon; at equal times the lower number acts first
    kind: Kind
    cell: Cell
    speed: int  # a turn every 1000 // speed ticks
    next_turn: int = 0  # ticks since the dungeon was entered
    last_seen: Cell | None = None  # for smart and called monsters: your last known position, until searched
    mood: Mood = Mood.AWAKE
    aim: Direction | None = None  # of an archer that has drawn its bow


@dataclass(frozen=True, slots=True)
class Bomb:
    """A bomb that the player laid."""

    cell: Cell
    time: int  # of its explosion, in ticks since the dungeon was entered


class Status(Enum):
    """Status of the game."""

    PLAYING = "playing"
    WON = "won"
    DIED = "died"


@dataclass(frozen=True, slots=True)
class State:
    """A state of the game before the player's turn. The boards contain neither player nor monsters."""

    level: Level = field(repr=False)  # the current dungeon when entered
    seed: int  # of the series of dungeons
    depth: int  # from 1
    dungeons: int  # entered so far, this one included
    hardness: Board  # (height, width) uint8, as Level.hardness
    terrain: Board  # (height, width) terrain codes; another board whenever a cell has opened
    seen: Board  # (height, width) the terrain as last seen by the player, or UNSEEN
    player: Cell
    monsters: tuple[Monster, ...]  # by sequence number
    random: int  # the state of a core.random.Random
    time: int = 0  # of the player's next turn, in ticks since the dungeon was entered
    turns: int = 0  # of the player, in all dungeons
    kills: int = 0  # by the player, in all dungeons
    hearts: int = 1  # left
    amulet: Cell | None = None  # its cell in this dungeon
    has_amulet: bool = False
    amulet_time: int = 0  # at which it was taken, in ticks since the dungeon was entered
    things: tuple[tuple[Cell, str], ...] = ()  # gold and finds that lie in this dungeon
    bombs: tuple[Bomb, ...] = ()
    gold: int = 0  # taken
    carried: tuple[str, ...] = ()  # finds
    haste: int = 0  # quick moves left
    frozen_until: int = 0  # ticks since the dungeon was entered
    status: Status = Status.PLAYING
    killer: Monster | None = None  # None: nobody, or a bomb

    @property
    def is_fair(self) -> bool:
        """True with hearts and the amulet as the goal; False by the course's rules."""
        return self.level.rules == HEARTS

    @property
    def height(self) -> int:
        """Number of rows of the map."""
        return self.terrain.height

    @property
    def width(self) -> int:
        """Number of columns of the map."""
        return self.terrain.width

    def monster_at(self, cell: Cell) -> Monster | None:
        """The monster on a cell, or None."""
        return next((monster for monster in self.monsters if monster.cell == cell), None)


class Stayed(Event):
    """The player stayed."""

    cell: Cell


class StairsTaken(Event):
    """The player left for another dungeon; a LevelBegun follows."""

    is_down: bool
    depth: int  # of the dungeon entered


class MonsterKilled(Event):
    """The player or a monster stepped onto a monster."""

    monster: Monster
    by: Monster | None  # None: the player


class RockWorn(Event):
    """A tunneller wore rock down; at hardness 0 the cell is open."""

    monster: Monster
    cell: Cell
    hardness: int  # left


class ThingTaken(Event):
    """The player took gold or a find."""

    cell: Cell
    name: str
    gold: int  # 0 for a find


class FindUsed(Event):
    """The player used up a find."""

    name: str


class FrostEnded(Event):
    """The monsters move again."""


class BombBlewUp(Event):
    """A bomb exploded."""

    cell: Cell


class MonsterWoke(Event):
    """The player came near a sleeping monster."""

    monster: Monster
    cell: Cell


class MonsterFled(Event):
    """A monster saw the player and ran to fetch others."""

    monster: Monster
    cell: Cell


class MonstersCalled(Event):
    """A monster that had run called others to the player's position."""

    monster: Monster
    number: int  # of the others


class BowUsed(Event):
    """An archer aimed at the player, to shoot along that line in its next turn; or it shot and hit nobody."""

    cell: Cell  # the archer's
    has_missed: bool


class PursuerDue(Event):
    """A pursuer will come by the stairs, or has come."""

    turns: int  # until then


class PlayerHit(Event):
    """A monster or a bomb took a heart."""

    cell: Cell
    by: Monster | None  # before the strike; None: a bomb
    hearts: int  # left; 0: the player is dead


class HeartGained(Event):
    """The player took a heart."""

    hearts: int


class AmuletTaken(Event):
    """The player took the amulet; from now on all monsters know the player's position."""

    cell: Cell


class AmuletBroughtUp(Event):
    """The player took the stairs up with the amulet and won."""


class DungeonCleared(Event):
    """The last monster is gone; by the course's rules the player has won."""
