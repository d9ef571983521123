"""The judgement of positions for the screens: by exact values, or in a task by whether it can be met."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import capitalised, sentence
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.strategies import principal_variation
from dungeon_tui.games.chase.ai.tasks import is_by_search, longest_line, prospects, tightest
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.players import CATCH, SAFETY, SURVIVE
from dungeon_tui.games.chase.model.state import Action, Move, Side, State, Status, own_moves
from dungeon_tui.games.chase.model.tasks import against
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.analysis import Analysis, MoveValue

_HALF_WAY = 10  # monster moves until the capture that are drawn at nearly half the graph's height
_LOST = 0.2  # height of a lost task
_LATE = 16  # monster moves within which a capture that comes too late is looked for
_ROUND_A_LOOP = "keeps a loop between the rogue and the monster"
_KEEPS = {
    CATCH: "can still catch the rogue in time",
    SURVIVE: "can still survive to the end",
    SAFETY: "can still get to safety in time",
}


class ChaseAnalysis(Analysis):
    """Judges against perfect play; in a task by its aim, against its opponent, as the hints do."""

    name = "Against perfect play"

    def __init__(self, glyphs: Glyphs, persons: Callable[[], Collection[str]] = tuple) -> None:
        self._glyphs, self._persons = glyphs, persons

    def prepare(self, state: State) -> None:
        self.name = capitalised(against(state.level)) if state.level.task is None else "Now"  # its panel names it
        solver.solve(state.level)
        if state.level.task is not None:
            prospects(state.level).is_open(state)

    def judge(self, turn: Turn[State, Action]) -> Judgement:
        """The value as the rogue sees it: a mistake hands over the win, a slip costs or spares monster moves."""
        state, parent, outcome = turn.state, turn.parent, rules.outcome(turn.state)
        mover = parent.state.side.value if parent is not None else ""
        whose = "your" if [*self._persons()] == [mover] else f"the {mover}'s" if mover else ""
        if state.level.task is not None:
            task = prospects(state.level)
            is_open = task.is_open(state)
            is_lost = parent is not None and parent.state.side is task.side and task.is_open(parent.state) > is_open
            text = "the task is lost" if not is_open else "the task is solved" if outcome else "the task can be solved"
            return Judgement(text, 1.0 if is_open else _LOST, is_lost, whose=whose)
        value = solver.value(state)
        if outcome is not None and state.status is not Status.CAPTURED:
            is_mistake = state.status is Status.FORFEIT
            return Judgement(outcome.reason, self._height(outcome.is_win), is_mistake, whose=whose)
        before = value if parent is None else solver.value(parent.state)
        is_mistake = (before == UNREACHED) != (value == UNREACHED)
        return Judgement(
            "captured" if state.status is Status.CAPTURED else solver.value_text(value),
            height=self._height(1 if value == UNREACHED else 0.9 * value / (value + _HALF_WAY)),
            is_mistake=is_mistake,
            is_slip=parent is not None and not is_mistake and not _is_best(parent.state.side, before, value),
            whose=whose,
        )

    def _height(self, of_rogue: float) -> float:
        """The height in the graph: high is good for you, or for the rogue."""
        return 1 - of_rogue if [*self._persons()] == [Side.MONSTER.value] else float(of_rogue)

    def moves(self, state: State) -> Sequence[MoveValue]:
        if state.status is not Status.PLAYING:
            return ()
        if state.level.task is not None:
            task = prospects(state.level)
            if state.side is not task.side or not task.is_open(state):
                return ()
            good = task.open_moves(state)
            costs: dict[Cell, str | int] = {
                to: 0 if to in good else _consequence(state, to).removeprefix("is ") for to in task.choices(state)
            }
        else:
            costs = self._costs(state)
        found = []
        for to, cost in costs.items():
            loss, losing = (None, cost) if isinstance(cost, str) else (cost, "")
            found.append(MoveValue(Move(to), to, loss, losing, self._phrased(state, to), "move"))
        return found

    def _phrased(self, state: State, to: Cell) -> str:
        """A move as the subject of a sentence: "↓", "staying"."""
        return "staying" if to == state.site else self._glyphs.step(state.site, to)

    @staticmethod
    def _costs(state: State) -> dict[Cell, str | int]:
        """Each move's loss against the best one: monster moves, or the chase, in words."""
        values, is_rogue = solver.move_values(state), state.side is Side.ROGUE
        best = (max if is_rogue else min)(values.values())
        costs: dict[Cell, str | int] = {}
        for to, value in values.items():
            is_lost = (best == UNREACHED) != (value == UNREACHED)
            lost = f"caught in {value}" if value > 1 else "caught at once"
            costs[to] = (lost if is_rogue else "lets it go") if is_lost else abs(value - best)
        return costs

    def blamed(self, turn: Turn[State, Action]) -> Turn[State, Action]:
        """The turn after the move that lost the task; if none did, the last one."""
        return lost_from(turn) or turn

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        """The line that refutes a move that was not a good one; or a sentence if there is none."""
        parent, state = turn.parent, turn.state
        if parent is None or state.status is not Status.PLAYING:
            return "There is no move to judge here."
        values, task = (solver.value(parent.state), solver.value(state)), state.level.task
        if prospects(state.level).is_open(state) if task else _is_best(parent.state.side, *values):
            return "The last move was good."
        return (longest_line if is_by_search(state.level) else principal_variation)(state)

    def reason(self, turn: Turn[State, Action]) -> str:
        return sentence(self.consequence(turn)[2:])  # the better move is to be found

    def consequence(self, turn: Turn[State, Action]) -> str:
        """The consequence of the move before a turn, as the end of a sentence: ": ↓ lasts until move 6 at best"."""
        before, action = turn.parent, turn.action
        if before is None or not isinstance(action, Move):
            return ""
        what, level = _consequence(before.state, action.to), before.state.level
        is_short = what.endswith(" at best") and level.task is not None and level.task.aim != SAFETY
        return f": {self._phrased(before.state, action.to)} {what}" + f", {level.moves} needed" * is_short

    def advised(self, state: State, chosen: Cell) -> str:
        """The words after the name of a best move: its consequence, the moves that are as good, and the others."""
        moves, own = self.moves(state), _consequence(state, chosen)
        text = "." if own in _KEEPS.values() else f": it {own}."
        as_good = [move.name for move in moves if move.is_best and move.cell != chosen]
        worse = {_consequence(state, move.cell) for move in moves if not move.is_best}
        if as_good:
            named = " or ".join(filter(None, [", ".join(as_good[:-1]), as_good[-1]]))
            text += f" {capitalised(named) if worse else 'Every other move'} is as good."
        rest = worse if len(worse) < 2 else ["is worse" if state.level.task is None else "loses the task"]
        return text + "".join(f" Any other move {each}." for each in rest)


def lost_from(turn: Turn[State, Action]) -> Turn[State, Action] | None:
    """The first turn from which the task can't be met any more; None if it can, or there is no task."""
    task = None if turn.state.level.task is None else prospects(turn.state.level)
    return next((each for each in turn.line() if task is not None and not task.is_open(each.state)), None)


def _consequence(state: State, to: Cell) -> str:
    """The consequence of a move, after its name: "lasts until move 6 at best"."""
    after, _ = rules.step(state, Move(to))
    is_rogue, task = state.side is Side.ROGUE, state.level.task
    if is_by_search(state.level) and task is not None:
        if prospects(state.level).is_open(after):
            is_safe = task.aim == SURVIVE and solver.value(after) == UNREACHED
            return _ROUND_A_LOOP if is_safe else _KEEPS[task.aim]
        if is_rogue:
            for action in longest_line(after):
                after, _ = rules.step(after, action)
            if after.status is not Status.CAPTURED:
                return "is not safe in time"
            value = after.monster_moves - state.monster_moves
        else:
            reply = rules.moved(after, prospects(state.level).choices(after)[0])
            value = 1 + tightest(prospects(state.level), replace(reply, level=replace(state.level, moves=_LATE)))
            if value == 1:
                return "lets the rogue last too long"
    else:
        value = solver.move_values(state)[to]
    if value == UNREACHED:
        return _ROUND_A_LOOP if is_rogue else "lets the rogue get to a loop, where it is safe forever"
    if value == 0:
        return "steps onto the monster"
    last = own_moves(state, state.side) + value
    if is_rogue and task is not None and task.aim == SURVIVE and last >= state.level.moves:
        return _KEEPS[SURVIVE]
    if is_rogue:
        return "is caught at once" if value == 1 else f"lasts until move {last} at best"
    if task is None or last <= state.level.moves:
        return f"catches the rogue at your move {last}"
    is_near = state.rogue in rules.neighbours(state.level, state.monster)
    return "misses the capture" if is_near else f"catches it at move {last} at best"


def _is_best(side: Side, before: int, after: int) -> bool:
    """True if a side's best move changes the value like this: the monster's lowers it by one."""
    return after == before if before == UNREACHED else after == before - (side is Side.MONSTER)
