"""What the cheapest ways on make of an expedition, for the screens: verdicts, marks, the best way on."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event, Lock
from time import monotonic

from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted
from dungeon_tui.games.expedition import rules, solver
from dungeon_tui.games.expedition.layout import layout
from dungeon_tui.games.expedition.level import Level
from dungeon_tui.games.expedition.maps import room_graph
from dungeon_tui.games.expedition.solver import Comparison, Plan
from dungeon_tui.games.expedition.state import Action, State, Status, Walk
from dungeon_tui.ui.analysis import Analysis, Judgement
from dungeon_tui.ui.map_source import CellLayer
from dungeon_tui.ui.palette import Meaning, Tint

INSTANT = 0.1  # seconds that a plan may take, where every step is judged at once
PATIENCE = 10.0  # seconds that a hint, a comparison or a curve may take
_FIRST = 3.0  # seconds for the first plan of an analysis
_MOST_PLANS = 4096  # that are kept

_Key = tuple[Level, int, int, bool]  # map, room, rooms seen, whether only known rooms count


class Planner:
    """The plans of all moments that were asked for. Used from threads."""

    def __init__(self) -> None:
        self._plans: dict[_Key, Plan] = {}
        self._compared: tuple[State, Comparison] | None = None
        self._lock = Lock()
        self.stop = Event()  # ends whatever is being planned

    def plan(self, state: State, *, known_only: bool = False, time_limit: float = PATIENCE) -> Plan:
        """The cheapest way on. Whoever follows it has the plans of the next moments, too.

        Raises:
            WalkCancelledError: the planner was stopped.
        """
        with self._lock:
            found = self.known(state, known_only)
            if found is None:
                found = solver.plan(state, known_only=known_only, time_limit=time_limit, stop=self.stop)
                self._keep(state, found, known_only)
            return found

    def known(self, state: State, known_only: bool = False) -> Plan | None:
        """The plan of a moment, if it was made."""
        return self._plans.get((state.level, state.room, state.seen, known_only))

    def compared(self, state: State) -> Comparison:
        """The walk so far beside the best one."""
        with self._lock:
            if self._compared is None or self._compared[0] is not state:
                self._compared = state, solver.compare(state, time_limit=PATIENCE, stop=self.stop)
            return self._compared[1]

    def comparison(self, state: State) -> Comparison | None:
        """The same, if it was made."""
        return self._compared[1] if self._compared is not None and self._compared[0] is state else None

    def _keep(self, state: State, found: Plan, known_only: bool) -> None:
        if len(self._plans) > _MOST_PLANS:
            self._plans.clear()
        self._plans[state.level, state.room, state.seen, known_only] = found
        if known_only or not found.is_proven or found.cost is None:
            return  # what is known changes with each step
        costs, seen = found.cost, state.seen
        for place, (one, two) in enumerate(zip(found.walk, found.walk[1:], strict=False), 1):
            costs -= step_cost(state.level, one, two)
            seen |= 1 << two
            onward = Plan(costs, found.walk[place:], found.seen, True, costs, found.method)
            self._plans.setdefault((state.level, two, seen, False), onward)


def step_cost(level: Level, one: int, two: int) -> int:
    """Of walking from a room into a neighbouring one."""
    return room_graph(level).corridors[one][two].cost + level.rooms[two].cost


class ExpeditionAnalysis(Analysis):
    """What the expedition comes to with each step, if it goes on as cheaply as can be."""

    name = "Exact play"

    def __init__(self, planner: Planner) -> None:
        self._planner = planner

    def prepare(self, state: State) -> None:
        """Plans once, to see whether that takes no time. Raises ValueError where it does."""
        level = state.level
        first = rules.start(level)
        found = self._planner.plan(first, time_limit=_FIRST)
        began = monotonic()
        again = solver.plan(first, time_limit=_FIRST)
        if not (found.is_proven and again.is_proven) or monotonic() - began > INSTANT:
            raise ValueError(
                f"{counted(len(level.rooms), 'room')} are too many to judge every step at once; / plans from here"
            )

    def judge(self, turn: Turn[State, Action]) -> Judgement:
        """The verdict on a turn; a mistake is a step that made the whole dearer."""
        state = turn.state
        whole = self._whole(state)
        if whole is None:
            return Judgement(f"it can't be done: {self._plan(state).seen} rooms can be seen", 0.0, False, "-")
        best = self._whole(rules.start(state.level)) or 0
        before = self._whole(turn.parent.state) if turn.parent is not None else whole
        lost = whole - (whole if before is None else before)
        if state.status is Status.EXPLORED:
            text = f"explored at a cost of {whole}"
            text += ": the least" if whole == best else ""
        else:
            text = f"{self._least(state)}; {whole} in all"
        text += f", {whole - best} more than the least" if whole > best else ""
        if lost:
            text = f"{lost} wasted by this step; {text}"
        return Judgement(text, (best + 1) / (whole + 1), lost > 0, str(whole))

    def layer(self, state: State) -> CellLayer:
        """How much dearer each step makes the whole, on the upper side of the room that it leads to."""
        layer = CellLayer()
        boxes = layout(state.level).boxes
        for room, dearer in self._steps(state).items():
            box = boxes[room]
            text = "best" if dearer == 0 else f"+{dearer}"
            tint = Tint.SAFE if dearer == 0 else Tint.DANGER
            for place, char in enumerate(text.rjust(len(text) + (box.width - len(text)) // 2)):
                if char != " ":
                    cell = box.middle._replace(row=box.row, col=box.col + place)
                    layer.mark(cell, char, Meaning.PRIZE if dearer == 0 else Meaning.NOTE, tint)
        return layer

    def note(self, state: State) -> str:
        """The verdict, and how much dearer each step makes the whole."""
        if state.status is Status.EXPLORED:
            return f"{self.name}: the expedition is over."
        steps = self._steps(state)
        if not steps:
            return f"{self.name}: it can't be done: {counted(self._plan(state).seen, 'room')} can be seen."
        labels = {room: state.level.rooms[room].label for room in steps}
        best = ", ".join(labels[room] for room, dearer in steps.items() if dearer == 0)
        told = f"{self.name}: {self._least(state)}. Best: {best}."
        others = [
            f"{labels[room]} +{dearer}" for room, dearer in sorted(steps.items(), key=lambda step: step[1]) if dearer
        ]
        return f"{told} Dearer: {', '.join(others)}." if others else told

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        """The best way on from here, to its end."""
        state = turn.state
        if state.status is Status.EXPLORED:
            return "The expedition is over: step back to see the best way from there."
        walk = self._plan(state).walk
        return actions(state.level, walk) or "It can't be done: there is no way on."

    def _plan(self, state: State) -> Plan:
        return self._planner.known(state) or self._planner.plan(state, time_limit=_FIRST)

    def _whole(self, state: State) -> int | None:
        """What the expedition comes to at least, with what was walked; None where it can't be done."""
        ahead = 0 if state.status is Status.EXPLORED else self._plan(state).cost
        return None if ahead is None else state.cost + ahead

    def _least(self, state: State) -> str:
        found = self._plan(state)
        return f"{found.cost} more is the least{'; proven' if found.is_proven else ', as far as was found'}"

    def _steps(self, state: State) -> dict[int, int]:
        """The neighbouring rooms, each with how much dearer it makes the whole than the best step does."""
        wholes: dict[int, int] = {}
        for action in rules.legal_actions(state):
            after, _ = rules.step(state, action)
            if (whole := self._whole(after)) is not None:
                wholes[after.room] = whole
        least = min(wholes.values(), default=0)
        return {room: whole - least for room, whole in wholes.items()}


def actions(level: Level, walk: Sequence[int]) -> list[Action]:
    """The steps of a walk, its first room left out."""
    return [Walk(level.rooms[room].id) for room in walk[1:]]
