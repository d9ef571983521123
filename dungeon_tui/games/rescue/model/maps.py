"""A grid's least health and its digest, each computed once and remembered."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from dungeon_tui import engine
from dungeon_tui.games.rescue.model.level import MOST, Level

BEYOND = MOST + 1  # more than any knight can have


@lru_cache(maxsize=2)
def least_health(level: Level) -> int:
    """The least health with which the princess can be reached; BEYOND where it is more than 64 bits hold."""
    try:
        return engine.minimum_health(level.grid)
    except ValueError:
        return BEYOND


@lru_cache(maxsize=2)
def grid_digest(level: Level) -> bytes:
    """SHA-256 over the grid's shape and values, the same on every machine."""
    digest = hashlib.sha256(f"{level.grid.shape}\n".encode())
    for row in level.grid:
        digest.update(row.astype("<i8").data)
    return digest.digest()
