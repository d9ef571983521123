"""Search on one level of a campaign, over the rules themselves: fewest moves from coming in to leaving as wanted."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from functools import cache
from heapq import heappop, heappush

import numpy as np

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import Campaign
from dungeon_tui.games.deep.model.items import ITEMS
from dungeon_tui.games.deep.model.room import AMULET, CHASM, PILLAR, TREASURE, Adventurer, Room
from dungeon_tui.games.deep.model.state import STEPS, DoorTaken, State, Status

FAR = 10_000
Cells = frozenset[Cell]


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
    door else, as if no monster were there, and no pillar where there are bombs; beside an amulet there is no bound.

    Raises:
        TooManyStatesError: more states than `most_states`, and no answer.
    """
    wanted = state.adventurer.treasure + coins
    bound = _Bound(door, wanted)
    bound(state)  # before bombs lie about or rings have fallen
    least = {_position(state): 0}
    parents: list[tuple[int, str]] = [(-1, "")]
    queue: list[tuple[int, int, int, State]] = [(0, 0, 0, state)]
    while queue:
        _, minus, at, here = heappop(queue)
        for action in rules.legal_actions(here):
            aim = here.adventurer.cell.neighbour(STEPS[action]) if action in STEPS else None
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
            if (more := bound(after)) < FAR:
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


class _Bound:
    """Moves that are needed at least from a state to so much treasure and the door; FAR where it can't be had."""

    def __init__(self, door: str, wanted: int) -> None:
        self.door, self.wanted = ord(door), wanted
        self.walks: dict[int, _Walks] = {}  # by the width of the level, which an amulet doubles

    def __call__(self, state: State) -> int:
        board, here = state.room.board.copy(), state.adventurer
        if AMULET in board:
            return 0
        if state.room.board.width not in self.walks:
            self.walks[state.room.board.width] = _Walks(state, self.door)
        walks = self.walks[state.room.board.width]
        left = frozenset(Cell(*map(int, place)) for place in np.argwhere(board == TREASURE)) & walks.reached
        if (missing := self.wanted - here.treasure - len(left)) > 0:
            return FAR
        return walks.tour(here.cell, frozenset() if missing else left)


class _Walks:
    """The shortest walks in a level by treasure to a door, as if no monster were there."""

    def __init__(self, state: State, door: int) -> None:
        room, here = state.room, state.adventurer
        board = room.board.copy()
        has_bombs = ITEMS["bomb"].tile in board or "bomb" in here.items or room.bombs
        walls = (CHASM,) if has_bombs else (PILLAR, CHASM)
        self.ways = cache(lambda cell: _distances(room, cell, walls))
        self.reached = frozenset(self.ways(here.cell))
        self.out = [self.ways(cell) for cell in self.reached if board[cell] == door]
        self.tour = cache(self._tour)

    def _tour(self, cell: Cell, left: Cells) -> int:
        if not left:
            return min((ways.get(cell, FAR) for ways in self.out), default=FAR)
        return min(self.ways(coin).get(cell, FAR) + self.tour(coin, left - {coin}) for coin in left)


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
