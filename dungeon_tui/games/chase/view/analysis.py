"""The judgement of positions for the screens: by exact values, or in a task by whether it can be met."""

from collections.abc import Callable, Collection, Sequence
from itertools import takewhile

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import capitalised, sentence
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.strategies import principal_variation
from dungeon_tui.games.chase.ai.tasks import is_by_search, longest_line, prospects
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.players import CATCH, SAFETY, SURVIVE
from dungeon_tui.games.chase.model.state import Action, Move, Side, State, Status, own_moves
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.analysis import Analysis, MoveValue

_HALF_WAY = 10  # monster moves until the capture that are drawn at nearly half the graph's height
_LOST = 0.2  # height of a lost task
_ROUND_A_LOOP = "keeps a loop between the rogue and the monster"
_LOSES = {
    CATCH: "lets the rogue last too long",
    SURVIVE: "gets caught before the end",
    SAFETY: "gets to safety too late",
}
"""The consequence of a move that loses a task, by the task's aim."""


class ChaseAnalysis(Analysis):
    """Judges against perfect play; in a task by its aim, against its opponent, as the hints do."""

    name = "Against perfect play"

    def __init__(self, glyphs: Glyphs, persons: Callable[[], Collection[str]] = tuple) -> None:
        self._glyphs, self._persons = glyphs, persons

    def prepare(self, state: State) -> None:
        self.name = "Now" if state.level.task else ChaseAnalysis.name
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
        if outcome is not None and state.status is not Status.CAPTURED:
            is_mistake = state.status is Status.FORFEIT
            return Judgement(outcome.reason, self._height(outcome.is_win), is_mistake, whose=whose)
        value, is_free = _value(state), _value(state) > _left(state)
        is_mistake = parent is not None and (_value(parent.state) > _left(parent.state)) != is_free
        return Judgement(
            "captured" if state.status is Status.CAPTURED else solver.value_text(solver.value(state)),
            height=self._height(1 if is_free else 0.9 * value / (value + _HALF_WAY)),
            is_mistake=is_mistake or state.by is Side.ROGUE,
            is_slip=parent is not None and not is_mistake and not _is_best(parent.state, state),
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
            losses: dict[Cell, int | None] = {to: 0 if to in good else None for to in task.choices(state)}
        else:
            losses = _losses(state)
        found = []
        for to, loss in losses.items():
            losing = _consequence(state, to) if loss is None else ""
            found.append(MoveValue(Move(to), to, loss, losing, self._phrased(state, to), "move"))
        return found

    def _phrased(self, state: State, to: Cell) -> str:
        """A move as the subject of a sentence: "↓", "staying"."""
        return "staying" if to == state.site else self._glyphs.step(state.site, to)

    def blamed(self, turn: Turn[State, Action]) -> Turn[State, Action]:
        """The turn after the move that lost the task; if none did, the last one."""
        return lost_from(turn) or turn

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        """The line that refutes a move that was not a good one; or a sentence if there is none."""
        parent, state = turn.parent, turn.state
        if parent is None or state.status is not Status.PLAYING:
            return "There is no move to judge here."
        if prospects(state.level).is_open(state) if state.level.task else _is_best(parent.state, state):
            return "The last move was good."
        return (longest_line if is_by_search(state.level) else principal_variation)(state)

    def reason(self, turn: Turn[State, Action]) -> str:
        return sentence(self.consequence(turn))  # the better move is to be found

    def consequence(self, turn: Turn[State, Action]) -> str:
        """The move before a turn with its consequence: "↓ lasts until move 6 at best"."""
        before, action = turn.parent, turn.action
        if before is None or not isinstance(action, Move):
            return ""
        return f"{self._phrased(before.state, action.to)} {_consequence(before.state, action.to)}"

    def advised(self, state: State, chosen: Cell) -> str:
        """The words after the name of a best move: its consequence, the moves that are as good, and the others."""
        moves, own = self.moves(state), _consequence(state, chosen)
        text = f": it {own}." if own else "."
        as_good = [move.name for move in moves if move.is_best and move.cell != chosen]
        worse = {_consequence(state, move.cell) for move in moves if not move.is_best}
        if as_good:
            named = " or ".join(filter(None, [", ".join(as_good[:-1]), as_good[-1]]))
            text += f" {capitalised(named) if worse else 'Every other move'} is as good."
        rest = worse if len(worse) < 2 else ["is worse" if state.level.task is None else "loses the task"]
        return text + "".join(f" Any other move {each}." for each in rest)


def lost_from(turn: Turn[State, Action], side: Side | None = None) -> Turn[State, Action] | None:
    """The first turn from which on the task couldn't be met; without one, a side was lost against perfect play.

    None: it isn't lost, or it was from the start, without a task.
    """
    level = turn.state.level
    if level.task is None and side is None:
        return None

    def is_lost(each: Turn[State, Action]) -> bool:
        if level.task is not None:
            return not prospects(level).is_open(each.state)
        return (_value(each.state) > _left(each.state)) == (side is Side.MONSTER)

    lost = [*takewhile(is_lost, reversed(turn.line()))]
    return lost[-1] if lost and (level.task is not None or lost[-1].parent is not None) else None


def _losses(state: State) -> dict[Cell, int | None]:
    """The monster moves by which each move is worse than the best one; None: it loses what the best one keeps."""
    left = _left(state)
    values = {to: min(value, left + 1) for to, value in solver.move_values(state).items()}
    best = (max if state.side is Side.ROGUE else min)(values.values())
    is_lost = {to: value == 0 or (best > left) != (value > left) for to, value in values.items()}
    return {to: None if is_lost[to] else abs(value - best) for to, value in values.items()}


def _left(state: State) -> int:
    """Monster moves until the end of the chase."""
    return state.level.moves - state.monster_moves


def _value(state: State) -> int:
    """Monster moves until the capture under perfect play; one more than are left if it comes too late."""
    return min(solver.value(state), _left(state) + 1)


def _is_best(before: State, after: State) -> bool:
    """True if a best move leads from one position to the other: one of the monster's takes one of its moves."""
    return _value(after) == _value(before) - (before.side is Side.MONSTER)


def _consequence(state: State, to: Cell) -> str:
    """The consequence of a move, after its name; empty: it keeps the task, and no more is known."""
    level, is_rogue = state.level, state.side is Side.ROGUE
    if is_rogue and to == state.monster:
        return "steps onto the monster"
    if level.task is not None and is_by_search(level) and state.side is prospects(level).side:
        after, _ = rules.step(state, Move(to))
        if not prospects(level).is_open(after):
            return _LOSES[level.task.aim]
        return _ROUND_A_LOOP if level.task.aim == SURVIVE and solver.value(after) == UNREACHED else ""
    value = solver.move_values(state)[to]
    if value == UNREACHED:
        return _ROUND_A_LOOP if is_rogue else "lets the rogue get to a loop, where it is safe forever"
    last = own_moves(state, state.side) + value
    if not is_rogue:
        return _LOSES[CATCH] if last > level.moves else f"catches the rogue at your move {last}"
    if last >= level.moves:
        return ""
    how = "at best" if level.task is not None else "against perfect play"
    return "gets caught at once" if value == 1 else f"lasts until move {last} {how}"
