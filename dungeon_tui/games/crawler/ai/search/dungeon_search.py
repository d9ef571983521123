"""The lines out of a dungeon: the best sum over its levels of what each of them takes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from operator import itemgetter

import numpy as np

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler.ai.search.level_search import LevelSearch, OutOfMemoryError, Task
from dungeon_tui.games.crawler.ai.search.terrain import NEVER, Moment, Terrain
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, TREASURE, WAY_OUT

SLICE = 4096
"""States between two looks at the clock, progress and stop: some 20 ms."""

_GLANCE, _GLANCE_BYTES = 1 << 15, 1 << 26


@dataclass(frozen=True, slots=True)
class Escape:
    """An answer about the shortest lines out of a dungeon, from some moment on."""

    asked: int  # treasure, what was held already included
    commands: tuple[str, ...]  # the best line, a text for each level from the present one on; empty: none is known
    treasure: int  # at its end, what was held already included
    lower_bound: int | None  # no line has fewer moves; None where there is none at all
    pareto_front: tuple[tuple[int, int], ...]  # (treasure, fewest moves), proven, from the least that is enough on
    states: int  # looked at
    ended: str = ""  # the reason why the search was stopped, if it was: "time", "memory", "size" or "stopped"

    @property
    def moves(self) -> int | None:
        """Moves of the best line, from that moment on; None where none is known."""
        return sum(map(len, self.commands)) if self.commands else None

    @property
    def is_proven(self) -> bool:
        """True if it is proven that no line is shorter, or that there is none."""
        return self.moves == self.lower_bound

    def after(self, moves: int) -> Escape:
        """The same answer so many moves along its best line; its front tells nothing of less treasure."""
        rest = list(self.commands)
        for _ in range(moves):
            rest[0] = rest[0][1:]
            if not rest[0]:
                del rest[0]
        bound = None if self.lower_bound is None else self.lower_bound - moves
        front = () if bound is None else ((self.asked, bound),)
        return replace(self, commands=tuple(rest), lower_bound=bound, pareto_front=front, states=0)


@dataclass(slots=True)
class Stage:
    """A level from some moment on, with all searches that begin there."""

    terrain: Terrain | None  # None: the level is too large
    start: Moment | None  # None: the board is too large
    has_door: bool
    has_way_out: bool
    max_doublings: int | None
    most_treasure: int | None  # that can be taken; None where amulets may double it ever again
    searches: dict[tuple[int, int], LevelSearch] = field(default_factory=dict)

    @classmethod
    def of(cls, terrain: Terrain | None, tiles: ByteGrid, cell: Cell, max_doublings: int | None) -> Stage:
        """The stage that begins on a board at a cell. Raises ValueError if the terrain can't have become that board."""
        start = None if terrain is None else terrain.moment(tiles, cell)
        has_door, has_way_out = (bool(np.any(tiles == tile)) for tile in (DOOR, WAY_OUT))
        treasure, amulets = (int(np.count_nonzero(tiles == tile)) for tile in (TREASURE, AMULET))
        # A single amulet is gone after one doubling.
        most = treasure * 4**amulets if amulets < 2 else None
        return cls(terrain, start, has_door, has_way_out, max_doublings, most)

    def can_hold(self, treasure: int) -> bool:
        """True if the level may hold so much treasure, copies included, as far as its tiles tell."""
        return self.most_treasure is None or treasure <= self.most_treasure

    @property
    def bytes(self) -> int:
        """Bytes taken by the searches from this moment on."""
        return sum(search.bytes for search in self.searches.values())

    def search(self, goal: int, asked: int) -> LevelSearch:
        """The search, new or kept, for the fewest moves to the tile `goal` with so much treasure taken from here on."""
        key = (goal, asked)
        if key not in self.searches:
            task = None
            if self.terrain is not None and self.start is not None:
                task = Task(self.terrain, self.start, goal, asked, self.max_doublings)
            self.searches[key] = LevelSearch(task)
        return self.searches[key]


Sum = tuple[int, list[LevelSearch]]
"""Moves, and the searches that say so, one a level."""


@dataclass(frozen=True, slots=True)
class DungeonSearch:
    """The searches of the levels from the present one on."""

    stages: tuple[Stage, ...]
    held: int  # treasure
    by_door: bool  # a door of the last level is as good as a way out

    @property
    def states(self) -> int:
        """States looked at by all searches."""
        return sum(search.states for stage in self.stages for search in stage.searches.values())

    @property
    def weighted_states(self) -> int:
        """States looked at by the searches for any line, short or not."""
        return sum(search.weighted_states for stage in self.stages for search in stage.searches.values())

    def is_proven(self, asked: int) -> bool:
        """True if the fewest moves out with so much treasure are proven, or that there are none."""
        return all(search.is_proven for search in self.shortest(asked)[1])

    def pareto_front(self, least: int, most: int) -> Iterator[tuple[int, int]]:
        """Yields (treasure, fewest moves) from the least treasure on, as far as that is proven and a line leads out."""
        for asked in range(least, most + 1):
            moves, parts = self.shortest(asked)
            if moves >= NEVER or not all(search.is_proven for search in parts):
                return
            yield asked, moves

    def shortest(self, asked: int, is_known: bool = False) -> Sum:
        """The fewest moves out, at least or, if `is_known`, by the lines known, and the searches that they sum up."""
        # A line has left `number` levels by their doors with `taken` treasures, what was held at first included; they
        # are counted up to those asked for, but up to 1 in any case, which opens the ways out.
        nothing: Sum = (NEVER, [])
        most = max(asked, 1)
        sums = [nothing] * (most + 1)
        sums[min(self.held, most)] = (0, [])
        best = nothing
        for number, stage in enumerate(self.stages, 1):
            is_last = number == len(self.stages)
            beyond = [nothing] * (most + 1)
            for taken, (moves, parts) in enumerate(sums):
                if moves >= NEVER:
                    continue
                if stage.has_way_out and stage.can_hold(most - taken):
                    search = stage.search(WAY_OUT, most - taken)
                    best = min(best, _sum(moves, parts, search, is_known), key=itemgetter(0))
                if stage.has_door and is_last and self.by_door and stage.can_hold(asked - taken):
                    search = stage.search(DOOR, max(asked - taken, 0))
                    best = min(best, _sum(moves, parts, search, is_known), key=itemgetter(0))
                if stage.has_door and not is_last:
                    for more in itertools.takewhile(stage.can_hold, range(most - taken + 1)):
                        sum_ = _sum(moves, parts, stage.search(DOOR, more), is_known)
                        beyond[taken + more] = min(beyond[taken + more], sum_, key=itemgetter(0))
            sums = beyond
        return best

    def advance(self, asked: int, work: int, memory: int) -> bool:
        """Searches up to `work` states more for the fewest moves out, on one level; False if that has ended.

        Raises:
            OutOfMemoryError: its search would take more bytes than `memory` beyond what it has.
        """
        waiting = [search for search in self.shortest(asked)[1] if not search.is_proven]
        search = min(waiting, key=lambda search: search.states)
        if search.has_ended:
            return False
        search.advance(work, memory + search.bytes)
        return True

    def weighted_astar(self, asked: int, work: int, memory: int) -> bool:
        """Searches for any line, short or not, on one level that has none yet; False if none is left to search.

        Raises:
            OutOfMemoryError: its search would take more bytes than `memory` beyond what it has.
        """
        parts = self.shortest(asked)[1]
        waiting = [search for search in parts if search.best >= NEVER and not search.has_no_line_soon]
        if not waiting:
            return False
        search = min(waiting, key=lambda search: search.weighted_states)
        search.weighted_astar(work, memory + search.bytes)
        return True

    def glance(self, asked: int) -> None:
        """Searches a little longer for any line that doubles no level, and keeps what it finds."""
        for search in self.shortest(asked)[1]:
            most = search.weighted_states + _GLANCE
            with suppress(OutOfMemoryError):
                while search.is_at_one_size and not search.has_no_line_soon and search.weighted_states < most:
                    search.weighted_astar(SLICE, _GLANCE_BYTES)


def _sum(moves: int, parts: list[LevelSearch], search: LevelSearch, is_known: bool) -> Sum:
    return min(NEVER, moves + (search.best if is_known else search.least)), [*parts, search]
