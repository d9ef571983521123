"""The fewest moves out of one level by a door or a way out, with so much treasure; searched as far as is needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dungeon_tui.games.crawler.bounds import (
    BARRED,
    DOUBLES,
    MOST_CELLS,
    NEVER,
    REFUSED,
    Ways,
    make_ways,
    steps_bytes,
)
from dungeon_tui.games.crawler.kernels import COMMANDS, Boards, make_boards, pack_board
from dungeon_tui.games.crawler.level import AMULET, MONSTER, OPEN, PILLAR, Level
from dungeon_tui.games.crawler.search import (
    ENDED,
    FULL,
    WIDER,
    Store,
    best_line,
    best_moves,
    empty_store,
    enter_start,
    grown,
    is_roomy,
    least_moves,
    search_states,
    states_taken,
    store_bytes,
)

_MOST_SIZES = 16
_TABLE_BYTES, _CHEAP_BYTES = 1 << 28, 1 << 24  # of the distances on one board


_HASTE = 4  # how much more moves still needed weigh than moves made, where any line will do


class OutOfMemoryError(Exception):
    """The search needs more memory than it may take."""


@dataclass(slots=True)
class Terrain:
    """A level with the boards and distances that searches have needed so far."""

    level: Level
    most_sizes: int  # boards that there can be, and that there is room for
    most_ahead: int  # boards that are cheap enough to be looked at before they are needed
    boards: Boards
    ways: Ways

    @classmethod
    def of(cls, level: Level, cell_limit: int, max_doublings: int | None) -> Terrain | None:
        """The first board, and the second if there are amulets; None where the level is too large.

        Args:
            level: what to leave.
            cell_limit: the rules refuse a doubling beyond it.
            max_doublings: no line doubles the level more often.
        """
        tiles = level.tiles
        items = tiles.size - sum(int(np.count_nonzero(tiles == tile)) for tile in (OPEN, PILLAR, MONSTER))
        room = [
            size
            for size in range(_MOST_SIZES)
            if tiles.size << (2 * size) <= MOST_CELLS and steps_bytes(tiles.size, items, size) <= _TABLE_BYTES
        ]
        if not room:
            return None
        amulets = np.full(_MOST_SIZES, DOUBLES, np.uint8)
        amulets[[4 * tiles.size << (2 * size) > cell_limit for size in range(_MOST_SIZES)]] = REFUSED
        if max_doublings is not None:
            amulets[max_doublings:][amulets[max_doublings:] == DOUBLES] = BARRED
        # A single amulet is gone after one doubling; of more, some are left.
        most = (1, 2, _MOST_SIZES)[min(int(np.count_nonzero(tiles == AMULET)), 2)]
        doublings = int(np.argmax(amulets != DOUBLES)) if np.any(amulets != DOUBLES) else _MOST_SIZES
        most = min(most, doublings + 1, len(room))
        ahead = sum(steps_bytes(tiles.size, items, size) <= _CHEAP_BYTES for size in room)
        boards = make_boards(tiles, min(2, most))
        return cls(level, most, min(most, ahead), boards, make_ways(boards, amulets))

    @property
    def bytes(self) -> int:
        """What its arrays take."""
        return sum(array.nbytes for array in (*self.boards, *self.ways))

    def widen(self) -> None:
        """Adds the next size."""
        self.boards = make_boards(self.level.tiles, self.boards.sizes + 1)
        self.ways = make_ways(self.boards, self.ways.amulets, self.ways)


@dataclass(slots=True)
class LevelSearch:
    """The search for the fewest moves to a door or a way out with so much treasure taken in the level."""

    terrain: Terrain | None  # None: the level is too large
    goal: int  # the tile to leave by
    asked: int
    store: Store | None = None
    hasty: Store | None = None  # of the search for some line
    has_hasted: bool = False
    least: int = 0
    best: int = NEVER
    commands: str = ""
    states: int = 0
    has_ended: bool = False

    @property
    def is_proven(self) -> bool:
        """Whether no line is shorter than the best, or there is none."""
        return self.least >= self.best

    @property
    def hasty_states(self) -> int:
        """How many the search for some line has looked at."""
        return 0 if self.hasty is None else states_taken(self.hasty)

    @property
    def bytes(self) -> int:
        """What its arrays take."""
        return sum(store_bytes(store) for store in (self.store, self.hasty) if store is not None)

    def advance(self, work: int, memory: int) -> None:
        """Looks at that many states.

        Raises:
            OutOfMemoryError: it would take more bytes than `memory`.
        """
        terrain = self.terrain
        if self.has_ended or terrain is None:
            self.has_ended = True
            return
        self.store, ended = self._searched(terrain, self.store, work, memory, 1)
        self.least, self.states = least_moves(self.store), states_taken(self.store)
        self._keep_best(self.store)
        if ended == ENDED or self.is_proven:
            self.has_ended = True
            self.store = self.hasty = None

    def haste(self, work: int, memory: int) -> None:
        """Looks at that many states for some line, unless one is known or this was in vain.

        Raises:
            OutOfMemoryError: it would take more bytes than `memory`.
        """
        terrain = self.terrain
        if self.has_hasted or self.best < NEVER or terrain is None:
            return
        self.hasty, ended = self._searched(terrain, self.hasty, work, memory, _HASTE)
        self._keep_best(self.hasty)
        if ended == ENDED:
            self.has_hasted = True
            self.hasty = None

    def _keep_best(self, store: Store) -> None:
        if best_moves(store) < self.best:
            self.best = best_moves(store)
            self.commands = "".join(COMMANDS[way] for way in best_line(store))

    def _searched(
        self, terrain: Terrain, store: Store | None, work: int, memory: int, weight: int
    ) -> tuple[Store, int]:
        """The store after so many states more, and how that ended; with more room where there was none."""
        store = store or self._first_store(terrain, memory)
        ended = search_states(
            terrain.boards, terrain.ways, store, self.goal, self.asked,
            terrain.most_sizes, terrain.most_ahead, work, weight,
        )  # fmt: skip
        if ended == WIDER:
            terrain.widen()
        elif ended == FULL:
            store = self._grown(terrain, store, memory)
        return store, int(ended)

    def _first_store(self, terrain: Terrain, memory: int) -> Store:
        tiles, start = terrain.level.tiles, terrain.level.start
        store = empty_store(1 << 10, 1 << 12, 1 << 6, 1 << 8, 1 << 10)
        while not is_roomy(terrain.boards, store, self.asked):
            store = self._grown(terrain, store, memory)
        cell = start.row * tiles.shape[1] + start.col
        items, monsters = pack_board(terrain.boards, 0, tiles)
        enter_start(terrain.boards, terrain.ways, store, self.goal, self.asked, cell, items, monsters)
        return store

    def _grown(self, terrain: Terrain, store: Store, memory: int) -> Store:
        larger = grown(store, terrain.boards, self.asked) if 3 * store_bytes(store) <= memory else None
        if larger is None:
            raise OutOfMemoryError
        return larger
