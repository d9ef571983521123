"""Exact play for the screens: verdicts, moves, and the best walk on."""

from collections.abc import Callable, Sequence

from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import counted
from dungeon_tui.engine.walks import Watch
from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.ai.solver import PLAN_TIME_LIMIT_S, Leg, Planner
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import neighbours, step_cost
from dungeon_tui.games.expedition.model.state import Action, State, Status, Walk
from dungeon_tui.games.expedition.view.drawing import Drawing, drawing_of
from dungeon_tui.games.expedition.view.guide import is_unsure, lacking, promised, torch_text
from dungeon_tui.games.expedition.view.picture import draw_plan
from dungeon_tui.games.expedition.view.story import (
    TOO_SHORT,
    fog_reason,
    out_of_reach,
    reason,
    way_back,
)
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.map.source import CellLayer
from dungeon_tui.ui.play.analysis import Analysis, MoveValue

MAX_STATES = 500_000  # searched for the plan of a level whose every step can be judged: about 0.1 s


class ExpeditionAnalysis(Analysis):
    """The total cost of the expedition after each step, if the rest is as cheap as possible.

    In fog it is the total that can be guaranteed, whatever is out of sight.
    """

    name = "Exact play"

    def __init__(
        self, planner: Planner, drawn: Callable[[Level], Drawing] = drawing_of, glyphs: Glyphs = UNICODE
    ) -> None:
        self._planner, self._drawn, self._glyphs = planner, drawn, glyphs

    def prepare(self, state: State) -> None:
        """Plans the level once. Raises ValueError if that is too slow to judge every step."""
        solver.prepare()
        if state.level.is_fogged:
            if self._planner.explorer(state.level).sure_cost is None:
                raise ValueError("no sure plan is known for this map")
            return
        first = solver.plan(state.level, Watch(PLAN_TIME_LIMIT_S))
        if not first.is_proven or first.states > MAX_STATES:
            raise ValueError(f"{counted(len(state.level.rooms), 'room')} are too many to judge every step")

    def judge(self, turn: Turn[State, Action]) -> Judgement:
        """The total cost, and what the last step wasted: a slip, or a mistake if the torch is now too short."""
        state = turn.state
        whole = self._whole(state)
        if whole is None:
            text = "no sure plan is known" if state.level.is_fogged else out_of_reach(self._planner.plan(state))
            return Judgement(text, 0.0, False)
        best = self._whole(rules.start(state.level)) or 0
        leg = Leg(0, 0, 0)
        if (parent := turn.parent) is not None:
            least, worst = self._whole(parent.state) or whole, self._after(parent.state, state.room) or whole
            leg = solver.step_leg(parent.state, state, least, worst, whole)
        is_mistake = leg.mistake is not None
        if state.status is Status.DARK:
            return Judgement("lost in the dark", 0.0, is_mistake)
        if state.status is Status.EXPLORED:
            text = f"all visited at a cost of {whole}"
        else:
            text = torch_text(state, whole - state.cost)
        return Judgement(text, (best + 1) / (whole + 1), is_mistake, is_slip=leg.wasted > 0)

    def moves(self, state: State) -> Sequence[MoveValue]:
        """The steps after which the task can be finished, with their extra cost and the total."""
        wholes: dict[int, int] = {}
        for room in neighbours(state.level)[state.room] if state.status is Status.EXPLORING else ():
            if (whole := self._after(state, room)) is not None:
                wholes[room] = whole
        least, level, found = min(wholes.values(), default=0), state.level, []
        for room, whole in wholes.items():
            cell = self._drawn(level).place_on_step(state.room, room)
            losing = ("not safe" if is_unsure(state) else TOO_SHORT) * (whole > (level.torch or whole))
            found.append(MoveValue(Walk(level.rooms[room].id), cell, whole - least, losing, level.rooms[room].title))
        return found

    def legend(self, moves: Sequence[MoveValue]) -> str:
        losing, marks = next((move.losing for move in moves if move.losing), ""), super().legend(moves)
        worse = min((move.loss for move in moves if move.loss and not move.losing), default=0)
        marks = marks.replace(", +2: 2 worse", f", +{worse} at a door: {worse} worse" * (worse > 0))
        return marks.replace("loses", losing) if losing else marks.removesuffix(", ×: loses")

    def blamed(self, turn: Turn[State, Action]) -> Turn[State, Action]:
        """The start of a finished walk: a cheapest walk is shown in its place."""
        return turn.line()[0] if turn.state.status is Status.EXPLORED else turn

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        """The best walk on; in words if the torch is too short. In fog there is no such key."""
        state = turn.state
        if state.status is not Status.EXPLORING:
            return "The expedition is over: step back to see the best walk from there."
        if lacking(state, self._planner):
            return way_back(state, self._planner)
        return actions(state.level, self._planner.plan(state).walk) or "The task can't be finished from here."

    def drawn(self, state: State, is_answer: bool = False) -> CellLayer | None:
        if is_unsure(state) or state.status is not Status.EXPLORING or not (walk := self._planner.plan(state).walk):
            return None  # in fog a walk would show what is hidden
        new = next((at for at, room in enumerate(walk) if not state.has_seen(room)), len(walk))
        return draw_plan(self._drawn(state.level), walk[: new + 1] if is_answer else walk, self._glyphs, state.steps)

    def explanation(self, state: State, played: Action) -> str:
        if is_unsure(state):
            return fog_reason(state, self._planner, self._meant(state, played))
        return reason(state, self._planner.plan(state), self._planner, rules.step(state, played)[0].room)[1]

    def _meant(self, state: State, played: Action) -> int | None:
        """The new room that a step in fog leads to, perhaps later; None if that is unknown."""
        after = rules.step(state, played)[0]
        if not state.has_seen(after.room):
            return after.room
        way = promised(after, self._planner)[0]
        return way[-1] if way and after.status is Status.EXPLORING else None

    def _whole(self, state: State) -> int | None:
        """The total: the cost so far and the least cost of the rest; None if that is unknown or impossible."""
        if state.level.is_fogged:
            return self._planner.explorer(state.level).total(state)
        rest = self._planner.plan(state).cost
        return None if rest is None else state.cost + rest

    def _after(self, state: State, room: int) -> int | None:
        """The total after a step; in fog, the worst that may come of it."""
        if state.level.is_fogged:
            return self._planner.explorer(state.level).after(state, room, step_cost(state.level, state.room, room))
        return self._whole(rules.step(state, Walk(state.level.rooms[room].id))[0])


def actions(level: Level, walk: Sequence[int]) -> list[Action]:
    """The steps of a walk, without its first room."""
    return [Walk(level.rooms[room].id) for room in walk[1:]]
