"""Purchases: the least gold beside a slow twin, the rules, the shipped puzzles and those of a seed."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model import purchase as purchases
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.dungeon import named, read_grid
from dungeon_tui.games.rescue.model.generator import puzzle
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.model.purchase import FEE, bargain, purchase
from dungeon_tui.games.rescue.model.rules import Paid, SetOut, State, Status, Walk
from dungeon_tui.games.rescue.view.advice import advise
from dungeon_tui.games.rescue.view.analysis import RescueAnalysis, gold_in_all, health_figure
from dungeon_tui.games.rescue.view.picture import path_on
from dungeon_tui.games.rescue.view.words import compared
from dungeon_tui.ui.glyphs import UNICODE
from tests import naive_purchase as naive
from tests.games.rescue.grids import grid_rows, level_of
from tests.games.rescue.test_dungeon import LEAST_GOLD, PURCHASES
from tests.naive_grid_dp import paths

SMALL = grid_rows(3, st.sampled_from([-4, -3, -1, 0, 0, 2, 3]))
FORK = [[0, -2, 9], [0, -9, -9], [-1, -5, -2]]  # the power-up is worth turning back for


def bought(grid: list[list[int]], *actions: str, fee: int = FEE) -> State:
    controller = TurnController(rules, purchase(level_of(grid), fee))
    controller.apply_texts(actions)
    state: State = controller.state
    return state


def walked(state: State, path: tuple[Cell, ...]) -> State:
    """The state after a walk over these cells, the first of which is entered first."""
    for here, cell in zip((state.cell, *path), path, strict=False):
        state, _ = rules.step(state, Walk(Direction((cell.row - here.row, cell.col - here.col))))
    return state


@given(rows=SMALL, fee=st.integers(0, 3))
def test_the_least_gold_is_that_of_the_slow_twin(rows: list[list[int]], fee: int) -> None:
    level = purchase(level_of(rows), fee)
    found = bargain(level)
    numbered = [bargain(level, number=number) for number in range(sum(value > 0 for row in rows for value in row) + 1)]
    assert found.gold == naive.least_gold(rows, fee) == min(each.gold for each in numbered if each is not None)
    state, _ = rules.step(rules.start(level), SetOut(found.health))
    assert found.path[0] == state.cell
    state = walked(state, found.path[1:])
    assert (state.status, state.spent) == (Status.SAVED, found.gold)


@given(rows=SMALL, fee=st.integers(0, 3), health=st.integers(1, 9), data=st.data())
def test_the_cheapest_way_on_is_that_of_the_slow_twin(
    rows: list[list[int]], fee: int, health: int, data: st.DataObject
) -> None:
    level = replace(level_of(rows), fee=fee, purse=health + 5)
    state = rules.start(level)
    assume(rules.objection(state, SetOut(health)) is None)
    state, _ = rules.step(state, SetOut(health))
    for _ in range(data.draw(st.integers(0, 4))):
        if legal := rules.legal_actions(state):
            state, _ = rules.step(state, data.draw(st.sampled_from(legal)))
    assume(not state.is_over)
    values = [[state.value(Cell(row, col)) for col in range(len(rows[0]))] for row in range(len(rows))]
    values[state.cell.row][state.cell.col] = 0  # he stands there already

    purses = range(level.purse - state.spent + 1)
    least = next((gold for gold in purses if naive.is_enough(values, fee, state.health, gold, state.cell)), None)
    found = solver.bargain_of(state)
    assert (found and found.gold) == least


def test_he_walks_all_four_ways_and_takes_a_power_up_once() -> None:
    state = bought(FORK, "health 4", "right", "right", "left", "left", "down", "down", "right", "right")
    assert (state.status, state.spent, state.health, state.taken) == (Status.SAVED, 6, 1, {Cell(0, 2)})
    state = bought(FORK, "health 5", "right", "right", "left", "right")
    assert (state.health, state.spent, state.value(Cell(0, 2))) == (10, 7, 0)
    assert rules.legal_actions(state) == (Walk(Direction.DOWN), Walk(Direction.LEFT))
    _, events = rules.step(bought(FORK, "health 5", "right"), Walk(Direction.RIGHT))
    assert events[1:] == (Paid(2),)


def test_the_purse_is_all_there_is() -> None:
    start = bought(FORK)
    assert start.level.purse == 8
    assert rules.objection(start, SetOut(8)) is None
    assert rules.objection(start, SetOut(9)) is not None
    assert rules.objection(bought(FORK, "health 6", "right"), Walk(Direction.RIGHT)) is None  # the fee exactly
    poor = bought(FORK, "health 7", "right")
    assert rules.objection(poor, Walk(Direction.RIGHT)) is not None
    assert rules.objection(poor, Walk(Direction.LEFT)) is None
    assert rules.objection(bought([[5, 0]]), SetOut(bought([[5, 0]]).level.purse - 1)) is not None


@pytest.mark.parametrize("name", LEAST_GOLD)
def test_a_knight_who_follows_the_arrows_spends_the_least(name: str) -> None:
    level = read_grid(name)
    state = rules.step(rules.start(level), SetOut(solver.least_start(level)))[0]
    while not state.is_over:
        here, there = path_on(state)[:2]
        state, _ = rules.step(state, Walk(Direction((there.row - here.row, there.col - here.col))))
    assert (state.status, state.spent) == (Status.SAVED, solver.par(state.level))
    outcome = rules.outcome(state)
    assert outcome.is_win


@pytest.mark.parametrize("name", PURCHASES)
def test_a_purchase_takes_a_decision(name: str) -> None:
    """Even the cheapest of all shortest paths costs more than par."""
    level = read_grid(name)
    least, straight, taken = PURCHASES[name]
    assert straight == min(gold_of(level, path) for path in paths(level.grid.tolist())) > least
    most = straight if name == "first-bargain" else least + max(2, least // 4)  # the first one lets both ways be tried
    assert least <= level.purse <= most
    found = bargain(level)
    assert found.path[0] == Cell(0, 0)
    assert gold_of(level, found.path) == found.gold == solver.par(level) == least
    assert sorted(value for cell in {*found.path} if (value := int(level.grid[cell])) > 0) == taken


def gold_of(level: Level, path: Iterable[tuple[int, int]]) -> int:
    """The least gold for a walk over these cells."""
    assert level.fee is not None
    health = lowest = 0
    taken: set[tuple[int, int]] = set()
    for cell in path:
        value = int(level.grid[cell])
        health += 0 if cell in taken else value
        lowest = min(lowest, health)
        taken |= {cell} if value > 0 else set()
    return 1 - lowest + level.fee * len(taken)


def times(name: str, row: int, col: int) -> int:
    """How often the cheapest path enters a cell."""
    return bargain(read_grid(name)).path.count(Cell(row, col))


def gold_with(name: str, values: dict[tuple[int, int], int]) -> int:
    """The least gold after changing some numbers."""
    level = read_grid(name)
    grid = level.grid.copy()
    for cell, value in values.items():
        grid[cell] = value
    return bargain(replace(level, grid=grid)).gold


def test_the_ideas_of_the_purchases_are_true() -> None:
    wall = -99
    assert times("there-and-back", 0, 1) == 2  # a trap
    assert times("over-the-threshold", 0, 0) == 2
    assert times("clear-floor", 1, 0) == 2  # a power-up
    assert gold_with("not-twice", {(0, 1): 0}) < LEAST_GOLD["not-twice"]  # the trap alone spoils it
    assert gold_with("toll-gate", {(1, 0): 0}) < LEAST_GOLD["toll-gate"]  # worse than an empty cell
    assert bargain(read_grid("from-hand-to-mouth")).health == 1
    assert bargain(replace(read_grid("window-shopping"), fee=1)).gold < LEAST_GOLD["window-shopping"]
    assert gold_with("more-than-enough", {(3, 4): -9}) == LEAST_GOLD["more-than-enough"] + 1  # now it pays
    either, both = ({(0, 3): wall}, {(1, 3): wall}), {(0, 3): wall, (1, 3): wall}
    assert {gold_with("hand-in-hand", one) for one in either} == {gold_with("hand-in-hand", both)}  # one never pays
    level = read_grid("short-by-one")
    assert level.purse == LEAST_GOLD["short-by-one"] == PURCHASES["short-by-one"][1] - 1
    assert read_grid("keep-the-change").purse == LEAST_GOLD["keep-the-change"]


@given(seed=st.integers(-(2**70), 2**70), rows=st.integers(4, 6), cols=st.integers(4, 7))
def test_a_puzzle_of_a_seed_takes_a_turn_back_and_a_choice(seed: int, rows: int, cols: int) -> None:
    level = puzzle("purchase", seed, rows, cols)
    found = bargain(level)
    state, _ = rules.step(rules.start(level), SetOut(found.health))
    state = walked(state, found.path[1:])
    assert (state.status, state.spent) == (Status.SAVED, found.gold)
    assert 2 <= len(state.taken) < int((level.grid > 0).sum())
    assert any(after < before for before, after in zip(found.path, found.path[1:], strict=False))
    free = replace(level, grid=np.minimum(level.grid, 0))
    without = bargain(free)
    assert without.gold > found.gold


def test_arguments_make_purchases() -> None:
    level = named("--puzzle purchase --seed 3 --rows 4 --cols 5").load()
    assert (level.fee, level.grid.shape) == (FEE, (4, 5))
    assert named("classic --fee 1").load().fee == 1


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="at most 400 cells, not 441"):
        purchase(level_of([[0] * 21] * 21), 1)
    monkeypatch.setattr(purchases, "MOST_PATHS", 3)
    with pytest.raises(ValueError, match="takes too long"):
        purchase(level_of(FORK), 1)


@given(rows=SMALL, health=st.integers(1, 9), data=st.data())
def test_a_mistake_takes_more_gold_than_before_or_all_ways(
    rows: list[list[int]], health: int, data: st.DataObject
) -> None:
    level = replace(level_of(rows), fee=1, purse=12)
    controller = TurnController(rules, level)
    controller.apply(SetOut(health))
    for _ in range(4):
        if legal := rules.legal_actions(controller.state):
            controller.apply(data.draw(st.sampled_from(legal)))
    analysis = RescueAnalysis()
    for turn in controller.turn.line():
        state = turn.state
        gold = gold_in_all(state)
        moves = analysis.moves(state)
        assert not any(rules.objection(state, move.action) for move in moves)
        if moves:
            bests = [gold_in_all(rules.step(state, move.action)[0]) for move in moves if move.is_best]
            assert {*bests} == {gold} - {None}
        if state.status is Status.READY and gold is not None:
            starts = {SetOut(health): rules.step(state, SetOut(health))[0] for health in range(1, gold + 1)}
            assert [move.action for move in moves] == [each for each in starts if gold_in_all(starts[each]) == gold]
        if turn.parent is not None:
            before = gold_in_all(turn.parent.state)
            is_worse = before is not None and (gold is None or gold > before)
            assert analysis.judge(turn).is_mistake == (is_worse and gold is None)
            assert analysis.judge(turn).is_slip == (is_worse and gold is not None)
        if gold is not None and isinstance(line := analysis.why(turn), list):
            for action in line:
                state, _ = rules.step(state, action)
            assert (state.status, state.spent) == (Status.SAVED, gold)


@pytest.mark.parametrize("actions", [(), ("health 4",), ("health 4", "right"), ("health 2",)])
def test_hints_go_from_the_aim_to_the_way(actions: tuple[str, ...]) -> None:
    state = bought(FORK, *actions)
    advice = [advise(UNICODE, state, step) for step in range(3)]
    is_lost = solver.bargain_of(state) is None
    assert [each.is_all for each in advice] == [is_lost] * 3
    assert [each.layer is not None for each in advice] == [False, False, not is_lost]


def test_a_purchase_that_is_over_hides_its_solution_until_it_is_requested() -> None:
    dead = bought(FORK, "health 1", "right")
    assert dead.status is Status.DIED
    assert [*compared(dead)] == ["Your path needs 3 health so far."]
    curves = health_figure(dead)
    assert not isinstance(curves, str)
    assert [series.name.split(",")[0] for series in curves.series] == ["your path for 1 gold"]
