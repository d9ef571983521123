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
from dungeon_tui.games.crawler.view.advice.hints import most_treasure, way_text
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.analysis import Analysis, MoveValue

if TYPE_CHECKING:
    from dungeon_tui.games.crawler.ai.solver import Planner

_TIME_LIMIT_S = 2.0  # for one position at first; a retry doubles it
_HAUL_TIME_LIMIT_S = 0.1  # for one with more treasure than the aim
TOO_HARD = (
    "this dungeon is too hard to judge every turn quickly: {analysis} again searches longer, "
    "{hint} searches from here only"
)
ANALYSIS_OVER = "The game is over: step back to see the best line from there."
_NEVER = 1 << 30  # moves if proven that no line leads out
_Result = tuple[int, int, int]  # moves lost so far, the haul, the fewest moves to it


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
        """A mistake loses the way out or the aim; a slip loses moves, to whichever haul loses the fewest."""
        state, parent = turn.state, turn.parent
        before = None if parent is None else self._best(parent.state)
        best = self._best(state, before)
        if best is None:
            return Judgement("distance unknown (too slow to compute)", 0.5, False)
        lost, haul, moves = best
        can_lose = before is not None and before[2] != _NEVER
        if moves == _NEVER:
            return Judgement(f"no way out{_haul_text(haul)}", 0.0, can_lose)
        wasted = lost - before[0] if before is not None and can_lose else 0
        text = "out of the dungeon"
        if moves:
            text = way_text(state, self._planner(state).escape(state, haul, self._time_limit))
            text += f" for {treasures(haul)}" if haul > 1 else ""
        if before and self._is_lost(state, best, before):
            return Judgement(f"no way out with {treasures(min(self._aim(state), before[1]))}; {text}", 0.0, True)
        if wasted > 0:
            text = f"{counted(wasted, 'move')} more than needed; {text}"
        return Judgement(text, max(1, 8 - lost) / 8, False, is_slip=wasted > 0, loss=wasted)  # a step of a bar a move

    def moves(self, state: State) -> Sequence[MoveValue]:
        """Each action with the moves that it loses, or "lost"; bumping is left to staying."""
        if state.status is not Status.PLAYING:
            return ()
        mine, before = state.apart(), self._best(state)
        after = {action: rules.step(mine, action)[0] for action in rules.legal_actions(mine)}
        found = {action: self._best(then, before) for action, then in after.items()}
        lost = {action for action, best in found.items() if best and self._is_lost(state, best, before)}
        least = min((best[0] for action, best in found.items() if best and action not in lost), default=0)
        values = []
        for action, best in found.items():
            cell, _ = rules.destination(state, action)
            if action is Action.STAY or cell != state.adventurer:
                losing = "lost" if action in lost else ""
                loss = None if best is None or losing else best[0] - least
                name = self._glyphs.step(state.adventurer, cell)
                # A move that is best for another haul only is not among the best.
                if loss == 0 and best and before and best[1] != before[1]:
                    moves = self._moves_out(after[action], before[1])
                    loss = 0 if moves in (None, _NEVER) else 1 + moves - before[2]
                    name += f" (best{_haul_text(best[1])})" * (loss > 0)
                values.append(MoveValue(action, cell, loss, losing, name, "move"))
        return values

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        state = turn.state
        if state.status is not Status.PLAYING:
            return ANALYSIS_OVER
        best = self._best(state)
        aim = self._aim(state) if best is None else min(self._aim(state), best[1])
        found = self._planner(state).escape(state, aim, self._time_limit)
        if found.moves is None and not found.is_proven:
            return "Best move unknown (too slow to compute)."
        if found.moves is None:
            return f"No way out{_haul_text(aim)}: step back to a turn that had one."
        return [Action(letter) for letters in found.commands for letter in letters]

    def _best(self, state: State, before: _Result | None = None) -> _Result | None:
        """The moves lost so far, the haul and the fewest moves to it, for the haul to which the fewest are lost.

        The hauls are the aim and those with more treasure and a known par, and if all are lost the most that isn't;
        None: unknown. The result `before` the last move makes it faster: no move makes up for lost ones.
        """
        first, aim, par = rules.start(state.dungeon), self._aim(state), par_of(state.dungeon).par
        hauls = range(most_treasure(first) + 1) if par is None else [p.treasure for p in par.points if p.is_proven]
        found = []
        least, latest = (0, aim) if before is None else before[:2]
        for haul in dict.fromkeys((aim, latest, *(haul for haul in hauls if haul > aim))):
            moves, fewest = self._moves_out(state, haul), self._moves_out(first, haul)
            if moves is None or fewest is None:
                break
            lost = _NEVER if moves == _NEVER else state.moves + moves - fewest
            found.append((lost, haul, moves))
            if lost == least or (lost == _NEVER and haul != latest):
                break
        haul = aim
        while found and min(found)[2] == _NEVER and haul > max(state.dungeon.least_treasure, state.treasure):
            haul -= 1
            moves, fewest = self._moves_out(state, haul), self._moves_out(first, haul)
            if moves is None or fewest is None:
                break
            found = [(_NEVER if moves == _NEVER else state.moves + moves - fewest, haul, moves)]
        return min(found, default=None)

    def _is_lost(self, state: State, best: _Result, before: _Result | None) -> bool:
        """True if no way out is left, or none with the aim or as much of it as was possible before."""
        return best[2] == _NEVER or (before is not None and best[1] < min(self._aim(state), before[1]))

    def _moves_out(self, state: State, aim: int | None = None) -> int | None:
        """The fewest further moves out for the aim; _NEVER if proven that no line leads out, None if unknown."""
        aim = self._aim(state) if aim is None else aim
        if state.status is not Status.PLAYING:
            by_door = state.status is Status.OUT_OF_LEVELS and state.dungeon.is_left_by_door
            is_out = state.status is Status.ESCAPED or by_door
            return 0 if is_out and state.treasure >= aim else _NEVER
        limit = self._time_limit if aim == self._aim(state) else _HAUL_TIME_LIMIT_S
        found = self._planner(state).escape(state, aim, limit)
        if not found.is_proven:
            return None
        return _NEVER if found.moves is None else found.moves


def _haul_text(haul: int) -> str:
    return f" with {treasures(haul)}" if haul > 1 else ""
