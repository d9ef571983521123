"""Proposes tasks for the shipped boards of the chase, or grades those that they have.

python tests/bench/tasks_chase.py propose [--seed S]    lines for boards.toml, the easiest first, to choose from
python tests/bench/tasks_chase.py grade                 length, only moves and lures of each task of boards.toml
"""

from __future__ import annotations

import argparse
import sys

from dungeon_tui.core.random import Random
from dungeon_tui.games.chase.ai.tasks import grade, is_safe, proposals
from dungeon_tui.games.chase.model.dungeon import read_board, shipped_names
from dungeon_tui.games.chase.model.level import Level, Task
from dungeon_tui.games.chase.model.tasks import OPPONENTS, listed

MOST_SITES = 130  # of a board whose tasks are searched for
TRIES = 60  # of starts on a board
TASKS = tuple(Task(aim, name) for aim, names in OPPONENTS.items() for name in names)
EACH = 4  # tasks of a board, of different aims and opponents


def proposed(seed: int) -> list[tuple[int, str, Level]]:
    """Grade, name and level of tasks, board by board: of each aim and opponent the one of middling grade."""
    found = []
    for board in shipped_names():
        level = read_board(board)
        if (level.tiles != ord(" ")).sum() > MOST_SITES:
            continue
        kinds: dict[object, list[tuple[int, str, Level]]] = {}
        for task in proposals(level, Random(seed), TASKS, TRIES):
            kinds.setdefault(task.task, []).append((grade(task).total, board, task))
        chosen = [sorted(each, key=lambda one: one[0])[len(each) // 2] for each in kinds.values()]
        found += sorted(chosen, key=lambda one: one[0])[:EACH]
        print(f"{board}: {len(kinds)} kinds", file=sys.stderr, flush=True)
    return sorted(found, key=lambda one: one[0])


def propose(seed: int) -> None:
    """Prints proposals as entries of boards.toml."""
    count: dict[str, int] = {}
    for total, board, level in proposed(seed):
        count[board] = count.get(board, 0) + 1
        assert level.task is not None
        print(
            f'  {{name = "{board}-{count[board]}", aim = "{level.task.aim}", against = "{level.task.opponent}", '
            f"moves = {level.moves}, monster = {[*level.monster]}, rogue = {[*level.rogue]}, grade = {total}}},"
        )


def show() -> None:
    """Prints the grades of the tasks that are shipped."""
    from dataclasses import replace

    for task in listed().values():
        found = grade(replace(task.level(), is_safe=is_safe))
        print(f"{task.name:24} {task.title:40} {found.length:3} {found.only:3} {found.lures:3}  {found.total:3}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("propose", "grade"))
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    propose(given.seed) if given.what == "propose" else show()
