"""The dungeon of a day: three levels that the date makes, easy, normal and hard, the same for everyone.

Doors lead on from the first two; the third has the way out. A level is taken for what is true of it, never for how much
work it was to prove: fewest moves within a band, as many more as monsters make them, monsters that matter. Each answer
is the same whatever the solver looks at on the way; one that could not be proven would end in an error, not in another
level.
"""

from __future__ import annotations

from collections.abc import Iterable
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
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon, Note, Sidecar, alone
from dungeon_tui.games.crawler.model.generator import LevelSpec, generate
from dungeon_tui.games.crawler.model.level import DOOR, MAX_CELLS, MONSTER, OPEN, WAY_OUT, Level


@dataclass(frozen=True, slots=True)
class Grade:
    """Conditions that a level of a day fulfils."""

    spec: LevelSpec
    moves: tuple[int, int]  # the fewest that win: at least, at most
    detour: tuple[int, int]  # of these, more than without monsters: at least, at most
    matter: int  # monsters without which the fewest moves would be others, at least


GRADES = {
    "easy": Grade(LevelSpec(9, 15, 2, 3, 0, DOOR), (12, 26), (0, 0), 0),
    "normal": Grade(LevelSpec(11, 19, 3, 4, 0, DOOR), (20, 40), (1, 99), 1),
    "hard": Grade(LevelSpec(9, 17, 4, 3, 0, WAY_OUT), (22, 44), (4, 99), 2),
}
"""Of a day's levels, in their order."""


def daily_seed(day: date) -> int:
    """Seed of a day's dungeon: the date's digits.

    >>> daily_seed(date(2026, 11, 21))
    20261121
    """
    return day.year * 10_000 + day.month * 100 + day.day


@lru_cache(maxsize=4)
def daily_level(day: date, difficulty: str) -> Challenge:
    """The level of a day of one of GRADES, with its shortest line.

    Raises:
        NoChallengeError: this machine's memory is too small to prove what a level must be.
    """
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
    """The level's shortest line if it fulfils the conditions of a grade, else None; cheap tests come first."""
    least, most = grade.moves
    monsters = cells_of(np.argwhere(level.tiles == MONSTER))
    lonely = _shortest(_without(level, monsters), most)
    if lonely is None:
        return None
    best = _shortest(level, most)
    if best is None or best.moves is None or lonely.moves is None or best.moves < least:
        return None
    if not grade.detour[0] <= best.moves - lonely.moves <= grade.detour[1]:
        return None

    fewest = best.moves

    def matters(monster: Cell) -> bool:
        other = _shortest(_without(level, [monster]), fewest)
        return other is None or other.moves != fewest

    return best if len(list(islice(filter(matters, monsters), grade.matter))) == grade.matter else None


def _without(level: Level, monsters: Iterable[Cell]) -> Level:
    tiles = level.tiles.copy()
    for cell in monsters:
        tiles[cell] = OPEN
    return replace(level, tiles=tiles)


def _shortest(level: Level, most: int) -> Escape | None:
    """The shortest line that wins, proven; None where it has more moves than `most`, or there is none.

    So all that is ever looked at lies within so many moves of the start.
    """
    beyond = Event()

    def watch(asked: int, states: int, bound: int) -> None:
        if bound > most:
            beyond.set()

    state = rules.start(alone(level))
    found = Solver(state.dungeon, by_door=True).escape(state, 0, stop=beyond, progress=watch)
    if not found.is_proven and not beyond.is_set():
        raise NoChallengeError("there is not enough memory to prove that the levels of this day can be won")
    return found if found.is_proven and found.moves is not None and found.moves <= most else None


def daily_dungeon(day: date, cell_limit: int = MAX_CELLS) -> Dungeon:
    """The daily dungeon of a day, made anew: an easy, a normal and a hard level.

    Cost:
        Less than a second, once the kernels are compiled.
    """
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
        asked=len(made),
        cell_limit=cell_limit,
    )


def par(dungeon: Dungeon) -> int | None:
    """The fewest moves out of a dungeon with some treasure; None where it can't be proven, or there is no way."""
    prepare()
    found = Solver(dungeon).escape(rules.start(dungeon), dungeon.least_treasure)
    return found.moves if found.is_proven else None
