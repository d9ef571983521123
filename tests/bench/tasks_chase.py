"""Searches boards for tasks that contain decisions, and prints them as entries for boards.toml.

python -m tests.bench.tasks_chase [--starts N] [BOARD...]
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.strategies import STRATEGIES, Strategy
from dungeon_tui.games.chase.ai.tasks import Prospects, is_safe, posed
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.dungeon import read_board, shipped_names
from dungeon_tui.games.chase.model.level import ROOM, Level, Task
from dungeon_tui.games.chase.model.players import AIMS
from dungeon_tui.games.chase.model.state import Move, Side, State
from dungeon_tui.games.chase.model.tasks import OPPONENTS

NAIVE = {Side.MONSTER: ("greedy", "bfs"), Side.ROGUE: ("flee",)}


@dataclass(frozen=True, slots=True)
class Decision:
    """An only-move on a task's line."""

    state: State
    to: Cell
    before: Cell  # the own site one move earlier

    @property
    def is_sacrifice(self) -> bool:
        """True if the rogue comes nearer to the monster, or the monster does not come nearer."""
        foe = self.state.monster if self.state.side is Side.ROGUE else self.state.rogue
        steps = solver.path_lengths(self.state.level, foe)
        is_nearer = steps(self.to) < steps(self.state.site)
        return is_nearer == (self.state.side is Side.ROGUE)

    @property
    def is_turn(self) -> bool:
        """True if it turns by more than a right angle."""
        here, to, before = self.state.site, self.to, self.before
        return (to.row - here.row) * (here.row - before.row) + (to.col - here.col) * (here.col - before.col) < 0

    @property
    def is_at_door(self) -> bool:
        """True if it leads from a room into a corridor, or back."""
        return self.state.level.tiles[self.state.site] != self.state.level.tiles[self.to]

    @property
    def is_detour(self) -> bool:
        """True if a monster on the shortest path to the rogue would play another move."""
        return self.state.side is Side.MONSTER and STRATEGIES[Side.MONSTER]["bfs"](self.state) != self.to


def decisions(level: Level) -> tuple[list[Decision], int, list[Move]]:
    """The only-moves on a task's line, how often the opponent waits on it, and the line."""
    prospects, state = Prospects(level), rules.start(level)
    found, waits, line = [], 0, prospects.line(state)
    before = level.monster if prospects.side is Side.MONSTER else level.rogue
    for action in line:
        if state.side is prospects.side:
            if prospects.has_only_move(state):
                found.append(Decision(state, action.to, before))
            before = state.site
        else:
            waits += action.to == state.site
        state, _ = rules.step(state, action)
    return found, waits, line


def corners(level: Level) -> list[Cell]:
    """All sites."""
    return [Cell(*map(int, cell)) for cell in solver.move_graph(level).cells]


def is_met_by(prospects: Prospects, state: State, choose: Strategy) -> bool:
    """True if a strategy of the task's side meets the task."""
    while (end := rules.outcome(state)) is None:
        to = choose(state) if state.side is prospects.side else prospects.choices(state)[0]
        state, _ = rules.step(state, Move(to))
    return end.is_win == (prospects.side is Side.ROGUE)


def walk_to(level: Level, goal: Cell) -> Strategy:
    """Goes to a cell and waits there."""
    steps = solver.path_lengths(level, goal)
    return lambda state: min(rules.neighbours(level, state.site), key=steps)


def is_given_away(level: Level) -> bool:
    """True if a simple strategy meets the task, or waiting, or walking to some cell and waiting there."""
    prospects, state = Prospects(level), rules.start(level)
    if any(is_met_by(prospects, state, STRATEGIES[prospects.side][name]) for name in NAIVE[prospects.side]):
        return True
    return any(is_met_by(prospects, state, walk_to(level, goal)) for goal in corners(level))


def candidates(board: Level, starts: int, random: Random, aims: list[str]) -> Iterator[tuple[Level, list[Decision]]]:
    board = replace(board, is_safe=is_safe)
    rooms = [cell for cell in corners(board) if board.tiles[cell] == ROOM]
    for _ in range(starts):
        for aim in aims:
            for opponent in OPPONENTS[aim]:
                monster, rogue = random.choice(rooms), random.choice(rooms)
                if monster == rogue:
                    continue
                level = posed(board, board.name, Task(aim, opponent), monster, rogue)
                if level is None or is_given_away(level):
                    continue
                found, waits, _ = decisions(level)
                if len(found) >= 2 and not waits:
                    yield level, found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("boards", nargs="*", default=[*shipped_names()])
    parser.add_argument("--starts", type=int, default=40)
    parser.add_argument("--aims", nargs="*", default=AIMS)
    options = parser.parse_args()
    for name in options.boards:
        for level, found in candidates(read_board(name), options.starts, Random(1), options.aims):
            marks = {
                mark: sum(getattr(each, f"is_{mark}") for each in found)
                for mark in ("at_door", "detour", "sacrifice", "turn")
            }
            assert level.task is not None
            task, end = level.task, f"}}  # {len(found)} only-moves: {marks}"
            print(
                f'{{name = "{level.name}", aim = "{task.aim}", against = "{task.opponent}", moves = {level.moves},'
                f" monster = {[*level.monster]}, rogue = {[*level.rogue]}{end}",
                flush=True,
            )


if __name__ == "__main__":
    main()
