"""The fewest moves out of one level by a door or a way out, with so much treasure; searched as far as is needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dungeon_tui.games.crawler.ai.kernels import COMMANDS, count_kind
from dungeon_tui.games.crawler.ai.search.best_first import ENDED, FULL, WIDER, enter_start, search_states, sketch_for
from dungeon_tui.games.crawler.ai.search.dive import dive
from dungeon_tui.games.crawler.ai.search.store import (
    Store,
    best_line,
    best_moves,
    empty_store,
    grown,
    is_roomy,
    least_moves,
    states_taken,
    store_bytes,
)
from dungeon_tui.games.crawler.ai.search.terrain import MOST_SIZES, Moment, Terrain
from dungeon_tui.games.crawler.ai.search.ways import BARRED, DOUBLES, NEVER, Ways
from dungeon_tui.games.crawler.model.level import AMULET

_LONG = 50_000  # states after which the walks past monsters are worth their cost
_HASTE = 4  # how much more moves still needed weigh than moves made, where any line will do
_LATE = 1 << 14  # states that haste has looked at in vain when something else is tried, too


class OutOfMemoryError(Exception):
    """The search needs more memory than it may take."""


@dataclass(slots=True)
class LevelSearch:
    """The search for the fewest moves to a door or a way out with so much treasure taken on the level."""

    terrain: Terrain | None  # None: the level is too large
    start: Moment | None  # None: the board is too large
    goal: int  # the tile to leave by
    asked: int
    max_doublings: int | None  # from the start on
    store: Store | None = None
    hasty: Store | None = None  # of the search for some line
    has_hasted: bool = False
    has_dived: bool = False
    least: int = 0
    best: int = NEVER
    commands: str = ""
    states: int = 0
    hasty_states: int = 0
    has_ended: bool = False

    @property
    def is_proven(self) -> bool:
        """Whether no line is shorter than the best, or there is none."""
        return self.least >= self.best

    @property
    def bytes(self) -> int:
        """What its arrays take."""
        return _bytes(self.store) + _bytes(self.hasty)

    def advance(self, work: int, memory: int) -> None:
        """Looks at that many states.

        Raises:
            OutOfMemoryError: it would take more bytes than `memory`.
        """
        if self.has_ended or self.terrain is None or self.start is None:
            self.has_ended = True
            return
        self.store, ended = self._searched(self.terrain, self.start, self.store, work, memory - _bytes(self.hasty), 1)
        self.least, self.states = max(self.least, least_moves(self.store)), states_taken(self.store)
        self._keep_best(self.store)
        if ended == ENDED or self.is_proven:
            self._end()

    def haste(self, work: int, memory: int) -> None:
        """Looks at that many states for some line, unless one is known or this was in vain.

        Raises:
            OutOfMemoryError: it would take more bytes than `memory`.
        """
        if self.has_hasted or self.best < NEVER or self.terrain is None or self.start is None:
            self.has_hasted = True
            return
        if self.hasty_states >= _LATE and not self.has_dived:
            self.dive()
            return
        memory -= _bytes(self.store)
        self.hasty, ended = self._searched(self.terrain, self.start, self.hasty, work, memory, _HASTE)
        self.hasty_states = states_taken(self.hasty)
        self._keep_best(self.hasty)
        if ended == ENDED:
            self.has_hasted = True
            if least_moves(self.hasty) >= NEVER:  # all has been looked at, and no line leads out
                self.least = NEVER
                self._end()
            self.hasty = None

    def dive(self) -> None:
        """Looks for some line once, unless one is known, in another way: soon, and in little memory (dive.py)."""
        if self.has_dived or self.best < NEVER or self.terrain is None or self.start is None:
            return
        self.has_dived = True
        line = dive(self.terrain.boards, self.terrain.ways, self.start, self.goal, self.asked)
        if line is not None:
            self.best, self.commands, self.hasty = len(line), line, None
            if self.is_proven:
                self._end()

    def _end(self) -> None:
        self.has_ended = self.has_hasted = True
        self.store = self.hasty = None

    def _keep_best(self, store: Store) -> None:
        if best_moves(store) < self.best:
            self.best = best_moves(store)
            self.commands = "".join(COMMANDS[way] for way in best_line(store))

    def _searched(
        self, terrain: Terrain, start: Moment, store: Store | None, work: int, memory: int, weight: int
    ) -> tuple[Store, int]:
        """The store after so many states more, and how that ended; with more room where there was none."""
        store = store or self._first_store(terrain, start, memory)
        if states_taken(store) > _LONG:
            terrain.look_past_monsters()
        most = self._most_sizes(terrain, start)
        ended = search_states(
            terrain.boards, self._ways(terrain, start), store, self.goal, self.asked,
            most, min(most, terrain.cheap), work, weight, sketch_for(terrain.boards),
        )  # fmt: skip
        if ended == WIDER:
            terrain.widen(terrain.boards.sizes + 1)
        elif ended == FULL:
            store = self._grown(terrain, store, memory)
        return store, int(ended)

    def _first_store(self, terrain: Terrain, start: Moment, memory: int) -> Store:
        terrain.widen(min(start.size + 2, self._most_sizes(terrain, start)))
        store = empty_store(1 << 10, 1 << 12, 1 << 6, 1 << 8, 1 << 10)
        while not is_roomy(terrain.boards, store, self.asked):
            store = self._grown(terrain, store, memory)
        enter_start(
            terrain.boards, self._ways(terrain, start), store, self.goal, self.asked,
            start.size, start.cell, start.items.copy(), start.monsters,
        )  # fmt: skip
        return store

    def _grown(self, terrain: Terrain, store: Store, memory: int) -> Store:
        larger = grown(store, terrain.boards, self.asked, memory)
        if larger is None:
            raise OutOfMemoryError
        return larger

    def _ways(self, terrain: Terrain, start: Moment) -> Ways:
        """The distances, and what amulets do as far as this search is asked."""
        if self.max_doublings is None:
            return terrain.ways
        amulets = terrain.ways.amulets.copy()
        beyond = amulets[start.size + self.max_doublings :]
        beyond[beyond == DOUBLES] = BARRED
        return terrain.ways._replace(amulets=amulets)

    def _most_sizes(self, terrain: Terrain, start: Moment) -> int:
        """How many boards there can be, and there is room for."""
        there_are = count_kind(terrain.boards, start.size, start.items, AMULET)
        # A single amulet is gone after one doubling; of more, some are left.
        most = start.size + 1 + min(there_are, 1) if there_are < 2 else MOST_SIZES
        stops = self._ways(terrain, start).amulets[start.size :] != DOUBLES
        doublings = int(np.argmax(stops)) if np.any(stops) else MOST_SIZES
        return min(most, start.size + 1 + doublings, terrain.room)


def _bytes(store: Store | None) -> int:
    return 0 if store is None else store_bytes(store)
