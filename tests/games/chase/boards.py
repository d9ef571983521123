"""Boards that tests draw."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from dungeon_tui.core.level import LevelFile
from dungeon_tui.games.chase.model.level import Level, read_level


def board(*rows: str, moves: int = 2000) -> Level:
    """A board of rows without the blanks between their sites."""
    text = "".join(" ".join(row).rstrip() + "\n" for row in rows)
    level = read_level(LevelFile("drawn.txt", f"{len(rows)}\n{text}".encode()))
    return Level(level.name, level.tiles, level.monster, level.rogue, level.letter, level.note, moves)


@st.composite
def board_rows(draw: st.DrawFn, least: int = 2, most: int = 5) -> tuple[str, ...]:
    """The rows of a small board, some wall, some corridor."""
    size = draw(st.integers(least, most))
    chance = random.Random(draw(st.integers(0, 2**32)))
    weights = draw(st.sampled_from([(1, 0, 0), (6, 2, 2), (3, 3, 3), (5, 0, 4), (0, 3, 2)]))
    sites = chance.choices(".+ ", weights, k=size * size)
    monster, rogue = chance.sample(range(size * size), 2)
    sites[monster], sites[rogue] = "M", "@"
    return tuple("".join(sites[row * size : (row + 1) * size]) for row in range(size))
