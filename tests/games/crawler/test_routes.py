"""Routes and distances on the crawler's board."""

from collections import deque

import numpy as np
import pytest
from hypothesis import given

from dungeon_tui.core.grid import Cell
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import alone
from dungeon_tui.games.crawler.model.level import Level
from dungeon_tui.games.crawler.model.state import STEPS, State
from dungeon_tui.games.crawler.view.advice.solving import Solving
from dungeon_tui.games.crawler.view.guide import CrawlerGuide
from dungeon_tui.games.crawler.view.screen import distances
from tests.games.crawler.pictures import dungeon_of, levels

route = CrawlerGuide(Solving()).route


def state_of(*rows: str) -> State:
    return rules.start(dungeon_of(" ".join(rows)))


@pytest.mark.parametrize("tile", "+?!@M")
def test_a_walk_may_end_on_what_changes_the_level_and_never_leads_through_it(tile: str) -> None:
    assert "row 1, column 3" in route(state_of(f"o{tile}-"), Cell(0, 2))
    assert isinstance(route(state_of(f"o{tile}-"), Cell(0, 1)), str) is (tile in "+M!")


def test_the_board_is_left_as_it_was() -> None:
    state = state_of("o-$", "-M-")
    before = state.board.copy()
    route(state, Cell(0, 2))
    distances(state, "walking", True)
    assert np.array_equal(state.board.array(), before)


def naive_distances(state: State, stops: str) -> dict[Cell, int]:
    found = {state.adventurer: 0}
    waiting = deque([state.adventurer])
    while waiting:
        cell = waiting.popleft()
        for direction in STEPS.values():
            step = cell.neighbour(direction)
            is_new = step.is_inside(state.board.height, state.board.width) and step not in found
            if is_new and chr(state.board[step]) not in stops:
                found[step] = found[cell] + 1
                waiting.append(step)
    return found


@given(levels(b"---+$?!@M", side=6))
def test_walks_and_distances_are_the_naive_ones(level: Level) -> None:
    state = rules.start(alone(level))
    distance = distances(state, "walking", False).distance
    expected = naive_distances(state, "+")
    walked = naive_distances(state, "+?!@M")
    for cell in map(Cell._make, np.ndindex(level.tiles.shape)):
        assert distance[cell] == expected.get(cell, UNREACHED)
        if level.tiles[cell] not in b"-$":
            continue
        actions = route(state, cell)
        if isinstance(actions, str):
            assert cell not in walked or cell == state.adventurer
            continue
        assert len(actions) == walked[cell]
        at = state.adventurer
        for action in actions:
            at = at.neighbour(STEPS[action])
            assert level.tiles[at] in b"-$"
        assert at == cell
