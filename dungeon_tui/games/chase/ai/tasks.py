"""Tasks: whether a task can still be met, by which moves, where one alone does it; new tasks."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.identity import ByIdentity
from dungeon_tui.core.random import Random
from dungeon_tui.core.rules import Outcome
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.solver import Ints
from dungeon_tui.games.chase.ai.strategies import SHOWN_SAFE, STRATEGIES, Strategy, principal_variation
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.generator import generate
from dungeon_tui.games.chase.model.level import CORRIDOR, ROOM, Level, Task
from dungeon_tui.games.chase.model.players import CATCH, KINDS, SAFETY, SURVIVE
from dungeon_tui.games.chase.model.state import Move, Side, State, Status, own_moves
from dungeon_tui.games.chase.model.tasks import EXACT, OPPONENTS, idea_of, with_task

LEAST_MOVES, LEAST_DECISIONS = 5, 3  # of a new task: only-moves that a simple strategy misses; its second move is one
_LONGEST = 12  # monster moves of a new task
_MOST_DECISIONS = 5  # only-moves of a new task
_LONGEST_WALK = 4  # own moves from one only-move of a new task to the next, or to the end
_MAX_STARTS = 12  # tried per board
_MAX_BOARDS = 1000  # tried per task
_BOARDS_OF_A_KIND = 12  # tried before another kind
_MOST_SITES = 250  # of a board on which each move of an opponent is found: at most 1 to 3 s
SIMPLE = {Side.MONSTER: ("bfs", "greedy"), Side.ROGUE: ("flee", "cycle", "dfs")}  # strategies that must not meet a task


def is_safe(state: State) -> bool:
    """True if exact play never captures the rogue; False if it does, or the board is too large to solve."""
    try:
        return solver.value(state) == UNREACHED
    except ValueError:
        return False


class Prospects:
    """The ways of a side to its goal against an opponent: any opponent if that is EXACT."""

    def __init__(self, level: Level, task: Task, moves: int) -> None:
        self.task, self.moves = task, moves  # own moves within which to reach it, or to survive
        self.side = Side(task.seat)
        self._level = level
        self._opponent: Strategy = STRATEGIES[self.side.other][task.opponent]

    def ahead(self, state: State) -> int:
        """Own moves to the goal, UNREACHED without one; to survive: the most that are possible, of those left."""
        _, own, other = self._sites(state)
        if self.task.opponent == EXACT:
            value = solver.value(state)
            is_later = self.task.aim == SURVIVE and state.side is Side.MONSTER and value < UNREACHED
            return self._capped(state, value - is_later)
        before, after = _moves_to_goal(ByIdentity(self._level.tiles), self.task)
        found = int((before if state.side is self.side else after)[own, other])
        return self._capped(state, found - (state.side is not self.side and found < UNREACHED))

    def moves_ahead(self, state: State) -> dict[Cell, int]:
        """The value of `ahead` after each own move, that move included."""
        sites = rules.neighbours(state.level, state.site)
        if self.task.opponent == EXACT:
            values = solver.move_values(state)
            return {to: self._capped(state, values[to]) for to in sites}
        graph, _, other = self._sites(state)
        _, after = _moves_to_goal(ByIdentity(self._level.tiles), self.task)
        return {to: self._capped(state, int(after[graph.site(to), other])) for to in sites}

    def left(self, state: State) -> int:
        """Own moves that are left."""
        return self.moves - own_moves(state, self.side)

    def is_enough(self, state: State, ahead: int) -> bool:
        """True if that many moves ahead of a position reach the goal."""
        return ahead >= self.left(state) if self.task.aim == SURVIVE else ahead <= self.left(state)

    def is_open(self, state: State) -> bool:
        """True if the goal is reached or can still be reached."""
        end = rules.outcome(state)
        if end is None:
            return self.is_enough(state, self.ahead(state))
        is_late = self.task.aim == SURVIVE and state.status is Status.CAPTURED and state.monster_moves > self.moves
        return is_late or end.is_win == (self.side is Side.ROGUE)

    def open_moves(self, state: State) -> list[Cell]:
        """The moves after which the goal can still be reached."""
        return [to for to, ahead in self.moves_ahead(state).items() if self.is_enough(state, ahead)]

    def best_moves(self, state: State) -> list[Cell]:
        """The moves that reach the goal soonest, or survive longest."""
        moves = self.moves_ahead(state)
        best = (max if self.task.aim == SURVIVE else min)(moves.values())
        return [to for to, ahead in moves.items() if ahead == best]

    def has_only_move(self, state: State) -> bool:
        """True if one move alone keeps the goal possible, and takes a decision: others aren't punished at once."""
        moves = self.open_moves(state)
        if len(moves) != 1 or moves[0] == state.rogue != state.site:
            return False
        lost = rules.neighbours(state.level, state.monster) if self.side is Side.ROGUE else ()
        return any(to not in (*moves, state.site, *lost) for to in rules.neighbours(state.level, state.site))

    def line(self, state: State) -> list[Move]:
        """The best moves against the opponent's strategy, up to the goal or the end."""
        line: list[Move] = []
        has_end = state.level.task is not None or (self.task.aim == CATCH and self.ahead(state) < UNREACHED)
        while rules.outcome(state) is None and self.left(state) > 0 and (has_end or len(line) < SHOWN_SAFE):
            if state.side is not self.side:
                to = self.reply(state)
            elif self.side is Side.MONSTER:  # prefer the move nearest to the rogue
                to = min(self.best_moves(state), key=solver.path_lengths(state.level, state.rogue))
            else:  # prefer a move that keeps a loop, and the farthest from the monster
                steps = solver.path_lengths(state.level, state.monster)
                to = max(self.best_moves(state), key=lambda to: (is_safe(rules.moved(state, to)), steps(to)))
            line.append(Move(to))
            state, _ = rules.step(state, line[-1])
        return line

    def reply(self, state: State) -> Cell:
        """The opponent's move."""
        return self._opponent(state)

    def _sites(self, state: State) -> tuple[solver.MoveGraph, int, int]:
        """The move graph, the own site and the opponent's."""
        graph = solver.move_graph(state.level)
        monster, rogue = graph.site(state.monster), graph.site(state.rogue)
        return (graph, rogue, monster) if self.side is Side.ROGUE else (graph, monster, rogue)

    def _capped(self, state: State, ahead: int) -> int:
        return min(ahead, max(self.left(state), 0)) if self.task.aim == SURVIVE else ahead


@lru_cache(maxsize=4)
def _moves_to_goal(tiles: ByIdentity[NDArray[np.uint8]], task: Task) -> tuple[Ints, Ints]:
    """(own site, other site): own moves to the goal, or survived, before an own move and after one, with that one."""
    level = Level("", tiles.thing, Cell(0, 0), Cell(0, 0))
    graph = solver.move_graph(level)
    sites = np.arange(len(graph))
    replies = _replies(level, task)

    # Mark the own moves that end it: by the reply, by stepping onto the other side, by safety.
    ends = np.full(replies.shape, -1, np.int32)
    ends[replies == sites[:, None]] = UNREACHED if task.aim == SAFETY else 1
    ends[sites, sites] = {CATCH: 1, SURVIVE: 0, SAFETY: UNREACHED}[task.aim]
    if task.aim == SAFETY:
        ends[solver.solve(level) == UNREACHED] = 1

    # Let each own move take the value of the best next one until nothing changes.
    best = np.maximum if task.aim == SURVIVE else np.minimum
    before = np.full(replies.shape, UNREACHED, np.int32)
    while True:
        after = np.where(ends < 0, np.minimum(before[sites[:, None], replies], UNREACHED - 1) + 1, ends)
        last, before = before, best.reduceat(after[graph.indices], graph.indptr[:-1], axis=0)
        if (before == last).all():
            return before, after


def _replies(level: Level, task: Task) -> Ints:
    """(own site, other site): the opponent's reply after an own move; it must depend on these sites alone."""
    graph, side = solver.move_graph(level), Side(task.seat)
    if side is Side.ROGUE:  # all moves of a monster at once: as `greedy` and `bfs`, ties as `by_tie`
        starts = np.repeat(np.arange(len(graph)), np.diff(graph.indptr))
        to, rogue = graph.cells[graph.indices], graph.cells[:, None]
        ahead, (rows, cols) = to - graph.cells[starts], (rogue - graph.cells[starts]).transpose(2, 0, 1)
        square = ((to - rogue) ** 2).sum(axis=2)  # (rogue's site, monster's move)
        steps = np.stack([graph.distances(graph.cell(site))[graph.indices] for site in range(len(graph))])
        is_right = rows * ahead[:, 1] - cols * ahead[:, 0] < 0
        is_step, near = ahead.any(axis=1), steps if task.opponent == "bfs" else square
        order = np.lexsort((square, is_right, is_step + 0 * square, near, starts + 0 * square))
        best: Ints = graph.indices[order[:, graph.indptr[:-1]]]
        return best
    opponent, replies = STRATEGIES[side.other][task.opponent], np.empty((len(graph), len(graph)), np.int32)
    for own, other in np.ndindex(*replies.shape):  # on the other's site the game is over
        state = State(level, graph.cell(own), graph.cell(other), side.other)
        replies[own, other] = own if own == other else graph.site(opponent(state))
    return replies


@lru_cache(maxsize=4)
def prospects(level: Level, task: Task | None = None, moves: int | None = None) -> Prospects:
    """The prospects of a level's task, or of another one on it."""
    task = task or level.task
    assert task is not None
    return Prospects(level, task, level.moves if moves is None else moves)


def is_known(level: Level, seat: str, opponent: str) -> bool:
    """True if an opponent's replies to a person can be found in time: not if they are random, or the board is large."""
    is_exact = opponent == EXACT or len(solver.move_graph(level)) <= _MOST_SITES
    return is_exact and opponent in OPPONENTS[SURVIVE if seat == Side.MONSTER.value else CATCH]


def personal(level: Level, seat: str, opponent: str) -> Prospects | None:
    """The prospects of a person on a board without a task, against an opponent on a seat: to survive, or to catch it.

    None if that is impossible. To survive as long as the opponent lets one. Against perfect play unless it `is_known`.
    """
    aim = SURVIVE if seat == Side.MONSTER.value else CATCH
    found = prospects(level, Task(aim, opponent if is_known(level, seat, opponent) else EXACT))
    if aim == SURVIVE:
        return prospects(level, found.task, found.ahead(rules.start(level)))
    return found if found.is_open(rules.start(level)) else None


def only_moves(level: Level, simple: str = "") -> list[int]:
    """The numbers of the only-moves on the line that meets a task, from 0; without those of a simple strategy."""
    task, state, found = prospects(level), rules.start(level), list[int]()
    for action in task.line(state):
        is_own = state.side is task.side
        if is_own and task.has_only_move(state) and (not simple or STRATEGIES[task.side][simple](state) != action.to):
            found.append(own_moves(state, task.side))
        state, _ = rules.step(state, action)
    return found


def solved_idea(level: Level, outcome: Outcome | None) -> str:
    """The idea of a level's task with its heading, if there is one and the outcome meets it, perhaps by another way."""
    is_met = level.task is not None and outcome is not None and outcome.is_win == (level.task.seat == "rogue")
    return f"The idea of this level:\n{found}" if is_met and (found := idea(rules.start(level))) else ""


def idea(state: State) -> str:
    """The idea of a task: at its start that of boards.toml; else what all ways to meet it share. Empty: nothing."""
    level = state.level
    if level.task is None:
        return ""
    task = prospects(level)
    if listed := idea_of(level):
        return listed * (own_moves(state, task.side) == 0)  # later it may not hold
    rogues, monsters = ("come closer to", "step away from"), ("step away from", "step closer to")
    (rare, usual), foe = rogues if task.side is Side.ROGUE else monsters, f"the {task.side.other.value}"
    if _is_needed(task, state, 1):
        return f"At some point, {rare} {foe}: no other way wins."
    return f"Don't always {usual} {foe}: that never wins." if _is_needed(task, state, 0) else ""


def _is_needed(task: Prospects, state: State, least: int) -> bool:
    """True if each way to meet a task has a move that many steps nearer to the monster, or farther from the rogue."""

    def moves(state: State) -> list[Cell]:
        if state.side is not task.side:
            return [task.reply(state)]
        is_rogue = state.side is Side.ROGUE
        steps = solver.path_lengths(state.level, state.monster if is_rogue else state.rogue)
        sign, here = 1 if is_rogue else -1, steps(state.site)
        return [to for to in task.open_moves(state) if sign * (here - steps(to)) < least]

    states = {state}
    while states and not any(map(rules.outcome, states)):  # all of them have as many moves
        states = {rules.step(state, Move(to))[0] for state in states for to in moves(state)}
    return not states


def is_given_away(level: Level, simple: Sequence[str]) -> bool:
    """True if one of some strategies meets a task, or walking to some cell and waiting there."""
    task, graph = prospects(level), solver.move_graph(level)

    def is_met_by(choose: Strategy) -> bool:
        state = rules.start(level)
        while (end := rules.outcome(state)) is None:
            state, _ = rules.step(state, Move(choose(state) if state.side is task.side else task.reply(state)))
        return end.is_win == (task.side is Side.ROGUE)

    def walk_to(site: int) -> Strategy:
        steps = solver.path_lengths(level, graph.cell(site))
        return lambda state: min(rules.neighbours(level, state.site), key=steps)

    strategies = (STRATEGIES[task.side][name] for name in simple)
    return any(map(is_met_by, strategies)) or any(is_met_by(walk_to(site)) for site in range(len(graph)))


def posed(board: Level, task: Task, monster: Cell, rogue: Cell) -> Level | None:
    """The tightest task of a kind from two starts; None if it would not take 5 to 12 moves."""
    level = with_task(replace(board, is_safe=is_safe), board.name, task, _LONGEST, monster, rogue)
    start = rules.start(level)
    if monster == rogue or (task.aim == SAFETY and is_safe(start)):
        return None
    moves = prospects(level).ahead(start)
    return with_task(level, board.name, task, moves, monster, rogue) if LEAST_MOVES <= moves <= _LONGEST else None


def _from_decision(level: Level) -> Level | None:
    """The task from the move before its first decision on, which may be one of several; None if it isn't a good one."""
    assert level.task is not None
    simple = SIMPLE[Side(level.task.seat)]
    state, decisions = rules.start(level), only_moves(level, simple[0])
    if len(decisions) < LEAST_DECISIONS or not decisions[0]:
        return None
    for action in prospects(level).line(state)[: 2 * decisions[0] - 2]:
        state, _ = rules.step(state, action)
    later = posed(level, level.task, state.monster, state.rogue)
    if later is None:
        return None
    if level.task.aim == SURVIVE:  # end it soon after the last decision
        decisions = only_moves(later, simple[0])[:_MOST_DECISIONS]
        shorter = (replace(later, moves=moves) for moves in range(LEAST_MOVES, later.moves + 1))
        shortest = next(each for each in shorter if only_moves(each, simple[0])[: len(decisions)] == decisions)
        later = with_task(later, later.name, level.task, shortest.moves, later.monster, later.rogue)
    ends = [*only_moves(later), later.moves]
    is_even = ends[0] == 1 and all(end - begin <= _LONGEST_WALK for begin, end in pairwise(ends))
    passed = [later.tiles[move.to] for move in prospects(later).line(rules.start(later))]
    has_door = CORRIDOR not in later.tiles or CORRIDOR in passed
    is_good = is_even and has_door and len(ends) <= 1 + _MOST_DECISIONS
    return later if is_good and not is_given_away(later, simple) else None


def new_task(seed: int, size: int, task: Task, name: str) -> Level:
    """The first task of a kind that takes decisions, on the boards of a seed; it takes up to 2 s.

    Raises ValueError if none of _MAX_BOARDS boards has one.
    """
    random = Random(seed)
    for tried in range(_MAX_BOARDS):
        kind = KINDS[(seed + tried // _BOARDS_OF_A_KIND) % len(KINDS)]  # some kinds rarely have tasks
        board = replace(generate(random.word(), size, kind), name=name)
        rooms = [Cell(*map(int, cell)) for cell in solver.move_graph(board).cells if board.tiles[tuple(cell)] == ROOM]
        for number in range(_MAX_STARTS):
            starts = (random.choice(rooms), random.choice(rooms)) if number else (board.monster, board.rogue)
            level = posed(board, task, *starts)
            if level is not None and (found := _from_decision(level)) is not None:
                return found
    raise ValueError(f"found no such task on {_MAX_BOARDS} boards of {size} rows: try another seed or size")


def best_line(state: State) -> list[Move]:
    """The best moves of both sides, or moves that meet the task; empty if it can't be met. ValueError as `solve`."""
    if state.level.task is not None and state.side.value == state.level.task.seat:
        task = prospects(state.level)
        return task.line(state) if task.is_open(state) else []
    return principal_variation(state)
