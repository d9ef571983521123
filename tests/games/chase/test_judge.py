"""Judged chases: losses beside the solver's slow twin, mistakes of many kinds, and boards that beat programs."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.core.turns import TurnController
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.breaker import is_winning, made, size_of, smaller
from dungeon_tui.games.chase.ai.judge import EXACT, JudgedChase, chase, judge
from dungeon_tui.games.chase.ai.judged import broken
from dungeon_tui.games.chase.ai.player import Player
from dungeon_tui.games.chase.ai.referee import load_player
from dungeon_tui.games.chase.ai.strategies import MONSTERS, ROGUES, Strategy
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import WALL, Level
from dungeon_tui.games.chase.model.state import Move, Side, State
from dungeon_tui.judge.program import Limits
from tests.games.chase import wrong
from tests.games.chase.boards import DEAD_END, RING, board, board_rows

LOOP = (" . ", "M @", " ..")  # four rooms about a pillar, and a dead end beside the rogue


def played_by(side: Side, strategy: Strategy) -> Player:
    return Player(side, strategy.__name__, 30.0, strategy)


def judged(side: Side, strategy: Strategy, level: Level) -> JudgedChase:
    return chase(level, played_by(side, strategy), load_player(side.other, EXACT))[1]


@given(board_rows(least=3))
def test_exact_play_is_without_fault(rows: tuple[str, ...]) -> None:
    level = board(*rows, moves=20)
    for side, strategies in ((Side.MONSTER, MONSTERS), (Side.ROGUE, ROGUES)):
        verdict = judged(side, strategies[EXACT], level)
        assert not verdict.losses
        assert not verdict.lost
        assert verdict.first_mistake is None


def test_a_lost_result_is_named_by_move_better_move_and_refutation() -> None:
    verdict = judged(Side.ROGUE, ROGUES["flee"], board(*LOOP))
    mistake = verdict.first_mistake
    assert mistake is not None
    assert (verdict.value, verdict.outcome, verdict.lost, verdict.thrown_away) == (None, "captured", True, 1)
    at = State(board(*LOOP), **mistake.at, side=Side.ROGUE)
    assert sorted(mistake.better) == solver.best_moves(at)
    assert mistake.played not in mistake.better
    after, _ = rules.step(at, Move(mistake.played))
    for site in verdict.refutation:
        after, _ = rules.step(after, Move(site))
    assert after.monster == after.rogue


def test_a_monster_that_loses_time_has_slips_but_no_mistake() -> None:
    verdict = judged(Side.MONSTER, wrong.patient, board(*DEAD_END, moves=10))
    assert (verdict.value, verdict.outcome, verdict.lost) == (3, "evaded", True)
    assert (verdict.thrown_away, len(verdict.losses), verdict.judged) == (0, 10, 10)
    assert verdict.first_slip.ply == 0
    assert verdict.slips == 10


def test_a_forfeit_is_reported_with_its_reason_and_only_if_it_is_the_programs() -> None:
    away = judged(Side.ROGUE, lambda state: Cell(9, 9), board(*RING))
    assert (away.outcome, away.lost, away.judged) == ("forfeit", True, 0)
    assert "which is illegal" in (away.reason or "")
    game: TurnController[Level, State, object] = TurnController(rules, board(*RING))
    game.apply(rules.read_action("forfeit tired"))
    verdict = judge(game.turn.line(), Side.ROGUE)
    assert (verdict.reason, verdict.lost) == (None, False)


FILE = Path(wrong.__file__)
WRONG = {  # side, and the sites of a board that is large enough
    "flee": (Side.ROGUE, 5),
    "greedy": (Side.MONSTER, 4),
    f"{FILE}:restless": (Side.ROGUE, 5),
    f"{FILE}:diagonally": (Side.ROGUE, 5),
    f"{FILE}:roomy": (Side.ROGUE, 2),
    f"{FILE}:tired": (Side.ROGUE, 5),
    f"{FILE}:patient": (Side.MONSTER, 2),
}
LIMITS = Limits(seconds=30.0)


@pytest.mark.parametrize(
    "program",
    [pytest.param(name, marks=[pytest.mark.slow] * (":" in name)) for name in WRONG],
    ids=lambda name: name.rpartition(":")[2],
)
def test_what_students_do_wrong_is_beaten_on_a_small_board(program: str) -> None:
    side, sites = WRONG[program]
    beaten = broken([side], LIMITS, program, 300.0, 0, str).beaten
    level = beaten.case.about.level
    assert (level.tiles != WALL).sum() == size_of(level) == beaten.case.size <= sites
    assert (solver.value(rules.start(level)) == UNREACHED) == (side is Side.ROGUE)
    with load_player(side, program, 30.0) as player:
        assert chase(level, player, load_player(side.other, EXACT))[1].lost


@pytest.mark.parametrize("side", Side)
def test_nothing_beats_exact_play(side: Side) -> None:
    found = broken([side], LIMITS, "perfect", 0.5, 3, str)
    assert found.beaten is None
    assert found.values["tried"] > 0


@given(st.sampled_from(Side), st.integers(0, 2**32), st.integers(1, 30))
def test_on_every_board_that_is_made_the_side_wins_unless_it_errs(side: Side, seed: int, size: int) -> None:
    level = made(side, Random(seed), size)
    assert is_winning(level, side)
    for less in smaller(level, side):
        assert is_winning(less, side)
        assert size_of(less) < size_of(level)
