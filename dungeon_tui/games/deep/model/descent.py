"""The descent: ten levels from a seed, harder each, made of rooms with purposes; some have a vault beside them.

A level is made when somebody first looks at it, and kept only if a prover, handed in, finds a line that leaves it with
no more than a player must have by then. Integers only: the same seed gives the same levels on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

import numpy as np

from dungeon_tui.core.board import Board, ByteGrid
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.random import Random
from dungeon_tui.games.deep.model.campaign import Campaign, Door, Level
from dungeon_tui.games.deep.model.items import ITEMS
from dungeon_tui.games.deep.model.kinds import KINDS
from dungeon_tui.games.deep.model.room import AMULET, NEXT_DOOR, OPEN, PILLAR, TREASURE, Adventurer, Monster, Room
from dungeon_tui.games.deep.model.state import State

DEPTHS = 10
DEPTH_POINTS = 10  # of the score, for each level that was reached; a treasure is one
ENDING = "daylight"
ENTRY, EXIT, VAULT = b"1", ord("9"), ord("2")  # doors

_PEACE = 4  # steps, walls aside, from the start to any monster, at least
_PATIENCE = 4  # levels tried in vain, after which the next ones have a monster less in each room
_RIM = "The rim of this place falls away, ring by ring. Know your way before you linger."
_TOLD = {  # to who comes there first, by the first of these kinds that lives there
    "mimic": "Not all that glitters here is treasure. What wakes beside you runs straight: step aside, not ahead.",
    "tracker": "Something here knows the way to you. Keep moving: it catches only who stops.",
    "sprinter": "What sees you here takes two steps to your one. Stay behind the pillars.",
    "sleeper": "Somebody snores. Three steps away is near enough to wake them.",
    "diagonal": "Somebody crosses this place from corner to corner. Count the steps before you cross.",
    "hunter": "What sees you along a row or a column comes. Pillars hide you.",
}

Prover = Callable[[State, int, int], bool]
"""Finds out whether a level can be left by a door, a tile, with so much treasure."""


def descent(seed: int, prove: Prover) -> Campaign:
    """The campaign of a seed, any integer. Its levels are made as they are asked for; any thread may ask."""
    levels = _Levels(seed, prove)
    file = LevelFile(f"descent-{seed}", f"{seed}\n".encode())
    return Campaign(
        file, f"The descent {seed}", "", "Ten levels down, one life, and no way back.", KINDS, levels, is_descent=True
    )


def toll(depth: int) -> int:
    """Treasure that must be carried to leave a depth, from 1 on; 0 before the first."""
    return 3 * depth // 2


def deepest(state: State) -> int:
    """The greatest depth that was reached, from 1 on."""
    return max(int(name) for name in (*state.left, state.level.name) if name.isdecimal())


def score(state: State) -> int:
    """Points of a run: its depth, and the treasure that is carried."""
    return DEPTH_POINTS * deepest(state) + state.adventurer.treasure


def exit_of(level: Level) -> int:
    """The tile of the door that leads on; in a vault, of the one that leads back."""
    return max(level.doors, key=lambda tile: level.doors[tile].carry)


def entered(level: Level, treasure: int) -> State:
    """The state of one who enters a level without items, as if each of its doors led out of the game."""
    doors = {tile: replace(door, to="", door="", ending=ENDING) for tile, door in level.doors.items()}
    level = replace(level, doors=doors)
    campaign = Campaign(LevelFile("", b""), "", "", "", KINDS, {level.name: level})
    return State(campaign, level, Room(Board.of(level.tiles), level.monsters), Adventurer(level.start, treasure), {})


class _Make(Protocol):
    """Makes a level with so many monsters in each room; None where chance left no room for what must be there."""

    def __call__(self, random: Random, *, monsters: int) -> Level | None: ...


class _Levels(Mapping[str, Level]):
    """The levels of a descent by name: the depths, then the vaults beside them."""

    def __init__(self, seed: int, prove: Prover) -> None:
        self.seed, self.prove = seed, prove
        self.names = [str(depth) for depth in range(1, DEPTHS + 1)]
        self.vaults = {depth: f"vault-{depth}" for depth in range(2, DEPTHS) if Random(seed * 32 + depth).below(2)}
        self._made: dict[str, Level] = {}

    def __getitem__(self, name: str) -> Level:
        if name not in self._made:
            if name not in iter(self):
                raise KeyError(name)
            depth = int(name.rpartition("-")[2])
            level = self._depth(depth) if name == str(depth) else self._vault(depth)
            self._made.setdefault(name, level)  # the first one stays, should two threads have made it
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter([*self.names, *self.vaults.values()])

    def __len__(self) -> int:
        return len(self.names) + len(self.vaults)

    def _depth(self, depth: int) -> Level:
        """A level that can be left with the toll by one who comes with the toll of the one before, and no item."""
        vault = self.vaults.get(depth, "")
        return self._proven(depth, partial(_rooms, depth=depth, vault=vault), toll(depth - 1), toll(depth))

    def _vault(self, depth: int) -> Level:
        """A vault out of which one can carry more than its door takes."""
        return self._proven(depth, partial(_vault, depth=depth), 0, _price(depth) + 1, first=2048)

    def _proven(self, depth: int, make: _Make, carried: int, wanted: int, first: int = 0) -> Level:
        """The first of the levels that chance makes for which the prover finds a line."""
        attempt = 0
        while True:
            random = Random((self.seed * 32 + depth) * 4096 + first + attempt)
            level = make(random, monsters=max(1 + depth // 5 - attempt // _PATIENCE, 0))
            if level and self.prove(entered(level, carried), exit_of(level), wanted):
                return level
            attempt += 1


def _price(depth: int) -> int:
    return 1 + depth // 4


@dataclass(slots=True)
class _Site:
    """A level in the making: its tiles, and what was put on them."""

    random: Random
    tiles: ByteGrid
    start: Cell
    monsters: list[Monster] = field(default_factory=list)

    def put(self, tile: int, cells: list[Cell], number: int = 1) -> None:
        """Puts things on free cells, as far as there are any."""
        for _ in range(number):
            if free := self._free(cells):
                self.tiles[self.random.choice(free)] = tile

    def add(self, kind: str, cells: list[Cell], number: int = 1) -> None:
        """Puts monsters on free cells that are not near the start, as far as there are any."""
        far = [cell for cell in cells if abs(cell.row - self.start.row) + abs(cell.col - self.start.col) >= _PEACE]
        for _ in range(number):
            if free := self._free(far):
                cell = self.random.choice(free)
                self.monsters.append(Monster(kind, cell, KINDS[kind].heading, not KINDS[kind].wakes))

    def _free(self, cells: list[Cell]) -> list[Cell]:
        taken = {self.start, *(monster.cell for monster in self.monsters)}
        return [cell for cell in cells if self.tiles[cell] == OPEN and cell not in taken]


Purpose = Callable[[_Site, list[Cell], int], None]  # the site, the room's cells, monsters


def _hunting_ground(site: _Site, cells: list[Cell], monsters: int) -> None:
    """Pillars to hide behind, and hunters."""
    site.put(PILLAR, cells, len(cells) // 6)
    site.add("hunter", cells, (monsters + 1) // 2)


def _patrol_hall(site: _Site, cells: list[Cell], monsters: int) -> None:
    """Runners that cross the room in all ways."""
    for _ in range(monsters):
        site.add(site.random.choice(["up-down", "left-right", "diagonal"]), cells)


def _den(site: _Site, cells: list[Cell], monsters: int) -> None:
    """Treasure among sleepers."""
    site.put(TREASURE, cells)
    site.add("sleeper", cells, (monsters + 1) // 2)


def _hoard(site: _Site, cells: list[Cell], monsters: int) -> None:
    """Treasure, and what looks like it."""
    site.put(TREASURE, cells)
    site.add("mimic", cells, monsters)


def _lair(site: _Site, cells: list[Cell], monsters: int) -> None:
    """A sprinter or a tracker, and pillars."""
    site.put(PILLAR, cells, len(cells) // 8)
    site.add(site.random.choice(["sprinter", "tracker"]), cells, min(monsters, 1))


def _armoury(site: _Site, cells: list[Cell], monsters: int) -> None:
    """An item, and a runner before it."""
    site.put(ITEMS[site.random.choice(["shield", "shield", "sword", "sword", "haste", "frost", "bomb"])].tile, cells)
    site.add("left-right", cells, min(monsters, 1))


def _amulet_room(site: _Site, cells: list[Cell], monsters: int) -> None:
    """All there is again, for those who dare: treasure, monsters, doors."""
    site.put(AMULET, cells)
    site.add("up-down", cells, min(monsters, 1))


_PURPOSES: tuple[tuple[int, Purpose], ...] = (  # and the depth from which on there are such rooms
    (1, _hunting_ground), (1, _patrol_hall), (2, _den), (2, _armoury), (3, _hoard), (4, _amulet_room), (5, _lair)
)  # fmt: skip


def _rooms(random: Random, *, depth: int, monsters: int, vault: str) -> Level | None:
    """A level of rooms, one or two doorways between neighbours; the way on is far, or in the middle of a bridge.

    On a bridge the rim falls away. None where chance walled in the way on.
    """
    down, across = 1 + (depth + 3) // 6, 2 + (depth + 1) // 6
    is_bridge = depth > 2 and random.below(4) == 0
    tops, rows = _spans(random, down, 4 if down == 1 else 3)
    lefts, cols = _spans(random, across, 4)
    tiles = np.full((rows, cols), OPEN, np.uint8)
    for top, _ in tops[1:]:
        tiles[top - 1] = PILLAR
    for left, _ in lefts[1:]:
        tiles[:, left - 1] = PILLAR
    for top, bottom in tops:
        for left, _ in lefts[1:]:
            for _ in range(random.between(1, 2)):
                tiles[random.between(top, bottom - 1), left - 1] = OPEN
    for left, right in lefts:
        for top, _ in tops[1:]:
            for _ in range(random.between(1, 2)):
                tiles[top - 1, random.between(left, right - 1)] = OPEN
    rooms = [
        [Cell(row, col) for row in range(*span) for col in range(*wide)] for span in tops for wide in lefts
    ]  # fmt: skip
    site = _Site(random, tiles, random.choice(rooms[0]))
    leave_by = NEXT_DOOR if depth < DEPTHS and random.below(2) else EXIT
    middle = [cell for cells in rooms for cell in cells if _is_middle(cell, rows, cols)]
    site.put(leave_by, middle if is_bridge else rooms[-1])
    if vault:
        site.put(VAULT, random.choice(rooms))
    wanted_key = bool(vault) and random.below(3) == 0
    allowed = [each for least, each in _PURPOSES if depth >= least and not (is_bridge and each is _amulet_room)]
    purposes: list[Purpose] = []
    for cells in rooms[1:]:
        purposes.append(random.choice([purpose for purpose in allowed if purpose not in purposes] or allowed))
        purposes[-1](site, cells, monsters)
    site.put(TREASURE, [cell for cells in rooms for cell in cells], toll(depth) - toll(depth - 1) + 2)
    if wanted_key:
        site.put(ITEMS["key"].tile, random.choice(rooms))
    if leave_by not in tiles:
        return None
    onward = Door(to=str(depth + 1), carry=toll(depth)) if depth < DEPTHS else Door(ending=ENDING, carry=toll(depth))
    doors = {leave_by: onward}
    if vault and VAULT in tiles:
        price = 0 if wanted_key else _price(depth)
        doors[VAULT] = Door(to=vault, door=ENTRY.decode(), cost=price, key=wanted_key)
    tiles.flags.writeable = False
    shrinks = 3 + (rows + cols) // 4 if is_bridge else 0
    is_foggy = depth > 5 and random.below(3) == 0
    name, kinds = str(depth), {monster.kind for monster in site.monsters}
    text = _RIM if is_bridge else next((told for kind, told in _TOLD.items() if kind in kinds), "")
    return Level(name, f"Depth {depth}", text, tiles, site.start, tuple(site.monsters), doors, is_foggy, shrinks)


def _vault(random: Random, *, depth: int, monsters: int) -> Level:
    """A room full of treasure, with guards; its door leads back."""
    tiles = np.full((random.between(4, 6), random.between(6, 8)), OPEN, np.uint8)
    cells = [Cell(row, col) for row in range(tiles.shape[0]) for col in range(tiles.shape[1])]
    entry = Cell(random.below(tiles.shape[0]), 0)
    tiles[entry] = ENTRY[0]
    site = _Site(random, tiles, entry.neighbour(Direction.RIGHT))
    site.put(TREASURE, cells, _price(depth) + 3)
    random.choice([_hunting_ground, _patrol_hall, _den])(site, cells, monsters)
    tiles.flags.writeable = False
    doors = {ENTRY[0]: Door(to=str(depth), door=chr(VAULT))}
    return Level(f"vault-{depth}", f"The vault of depth {depth}", "", tiles, site.start, tuple(site.monsters), doors)


def _spans(random: Random, number: int, least: int) -> tuple[list[tuple[int, int]], int]:
    """The first line and the line after the last one of rooms side by side, a wall between two; and all lines."""
    spans, at = [], 0
    for _ in range(number):
        size = random.between(least, least + 1)
        spans.append((at, at + size))
        at += size + 1
    return spans, at - 1


def _is_middle(cell: Cell, rows: int, cols: int) -> bool:
    return rows // 4 <= cell.row < rows - rows // 4 and cols // 4 <= cell.col < cols - cols // 4
