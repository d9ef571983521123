"""Tasks: whether a task can still be met, by which moves, where one alone does it; new tasks, and the daily board."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.strategies import STRATEGIES, Strategy, principal_variation
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.generator import generate
from dungeon_tui.games.chase.model.level import ROOM, Level, Task
from dungeon_tui.games.chase.model.players import CATCH, SAFETY, SURVIVE
from dungeon_tui.games.chase.model.state import Move, Side, State, own_moves
from dungeon_tui.games.chase.model.tasks import EXACT, daily, seeded, with_task

_SHORTEST, _LONGEST = 3, 14  # monster moves of a new task
_MAX_STARTS = 12  # tried per board
_MAX_BOARDS = 100  # tried per task

DAILY_SIZE = 10  # is drawn in a terminal of 80 x 24
DAILY_MOVES = 6  # at least
DAILY_DECISIONS = 3  # only-moves, at least; the first move is one
_DAILY_STARTS = 4  # tried per board


def is_safe(state: State) -> bool:
    """True if exact play never captures the rogue; False if it does, or the board is too large to solve."""
    try:
        return solver.value(state) == UNREACHED
    except ValueError:
        return False


def _after(state: State, to: Cell) -> State:
    return rules.step(state, Move(to))[0]


class Prospects:
    """The positions from which a task can be met, against its opponent; against any opponent if that is EXACT."""

    def __init__(self, level: Level) -> None:
        assert level.task is not None
        self.task = level.task
        self.side = Side(level.task.seat)
        other = self.side.other
        self._opponent: Strategy = STRATEGIES[other][level.task.opponent]
        self._replies: dict[tuple[Cell, Cell], list[Cell]] = {}
        self._known: dict[tuple[Cell, Cell, Side, int], bool] = {}

    def is_open(self, state: State) -> bool:
        """True if the task is met or can still be met: by exact values, or by searching all positions until the end."""
        end = rules.outcome(state)
        if end is not None:
            return end.is_win == (self.side is Side.ROGUE)
        if self.task.opponent == EXACT:
            is_caught = solver.value(state) <= state.level.moves - state.monster_moves
            return is_caught == (self.task.aim == CATCH)
        key = state.monster, state.rogue, state.side, state.monster_moves
        if key not in self._known:
            self._known[key] = any(self.is_open(_after(state, to)) for to in self.choices(state))
        return self._known[key]

    def open_moves(self, state: State) -> list[Cell]:
        """The moves after which the task can still be met."""
        return [to for to in rules.neighbours(state.level, state.site) if self.is_open(_after(state, to))]

    def has_only_move(self, state: State) -> bool:
        """True if one move alone keeps the task possible, and takes a decision: others aren't punished at once."""
        moves = self.open_moves(state)
        if len(moves) != 1 or moves[0] == state.rogue != state.site:
            return False
        lost = rules.neighbours(state.level, state.monster) if self.side is Side.ROGUE else ()
        return any(to not in (*moves, state.site, *lost) for to in rules.neighbours(state.level, state.site))

    def line(self, state: State) -> list[Move]:
        """Moves of both sides that meet the task, against the opponent's strategy; stops if it can't be met."""
        line: list[Move] = []
        while rules.outcome(state) is None:
            moves = self.open_moves(state) if state.side is self.side else self.choices(state)
            if not moves:
                break

            # Prefer the move nearest to the rogue; for the rogue one that keeps a loop, and farthest from the monster.
            if self.side is Side.MONSTER:
                to = min(moves, key=solver.path_lengths(state.level, state.rogue))
            else:
                steps = solver.path_lengths(state.level, state.monster)
                to = max(moves, key=lambda to: (is_safe(_after(state, to)), steps(to)))
            line.append(Move(to))
            state, _ = rules.step(state, line[-1])
        return line

    def choices(self, state: State) -> Sequence[Cell]:
        """The moves to consider: all of the task's side, or the opponent's reply."""
        if state.side is self.side:
            return rules.neighbours(state.level, state.site)
        if self.task.opponent == EXACT:
            return [self._opponent(state)]  # it may depend on the move's number
        key = state.monster, state.rogue
        if key not in self._replies:
            self._replies[key] = [self._opponent(state)]
        return self._replies[key]


@lru_cache(maxsize=2)
def prospects(level: Level) -> Prospects:
    """The prospects of a level's task, with what was found before; the last two are cached."""
    return Prospects(level)


def is_by_search(level: Level) -> bool:
    """True for a task whose prospects exact values don't tell, since its opponent doesn't play perfectly."""
    return level.task is not None and level.task.opponent != EXACT


def longest_line(state: State) -> list[Move]:
    """The moves of both sides in a lost task, until its end: its side plays perfectly."""
    line: list[Move] = []
    task = prospects(state.level)
    while rules.outcome(state) is None:
        name = EXACT if state.side is task.side else task.task.opponent
        line.append(Move(STRATEGIES[state.side][name](state)))
        state, _ = rules.step(state, line[-1])
    return line


def only_moves(level: Level) -> list[int]:
    """The numbers of the only-moves on the line that meets a task, from 0."""
    task, state, found = Prospects(level), rules.start(level), list[int]()
    for action in task.line(state):
        if state.side is task.side and task.has_only_move(state):
            found.append(own_moves(state, task.side))
        state, _ = rules.step(state, action)
    return found


def posed(board: Level, name: str, task: Task, monster: Cell, rogue: Cell) -> Level | None:
    """The tightest task of a kind from two starts; None if it would not take 3 to 14 monster moves."""
    level = with_task(replace(board, is_safe=is_safe), name, task, _LONGEST, monster, rogue)
    start = rules.start(level)
    if task.aim == SAFETY and is_safe(start):
        return None
    if task.opponent == EXACT:
        moves = solver.value(start) if task.aim == CATCH else min(solver.value(start) - 1, _LONGEST)
    else:
        moves = tightest(Prospects(level), start)
    return with_task(level, name, task, moves, monster, rogue) if _SHORTEST <= moves <= _LONGEST else None


def tightest(prospects: Prospects, start: State) -> int:
    """Fewest monster moves that meet a task, or the most survived, breadth first; 0: the level has too few."""
    is_survival, seen, present = prospects.task.aim == SURVIVE, set[tuple[Cell, Cell]](), [start]
    for number in range(1, start.level.moves + 1):
        # Play one move of each side from every position of the last round.
        following = {}
        for state in present:
            for after in (rules.moved(state, to) for to in prospects.choices(state)):
                if after.monster == after.rogue:
                    if prospects.side is Side.MONSTER:
                        return number
                    continue
                for end in (rules.moved(after, to) for to in prospects.choices(after) if to != after.monster):
                    if (end.monster, end.rogue) not in seen:
                        following[end.monster, end.rogue] = end

        # Stop when the goal is met, or survival has become impossible.
        present = [*following.values()]
        if prospects.task.aim == SAFETY and any(map(is_safe, present)):
            return number
        if is_survival and not present:
            return number - 1
        if not is_survival:
            seen |= following.keys()
    return start.level.moves if is_survival else 0


def proposals(board: Level, random: Random, tasks: Sequence[Task], tries: int = _MAX_STARTS) -> Iterator[Level]:
    """Tasks on a board, from its own starts, then random ones; each has an only-move."""
    rooms = [Cell(*map(int, cell)) for cell in solver.move_graph(board).cells if board.tiles[tuple(cell)] == ROOM]
    for number in range(tries):
        monster, rogue = (board.monster, board.rogue) if not number else (random.choice(rooms), random.choice(rooms))
        task = random.choice(tasks)
        level = None if monster == rogue else posed(board, board.name, task, monster, rogue)
        if level is not None and only_moves(level):
            yield level


def made_task(seed: int, size: int, aim: str) -> Level:
    """The first task for a goal on the boards of a seed. Raises ValueError if none of _MAX_BOARDS boards has one."""
    random, task = Random(seed), seeded(seed, aim)
    for _ in range(_MAX_BOARDS):
        board = replace(generate(random.word(), size), name=f"{aim}-{seed}-{size}")
        for level in proposals(board, random, (task,)):
            return level
    raise ValueError(f"found no such task on {_MAX_BOARDS} boards of {size} rows: try another seed or size")


def best_line(state: State) -> list[Move]:
    """The best moves of both sides, or moves that meet the task; empty if it can't be met. ValueError as `solve`."""
    if state.level.task is not None and state.side.value == state.level.task.seat:
        return prospects(state.level).line(state)
    return principal_variation(state)


def _begun_at(level: Level, number: int) -> Level:
    """The task without the first moves of both sides on its line."""
    assert level.task is not None
    state = rules.start(level)
    for action in Prospects(level).line(state)[: 2 * number]:
        state, _ = rules.step(state, action)
    return with_task(level, level.name, level.task, level.moves - number, state.monster, state.rogue)


def daily_task(day: date) -> Level:
    """The first task of its kind on boards of the day's seed that has decisions, from the first on; takes 1 to 3 s."""
    random = Random(int(f"{day:%Y%m%d}"))
    while True:
        board = replace(generate(random.word(), DAILY_SIZE), name=f"daily-{day}")
        for level in proposals(board, random, (daily(day),), _DAILY_STARTS):
            can_escape = bool((solver.solve(level) == UNREACHED).any())  # from some position
            if can_escape and len(decisions := only_moves(level)) >= DAILY_DECISIONS:
                later = _begun_at(level, decisions[0])
                if later.moves >= DAILY_MOVES:
                    return later
