"""The packed turn beside the rules."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler.ai import kernels
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.level import Level
from dungeon_tui.games.crawler.model.state import Action, State, Status

MOST_SIZES = 3
COMMANDS = st.text("wasde", max_size=20)
LEFT = {kernels.TOOK_DOOR: Status.OUT_OF_LEVELS, kernels.ESCAPED: Status.ESCAPED, kernels.DIED: Status.DIED}


@st.composite
def levels(draw: st.DrawFn, side: int = 6) -> Level:
    height, width = draw(st.integers(1, side)), draw(st.integers(1, side))
    tiles = draw(st.lists(st.sampled_from(b"-----+$$@@MM?!"), min_size=height * width, max_size=height * width))
    grid = np.array(tiles, np.uint8).reshape(height, width)
    start = Cell(draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1)))
    grid[start] = ord("-")
    return Level("drawn", grid, start)


def unpacked(boards: kernels.Boards, size: int, items: kernels.Words, monsters: kernels.Words) -> np.ndarray:
    height, width = int(boards.heights[size]), int(boards.widths[size])
    tiles = np.full(height * width, ord("-"), np.uint8)
    at = boards.cells_at[size]
    for cell in range(height * width):
        tile = boards.tiles[at + cell]
        if tile == kernels.WALL:
            tiles[cell] = ord("+")
        elif tile >= 0 and kernels.has(items, tile):
            tiles[cell] = boards.kinds[tile % len(boards.kinds)]
        if kernels.has(monsters, cell):
            tiles[cell] = ord("M")
    return tiles.reshape(height, width)


@given(levels(), COMMANDS)
def test_the_packed_turn_is_that_of_the_rules(level: Level, commands: str) -> None:
    dungeon = Dungeon("drawn", (level,), asked=1, cell_limit=level.tiles.size << (2 * (MOST_SIZES - 1)))
    boards = kernels.make_boards(level.tiles, MOST_SIZES)
    state: State = rules.start(dungeon)
    size, cell = 0, level.start.row * level.tiles.shape[1] + level.start.col
    items, monsters = kernels.pack_board(boards, 0, level.tiles)
    for command in commands:
        if state.status is not Status.PLAYING:
            return
        has_treasure = state.treasure > 0
        before = state
        state, _ = rules.step(state, Action(command))
        way = kernels.COMMANDS.index(command)
        result, cell = kernels.turn(boards, size, cell, way, has_treasure, items, monsters)
        assert LEFT.get(result, Status.PLAYING) is state.status
        assert (result == kernels.TOOK_TREASURE) <= (state.treasure == before.treasure + 1)
        if result in (kernels.TOOK_DOOR, kernels.ESCAPED):
            continue
        if result == kernels.TOOK_AMULET and size + 1 < MOST_SIZES:
            more_items = np.full(kernels.item_words(boards, size + 1), 2**64 - 1, np.uint64)
            more_monsters = np.full(kernels.cell_words(boards, size + 1), 2**64 - 1, np.uint64)
            kernels.double(boards, size, items, monsters, more_items, more_monsters)
            cell = kernels.doubled_cell(boards, size, cell)
            items, monsters, size = more_items, more_monsters, size + 1
        tiles = state.board.copy()
        assert divmod(cell, tiles.shape[1]) == state.adventurer
        assert np.array_equal(unpacked(boards, size, items, monsters), tiles)
        again = kernels.pack_board(boards, size, tiles)
        assert [words.tolist() for words in again] == [items.tolist(), monsters.tolist()]


@given(levels())
def test_a_kind_can_be_dropped(level: Level) -> None:
    boards = kernels.make_boards(level.tiles)
    items, monsters = kernels.pack_board(boards, 0, level.tiles)
    kernels.drop_kind(boards, 0, items, ord("$"))
    expected = np.where(level.tiles == ord("$"), ord("-"), level.tiles)
    assert np.array_equal(unpacked(boards, 0, items, monsters), expected)
