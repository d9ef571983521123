"""The shortest lines out of a dungeon: the best sum of moves over its levels."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from operator import itemgetter

import numpy as np

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler.ai.search.level_search import LevelSearch, Task
from dungeon_tui.games.crawler.ai.search.terrain import NEVER, Moment, Terrain
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, TREASURE, WAY_OUT

SLICE = 4096
"""States between two checks of the clock, progress and stop: about 20 ms."""


@dataclass(frozen=True, slots=True)
class Escape:
    """An answer about the shortest lines out of a dungeon from some state on."""

    wanted: int  # least treasure at the end of the line, including treasure already held
    commands: tuple[str, ...]  # the best line, a string for each level from the current one on; empty without a line
    treasure: int  # at the end of the line, including treasure already held
    lower_bound: int | None  # no line has fewer moves; None if proven that no line exists
    pareto_front: tuple[tuple[int, int], ...]  # (treasure, fewest moves), proven, from the least treasure on
    states: int  # visited
    ended: str = ""  # why the search stopped early: "time", "memory", "size" or "stopped"

    @property
    def moves(self) -> int | None:
        """Moves of the best line, or None."""
        return sum(map(len, self.commands)) if self.commands else None

    @property
    def is_proven(self) -> bool:
        """True if proven: no line is shorter, or no line exists."""
        return self.moves == self.lower_bound

    def after(self, moves: int) -> Escape:
        """The answer `moves` moves along its best line; its front then has only the treasure wanted."""
        rest = list(self.commands)
        for _ in range(moves):
            rest[0] = rest[0][1:]
            if not rest[0]:
                del rest[0]
        bound = None if self.lower_bound is None else self.lower_bound - moves
        front = () if bound is None else ((self.wanted, bound),)
        return replace(self, commands=tuple(rest), lower_bound=bound, pareto_front=front, states=0)


@dataclass(slots=True)
class Stage:
    """A level from some state on, with the searches that begin there."""

    terrain: Terrain | None  # None: the level is too large
    start: Moment | None  # None: the board is too large
    has_door: bool
    has_way_out: bool
    max_doublings: int | None
    most_treasure: int | None  # upper bound on treasure to take; None if amulets may double it without limit
    searches: dict[tuple[int, int], LevelSearch] = field(default_factory=dict)

    @classmethod
    def of(cls, terrain: Terrain | None, tiles: ByteGrid, cell: Cell, max_doublings: int | None) -> Stage:
        """The stage that begins on a board at a cell. Raises ValueError if the terrain can't double to that board."""
        start = None if terrain is None else terrain.moment(tiles, cell)
        has_door, has_way_out = (bool(np.any(tiles == tile)) for tile in (DOOR, WAY_OUT))
        treasure, amulets = (int(np.count_nonzero(tiles == tile)) for tile in (TREASURE, AMULET))
        # A single amulet is gone after one doubling.
        most = treasure * 4**amulets if amulets < 2 else None
        return cls(terrain, start, has_door, has_way_out, max_doublings, most)

    def can_hold(self, treasure: int) -> bool:
        """False if the tiles prove that the level, copies included, has less treasure."""
        return self.most_treasure is None or treasure <= self.most_treasure

    @property
    def bytes(self) -> int:
        """Size of the searches."""
        return sum(search.bytes for search in self.searches.values())

    def search(self, goal: int, wanted: int) -> LevelSearch:
        """The cached or a new search for the fewest moves to the tile `goal` that take this much treasure."""
        key = (goal, wanted)
        if key not in self.searches:
            task = None
            if self.terrain is not None and self.start is not None:
                task = Task(self.terrain, self.start, goal, wanted, self.max_doublings)
            self.searches[key] = LevelSearch(task)
        return self.searches[key]


Sum = tuple[int, list[LevelSearch]]
"""Moves, and the searches they add up, one for each level."""


@dataclass(frozen=True, slots=True)
class DungeonSearch:
    """The searches of the levels from the current one on."""

    stages: tuple[Stage, ...]
    held: int  # treasure
    by_door: bool  # True if the door of the last level counts as a way out

    @property
    def states(self) -> int:
        """States visited by all searches."""
        return sum(search.states for stage in self.stages for search in stage.searches.values())

    @property
    def weighted_states(self) -> int:
        """States visited by the searches for any line."""
        return sum(search.weighted_states for stage in self.stages for search in stage.searches.values())

    def is_proven(self, wanted: int) -> bool:
        """True if the fewest moves out with this much treasure are proven, or that no line exists."""
        return all(search.is_proven for search in self.shortest(wanted)[1])

    def pareto_front(self, least: int, most: int) -> Iterator[tuple[int, int]]:
        """Yields (treasure, fewest moves) from `least` on while the moves are proven and a line exists."""
        for wanted in range(least, most + 1):
            moves, parts = self.shortest(wanted)
            if moves >= NEVER or not all(search.is_proven for search in parts):
                return
            yield wanted, moves

    def shortest(self, wanted: int, is_known: bool = False) -> Sum:
        """A lower bound on the moves out, or with `is_known` the moves of the best known line; and its searches."""
        # sums[taken]: the best sum to the start of a level with `taken` treasures, those held at first included.
        # Amounts
        # beyond the wanted ones count as equal; at least 1 is tracked, since it opens the ways out.
        nothing: Sum = (NEVER, [])
        most = max(wanted, 1)
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
                if stage.has_door and is_last and self.by_door and stage.can_hold(wanted - taken):
                    search = stage.search(DOOR, max(wanted - taken, 0))
                    best = min(best, _sum(moves, parts, search, is_known), key=itemgetter(0))
                if stage.has_door and not is_last:
                    for more in itertools.takewhile(stage.can_hold, range(most - taken + 1)):
                        sum_ = _sum(moves, parts, stage.search(DOOR, more), is_known)
                        beyond[taken + more] = min(beyond[taken + more], sum_, key=itemgetter(0))
            sums = beyond
        return best

    def advance(self, wanted: int, work: int, memory: int) -> bool:
        """Visits up to `work` states more for the fewest moves out, on one level; False if no search can continue."""
        waiting = [search for search in self.shortest(wanted)[1] if not search.is_proven]
        search = min(waiting, key=lambda search: search.states)
        if search.has_ended:
            return False
        search.advance(work, memory + search.bytes)
        return True

    def weighted_astar(self, wanted: int, work: int, memory: int) -> bool:
        """Visits up to `work` states for any line on one level that has none; False if no search can continue."""
        parts = self.shortest(wanted)[1]
        waiting = [search for search in parts if search.best >= NEVER and not search.has_no_line_soon]
        if not waiting:
            return False
        search = min(waiting, key=lambda search: search.weighted_states)
        search.weighted_astar(work, memory + search.bytes)
        return True


def _sum(moves: int, parts: list[LevelSearch], search: LevelSearch, is_known: bool) -> Sum:
    return min(NEVER, moves + (search.best if is_known else search.least)), [*parts, search]
