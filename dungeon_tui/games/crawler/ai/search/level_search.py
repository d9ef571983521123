"""The fewest moves out of one level by a door or a way out, with so much treasure; searched as far as is needed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dungeon_tui.games.crawler.ai import kernels
from dungeon_tui.games.crawler.ai.kernels import Ints, count_members, items_of_kind
from dungeon_tui.games.crawler.ai.search import astar
from dungeon_tui.games.crawler.ai.search.astar import Question, SearchNodes
from dungeon_tui.games.crawler.ai.search.bounds import ItemSet, fill_needs
from dungeon_tui.games.crawler.ai.search.terrain import DOUBLES, MOST_SIZES, NEVER, DistanceTables, Moment, Terrain
from dungeon_tui.games.crawler.model.level import AMULET, TREASURE

_WEIGHT = 4  # of the heuristic where any line will do
_MOST_AT_ONE_SIZE = 1 << 16  # states looked at for some line that doubles nothing
_MOST_MOVES = 1 << 18
_MOST_WORDS = 1 << 31


class OutOfMemoryError(Exception):
    """Raised when a search would need more memory than it may take."""


@dataclass(frozen=True, slots=True)
class Task:
    """A way out of a level that is searched for."""

    terrain: Terrain
    start: Moment
    goal: int  # the tile to leave by
    asked: int  # treasure to take
    max_doublings: int | None  # from the start on

    @property
    def tables(self) -> DistanceTables:
        """Tables for the kernels: distances, and the effects of amulets under this task's cap on doublings."""
        cap = self.max_doublings
        return self.terrain.tables.barred_from(None if cap is None else self.start.size + cap)

    @property
    def most_sizes(self) -> int:
        """Number of sizes that the level can come to by doubling, and there is room for."""
        start = self.start
        amulets = count_members(items_of_kind(self.terrain.boards, start.size, start.items, AMULET))
        # A single amulet is gone after one doubling; of more, some are left.
        most = start.size + 1 + amulets if amulets < 2 else MOST_SIZES
        stops = self.tables.amulets[start.size :] != DOUBLES
        doublings = int(np.argmax(stops)) if np.any(stops) else MOST_SIZES
        return min(most, start.size + 1 + doublings, self.terrain.room)


class AStar:
    """An A* search for the best line of a task, a slice of states at a time."""

    def __init__(self, task: Task, weight: int = 1, exact_moves: int | None = None) -> None:
        """Prepares a search that has looked at no state.

        Args:
            task: searched for.
            weight: of the heuristic; from 2 on, any line ends the search.
            exact_moves: all lines of so many moves are looked at, which none is shorter than.
        """
        self.task, self.weight, self.exact_moves = task, weight, exact_moves
        self.has_ended = False
        terrain, start = task.terrain, task.start
        terrain.widen(min(start.size + 2, task.most_sizes))
        items = start.items.copy()
        if task.asked == 0:
            items &= ~items_of_kind(terrain.boards, start.size, items, TREASURE)
        record = np.concatenate([[0, start.size], items, [0, 0, start.cell | 1 << astar.SET_AT], start.monsters])
        words = np.zeros(max(1 << 12, len(record)), np.int64)
        words[: len(record)] = record
        tally = np.zeros(11, np.int64)
        tally[[astar.BEST, astar.LOST, astar.LIMIT]] = NEVER
        tally[astar.BEST_STATE] = -1
        tally[[astar.FREE, astar.NEEDS]] = (
            len(record),
            (task.asked + 1) * terrain.boards.layout[start.size, kernels.ITEMS],
        )
        if exact_moves is not None:
            tally[[astar.LIMIT, astar.SPARE]] = exact_moves + 1, 1
        self._start = 2 + len(items) + astar.LINKS  # place of the first state
        heads = np.zeros(_MOST_MOVES, np.int32)
        heads[0] = self._start
        needs: Ints = np.empty(max(1 << 10, int(tally[astar.NEEDS])), np.int32)
        fill_needs(terrain.boards, task.tables, ItemSet(words, 2, start.size, task.goal), needs[: tally[astar.NEEDS]])
        self.nodes = SearchNodes(words, np.zeros(1 << 11, np.int64), heads, needs, tally)

    @property
    def states(self) -> int:
        """Number of states looked at."""
        return int(self.nodes.tally[astar.TAKEN])

    @property
    def best(self) -> int:
        """Moves of the best line found; NEVER before that."""
        return int(self.nodes.tally[astar.BEST])

    @property
    def least(self) -> int:
        """Lower bound on every line's moves for a weight of 1; for others NEVER if it is proven that none leads out.

        No state that waits has a lower bound; a line to a board that is too large has at least the bound kept for it.
        """
        tally = self.nodes.tally
        waiting = int(tally[astar.NOW]) if tally[astar.NOW] < len(self.nodes.heads) else NEVER
        return int(min(waiting, tally[astar.BEST], tally[astar.LOST]))

    @property
    def bytes(self) -> int:
        """Bytes taken by the search's arrays."""
        return sum(array.nbytes for array in self.nodes)

    @property
    def commands(self) -> str:
        """The commands of the best line found, a letter each."""
        state, line = int(self.nodes.tally[astar.BEST_STATE]), [int(self.nodes.tally[astar.BEST_WAY])]
        while state != self._start:
            links, cost = self.nodes.words[state - 2 : state].tolist()
            line.append(cost >> 32)
            state = links >> 32
        return "".join(kernels.COMMANDS[way] for way in reversed(line))

    def advance(self, work: int, memory: int) -> None:
        """Searches on through up to `work` states more.

        Raises:
            OutOfMemoryError: it would take more bytes than `memory`.
        """
        task, terrain, most = self.task, self.task.terrain, self.task.most_sizes
        question = Question(task.goal, task.asked, self.weight, most, min(most, terrain.cheap))
        ended = astar.search_states(terrain.boards, task.tables, self.nodes, question, self._rooms(), work)
        if ended == astar.WIDER:
            terrain.widen(len(terrain.boards.layout) + 1)
        elif ended == astar.FULL:
            self._grow(memory)
        self.has_ended = bool(ended == astar.ENDED)

    def count_lines(self) -> int | None:
        """Number of lines of `exact_moves`, once the search has ended; None where boards were too large for some."""
        assert self.exact_moves is not None
        if self.nodes.tally[astar.LOST] <= self.exact_moves:
            return None
        task, boards = self.task, self.task.terrain.boards
        question = Question(task.goal, task.asked, 1, task.most_sizes, 0)
        sketch = len(self.nodes.words) - self._rooms()[2]
        return int(astar.count_lines(boards, task.tables, self.nodes, question, self._start, self.exact_moves, sketch))

    def _rooms(self) -> tuple[int, int, int]:
        """Words and needs that looking at one state takes at most, and words at the end in which turns are played."""
        columns = self.task.terrain.boards.layout[-1, [kernels.ITEMS, kernels.ITEM_WORDS, kernels.CELL_WORDS]]
        items, item_words, cell_words = columns.tolist()
        sketch = 2 * (1 + item_words + cell_words)  # two keys of sets, each followed by monsters
        return 5 * (item_words + cell_words + 5) + sketch, 5 * (self.task.asked + 1) * items, sketch

    def _grow(self, memory: int) -> None:
        """Enlarges the arrays that are nearly full. Raises OutOfMemoryError beyond so many bytes.

        The arrays are grown where they are, as far as the system can: but for the table, which is counted twice then,
        nothing is held twice.
        """
        nodes, (more_words, more_needs, _) = self.nodes, self._rooms()
        words = _enough_room(len(nodes.words), int(nodes.tally[astar.FREE]) + 2 * more_words)
        needs = _enough_room(len(nodes.needs), int(nodes.tally[astar.NEEDS]) + 2 * more_needs)
        slots = len(nodes.slots)
        while 2 * slots < 3 * (int(nodes.tally[astar.ENTRIES]) + 10):
            slots *= 2
        table = slots if slots == len(nodes.slots) else slots + len(nodes.slots)
        if words > _MOST_WORDS or 8 * (words + table) + 4 * (needs + len(nodes.heads)) > memory:
            raise OutOfMemoryError
        nodes.words.resize(words, refcheck=False)
        nodes.needs.resize(needs, refcheck=False)
        if slots > len(nodes.slots):
            self.nodes = nodes._replace(slots=astar.enlarged(nodes.slots, slots))


def _enough_room(room: int, wanted: int) -> int:
    while room < wanted:
        room += room // 2
    return room


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
    is_at_one_size: bool = True  # weighted A* doubles nothing, as yet
    _exact: AStar | None = None
    _weighted: AStar | None = None

    @property
    def is_proven(self) -> bool:
        """True if no line is shorter than the best, or there is none."""
        return self.least >= self.best

    @property
    def bytes(self) -> int:
        """Bytes taken by the search's arrays."""
        return sum(search.bytes for search in (self._exact, self._weighted) if search is not None)

    def advance(self, work: int, memory: int) -> None:
        """Searches on through up to `work` states more.

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

    def weighted_astar(self, work: int, memory: int) -> None:
        """Searches on for any line through up to `work` states more, unless one is known or this was in vain.

        At first amulets are left alone: the bound, which knows little of doubled boards, makes searches lose themselves
        there.

        Raises:
            OutOfMemoryError: it would take more bytes than `memory`.
        """
        if self.has_no_line_soon or self.best < NEVER or self.task is None:
            self.has_no_line_soon = True
            return
        is_first = self.is_at_one_size and self.task.most_sizes > self.task.start.size + 1
        if self._weighted is None:
            self._weighted = AStar(replace(self.task, max_doublings=0) if is_first else self.task, _WEIGHT)
        search, before = self._weighted, self._weighted.states
        search.advance(work, memory - (self.bytes - search.bytes))
        self.weighted_states += search.states - before
        self._keep_best(search)
        if search.best < NEVER or (search.has_ended and not is_first):
            self.has_no_line_soon, self._weighted = True, None
            if search.best >= NEVER and search.least >= NEVER:  # all has been looked at, and no line leads out
                self.least = NEVER
                self._end()
        elif is_first and (search.has_ended or search.states >= _MOST_AT_ONE_SIZE):
            self.is_at_one_size, self._weighted = False, None

    def _end(self) -> None:
        self.has_ended = self.has_no_line_soon = True
        self._exact = self._weighted = None

    def _keep_best(self, search: AStar) -> None:
        if search.best < self.best:
            self.best, self.commands = search.best, search.commands
