"""Exact values beside the slow twin."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.state import Side
from tests import naive_chase
from tests import naive_chase_rules as naive
from tests.games.chase.boards import TOO_LARGE, board, board_rows, start, twin_of


@given(board_rows(most=4))
def test_values_and_best_moves_equal_the_slow_twin(rows: tuple[str, ...]) -> None:
    level, twin = board(*rows), twin_of(rows)
    hunting, fleeing = naive.values(twin)
    for (monster, rogue), side in product(hunting, Side):
        if monster == rogue:
            continue
        state = replace(rules.start(level), monster=Cell(*monster), rogue=Cell(*rogue), side=side)
        if side is Side.MONSTER:
            value = hunting[monster, rogue]
            worth = {to: add(fleeing[to, rogue], 1) for to in twin.moves(monster)}
        else:
            value = fleeing[monster, rogue]
            worth = {to: hunting[monster, to] for to in twin.moves(rogue)}
        assert solver.value(state) == value
        assert {tuple(to): number for to, number in solver.move_values(state).items()} == worth
        assert [tuple(to) for to in solver.best_moves(state)] == sorted(to for to in worth if worth[to] == value)


def add(value: int, moves: int) -> int:
    return value if value == UNREACHED else value + moves


@given(board_rows())
def test_the_graph_is_that_of_the_rules(rows: tuple[str, ...]) -> None:
    level = board(*rows)
    graph = solver.move_graph(level)
    assert [tuple(cell) for cell in graph.cells.tolist()] == sorted(twin_of(rows).sites)
    for site in range(len(graph)):
        cell = graph.cell(site)
        assert graph.site(cell) == site
        assert sorted(map(graph.cell, graph.moves(site).tolist())) == sorted(rules.neighbours(level, cell))


@given(board_rows(), st.sampled_from(Side))
def test_walking_maps_count_the_moves_to_a_side(rows: tuple[str, ...], side: Side) -> None:
    state, twin = start(*rows), twin_of(rows)
    far = naive_chase.steps(twin, twin.monster if side is Side.MONSTER else twin.rogue)
    distance = solver.walking_map(state, side)
    for place in product(range(twin.size), repeat=2):
        assert distance[place] == far.get(place, UNREACHED)


def test_a_board_with_too_many_sites_is_refused_with_its_size_and_memory() -> None:
    with pytest.raises(ValueError, match=r"5184 sites .* 5000.* MiB"):
        solver.solve(board(*TOO_LARGE))
