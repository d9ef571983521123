"""The judgement of positions for the screens: by the moves to the goal of the side that made them, or until the end."""

from collections.abc import Callable, Sequence
from itertools import takewhile

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import capitalised, counted, sentence
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.tasks import Prospects, personal, prospects
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Level, Task
from dungeon_tui.games.chase.model.players import CATCH, SURVIVE
from dungeon_tui.games.chase.model.state import Action, Move, Side, State, Status, own_moves
from dungeon_tui.games.chase.model.tasks import EXACT
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.palette import Tint
from dungeon_tui.ui.play.analysis import Analysis, MoveValue

_HALF_WAY = 10  # monster moves until the capture that are drawn at nearly half the graph's height


class ChaseAnalysis(Analysis):
    """Judges the only person by their goal, against their opponent; else both sides, against perfect play."""

    name, best_tint = "Against perfect play", Tint.PATH  # as of a hint

    def __init__(self, glyphs: Glyphs, opponent: Callable[[], tuple[str, str] | None] = lambda: None) -> None:
        """`opponent`: the seat and the strategy of the only person's opponent, if one person plays."""
        self.glyphs, self._opponent = glyphs, opponent

    def goal(self, level: Level) -> Prospects | None:
        """The goal of the task or of the only person; None: two play, or nobody, or it is out of reach."""
        if level.task is not None:
            return prospects(level)
        opponent = self._opponent()
        return None if opponent is None else personal(level, *opponent)

    def is_watched(self, state: State) -> bool:
        """True if the only person plays for a goal, and the opponent never gives back one that is lost."""
        goal = self.goal(state.level)
        return goal is not None and self._opponent() == (goal.side.other.value, goal.task.opponent)

    def prepare(self, state: State) -> None:
        solver.solve(state.level)
        self.bars = "bars: the rogue's chances" * (self.goal(state.level) is None)
        if (goal := self.goal(state.level)) is not None:
            goal.is_open(state)
            is_exact = goal.task.opponent == EXACT
            self.name = ChaseAnalysis.name if is_exact else f"Against this {goal.side.other.value}"

    def judge(self, turn: Turn[State, Action]) -> Judgement:
        """Judges whether the goal can be reached; without a goal, gives the value as the rogue sees it."""
        state, parent, outcome = turn.state, turn.parent, rules.outcome(turn.state)
        mover = parent.state.side if parent is not None else None
        goal, by = self.goal(state.level), None if mover is None else self.judged_by(state.level, mover)
        whose, opponent = f"the {mover.value}'s" if mover is not None else "", self._opponent()
        if mover is not None and opponent is not None and mover.value != opponent[0]:
            whose = "your"
        loss: int | None = 0
        if by is not None and parent is not None and (goal is None or by.is_open(parent.state)):
            loss = _losses(by, parent.state)[turn.action.to] if isinstance(turn.action, Move) else None
        if goal is None:
            left = state.level.moves - state.monster_moves
            value = min(solver.value(state), left + 1)
            text = "captured" if state.status is Status.CAPTURED else solver.value_text(solver.value(state))
            height = 1.0 if value > left else 0.9 * value / (value + _HALF_WAY)
            if outcome is not None and state.status is not Status.CAPTURED:
                text, height = outcome.reason, float(outcome.is_win)
        else:
            is_told = self.is_watched(state) and self._is_lost(state)  # by the frame
            text, height = "" if is_told else _verdict(goal, state), 1.0  # no graph: it would have two heights
        return Judgement(text, height, loss is None, bool(loss), whose=whose)

    def judged_by(self, level: Level, side: Side) -> Prospects | None:
        """The prospects that judge the moves of a side."""
        if (goal := self.goal(level)) is not None:
            return goal if goal.side is side else None
        return prospects(level, Task(SURVIVE if side is Side.ROGUE else CATCH, EXACT))

    def moves(self, state: State) -> Sequence[MoveValue]:
        by = self.judged_by(state.level, state.side) if state.status is Status.PLAYING else None
        if by is None or self._is_lost(state):
            return ()
        found = []
        for to, loss in _losses(by, state).items():
            losing = _consequence(by, state, to) if loss is None else ""
            losing = "too late" if " too late," in losing else losing  # all of them in a line
            found.append(MoveValue(Move(to), to, loss, losing, self._phrased(state, to), "move"))
        return found

    def _phrased(self, state: State, to: Cell) -> str:
        """A move as the subject of a sentence: "↓", "staying"."""
        return "staying" if to == state.site else self.glyphs.step(state.site, to)

    def line(self, state: State) -> Sequence[Move]:
        """The best moves from here; none if the goal is lost."""
        by = self.judged_by(state.level, state.side)
        return [] if by is None or self._is_lost(state) else by.line(state)

    def _is_lost(self, state: State) -> bool:
        """True if there is a goal, and it is lost."""
        return (goal := self.goal(state.level)) is not None and not goal.is_open(state)

    def lost_from(self, turn: Turn[State, Action]) -> Turn[State, Action] | None:
        """The first turn from which on the goal couldn't be reached; None: it can be."""
        lost = [*takewhile(lambda each: self._is_lost(each.state), reversed(turn.line()))]
        return lost[-1] if lost and lost[-1].parent is not None else None

    def blamed(self, turn: Turn[State, Action]) -> Turn[State, Action]:
        """The turn after the move that lost the goal; if none did, the last one."""
        return self.lost_from(turn) or turn

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        """The line that refutes a move that was not a good one; or a sentence if there is none."""
        parent, state = turn.parent, turn.state
        by = None if parent is None else self.judged_by(state.level, parent.state.side)
        if by is None or parent is None or state.status is not Status.PLAYING or not isinstance(turn.action, Move):
            return "There is no move to judge here."
        if _losses(by, parent.state)[turn.action.to] != 0:
            line = by.line(state)
            return line if len(line) > 1 else sentence(self.consequence(turn))  # a capture: the game has shown it
        return "The last move was good."

    def reason(self, turn: Turn[State, Action]) -> str:
        return "" if self.lost_from(turn) is turn else sentence(self.consequence(turn))  # the frame has it, or no move

    def consequence(self, turn: Turn[State, Action]) -> str:
        """The move before a turn with its consequence: "↓ lasts to move 6 at best"."""
        before, action = turn.parent, turn.action
        by = None if before is None else self.judged_by(before.state.level, before.state.side)
        if before is None or by is None or not isinstance(action, Move):
            return ""
        return f"{self._phrased(before.state, action.to)} {_consequence(by, before.state, action.to)}"

    def advised(self, state: State, chosen: Cell) -> str:
        """The words after the name of a best move: the moves that are as good, and what all others do."""
        moves, by = self.moves(state), self.judged_by(state.level, state.side)
        as_good = [move.name for move in moves if move.is_best and move.cell != chosen]
        worse = [move.cell for move in moves if not move.is_best]
        text = "."
        if as_good:
            named = " or ".join(filter(None, [", ".join(as_good[:-1]), as_good[-1]]))
            text += f" {capitalised(named) if worse else 'Every other move'} is as good."
        if worse and by is not None:
            found, losses = {_consequence(by, state, to) for to in worse}, _losses(by, state)
            if len(found) == 1 or all(losses[to] is None for to in worse):  # else nothing holds for all
                text += f" Any other move {found.pop() if len(found) == 1 else 'loses'}."
        return text


def _verdict(goal: Prospects, state: State) -> str:
    """Text: the goal can be reached, in so many moves, or not."""
    if not goal.is_open(state):
        return "the goal is lost"
    if rules.outcome(state) is not None or (goal.task.aim == SURVIVE and goal.left(state) <= 0):
        return "the goal is reached"
    if goal.task.aim == SURVIVE:
        return "you can survive to the end"
    return f"the goal is {counted(goal.ahead(state), 'move')} away"


def _losses(by: Prospects, state: State) -> dict[Cell, int | None]:
    """The own moves by which each move is worse than the best one; None: it loses what the best one keeps."""
    ahead, is_open = by.moves_ahead(state), by.is_open(state)
    best = (max if by.task.aim == SURVIVE else min)(ahead.values())
    is_lost = {
        to: (is_open and not by.is_enough(state, each)) or not each or (each == UNREACHED) != (best == UNREACHED)
        for to, each in ahead.items()
    }
    return {to: None if is_lost[to] else abs(each - best) for to, each in ahead.items()}


def _consequence(by: Prospects, state: State, to: Cell) -> str:
    """The consequence of a move, after its name."""
    ahead = by.moves_ahead(state)[to]
    last = own_moves(state, state.side) + ahead
    if to == state.monster != state.site:
        return "steps onto the monster"
    is_caught = by.task.aim != CATCH and ahead in (1, UNREACHED) and by.reply(rules.moved(state, to)) == to
    if is_caught and not by.is_enough(state, ahead):
        return "gets caught at once"
    if by.task.aim != SURVIVE:
        if ahead == UNREACHED:
            return "lets the rogue escape for good" if by.task.aim == CATCH else "leaves no way to safety"
        when = f"{' too late,' * (ahead > by.left(state))} in move {last} at best"
        return f"{'catches the rogue' if by.task.aim == CATCH else 'reaches safety'}{when}"
    return "keeps you alive to the end" if by.is_enough(state, ahead) else f"lasts to move {last} at best"
