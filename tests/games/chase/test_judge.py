"""Judged chases: losses beside the solver's slow twin, mistakes of many kinds, and boards that beat programs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.random import Random
from dungeon_tui.core.turns import TurnController
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.breaker import search, size_of
from dungeon_tui.games.chase.ai.judge import EXACT, Verdict, chase, judge, losses
from dungeon_tui.games.chase.ai.player import Player
from dungeon_tui.games.chase.ai.referee import load_player
from dungeon_tui.games.chase.ai.strategies import MONSTERS, ROGUES, Strategy
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import WALL, Level
from dungeon_tui.games.chase.model.rules import neighbours
from dungeon_tui.games.chase.model.state import Move, Side, State
from tests.games.chase.boards import DEAD_END, RING, board, board_rows

LOOP = (" . ", "M @", " ..")  # four rooms about a pillar, and a dead end beside the rogue


def diagonally(state: State) -> Cell:
    """As far away as can be, walls or not."""
    return max(
        (cell for cell in map(state.rogue.neighbour, Direction) if rules.is_site(state.level, cell)),
        key=lambda cell: max(abs(cell.row - state.monster.row), abs(cell.col - state.monster.col)),
        default=state.rogue,
    )


def beside(state: State) -> Cell:
    """Anywhere but where it is, and where the monster is."""
    moves = neighbours(state.level, state.rogue)[1:]
    return next((to for to in moves if to != state.monster), state.rogue)


def restless(state: State) -> Cell:
    """The best move but for staying."""
    values = solver.move_values(state)
    moves = neighbours(state.level, state.site)[1:]
    return max(moves, key=lambda to: values[to], default=state.site)


def still(state: State) -> Cell:
    return state.site


def roomy(state: State) -> Cell:
    """Looks for a room where nobody stands, and trusts that there is one."""
    rooms = {Cell(*cell) for cell in np.argwhere(state.level.tiles == ord(".")).tolist()}
    return solver.first_step(state, max(rooms - {state.monster, state.rogue})) or state.rogue


def tired(state: State) -> Cell:
    """Without a fault at first."""
    return ROGUES["perfect"](state) if state.monster_moves < 4 else state.rogue


def patient(state: State) -> Cell:
    """Waits until the rogue comes."""
    return state.monster


def played_by(side: Side, strategy: Strategy) -> Player:
    return Player(side, strategy.__name__, 30.0, strategy)


def judged(side: Side, strategy: Strategy, level: Level) -> Verdict:
    return chase(level, played_by(side, strategy), load_player(side.other, EXACT))[1]


# -- judging


@given(board_rows(), st.integers(0, 2**32))
def test_losses_are_those_of_the_solver_move_by_move(rows: tuple[str, ...], seed: int) -> None:
    level, random = board(*rows, moves=12), Random(seed)
    states = [rules.start(level)]
    while rules.outcome(states[-1]) is None:
        states.append(rules.step(states[-1], random.choice(rules.legal_actions(states[-1])))[0])
    number = solver.move_graph(level).number
    monster, rogue = (np.array([number[getattr(state, side)] for state in states]) for side in ("monster", "rogue"))
    expected = []
    for before, after in pairwise(states):
        values = solver.move_values(before)
        best = (min if before.side is Side.MONSTER else max)(values.values())
        got = values[after.monster if before.side is Side.MONSTER else after.rogue]
        expected.append(UNREACHED if (got == UNREACHED) != (best == UNREACHED) else abs(got - best))
    assert losses(level, monster, rogue).tolist() == expected
    twice = losses(level, np.stack([monster, monster]), np.stack([rogue, rogue]))
    assert twice.tolist() == [expected, expected]


@given(board_rows(least=3))
def test_exact_play_is_without_fault(rows: tuple[str, ...]) -> None:
    level = board(*rows, moves=20)
    for side, strategies in ((Side.MONSTER, MONSTERS), (Side.ROGUE, ROGUES)):
        verdict = judged(side, strategies[EXACT], level)
        assert not verdict.losses
        assert not verdict.is_lost
        assert verdict.first_mistake is None


def test_a_lost_result_is_named_by_move_better_move_and_refutation() -> None:
    verdict = judged(Side.ROGUE, ROGUES["flee"], board(*LOOP))
    mistake = verdict.first_mistake
    assert mistake is not None
    assert (verdict.value, verdict.outcome, verdict.is_lost, verdict.thrown_away) == (None, "captured", True, 1)
    at = State(board(*LOOP), mistake.monster, mistake.rogue, Side.ROGUE)
    assert sorted(mistake.better) == solver.best_moves(at)
    assert mistake.played not in mistake.better
    after, _ = rules.step(at, Move(mistake.played))
    for site in verdict.refutation:
        after, _ = rules.step(after, Move(site))
    assert after.monster == after.rogue


def test_a_monster_that_loses_time_has_slips_but_no_mistake() -> None:
    verdict = judged(Side.MONSTER, patient, board(*DEAD_END, moves=10))
    assert (verdict.value, verdict.outcome, verdict.is_lost) == (3, "evaded", True)
    assert (verdict.thrown_away, len(verdict.losses or {}), verdict.judged) == (0, 10, 10)
    assert verdict.first_slip is not None
    assert verdict.first_slip.ply == 0
    assert verdict.values()["slips"] == 10


def test_a_forfeit_is_told_with_its_reason_and_only_if_it_is_the_programs() -> None:
    away = judged(Side.ROGUE, lambda state: Cell(9, 9), board(*RING))
    assert (away.outcome, away.is_lost, away.judged) == ("forfeit", True, 0)
    assert "which is no move" in (away.reason or "")
    game: TurnController[Level, State, object] = TurnController(rules, board(*RING))
    game.apply(rules.read_action("forfeit tired"))
    verdict = judge(game.turn.line(), Side.ROGUE)  # type: ignore[arg-type]
    assert (verdict.reason, verdict.is_lost) == (None, False)


# -- breaking

WRONG: dict[Callable[[State], Cell], tuple[Side, int]] = {  # and the sites of a board that is large enough
    ROGUES["flee"]: (Side.ROGUE, 5),
    MONSTERS["greedy"]: (Side.MONSTER, 4),
    still: (Side.ROGUE, 4),
    restless: (Side.ROGUE, 5),
    beside: (Side.ROGUE, 5),
    diagonally: (Side.ROGUE, 5),
    roomy: (Side.ROGUE, 2),
    tired: (Side.ROGUE, 5),
    patient: (Side.MONSTER, 2),
}


@pytest.mark.parametrize("strategy", WRONG, ids=lambda strategy: strategy.__name__)
def test_what_students_do_wrong_is_beaten_on_a_small_board(strategy: Strategy) -> None:
    side, sites = WRONG[strategy]
    found = search(played_by(side, strategy), load_player(side.other, EXACT), 300.0)
    assert found.game is not None
    assert found.verdict is not None
    level = found.game.level
    assert (level.tiles != WALL).sum() == size_of(level) == found.size <= sites
    assert (solver.value(rules.start(level)) == UNREACHED) == (side is Side.ROGUE)
    assert judged(side, strategy, level).is_lost


@pytest.mark.parametrize("side", Side)
def test_nothing_beats_exact_play(side: Side) -> None:
    strategies = MONSTERS if side is Side.MONSTER else ROGUES
    found = search(played_by(side, strategies[EXACT]), load_player(side.other, EXACT), 2.0, seed=3)
    assert found.game is None
    assert found.tried > 0
