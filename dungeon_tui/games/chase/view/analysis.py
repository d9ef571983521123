"""Exact play for the screens: verdicts, moves, refutations."""

from __future__ import annotations

from collections.abc import Sequence

from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.strategies import principal_variation
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.state import Action, Move, Side, State, Status
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.analysis import Analysis, MoveValue

_HALF_WAY = 10  # monster moves until the capture that stand half way up the graph


class ChaseAnalysis(Analysis):
    """The board solved for every position."""

    name = "Exact play"

    def __init__(self, glyphs: Glyphs) -> None:
        self._glyphs = glyphs

    def prepare(self, state: State) -> None:
        """Solves the board. Raises ValueError where it has too many sites."""
        solver.solve(state.level)

    def judge(self, turn: Turn[State, Action]) -> Judgement:
        """The value of a turn, as the rogue sees it.

        A mistake is a move after which the other side wins, a slip one that makes a capture come sooner or later than
        need be.
        """
        state, parent, outcome = turn.state, turn.parent, rules.outcome(turn.state)
        value = solver.value(state)
        whose = f"the {parent.state.side.value}'s" if parent is not None else ""
        if outcome is not None and state.status is not Status.CAPTURED:
            is_mistake = state.status is Status.FORFEIT
            return Judgement(outcome.reason, float(outcome.is_win), is_mistake, label="end", whose=whose)
        before = value if parent is None else solver.value(parent.state)
        is_mistake = (before == UNREACHED) != (value == UNREACHED)
        return Judgement(
            verdict(state, value),
            height=1.0 if value == UNREACHED else 0.9 * value / (value + _HALF_WAY),
            is_mistake=is_mistake,
            label=self._text(value),
            is_slip=parent is not None and not is_mistake and not _is_kept(parent.state.side, before, value),
            whose=whose,
        )

    def moves(self, state: State) -> Sequence[MoveValue]:
        """The moves of the side to move: what each costs in monster moves, or that it lets the other side win."""
        if state.status is not Status.PLAYING:
            return ()
        values, is_rogue = solver.move_values(state), state.side is Side.ROGUE
        best = (max if is_rogue else min)(values.values())
        told = []
        for to, value in values.items():
            is_lost = (best == UNREACHED) != (value == UNREACHED)
            losing = "" if not is_lost else _lost_text(value) if is_rogue else "lets it go"
            loss = None if is_lost else abs(value - best)
            told.append(MoveValue(Move(to), to, loss, losing, self._text(value), self._glyphs.step(state.site, to)))
        return told

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        """Best play from a turn on, if the move that led there was not one of the best; else a sentence that says so.

        Before the first move and after the end there is only a sentence, too.
        """
        parent, state = turn.parent, turn.state
        if parent is None:
            return "No move was made yet."
        before, after = solver.value(parent.state), solver.value(state)
        if state.status is not Status.PLAYING:
            return "The chase is over: step back to see what other moves were worth."
        side = parent.state.side
        if _is_kept(side, before, after):
            return f"The {side.value}'s last move kept its value: {verdict(state, after)}."
        return principal_variation(state)

    def _text(self, value: int) -> str:
        if value < UNREACHED:
            return str(value)
        return "=" if self._glyphs.is_ascii else "∞"


def _lost_text(value: int) -> str:
    return f"lost in {value}" if value else "lost at once"


def verdict(state: State, value: int) -> str:
    """`captured` once the rogue is, else a position's value in words."""
    return "captured" if state.status is Status.CAPTURED else solver.value_text(value)


def _is_kept(side: Side, before: int, after: int) -> bool:
    """True if a side's move that changed the value so was one of the best: the monster's make it one less."""
    return after == before if before == UNREACHED else after == before - (side is Side.MONSTER)
