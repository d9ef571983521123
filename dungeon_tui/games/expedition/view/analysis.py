"""Exact play for the screens: verdicts, moves, the best walk on, and the cost curve."""

from collections.abc import Callable, Sequence
from math import ceil
from time import monotonic

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import counted
from dungeon_tui.engine.walks import Watch
from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.ai.solver import PLAN_TIME_LIMIT_S, Plan, Planner
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import known_rooms
from dungeon_tui.games.expedition.model.state import Action, State, Status, Walk, trails_of
from dungeon_tui.games.expedition.view.drawing import drawing_of
from dungeon_tui.games.expedition.view.story import out_of_reach
from dungeon_tui.ui.play.analysis import Analysis, MoveValue
from dungeon_tui.ui.widgets.figure import Axis, Figure, Mark, Series

MAX_PLAN_S = 0.1  # of a level whose every step can be judged
_MARKED_SHARE = 90  # percentage of the rooms to mark if the task is to see all
_FIRST_PLAN_LIMIT_S = 3.0


class ExpeditionAnalysis(Analysis):
    """The total cost of the expedition after each step, if the rest is as cheap as possible.

    It uses the whole map. In fog it says so, and neither names unknown rooms nor plays a line.
    """

    name = "Exact play"

    def __init__(self, planner: Planner, is_foggy: Callable[[], bool] = lambda: False) -> None:
        self._planner, self._is_foggy = planner, is_foggy

    def prepare(self, state: State) -> None:
        """Plans the level once. Raises ValueError if that is too slow to judge every step."""
        solver.prepare()
        began = monotonic()
        if not solver.plan(state.level, Watch(_FIRST_PLAN_LIMIT_S)).is_proven or monotonic() - began > MAX_PLAN_S:
            rooms = counted(len(state.level.rooms), "room")
            raise ValueError(f"{rooms} are too many to judge every step; {{hint}} plans from here")

    def judge(self, turn: Turn[State, Action]) -> Judgement:
        """The total cost, and the cost that the last step wasted; wasting any is a mistake."""
        # Compare the total before and after the step.
        state = turn.state
        whole = self._whole(state)
        if whole is None:
            return Judgement(out_of_reach(self._plan(state)), 0.0, False, "-")
        best = self._whole(rules.start(state.level)) or 0
        before = self._whole(turn.parent.state) if turn.parent is not None else whole
        lost = whole - (whole if before is None else before)

        # Put it in words.
        if state.status is Status.EXPLORED:
            text = f"explored at a cost of {whole}"
            text += ", the minimum" if whole == best else ""
        else:
            text = f"{lost} wasted by this step" if lost else f"at least {self._plan(state).cost} more"
            text += f"; {whole} in all"
            text += ", with the whole map known" if self._is_foggy() else ""
        text += f", {whole - best} above the minimum" if whole > best else ""
        return Judgement(text, (best + 1) / (whole + 1), lost > 0, str(whole))

    def moves(self, state: State) -> Sequence[MoveValue]:
        """The steps after which the task can be finished, with their extra cost and the total."""
        if state.status is Status.EXPLORED:
            return ()
        wholes: dict[int, int] = {}
        for action in rules.legal_actions(state):
            after, _ = rules.step(state, action)
            if (whole := self._whole(after)) is not None:
                wholes[after.room] = whole
        least, level, found = min(wholes.values(), default=0), state.level, []
        for room, whole in wholes.items():
            box, name = drawing_of(level).boxes[room], level.rooms[room].label
            cell = Cell(box.row, box.col + box.width // 2)
            found.append(MoveValue(Walk(level.rooms[room].id), cell, whole - least, value=str(whole), name=name))
        return found

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        """The best walk on; a sentence if there is none, or fog hides it."""
        state = turn.state
        if state.status is Status.EXPLORED:
            return "The expedition is over: step back to see the best walk from there."
        if self._is_foggy() and known_rooms(state.level, state.seen).bit_count() < len(state.level.rooms):
            ways_out = "{fog} lifts the fog, {hint} plans with what you know"
            return f"The best walk leads through rooms that you don't know: {ways_out}."
        walk = self._plan(state).walk
        return actions(state.level, walk) or "The task can't be finished from here."

    def _plan(self, state: State) -> Plan:
        return self._planner.known(state) or self._planner.plan(state, time_limit=_FIRST_PLAN_LIMIT_S)

    def _whole(self, state: State) -> int | None:
        """The total: the cost so far and the least cost of the rest; None if the task can't be finished."""
        ahead = 0 if state.status is Status.EXPLORED else self._plan(state).cost
        return None if ahead is None else state.cost + ahead


def cost_curve(state: State, planner: Planner, *, is_foggy: bool) -> Figure | str:
    """A plot of the least cost for each number of rooms, and of the walk so far; or why there is none."""
    # The least costs and their lower bounds.
    level = state.level
    points = list(solver.curve(level, Watch(PLAN_TIME_LIMIT_S, planner.stop)))
    if not points:
        return "The task can't be finished: there is nothing to plot."
    rooms = [*range(1, len(points) + 1)]
    costs, bounds = (list(each) for each in zip(*points, strict=True))
    is_proven = costs == bounds
    least = "the minimum" if is_proven else "the best found"
    series = [Series(f"{least}, with the whole map known" if is_foggy else least, rooms, costs)]
    if not is_proven:
        series.append(Series("no walk costs less", rooms, bounds))

    # The walk so far.
    firsts: dict[int, int] = {}
    for trail in trails_of(state):
        firsts.setdefault(trail.room, trail.cost)
    if state.steps:
        series.append(Series("your walk", [*range(1, len(firsts) + 1)], [*firsts.values()]))

    # Mark the task, and all rooms.
    some = level.needed if level.needed < len(rooms) else ceil(_MARKED_SHARE * len(rooms) / 100)
    wanted = sorted({some, len(rooms)})
    marks = tuple(
        Mark(number, costs[number - 1], f"{counted(number, 'room')} for {costs[number - 1]}") for number in wanted
    )
    return Figure(tuple(series), Axis("rooms seen"), Axis("cost"), marks)


def actions(level: Level, walk: Sequence[int]) -> list[Action]:
    """The steps of a walk, without its first room."""
    return [Walk(level.rooms[room].id) for room in walk[1:]]
