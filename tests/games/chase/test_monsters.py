"""The monster's strategies beside their slow twins."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.monsters import MONSTERS, _by_tie
from dungeon_tui.games.chase.ai.rogues import ROGUES, find_loops
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.maps import move_graph
from dungeon_tui.games.chase.model.state import Move, State, Status
from tests import naive_chase as naive
from tests import naive_chase_rules
from tests.games.chase.boards import board, board_rows

TWINS = {"greedy": naive.greedy_monster, "bfs": naive.bfs_monster, "perfect": naive.perfect_monster}


def start(*rows: str, seed: int = 0) -> State:
    return rules.start(board(*rows), seed)


def test_the_table_names_them() -> None:
    assert list(MONSTERS) == ["random", "greedy", "bfs", "perfect"]


@pytest.mark.parametrize("name", MONSTERS)
@given(rows=board_rows())
def test_each_makes_legal_moves_the_same_for_equal_states(name: str, rows: tuple[str, ...]) -> None:
    state = start(*rows, seed=3)
    to = MONSTERS[name](state)
    assert Move(to) in rules.legal_actions(state)
    assert MONSTERS[name](start(*rows, seed=3)) == to


@pytest.mark.parametrize("name", TWINS)
@given(rows=board_rows(most=4))
@settings(max_examples=60)
def test_each_is_its_slow_twin(name: str, rows: tuple[str, ...]) -> None:
    twin = naive_chase_rules.read(f"{len(rows)}\n" + "\n".join(map(" ".join, rows)))
    assert tuple(MONSTERS[name](start(*rows))) == TWINS[name](twin)


@given(rows=board_rows(most=4), made=st.integers(0, 40))
@settings(max_examples=60)
def test_the_perfect_one_does_not_set_traps_all_the_time(rows: tuple[str, ...], made: int) -> None:
    twin = naive_chase_rules.read(f"{len(rows)}\n" + "\n".join(map(" ".join, rows)))
    to = MONSTERS["perfect"](replace(start(*rows), monster_moves=made))
    assert tuple(to) == naive.perfect_monster(twin, made)


def test_it_sets_traps_but_for_four_moves_of_sixteen() -> None:
    state = start("   ", "++M", "@+.")
    trap, nearer = Cell(1, 1), Cell(2, 2)
    moves = [MONSTERS["perfect"](replace(state, monster_moves=made)) for made in range(32)]
    assert moves == ([trap] * 12 + [nearer] * 4) * 2


def test_chance_takes_every_move_and_hangs_on_seed_and_ply() -> None:
    state = start("...", ".M.", "..@")
    moves = [MONSTERS["random"](replace(state, seed=seed)) for seed in range(100)]
    assert {Move(to) for to in moves} == set(rules.legal_actions(state))
    later = [MONSTERS["random"](replace(state, monster_moves=number)) for number in range(100)]
    assert {Move(to) for to in later} == set(rules.legal_actions(state))
    shifted = [MONSTERS["random"](replace(state, seed=1, monster_moves=number)) for number in range(100)]
    assert later[1:] != shifted[:-1]


@pytest.mark.parametrize(
    ("name", "rows", "to"),
    [
        ("greedy", ("M. .", "   .", ".. @", "...."), (0, 1)),
        ("greedy", (".M .", "   .", ".. @", "...."), (0, 1)),  # the wall holds it up for ever
        ("bfs", ("...M", ".   ", ".  @", "...."), (0, 2)),
        ("bfs", ("M++", "+++", "++@"), (0, 1)),
        ("bfs", ("M..", "...", "..@"), (1, 1)),
        ("perfect", ("M@ ", "   ", "   "), (0, 1)),
    ],
)
def test_on_boards_where_one_can_see_it(name: str, rows: tuple[str, ...], to: tuple[int, int]) -> None:
    assert MONSTERS[name](start(*rows)) == Cell(*to)


DOCUMENT = (Path(__file__).parents[3] / "docs" / "games" / "chase.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("rule", "name", "rows", "to"),
    [
        ("stays", "bfs", ("M  ", "   ", "  @"), (0, 0)),  # no way leads there: all moves are equally good
        ("does not lead to the right of the straight line to the rogue", "bfs", (" . ", "M @", " . "), (0, 1)),
        ("does not lead to the right of the straight line to the rogue", "greedy", ("M++", "+++", "++@"), (0, 1)),
        ("nearest to the rogue as the crow flies", "bfs", ("....", "M..@", "....", "...."), (1, 1)),
    ],
)
def test_ties_are_broken_as_the_document_says(rule: str, name: str, rows: tuple[str, ...], to: tuple[int, int]) -> None:
    assert rule in " ".join(DOCUMENT.split())
    assert MONSTERS[name](start(*rows)) == Cell(*to)


def test_no_two_steps_are_told_apart_by_nothing() -> None:
    """So the order in which moves are looked at decides nothing: on whatever side the rogue is, however far."""
    level = board("M.@", "...", "...")
    for row, col in product(range(-12, 13), repeat=2):
        state = State(level, Cell(0, 0), Cell(row, col))
        keys = [_by_tie(state, Cell(*step)) for step in product((-1, 0, 1), repeat=2)]
        assert len(set(keys)) == 9 or (row, col) == (0, 0)


@pytest.mark.parametrize("rogue", ROGUES)
@given(rows=board_rows())
@settings(max_examples=30)
def test_the_perfect_one_takes_no_more_moves_than_the_value(rogue: str, rows: tuple[str, ...]) -> None:
    state = start(*rows)
    value = solver.value(state)
    if value == UNREACHED:
        return
    while state.status is Status.PLAYING:
        to = MONSTERS["perfect"](state) if state.side.value == "monster" else ROGUES[rogue](state)
        state, _ = rules.step(state, Move(to))
    assert state.monster_moves <= value
    assert rogue != "perfect" or state.monster_moves == value


@pytest.mark.parametrize("name", ["bfs", "perfect"])
@pytest.mark.parametrize("rows", [("M+++", "+  +", "+  +", "+++@"), ("M..", ". .", "..@"), ("M+.", "+ .", ".+@")])
def test_it_hunts_on_where_the_rogue_is_safe(name: str, rows: tuple[str, ...]) -> None:
    """Round the loop, instead of back and forth."""
    state = start(*rows)
    assert solver.value(state) == UNREACHED
    visited = set()
    for _ in range(80):
        state, _ = rules.step(state, Move(MONSTERS[name](state)))
        visited.add(state.monster)
        state, _ = rules.step(state, Move(ROGUES["perfect"](state)))
    assert visited >= {Cell(*site) for site in loop_of(rows)}


def loop_of(rows: tuple[str, ...]) -> list[tuple[int, int]]:
    """The sites of the board's loop, which has one."""
    level = board(*rows)
    loops = find_loops(level)
    assert loops.is_loop.all()
    return [(row, col) for row, col in move_graph(level).cells[loops.sites].tolist()]
