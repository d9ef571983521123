"""Analysis by the fewest moves out: judges every turn, shows the cost of every move and the best line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dungeon_tui.core.adventure import treasures
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.ai.par import par_of
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.state import Action, State, Status
from dungeon_tui.games.crawler.view.advice.hints import most_treasure
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.analysis import Analysis, MoveValue

if TYPE_CHECKING:
    from dungeon_tui.games.crawler.ai.solver import Planner

_TIME_LIMIT_S = 2.0  # for one position at first; a retry doubles it
TOO_HARD = (
    "this dungeon is too hard to judge every turn quickly: {analysis} again searches longer, "
    "{hint} searches from here only"
)
ANALYSIS_OVER = "The game is over: step back to see the best line from there."
_NEVER = 1 << 30  # moves if proven that no line leads out


class CrawlerAnalysis(Analysis):
    """Judges each turn by the fewest moves from there."""

    name = "Exact play"
    takes_time = True

    def __init__(self, planner: Callable[[State], Planner], aim: Callable[[State], int], glyphs: Glyphs) -> None:
        self._planner, self._aim, self._glyphs = planner, aim, glyphs
        self._time_limit = _TIME_LIMIT_S

    def prepare(self, state: State) -> None:
        """Values the start, this state and its moves. Raises ValueError if that takes too long; a retry gets longer."""
        first = self._moves_out(rules.start(state.dungeon))
        if None in (first, self._moves_out(state)) or any(move.cost == "?" for move in self.moves(state)):
            self._time_limit *= 2
            raise ValueError(TOO_HARD)

    def judge(self, turn: Turn[State, Action]) -> Judgement:
        """A mistake loses the way out; a slip loses moves, and those to any further haul, too."""
        state, parent = turn.state, turn.parent
        moves = self._moves_out(state)
        before = moves if parent is None else self._moves_out(parent.state)
        if moves is None:
            return Judgement("distance unknown (too slow to compute)", 0.5, False, "?")
        if moves == _NEVER:
            return Judgement(self._none_text(state), 0.0, before not in (None, _NEVER), self._glyphs.cross)
        whole = state.moves + moves
        wasted = 0 if parent is None or before in (None, _NEVER) else whole - parent.state.moves - before
        text = f"out in {counted(moves, 'move')}, {whole:,} in all{self._aim_text(state)}"
        if moves == 0:
            text = f"out in {counted(state.moves, 'move')} in all"
        haul = self._haul_ahead(parent.state, state) if wasted and parent is not None else 0
        if wasted:
            lost = f"on the way to {treasures(haul)}" if haul else f"{counted(wasted, 'move')} lost"
            text = f"{lost}; {text}"
        fewest = self._moves_out(rules.start(state.dungeon))
        height = 1.0 if fewest in (None, _NEVER) else (fewest + 1) / (whole + 1)
        return Judgement(text, height, False, str(moves), is_slip=wasted > 0 and not haul)

    def moves(self, state: State) -> Sequence[MoveValue]:
        """Each action with the moves that it loses, or "lost"; bumping is left to staying."""
        if state.status is not Status.PLAYING:
            return ()
        mine = state.apart()
        moves = {action: self._moves_out(rules.step(mine, action)[0]) for action in rules.legal_actions(mine)}
        least = min((each for each in moves.values() if each is not None), default=0)
        values = []
        for action, each in moves.items():
            cell, _ = rules.destination(state, action)
            if action is Action.STAY or cell != state.adventurer:
                losing = "lost" if each == _NEVER else ""
                loss = None if each is None or losing else each - least
                values.append(MoveValue(action, cell, loss, losing, self._glyphs.step(state.adventurer, cell)))
        return values

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        state = turn.state
        if state.status is not Status.PLAYING:
            return ANALYSIS_OVER
        found = self._planner(state).escape(state, self._aim(state), self._time_limit)
        if found.moves is None and not found.is_proven:
            return "Best move unknown (too slow to compute)."
        if found.moves is None:
            return f"{self._none_text(state).capitalize()}: step back to a turn that had one."
        return [Action(letter) for letters in found.commands for letter in letters]

    def _haul_ahead(self, before: State, state: State) -> int:
        """The least further haul, of those with a known par, to which a move loses no moves; 0: none is known."""
        par, taken = par_of(state.dungeon).dungeon, max(self._aim(state), state.treasure)
        hauls = range(most_treasure(state) + 1) if par is None else [p.treasure for p in par.points if p.is_proven]
        for haul in (haul for haul in hauls if haul > taken):
            moves, were = self._moves_out(state, haul), self._moves_out(before, haul)
            if moves is None or were is None or _NEVER in (moves, were):
                return 0
            if state.moves + moves == before.moves + were:
                return haul
        return 0

    def _moves_out(self, state: State, aim: int | None = None) -> int | None:
        """The fewest further moves out for the aim; _NEVER if proven that no line leads out, None if unknown."""
        aim = self._aim(state) if aim is None else aim
        if state.status is not Status.PLAYING:
            by_door = state.status is Status.OUT_OF_LEVELS and state.dungeon.is_left_by_door
            is_out = state.status is Status.ESCAPED or by_door
            return 0 if is_out and state.treasure >= aim else _NEVER
        found = self._planner(state).escape(state, aim, self._time_limit)
        if not found.is_proven:
            return None
        return _NEVER if found.moves is None else found.moves

    def _none_text(self, state: State) -> str:
        return f"no way out{self._aim_text(state)}"

    def _aim_text(self, state: State) -> str:
        aim = self._aim(state)
        return f" with {treasures(aim)}" if aim > 1 else ""
