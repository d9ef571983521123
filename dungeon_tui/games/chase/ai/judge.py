"""Chases beside exact play: what each move lost, which one turned the result, and how that is punished."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.external import refuse_uncaged
from dungeon_tui.games.chase.ai.player import Player, StrategyError
from dungeon_tui.games.chase.ai.solver import Ints
from dungeon_tui.games.chase.ai.strategies import principal_variation
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.players import NAMES
from dungeon_tui.games.chase.model.state import Action, Forfeit, Move, Side, State, Status

EXACT = "perfect"

Game = TurnController[Level, State, Action]
Line = Sequence[Turn[State, Action]]


@dataclass(frozen=True, slots=True)
class Fault:
    """A move that lost something, and the moves that would not have."""

    ply: int  # moves that both sides had made before
    monster: Cell
    rogue: Cell
    played: Cell
    better: tuple[Cell, ...]
    loss: int | None  # monster moves; None: it turned the result

    def values(self) -> dict[str, Any]:
        """The fault as `chase judge --json` prints it."""
        at = {"monster": self.monster, "rogue": self.rogue}
        return {"ply": self.ply, "at": at, "played": self.played, "better": self.better}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One chase of a program, judged."""

    board: str
    side: Side  # the program's
    opponent: str
    value: int | None  # monster moves until the capture if neither errs; None: it never comes
    outcome: str  # "captured", "evaded" or "forfeit"
    monster_moves: int
    reason: str | None  # of a forfeit of the program's
    judged: int = 0  # moves of the program
    losses: Mapping[int, int | None] | None = None  # by ply, of moves that lost: monster moves; None: the result
    first_mistake: Fault | None = None  # the first move that turned the result
    first_slip: Fault | None = None  # the first other one that lost something
    refutation: tuple[Cell, ...] = ()  # both sides' exact moves after the first mistake, in turn
    is_lost: bool = False  # more could have been forced
    seconds: Sequence[float] = ()  # of each move

    @property
    def thrown_away(self) -> int:
        """Number of moves that turned the result."""
        return list((self.losses or {}).values()).count(None)

    def values(self) -> dict[str, Any]:
        """The verdict as `chase judge --json` prints it."""
        losses = self.losses or {}
        return {
            "board": self.board,
            "side": self.side.value,
            "opponent": self.opponent,
            "value": self.value,
            "outcome": self.outcome,
            "monster_moves": self.monster_moves,
            "reason": self.reason,
            "lost": self.is_lost,
            "judged": self.judged,
            "thrown_away": self.thrown_away,
            "slips": len(losses) - self.thrown_away,
            "losses": [{"ply": ply, "loss": loss} for ply, loss in losses.items()],
            "first_mistake": self.first_mistake and self.first_mistake.values(),
            "first_slip": self.first_slip and self.first_slip.values(),
            "refutation": self.refutation,
            "seconds": {
                name: round(of(self.seconds or [0.0]), 6) for name, of in (("median", median), ("largest", max))
            },
        }


def losses(level: Level, monster: Ints, rogue: Ints) -> NDArray[np.int64]:
    """Monster moves that each move of a chase lost against exact play, by one look into the table for all of them.

    Args:
        level: the board.
        monster: (..., plies + 1) numbers of the monster's sites, as `solver.move_graph` has them: at the start, the
            monster to move, and after each move of either side; any number of chases.
        rogue: the same of the rogue's sites.

    Returns:
        (..., plies) 0 where the move kept the value, UNREACHED where it turned the result.

    Raises:
        ValueError: the board has more sites than the engine solves.
    """
    table = solver.solve(level)
    values = np.empty(monster.shape, np.int64)
    values[..., ::2] = table[rogue[..., ::2], monster[..., ::2]]
    hunter, prey = monster[..., 1::2], rogue[..., 1::2]
    replies = table[_moves(level)[prey], hunter[..., None]].max(axis=-1)
    values[..., 1::2] = np.where(hunter == prey, 0, replies)
    before, after = values[..., :-1], values[..., 1:]
    spent = np.arange(before.shape[-1]) % 2 == 0  # a monster's move takes one
    lost = np.where(before == UNREACHED, 0, np.abs(after + spent - before))
    return np.where((before == UNREACHED) != (after == UNREACHED), UNREACHED, lost)


@lru_cache(maxsize=8)
def _moves(level: Level) -> Ints:
    """(sites, most moves) the sites that each site's moves lead to, filled up with the site itself: staying."""
    graph = solver.move_graph(level)
    degrees = np.diff(graph.indptr)
    table = np.repeat(np.arange(len(graph), dtype=np.int32)[:, None], degrees.max(), axis=1)
    table[np.arange(degrees.max()) < degrees[:, None]] = graph.indices
    return table


def judge(line: Line, side: Side, opponent: str = EXACT, seconds: Sequence[float] = ()) -> Verdict:
    """Judges one side of a finished chase.

    Args:
        line: its turns, from the start to the end.
        side: the program's.
        opponent: the other side's name.
        seconds: that the program took for its moves.

    Raises:
        ValueError: the board has more sites than the engine solves.
    """
    level, end = line[0].state.level, line[-1].state
    graph = solver.move_graph(level)
    states = [turn.state for turn in line if not isinstance(turn.action, Forfeit)]
    sites = graph.number[tuple(np.array([(state.monster, state.rogue) for state in states]).T)]  # (2, plies + 1)
    lost = losses(level, *sites)
    own = range(side is Side.ROGUE, len(states) - 1, 2)
    faults = {ply: None if lost[ply] == UNREACHED else int(lost[ply]) for ply in own if lost[ply]}
    found = [next((ply for ply, loss in faults.items() if (loss is None) is turned), None) for turned in (True, False)]
    mistake, slip = (None if ply is None else _fault(states, ply, faults[ply]) for ply in found)
    value = solver.value(states[0])
    is_own_forfeit = end.status is Status.FORFEIT and end.by is side
    can_win = value == UNREACHED if side is Side.ROGUE else value <= level.moves
    wins = Status.EVADED if side is Side.ROGUE else Status.CAPTURED
    return Verdict(
        level.name,
        side,
        opponent,
        None if value == UNREACHED else value,
        end.status.value,
        end.monster_moves,
        end.reason if is_own_forfeit else None,
        len(own),
        faults,
        mistake,
        slip,
        () if mistake is None else _sites(principal_variation(states[mistake.ply + 1])),
        can_win and end.status is not wins and (is_own_forfeit or end.status is not Status.FORFEIT),
        tuple(seconds),
    )


def _sites(line: Sequence[Action]) -> tuple[Cell, ...]:
    return tuple(action.to for action in line if isinstance(action, Move))


def _fault(states: Sequence[State], ply: int, loss: int | None) -> Fault:
    state = states[ply]
    played = states[ply + 1].monster if state.side is Side.MONSTER else states[ply + 1].rogue
    return Fault(ply, state.monster, state.rogue, played, tuple(solver.best_moves(state)), loss)


def chase(level: Level, program: Player, opponent: Player, seed: int = 0) -> tuple[Game, Verdict]:
    """A chase of a program, played to its end, and judged; a program that can't play on the board forfeits.

    Raises:
        ValueError: the board has more sites than the engine solves.
        CageError: the program can't be caged.
    """
    opponent.prepare(level)
    game: Game = TurnController(rules, level, seed)
    seconds = []
    while game.outcome is None:
        state = game.state
        if state.side is opponent.side:
            game.apply(opponent.choose(state))
            continue
        try:
            program.prepare(level)
        except StrategyError as error:
            refuse_uncaged(error)
            game.apply(Forfeit(str(error)))
            break
        began = perf_counter()
        action = program.choose(state)
        seconds.append(perf_counter() - began)
        game.apply(action)
    return game, judge(game.turn.line(), program.side, opponent.name, seconds)


def unplayed(level: Level, side: Side, opponent: str, reason: str) -> Verdict:
    """Verdict on a chase that was forfeited before it began."""
    value = solver.value(rules.start(level))
    forced = None if value == UNREACHED else value
    return Verdict(level.name, side, opponent, forced, Status.FORFEIT.value, 0, reason, is_lost=True)


def opponents(side: Side, has_classic: bool) -> tuple[str, ...]:
    """Names of the strategies of a seat that programs meet: exact play, with the classic ones after it if asked for."""
    return (EXACT, *(name for name in NAMES[side.value] if has_classic and name != EXACT))
