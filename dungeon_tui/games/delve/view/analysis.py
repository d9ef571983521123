"""The next turn for the screens: the hearts that each move costs, and a careful way on."""

from __future__ import annotations

from collections.abc import Sequence

from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import counted
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.ai.plan import plan
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.state import STEPS, Action, State, Status
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.analysis import Analysis, MoveValue

SHOWN = 20  # actions of a way on


class DelveAnalysis(Analysis):
    """One turn looked ahead: beyond it lies what nobody has seen."""

    name = "The next turn"
    takes_time = True

    def __init__(self, glyphs: Glyphs) -> None:
        self._glyphs = glyphs

    def prepare(self, state: State) -> None:
        """Nothing: each turn is looked at by itself."""

    def judge(self, turn: Turn[State, Action]) -> Judgement:
        """The hearts that are left; a mistake is a move that cost one where another would not have."""
        state, parent = turn.state, turn.parent
        is_mistake = False
        if parent is not None and (lost := parent.state.hearts - state.hearts) > 0:
            is_mistake = lost > min(_costs(parent.state).values())
        text = verdict(state)
        return Judgement(text, state.hearts / rules.MOST_HEARTS, is_mistake, str(state.hearts))

    def moves(self, state: State) -> Sequence[MoveValue]:
        """The legal actions with the hearts that each costs more than the best, or that it is death."""
        costs = _costs(state)
        least, told = min(costs.values(), default=0), []
        for action, cost in costs.items():
            is_lost = cost > least and cost == state.hearts
            cell = state.player.neighbour(STEPS[action]) if action in STEPS else state.player
            is_step = action in STEPS or action is Action.STAY
            name = self._glyphs.step(state.player, cell) if is_step else action.value
            left = str(state.hearts - cost)
            told.append(MoveValue(action, cell, cost - least, "death" if is_lost else "", left, name))
        return told

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        """The actions of a careful player from here on, until nothing is near; a sentence if the game is over."""
        state = turn.state
        if rules.outcome(state) is not None:
            return "The game is over: step back to see a careful way on from there."
        line: list[Action] = []
        while rules.outcome(state) is None and len(line) < SHOWN and (not line or solver.noticed(state)):
            line.append(plan(state).actions[0])
            state, _ = rules.step(state, line[-1])
        return line


def verdict(state: State) -> str:
    """The hearts left, or the end, in words."""
    if state.status is not Status.PLAYING:
        return "dead" if state.status is Status.DIED else "won"
    return f"{counted(state.hearts, 'heart')} left" if state.is_fair else "alive"


def _costs(state: State) -> dict[Action, int]:
    """The hearts that each legal action costs in its turn."""
    after = {action: rules.step(state, action)[0].hearts for action in rules.legal_actions(state)}
    return {action: max(0, state.hearts - hearts) for action, hearts in after.items()}
