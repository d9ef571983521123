"""The fewest moves out of one level by a door or a way out with a wanted amount of treasure; runs in slices."""

from dataclasses import dataclass

import numpy as np

from dungeon_tui.games.crawler.ai import kernels
from dungeon_tui.games.crawler.ai.kernels import Ints, count_members, items_of_kind
from dungeon_tui.games.crawler.ai.search import astar
from dungeon_tui.games.crawler.ai.search.astar import Question, SearchNodes
from dungeon_tui.games.crawler.ai.search.bounds import ItemSet, fill_needs
from dungeon_tui.games.crawler.ai.search.terrain import DOUBLES, MOST_SIZES, NEVER, DistanceTables, Moment, Terrain
from dungeon_tui.games.crawler.model.level import AMULET, TREASURE

_WEIGHT = 4  # of the heuristic when searching for any line
_MOST_MOVES = 1 << 18
_MOST_WORDS = 1 << 31


class OutOfMemoryError(Exception):
    """Raised when a search needs more memory than its limit."""


@dataclass(frozen=True, slots=True)
class Task:
    """The line to search for on a level."""

    terrain: Terrain
    start: Moment
    goal: int  # the tile to leave by
    wanted: int  # treasure to take
    max_doublings: int | None  # from the start on

    @property
    def tables(self) -> DistanceTables:
        """Distances, and the effects of amulets under this task's limit on doublings."""
        cap = self.max_doublings
        return self.terrain.tables.barred_from(None if cap is None else self.start.size + cap)

    @property
    def most_sizes(self) -> int:
        """Upper bound on the number of boards that lines can reach."""
        start = self.start
        amulets = count_members(items_of_kind(self.terrain.boards, start.size, start.items, AMULET))
        # A single amulet is gone after one doubling; of more, some are left.
        most = start.size + 1 + amulets if amulets < 2 else MOST_SIZES
        stops = self.tables.amulets[start.size :] != DOUBLES
        doublings = int(np.argmax(stops)) if np.any(stops) else MOST_SIZES
        return min(most, start.size + 1 + doublings, self.terrain.room)


class AStar:
    """An A* search in slices; with a weight above 1 any line ends it, `exact_moves` visits all lines of that length."""

    def __init__(self, task: Task, weight: int = 1, exact_moves: int | None = None) -> None:
        self.task, self.weight, self.exact_moves = task, weight, exact_moves
        self.has_ended = False
        terrain, start = task.terrain, task.start
        terrain.widen(min(start.size + 2, task.most_sizes))

        # The first records: the items with their needs, then the starting state.
        items = start.items.copy()
        if task.wanted == 0:
            items &= ~items_of_kind(terrain.boards, start.size, items, TREASURE)
        record = np.concatenate([[0, start.size], items, [0, 0, start.cell | 1 << astar.SET_AT], start.monsters])
        words = np.zeros(max(1 << 12, len(record)), np.int64)
        words[: len(record)] = record
        tally = np.zeros(11, np.int64)
        tally[[astar.BEST, astar.LOST, astar.LIMIT]] = NEVER
        tally[astar.BEST_STATE] = -1
        tally[[astar.FREE, astar.NEEDS]] = (
            len(record),
            (task.wanted + 1) * terrain.boards.layout[start.size, kernels.ITEMS],
        )
        if exact_moves is not None:
            tally[[astar.LIMIT, astar.SPARE]] = exact_moves + 1, 1
        self._start = 2 + len(items) + astar.LINKS
        heads = np.zeros(_MOST_MOVES, np.int32)
        heads[0] = self._start
        needs: Ints = np.empty(max(1 << 10, int(tally[astar.NEEDS])), np.int32)
        fill_needs(terrain.boards, task.tables, ItemSet(words, 2, start.size, task.goal), needs[: tally[astar.NEEDS]])
        self.nodes = SearchNodes(words, np.zeros(1 << 11, np.int64), heads, needs, tally)

    @property
    def states(self) -> int:
        """Number of states visited."""
        return int(self.nodes.tally[astar.TAKEN])

    @property
    def best(self) -> int:
        """Moves of the best line found, or NEVER."""
        return int(self.nodes.tally[astar.BEST])

    @property
    def least(self) -> int:
        """Lower bound on every line's moves for weight 1, of waiting and dropped states; else only NEVER counts."""
        tally = self.nodes.tally
        waiting = int(tally[astar.NOW]) if tally[astar.NOW] < len(self.nodes.heads) else NEVER
        return int(min(waiting, tally[astar.BEST], tally[astar.LOST]))

    @property
    def bytes(self) -> int:
        """Size of the search's arrays."""
        return sum(array.nbytes for array in self.nodes)

    @property
    def commands(self) -> str:
        """The commands of the best line found."""
        state, line = int(self.nodes.tally[astar.BEST_STATE]), [int(self.nodes.tally[astar.BEST_WAY])]
        while state != self._start:
            links, cost = self.nodes.words[state - 2 : state].tolist()
            line.append(cost >> 32)
            state = links >> 32
        return "".join(kernels.COMMANDS[way] for way in reversed(line))

    def advance(self, work: int, memory: int) -> None:
        """Visits up to `work` states more. Raises OutOfMemoryError if that takes more than `memory` bytes."""
        task, terrain = self.task, self.task.terrain
        question = Question(task.goal, task.wanted, self.weight, task.most_sizes)
        ended = astar.search_states(terrain.boards, task.tables, self.nodes, question, self._rooms(), work)
        if ended == astar.WIDER:
            terrain.widen(len(terrain.boards.layout) + 1)
        elif ended == astar.FULL:
            self._grow(memory)
        self.has_ended = bool(ended == astar.ENDED)

    def count_lines(self) -> int | None:
        """Number of lines with `exact_moves` moves after the search has ended; None if some needed larger boards."""
        assert self.exact_moves is not None
        if self.nodes.tally[astar.LOST] <= self.exact_moves:
            return None
        task, boards = self.task, self.task.terrain.boards
        question = Question(task.goal, task.wanted, 1, task.most_sizes)
        sketch = len(self.nodes.words) - self._rooms()[2]
        return int(astar.count_lines(boards, task.tables, self.nodes, question, self._start, self.exact_moves, sketch))

    def _rooms(self) -> tuple[int, int, int]:
        """Words and needs that visiting a state uses at most, and words at the end for playing turns."""
        columns = self.task.terrain.boards.layout[-1, [kernels.ITEMS, kernels.ITEM_WORDS, kernels.CELL_WORDS]]
        items, item_words, cell_words = columns.tolist()
        sketch = 2 * (1 + item_words + cell_words)  # two keys of sets, each followed by monsters
        return 5 * (item_words + cell_words + 5) + sketch, 5 * (self.task.wanted + 1) * items, sketch

    def _grow(self, memory: int) -> None:
        """Enlarges the arrays that are nearly full, in place except for the hash table."""
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


def _enough_room(room: int, least: int) -> int:
    while room < least:
        room += room // 2
    return room


@dataclass(slots=True)
class LevelSearch:
    """The fewest moves to a door or a way out with a wanted amount of treasure; before that, any line."""

    task: Task | None  # None: the level, or its board, is too large
    least: int = 0
    best: int = NEVER
    commands: str = ""
    states: int = 0
    weighted_states: int = 0
    has_ended: bool = False
    has_no_line_soon: bool = False  # True if weighted A* is of no more use
    _exact: AStar | None = None
    _weighted: AStar | None = None

    @property
    def is_proven(self) -> bool:
        """True if no line is shorter than the best, or no line exists."""
        return self.least >= self.best

    @property
    def bytes(self) -> int:
        """Size of the search's arrays."""
        return sum(search.bytes for search in (self._exact, self._weighted) if search is not None)

    def advance(self, work: int, memory: int) -> None:
        """Visits up to `work` states more. Raises OutOfMemoryError if that takes more than `memory` bytes."""
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
        """Visits up to `work` states more for any line, unless one is known."""
        if self.has_no_line_soon or self.best < NEVER or self.task is None:
            self.has_no_line_soon = True
            return
        search = self._weighted = self._weighted or AStar(self.task, _WEIGHT)
        search.advance(work, memory - (self.bytes - search.bytes))
        self.weighted_states = search.states
        self._keep_best(search)
        if search.best < NEVER or search.has_ended:
            self.has_no_line_soon, self._weighted = True, None
            if search.best >= NEVER and search.least >= NEVER:  # it has visited all states, so no line exists
                self.least = NEVER
                self._end()

    def _end(self) -> None:
        self.has_ended = self.has_no_line_soon = True
        self._exact = self._weighted = None

    def _keep_best(self, search: AStar) -> None:
        if search.best < self.best:
            self.best, self.commands = search.best, search.commands
