"""The packed turn beside the rules."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.adventure import AmuletTaken, TreasureTaken
from dungeon_tui.core.rules import Event
from dungeon_tui.games.crawler.ai import kernels
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.events import Died, DoorTaken, Escaped
from dungeon_tui.games.crawler.model.level import Level
from dungeon_tui.games.crawler.model.state import Action, State, Status
from tests.games.crawler.pictures import levels

MOST_SIZES = 3
COMMANDS = st.text("wasde", max_size=20)
LEVELS = levels(b"-----+$$@@MM?!", side=6)


def unpacked(boards: kernels.Boards, size: int, words: kernels.Words, items: int, monsters: int) -> np.ndarray:
    height, width, at = boards.layout[size, :3].tolist()
    tiles = np.full(height * width, ord("-"), np.uint8)
    for cell in range(height * width):
        tile = boards.tiles[at + cell]
        if tile == kernels.WALL:
            tiles[cell] = ord("+")
        elif tile >= 0 and kernels.has(words, items, tile):
            tiles[cell] = boards.kinds[tile % len(boards.kinds)]
        if kernels.has(words, monsters, cell):
            tiles[cell] = ord("M")
    return tiles.reshape(height, width)


def result_of(events: tuple[Event, ...]) -> int:
    """The packed turn's result, by the events of the rules."""
    results = {
        Died: kernels.DIED,
        DoorTaken: kernels.TOOK_DOOR,
        Escaped: kernels.ESCAPED,
        AmuletTaken: kernels.TOOK_AMULET,
        TreasureTaken: kernels.TOOK_TREASURE,
    }
    kinds = [type(event) for event in events]
    return next((result for kind, result in results.items() if kind in kinds), kernels.WENT)


@given(LEVELS, COMMANDS)
def test_the_packed_turn_is_that_of_the_rules(level: Level, commands: str) -> None:
    dungeon = Dungeon("drawn", (level,), level_count=1, cell_limit=level.tiles.size << (2 * (MOST_SIZES - 1)))
    boards = kernels.make_boards(level.tiles, MOST_SIZES)
    state: State = rules.start(dungeon)
    size, cell = 0, level.start.row * level.tiles.shape[1] + level.start.col
    sets = kernels.pack_board(boards, 0, level.tiles)
    for command in commands:
        if state.status is not Status.PLAYING:
            return
        has_treasure = state.treasure > 0
        state, events = rules.step(state, Action(command))
        monsters = 1 + len(sets[0])
        words = np.concatenate([[5], *sets, np.full(2 * MOST_SIZES**3, -1)])
        way = kernels.COMMANDS.index(command)
        result, cell = kernels.play_turn(boards, size, cell, way, has_treasure, words, 1)
        assert result == result_of(events)
        if result in (kernels.TOOK_DOOR, kernels.ESCAPED):
            continue
        items = 1
        if result == kernels.TOOK_AMULET and size + 1 < MOST_SIZES:
            items = monsters + len(sets[1])
            kernels.double(boards, size, words, 1, items)
            cell = kernels.doubled_cell(boards, size, cell)
            size += 1
            monsters = items + int(boards.layout[size, kernels.ITEM_WORDS])
        tiles = state.board.copy()
        assert divmod(cell, tiles.shape[1]) == state.adventurer
        assert np.array_equal(unpacked(boards, size, words, items, monsters), tiles)
        sets = kernels.pack_board(boards, size, tiles)
        end = monsters + len(sets[1])
        assert words[0] == 5
        assert words[items:end].tolist() == np.concatenate(sets).tolist()
