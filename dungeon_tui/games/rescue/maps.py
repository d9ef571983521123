"""What is computed from a grid once and remembered."""

from __future__ import annotations

from functools import lru_cache

from dungeon_tui.engine import minimum_health
from dungeon_tui.games.rescue.level import Level


@lru_cache(maxsize=16)
def least_health(level: Level) -> int:
    """The least health with which the princess can be reached.

    Raises:
        ValueError: it is beyond 64 bits.
    """
    return minimum_health(level.grid)
