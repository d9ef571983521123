"""How far it is to items past a monster, against play by the rules on a board without items."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler.ai.search.distances import FAR
from dungeon_tui.games.crawler.ai.search.terrain import Terrain
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import alone
from dungeon_tui.games.crawler.model.level import MONSTER, OPEN, TREASURE, WAY_OUT, Level
from dungeon_tui.games.crawler.model.state import STEPS, Status


def naive_moves(tiles: np.ndarray, start: Cell, goal: Cell, is_exit: bool) -> int:
    """The fewest moves to the goal, alive, or onto a way out, where monsters don't move any more."""
    layer, seen, moves = [rules.start(alone(Level("one", tiles, start)))], set(), 0
    while layer:
        if not is_exit and any(state.adventurer == goal for state in layer):
            return moves
        moves += 1
        nearby = {goal.neighbour(step) for step in STEPS.values()}
        if is_exit and any(state.adventurer in nearby and state.board[goal] != MONSTER for state in layer):
            return moves
        following = []
        for state in layer:
            for action in rules.legal_actions(state):
                after, _ = rules.step(state, action)
                key = after.adventurer, after.board.copy().tobytes()
                if after.status is Status.PLAYING and key not in seen:
                    seen.add(key)
                    following.append(after)
        layer = following
    return int(FAR)


@settings(max_examples=100, deadline=None)
@given(st.data(), st.integers(1, 5), st.integers(2, 5), st.sampled_from([TREASURE, WAY_OUT]))
def test_walks_past_a_monster_are_the_naive_ones(data: st.DataObject, height: int, width: int, kind: int) -> None:
    tiles = np.array(data.draw(st.lists(st.sampled_from(b"---+"), min_size=25, max_size=25)), np.uint8)
    tiles = tiles[: height * width].reshape(height, width)
    cells = [Cell(row, col) for row in range(height) for col in range(width)]
    goal, start, monster = data.draw(st.tuples(*[st.sampled_from(cells)] * 3))
    tiles[goal] = tiles[start] = tiles[monster] = OPEN
    if start in (goal, monster) or monster == goal:
        return
    level = tiles.copy()
    level[goal] = kind
    terrain = Terrain.of(level, 1 << 20)
    assert terrain is not None
    terrain.look_past_monsters()
    past = terrain.tables.steps[terrain.tables.offsets[1, 0] :].reshape(height * width, height * width)
    tiles[monster] = MONSTER
    found = past[start.row * width + start.col, monster.row * width + monster.col]
    assert found == naive_moves(tiles, start, goal, kind == WAY_OUT)
