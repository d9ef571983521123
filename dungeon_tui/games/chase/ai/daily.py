"""The board of a day, with a task that exact play proves can be done.

You are the monster against a rogue that never errs, and it can be caught, in some moves; or you are the rogue against a
monster that never errs, and are safe for ever if you don't err, either. What decides is the value of positions alone.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np

from dungeon_tui.core.catalogue import YOU
from dungeon_tui.core.random import Random
from dungeon_tui.core.words import counted
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai.solver import solve, value
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.generator import generate
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.players import daily_seats, daily_seed

SIZE = 16
HUNT = 10, 30
"""Monster moves that the capture takes, at least and at most."""

ESCAPE = 60
"""Monster moves for which the rogue has to keep away."""

_SAFE = 10, 70  # percent of all positions in which the rogue is safe, at least and at most


def daily_board(day: date) -> Level:
    """The first board of the day's seed on which the person's seat has something to do, and can do it.

    Cost:
        Some tens of boards are solved at most, a few milliseconds each.
    """
    is_hunt = daily_seats(day)["monster"] == YOU
    random = Random(daily_seed(day))
    while True:
        level = generate(random.word(), SIZE)
        moves = value(rules.start(level))
        if is_hunt and moves != UNREACHED and HUNT[0] <= moves <= HUNT[1]:
            task = f"Catch the rogue, which never errs. Nobody needs more than {counted(moves, 'move')}."
            return replace(level, name=f"daily-{day}", note=task)
        if not is_hunt and moves == UNREACHED and _SAFE[0] <= _safe_share(level) <= _SAFE[1]:
            task = f"Keep away from the monster, which never errs, for {counted(ESCAPE, 'move')}. It can be done."
            return replace(level, name=f"daily-{day}", note=task, moves=ESCAPE)


def _safe_share(level: Level) -> int:
    """Percentage of the positions, the monster to move, in which the rogue is safe for ever."""
    moves = solve(level)
    return 100 * int(np.count_nonzero(moves == UNREACHED)) // moves.size
