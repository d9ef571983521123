"""The descent: ten levels from a seed, each harder than the last, made of rooms with purposes; some have a vault.

A level is generated when it is first needed, and accepted only if a prover finds a line that leaves it for a player
with no more than the treasure that the levels before require. The first three must also keep their promise: a player
who walks straight on meets what the level's text warns of. Depth 2 has a vault, and its
key. With integers only, a seed gives the same levels everywhere.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from dungeon_tui.core.board import Board, ByteGrid
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.random import Random
from dungeon_tui.core.rules import Event
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import Campaign, Door, Level
from dungeon_tui.games.deep.model.events import RingFell
from dungeon_tui.games.deep.model.items import ITEMS
from dungeon_tui.games.deep.model.kinds import KINDS, Look
from dungeon_tui.games.deep.model.room import AMULET, NEXT_DOOR, OPEN, PILLAR, TREASURE, Adventurer, Monster, Room
from dungeon_tui.games.deep.model.state import STEPS, Action, State, Status

DEPTHS = 10
DEPTH_POINTS = 10  # of the score for each level reached; a treasure is worth one point
PROMISES, KEY_DEPTH = 3, 2  # the first depths, which are never dull; the depth of a vault that takes a key
ENDING = "daylight"
ENTRY, EXIT, VAULT = b"1", ord("9"), ord("2")  # doors

_PEACE = 4  # least number of steps from the start to a monster, ignoring walls
_NEAR, _MOST_STEPS = 2, 100  # of a walk on which the promised monsters are met
_TRIES_PER_MONSTER = 8  # failed tries after which rooms get one monster less
_OUT = "The last door opens on the light of day. Ten depths lie behind you."
_RIM = "The rim of this place falls away, ring by ring. Know your way before you linger."

Prover = Callable[[State, int, int], bool]
"""Called with state, door and treasure: can it prove that the door can be reached with at least this much treasure?"""


def descent(seed: int, prove: Prover) -> Campaign:
    """The campaign of a seed, any integer; generates its levels when they are needed. Thread-safe."""
    levels = _Levels(seed, prove)
    file = LevelFile(f"descent-{seed}", f"{seed}\n".encode())
    summary = "Ten levels down, one life, no way back. A depth is ten points, a treasure one."
    return Campaign(file, f"The descent {seed}", "", summary, KINDS, levels, is_descent=True)


def toll(depth: int) -> int:
    """Treasure that you must carry to leave a depth, from 1 on; 0 before the first."""
    return 5 * depth // 2


def deepest(state: State) -> int:
    """The greatest depth reached, from 1 on."""
    return max(int(name) for name in (*state.left, state.level.name) if name.isdecimal())


def score(state: State) -> int:
    """Points of a run: for its depth, and for the treasure carried."""
    return DEPTH_POINTS * deepest(state) + state.adventurer.treasure


def exit_of(level: Level) -> int:
    """The tile of the door that leads on; in a vault, the door back."""
    return max(level.doors, key=lambda tile: level.doors[tile].carry)


def entered(level: Level, treasure: int) -> State:
    """The state at the start of a level without items, with doors that all lead out of the game."""
    doors = {tile: replace(door, to="", door="", ending=ENDING) for tile, door in level.doors.items()}
    level = replace(level, doors=doors)
    campaign = Campaign(LevelFile("", b""), "", "", "", KINDS, {level.name: level})
    return State(campaign, level, Room(Board.of(level.tiles), level.monsters), Adventurer(level.start, treasure), {})


_Make = Callable[..., Level | None]
"""Generates a level with `monsters` in each room; None if something necessary found no room."""


class _Levels(Mapping[str, Level]):
    """The levels of a descent by name: the depths, then their vaults."""

    def __init__(self, seed: int, prove: Prover) -> None:
        self.seed, self.prove = seed, prove
        self.names = [str(depth) for depth in range(1, DEPTHS + 1)]
        self.vaults = {
            depth: f"vault-{depth}"
            for depth in range(2, DEPTHS)
            if depth == KEY_DEPTH or Random(seed * 32 + depth).below(2)
        }
        self._made: dict[str, Level] = {}

    def __getitem__(self, name: str) -> Level:
        if name not in self._made:
            if name not in iter(self):
                raise KeyError(name)
            depth = int(name.rpartition("-")[2])
            level = self._depth(depth) if name == str(depth) else self._vault(depth)
            self._made.setdefault(name, level)  # if two threads have made it, the first one wins
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter([*self.names, *self.vaults.values()])

    def __len__(self) -> int:
        return len(self.names) + len(self.vaults)

    def _depth(self, depth: int) -> Level:
        """A level that a player with the previous toll and no item can leave with its own toll."""
        vault = self.vaults.get(depth, "")
        return self._proven(depth, partial(_rooms, depth=depth, vault=vault), toll(depth - 1), toll(depth))

    def _vault(self, depth: int) -> Level:
        """A vault with more treasure to carry out than its door costs."""
        return self._proven(depth, partial(_vault, depth=depth), 0, _price(depth) + 1, first=2048)

    def _proven(self, depth: int, make: _Make, carried: int, wanted: int, first: int = 0) -> Level:
        is_promising = not first and depth <= PROMISES
        most = 1 + depth // 5 + (is_promising and depth <= KEY_DEPTH)  # two patrols are livelier than one
        attempt = 0
        while True:
            random = Random((self.seed * 32 + depth) * 4096 + first + attempt)
            level = make(random, monsters=max(most - attempt // _TRIES_PER_MONSTER, int(is_promising)))
            if (
                level
                and self.prove(entered(level, carried), exit_of(level), wanted)
                and (not is_promising or self._is_promise_kept(level, depth, carried))
            ):
                return level
            attempt += 1

    def _is_promise_kept(self, level: Level, depth: int, carried: int) -> bool:
        if depth == KEY_DEPTH and not (VAULT in level.tiles and self.prove(entered(level, carried), VAULT, 0)):
            return False
        return bool(level.text) and meets_the_promised(level, carried)


def straight_on(state: State) -> Action:
    """A step to the nearest treasure, with enough of it to the exit, as if nobody lived there; waits if blocked."""
    here, door = state.adventurer.cell, exit_of(state.level)
    goal = TREASURE if state.adventurer.treasure < state.level.doors[door].carry else door
    cells = [Cell(*cell) for cell in np.argwhere(state.room.board.array() == goal).tolist()]
    steps = [Look(state.room, cell).distances() for cell in cells]
    away = min((each for each in steps if here in each), key=lambda each: each[here], default={})
    action = min(STEPS, key=lambda action: away.get(here.neighbour(STEPS[action]), len(away)))
    return action if rules.objection(state, action) is None else Action.STAY


def meets_the_promised(level: Level, carried: int, choose: Callable[[State], Action] = straight_on) -> bool:
    """True if a player meets what the level's text warns of: the rim falls, or a monster awake comes within 2 steps."""
    state, seen = entered(level, carried), tuple[Event, ...]()
    promised = {name for name, kind in KINDS.items() if kind.warning == level.text}
    for _ in range(_MOST_STEPS):
        row, col = state.adventurer.cell
        awake = [each.cell for each in state.room.monsters if each.is_awake and each.kind in promised]
        is_met = any(abs(cell.row - row) + abs(cell.col - col) <= _NEAR for cell in awake)
        if is_met or (level.text == _RIM and any(isinstance(event, RingFell) for event in seen)):
            return True
        if state.status is not Status.PLAYING:
            break
        state, seen = rules.step(state, choose(state))
    return state.ending in promised


def _price(depth: int) -> int:
    return 1 + depth // 4


@dataclass(slots=True)
class _Site:
    """A level under construction."""

    random: Random
    tiles: ByteGrid
    start: Cell
    monsters: list[Monster] = field(default_factory=list)

    def put(self, tile: int, cells: list[Cell], number: int = 1) -> None:
        """Puts things on random free cells, if any are left."""
        for _ in range(number):
            if free := self._free(cells):
                self.tiles[self.random.choice(free)] = tile

    def add(self, kind: str, cells: list[Cell], number: int = 1) -> None:
        """Puts monsters on random free cells away from the start, if any are left; runners need room to run."""
        far = [cell for cell in cells if abs(cell.row - self.start.row) + abs(cell.col - self.start.col) >= _PEACE]
        move, heading, is_awake = KINDS[kind].move, KINDS[kind].heading, not KINDS[kind].wakes
        for _ in range(number):
            look = Look(Room(Board.of(self.tiles), tuple(self.monsters)), self.start)
            free = [Monster(kind, cell, heading, is_awake) for cell in self._free(far)]
            if heading is not None:
                free = [each for each in free if move(look, each).cell != each.cell]
            if free:
                self.monsters.append(self.random.choice(free))

    def _free(self, cells: list[Cell]) -> list[Cell]:
        taken = {self.start, *(monster.cell for monster in self.monsters)}
        return [cell for cell in cells if self.tiles[cell] == OPEN and cell not in taken]


Purpose = Callable[[_Site, list[Cell], int], None]  # the site, the room's cells, monsters


def _hunting_ground(site: _Site, cells: list[Cell], monsters: int) -> None:
    site.put(PILLAR, cells, len(cells) // 6)
    site.add("hunter", cells, (monsters + 1) // 2)


def _patrol_hall(site: _Site, cells: list[Cell], monsters: int) -> None:
    for _ in range(monsters):
        site.add(site.random.choice(["up-down", "left-right", "diagonal"]), cells)


def _den(site: _Site, cells: list[Cell], monsters: int) -> None:
    site.put(TREASURE, cells)
    site.add("sleeper", cells, (monsters + 1) // 2)


def _hoard(site: _Site, cells: list[Cell], monsters: int) -> None:
    site.put(TREASURE, cells)
    site.add("mimic", cells, monsters)


def _lair(site: _Site, cells: list[Cell], monsters: int) -> None:
    site.put(PILLAR, cells, len(cells) // 8)
    site.add(site.random.choice(["sprinter", "tracker"]), cells, min(monsters, 1))


def _armoury(site: _Site, cells: list[Cell], monsters: int) -> None:
    site.put(ITEMS[site.random.choice(["shield", "shield", "sword", "sword", "haste", "frost", "bomb"])].tile, cells)
    site.add("left-right", cells, min(monsters, 1))


def _amulet_room(site: _Site, cells: list[Cell], monsters: int) -> None:
    site.put(AMULET, cells)
    site.add("up-down", cells, min(monsters, 1))


_PURPOSES: tuple[tuple[int, Purpose], ...] = (  # with the least depth of such rooms
    (1, _hunting_ground), (1, _patrol_hall), (2, _den), (2, _armoury), (3, _hoard), (4, _amulet_room), (5, _lair)
)  # fmt: skip


def _rooms(random: Random, *, depth: int, monsters: int, vault: str) -> Level | None:
    """A level of rooms with one or two doorways between neighbours; the exit is far away, or in the middle of a bridge.

    On a bridge the rim falls away. None if the exit found no room.
    """
    # The grid of rooms, with walls between them.
    down, across = 1 + (depth + 3) // 6, 2 + (depth + 1) // 6
    is_bridge = depth > 2 and random.below(4) == 0
    tops, rows = _spans(random, down, 4 if down == 1 else 3)
    lefts, cols = _spans(random, across, 4)
    tiles = np.full((rows, cols), OPEN, np.uint8)
    for top, _ in tops[1:]:
        tiles[top - 1] = PILLAR
    for left, _ in lefts[1:]:
        tiles[:, left - 1] = PILLAR
    # One or two doorways in each wall.
    for top, bottom in tops:
        for left, _ in lefts[1:]:
            for _ in range(random.between(1, 2)):
                tiles[random.between(top, bottom - 1), left - 1] = OPEN
    for left, right in lefts:
        for top, _ in tops[1:]:
            for _ in range(random.between(1, 2)):
                tiles[top - 1, random.between(left, right - 1)] = OPEN

    # The start, the exit and the vault's door.
    rooms = [[Cell(row, col) for row in range(*span) for col in range(*wide)] for span in tops for wide in lefts]
    site = _Site(random, tiles, random.choice(rooms[0]))
    leave_by = NEXT_DOOR if depth < DEPTHS and random.below(2) else EXIT
    middle = [cell for cells in rooms for cell in cells if _is_middle(cell, rows, cols)]
    site.put(leave_by, middle if is_bridge else rooms[-1])
    if vault:
        site.put(VAULT, random.choice(rooms))

    # Each room but the first gets a purpose, which fills it; then treasure anywhere, and a key.
    wanted_key = bool(vault) and (random.below(3) == 0 or depth == KEY_DEPTH)
    allowed = [each for least, each in _PURPOSES if depth >= least and not (is_bridge and each is _amulet_room)]
    purposes: list[Purpose] = []
    for cells in rooms[1:]:
        purposes.append(random.choice([purpose for purpose in allowed if purpose not in purposes] or allowed))
        purposes[-1](site, cells, monsters)
    site.put(TREASURE, [cell for cells in rooms for cell in cells], toll(depth) - toll(depth - 1) + 1)
    if depth == 1:
        _armoury(site, rooms[-1], 0)
    if wanted_key:
        site.put(ITEMS["key"].tile, random.choice(rooms))
    if leave_by not in tiles:
        return None

    # The doors' sides and prices, and the level's features.
    onward = Door(str(depth + 1)) if depth < DEPTHS else Door(ending=ENDING, text=_OUT)
    doors = {leave_by: replace(onward, carry=toll(depth))}
    if vault and VAULT in tiles:
        price = 0 if wanted_key else _price(depth)
        doors[VAULT] = Door(to=vault, door=ENTRY.decode(), cost=price, key=wanted_key)
    tiles.flags.writeable = False
    shrinks = 3 + (rows + cols) // 4 if is_bridge else 0
    is_foggy = depth > 5 and random.below(3) == 0
    name, kinds = str(depth), {monster.kind for monster in site.monsters}
    warnings = [kind.warning for kind_name, kind in KINDS.items() if kind_name in kinds and kind.warning]
    text = _RIM if is_bridge else warnings[-1] if warnings else ""
    title = f"Depth {depth} of {DEPTHS}"
    return Level(name, title, text, tiles, site.start, tuple(site.monsters), doors, is_foggy, shrinks)


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
    """The spans [first, end) of rooms in a row, separated by walls, and the number of lines in all."""
    spans, at = [], 0
    for _ in range(number):
        size = random.between(least, least + 1)
        spans.append((at, at + size))
        at += size + 1
    return spans, at - 1


def _is_middle(cell: Cell, rows: int, cols: int) -> bool:
    return rows // 4 <= cell.row < rows - rows // 4 and cols // 4 <= cell.col < cols - cols // 4
