"""Analysis by the fewest moves out: a judgement of every turn, marks on every move, the best line on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import LETTERS, counted
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.level import OPEN
from dungeon_tui.games.crawler.model.state import STEPS, Action, State, Status
from dungeon_tui.games.crawler.view.words import treasures
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellLayer
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.analysis import Analysis

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
        self._looked: tuple[State, int | None, dict[Action, int | None]] | None = None
        self._patience = _EACH

    def prepare(self, state: State) -> None:
        """Values the start, this state and its moves. Raises ValueError if one takes too long; a retry gets longer."""
        first = self._moves_out(rules.start(state.dungeon))
        self.look(state)
        assert self._looked is not None
        _, here, moves = self._looked
        if None in (first, here, *moves.values()):
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

    def look(self, state: State) -> None:
        """Values a state and each of its moves, and keeps that for `layer` and `note`."""
        mine = state.apart()
        moves = {action: self._moves_out(rules.step(mine, action)[0]) for action in rules.legal_actions(mine)}
        self._looked = state, self._moves_out(mine), moves

    def layer(self, state: State) -> CellLayer:
        """Layer on the neighbouring cells, and the adventurer's own for staying: moves that going there loses."""
        layer = CellLayer()
        here = state.adventurer
        for action, more in self._losses(state).items():
            cell = rules.destination(state, action)
            if action is not Action.STAY and cell == here:
                continue  # bumping is staying
            text = _loss_text(more)
            glyph: str | None = "?" if more < 0 else LETTERS[more] if more < len(LETTERS) else "+"
            meaning: Meaning | None = Meaning.PRIZE if more == 0 else Meaning.NOTE
            if more == _NEVER:
                glyph = self._glyphs.cross
            tile = "o" if cell == here else chr(state.board[cell])
            if cell == here or state.board[cell] != OPEN:  # what stands there stays to be seen
                text, glyph, meaning = f"{tile} {text}", None, None
            tint = Tint.SAFE if more == 0 else Tint.DANGER if more == _NEVER else Tint.PATH
            layer.mark(cell, glyph, meaning, tint, text)
        return layer

    def note(self, state: State) -> str:
        """Sentences with the fewest moves out, the best moves and what the others lose; or why that isn't known."""
        if state.status is not Status.PLAYING:
            return f"{self.name}: the game is over."
        if self._looked is None or self._looked[0] is not state:
            return f"{self.name}: thinking ..."
        here = self._looked[1]
        if here is None:
            return f"{self.name}: how far it is is not known: that would take too long."
        if here == _NEVER:
            return f"{self.name}: {self._none_text(state)}."
        ways: dict[int, list[str]] = {}
        for action, more in self._losses(state).items():
            if action is Action.STAY or rules.destination(state, action) != state.adventurer:
                ways.setdefault(more, []).append(self._way_text(action))
        told = f"{self.name}: {self._moves_text(state, here)}. Best: {' '.join(ways.pop(0, ['?']))}."
        others = "; ".join(f"{_loss_text(more)}: {' '.join(ways[more])}" for more in sorted(ways))
        return f"{told} Others: {others}." if others else told

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

    def _losses(self, state: State) -> dict[Action, int]:
        """Moves that each action loses; _NEVER: it loses the way out; -1: not known. Empty before `look`."""
        if self._looked is None or self._looked[0] is not state:
            return {}
        moves = self._looked[2]
        least = min((each for each in moves.values() if each is not None), default=0)
        return {
            action: -1 if each is None else each if each == _NEVER else each - least for action, each in moves.items()
        }

    def _moves_text(self, state: State, moves: int) -> str:
        if moves == 0:
            return f"out in {counted(state.moves, 'move')} in all"
        return f"out in {counted(moves, 'more move')}, {state.moves + moves:,} in all{self._aim_text(state)}"

    def _none_text(self, state: State) -> str:
        return f"no way leads out{self._aim_text(state)}"

    def _aim_text(self, state: State) -> str:
        aim = self._aim(state)
        return f" with {treasures(aim)}" if aim > 1 else ""

    def _way_text(self, action: Action) -> str:
        if action is Action.STAY:
            return "stay"
        if self._glyphs.is_ascii:
            return action.name.lower()
        return self._glyphs.way(STEPS[action])


def _loss_text(more: int) -> str:
    if more < 0:
        return "?"
    return "lost" if more == _NEVER else f"+{more:,}" if more else "best"
