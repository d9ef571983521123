"""Tasks solved, graded and made: can one still be met, by which moves, and how easily does one go wrong?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.strategies import STRATEGIES, Strategy, principal_variation
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.generator import generate
from dungeon_tui.games.chase.model.level import ROOM, Level, Task
from dungeon_tui.games.chase.model.players import CATCH, SAFETY, SURVIVE
from dungeon_tui.games.chase.model.state import Action, Move, Side, State
from dungeon_tui.games.chase.model.tasks import seeded, with_task

EXACT = "perfect"  # of the opponents the only one whose moves may depend on more than the two sites
_LURES: dict[str, tuple[str, ...]] = {"monster": ("greedy", "bfs"), "rogue": ("flee", "cycle")}
_SHORTEST, _LONGEST = 3, 14  # monster moves of a task that is made
_TRIES = 12  # of starts on one board


def is_safe(state: State) -> bool:
    """True if exact play never captures the rogue from here; False, too, where the board is too large to be solved."""
    try:
        return solver.value(state) == UNREACHED
    except ValueError:
        return False


class Prospects:
    """The positions of a task from which it can be met: against anybody if it names EXACT, else the strategy named."""

    def __init__(self, level: Level) -> None:
        assert level.task is not None
        self.task = level.task
        self.side = Side(level.task.seat)
        other = self.side.other
        self._opponent: Strategy = STRATEGIES[other][level.task.opponent]
        self._replies: dict[tuple[Cell, Cell], Cell] = {}
        self._known: dict[tuple[Cell, Cell, Side, int], bool] = {}

    def is_open(self, state: State) -> bool:
        """True if the task is met, or can still be met.

        Cost:
            A look into the table of exact values; against another strategy a search of all that can happen until the
            last move, each position once.
        """
        end = rules.outcome(state)
        if end is not None:
            return end.is_win == (self.side is Side.ROGUE)
        if self.task.opponent == EXACT:
            is_caught = solver.value(state) <= state.level.moves - state.monster_moves
            return is_caught == (self.task.aim == CATCH)
        key = state.monster, state.rogue, state.side, state.monster_moves
        if key not in self._known:
            self._known[key] = any(self.is_open(self.after(state, to)) for to in self._choices(state))
        return self._known[key]

    def kept(self, state: State) -> list[Cell]:
        """The moves of the side whose task it is after which it can still be met."""
        return [to for to in rules.neighbours(state.level, state.site) if self.is_open(self.after(state, to))]

    def line(self, state: State) -> list[Action]:
        """Moves of both sides that meet the task, if it can be met; the opponent's are its strategy's."""
        actions: list[Action] = []
        while rules.outcome(state) is None:
            if state.side is self.side:
                kept = self.kept(state)
                if not kept:
                    break
                to = self._preferred(state, kept)
            else:
                to = self.reply(state)
            actions.append(Move(to))
            state = self.after(state, to)
        return actions

    def reply(self, state: State) -> Cell:
        """The opponent's move."""
        if self.task.opponent == EXACT:
            return self._opponent(state)  # which may depend on the number of the move
        key = state.monster, state.rogue
        if key not in self._replies:
            self._replies[key] = self._opponent(state)
        return self._replies[key]

    @staticmethod
    def after(state: State, to: Cell) -> State:
        """The state after a move."""
        return rules.step(state, Move(to))[0]

    def _choices(self, state: State) -> tuple[Cell, ...]:
        if state.side is not self.side:
            return (self.reply(state),)
        return rules.neighbours(state.level, state.site)

    def _preferred(self, state: State, kept: list[Cell]) -> Cell:
        """Of moves that keep the task open the one that a person would look at first: nearest, or farthest."""
        steps = solver.path_lengths(state.level, state.rogue if self.side is Side.MONSTER else state.monster)
        return min(kept, key=lambda to: steps(to) if self.side is Side.MONSTER else -steps(to))


@dataclass(frozen=True, slots=True)
class Grade:
    """The hardness of a task, along one line that meets it."""

    length: int  # moves of one's own
    only: int  # those that are the only ones to keep it open
    lures: int  # wrong moves that a simple strategy of one's own side would make, counted strategy by strategy

    @property
    def total(self) -> int:
        """One number: the greater, the harder."""
        return self.length + 2 * self.only + 3 * self.lures


def grade(level: Level) -> Grade:
    """The grade of a task that can be met."""
    prospects, state = Prospects(level), rules.start(level)
    seat = STRATEGIES[prospects.side]
    length = only = lures = 0
    for action in prospects.line(state):
        if state.side is prospects.side:
            kept = prospects.kept(state)
            length += 1
            only += len(kept) == 1
            lures += sum(seat[name](state) not in kept for name in _LURES[prospects.side.value])
        state, _ = rules.step(state, action)
    return Grade(length, only, lures)


def posed(board: Level, name: str, task: Task, monster: Cell, rogue: Cell) -> Level | None:
    """The tightest task of a kind from two starts: the fewest moves to catch or to be safe, or the most to survive.

    Returns:
        None where there is none of 3 to 14 monster moves; a rogue that can't be caught survives for 14.
    """

    def within(moves: int) -> Level:
        return with_task(replace(board, is_safe=is_safe), name, task, moves, monster, rogue)

    def is_open(moves: int) -> bool:
        level = within(moves)
        return Prospects(level).is_open(rules.start(level))

    start = rules.start(within(_LONGEST))
    if task.aim == SAFETY and is_safe(start):
        return None
    numbers = range(_SHORTEST, _LONGEST + 1)
    if task.aim == SURVIVE:
        found = next((moves for moves in reversed(numbers) if is_open(moves)), None)
    elif is_open(_SHORTEST - 1) or not is_open(_LONGEST):
        found = None
    else:
        found = next(moves for moves in numbers if is_open(moves))
    return None if found is None else within(found)


def proposals(board: Level, random: Random, tasks: Sequence[Task], tries: int = _TRIES) -> Iterator[Level]:
    """Tasks of some kinds on a board, from its own starts first, then from rooms by chance, without trivial ones.

    Trivial is one in which no simple strategy of one's own side goes wrong.
    """
    rooms = [Cell(*map(int, cell)) for cell in solver.move_graph(board).cells if board.tiles[tuple(cell)] == ROOM]
    for number in range(tries):
        monster, rogue = (board.monster, board.rogue) if not number else (random.choice(rooms), random.choice(rooms))
        task = random.choice(tasks)
        level = None if monster == rogue else posed(board, board.name, task, monster, rogue)
        if level is not None and grade(level).lures:
            yield level


def made_task(seed: int, size: int, aim: str) -> Level:
    """The first task of an aim on the boards that a seed makes.

    Cost:
        Some boards are solved, a few milliseconds each.
    """
    random, task = Random(seed), seeded(seed, aim)
    while True:
        board = replace(generate(random.word(), size), name=f"{aim}-{seed}-{size}")
        for level in proposals(board, random, (task,)):
            return level


def best_line(state: State) -> list[Action]:
    """The best moves of both sides from here on, or those that meet a task; none where it can't be met any more.

    Raises:
        ValueError: the board is too large to be solved.
    """
    if state.level.task is not None and state.side.value == state.level.task.seat:
        return Prospects(state.level).line(state)
    return principal_variation(state)
