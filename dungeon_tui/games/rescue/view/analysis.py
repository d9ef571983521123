"""Exact needs for the screens: verdicts, moves, the best path on, and the health curve."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import reduce

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import sentence
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.model.rules import ENTRANCE, Action, SetOut, State, Status, Walk
from dungeon_tui.games.rescue.view.advice import aim, way_back
from dungeon_tui.games.rescue.view.overlays import check_size
from dungeon_tui.games.rescue.view.picture import arrows, path_on
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.map.source import Layer
from dungeon_tui.ui.play.analysis import Analysis, MoveValue
from dungeon_tui.ui.widgets.figure import Axis, Figure, Series, lowest

_OUTSIDE = Cell(-1, 0)  # where he waits: nothing to mark


class RescueAnalysis(Analysis):
    """The need of every cell; in a purchase the gold of every move."""

    name, bars = "At best", "bars: health"
    has_costs = False  # beside the numbers of the grid they would be read as its own

    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        self._glyphs = glyphs

    def prepare(self, state: State) -> None:
        if state.level.fee is not None:
            solver.bargain_of(rules.start(state.level))
        else:
            check_size(state.level)
            solver.needs(state.level)

    def legend(self, moves: Sequence[MoveValue]) -> str:
        return "★: best" * any(move.is_best and move.cell != _OUTSIDE for move in moves)

    def judge(self, turn: Turn[State, Action]) -> Judgement:
        """Judges if the health is enough from here; mistakes lose that, slips cost health or gold."""
        if turn.state.level.fee is not None:
            return _judged_by_gold(turn)
        state = turn.state
        if turn.parent is None:
            return Judgement(verdict(state), _height(state), False)
        needed, before = _path_need(state), _path_need(turn.parent.state)
        is_first = isinstance(turn.action, SetOut)
        is_mistake = needed > state.initial and (is_first or before <= state.initial)
        is_slip = not is_first and before < needed <= state.initial  # the end tells too much health
        if state.status is Status.SAVED:
            return Judgement(f"saved, with {state.health} health", _height(state), is_mistake, is_slip)
        if state.status is Status.DIED:
            return Judgement("lost", 0.0, is_mistake)
        return Judgement(verdict(state), _height(state), is_mistake, is_slip)

    def moves(self, state: State) -> Sequence[MoveValue]:
        if state.is_over:
            return ()
        if state.level.fee is not None:
            return _moves_by_gold(state)
        least, lost, found = need_ahead(state), _lost(state), []
        for action, (cell, need) in _steps_ahead(state).items():
            losing = "lost" if state.status is Status.WALKING and state.health < need else ""
            loss = max(need, lost) - max(least, lost)
            found.append(MoveValue(action, cell, loss, losing, rules.action_text(action), "health"))
        return found

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        state = turn.state
        if state.is_over:
            return "The rescue is over: {learn} shows your mistakes, if you made any."
        return solver.actions_on(state) or way_back(state)

    def drawn(self, state: State, is_answer: bool = False) -> Layer | None:
        return arrows(path, self._glyphs) if (path := path_on(state)) else None

    def explanation(self, state: State, played: Action) -> str:
        """Says the cost of the best path, and of the move played if it was worse; there is a path."""
        if state.level.fee is None:
            least, verb = max(need_ahead(state), _lost(state)), "need"
            text = f"a best path takes at most {need_ahead(state) - 1} on the way, so {verdict(state)}"
            loss = next((move.loss for move in self.moves(state) if move.action == played), 0)
        else:
            least, verb, best = gold_in_all(state) or 0, "cost", [move for move in self.moves(state) if move.is_best]
            which = f"{aim(state, solver.line_on(state) or ())}, and" if len(best) == 1 else "the cheapest path"
            text = f"{which} costs {least} gold in all"
            gold = gold_in_all(rules.step(state, played)[0])
            loss = None if gold is None else gold - least
        cost = "leave no way to survive" if loss is None else f"{verb} {least + loss}"
        yours = f" Your move, {rules.action_text(played)}, would {cost}." * (loss != 0)
        return f"{sentence(text)}{yours}"


def gold_in_all(state: State) -> int | None:
    """The least total gold of a purchase, with the gold spent; None if he can't survive."""
    if state.is_over:
        return state.spent if state.status is Status.SAVED else None
    found = solver.bargain_of(state)
    return None if found is None else state.spent + found.gold


def _judged_by_gold(turn: Turn[State, Action]) -> Judgement:
    gold, before = gold_in_all(turn.state), None if turn.parent is None else gold_in_all(turn.parent.state)
    is_worse = before is not None and (gold is None or gold > before)
    if gold is None:
        return Judgement("lost" if turn.state.is_over else "he can't survive", 0.0, is_worse)
    over = gold - (solver.par(turn.state.level) or gold)
    text = f"{gold} gold" + (f", {over} over par" if over else " (par)")
    return Judgement(text, _height(turn.state), False, is_slip=is_worse)


def _height(state: State) -> float:
    """The height of a bar: half for the health that he set out with."""
    return state.health / max(1, state.health + state.initial)


def _moves_by_gold(state: State) -> Sequence[MoveValue]:
    """The steps, each with the least total gold; before he sets out, every health that is best."""
    is_ready, least = state.status is Status.READY, gold_in_all(state) or 0
    healths = range(least, 0, -(state.level.fee or least))[::-1] if is_ready and least else ()  # power-ups pay the rest
    actions: Sequence[Action] = [*map(SetOut, healths), *map(Walk, rules.ways(state.level))]
    after = {each: rules.step(state, each)[0] for each in actions if rules.objection(state, each) is None}
    golds = {action: gold_in_all(each) for action, each in after.items()}
    if is_ready:
        return [MoveValue(each, _OUTSIDE, 0, name=rules.action_text(each)) for each in golds if golds[each] == least]
    found = []
    for action, gold in golds.items():
        loss, losing = (None, "lost") if gold is None else (gold - least, "")
        if loss == 0 and after[action].taken == state.taken and _turns_back(after[action], state.cell):
            losing = "a detour"
        found.append(MoveValue(action, after[action].cell, loss, losing, rules.action_text(action), "gold"))
    return found


def _turns_back(state: State, cell: Cell) -> bool:
    """True if the cheapest path from here begins with that cell."""
    found = None if state.is_over else solver.bargain_of(state)
    return found is not None and found.path[0] == cell


def need_ahead(state: State) -> int:
    """The least health that is enough from here; only before the end."""
    return min(need for _, need in _steps_ahead(state).values())


def verdict(state: State) -> str:
    """The knight's health compared with the least that is enough, in words; only before the end."""
    return f"he needs {need_ahead(state)} health" + f" and has {state.health}" * (state.status is not Status.READY)


def _lost(state: State) -> int:
    """1 more than what he had lost at his lowest and has won back: a need up to this costs nothing new."""
    return state.health - state.lowest + 1


def _path_need(state: State) -> int:
    """The least health to set out with for the path so far, and the best one from here."""
    return state.need if state.is_over else max(state.need, state.initial - state.health + need_ahead(state))


def _steps_ahead(state: State) -> Mapping[Action, tuple[Cell, int]]:
    """The next actions (setting out, or right, then down), each with its cell and the cell's need."""
    table = solver.needs(state.level)
    if state.status is Status.READY:
        least = int(table[ENTRANCE])
        return {SetOut(least): (_OUTSIDE, least)}
    steps = [action for action in rules.legal_actions(state) if isinstance(action, Walk)]
    cells = [state.cell.neighbour(step.direction) for step in steps]
    return {step: (cell, int(table[cell])) for step, cell in zip(steps, cells, strict=True)}


def health_figure(state: State) -> Figure | str:
    """The health along the path so far and, after a win, along a better one, each with its lowest point."""
    if not state.initial:
        return "The knight has not set out yet."
    walks = [("your path", state)]
    with suppress(ValueError):  # the best one is unknown
        if state.status is Status.SAVED and (best := _best_end(state.level)).spent < state.spent:
            walks.append(("a best path", best))
    series, marks = [], []
    for name, end in walks:
        price = "" if end.level.fee is None else f" for {end.spent} gold"
        curve = [entered.health for entered in end.trail or ()][::-1]
        corners = [(move, health) for move, health in enumerate(curve) for _ in range(2)]  # it changes in steps
        moves, healths = [move for move, _ in corners[1:]], [health for _, health in corners[:-1]]
        series.append(Series(f"{name}{price}, from {end.initial}", moves, healths))
        marks.append(lowest(Series("", [*range(len(curve))], curve), "health", "move"))
    return Figure(tuple(series), Axis("move"), Axis("health"), tuple(marks))


def _best_end(level: Level) -> State:
    """The end of a best rescue. Raises ValueError if it is unknown."""
    start = rules.start(level)
    return reduce(lambda state, action: rules.step(state, action)[0], solver.actions_on(start), start)
