"""Analysis of the next three turns: the hearts that each move may cost, and a careful line."""

from collections.abc import Sequence

from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import counted
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.finds import FIND_OF_KEY
from dungeon_tui.games.delve.model.state import STEPS, Action, State, Status
from dungeon_tui.games.delve.view import words
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.analysis import Analysis, MoveValue

SHOWN = 20  # actions of a line


class DelveAnalysis(Analysis):
    """Judges moves by three turns ahead, since later turns depend on unseen parts."""

    name = "The next three turns, at worst"
    takes_time = True

    def __init__(self, glyphs: Glyphs) -> None:
        self._glyphs = glyphs

    def prepare(self, state: State) -> None:
        """Nothing: it judges each turn separately."""

    def judge(self, turn: Turn[State, Action]) -> Judgement:
        """Height: hearts left. Avoidable risks are mistakes if a heart or safety is lost or you may die; else slips."""
        state, parent = turn.state, turn.parent
        is_mistake = is_slip = False
        if parent is not None and turn.action is not None:
            is_costly = state.hearts < parent.state.hearts or solver.is_trapped(state)
            if is_costly or solver.is_risky(parent.state, turn.action):
                costs = solver.costs_at_worst(parent.state)
                is_avoidable = costs[turn.action] > min(costs.values())
                is_costly |= costs[turn.action] >= parent.state.hearts
                is_mistake, is_slip = is_avoidable and is_costly, is_avoidable and not is_costly
        height = state.hearts / rules.MOST_HEARTS
        return Judgement(verdict(state), height, is_mistake, is_slip)

    def moves(self, state: State) -> Sequence[MoveValue]:
        """The moves with the hearts that they may cost, a careful player's first; none if all may cost the same."""
        costs, values = solver.costs_at_worst(state), list[MoveValue]()
        least = min(costs.values(), default=0)
        if least == max(costs.values(), default=0):
            return ()
        careful, struck = solver.plan(state).actions[0], {each.cell for each in solver.monsters_in_view(state)}
        can_strike = any(solver.end_of(state, (action,)) in struck for action in costs)
        for action, cost in sorted(costs.items(), key=lambda each: each[0] is not careful):
            cell = state.player.neighbour(STEPS[action]) if action in STEPS else state.player
            is_step = action in STEPS or action is Action.STAY
            way = self._glyphs.step(state.player, cell) if is_step else FIND_OF_KEY.get(action.value, action.value)
            what = "strike " if cell in struck else "step " * (can_strike and action in STEPS)
            losing = "may kill" if cost >= state.hearts else ""
            values.append(MoveValue(action, cell, cost - least, losing, what + way, "heart"))
        return values

    def legend(self, moves: Sequence[MoveValue]) -> str:
        costs = ", +1: 1 heart worse" * any(move.loss and not move.losing for move in moves)
        is_struck = all(move.name.startswith("strike") for move in moves if move.is_best)  # no star stands on a monster
        return f"{'green' if is_struck else '★'}: best{costs}{', ×: may kill' * any(move.losing for move in moves)}"

    def explanation(self, state: State, played: Action) -> str:
        """Text: what the best moves kill, or their result at worst; and what could follow the move played."""
        costs, by = solver.costs_at_worst(state), solver.attacker(state, played)
        least = min(costs.values())
        struck = {state.monster_at(solver.end_of(state, (each,))) for each, cost in costs.items() if cost == least}
        who = words.the(by) if by else "your bomb"
        what = f"{who} could hit you" if solver.is_risky(state, played) else "every way on risked one"
        kill = f"You kill {words.the(killed)}" if len(struck) == 1 and (killed := struck.pop()) else ""
        then = kill or ("At worst it costs a heart" if least else "No hit for three turns")
        return f"{then}. After the move you played, {what}."

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        """A careful player's actions until no monster is near; or a sentence if the game is over."""
        state = turn.state
        if rules.outcome(state) is not None:
            return "The game is over: step back to see a careful way on from there."
        line: list[Action] = []
        while rules.outcome(state) is None and len(line) < SHOWN and (not line or solver.noticed(state)):
            line.append(solver.plan(state).actions[0])
            state, _ = rules.step(state, line[-1])
        return line


def verdict(state: State) -> str:
    """The hearts left, or the end, in words."""
    if state.status is not Status.PLAYING:
        return "dead" if state.status is Status.DIED else "won"
    risk = ", every move risks one" * solver.is_trapped(state)
    return f"{counted(state.hearts, 'heart')} left{risk}" if state.is_fair else "alive"
