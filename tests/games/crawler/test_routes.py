"""Routes and distances on the crawler's board."""

import numpy as np
import pytest
from hypothesis import given

from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import alone
from dungeon_tui.games.crawler.model.level import Level
from dungeon_tui.games.crawler.model.state import STEPS, Action, State
from dungeon_tui.games.crawler.view.advice.solving import Solving
from dungeon_tui.games.crawler.view.guide import CrawlerGuide
from dungeon_tui.games.crawler.view.screen import distances
from tests.games.crawler.pictures import dungeon_of, levels
from tests.naive_distance import distance_map

route = CrawlerGuide(Solving()).route


def state_of(*rows: str) -> State:
    return rules.start(dungeon_of(" ".join(rows)))


@pytest.mark.parametrize("tile", "+?!@M")
def test_a_walk_may_end_on_what_changes_the_level_and_never_leads_through_it(tile: str) -> None:
    assert "row 1, column 3" in route(state_of(f"o{tile}-"), Cell(0, 2))
    assert isinstance(route(state_of(f"o{tile}-"), Cell(0, 1)), str) is (tile in "+M!")


@pytest.mark.parametrize(("row", "first"), [("Mo--$", 4), ("!o--$", 4), ("$+o-?", 4), ("$o--$", 0)])
def test_places_begin_with_those_to_walk_to(row: str, first: int) -> None:
    assert CrawlerGuide(Solving()).places(state_of(row))[0][1] == Cell(0, first)


def test_places_of_a_large_board_are_found_without_a_walk_over_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "cells_on_foot", None)
    row = f"Mo{'-' * 2000}$"
    assert CrawlerGuide(Solving()).places(state_of(row)) == CrawlerGuide(Solving()).landmarks(state_of(row))


def test_of_equally_short_walks_one_is_taken_that_no_monster_sees() -> None:
    for first, *rows in ((Action.DOWN, "o---M", "----+"), (Action.RIGHT, "o--+", "---+", "M+++")):
        assert route(state_of(*rows), Cell(1, 2))[0] is first


def test_the_board_is_left_as_it_was() -> None:
    state = state_of("o-$", "-M-")
    before = state.board.copy()
    route(state, Cell(0, 2))
    distances(state, "walking", True)
    assert np.array_equal(state.board.array(), before)


def naive_distances(state: State, stops: bytes) -> list[list[int]]:
    passable = ~np.isin(state.board.array(), list(stops))
    return distance_map(passable.tolist(), [state.adventurer], diagonal=False)


@given(levels(b"---+$?!@M", side=6))
def test_walks_and_distances_are_the_naive_ones(level: Level) -> None:
    state = rules.start(alone(level))
    distance = distances(state, "walking", False).distance
    inside, walked = naive_distances(state, b"+?!"), naive_distances(state, b"+?!@M")
    cells = [*map(Cell._make, np.ndindex(level.tiles.shape))]
    for cell in cells:
        beside = [inside[near.row][near.col] for near in map(cell.neighbour, FOUR_WAYS) if near in cells]
        is_end = level.tiles[cell] in b"?!" and min(beside, default=UNREACHED) < UNREACHED
        assert distance[cell] == (1 + min(beside) if is_end else inside[cell.row][cell.col])
        if level.tiles[cell] not in b"-$":
            continue
        actions = route(state, cell)
        if isinstance(actions, str):
            assert walked[cell.row][cell.col] in (UNREACHED, 0)
            continue
        assert len(actions) == walked[cell.row][cell.col]
        at = state.adventurer
        for action in actions:
            at = at.neighbour(STEPS[action])
            assert level.tiles[at] in b"-$"
        assert at == cell
