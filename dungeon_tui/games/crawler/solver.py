"""Exact answers about the crawler, through the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.engine import UNREACHED, distance_map, downhill, path
from dungeon_tui.games.crawler import rules
from dungeon_tui.games.crawler.bounds import NEVER
from dungeon_tui.games.crawler.dungeon import Dungeon
from dungeon_tui.games.crawler.escape import LevelSearch, OutOfMemoryError, Terrain
from dungeon_tui.games.crawler.level import DOOR, OPEN, PILLAR, TREASURE, WAY_OUT, Level
from dungeon_tui.games.crawler.state import ACTION_OF, Action, State, Status

Progress = Callable[[int, int, int], None]

MEMORY = 3 << 30
"""What a search may take, in bytes, unless told otherwise."""

_SLICE = 4096  # states between two looks at the clock, progress and stop: some 20 ms
_PATIENCE = 50_000  # states before some line is looked for, too, in case that the shortest is never found


class NoRouteError(ValueError):
    """No walk leads there."""


def route(state: State, cell: Cell) -> tuple[Action, ...]:
    """A shortest walk to a cell over open floor and treasure, as if no monster moved.

    Doors, ways out and amulets change the level: they are entered only as the goal.

    Raises:
        NoRouteError: there is none.
    """
    tiles = state.board.copy()
    passable = (tiles == OPEN) | (tiles == TREASURE)
    passable[cell] = True
    passable[state.adventurer] = True
    distance = distance_map(passable, np.array([cell]), diagonal=False)
    if distance[state.adventurer] == UNREACHED:
        raise NoRouteError(f"no way leads to row {cell.row}, column {cell.col}")
    cells = path(distance, state.adventurer, diagonal=False)
    steps = np.diff(cells, axis=0)
    return tuple(ACTION_OF[Direction((int(rows), int(cols)))] for rows, cols in steps)


def distances(state: State, has_steps: bool = True) -> tuple[NDArray[np.int32], NDArray[np.uint8] | None]:
    """How far every cell is from the adventurer's, four ways, pillars being all that stops.

    Returns:
        (height, width) int32 steps; (height, width) uint8 rows of engine.STEPS that lead to the adventurer, if asked
        for.
    """
    distance = distance_map(state.board.copy() != PILLAR, np.array([state.adventurer]), diagonal=False)
    return distance, downhill(distance, diagonal=False) if has_steps else None


@dataclass(frozen=True, slots=True)
class Escape:
    """What is known of the shortest lines out of a dungeon."""

    asked: int  # treasure
    commands: tuple[str, ...]  # the best line, a text for each level it enters; empty where none is known
    treasure: int  # what it collects
    lower_bound: int | None  # no line has fewer moves; None where there is none at all
    frontier: tuple[tuple[int, int], ...]  # (treasure, fewest moves), proven, for 1, 2, 3 ... treasures
    states: int  # looked at
    ended: str = ""  # what stopped the search, if it did: "time", "memory", "size" or "stopped"

    @property
    def moves(self) -> int | None:
        """Of the best line; None where none is known."""
        return sum(map(len, self.commands)) if self.commands else None

    @property
    def is_proven(self) -> bool:
        """Whether no line is shorter, or there is none."""
        return self.moves == self.lower_bound


def escape(
    dungeon: Dungeon,
    treasure: int = 1,
    *,
    max_doublings: int | None = None,
    time_limit: float | None = None,
    memory: int = MEMORY,
    stop: Event | None = None,
    progress: Progress | None = None,
) -> Escape:
    """The fewest moves that leave a dungeon by a way out, on any level, with so much treasure.

    Levels are searched apart (search.py), each for the fewest moves to its door and to its way out with 0, 1, 2 ...
    treasures, but only as far as the best sum over the levels needs it: as long as that sum holds a number that is no
    more than a bound, its search goes on. That a way out needs treasure of any level so far is met by the sum.

    Args:
        dungeon: its levels, all that were asked for.
        treasure: how much at least, from 1 on.
        max_doublings: lines that double a level more often are left out.
        time_limit: seconds, after which the best that is known is returned.
        memory: bytes that the searches may take.
        stop: set by another thread to end as if the time were over.
        progress: told now and then, in the calling thread, (treasure asked for now, states, lower bound).

    Returns:
        What was found. Proven means: every shorter line has been examined or is shut out by a bound, on doubled boards
        too. That there is no line is proven without a cap on doublings only where the search comes to an end: no amulet
        can be reached, or the last one is taken, or no number of copies holds a way out that can be reached.

    Raises:
        ValueError: treasure is below 1.
    """
    if treasure < 1:
        raise ValueError(f"a way out needs treasure: at least 1, not {treasure}")
    plan = _Plan(dungeon, max_doublings)
    deadline = None if time_limit is None else monotonic() + time_limit
    frontier: list[tuple[int, int]] = []
    bound = 0
    for asked in range(1, treasure + 1):
        while True:
            bound, parts = plan.shortest(asked)
            waiting = [search for search in parts if not search.is_proven]
            if not waiting:
                break
            if progress is not None:
                progress(asked, plan.states, bound)
            if stop is not None and stop.is_set():
                return plan.unproven(treasure, frontier, bound, "stopped")
            if deadline is not None and monotonic() >= deadline:
                return plan.unproven(treasure, frontier, bound, "time")
            search = min(waiting, key=lambda search: search.states)
            if search.has_ended:
                return plan.unproven(treasure, frontier, bound, "size")
            try:
                search.advance(_SLICE, memory - plan.bytes + search.bytes)
                if plan.states > _PATIENCE:
                    plan.haste(treasure, memory)
            except OutOfMemoryError:
                return plan.unproven(treasure, frontier, bound, "memory")
        if bound >= NEVER:
            return Escape(treasure, (), 0, None, tuple(frontier), plan.states)
        frontier.append((asked, bound))
    commands = tuple(search.commands for search in parts)
    collected = _replayed(dungeon, commands, treasure, bound)
    return Escape(treasure, commands, collected, bound, tuple(frontier), plan.states)


_Sum = tuple[int, list[LevelSearch]]  # moves, at least, and the searches that say so


@dataclass(slots=True)
class _Plan:
    """The searches of all levels, and the best sum over them."""

    dungeon: Dungeon
    max_doublings: int | None
    terrains: dict[int, Terrain | None] = field(default_factory=dict)
    searches: dict[tuple[int, int, int], LevelSearch] = field(default_factory=dict)

    @property
    def states(self) -> int:
        """Looked at by all searches."""
        return sum(search.states for search in self.searches.values())

    @property
    def bytes(self) -> int:
        """Taken by all searches."""
        terrains = sum(terrain.bytes for terrain in self.terrains.values() if terrain is not None)
        return terrains + sum(search.bytes for search in self.searches.values())

    def shortest(self, asked: int, is_known: bool = False) -> _Sum:
        """The least sum of what the levels take at least, or by the lines that are known, and whose sum it is.

        A line has left `number` levels by their doors with `taken` treasures, counted up to those asked for.
        """
        levels = self.dungeon.levels
        nothing: _Sum = (NEVER, [])
        sums: list[_Sum] = [(0, []), *([nothing] * asked)]
        best = nothing
        for number, level in enumerate(levels):
            has_door, has_way_out = (bool(np.any(level.tiles == tile)) for tile in (DOOR, WAY_OUT))
            beyond = [nothing] * (asked + 1)
            for taken, (moves, parts) in enumerate(sums):
                if moves >= NEVER:
                    continue
                if has_way_out:
                    search = self._search(number, WAY_OUT, asked - taken)
                    best = min(best, _sum(moves, parts, search, is_known), key=_moves)
                if has_door and number + 1 < len(levels):
                    for more in range(asked - taken + 1):
                        search = self._search(number, DOOR, more)
                        beyond[taken + more] = min(
                            beyond[taken + more], _sum(moves, parts, search, is_known), key=_moves
                        )
            sums = beyond
        return best

    def haste(self, asked: int, memory: int) -> None:
        """Goes on with the search for some line on a level that has none yet."""
        for search in self.shortest(asked)[1]:
            if search.best == NEVER and not search.has_hasted and search.hasty_states <= self.states // 4:
                search.haste(_SLICE, memory - self.bytes + search.bytes)
                return

    def unproven(self, asked: int, frontier: list[tuple[int, int]], bound: int, why: str) -> Escape:
        """What is known where the search was stopped; the bound may be one for less treasure."""
        least = self.shortest(asked)[0]
        if least >= NEVER:
            return Escape(asked, (), 0, None, tuple(frontier), self.states, why)
        bound = max(bound, least, *(moves for _, moves in frontier[-1:]))
        moves, parts = self.shortest(asked, is_known=True)
        commands = tuple(search.commands for search in parts)
        treasure = _replayed(self.dungeon, commands, asked, moves) if commands else 0
        return Escape(asked, commands, treasure, bound, tuple(frontier), self.states, why)

    def _search(self, number: int, goal: int, asked: int) -> LevelSearch:
        """The search on a level, from 0, for so much treasure; its first state at once, which gives a bound."""
        key = (number, goal, asked)
        if key not in self.searches:
            level = self.dungeon.levels[number]
            if number not in self.terrains:
                self.terrains[number] = Terrain.of(level, self.dungeon.cell_limit, self.max_doublings)
            self.searches[key] = LevelSearch(self.terrains[number], goal, asked)
        return self.searches[key]


def _sum(moves: int, parts: list[LevelSearch], search: LevelSearch, is_known: bool) -> _Sum:
    return min(NEVER, moves + (search.best if is_known else search.least)), [*parts, search]


def _moves(sum_: _Sum) -> int:
    return sum_[0]


def _replayed(dungeon: Dungeon, commands: tuple[str, ...], asked: int, moves: int) -> int:
    """The treasure that a line collects by the rules.

    Raises:
        AssertionError: it is not what the search took it for; that would be our mistake.
    """
    state = rules.start(dungeon)
    for number, letters in enumerate(commands, 1):
        assert state.number == number, f"the line is not on level {number}"
        for letter in letters:
            state, _ = rules.step(state, Action(letter))
    assert state.status is Status.ESCAPED, f"the line ends {state.status.value}"
    assert state.treasure >= asked, f"the line collects {state.treasure} treasures, not {asked}"
    assert state.moves == moves, f"the line takes {state.moves} moves, not {moves}"
    return state.treasure


def prepare() -> None:
    """Compiles the search, or loads it, on a tiny dungeon."""
    tiles = np.frombuffer(b"-$@!", np.uint8).reshape(1, 4)
    escape(Dungeon("tiny", (Level("tiny", tiles, Cell(0, 0)),), asked=1))
