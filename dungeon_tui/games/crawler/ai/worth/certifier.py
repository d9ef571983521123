"""Finds out what a level is worth (certificate.py), within limits of time or of states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event
from time import monotonic

import numpy as np

from dungeon_tui.core.grid import Cell, cells_of
from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.ai import solver
from dungeon_tui.games.crawler.ai.search.distances import NEVER
from dungeon_tui.games.crawler.ai.search.dungeon_search import SLICE, Escape, Stage
from dungeon_tui.games.crawler.ai.search.level_search import AStar, OutOfMemoryError
from dungeon_tui.games.crawler.ai.search.terrain import Terrain
from dungeon_tui.games.crawler.ai.solver import escape
from dungeon_tui.games.crawler.ai.worth.certificate import MAX_DOUBLINGS, MOST_LINES, Certificate
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import alone
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, MAX_CELLS, MONSTER, OPEN, WAY_OUT, Level
from dungeon_tui.games.crawler.model.state import State

MOST_STATES = 4_000_000
"""States are looked at up to here for the number of solutions, unless told otherwise."""

MEMORY = 1 << 30
"""Bytes that a search for some line or for all of them may take."""

Tell = Callable[[str, int], None]
"""Told now and then what is being looked for, and how many states were looked at for it."""


@dataclass(slots=True)
class Certifier:
    """Answers questions about one level, within limits."""

    level: Level
    max_doublings: int = MAX_DOUBLINGS
    most_states: int | None = None  # a question; the same answers on every machine, where time is no limit
    time_limit: float | None = None  # seconds for all questions
    stop: Event | None = None
    tell: Tell | None = None
    brought: int = 0  # treasure of earlier levels
    states: int = 0  # looked at so far
    _began: float = 0.0

    def __post_init__(self) -> None:
        self._began = monotonic()

    @property
    def time_left(self) -> float | None:
        """Seconds; None without a limit."""
        return None if self.time_limit is None else max(0.0, self._began + self.time_limit - monotonic())

    def certify(self) -> Certificate:
        """Answers them all, those that may take longest last.

        Cost:
            The solver's for the fewest moves, once more for the level without amulets and without each monster; then
            those of counting.py and riches.py.
        """
        best = self.escape("the fewest moves")
        can_be_won = _can_be(best)
        needs_brought = self.needs_treasure_brought() if can_be_won is False else can_be_won and False
        with_brought = self.bringing(1).certify() if needs_brought else None
        solutions = 0 if can_be_won is False else None
        if best.moves is not None and best.is_proven:
            solutions = self.solutions(best.moves)
        amulet_needed = self.is_amulet_needed(best)
        matter = self.monsters_that_matter(best)
        treasure, is_most = self.most_treasure(best.treasure - self.brought) if can_be_won else (0, False)
        amulets, monsters = (int(np.count_nonzero(self.level.tiles == tile)) for tile in (AMULET, MONSTER))
        return Certificate(
            max_doublings=self.max_doublings,
            can_be_won=can_be_won,
            brings_treasure=self.brought > 0,
            needs_treasure_brought=needs_brought,
            with_treasure_brought=with_brought,
            moves=best.moves,
            lower_bound=best.lower_bound,
            commands="".join(best.commands),
            solutions=solutions,
            amulets=amulets,
            amulet_needed=amulet_needed,
            monsters=monsters,
            monsters_that_matter=matter,
            most_treasure=treasure if is_most else None,
            treasure_known=treasure,
            states=self.states,
        )

    def needs_treasure_brought(self) -> bool | None:
        """True if a level that can't be won could be with treasure of an earlier one; None where that is open."""
        return False if self.brought else _can_be(self.bringing(1).escape("a way out with treasure brought along"))

    def bringing(self, treasure: int) -> Certifier:
        """The same questions, within what is left of the limits, for who brings treasure of earlier levels."""
        return replace(self, brought=treasure, time_limit=self.time_left)

    def solutions(self, moves: int) -> int | None:
        """Number of lines of the fewest moves that win, up to MOST_LINES; None where that is open."""
        if self.tell is not None:
            self.tell("counting the shortest solutions", 0)
        stage, lines, before = self._stage(), 0, self.states
        most = self.most_states or MOST_STATES
        for goal, asked in ((DOOR, 0), (WAY_OUT, 0 if self.brought else 1)):
            task = stage.search(goal, asked).task
            if task is None:
                return None
            search = AStar(task, exact_moves=moves)
            while not search.has_ended:
                if self._is_over(0) or self.time_left == 0 or self.states - before + search.states > most:
                    return None
                try:
                    search.advance(SLICE, MEMORY)
                except OutOfMemoryError:
                    return None
            self.states += search.states
            found = search.count_lines()
            if found is None:
                return None
            lines += found
        return min(lines, MOST_LINES)

    def is_amulet_needed(self, best: Escape) -> bool | None:
        """True if a level whose shortest line is known can't be won without doubling it; None where that is open."""
        if best.moves is None:
            return _can_be(best)
        if not doubles(self.level, best.commands[0]):
            return False
        can_be_without = _can_be(self.escape("a way without an amulet", max_doublings=0))
        return None if can_be_without is None else not can_be_without

    def monsters_that_matter(self, best: Escape) -> tuple[Cell, ...] | None:
        """Those without which, one at a time, the fewest moves are others."""
        matter = []
        for cell in cells_of(np.argwhere(self.level.tiles == MONSTER)):
            does_matter = self.does_matter(cell, best)
            if does_matter is None:
                return None
            if does_matter:
                matter.append(cell)
        return tuple(matter) if best.is_proven else None

    def does_matter(self, monster: Cell, best: Escape) -> bool | None:
        """True if without this monster the fewest moves differ from the best line's; None where that is open."""
        if not best.is_proven:
            return None
        tiles = self.level.tiles.copy()
        tiles[monster] = OPEN
        found = self.escape("monsters that matter", replace(self.level, tiles=tiles))
        if found.is_proven:
            return found.moves != best.moves
        is_shorter = found.moves is not None and (best.moves is None or found.moves < best.moves)
        is_longer = best.moves is not None and found.lower_bound is not None and found.lower_bound > best.moves
        return True if is_shorter or is_longer else None

    def most_treasure(self, known: int) -> tuple[int, bool]:
        """The most treasure of its own that the level is known to be left with, and whether that is proven.

        No line needs to be short, so each number takes weighted A*: it ends with a line or, where all has been looked
        at, without any.

        Args:
            known: so much is possible.
        """
        stage = self._stage()
        while (can_be := self._can_be_left_with(known + 1, stage)) is True:
            known += 1
            stage.searches.clear()
        return known, can_be is False

    def _can_be_left_with(self, asked: int, stage: Stage) -> bool | None:
        searches = [stage.search(goal, asked) for goal in (DOOR, WAY_OUT)]
        before = self.states
        while all(search.best >= NEVER for search in searches):
            waiting = [search for search in searches if not search.has_no_line_soon]
            if not waiting:
                return False if all(search.is_proven for search in searches) else None
            states = sum(search.weighted_states for search in searches)
            self.states = before + states
            if self.tell is not None:
                self.tell(f"a line with {counted(asked, 'treasure')}", states)
            if self._is_over(states) or self.time_left == 0:
                return None
            try:
                for search in waiting:
                    search.weighted_astar(SLICE, MEMORY)
            except OutOfMemoryError:
                return None
        self.states = before + sum(search.weighted_states for search in searches)
        return True

    def _stage(self) -> Stage:
        tiles = self.level.tiles
        return Stage.of(Terrain.of(tiles, MAX_CELLS), tiles, self.level.start, self.max_doublings)

    def escape(
        self,
        what: str,
        level: Level | None = None,
        treasure: int = 0,
        max_doublings: int | None = None,
    ) -> Escape:
        """The best answer, within the limits, about the fewest moves that win.

        Args:
            what: is being looked for, as people are told.
            level: another than the one in question.
            treasure: how much to leave with, at least.
            max_doublings: fewer than for the other questions.
        """
        end = Event()

        def watch(_asked: int, states: int, _bound: int) -> None:
            if self.tell is not None:
                self.tell(what, states)
            if self._is_over(states):
                end.set()

        found = escape(
            replace(rules.start(alone(level or self.level)), treasure=self.brought),
            treasure,
            by_door=True,
            max_doublings=self.max_doublings if max_doublings is None else max_doublings,
            time_limit=self.time_left,
            stop=end,
            progress=watch,
        )
        self.states += found.states
        return found

    def _is_over(self, states: int) -> bool:
        """True if a question is to be left open after so many states."""
        has_seen_enough = self.most_states is not None and states >= self.most_states
        return has_seen_enough or (self.stop is not None and self.stop.is_set())


def prepare() -> None:
    """Compiles all that a certificate takes, or loads it: no clock is to run meanwhile."""
    solver.prepare()
    Certifier(Level("tiny", np.frombuffer(b"-?", np.uint8).reshape(1, 2), Cell(0, 0))).solutions(1)


def _can_be(found: Escape) -> bool | None:
    """True if a line leads out; None where that is open."""
    return True if found.moves is not None else False if found.is_proven else None


def played(level: Level, commands: str) -> State:
    """The level after a line, or after that part of it after which it is over."""
    *_, state = rules.moments(rules.start(alone(level)), commands)
    return state


def doubles(level: Level, commands: str) -> bool:
    """True if a line doubles the level."""
    return bool(played(level, commands).board.height > level.tiles.shape[0])
