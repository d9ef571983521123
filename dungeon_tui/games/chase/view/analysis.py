"""The judgement of positions for the screens: by exact values, or in a task by whether it can be met."""

from collections.abc import Callable, Collection, Sequence

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import capitalised, counted, sentence
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.strategies import principal_variation
from dungeon_tui.games.chase.ai.tasks import is_by_search, longest_line, prospects
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.players import CATCH, SAFETY, SURVIVE
from dungeon_tui.games.chase.model.state import Action, Move, Side, State, Status, own_moves
from dungeon_tui.games.chase.model.tasks import against
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.analysis import Analysis, MoveValue, best_names

_HALF_WAY = 10  # monster moves until the capture that are drawn at nearly half the graph's height
_LOST = 0.2  # height of a lost task
_MOST_WAYS = 3  # consequences of moves in a sentence
_MOST_NAMES = 3  # moves named together, if they are the last
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
            costs: dict[Cell, str | int] = {to: 0 if to in good else "loses the task" for to in task.choices(state)}
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

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        """The line that refutes a move that was not a good one; else what your moves come to."""
        parent, state = turn.parent, turn.state
        if state.status is not Status.PLAYING:
            return "The chase is over: step back to see the values of other moves."
        if parent is None:
            return self.compared(state)
        side = parent.state.side
        if state.level.task is not None:
            is_good = prospects(state.level).is_open(state)
        else:
            is_good = _is_best(side, solver.value(parent.state), solver.value(state))
        if not is_good:
            return (longest_line if is_by_search(state.level) else principal_variation)(state)
        is_yours = [*self._persons()] == [state.side.value]
        text = self.compared(state if is_yours else parent.state)
        return text if is_yours else f"Your last move was good: there, {text[:1].lower()}{text[1:]}"

    def reason(self, turn: Turn[State, Action]) -> str:
        moves = () if turn.parent is None else self.moves(turn.parent.state)
        best = next((move.cell for move in moves if move.is_best), None)
        if turn.parent is None or best is None:
            return sentence(self.consequence(turn)[2:])  # the task was lost before
        better = f"{best_names(moves)} {_consequence(turn.parent.state, best, is_later=True)}"
        return sentence(f"{self.consequence(turn)[2:]}; {better}")

    def consequence(self, turn: Turn[State, Action]) -> str:
        """The consequence of the move that led to a turn, as the end of a sentence: ": ↓ is caught after move 6"."""
        before, action = turn.parent, turn.action
        if before is None or not isinstance(action, Move):
            return ""
        what = _consequence(before.state, action.to, is_later=True)
        return f": {self._phrased(before.state, action.to)} {what}"

    def compared(self, state: State, chosen: Cell | None = None) -> str:
        """A sentence on the consequences of the best moves, first of the one `chosen`, then of the others."""
        ways: dict[str, list[str]] = {}
        for move in sorted(self.moves(state), key=lambda move: (not move.is_best, move.cell != chosen)):
            consequence = _consequence(state, move.cell, is_later=state.side.value in self._persons())
            ways.setdefault(consequence, []).append(move.name)
        texts = list[str]()
        for consequence, names in ways.items():
            has_chosen = chosen is not None and len(names) > 1 and not texts
            others = names[1:] if has_chosen else names
            named = f"{', '.join(others[:-1])} or {others[-1]}" if others[1:] else others[0]
            if len(others) > _MOST_NAMES and len(texts) == len(ways) - 1:
                named = "any other move" if texts or has_chosen else "every move"
            texts.append(f"{names[0]} {consequence}, {named} as well" if has_chosen else f"{named} {consequence}")
        if len(texts) > _MOST_WAYS:
            texts[_MOST_WAYS - 1 :] = [f"any other move is worse than {next(iter(ways.values()))[0]}"]
        return sentence("; ".join(texts)) if texts else ""


def _consequence(state: State, to: Cell, *, is_later: bool = False) -> str:
    """The consequence of a move, after its name: "is caught in 4 moves"; read later: "is caught after your move 6"."""
    after, _ = rules.step(state, Move(to))
    is_rogue, task = state.side is Side.ROGUE, state.level.task
    if is_by_search(state.level) and task is not None:
        if prospects(state.level).is_open(after):
            is_safe = task.aim == SURVIVE and solver.value(after) == UNREACHED
            return _ROUND_A_LOOP if is_safe else _KEEPS[task.aim]
        for action in longest_line(after):
            after, _ = rules.step(after, action)
        if after.status is not Status.CAPTURED:
            return "is not safe in time" if is_rogue else "lets the rogue last too long"
        value = after.monster_moves - state.monster_moves
    else:
        value = solver.move_values(state)[to]
    if value == UNREACHED:
        return _ROUND_A_LOOP if is_rogue else "lets the rogue get to a loop, where it is safe forever"
    if value == 0:
        return "steps onto the monster"
    if is_rogue and value == 1:
        return "is caught at once"
    if is_rogue and task is not None and task.aim == SURVIVE:  # "↑ lasts to your move 12, just long enough"
        last, limit = own_moves(state, Side.ROGUE) + value, state.level.moves
        if last >= limit:
            return f"lasts to your move {last}, {'just ' * (last == limit)}long enough"
    after_moves = own_moves(state, state.side) + value
    when = f"{'after' if is_rogue else 'at'} your move {after_moves}" if is_later else f"in {counted(value, 'move')}"
    return f"{'is caught' if is_rogue else 'catches the rogue'} {when}"


def _is_best(side: Side, before: int, after: int) -> bool:
    """True if a side's best move changes the value like this: the monster's lowers it by one."""
    return after == before if before == UNREACHED else after == before - (side is Side.MONSTER)
