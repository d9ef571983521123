"""Analysis by the fewest moves out: a judgement of every turn, the cost of every move, the best line on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.state import Action, State, Status
from dungeon_tui.games.crawler.view.words import treasures
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.analysis import Analysis, MoveValue

if TYPE_CHECKING:
    from dungeon_tui.games.crawler.ai.solver import Planner

_EACH = 2.0  # seconds for one position, at first; where they are not enough, every turn would keep one waiting
TOO_HARD = (
    "this dungeon is too hard to judge every turn at once: {analysis} again searches longer, "
    "{hint} looks from here only"
)
ANALYSIS_OVER = "The game is over: step back to see the best line from there."
_NEVER = 1 << 30  # more than any number of moves: proven that no line leads out


class CrawlerAnalysis(Analysis):
    """Judges each turn by the fewest moves from there."""

    name = "Exact play"
    takes_time = True

    def __init__(self, planner: Callable[[State], Planner], aim: Callable[[State], int], glyphs: Glyphs) -> None:
        """An analysis of one game.

        Args:
            planner: gives the planner of a state's dungeon; loads it when it is asked first.
            aim: the treasure to leave with.
            glyphs: to draw with.
        """
        self._planner, self._aim, self._glyphs = planner, aim, glyphs
        self._patience = _EACH

    def prepare(self, state: State) -> None:
        """Values the start, this state and its moves. Raises ValueError if one takes too long; a retry gets longer."""
        first = self._moves_out(rules.start(state.dungeon))
        if None in (first, self._moves_out(state)) or any(move.value == "?" for move in self.moves(state)):
            self._patience *= 2
            raise ValueError(TOO_HARD)

    def judge(self, turn: Turn[State, Action]) -> Judgement:
        """Judgement by the fewest moves out: a mistake loses the way out, a slip loses moves."""
        state, parent = turn.state, turn.parent
        moves = self._moves_out(state)
        before = moves if parent is None else self._moves_out(parent.state)
        if moves is None:
            return Judgement("how far it is is not known: that would take too long", 0.5, False, "?")
        if moves == _NEVER:
            return Judgement(self._none_text(state), 0.0, before not in (None, _NEVER), self._glyphs.cross)
        whole = state.moves + moves
        wasted = 0 if parent is None or before in (None, _NEVER) else whole - parent.state.moves - before
        text = self._moves_text(state, moves)
        if wasted:
            text = f"{counted(wasted, 'move')} lost by this one; {text}"
        fewest = self._moves_out(rules.start(state.dungeon))
        height = 1.0 if fewest in (None, _NEVER) else (fewest + 1) / (whole + 1)
        return Judgement(text, height, False, str(moves), is_slip=wasted > 0)

    def moves(self, state: State) -> Sequence[MoveValue]:
        """Each action with the moves that it loses, or that it loses the way out. Bumping is staying, and left out."""
        if state.status is not Status.PLAYING:
            return ()
        mine = state.apart()
        moves = {action: self._moves_out(rules.step(mine, action)[0]) for action in rules.legal_actions(mine)}
        least = min((each for each in moves.values() if each is not None), default=0)
        told = []
        for action, each in moves.items():
            cell = rules.destination(state, action)
            if action is Action.STAY or cell != state.adventurer:
                losing = "lost" if each == _NEVER else ""
                loss = None if each is None or losing else each - least
                value = "?" if each is None else self._glyphs.cross if losing else str(each + 1)
                told.append(MoveValue(action, cell, loss, losing, value, self._glyphs.step(state.adventurer, cell)))
        return told

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        """Actions of the best line from a turn on; a sentence if there is none, or none is known."""
        state = turn.state
        if state.status is not Status.PLAYING:
            return ANALYSIS_OVER
        found = self._planner(state).escape(state, self._aim(state), self._patience)
        if found.moves is None and not found.is_proven:
            return "How to go on best is not known: that would take too long."
        if found.moves is None:
            return f"{self._none_text(state).capitalize()}: step back to where one did."
        return [Action(letter) for letters in found.commands for letter in letters]

    def _moves_out(self, state: State) -> int | None:
        """The fewest further moves out with what is aimed at; _NEVER: proven that there are none; None: not known."""
        aim = self._aim(state)
        if state.status is not Status.PLAYING:
            by_door = state.status is Status.OUT_OF_LEVELS and state.dungeon.is_left_by_door
            is_out = state.status is Status.ESCAPED or by_door
            return 0 if is_out and state.treasure >= aim else _NEVER
        found = self._planner(state).escape(state, aim, self._patience)
        if not found.is_proven:
            return None
        return _NEVER if found.moves is None else found.moves

    def _moves_text(self, state: State, moves: int) -> str:
        if moves == 0:
            return f"out in {counted(state.moves, 'move')} in all"
        return f"out in {counted(moves, 'more move')}, {state.moves + moves:,} in all{self._aim_text(state)}"

    def _none_text(self, state: State) -> str:
        return f"no way out{self._aim_text(state)}"

    def _aim_text(self, state: State) -> str:
        aim = self._aim(state)
        return f" with {treasures(aim)}" if aim > 1 else ""
