"""Analysis by the fewest moves out: judges every turn, shows the cost of every move and the best line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dungeon_tui.core.adventure import treasures
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.games.crawler.ai.par import level_start
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.state import Action, State, Status
from dungeon_tui.games.crawler.view.advice.hints import haul_text, way_text
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.analysis import LATER, Analysis, MoveValue

if TYPE_CHECKING:
    from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape
    from dungeon_tui.games.crawler.view.advice.solving import Solving

TOO_HARD = "this dungeon is too hard to judge quickly: {analysis} again searches longer"
_NEVER = 1 << 30  # moves if proven that no line leads out
_Result = tuple[int, int]  # the haul, the fewest moves to it


@dataclass(frozen=True)
class CrawlerAnalysis(Analysis):
    """Judges each turn by the fewest moves from there with as much treasure as you aim at, or as a win carried out."""

    solving: Solving
    aim: Callable[[], int]
    glyphs: Glyphs
    carried_out: int = 0  # at the end of the line

    name, bars = "Exact play", "lower bars: more moves lost"
    takes_time = True

    def of_line(self, last: State) -> CrawlerAnalysis:
        return replace(self, carried_out=last.treasure if last.status is Status.ESCAPED else 0)

    @property
    def _wanted(self) -> int:
        return max(self.aim(), self.carried_out)

    def prepare(self, state: State) -> None:
        """Values the start and this state. Raises ValueError if that takes too long; a retry gets longer."""
        if None in (self._moves_out(rules.start(state.dungeon)), self._moves_out(state)):
            self.solving.planner(state).judging_time_limit_s *= 2
            raise ValueError(TOO_HARD)

    def judge(self, turn: Turn[State, Action]) -> Judgement:
        """A mistake loses the way out or the aim; a slip loses moves."""
        state, parent = turn.state, turn.parent
        before = None if parent is None else self._best(parent.state)
        best = self._best(state)
        fewest = best and self._moves_out(rules.start(state.dungeon), max(best[0], state.treasure))
        if best is None or fewest is None:
            return Judgement("distance unknown (too slow to compute)", 0.5, False, is_unknown=True)
        haul, moves = best
        if moves == _NEVER:
            return Judgement(f"no way out{haul_text(haul)}", 0.0, before is not None and before[1] != _NEVER)
        text = "out of the dungeon"
        if moves:
            found, start = self._escape(state, haul), level_start(turn)
            par, _ = self.solving.level_par(start, max(haul, state.treasure))
            over = state.moves - start.moves + len(found.commands[0]) - (par or _NEVER)  # as the status line counts
            text = way_text(state, found) + f", {over} over par" * (over > 0)
        if before and haul < before[0]:
            return Judgement(f"no way out with {treasures(before[0])}; {text}", 0.0, True)
        wasted = 1 + moves - before[1] if before else 0
        share = max(0.0, 2 - (state.moves + moves) / max(1, fewest))  # empty at twice par
        return Judgement(text, share, False, is_slip=wasted > 0)

    def moves(self, state: State) -> Sequence[MoveValue]:
        """Each action with the moves that it loses, or what is lost with it; bumping is left to staying."""
        if state.status is not Status.PLAYING:
            return ()
        mine, before = state.apart(), self._best(state)
        haul = self._wanted if before is None else before[0]
        legal = rules.legal_actions(mine)
        after = {action: rules.step(mine, action)[0] for action in legal}
        found = {action: self._moves_out(state, haul) for action, state in after.items()}
        least = before[1] - 1 if before else min((moves for moves in found.values() if moves is not None), default=0)
        values = []
        for action, moves in found.items():
            cell, _ = rules.destination(state, action)
            if action is Action.STAY or cell != state.adventurer:
                is_lost = moves == _NEVER == self._moves_out(after[action], state.dungeon.least_treasure)
                losing = (LATER if after[action].status is Status.PLAYING else "lost") * is_lost
                forgoes = f"{treasures(haul)} out of reach" * (moves == _NEVER and not is_lost)
                loss = None if moves is None or moves == _NEVER else moves - least
                name = self.glyphs.step(state.adventurer, cell)
                values.append(MoveValue(action, cell, loss, losing, name, "move", forgoes))
        return values

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        state = turn.state
        if state.status is not Status.PLAYING:
            return "The game is over: step back to see the best line from there."
        best = self._best(state)
        aim = self._wanted if best is None else best[0]
        found = self._escape(state, aim)
        if found.moves is None and not found.is_proven:
            return "Best move unknown (too slow to compute)."
        if found.moves is None:
            return f"No way out{haul_text(aim)}: step back to a turn that had one."
        return [Action(letter) for letters in found.commands for letter in letters]

    def _best(self, state: State) -> _Result | None:
        """The aim and the fewest moves to it; if it is lost, the most treasure that isn't and its; None: unknown."""
        haul = self._wanted
        while (moves := self._moves_out(state, haul)) == _NEVER:
            if haul <= max(state.dungeon.least_treasure, state.treasure):
                break
            haul -= 1
        return None if moves is None else (haul, moves)

    def _escape(self, state: State, aim: int) -> Escape:
        planner = self.solving.planner(state)
        return planner.escape(state, aim, planner.judging_time_limit_s)

    def _moves_out(self, state: State, aim: int | None = None) -> int | None:
        """The fewest further moves out for the aim; _NEVER if proven that no line leads out, None if unknown."""
        aim = self._wanted if aim is None else aim
        if state.status is not Status.PLAYING:
            by_door = state.status is Status.OUT_OF_LEVELS and state.dungeon.is_left_by_door
            is_out = state.status is Status.ESCAPED or by_door
            return 0 if is_out and state.treasure >= aim else _NEVER
        found = self._escape(state, aim)
        if not found.is_proven:
            return None
        return _NEVER if found.moves is None else found.moves
