"""Exact play for the screens: verdicts, marks, refutations."""

from __future__ import annotations

from collections.abc import Sequence

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import LETTERS
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.strategies import STRATEGIES
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.state import Action, Move, Side, State, Status
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellLayer
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.analysis import Analysis

SHOWN_SAFE = 24  # plies of a refutation that leads to no capture
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

    def layer(self, state: State) -> CellLayer:
        """Sites that the side to move may go to, each with its value, the best ones bright; none after the end."""
        layer = CellLayer()
        if state.status is not Status.PLAYING:
            return layer
        best = solver.best_moves(state)
        for to, value in solver.move_values(state).items():
            is_safe, text = value == UNREACHED, self._text(value)
            glyph: str | None = text[-1] if is_safe else LETTERS[value] if value < len(LETTERS) else "+"
            meaning: Meaning | None = Meaning.PRIZE if to in best else Meaning.NOTE
            if to in (state.monster, state.rogue):  # who stands there stays to be seen
                text = (state.level.letter if to == state.monster else "@") + text
                glyph = meaning = None
            layer.mark(to, glyph, meaning, Tint.SAFE if is_safe else Tint.DANGER, text)
        return layer

    def note(self, state: State) -> str:
        """The verdict, and every move with its value, the best ones first."""
        if state.status is not Status.PLAYING:
            return "Exact play: the chase is over."
        ways: dict[int, list[str]] = {}  # by value
        for to, value in solver.move_values(state).items():
            ways.setdefault(value, []).append(self._way(state, to))
        best, *others = sorted(ways, reverse=state.side is Side.ROGUE)
        said = f"Exact play: {verdict(state, solver.value(state))}. "
        said += f"Best for the {state.side.value}: {' '.join(ways[best])}."
        told = "; ".join(f"{self._text(value)}: {' '.join(ways[value])}" for value in others)
        return f"{said} Others by value: {told}." if told else said

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
        line: list[Action] = []
        while state.status is Status.PLAYING and (after != UNREACHED or len(line) < SHOWN_SAFE):
            line.append(Move(STRATEGIES[state.side]["perfect"](state)))
            state, _ = rules.step(state, line[-1])
        return line

    def _text(self, value: int) -> str:
        if value < UNREACHED:
            return str(value)
        return "=" if self._glyphs.is_ascii else "∞"

    def _way(self, state: State, to: Cell) -> str:
        if to == state.site:
            return "stay"
        way = Direction((to.row - state.site.row, to.col - state.site.col))
        return way.name.lower().replace("_", "-") if self._glyphs.is_ascii else self._glyphs.way(way)


def verdict(state: State, value: int) -> str:
    """`captured` once the rogue is, else a position's value in words."""
    return "captured" if state.status is Status.CAPTURED else solver.value_text(value)


def _is_kept(side: Side, before: int, after: int) -> bool:
    """True if a side's move that changed the value so was one of the best: the monster's make it one less."""
    return after == before if before == UNREACHED else after == before - (side is Side.MONSTER)
