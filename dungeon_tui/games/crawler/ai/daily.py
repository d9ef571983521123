"""The daily dungeon: an easy, a normal and a hard level generated from the date, the same for everyone.

The first two levels have doors, the third has the way out. Levels are chosen by proven facts alone (the fewest moves,
the moves that monsters add, the monsters that matter), never by the work a proof took, so the choice doesn't depend on
the solver. A fact that can't be proven is an error; it never leads to another level.
"""

from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from itertools import islice
from threading import Event

import numpy as np

from dungeon_tui.core.grid import Cell, cells_of
from dungeon_tui.core.random import Random
from dungeon_tui.core.words import capitalised
from dungeon_tui.games.crawler.ai.challenge import Challenge, NoChallengeError
from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape
from dungeon_tui.games.crawler.ai.solver import Solver, prepare
from dungeon_tui.games.crawler.ai.worth import without
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon, Note, Sidecar, alone
from dungeon_tui.games.crawler.model.generator import LevelSpec, generate
from dungeon_tui.games.crawler.model.level import DOOR, MONSTER, WAY_OUT, Level


@dataclass(frozen=True, slots=True)
class Grade:
    """The conditions for a daily level."""

    spec: LevelSpec
    moves: tuple[int, int]  # least and most for the fewest moves that win
    detour: tuple[int, int]  # least and most for the moves that monsters add
    matter: int  # least number of monsters whose removal changes the fewest moves


GRADES = {
    "easy": Grade(LevelSpec(9, 15, 2, 3, 0, DOOR), (12, 26), (0, 0), 0),
    "normal": Grade(LevelSpec(11, 19, 3, 4, 0, DOOR), (20, 40), (1, 99), 1),
    "hard": Grade(LevelSpec(9, 17, 4, 3, 0, WAY_OUT), (22, 44), (4, 99), 2),
}
"""The grades of a day's levels, in their order."""


def daily_seed(day: date) -> int:
    """Seed of a day's dungeon: the digits of the date.

    >>> daily_seed(date(2026, 11, 21))
    20261121
    """
    return day.year * 10_000 + day.month * 100 + day.day


@lru_cache(maxsize=4)
def daily_level(day: date, difficulty: str) -> Challenge:
    """The level of a day for one of GRADES, with its shortest line. Raises NoChallengeError if memory runs out."""
    prepare()
    grade, random = GRADES[difficulty], Random(daily_seed(day))
    tries = 0
    while True:
        tries += 1
        level = generate(random.word(), grade.spec)
        best = None if level is None else _fitting(level, grade)
        if level is not None and best is not None:
            name = f"{difficulty}, {day}"
            return Challenge(replace(level, file=name), best.moves or 0, best.commands[0], tries)


def _fitting(level: Level, grade: Grade) -> Escape | None:
    """The level's shortest line if it meets the grade's conditions, else None; cheap tests come first."""
    least, most = grade.moves
    monsters = cells_of(np.argwhere(level.tiles == MONSTER))
    lonely = _shortest(without(level, monsters), most)
    if lonely is None:
        return None
    best = _shortest(level, most)
    if best is None or best.moves is None or lonely.moves is None or best.moves < least:
        return None
    if not grade.detour[0] <= best.moves - lonely.moves <= grade.detour[1]:
        return None

    fewest = best.moves

    def matters(monster: Cell) -> bool:
        other = _shortest(without(level, [monster]), fewest)
        return other is None or other.moves != fewest

    return best if len(list(islice(filter(matters, monsters), grade.matter))) == grade.matter else None


def _shortest(level: Level, most: int) -> Escape | None:
    """The proven shortest line that wins, or None if it has more than `most` moves or doesn't exist."""
    # Stop when the bound passes `most`, so that no state further from the start is visited.
    beyond = Event()

    def watch(wanted: int, states: int, bound: int) -> None:
        if bound > most:
            beyond.set()

    state = rules.start(alone(level))
    found = Solver(state.dungeon, by_door=True).escape(state, 0, stop=beyond, progress=watch)
    if not found.is_proven and not beyond.is_set():
        raise NoChallengeError("there is not enough memory to prove that the levels of this day can be won")
    return found if found.is_proven and found.moves is not None and found.moves <= most else None


def daily_dungeon(day: date) -> Dungeon:
    """The daily dungeon of a day: an easy, a normal and a hard level; less than a second with compiled kernels."""
    made = {difficulty: daily_level(day, difficulty) for difficulty in GRADES}
    *first, last = (str(each.moves) for each in made.values())
    summary = f"The dungeon of {day}. Its levels can be left in {', '.join(first)} and {last} moves."
    notes = (
        Note(name=capitalised(difficulty), author="chance", solution=each.commands) for difficulty, each in made.items()
    )
    return Dungeon(
        f"daily-{day}",
        tuple(each.level for each in made.values()),
        Sidecar(title=f"Daily {day}", summary=summary, notes=tuple(notes)),
        level_count=len(made),
    )


def par(dungeon: Dungeon) -> int | None:
    """The proven fewest moves out of a dungeon with treasure; None if unproven or there is no way out."""
    prepare()
    found = Solver(dungeon).escape(rules.start(dungeon), dungeon.least_treasure)
    return found.moves if found.is_proven else None
