"""The daily dungeon: an easy, a normal and a hard level generated from the date, the same for everyone.

The first two levels have doors, the third has the way out.
"""

from dataclasses import replace
from datetime import date
from functools import lru_cache

from dungeon_tui.games.crawler.ai.challenge import NONE, Challenge, asking_for_treasure, make
from dungeon_tui.games.crawler.ai.solver import Solver, prepare
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon, daily_sidecar
from dungeon_tui.games.crawler.model.level import DOOR, WAY_OUT

LEAVE_BY = {"easy": DOOR, "normal": DOOR, "hard": WAY_OUT}
"""The difficulties of a day's levels, in their order, with the tile that each is left by."""

SIZE = 9, 17  # of the hard level


def daily_seed(day: date) -> int:
    """Seed of a day's dungeon: the digits of the date.

    >>> daily_seed(date(2026, 11, 21))
    20261121
    """
    return day.year * 10_000 + day.month * 100 + day.day


@lru_cache(maxsize=4)
def daily_level(day: date, difficulty: str) -> Challenge:
    """The level of a day for one of LEAVE_BY, with its shortest line."""
    prepare()
    size = SIZE if difficulty == "hard" else (None, None)
    seed, leave_by = daily_seed(day), LEAVE_BY[difficulty]
    made = make(seed, difficulty, size=size, amulet=NONE, leave_by=leave_by)
    return replace(made, level=replace(made.level, file=f"{difficulty}, {day}"))


def daily_dungeon(day: date) -> Dungeon:
    """The daily dungeon of a day: an easy, a normal and a hard level; less than a second with compiled kernels."""
    made = {difficulty: daily_level(day, difficulty) for difficulty in LEAVE_BY}
    sidecar = daily_sidecar(str(day))
    notes = (replace(note, solution=each.commands) for note, each in zip(sidecar.notes, made.values(), strict=True))
    sidecar = replace(sidecar, notes=tuple(notes))
    levels = tuple(each.level for each in made.values())
    return asking_for_treasure(Dungeon(f"daily-{day}", levels, sidecar, level_count=len(made)))


def par(dungeon: Dungeon) -> int | None:
    """The proven fewest moves out of a dungeon with treasure; None if unproven or there is no way out."""
    prepare()
    found = Solver(dungeon).escape(rules.start(dungeon), dungeon.least_treasure)
    return found.moves if found.is_proven else None
