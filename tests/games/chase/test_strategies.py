"""The strategies beside their slow twins, on boards where one can see it, and what loops are."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.engine import UNREACHED, graph_distances
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.solver import move_graph
from dungeon_tui.games.chase.ai.strategies import MONSTERS, ROGUES, STRATEGIES, by_tie, find_loops
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.state import Side, State, Status
from tests import naive_chase as naive
from tests.games.chase.boards import after, board, board_rows, start, twin_of

TWINS = {
    (Side.MONSTER, "greedy"): naive.greedy_monster,
    (Side.MONSTER, "bfs"): naive.bfs_monster,
    (Side.MONSTER, "perfect"): naive.perfect_monster,
    (Side.ROGUE, "flee"): naive.flee_rogue,
    (Side.ROGUE, "perfect"): naive.perfect_rogue,
    (Side.ROGUE, "dfs"): naive.dfs_rogue,
}


def to_move(side: Side, *rows: str, seed: int = 0) -> State:
    """A side to move where the monster, if it is not its turn, has stayed."""
    state = start(*rows, seed=seed)
    return state if side is Side.MONSTER else after(state, state.monster)


def chased(state: State, monster: str, rogue: str, plies: int = 10**6) -> list[State]:
    """The states of a chase between two strategies, to its end or so many plies on."""
    states = [state]
    while state.status is Status.PLAYING and len(states) <= plies:
        state = after(state, STRATEGIES[state.side][monster if state.side is Side.MONSTER else rogue](state))
        states.append(state)
    return states


@pytest.mark.parametrize(("side", "name"), TWINS)
@given(rows=board_rows(most=4))
def test_each_is_its_slow_twin(side: Side, name: str, rows: tuple[str, ...]) -> None:
    assert tuple(STRATEGIES[side][name](to_move(side, *rows))) == TWINS[side, name](twin_of(rows))


@pytest.mark.parametrize("side", Side)
def test_chance_takes_every_move_but_a_rogues_onto_the_monster_by_seed_and_ply(side: Side) -> None:
    state = to_move(side, "...", ".@M", "...") if side is Side.ROGUE else start("...", ".M.", "..@")
    moves = {action.to for action in rules.legal_actions(state)} - ({state.monster} if side is Side.ROGUE else set())
    choose = STRATEGIES[side]["random"]
    assert {choose(replace(state, seed=seed)) for seed in range(100)} == moves
    later = [choose(replace(state, monster_moves=number)) for number in range(1, 101)]
    assert set(later) == moves
    assert later[1:] != [choose(replace(state, seed=1, monster_moves=number)) for number in range(1, 100)]
    shown = [rules.neighbours(state.level, state.site).index(to) for to in later[:12]]
    assert shown == CHOSEN[side]  # what recordings and seeds promise


CHOSEN = {Side.MONSTER: [4, 3, 8, 4, 5, 4, 0, 4, 8, 5, 3, 8], Side.ROGUE: [1, 8, 0, 0, 8, 5, 6, 3, 1, 7, 5, 8]}


def test_it_sets_traps_but_for_four_moves_of_sixteen() -> None:
    state = start("   ", "++M", "@+.")
    trap, nearer = Cell(1, 1), Cell(2, 2)
    moves = [MONSTERS["perfect"](replace(state, monster_moves=made)) for made in range(32)]
    assert moves == ([trap] * 12 + [nearer] * 4) * 2


R = Side.ROGUE


@pytest.mark.parametrize(
    ("rows", "to"),
    [
        (("@. ", "   ", "  M"), (0, 1)),  # it stays only if every step is worse
        (("...", ".@.", "..M"), (0, 1)),  # no loop: it flees
        ((" @  ", ". ..", ". . ", "M.. "), (1, 2)),  # in time by one move
        (("M.  ", ". @.", " .. ", "  . "), (2, 1)),  # to come with the monster is too late
        # to stay beside the monster is to be caught
        (("++ .+", "++@ .", " M.+ ", "+ ++ ", "+    "), (0, 3)),
        ((".  @", "M ..", " . .", "  . "), (1, 2)),  # missed by as much, the nearest
        (("M+. ", " +..", " .+ ", "+ @."), (2, 2)),  # of two ways the one away from the monster
        ((" . ..", "+..M.", " +  +", ".+. .", "@.+. "), (4, 1)),  # as near, reached with more to spare
    ],
)
def test_cycle_on_boards_where_one_can_see_it(rows: tuple[str, ...], to: tuple[int, int]) -> None:
    assert ROGUES["cycle"](to_move(R, *rows)) == Cell(*to)


def test_no_two_steps_are_the_same() -> None:
    """So the order in which moves are looked at decides nothing: on whatever side the rogue is, however far."""
    level = board("M.@", "...", "...")
    for row, col in product(range(-12, 13), repeat=2):
        state = State(level, Cell(0, 0), Cell(row, col))
        keys = [by_tie(state, Cell(*step)) for step in product((-1, 0, 1), repeat=2)]
        assert len(set(keys)) == 9 or (row, col) == (0, 0)


@pytest.mark.parametrize("name", ["bfs", "perfect"])
@pytest.mark.parametrize("rows", [("M+++", "+  +", "+  +", "+++@"), ("M..", ". .", "..@"), ("M+.", "+ .", ".+@")])
def test_it_hunts_on_where_the_rogue_is_safe(name: str, rows: tuple[str, ...]) -> None:
    """Round the loop, instead of back and forth."""
    state = start(*rows)
    assert solver.value(state) == UNREACHED
    (loop,) = loops_of(*rows)
    assert {tuple(each.monster) for each in chased(state, name, "perfect", 160)} >= loop


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


@given(rows=board_rows(most=4))
def test_there_is_a_loop_where_the_rogue_is_safe_from_somewhere_on(rows: tuple[str, ...]) -> None:
    """In each part of the board, by exact values."""
    level = board(*rows)
    graph, loops, values = move_graph(level), find_loops(level), solver.solve(level)
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
        state = after(state, moves[number % len(moves)].to)
        assert state.status is Status.PLAYING
        state = after(state, ROGUES["cycle"](state))
        assert state.status is Status.PLAYING
        assert graph.site(state.rogue) in loops.sites


@pytest.mark.parametrize("rows", [("+@++", "+  +", "M  +", "++++"), ("M+++", "+  +", "+  +", "+++@")])
def test_it_runs_round_and_does_not_turn_back(rows: tuple[str, ...]) -> None:
    """Chased from behind, and from opposite."""
    sites = [state.rogue for state in chased(start(*rows), "bfs", "cycle", 48)[2::2]]
    assert set(sites) == RING
    assert sites[:12] == sites[12:]


def test_it_takes_the_loop_that_it_reaches_before_the_monster() -> None:
    first = to_move(R, "+++    +++", "+ +    + +", "++@+M++.++", *[" " * 10] * 7)
    assert all(state.rogue.col <= 2 for state in chased(first, "bfs", "cycle", 40))
    other = replace(first, monster=Cell(2, 1), rogue=Cell(2, 4))
    assert [state.rogue.col for state in chased(other, "bfs", "cycle", 6)[1::2]] == [5, 6, 7]
