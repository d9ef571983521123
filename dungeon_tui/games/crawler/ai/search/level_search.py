"""The fewest moves out of one level by a door or a way out, with so much treasure; searched as far as is needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dungeon_tui.games.crawler.ai.kernels import COMMANDS, count_members, items_of_kind
from dungeon_tui.games.crawler.ai.search.astar import ENDED, FULL, WIDER, Question, count_lines, search_states
from dungeon_tui.games.crawler.ai.search.bounds import ItemSet, fill_needs
from dungeon_tui.games.crawler.ai.search.distances import DOUBLES, NEVER, DistanceTables
from dungeon_tui.games.crawler.ai.search.nodes import (
    BEST,
    LIMIT,
    LOST,
    NEEDS,
    SPARE,
    TAKEN,
    SearchNodes,
    best_line,
    first_nodes,
    grown,
    least_moves,
    nodes_bytes,
    rooms,
    sketch_words,
    start_of,
)
from dungeon_tui.games.crawler.ai.search.terrain import MOST_SIZES, Moment, Terrain
from dungeon_tui.games.crawler.model.level import AMULET, TREASURE

_WEIGHT = 4  # of the heuristic where any line will do
_MOST_AT_ONE_SIZE = 1 << 16  # states looked at for some line that doubles nothing


class OutOfMemoryError(Exception):
    """Raised when a search would need more memory than it may take."""


@dataclass(slots=True)
class Task:
    """A way out of a level that is searched for."""

    terrain: Terrain
    start: Moment
    goal: int  # the tile to leave by
    asked: int  # treasure to take
    max_doublings: int | None  # from the start on

    @property
    def tables(self) -> DistanceTables:
        """The distances, and what amulets do as far as this search is asked."""
        cap = self.max_doublings
        return self.terrain.tables.barred_from(None if cap is None else self.start.size + cap)

    @property
    def most_sizes(self) -> int:
        """Number of boards that there can be, and there is room for."""
        start = self.start
        amulets = count_members(items_of_kind(self.terrain.boards, start.size, start.items, AMULET))
        # A single amulet is gone after one doubling; of more, some are left.
        most = start.size + 1 + min(amulets, 1) if amulets < 2 else MOST_SIZES
        stops = self.tables.amulets[start.size :] != DOUBLES
        doublings = int(np.argmax(stops)) if np.any(stops) else MOST_SIZES
        return min(most, start.size + 1 + doublings, self.terrain.room)


@dataclass(slots=True)
class AStar:
    """One search for a task, in slices."""

    task: Task
    weight: int = 1  # of the heuristic; from 2 on, any line ends the search
    exact_moves: int | None = None  # all lines of so many moves are looked at, which none is shorter than
    nodes: SearchNodes | None = None
    has_ended: bool = False

    @property
    def states(self) -> int:
        """States taken out."""
        return 0 if self.nodes is None else int(self.nodes.tally[TAKEN])

    @property
    def best(self) -> int:
        """Moves of the best line found; NEVER before that."""
        return NEVER if self.nodes is None else int(self.nodes.tally[BEST])

    @property
    def least(self) -> int:
        """A bound from below on every line for a weight of 1; for others NEVER if it is proven that none leads out."""
        return 0 if self.nodes is None else least_moves(self.nodes)

    @property
    def bytes(self) -> int:
        """Bytes of its arrays."""
        return nodes_bytes(self.nodes)

    @property
    def commands(self) -> str:
        """The best line found."""
        assert self.nodes is not None
        return "".join(COMMANDS[way] for way in best_line(self.nodes, self.task.terrain.boards))

    def advance(self, work: int, memory: int) -> None:
        """Looks at that many states.

        Raises:
            OutOfMemoryError: it would take more bytes than `memory`.
        """
        task, terrain, most = self.task, self.task.terrain, self.task.most_sizes
        if self.nodes is None:
            self.nodes = self._first_nodes(min(task.start.size + 2, most))
        question = Question(task.goal, task.asked, self.weight, most, min(most, terrain.cheap))
        boards = terrain.boards
        room = (*rooms(boards, task.asked), sketch_words(boards))
        ended = search_states(boards, task.tables, self.nodes, question, room, work)
        if ended == WIDER:
            terrain.widen(boards.sizes + 1)
        elif ended == FULL:
            larger = grown(self.nodes, boards, task.asked, memory)
            if larger is None:
                raise OutOfMemoryError
            self.nodes = larger
        self.has_ended = bool(ended == ENDED)

    def count_lines(self) -> int | None:
        """Number of lines of `exact_moves`, once the search has ended; None where boards were too large for some."""
        assert self.nodes is not None
        assert self.exact_moves is not None
        if self.nodes.tally[LOST] <= self.exact_moves:
            return None
        boards, task = self.task.terrain.boards, self.task
        question = Question(task.goal, task.asked, 1, task.most_sizes, 0)
        start, sketch = start_of(self.nodes, boards), len(self.nodes.words) - sketch_words(boards)
        return int(count_lines(boards, task.tables, self.nodes, question, start, self.exact_moves, sketch))

    def _first_nodes(self, sizes: int) -> SearchNodes:
        task, start = self.task, self.task.start
        task.terrain.widen(sizes)
        boards, items = task.terrain.boards, start.items.copy()
        if task.asked == 0:
            items &= ~items_of_kind(boards, start.size, items, TREASURE)
        nodes = first_nodes(boards, task.asked, (start.cell, items, start.monsters), start.size)
        needs = nodes.needs[: nodes.tally[NEEDS]]
        fill_needs(boards, task.tables, ItemSet(nodes.words, 2, start.size, task.goal), needs)
        if self.exact_moves is not None:
            nodes.tally[[LIMIT, SPARE]] = self.exact_moves + 1, 1
        return nodes


@dataclass(slots=True)
class LevelSearch:
    """The fewest moves to a door or a way out with so much treasure taken on the level; before that, any line."""

    task: Task | None  # None: the level, or its board, is too large
    least: int = 0
    best: int = NEVER
    commands: str = ""
    states: int = 0
    weighted_states: int = 0
    has_ended: bool = False
    has_no_line_soon: bool = False  # weighted A* is of no use any more
    _exact: AStar | None = None
    _weighted: AStar | None = None

    @property
    def is_proven(self) -> bool:
        """True if no line is shorter than the best, or there is none."""
        return self.least >= self.best

    @property
    def bytes(self) -> int:
        """Bytes of its arrays."""
        return sum(search.bytes for search in (self._exact, self._weighted) if search is not None)

    def advance(self, work: int, memory: int) -> None:
        """Looks at that many states.

        Raises:
            OutOfMemoryError: it would take more bytes than `memory`.
        """
        if self.has_ended or self.task is None:
            self.has_ended = True
            return
        search = self._exact = self._exact or AStar(self.task)
        search.advance(work, memory - (self.bytes - search.bytes))
        self.least, self.states = max(self.least, search.least), search.states
        self._keep_best(search)
        if search.has_ended or self.is_proven:
            self._end()

    @property
    def is_at_one_size(self) -> bool:
        """True as long as weighted A* doubles nothing."""
        return self._weighted is None or self._weighted.task.most_sizes == self._weighted.task.start.size + 1

    def weighted_astar(self, work: int, memory: int) -> None:
        """Looks at that many states for some line, unless one is known or this was in vain.

        At first amulets are left alone: the bound, which knows little of doubled boards, makes searches lose themselves
        there.

        Raises:
            OutOfMemoryError: it would take more bytes than `memory`.
        """
        if self.has_no_line_soon or self.best < NEVER or self.task is None:
            self.has_no_line_soon = True
            return
        task = self.task
        is_single = task.most_sizes == task.start.size + 1
        if self._weighted is None:
            alone = task if is_single else Task(task.terrain, task.start, task.goal, task.asked, 0)
            self._weighted = AStar(alone, _WEIGHT)
        search, before = self._weighted, self._weighted.states
        search.advance(work, memory - (self.bytes - search.bytes))
        self.weighted_states += search.states - before
        self._keep_best(search)
        is_first = not is_single and search.task is not task
        if search.best < NEVER or (search.has_ended and not is_first):
            self.has_no_line_soon, self._weighted = True, None
            if search.best >= NEVER and search.least >= NEVER:  # all has been looked at, and no line leads out
                self.least = NEVER
                self._end()
        elif is_first and (search.has_ended or search.states >= _MOST_AT_ONE_SIZE):
            self._weighted = AStar(task, _WEIGHT)

    def _end(self) -> None:
        self.has_ended = self.has_no_line_soon = True
        self._exact = self._weighted = None

    def _keep_best(self, search: AStar) -> None:
        if search.best < self.best:
            self.best, self.commands = search.best, search.commands
