"""Chases compared with exact play: the loss of each move, the first mistake, and its refutation."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from statistics import median
from time import perf_counter

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.player import Player, StrategyError
from dungeon_tui.games.chase.ai.strategies import principal_variation
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.state import Action, Forfeit, Side, State, Status

EXACT = "perfect"

Game = TurnController[Level, State, Action]


@dataclass(frozen=True, slots=True)
class Fault:
    """A move that lost something."""

    ply: int  # moves of both sides before this one
    at: Mapping[str, Cell]  # the site of each side
    played: Cell
    better: tuple[Cell, ...]  # the moves that lose nothing
    loss: int | None  # monster moves; None: it changed the result


@dataclass(frozen=True, slots=True)
class JudgedChase:
    """One chase of a program, judged; the fields are the keys of `chase judge --json`."""

    board: str
    side: str  # the program's
    opponent: str
    value: int | None  # monster moves until the capture under perfect play; None: never captured
    outcome: str  # "captured", "evaded" or "forfeit"
    monster_moves: int
    reason: str | None  # of the program's forfeit
    lost: bool  # the program missed a result that it could force
    judged: int = 0  # number of the program's moves
    thrown_away: int = 0  # moves that changed the result
    slips: int = 0  # other moves that lost something
    losses: Sequence[Mapping[str, int | None]] = ()  # "ply" and "loss" in monster moves; None: the result
    first_mistake: Fault | None = None
    first_slip: Fault | None = None
    refutation: tuple[Cell, ...] = ()  # exact moves of both sides after the first mistake
    seconds: Mapping[str, float] = field(default_factory=lambda: {"median": 0.0, "largest": 0.0})  # of a move
    note: str = ""  # what the program says about itself


def judge(
    line: Sequence[Turn[State, Action]], side: Side, opponent: str = EXACT, seconds: Sequence[float] = ()
) -> JudgedChase:
    """Judges one side of a finished chase, given its turns and times. Raises ValueError for too large boards."""
    level, end = line[0].state.level, line[-1].state

    # Compare each move of the program with exact play.
    states = [turn.state for turn in line if not isinstance(turn.action, Forfeit)]
    own = range(side is Side.ROGUE, len(states) - 1, 2)
    losses = {ply: loss for ply in own if (loss := _loss(states[ply], states[ply + 1])) != 0}
    mistakes = [ply for ply, loss in losses.items() if loss is None]
    slips = [ply for ply, loss in losses.items() if loss is not None]
    refuted = principal_variation(states[mistakes[0] + 1]) if mistakes else []

    # Compare the result with what exact play can force.
    value = solver.value(states[0])
    is_own_forfeit = end.status is Status.FORFEIT and end.by is side
    can_win = value == UNREACHED if side is Side.ROGUE else value <= level.moves
    wins = Status.EVADED if side is Side.ROGUE else Status.CAPTURED
    return JudgedChase(
        board=level.name,
        side=side.value,
        opponent=opponent,
        value=None if value == UNREACHED else value,
        outcome=end.status.value,
        monster_moves=end.monster_moves,
        reason=end.reason if is_own_forfeit else None,
        lost=can_win and end.status is not wins and (is_own_forfeit or end.status is not Status.FORFEIT),
        judged=len(own),
        thrown_away=len(mistakes),
        slips=len(slips),
        losses=[{"ply": ply, "loss": loss} for ply, loss in losses.items()],
        first_mistake=_fault(states, mistakes[0], None) if mistakes else None,
        first_slip=_fault(states, slips[0], losses[slips[0]]) if slips else None,
        refutation=tuple(move.to for move in refuted),
        seconds={name: round(of(seconds or [0.0]), 6) for name, of in (("median", median), ("largest", max))},
    )


def _loss(before: State, after: State) -> int | None:
    """Monster moves that a move lost against exact play; None if it changed the result."""
    values = solver.move_values(before)
    best, to = (min, after.monster) if before.side is Side.MONSTER else (max, after.rogue)
    value, got = best(values.values()), values[to]
    return None if (got == UNREACHED) != (value == UNREACHED) else abs(got - value)


def _fault(states: Sequence[State], ply: int, loss: int | None) -> Fault:
    state, after = states[ply : ply + 2]
    played = after.monster if state.side is Side.MONSTER else after.rogue
    at = {"monster": state.monster, "rogue": state.rogue}
    return Fault(ply, at, played, tuple(solver.best_moves(state)), loss)


def chase(level: Level, program: Player, opponent: Player, seed: int = 0) -> tuple[Game, JudgedChase, list[float]]:
    """Plays a chase, judges it, and times the program, which may forfeit. Raises ValueError or CageError."""
    opponent.prepare(level)
    game: Game = TurnController(rules, level, seed)
    seconds: list[float] = []
    while game.outcome is None:
        player = opponent if game.state.side is opponent.side else program
        with suppress(StrategyError):  # `choose` then forfeits
            player.prepare(level)
        began = perf_counter()
        action = player.choose(game.state)
        if player is program:
            seconds.append(perf_counter() - began)
        game.apply(action)
    judged = replace(judge(game.turn.line(), program.side, opponent.name, seconds), note=program.note)
    return game, judged, seconds


def unplayed(level: Level, side: Side, opponent: str, reason: str) -> JudgedChase:
    """The verdict on a chase that the program forfeits before it begins."""
    value = solver.value(rules.start(level))
    forced = None if value == UNREACHED else value
    return JudgedChase(level.name, side.value, opponent, forced, Status.FORFEIT.value, 0, reason, lost=True)
