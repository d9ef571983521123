"""The tasks on shipped boards, as boards.toml lists them, and the words of a task."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from dungeon_tui.core.catalogue import YOU, levels_folder
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.core.words import counted, in_words
from dungeon_tui.games.chase.model.dungeon import read_board
from dungeon_tui.games.chase.model.level import Level, Task
from dungeon_tui.games.chase.model.players import CATCH, SAFETY, SURVIVE

GROUPS = {"Tasks: first steps": 0, "Tasks: harder": 25, "Tasks: hard": 37}
"""Names of the groups, and the least grade of each one's tasks."""

OPPONENTS = {CATCH: ("flee", "cycle", "perfect"), SURVIVE: ("greedy", "bfs", "perfect"), SAFETY: ("greedy", "bfs")}
"""The strategies that tasks are set against."""

_WAYS = {
    "random": "goes anywhere",
    "greedy": "goes as the crow flies",
    "bfs": "takes a shortest way",
    "flee": "runs as far as it can",
    "cycle": "makes for a loop",
    "perfect": "never errs",
}


@dataclass(frozen=True, slots=True)
class Listed:
    """A task on a shipped board."""

    name: str  # "single-loop-2"
    board: str
    task: Task
    moves: int
    monster: Cell
    rogue: Cell
    grade: int  # how hard it is: see ai/tasks.py

    @property
    def group(self) -> str:
        """The group of its grade."""
        return [name for name, least in GROUPS.items() if self.grade >= least][-1]

    @property
    def title(self) -> str:
        """The board, and what to do."""
        return title(in_words(self.board), self.task, self.moves)

    def level(self) -> Level:
        """The board with the task on it."""
        return with_task(read_board(self.board), self.name, self.task, self.moves, self.monster, self.rogue)


@cache
def listed() -> Mapping[str, Listed]:
    """The tasks of boards.toml by name, the easiest first."""
    entries = tomllib.loads((levels_folder("chase") / "boards.toml").read_text("utf-8"))["tasks"]
    tasks = (
        Listed(
            each["name"],
            each["name"].rpartition("-")[0],
            Task(each["aim"], each["against"]),
            each["moves"],
            Cell(*each["monster"]),
            Cell(*each["rogue"]),
            each["grade"],
        )
        for each in entries
    )
    return {task.name: task for task in sorted(tasks, key=lambda task: task.grade)}


def seeded(seed: int, aim: str) -> Task:
    """The task of an aim that a seed makes, known before there is a board for it."""
    return Task(aim, Random(seed).choice(OPPONENTS[aim]))


def with_task(board: Level, name: str, task: Task, moves: int, monster: Cell, rogue: Cell) -> Level:
    """A board with other starts, a task, and its words in place of the board's lesson."""
    level = replace(board, name=name, task=task, moves=moves, monster=monster, rogue=rogue)
    return replace(level, note=f"{goal(task, moves)} {opponent(task)}")


def players(task: Task) -> dict[str, str]:
    """Player of each side: you, and the strategy that the task names."""
    return {seat: YOU if seat == task.seat else task.opponent for seat in ("monster", "rogue")}


def title(board: str, task: Task, moves: int) -> str:
    """A task in a few words.

    >>> title("Single loop", Task("catch", "flee"), 7)
    'Single loop: catch in 7'
    """
    return (
        f"{board}: {'reach safety' if task.aim == SAFETY else f'{task.aim} in {moves}'.replace('survive in', 'last')}"
    )


def goal(task: Task, moves: int) -> str:
    """The aim of a task in a sentence."""
    within = counted(moves, "monster move")
    if task.aim == CATCH:
        return f"Catch the rogue in {within}."
    return f"Get to safety in {within}." if task.aim == SAFETY else f"Stay free for {within}."


def opponent(task: Task) -> str:
    """The ways of the opponent, and safety if that is the aim, in a sentence or two."""
    way = _WAYS.get(task.opponent, task.opponent)
    more = " You are safe where not even a perfect monster would ever catch you." if task.aim == SAFETY else ""
    return f"The {'rogue' if task.aim == CATCH else 'monster'} {way}.{more}"
