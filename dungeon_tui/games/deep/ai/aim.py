"""The aim of a level, to which hints search a line, and its goal, which the screen puts into words."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.identity import remembered
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import Level
from dungeon_tui.games.deep.model.descent import exit_of
from dungeon_tui.games.deep.model.items import ITEMS
from dungeon_tui.games.deep.model.kinds import Look
from dungeon_tui.games.deep.model.room import AMULET, TREASURE, Monster, Room
from dungeon_tui.games.deep.model.state import State

_BOMB, _KEY = ITEMS["bomb"].tile, ITEMS["key"].tile


@dataclass(frozen=True, slots=True)
class Aim:
    """The things to take in a level, and the doors to leave by."""

    coins: int = 0  # treasure to take here
    has_key: bool = False  # True if a key lies here to be taken
    doors: bytes = b""  # the best first; empty: any
    shut: int = 0  # the tile of a way out whose price is still missing


class Goal(NamedTuple):
    """The goal of a level; the same for the same state, wherever you stand."""

    door: int  # the tile of the door that ends it; 0: none is left
    is_open: bool  # True if you can pay its price
    here: int  # things that look like treasure
    has_key: bool  # True if a key lies here to be taken
    others: bytes  # further doors that you can pay: new ones; if the way out is shut and none is new, one towards more


def goal_of(state: State) -> Goal:
    """The goal of the current level."""
    aim, doors, room = aim_of(state), state.level.doors, state.room
    there = [tile for tile in dict.fromkeys([aim.shut, *aim.doors, *sorted(doors)]) if tile and room.cell_of(tile)]
    door = there[0] if there else 0
    new = bytes(tile for tile in new_doors(state, state.level) if tile in there and tile != door)
    is_open = bool(door) and rules.can_pay(state, door, doors[door])
    others = new or (b"" if is_open else bytes(tile for tile in aim.doors if tile in there and tile != door))
    return Goal(door, is_open, shown_treasure(state, room), aim.has_key, others)


def aim_of(state: State) -> Aim:
    """The things that the level still asks for, if monsters don't prevent it."""
    level, adventurer = state.level, state.adventurer
    coins, has_key = _within_reach(state, state.room, adventurer.cell)
    if state.campaign.is_descent:
        return Aim(coins, False, bytes([exit_of(level)]))  # each treasure is a point
    rich = replace(adventurer, treasure=adventurer.treasure + coins, items=adventurer.items + ("key",) * has_key)
    then = replace(state, adventurer=rich)
    new = sorted(new_doors(then, level), key=lambda tile: (level.doors[tile].cost, tile))
    levels = state.campaign.levels
    needed = [tile for tile in new if level.doors[tile].ending or not levels[level.doors[tile].to].is_optional]
    free = [tile for tile in needed if not level.doors[tile].cost]
    ways_out = [tile for tile, door in sorted(level.doors.items()) if door.ending]
    if open_ways := [tile for tile in ways_out if tile in new]:
        return Aim(coins, has_key, bytes(open_ways[:1]))
    back = _door_towards_more(then)
    if ways_out:
        return Aim(coins, has_key, bytes(free or new) or back, shut=ways_out[0])
    return Aim(coins, has_key, bytes(free[:1] or needed[:1]) or back or bytes(new[:1]))


def way_out_elsewhere(state: State) -> str:
    """A way out of a level that you left whose price you can pay now; empty if there is none, or one is here."""
    if state.campaign.is_descent or any(door.ending for door in state.level.doors.values()):
        return ""
    for level in (state.campaign.levels[name] for name in state.left):
        for tile, door in level.doors.items():
            if door.ending and rules.can_pay(replace(state, level=level), tile, door):
                return rules.door_name(tile, door)
    return ""


def new_doors(state: State, level: Level) -> bytes:
    """The doors of a level that lead out, or to levels never seen, and that the adventurer can pay."""
    there, known = replace(state, level=level), {*state.left, state.level.name}
    doors = [(tile, door) for tile, door in level.doors.items() if door.ending or door.to not in known]
    return bytes(tile for tile, door in doors if rules.can_pay(there, tile, door))


def _door_towards_more(state: State) -> bytes:
    """The first door on a shortest way to another known level with new doors or treasure, or ""."""
    rooms = {**state.left, state.level.name: state.room}
    first, queue = {state.level.name: b""}, [state.level]
    for level in queue:
        room, there = rooms[level.name], replace(state, level=level)
        doorways = [Cell(*cell) for cell in np.argwhere(np.isin(room.board.array(), [*level.doors])).tolist()]
        if first[level.name] and (new_doors(state, level) or _within_reach(state, room, *doorways)[0]):
            return first[level.name]
        for tile, door in level.doors.items():
            if door.to in rooms and door.to not in first and rules.can_pay(there, tile, door):
                first[door.to] = first[level.name] or bytes([tile])
                queue.append(state.campaign.levels[door.to])
    return b""


def _within_reach(state: State, room: Room, *starts: Cell) -> tuple[int, bool]:
    """The treasure and the key in reach of a walk; all of them if a bomb or an amulet may open a way."""
    tiles = room.board.copy().tobytes()
    has_bomb = room.bombs or "bomb" in state.adventurer.items or _BOMB in tiles
    if not has_bomb and AMULET not in tiles:
        reached = {cell for start in starts for cell in Look(room, start).distances()}
        tiles = bytes(room.tile(Cell(*cell)) for cell in reached)
    return tiles.count(TREASURE), _KEY in tiles


def is_disguised(state: State, monster: Monster) -> bool:
    """True for a sleeping mimic, which looks like treasure."""
    return not monster.is_awake and state.campaign.kinds[monster.kind].looks == TREASURE


def shown_treasure(state: State, room: Room) -> int:
    """The number of things that look like treasure in a level, within reach or not, as if without fog."""
    return coins_in(room) + sum(is_disguised(state, each) for each in room.monsters)


def _coins_in(room: Room) -> int:
    return room.board.copy().tobytes().count(TREASURE)


coins_in = remembered(_coins_in, 64)
"""The number of treasures in a level, counted once for each of its states."""
