"""Dungeons, distance maps and turns as plain text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.grid import Cell
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.delve.level import PLAYER

LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

_LETTER_CODES = np.frombuffer(LETTERS.encode(), np.uint8)


def grid_text(glyphs: ByteGrid, player: Cell) -> str:
    """A line per row, with the player in it."""
    grid = glyphs.copy()
    grid[player] = PLAYER
    return "".join(f"{bytes(row).decode('ascii')}\n" for row in grid)


def distance_glyphs(looks: ByteGrid, distance: NDArray[np.int32], alphabet: str) -> ByteGrid:
    """A distance map drawn over the dungeon.

    Args:
        looks: (height, width) uint8, the dungeon's terrain.
        distance: (height, width) steps or turns.
        alphabet: "letters" (0-9, a-z, A-Z for 0 to 61) or "digits" (the last digit of each).

    Returns:
        (height, width) uint8 ASCII codes: the terrain where nothing reaches, and with letters above 61.
    """
    has_letters = alphabet == "letters"
    is_shown = (distance < len(LETTERS)) if has_letters else (distance != UNREACHED)
    indices = np.where(is_shown, distance, 0) % (len(LETTERS) if has_letters else 10)
    return np.where(is_shown, _LETTER_CODES[indices], looks)
