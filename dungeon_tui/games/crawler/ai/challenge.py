"""Random levels of a difficulty, certified: level after level is made and solved until one is what was asked for.

- easy: who walks straight to treasure and out, as if there were no monsters, gets there.
- normal: who does that is caught or finds the way out broken.
- hard: every walk so short fails, by some moves, and two monsters matter at least.

The fewest moves lie within a band, a share of rows + columns. What decides are states looked at, never seconds: a level
depends on the seed and the options alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from threading import Event

import numpy as np

from dungeon_tui.core.grid import cells_of
from dungeon_tui.core.random import Random
from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape
from dungeon_tui.games.crawler.ai.worth.certificate import Certificate
from dungeon_tui.games.crawler.ai.worth.certifier import Certifier, played
from dungeon_tui.games.crawler.model.generator import LEAST_SIDE, MOST_SIDE, LevelSpec, generate
from dungeon_tui.games.crawler.model.level import DOOR, MONSTER, OPEN, WAY_OUT, Level
from dungeon_tui.games.crawler.model.state import Status

NEEDED, NONE, ANY = AMULETS = ("needed", "none", "any")
"""What may be asked of amulets: that the level can't be won without one, that there is none, nothing."""

MOST_TRIES = 1000
_MOST_THINGS = 12  # monsters, and treasure, however large the level
_STATES = 1 << 15  # that a level may take, for each question
_CERTIFIED_STATES = 1 << 16  # the same for the certificate of the level that is taken


@dataclass(frozen=True, slots=True)
class Difficulty:
    """Conditions that make a level of it."""

    rows: int  # by default
    cols: int
    moves: tuple[int, int]  # fewest and most, in percent of rows + columns
    cells_a_monster: int
    cells_a_treasure: int
    survives: bool  # who walks as if there were no monsters
    detour: int  # moves more than without monsters, at least
    matter: int  # monsters, at least
    amulets: int  # where any number will do


DIFFICULTIES = {
    "easy": Difficulty(9, 15, (50, 110), 60, 35, True, 0, 0, 0),
    "normal": Difficulty(11, 19, (70, 150), 50, 40, False, 1, 1, 1),
    "hard": Difficulty(13, 23, (90, 250), 40, 45, False, 4, 2, 1),
}


class NoChallengeError(ValueError):
    """No level tried was what was asked for."""


class StoppedError(Exception):
    """Somebody asked to stop."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A level that is what was asked for."""

    level: Level
    moves: int  # the fewest, proven
    commands: str  # such a line
    tries: int

    def certificate(self, stop: Event | None = None) -> Certificate:
        """All that the level is worth, as `crawler check --solve` tells it.

        Raises:
            StoppedError: `stop` was set: even what was promised may be open then.
        """
        certificate = Certifier(self.level, most_states=_CERTIFIED_STATES, stop=stop).certify()
        if stop is not None and stop.is_set():
            raise StoppedError
        return certificate


def make(
    seed: int,
    difficulty: str,
    *,
    rows: int | None = None,
    cols: int | None = None,
    amulet: str = ANY,
    leave_by: int = WAY_OUT,
    stop: Event | None = None,
    tell: Callable[[int], None] = lambda tries: None,
) -> Challenge:
    """The first of the levels that a seed leads to which is what is asked for.

    Args:
        seed: any integer.
        difficulty: one of DIFFICULTIES.
        rows: 5 to 60; default: the difficulty's.
        cols: as rows.
        amulet: one of AMULETS.
        leave_by: the tile, WAY_OUT or DOOR.
        stop: set by another thread to end.
        tell: told now and then how many levels were tried.

    Raises:
        ValueError: the size is not as it should be.
        NoChallengeError: none of MOST_TRIES levels will do.
        StoppedError: `stop` was set.
    """
    grade = DIFFICULTIES[difficulty]
    rows, cols = grade.rows if rows is None else rows, grade.cols if cols is None else cols
    for side, name in ((rows, "rows"), (cols, "columns")):
        if not LEAST_SIDE <= side <= MOST_SIDE:
            raise ValueError(f"a level has from {LEAST_SIDE} to {MOST_SIDE} {name}, not {side:,}")
    random = Random(seed)
    amulets = {NEEDED: 1, NONE: 0, ANY: grade.amulets}[amulet]
    spec = LevelSpec(
        rows,
        cols,
        monsters=_many(rows * cols // grade.cells_a_monster, max(grade.matter, 1)),
        treasure=_many(rows * cols // grade.cells_a_treasure, 1),
        amulets=amulets,
        leave_by=leave_by,
        has_vault=amulet == NEEDED,
    )
    for tries in range(1, MOST_TRIES + 1):
        if stop is not None and stop.is_set():
            raise StoppedError
        tell(tries)
        level = generate(random.word(), spec)
        best = None if level is None else _fitting(level, grade, amulet, stop)
        if level is not None and best is not None:
            name = f"{difficulty}, seed {seed}" + (", left by a door" if leave_by == DOOR else "")
            return Challenge(replace(level, file=name), best.moves or 0, best.commands[0], tries)
    what = f"{difficulty} level of {rows} x {cols}" + (" that needs an amulet" if amulet == NEEDED else "")
    raise NoChallengeError(f"no {what} in {MOST_TRIES:,} tries: choose another size or seed")


def _many(count: int, least: int) -> int:
    return min(max(count, least), _MOST_THINGS)


def _band(grade: Difficulty, rows: int, cols: int) -> tuple[int, int]:
    """Bounds on the fewest moves, both included; no share is rounded in its own favour.

    >>> _band(DIFFICULTIES["normal"], 7, 5)
    (9, 18)
    """
    least, most = grade.moves
    return -(-least * (rows + cols) // 100), most * (rows + cols) // 100


def _fitting(level: Level, grade: Difficulty, amulet: str, stop: Event | None) -> Escape | None:
    """The shortest line, if the level is what is asked for; what is cheap to find out comes first."""
    certifier = Certifier(level, most_states=_STATES, stop=stop)
    tiles = level.tiles.copy()
    tiles[tiles == MONSTER] = OPEN
    lonely = certifier.escape("the way without monsters", replace(level, tiles=tiles))
    low, high = _band(grade, *tiles.shape)
    if lonely.moves is None or lonely.moves > high:
        return None
    ends = (Status.ESCAPED, Status.OUT_OF_LEVELS)
    if (played(level, lonely.commands[0]).status in ends) != grade.survives:
        return None
    best = certifier.escape("the fewest moves")
    if best.moves is None or not best.is_proven or not low <= best.moves <= high:
        return None
    if best.moves < lonely.moves + grade.detour:
        return None
    if amulet == NEEDED and certifier.is_amulet_needed(best) is not True:
        return None
    monsters = cells_of(np.argwhere(level.tiles == MONSTER))
    matter = (cell for cell in monsters if certifier.does_matter(cell, best))
    return best if len(list(islice(matter, grade.matter))) == grade.matter else None
