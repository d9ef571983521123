"""The rogue's strategies beside their slow twins, and what loops are."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.engine import UNREACHED, graph_distances
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.monsters import MONSTERS
from dungeon_tui.games.chase.ai.rogues import ROGUES, find_loops
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.maps import move_graph
from dungeon_tui.games.chase.model.state import Move, Side, State, Status
from tests import naive_chase as naive
from tests import naive_chase_rules
from tests.games.chase.boards import board, board_rows

TWINS = {"flee": naive.flee_rogue, "perfect": naive.perfect_rogue}


def rogue_to_move(*rows: str, seed: int = 0) -> State:
    return replace(rules.start(board(*rows), seed), side=Side.ROGUE, monster_moves=1)


def test_the_table_names_them() -> None:
    assert list(ROGUES) == ["random", "flee", "cycle", "perfect"]


@pytest.mark.parametrize("name", ROGUES)
@given(rows=board_rows(most=7))
def test_each_makes_legal_moves_but_onto_the_monster(name: str, rows: tuple[str, ...]) -> None:
    state = rogue_to_move(*rows, seed=3)
    to = ROGUES[name](state)
    assert Move(to) in rules.legal_actions(state)
    assert to != state.monster
    assert ROGUES[name](rogue_to_move(*rows, seed=3)) == to


@pytest.mark.parametrize("name", TWINS)
@given(rows=board_rows(most=4))
@settings(max_examples=60)
def test_each_is_its_slow_twin(name: str, rows: tuple[str, ...]) -> None:
    twin = naive_chase_rules.read(f"{len(rows)}\n" + "\n".join(map(" ".join, rows)))
    assert tuple(ROGUES[name](rogue_to_move(*rows))) == TWINS[name](twin)


def test_chance_takes_every_move_but_onto_the_monster() -> None:
    state = rogue_to_move("...", ".@.", "..M")
    moves = {Move(ROGUES["random"](replace(state, seed=seed))) for seed in range(100)}
    assert moves == {move for move in rules.legal_actions(state) if move.to != state.monster}


@pytest.mark.parametrize(
    ("name", "rows", "to"),
    [
        ("flee", ("@++", "M  ", "   "), (0, 1)),
        ("flee", ("@M ", "   ", "   "), (0, 0)),  # nowhere to go, but not onto the monster
        ("flee", ("@. ", "   ", "  M"), (0, 0)),  # no way leads there
        ("cycle", ("@. ", "   ", "  M"), (0, 0)),
        ("cycle", ("...", ".@.", "..M"), (0, 1)),  # no loop: it flees
        ("cycle", (" @  ", ". ..", ". . ", "M.. "), (0, 1)),  # in time by one move
        ("cycle", ("M.  ", ". @.", " .. ", "  . "), (2, 1)),  # to come with the monster is too late
        ("cycle", ("++ .+", "++@ .", " M.+ ", "+ ++ ", "+    "), (0, 3)),  # to stay beside the monster is to be caught
        ("cycle", (".  @", "M ..", " . .", "  . "), (1, 2)),  # missed by as much, the nearest
        ("cycle", ("M+. ", " +..", " .+ ", "+ @."), (2, 2)),  # of two ways the one away from the monster
        ("cycle", (" . ..", "+..M.", " +  +", ".+. .", "@.+. "), (4, 1)),  # as near, reached with more to spare
        ("perfect", ("@++", "M  ", "   "), (0, 1)),
    ],
)
def test_on_boards_where_one_can_see_it(name: str, rows: tuple[str, ...], to: tuple[int, int]) -> None:
    assert ROGUES[name](rogue_to_move(*rows)) == Cell(*to)


def loops_of(*rows: str) -> list[set[tuple[int, int]]]:
    """The sites of the loops of each part of a board that has any."""
    level = board(*rows)
    graph, loops = move_graph(level), find_loops(level)
    found: list[set[tuple[int, int]]] = []
    for place in range(len(loops.sites)):
        distance = graph_distances(loops.indptr, loops.indices, place)
        together = {tuple(graph.cells[site].tolist()) for site in loops.sites[distance < UNREACHED]}
        assert loops.is_loop[place] == (len(together) > 1)
        if len(together) > 1 and together not in found:
            found.append(together)
    return found


RING = {(row, col) for row in range(4) for col in range(4)} - {(1, 1), (1, 2), (2, 1), (2, 2)}


@pytest.mark.parametrize(
    ("rows", "loops"),
    [
        (("M.", ".@"), []),  # a block of rooms
        (("M.", "+@"), []),  # its one corridor can be cut off across the rooms
        (("M++", "  +", "++@"), []),  # a dead end
        (("M+++", "+  +", "+  +", "+++@"), [RING]),
        (("M+++ ", "+  + ", "+  + ", "+++@.", "  ..."), [RING]),  # with a room beside it
        (("M..", ". .", "..@"), [{(0, 1), (1, 0), (1, 2), (2, 1)}]),  # round a pillar, without its corners
        (("M...", "....", ".  .", "...@"), [{(1, 1), (1, 2), (2, 0), (2, 3), (3, 1), (3, 2)}]),
        (("M+@", "+++", "  ."), [{(0, 0), (0, 1), (1, 0), (1, 1)}, {(0, 1), (0, 2), (1, 1), (1, 2)}]),
    ],
)
def test_loops_are_what_can_not_be_cut_across(rows: tuple[str, ...], loops: list[set[tuple[int, int]]]) -> None:
    found = loops_of(*rows)
    if len(loops) < 2:
        assert found == loops
    else:
        assert found == [set().union(*loops)]


@given(rows=board_rows(most=4))
@settings(max_examples=60)
def test_there_is_a_loop_where_the_rogue_is_safe_from_somewhere_on(rows: tuple[str, ...]) -> None:
    """In each part of the board, by exact values."""
    level = board(*rows)
    graph, loops, values = move_graph(level), find_loops(level), solver.solve(level).monster_to_move
    for site in range(len(graph)):
        part = graph_distances(graph.indptr, graph.indices, site) < UNREACHED
        assert loops.is_loop[loops.shadow[site]] == (values[part][:, part] == UNREACHED).any()


@given(rows=board_rows(least=3, most=7), monster_moves=st.lists(st.integers(0, 8), max_size=40))
def test_nobody_is_caught_on_a_loop_whatever_the_monster_does(rows: tuple[str, ...], monster_moves: list[int]) -> None:
    state = rules.start(board(*rows))
    graph, loops = move_graph(state.level), find_loops(state.level)
    shadow = loops.shadow[graph.site(state.monster)]
    far = graph_distances(loops.indptr, loops.indices, int(shadow)) > 1
    sites = loops.sites[loops.is_loop & far]
    assume(len(sites) > 0)
    state = replace(state, rogue=graph.cell(int(sites[0])))
    for number in monster_moves:
        moves = rules.legal_actions(state)
        state, _ = rules.step(state, moves[number % len(moves)])
        assert state.status is Status.PLAYING
        state, _ = rules.step(state, Move(ROGUES["cycle"](state)))
        assert state.status is Status.PLAYING
        assert graph.site(state.rogue) in loops.sites


def test_it_runs_round_and_does_not_turn_back() -> None:
    """Chased from behind, and from opposite."""
    for rows in (("+@++", "+  +", "M  +", "++++"), ("M+++", "+  +", "+  +", "+++@")):
        assert_it_runs_round(rules.start(board(*rows)))


def assert_it_runs_round(state: State) -> None:
    sites = []
    for _ in range(24):
        state, _ = rules.step(state, Move(MONSTERS["bfs"](state)))
        state, _ = rules.step(state, Move(ROGUES["cycle"](state)))
        sites.append(state.rogue)
    assert set(sites) == RING
    assert sites[:12] == sites[12:]


def test_it_takes_the_loop_that_it_reaches_before_the_monster() -> None:
    first = rogue_to_move(
        "+++    +++",
        "+ +    + +",
        "++@+M++.++",
        *[" " * 10] * 7,
    )
    state = first
    for _ in range(20):
        state, _ = rules.step(state, Move(ROGUES["cycle"](state)))
        state, _ = rules.step(state, Move(MONSTERS["bfs"](state)))
        assert state.rogue.col <= 2
    state = replace(first, monster=Cell(2, 1), rogue=Cell(2, 4))
    goals = []
    for _ in range(3):
        state, _ = rules.step(state, Move(ROGUES["cycle"](state)))
        state, _ = rules.step(state, Move(MONSTERS["bfs"](state)))
        goals.append(state.rogue.col)
    assert goals == [5, 6, 7]


def rooms_and_corridors(seed: int) -> Level:
    """Three to six rooms of a board of 14 x 14, each joined to others by crooked corridors."""
    chance = Random(seed)
    size = 14
    tiles = [[" "] * size for _ in range(size)]
    middles = []
    for _ in range(chance.randint(3, 6)):
        row, col = chance.randrange(size - 3), chance.randrange(size - 3)
        for down in range(chance.randint(2, 3)):
            for right in range(chance.randint(2, 4)):
                if col + right < size:
                    tiles[row + down][col + right] = "."
        middles.append((row, col))
    for _ in range(len(middles) + 2):
        (row, col), (last_row, last_col) = chance.sample(middles, 2)
        while (row, col) != (last_row, last_col):
            tiles[row][col] = "+" if tiles[row][col] == " " else tiles[row][col]
            if col != last_col:
                col += 1 if last_col > col else -1
            else:
                row += 1 if last_row > row else -1
    rooms = [(row, col) for row in range(size) for col in range(size) if tiles[row][col] == "."]
    for glyph, (row, col) in zip("M@", chance.sample(rooms, 2), strict=True):
        tiles[row][col] = glyph
    return board(*map("".join, tiles), moves=100)


@pytest.mark.parametrize("monster", ["greedy", "bfs", "perfect"])
def test_cycle_evades_where_exact_play_does(monster: str) -> None:
    evading = survived = 0
    for seed in range(60):
        state = rules.start(rooms_and_corridors(seed))
        if solver.value(state) != UNREACHED:
            continue
        evading += 1
        while state.status is Status.PLAYING:
            to = MONSTERS[monster](state) if state.side is Side.MONSTER else ROGUES["cycle"](state)
            state, _ = rules.step(state, Move(to))
        survived += state.status is Status.EVADED
    assert evading >= 20
    assert survived == evading
