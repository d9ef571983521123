"""Levels and dungeons from pictures: rows parted by blanks, the adventurer as `o`."""

import numpy as np
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.level import MAX_CELLS, Level
from dungeon_tui.games.crawler.model.state import Action, State


def level_of(*rows: str) -> Level:
    parted = " ".join(rows).split()
    row = next(row for row, tiles in enumerate(parted) if "o" in tiles)
    tiles = np.array([list(tiles.replace("o", "-").encode()) for tiles in parted], np.uint8)
    return Level("picture", tiles, Cell(row, parted[row].index("o")))


def dungeon_of(*pictures: str, cell_limit: int = MAX_CELLS, missing: LevelError | None = None) -> Dungeon:
    levels = tuple(level_of(picture) for picture in pictures)
    return Dungeon("picture", levels, level_count=len(levels), cell_limit=cell_limit, missing=missing)


def played(state: State, letters: str) -> State:
    for letter in letters:
        state, _ = rules.step(state, Action(letter))
    return state


@st.composite
def levels(draw: st.DrawFn, tiles: bytes, side: int = 4, given: bytes = b"-") -> Level:
    """Up to side x side of some tiles; among them given ones, as far as there is room, the first where one starts."""
    height, width = draw(st.integers(1, side)), draw(st.integers(1, side))
    codes = draw(st.lists(st.sampled_from(tiles), min_size=height * width, max_size=height * width))
    cells = draw(st.permutations(range(height * width)))
    for cell, tile in zip(cells, given, strict=False):
        codes[cell] = tile
    return Level("drawn", np.array(codes, np.uint8).reshape(height, width), Cell(*divmod(cells[0], width)))
