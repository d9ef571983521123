"""The tasks on shipped boards, from boards.toml, and their texts."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache

from dungeon_tui.core.catalogue import YOU, levels_folder
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.words import counted, in_words
from dungeon_tui.games.chase.model.dungeon import read_board
from dungeon_tui.games.chase.model.level import Level, Task
from dungeon_tui.games.chase.model.players import CATCH, SAFETY, SURVIVE

CHAPTERS = (
    "Keep a loop between you",
    "Reach the door in time",
    "Cut the rogue off",
    "Come closer to escape",
    "Turn back in time",
    "One right move, 5 times",
)
"""The titles of the chapters, which tell what their tasks are about."""

OPPONENTS = {CATCH: ("flee", "cycle", "perfect"), SURVIVE: ("greedy", "bfs", "perfect"), SAFETY: ("greedy", "bfs")}
"""The strategies that tasks are played against."""

SAFE = "Safe: even a perfect monster could never catch you."
ENDS = {SAFETY: SAFE, SURVIVE: "The game ends with your last move, before the reply."}  # by the goal

EXACT = "perfect"  # the only opponent whose moves depend on more than the two sites

_WAYS = {  # of each opponent: its name on screen, and its way to play as a clause
    "greedy": ("greedy", "heads straight for the rogue"),
    "bfs": ("shortest-path", "takes the shortest way to the rogue"),
    "flee": ("fleeing", "takes the neighbouring cell that is farthest from the monster, or stays"),
    "cycle": ("circling", "runs to a loop and round it; if it can reach none, it steps as far away as it can"),
    "perfect": ("perfect", "always makes the best move"),
}


@dataclass(frozen=True, slots=True)
class Listed:
    """A task on a shipped board."""

    name: str  # "single-loop-2"
    title: str
    task: Task
    moves: int
    monster: Cell
    rogue: Cell
    chapter: int  # from 1
    idea: str  # a sentence, shown by a hint at the start, and once it is solved

    @property
    def board(self) -> str:
        """Name of the board."""
        return self.name.rpartition("-")[0]

    @property
    def group(self) -> str:
        """The name of its chapter in the menu."""
        return f"{self.chapter}. {CHAPTERS[self.chapter - 1]}"

    def level(self) -> Level:
        """The board with the task on it."""
        return with_task(read_board(self.board), self.name, self.task, self.moves, self.monster, self.rogue)


@cache
def listed() -> Mapping[str, Listed]:
    """The tasks of boards.toml by name, chapter by chapter."""
    entries = tomllib.loads((levels_folder("chase") / "boards.toml").read_text("utf-8"))["tasks"]
    return {
        entry["name"]: Listed(
            entry["name"],
            entry["title"],
            Task(entry["aim"], entry["against"]),
            entry["moves"],
            Cell(*entry["monster"]),
            Cell(*entry["rogue"]),
            entry["chapter"],
            entry["idea"],
        )
        for entry in entries
    }


def title(level: Level) -> str:
    """The title of a task of boards.toml, or the level's name in words; of a random board its seed alone."""
    named = f"random,-seed-{level.name.split('-')[1]}" if level.name.startswith("seed-") else level.name
    return listed()[named].title if named in listed() else in_words(named)


def idea_of(level: Level) -> str:
    """The idea of a level's task, if it is one of boards.toml."""
    known, given = listed().get(level.name), (level.task, level.monster, level.rogue)
    return "" if known is None or (known.task, known.monster, known.rogue) != given else known.idea


def new(aim: str) -> Task:
    """The task of a goal on a new board; it would take longer to find one against other opponents."""
    return Task(aim, "flee" if aim == CATCH else "bfs")


def daily(day: date) -> Task:
    """The task of a day, without its board: by turns a hunt, and a way to safety."""
    return new(CATCH if day.toordinal() % 2 else SAFETY)


def with_task(board: Level, name: str, task: Task, moves: int, monster: Cell, rogue: Cell) -> Level:
    """A board with other starts, a task, and the task's text as its note."""
    note = f"{goal(task, moves)} {opponent(task)}"
    return replace(board, name=name, task=task, moves=moves, monster=monster, rogue=rogue, note=note)


def players(task: Task) -> dict[str, str]:
    """The player of each side: you, and the strategy that the task names."""
    return {seat: YOU if seat == task.seat else task.opponent for seat in ("monster", "rogue")}


def goal(task: Task, moves: int) -> str:
    """The goal of a task, in a sentence."""
    within = counted(moves, "move")
    return {
        CATCH: f"Catch the rogue in {within}.",
        SURVIVE: f"Survive {within}.",
        SAFETY: f"Get to safety in {within}.",
    }[task.aim]


def rule(side: str, strategy: str) -> str:
    """A strategy's way to play, in a sentence; empty if we don't know it."""
    return f"The {side} {_WAYS[strategy][1]}." if strategy in _WAYS else ""


def opponent(task: Task) -> str:
    """The opponent's way to play, and the meaning of safety if that is the goal."""
    name, plays = _WAYS[task.opponent]
    return f"The {name} {'rogue' if task.aim == CATCH else 'monster'} {plays}." + f" {SAFE}" * (task.aim == SAFETY)
