"""Exact play on the screens: verdicts, moves, the best way on, the curve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from time import monotonic

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import counted
from dungeon_tui.engine.walks import Watch
from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.ai.solver import PATIENCE, Plan, Planner
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import known_rooms
from dungeon_tui.games.expedition.model.state import Action, State, Status, Walk, trails_of
from dungeon_tui.games.expedition.view.drawing import drawing_of
from dungeon_tui.games.expedition.view.story import out_of_reach
from dungeon_tui.ui.play.analysis import Analysis, MoveValue
from dungeon_tui.ui.widgets.figure import Axis, Figure, Mark, Series

INSTANT = 0.1  # seconds that a plan may take, where every step is judged at once
_MOST_OF_ALL = 90  # percent that the curve tells of where all rooms are asked for
_FIRST = 3.0  # seconds for the first plan of an analysis


class ExpeditionAnalysis(Analysis):
    """The least cost of the whole expedition after each step.

    It judges with the whole map known. In fog it says so, names no room that is not known, and plays no line out.
    """

    name = "Exact play"

    def __init__(self, planner: Planner, is_foggy: Callable[[], bool] = lambda: False) -> None:
        self._planner, self._is_foggy = planner, is_foggy

    def prepare(self, state: State) -> None:
        """Plans the level once. Raises ValueError if that takes too long for every step to be judged at once."""
        solver.prepare()
        began = monotonic()
        if not solver.plan(state.level, Watch(_FIRST)).is_proven or monotonic() - began > INSTANT:
            rooms = counted(len(state.level.rooms), "room")
            raise ValueError(f"{rooms} are too many to judge every step at once; {{hint}} plans from here")

    def judge(self, turn: Turn[State, Action]) -> Judgement:
        """The least cost of the whole after a turn, and the cost that its step wasted; wasting any is a mistake."""
        state = turn.state
        whole = self._whole(state)
        if whole is None:
            return Judgement(out_of_reach(self._plan(state)), 0.0, False, "-")
        best = self._whole(rules.start(state.level)) or 0
        before = self._whole(turn.parent.state) if turn.parent is not None else whole
        lost = whole - (whole if before is None else before)
        if state.status is Status.EXPLORED:
            text = f"explored at a cost of {whole}"
            text += ": the least" if whole == best else ""
        else:
            text = f"{lost} wasted by this step" if lost else f"{self._plan(state).cost} more is the least"
            text += f"; {whole} in all"
            text += ", with the whole map known" if self._is_foggy() else ""
        text += f", {whole - best} more than the least" if whole > best else ""
        return Judgement(text, (best + 1) / (whole + 1), lost > 0, str(whole))

    def moves(self, state: State) -> Sequence[MoveValue]:
        """The steps into neighbouring rooms from which it can be done, each with its extra cost and the cost in all."""
        if state.status is Status.EXPLORED:
            return ()
        wholes: dict[int, int] = {}
        for action in rules.legal_actions(state):
            after, _ = rules.step(state, action)
            if (whole := self._whole(after)) is not None:
                wholes[after.room] = whole
        least, level, told = min(wholes.values(), default=0), state.level, []
        for room, whole in wholes.items():
            box, name = drawing_of(level).boxes[room], level.rooms[room].label
            cell = Cell(box.row, box.col + box.width // 2)
            told.append(MoveValue(Walk(level.rooms[room].id), cell, whole - least, value=str(whole), name=name))
        return told

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        """Steps of the best way on from here, to its end; a sentence if there is none, or fog hides it."""
        state = turn.state
        if state.status is Status.EXPLORED:
            return "The expedition is over: step back to see the best way from there."
        if self._is_foggy() and known_rooms(state.level, state.seen).bit_count() < len(state.level.rooms):
            ways_out = "{fog} lifts the fog, {hint} plans with what you know"
            return f"The best way on would show rooms that you don't know: {ways_out}."
        walk = self._plan(state).walk
        return actions(state.level, walk) or "It can't be done: there is no way on."

    def _plan(self, state: State) -> Plan:
        return self._planner.known(state) or self._planner.plan(state, time_limit=_FIRST)

    def _whole(self, state: State) -> int | None:
        """Least cost of the whole expedition, with the steps made; None where it can't be done."""
        ahead = 0 if state.status is Status.EXPLORED else self._plan(state).cost
        return None if ahead is None else state.cost + ahead


def cost_curve(state: State, planner: Planner, *, is_foggy: bool) -> Figure | str:
    """Plot of the least cost for each number of rooms, and the cost of the walk so far; or why there is none.

    Stopping the planner ends it. In fog it says that it knows the whole map.
    """
    level = state.level
    points = list(solver.curve(level, Watch(PATIENCE, planner.stop)))
    if not points:
        return "No walk ends where it should: there is nothing to plot."
    rooms = [*range(1, len(points) + 1)]
    costs, bounds = (list(each) for each in zip(*points, strict=True))
    is_proven = costs == bounds
    least = "the least" if is_proven else "the best found"
    series = [Series(f"{least}, with the whole map known" if is_foggy else least, rooms, costs)]
    if not is_proven:
        series.append(Series("no walk costs less", rooms, bounds))
    firsts: dict[int, int] = {}
    for trail in trails_of(state):
        firsts.setdefault(trail.room, trail.cost)
    if state.steps:
        series.append(Series("your walk", [*range(1, len(firsts) + 1)], [*firsts.values()]))
    some = level.needed if level.needed < len(rooms) else ceil(_MOST_OF_ALL * len(rooms) / 100)
    wanted = sorted({some, len(rooms)})
    marks = tuple(
        Mark(number, costs[number - 1], f"{counted(number, 'room')} for {costs[number - 1]}") for number in wanted
    )
    return Figure(tuple(series), Axis("rooms seen"), Axis("cost"), marks)


def actions(level: Level, walk: Sequence[int]) -> list[Action]:
    """The steps of a walk, its first room left out."""
    return [Walk(level.rooms[room].id) for room in walk[1:]]
