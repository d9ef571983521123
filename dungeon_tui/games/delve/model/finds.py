"""Things to find in games with hearts, and the monsters placed around them; the course's rules have neither.

They lie where the way to the goal makes the longest detours: in side rooms and dead ends.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.engine import UNREACHED, distance_map
from dungeon_tui.games.delve.model.level import OPEN, BoolGrid, Level, room_cells
from dungeon_tui.games.delve.model.state import ARCHER, DRAWN, JACKAL, KINDS, LOOKOUT, SLEEPER, Kind, Monster, Mood

GOLD, HEART = "gold", "heart"
HASTE_TURNS = FROST_TURNS = 5
BOMB_TURNS = 2  # after the one in which it is laid

PILE = 20  # gold in a pile, for each depth
_FINDS, _PILES = 2, 3  # in a dungeon; all piles lie in one heap
_GUARDS = 2  # sleepers at the heap of depth 1; one at anything else
_APART = 8  # least steps between two things, and from the player
_PACKS = 2  # in a dungeon, none if it has fewer than four monsters at first
_PACK = 3  # jackals
_ARCHERS = 2, 3, 5  # depths from which there is one more
_SPEEDS = {JACKAL: (15, 15), LOOKOUT: (12, 12), SLEEPER: (8, 16)}  # least and greatest; others: 10


@dataclass(frozen=True, slots=True)
class Find:
    """A find to carry and to use once."""

    glyph: str
    key: str
    text: str  # its effect


FINDS = {
    "haste": Find("%", "S", f"its use and your next {2 * HASTE_TURNS - 1} moves take half a turn each"),
    "frost": Find("*", "F", f"monsters wait the turn you use it and {FROST_TURNS - 1} more"),
    "bomb": Find("&", "B", f"{BOMB_TURNS} turns later it hits all within a step, you too"),
}
FIND_OF_KEY = {find.key: name for name, find in FINDS.items()}
EFFECTS = {GOLD: "a point each", HEART: "gives back one that you lost"} | {
    name: find.text for name, find in FINDS.items()
}
GLYPHS = {GOLD: "$", HEART: "+"} | {name: find.glyph for name, find in FINDS.items()}

Things = tuple[tuple[Cell, str], ...]


def stock(
    level: Level, player: Cell, depth: int, far_rooms: BoolGrid, monsters: tuple[Monster, ...], random: Random
) -> tuple[Things, tuple[Monster, ...]]:
    """The things of a new dungeon; and further monsters: their guards, packs, a lookout, archers.

    Args:
        level: The dungeon.
        player: The player's cell.
        depth: The dungeon's depth.
        far_rooms: (height, width) bool, the cells where packs and lookouts start.
        monsters: Those already placed.
        random: Chooses finds, places and what guards the gold.
    """
    is_free = level.hardness == OPEN
    from_player = distance_map(is_free, np.array([player]))
    is_free &= from_player != UNREACHED
    for cell in (player, *level.stairs_up, *level.stairs_down, *(monster.cell for monster in monsters)):
        is_free[cell] = False
    added: list[Monster] = []

    def taken(near: Cell) -> list[Cell]:
        """The nearest free cell that is not the place itself, which is then taken; none if there is no other."""
        steps = np.where(is_free, distance_map(level.hardness == OPEN, np.array([near])), UNREACHED)
        steps[near] = UNREACHED
        cell = Cell(*divmod(int(steps.argmin()), steps.shape[1]))
        is_free[cell] = False
        return [cell] if steps[cell] != UNREACHED else []

    def place(kind: Kind, near: Cell, mood: Mood = Mood.AWAKE) -> None:
        for cell in taken(near):
            speed = random.between(*_SPEEDS.get(kind, (10, 10)))
            added.append(Monster(len(monsters) + len(added) + 1, kind, cell, speed, mood=mood))

    # A heap of gold, finds and a heart, in rooms at the ends of the longest detours. What guards them sleeps.
    names = [GOLD, *(random.choice([*FINDS]) for _ in range(_FINDS)), HEART]
    is_far = is_free & (from_player >= _APART)
    in_rooms = is_far & room_cells(level)
    places = _detours(level, from_player, in_rooms if in_rooms.any() else is_far, len(names))
    things = tuple(zip(places, names, strict=False))
    for cell, _ in things:
        is_free[cell] = False
    heap = [cell for near in places[:1] for _ in range(_PILES - 1) for cell in taken(near)]
    packs = _PACKS * (level.monsters >= 4 and depth >= JACKAL.first_depth)
    guards = [JACKAL] * _PACK if packs and random.below(2) else [ARCHER, SLEEPER]
    for near, name in things:
        here = [SLEEPER] if name != GOLD else guards if depth > 1 else [SLEEPER] * _GUARDS
        for kind in here:
            place(kind, near, Mood.AWAKE if kind is ARCHER else Mood.ASLEEP)
    things += tuple((cell, GOLD) for cell in heap)

    # Packs, a lookout, archers, and last one of each further kind: so all else stays the same.
    groups = [(JACKAL, _PACK)] * packs
    groups += [(LOOKOUT, 1)] * (depth >= LOOKOUT.first_depth) + [(ARCHER, 1)] * sum(depth >= each for each in _ARCHERS)
    groups += [(kind, 1) for kind in KINDS[DRAWN:] if not kind.is_stocked and kind.first_depth <= depth]
    for kind, size in groups:
        cells = np.flatnonzero(is_free & far_rooms).tolist()
        if cells:
            near = Cell(*divmod(random.choice(cells), is_free.shape[1]))
            for _ in range(size):
                place(kind, near)
    return things, tuple(added)


def _detours(level: Level, from_player: NDArray[np.int32], is_free: BoolGrid, count: int) -> list[Cell]:
    """Up to `count` free cells, not close to each other, with the longest detours on the way to the goal."""
    is_open, goals = level.hardness == OPEN, [cell for cell in level.stairs_down if from_player[cell] != UNREACHED]
    detour = from_player + (distance_map(is_open, np.array(goals)) if goals else 0)
    cells: list[Cell] = []
    while len(cells) < count and is_free.any():
        cell = Cell(*divmod(int(np.where(is_free, detour, -1).argmax()), detour.shape[1]))
        cells.append(cell)
        is_free &= distance_map(is_open, np.array([cell])) >= _APART
    return cells
