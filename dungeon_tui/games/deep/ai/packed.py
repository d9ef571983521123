"""One level of the deep as plain bytes and numbers: the same rules, some forty times as fast, for the search.

A frame of chasm around the board makes checks for the edge unnecessary. Scrolls are left off, and treasure above the
highest price, since they don't affect whether or how fast the level can be left.

For monsters whose function in model/kinds.py has no number in HABITS, `Ruled` searches by the rules themselves: exact,
but slower.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dungeon_tui.games.deep.model import kinds, rules
from dungeon_tui.games.deep.model.campaign import MOST_CELLS
from dungeon_tui.games.deep.model.events import DoorTaken
from dungeon_tui.games.deep.model.items import BOMB_COUNT, FROST_TURNS, HASTE_TURNS, ITEM_OF_KEY, ITEMS
from dungeon_tui.games.deep.model.room import AMULET, CHASM, DOORS, NUMBERED_DOORS, OPEN, PILLAR, TREASURE
from dungeon_tui.games.deep.model.state import STEPS, Action, State, Status

_SHIELD, _SWORD, KEY, _HASTE, _FROST, BOMB, _SCROLL = (bytes([item.tile]) for item in ITEMS.values())
_CARRIED = _SHIELD + _SWORD + KEY + _HASTE + _FROST + BOMB
_TO_MONSTERS = bytes([PILLAR, CHASM]) + NUMBERED_DOORS  # closed
_WALKS = tuple((action, *way.value) for action, way in STEPS.items())
_USES = tuple((Action(key), bytes([ITEMS[name].tile])) for key, name in ITEM_OF_KEY.items() if name != "scroll")
HABITS: dict[kinds.Move, int] = {kinds.hunter: 0, kinds.runner: 1, kinds.tracker: 2}
"""The numbers in `Packed.habits` of the functions that the fast search knows."""


class Beast(NamedTuple):
    """A monster."""

    cell: int
    kind: int  # index into the room's habits
    down: int  # its heading
    right: int
    is_awake: bool


class Moment(NamedTuple):
    """Everything that the rest of the game in a level depends on; equal moments have equal futures."""

    tiles: bytes  # with the frame
    width: int  # of the frame
    cell: int
    treasure: int
    items: bytes  # sorted
    haste: int
    frost: int
    beasts: tuple[Beast, ...]  # by their cells
    bombs: tuple[tuple[int, int], ...]
    turns: int  # 0 in a level that does not shrink


class Price(NamedTuple):
    """The price that a door still has."""

    treasure: int
    key: bool


@dataclass(frozen=True)
class Packed:
    """A level's rules over moments."""

    first: Moment
    prices: dict[int, Price]  # by tile, of the doors that may be used
    shrinks: int
    habits: tuple[tuple[int, int, int], ...]  # for each kind: its habit, steps, and distance at which it wakes
    most: int  # treasure beyond this makes no difference

    def after(self, here: Moment) -> Iterator[tuple[Action, Moment | None]]:
        """Actions with the moments after them, None if a door was taken; without deaths and blocked steps."""
        tiles, cell, items = here.tiles, here.cell, here.items
        beasts = {beast.cell: beast for beast in here.beasts}

        # Steps: walls and monsters block them, a door leads out for its price, a sword kills.
        for action, down, right in _WALKS:
            aim = cell + down * here.width + right
            tile = tiles[aim]
            if tile in (PILLAR, CHASM) or (aim in beasts and _SWORD not in items):
                continue
            if tile in DOORS:
                price = self.prices.get(tile)
                if price and here.treasure >= price.treasure and (not price.key or KEY in items) and aim not in beasts:
                    yield action, None
                continue
            moment = here._replace(cell=aim)
            if aim in beasts:
                left = tuple(beast for beast in here.beasts if beast.cell != aim)
                moment = moment._replace(beasts=left, items=items.replace(_SWORD, b"", 1))
            if tile != OPEN:
                moment = self._taken(moment, tile)
            if ended := self._ended(moment, here.haste, tile == AMULET):
                yield action, ended

        # Staying, and using items.
        if ended := self._ended(here, here.haste):
            yield Action.STAY, ended
        for action, item in _USES:
            if item not in items:
                continue
            moment = here._replace(items=items.replace(item, b"", 1))
            if item == _FROST:
                moment = moment._replace(frost=FROST_TURNS)
            elif item == BOMB:
                moment = moment._replace(bombs=(*here.bombs, (cell, BOMB_COUNT)))
            if ended := self._ended(moment, here.haste, drinks_haste=item == _HASTE):
                yield action, ended

    def _taken(self, moment: Moment, tile: int) -> Moment:
        """Takes the thing on the adventurer's cell; removes treasure that no longer makes a difference."""
        tiles = moment.tiles[: moment.cell] + b"-" + moment.tiles[moment.cell + 1 :]
        if tile != TREASURE:
            items = bytes(sorted(moment.items + bytes([tile]))) if tile != AMULET else moment.items
            return moment._replace(tiles=tiles, items=items)
        treasure = moment.treasure + 1
        return moment._replace(tiles=tiles.replace(b"$", b"-") if treasure >= self.most else tiles, treasure=treasure)

    def _ended(self, moment: Moment, haste: int, doubles: bool = False, drinks_haste: bool = False) -> Moment | None:
        """The moment at the end of the turn; None if the adventurer dies."""
        is_first_half = haste > 0 and haste % 2 == 0
        moment = moment._replace(haste=2 * HASTE_TURNS if drinks_haste else max(haste - 1, 0))
        if is_first_half:
            return _doubled(moment) if doubles else moment
        if moment.frost:
            moment = moment._replace(frost=moment.frost - 1)
        elif moment.beasts and not (moment := self._let_beasts_move(moment)):  # type: ignore[assignment]
            return None
        if moment.bombs and not (moment := _let_bombs_burn(moment)):  # type: ignore[assignment]
            return None
        if doubles:
            moment = _doubled(moment)
        return self._let_ring_fall(moment) if self.shrinks else moment

    def _let_beasts_move(self, moment: Moment) -> Moment | None:
        # The nearest monsters move first.
        tiles, width, goal = moment.tiles, moment.width, moment.cell
        items, changed = moment.items, None
        taken = {beast.cell for beast in moment.beasts}
        row, col = divmod(goal, width)
        moved = []
        nearest = sorted(
            (abs(beast.cell // width - row) + abs(beast.cell % width - col), *beast) for beast in moment.beasts
        )

        # A sleeping monster only checks whether it wakes.
        for away, cell, kind, down, right, is_awake in nearest:
            habit, steps, wakes = self.habits[kind]
            if not is_awake:
                moved.append(Beast(cell, kind, down, right, away <= wakes))
                continue

            # Choose each step by habit: towards an adventurer in sight, straight on or back, or down the distances.
            for _ in range(steps):
                aim, ways = cell, (down, right)
                if habit == 0:
                    aim = cell + _sight(tiles, width, cell, goal)
                elif habit == 1:
                    for ways in ((down, right), (-down, -right)):
                        ahead = cell + ways[0] * width + ways[1]
                        if ahead == goal or (tiles[ahead] not in _TO_MONSTERS and ahead not in taken):
                            aim = ahead
                            break
                else:
                    distance = distances(tiles.translate(_WALLS_TO_MONSTERS), width, goal)
                    here = distance[cell]
                    for ahead in (cell - width, cell + width, cell - 1, cell + 1):
                        if distance[ahead] < here and (ahead == goal or ahead not in taken):
                            aim = ahead
                            break

                # On the adventurer's cell it strikes; a shield throws it back.
                if aim == goal and _SHIELD in items:
                    items = items.replace(_SHIELD, b"", 1)
                    break
                if aim == goal:
                    return None

                # Otherwise it takes the cell, unless blocked, and destroys the thing there.
                down, right = ways
                if aim == cell or aim in taken or tiles[aim] in _TO_MONSTERS:
                    break
                taken.remove(cell)
                taken.add(aim)
                cell = aim
                if tiles[cell] != OPEN:
                    changed = tiles = tiles[:cell] + b"-" + tiles[cell + 1 :]
            moved.append(Beast(cell, kind, down, right, True))
        moved.sort()
        return moment._replace(tiles=changed or tiles, items=items, beasts=tuple(moved))

    def _let_ring_fall(self, moment: Moment) -> Moment | None:
        # Every `shrinks` turns the outermost ring becomes chasm, with everything on it.
        turns, width = moment.turns + 1, moment.width
        height = len(moment.tiles) // width
        ring = turns // self.shrinks  # the frame is ring 0
        if turns % self.shrinks or 2 * (ring - 1) >= min(height, width) - 2:
            return moment._replace(turns=turns)
        inner = range(ring + 1, height - ring - 1)
        tiles = bytearray(bytes([CHASM]) * len(moment.tiles))
        for row in inner:
            inside = slice(row * width + ring + 1, row * width + max(width - ring - 1, ring + 1))
            tiles[inside] = moment.tiles[inside]
        if moment.cell // width not in inner or not ring < moment.cell % width < width - ring - 1:
            return None
        return moment._replace(
            tiles=bytes(tiles),
            turns=turns,
            beasts=tuple(beast for beast in moment.beasts if _is_inner(beast.cell, width, height, ring)),
            bombs=tuple(bomb for bomb in moment.bombs if _is_inner(bomb[0], width, height, ring)),
        )


class Position(Moment):
    """A moment together with its state, for levels searched by the rules."""

    state: State

    @classmethod
    def of(cls, state: State, most: int) -> Position:
        """The position of a state, with at most `most` treasure."""
        position = cls(*_moment(state, most))
        position.state = state
        return position


@dataclass(frozen=True)
class Ruled:
    """A level's moments by the rules themselves, for monsters of any kind."""

    first: Position
    prices: dict[int, Price]
    most: int

    def after(self, here: Moment) -> Iterator[tuple[Action, Moment | None]]:
        """As `Packed.after`."""
        assert isinstance(here, Position)
        for action in rules.legal_actions(here.state):
            state, events = rules.step(here.state, action)
            if state.status is Status.WON or any(isinstance(event, DoorTaken) for event in events):
                price = self.prices.get(here.state.room.tile(rules.destination(here.state, action)))
                if price and here.treasure >= price.treasure and (not price.key or KEY in here.items):
                    yield action, None
            elif state.status is Status.PLAYING:
                yield action, Position.of(state, self.most)


def packed(state: State, doors: bytes = DOORS, treasure: int = 0, needs_key: bool = False) -> Packed | Ruled:
    """The level of a state, as if only these doors led out, and only with this much treasure, or a key, at least."""
    level = state.level
    prices = {}
    for tile, door in level.doors.items():
        if tile in doors and (not door.to or rules.arrival(state, door) is not None):
            is_open = (level.name, tile) in state.opened
            cost = max(door.carry, 0 if is_open else door.cost, treasure)
            prices[tile] = Price(cost, needs_key or (door.key and not is_open))
    most = max((price.treasure for price in prices.values()), default=0)
    if any(state.campaign.kinds[each.kind].move not in HABITS for each in state.room.monsters):
        return Ruled(Position.of(state.apart(), most), prices, most)
    first = _moment(state, most)
    tiles = first.tiles.replace(_SCROLL, b"-")
    if state.adventurer.treasure >= most:
        tiles = tiles.replace(b"$", b"-")
    habits = tuple((HABITS.get(kind.move, 0), kind.steps, kind.wakes) for kind in state.campaign.kinds.values())
    return Packed(first._replace(tiles=tiles), prices, level.shrinks, habits, most)


def _moment(state: State, most: int) -> Moment:
    room, man = state.room, state.adventurer
    tiles = np.pad(room.board.copy(), 1, constant_values=CHASM)
    width = tiles.shape[1]
    names = list(state.campaign.kinds)
    beasts = sorted(
        Beast(_at(each.cell, width), names.index(each.kind), *(each.heading.value if each.heading else (0, 0)),
              each.is_awake)
        for each in room.monsters
    )  # fmt: skip
    items = bytes(sorted(ITEMS[name].tile for name in man.items if bytes([ITEMS[name].tile]) in _CARRIED))
    bombs = tuple((_at(bomb.cell, width), bomb.turns) for bomb in room.bombs)
    return Moment(
        tiles.tobytes(), width, _at(man.cell, width), min(man.treasure, most), items, man.haste, man.frost,
        tuple(beasts), bombs, room.turns if state.level.shrinks else 0,
    )  # fmt: skip


def _at(cell: tuple[int, int], width: int) -> int:
    return (cell[0] + 1) * width + cell[1] + 1


def _is_inner(cell: int, width: int, height: int, ring: int) -> bool:
    return ring < cell // width < height - ring - 1 and ring < cell % width < width - ring - 1


FAR = 10_000
_WALLS_TO_MONSTERS = bytes(PILLAR if tile in _TO_MONSTERS else OPEN for tile in range(256))


@lru_cache(1 << 13)
def distances(walls: bytes, width: int, *goals: int, torus: bool = False) -> list[int]:
    """Steps from each cell to the nearest goal, or FAR; pillars and chasm block. On a torus opposite edges touch."""
    found = [FAR] * len(walls)
    inner_width, inner_height = width - 2, len(walls) // width - 2
    for goal in goals:
        found[goal] = 0
    queue = list(goals)
    for cell in queue:
        further = found[cell] + 1
        row, col = divmod(cell, width)
        for onward in (cell - width, cell + width, cell - 1, cell + 1):
            if torus:
                if onward // width == 0:
                    onward = inner_height * width + col
                elif onward // width > inner_height:
                    onward = width + col
                elif onward % width == 0:
                    onward = row * width + inner_width
                elif onward % width > inner_width:
                    onward = row * width + 1
            if found[onward] > further and walls[onward] != PILLAR and walls[onward] != CHASM:
                found[onward] = further
                queue.append(onward)
    return found


def _sight(tiles: bytes, width: int, cell: int, goal: int) -> int:
    if cell // width == goal // width:
        between = tiles[cell + 1 : goal] if cell < goal else tiles[goal + 1 : cell]
        return 0 if PILLAR in between else 1 if cell < goal else -1
    if cell % width == goal % width:
        between = tiles[cell + width : goal : width] if cell < goal else tiles[goal + width : cell : width]
        return 0 if PILLAR in between else width if cell < goal else -width
    return 0


def _let_bombs_burn(moment: Moment) -> Moment | None:
    tiles, width, items, beasts = moment.tiles, moment.width, moment.items, moment.beasts
    for bomb, turns in moment.bombs:
        if turns > 1:
            continue
        blast = {bomb + down * width + right for down in (-1, 0, 1) for right in (-1, 0, 1)}
        tiles = bytes(OPEN if at in blast and tile == PILLAR else tile for at, tile in enumerate(tiles))
        beasts = tuple(beast for beast in beasts if beast.cell not in blast)
        if moment.cell in blast:
            if _SHIELD not in items:
                return None
            items = items.replace(_SHIELD, b"", 1)
    bombs = tuple((bomb, turns - 1) for bomb, turns in moment.bombs if turns > 1)
    return moment._replace(tiles=tiles, items=items, beasts=beasts, bombs=bombs)


def _doubled(moment: Moment) -> Moment:
    """The moment in a level of twice the height and width, unless that is too large."""
    width, inner = moment.width, moment.width - 2
    height = len(moment.tiles) // width - 2
    if 4 * height * inner > MOST_CELLS:
        return moment
    wide = 2 * inner + 2
    chasm = bytes([CHASM])
    rows = [moment.tiles[at + 1 : at + 1 + inner] for at in range(width, width * (height + 1), width)]
    tiles = chasm * wide + b"".join(chasm + 2 * row + chasm for row in 2 * rows) + chasm * wide

    def moved(cell: int, down: int = 0, right: int = 0) -> int:
        row, col = divmod(cell, width)
        return (row + down) * wide + col + right

    corners = [(down, right) for down in (0, height) for right in (0, inner)]
    beasts = sorted(beast._replace(cell=moved(beast.cell, *corner)) for corner in corners for beast in moment.beasts)
    bombs = tuple((moved(bomb, *corner), turns) for corner in corners for bomb, turns in moment.bombs)
    return moment._replace(tiles=tiles, width=wide, cell=moved(moment.cell), beasts=tuple(beasts), bombs=bombs)
