"""Random levels of a difficulty, certified by the solver: it generates levels until one meets the conditions.

- easy: a shortest walk to treasure and out that ignores the monsters succeeds.
- normal: the adventurer on such a walk is caught, or finds the way out destroyed.
- hard: in addition, monsters make the shortest line several moves longer, and at least two monsters matter.

The fewest moves lie within a range, given as a percentage of rows + columns. Limits count states, never seconds, so a
level depends only on the seed and the options.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from threading import Event

import numpy as np

from dungeon_tui.core.grid import cells_of
from dungeon_tui.core.random import Random
from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape
from dungeon_tui.games.crawler.ai.solver import Solver, StoppedError
from dungeon_tui.games.crawler.ai.worth import Certifier, played, without
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.generator import LevelSpec, generate
from dungeon_tui.games.crawler.model.level import DOOR, MONSTER, TREASURE, WAY_OUT, Level
from dungeon_tui.games.crawler.model.state import Status

NEEDED, NONE, ANY = AMULETS = ("needed", "none", "any")
"""Requirements on amulets: the level can't be won without one, there are none, or any number."""

MOST_TRIES = 1000
_MOST_THINGS = 12  # limit on monsters, and on treasure, in levels of any size
_STATES = 1 << 15  # limit for each question about a candidate
CERTIFIED_STATES = 1 << 16  # limit for each question about the chosen level


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The conditions of a difficulty."""

    size: tuple[int, int]  # default rows and columns
    moves: tuple[int, int]  # range of the fewest moves, in percent of rows + columns
    cells_a_monster: int
    cells_a_treasure: int
    survives: bool  # True if the shortest walk that ignores monsters succeeds
    detour: int  # least number of moves that monsters add
    matter: int  # least number of monsters that matter
    amulets: int  # number of amulets if ANY is required


DIFFICULTIES = {
    "easy": Difficulty((9, 15), (50, 110), 60, 35, True, 0, 0, 0),
    "normal": Difficulty((11, 19), (70, 150), 50, 40, False, 1, 1, 1),
    "hard": Difficulty((13, 23), (90, 250), 40, 45, False, 4, 2, 1),
}


class NoChallengeError(ValueError):
    """Raised when no level tried meets the conditions."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A level that meets the conditions of its difficulty, with its shortest line."""

    level: Level
    moves: int  # the fewest, proven
    commands: str  # the shortest line
    tries: int


def make(
    seed: int,
    difficulty: str,
    *,
    size: tuple[int | None, int | None] = (None, None),
    amulet: str = ANY,
    leave_by: int = WAY_OUT,
    stop: Event | None = None,
    tell: Callable[[int], None] = lambda tries: None,
) -> Challenge:
    """The first generated level of a seed that meets a difficulty's conditions; `size` None: the difficulty's.

    `leave_by` is WAY_OUT or DOOR; `tell` gets the number of levels tried. Raises StoppedError once `stop` is set,
    NoChallengeError after MOST_TRIES levels.
    """
    grade = DIFFICULTIES[difficulty]
    rows, cols = (usual if side is None else side for side, usual in zip(size, grade.size, strict=True))
    random = Random(seed)
    spec = LevelSpec(
        rows,
        cols,
        monsters=min(max(rows * cols // grade.cells_a_monster, grade.matter, 1), _MOST_THINGS),
        treasure=min(max(rows * cols // grade.cells_a_treasure, 1), _MOST_THINGS),
        amulets={NEEDED: 1, NONE: 0, ANY: grade.amulets}[amulet],
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


def asking_for_treasure(dungeon: Dungeon) -> Dungeon:
    """The dungeon, whose stars ask for half of its treasure if that is proven possible with few states."""
    half = (sum(int(np.count_nonzero(level.tiles == TREASURE)) for level in dungeon.levels) + 1) // 2
    enough = Event()

    def watch(_treasure: int, states: int, _bound: int) -> None:
        if states >= CERTIFIED_STATES:
            enough.set()

    found = Solver(dungeon).escape(rules.start(dungeon), half, stop=enough, progress=watch)
    is_possible = found.moves is not None and found.is_proven
    return replace(dungeon, sidecar=replace(dungeon.sidecar, treasure=half)) if is_possible else dungeon


def _fitting(level: Level, grade: Difficulty, amulet: str, stop: Event | None) -> Escape | None:
    """The level's shortest line if it meets the conditions, else None; cheap tests come first."""
    certifier = Certifier(level, most_states=_STATES, stop=stop)
    monsters = cells_of(np.argwhere(level.tiles == MONSTER))
    lonely = certifier.escape("the way without monsters", without(level, monsters))
    low, high = (share * sum(level.tiles.shape) for share in grade.moves)  # in hundredths of a move
    if lonely.moves is None or 100 * lonely.moves > high:
        return None
    ends = (Status.ESCAPED, Status.OUT_OF_LEVELS)
    if (played(level, lonely.commands[0]).status in ends) != grade.survives:
        return None
    best = certifier.escape("the fewest moves")
    if best.moves is None or not best.is_proven or not low <= 100 * best.moves <= high:
        return None
    if best.moves < lonely.moves + grade.detour:
        return None
    if amulet == NEEDED and certifier.is_amulet_needed(best) is not True:
        return None
    matter = (cell for cell in monsters if certifier.does_matter(cell, best))
    return best if len(list(islice(matter, grade.matter))) == grade.matter else None
