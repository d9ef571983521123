"""Search on one level of a campaign, over the rules themselves: fewest moves from coming in to leaving as wanted."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from functools import cache
from heapq import heappop, heappush
from typing import Protocol

import numpy as np

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import Campaign
from dungeon_tui.games.deep.model.items import ITEMS
from dungeon_tui.games.deep.model.room import AMULET, CHASM, PILLAR, TREASURE, Adventurer, Room
from dungeon_tui.games.deep.model.state import DoorTaken, State, Status

FAR = 10_000
Cells = frozenset[Cell]


class Bound(Protocol):
    """Moves that are needed at least from a state to so much treasure and the door; FAR where it can't be had."""

    def __call__(self, after: State, wanted: int) -> int: ...


class TooManyStatesError(Exception):
    """Raised when the search has met more states than it may."""


def entered(campaign: Campaign, name: str, door: str = "", treasure: int = 0, items: tuple[str, ...] = ()) -> State:
    """The state of one who comes to a level through a door, or at its start, with what he carries."""
    level = campaign.levels[name]
    room = Room(Board.of(level.tiles), level.monsters)
    cell = room.place_of(ord(door)) if door else level.start
    assert cell is not None
    return State(campaign, level, room, Adventurer(cell, treasure, items), {})


def fewest_moves(state: State, door: str, coins: int, item: str = "", most_states: int = 200_000) -> str | None:
    """A shortest list of actions that leaves through a door with so many coins more, and an item; None: there is none.

    A* over whole states. Its bound is the shortest walk by all coins to the door where all must be taken, and to the
    door else, as if no monster were there, and no pillar where there are bombs; under an amulet there is no bound.

    Raises:
        TooManyStatesError: more states than `most_states`, and no answer.
    """
    wanted = state.adventurer.treasure + coins
    bound = _bound(state, ord(door), coins)
    least = {_position(state): 0}
    parents: list[tuple[int, str]] = [(-1, "")]
    queue: list[tuple[int, int, int, State]] = [(0, 0, 0, state)]
    while queue:
        _, minus, at, here = heappop(queue)
        for action in rules.legal_actions(here):
            aim = here.adventurer.cell.neighbour(rules.STEPS[action]) if action in rules.STEPS else None
            after, events = rules.step(here, action)
            if after.status is Status.DIED:
                continue
            if after.status is Status.WON or any(isinstance(event, DoorTaken) for event in events):
                man = here.adventurer
                is_right = aim is not None and here.room.tile(aim) == ord(door)
                if is_right and man.treasure >= wanted and (not item or item in man.items):
                    return _letters(parents, at) + action.value
                continue
            moves = 1 - minus
            if moves >= least.get(key := _position(after), FAR):
                continue
            least[key] = moves
            if len(least) > most_states:
                raise TooManyStatesError(f"{state.level.name}: more than {most_states:,} states")
            if (more := bound(after, wanted)) < FAR:
                parents.append((at, action.value))
                heappush(queue, (moves + more, -moves, len(parents) - 1, after))
    return None


def _letters(parents: list[tuple[int, str]], at: int) -> str:
    letters = []
    while at:
        at, letter = parents[at]
        letters.append(letter)
    return "".join(reversed(letters))


def _position(state: State) -> Hashable:
    """All of a state on which the rest of the game in this level depends."""
    man, room = state.adventurer, state.room
    monsters = frozenset((each.kind, each.cell, each.heading, each.is_awake) for each in room.monsters)
    turns = room.turns if state.level.shrinks else 0
    return (man.cell, man.treasure, tuple(sorted(man.items)), man.haste, man.frost, room.board.copy().tobytes(),
            room.board.width, monsters, room.bombs, turns)  # fmt: skip


def _bound(state: State, door: int, coins: int) -> Bound:
    board = state.room.board.copy()
    if AMULET in board:
        return lambda after, wanted: 0
    walls = () if ITEMS["bomb"].tile in board or "bomb" in state.adventurer.items else (PILLAR,)
    spots = {tile: [Cell(*map(int, place)) for place in np.argwhere(board == tile)] for tile in (TREASURE, door)}
    ways = {cell: _distances(state.room, cell, (*walls, CHASM)) for cell in spots[TREASURE] + spots[door]}
    is_tour = coins == len(spots[TREASURE])

    @cache
    def tour(cell: Cell, left: Cells) -> int:
        if not left:
            return min(ways[way_out].get(cell, FAR) for way_out in spots[door])
        return min(ways[coin].get(cell, FAR) + tour(coin, left - {coin}) for coin in left)

    def bound(after: State, wanted: int) -> int:
        left = frozenset(cell for cell in spots[TREASURE] if after.room.board[cell] == TREASURE)
        if after.adventurer.treasure + len(left) < wanted:
            return FAR
        return tour(after.adventurer.cell, left if is_tour else frozenset())

    return bound


def _distances(room: Room, goal: Cell, walls: tuple[int, ...]) -> dict[Cell, int]:
    """Steps to a cell, past walls only."""
    known, queue = {goal: 0}, deque([goal])
    while queue:
        cell = queue.popleft()
        for beside in map(cell.neighbour, FOUR_WAYS):
            if beside not in known and room.tile(beside) not in walls:
                known[beside] = known[cell] + 1
                queue.append(beside)
    return known
