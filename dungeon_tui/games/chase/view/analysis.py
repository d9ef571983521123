"""Exact play for the screens: values, moves and refutations."""

from collections.abc import Sequence

from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.strategies import principal_variation
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.state import Action, Move, Side, State, Status
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.analysis import Analysis, MoveValue

_HALF_WAY = 10  # monster moves until the capture that are drawn at nearly half the graph's height


class ChaseAnalysis(Analysis):
    """Exact values of all positions of a board."""

    name = "Exact play"

    def __init__(self, glyphs: Glyphs) -> None:
        self._glyphs = glyphs

    def prepare(self, state: State) -> None:
        solver.solve(state.level)

    def judge(self, turn: Turn[State, Action]) -> Judgement:
        """The value as the rogue sees it: a mistake hands over the win, a slip costs or spares monster moves."""
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
            is_slip=parent is not None and not is_mistake and not _is_best(parent.state.side, before, value),
            whose=whose,
        )

    def moves(self, state: State) -> Sequence[MoveValue]:
        if state.status is not Status.PLAYING:
            return ()
        values, is_rogue = solver.move_values(state), state.side is Side.ROGUE
        best = (max if is_rogue else min)(values.values())
        found = []
        for to, value in values.items():
            is_lost = (best == UNREACHED) != (value == UNREACHED)
            lost = f"lost in {value}" if value else "lost immediately"
            losing = "" if not is_lost else lost if is_rogue else "lets it go"
            loss = None if is_lost else abs(value - best)
            found.append(MoveValue(Move(to), to, loss, losing, self._text(value), self._glyphs.step(state.site, to)))
        return found

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        """Best play after a move that was not a best one; else a sentence."""
        parent, state = turn.parent, turn.state
        if parent is None:
            return "You are at the start: there is no move to explain."
        before, after = solver.value(parent.state), solver.value(state)
        if state.status is not Status.PLAYING:
            return "The chase is over: step back to see the values of other moves."
        side = parent.state.side
        if _is_best(side, before, after):
            return f"The {side.value}'s last move was a best one: {verdict(state, after)}."
        return principal_variation(state)

    def _text(self, value: int) -> str:
        if value < UNREACHED:
            return str(value)
        return "=" if self._glyphs.is_ascii else "∞"


def verdict(state: State, value: int) -> str:
    """`captured`, or a position's value in words."""
    return "captured" if state.status is Status.CAPTURED else solver.value_text(value)


def _is_best(side: Side, before: int, after: int) -> bool:
    """True if a side's best move changes the value like this: the monster's lowers it by one."""
    return after == before if before == UNREACHED else after == before - (side is Side.MONSTER)
