"""Choosing cells, and automatic walking to a cell or to unexplored parts."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from typing import Any

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.words import sentence
from dungeon_tui.ui.keys import MOVES, Command, Key
from dungeon_tui.ui.map.source import Layer
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.features import Journeys, Lead, Leads
from dungeon_tui.ui.play.layout import Footer
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.seats import Seats
from dungeon_tui.ui.widgets.message_log import LogLine

STAIRS = "<>"
TRAVEL_PAUSE_S = 0.03  # per step
LAST_STEP = "The next step would be your last."
NEWS = "Something new is in sight."

_TRAVEL = Key("travel", "g", "Travel", "choose a cell and walk there; or click it", MOVES, 5)
_EXPLORE = Key("explore", "z", "Explore", "explore until something comes up", MOVES, 6)
PLAN = Key("choose.plan", "space", "Plan", "while choosing a room: plan the way, and on from there", MOVES,
           bound_to="plan")  # fmt: skip
CHOOSING = (
    Key("choose.confirm", "enter", "Take", "while choosing a cell: take it", MOVES, bound_to="confirm"),
    Key("choose.next", "tab", "Next place", "while choosing a cell: next place", MOVES,
        bound_to="next_landmark(1)"),
    Key("choose.previous", "shift+tab", "Previous place", "while choosing a cell: previous place", MOVES,
        bound_to="next_landmark(-1)"),
)  # fmt: skip


class Travel(Part):
    """The mark that chooses a cell, and journeys, which any key stops. On while you choose a cell."""

    def __init__(self, stage: Stage, journeys: Journeys | None, seats: Seats, footer: Footer) -> None:
        super().__init__(stage)
        self._is_possible = journeys is not None
        self._journeys = journeys or Journeys(lambda _: (), lambda *_: (), lambda *_: "")
        self._seats, self._footer = seats, footer
        self.cursor: Cell | None = None
        self._planned: list[tuple[Any, Sequence[Any]]] = []  # for each place: the state there, the actions to it
        self._left: tuple[Any, list[tuple[Any, Sequence[Any]]]] = None, []  # the plan when you stopped, and the state
        self._walked = 0  # the visit of the last step: undo takes back all that one command walked

    def commands(self) -> Sequence[Command]:
        if not self._is_possible:
            return ()
        explore = [Command(_EXPLORE, self.explore)] if self._journeys.explore is not None else []
        return [Command(_TRAVEL, self.choose_goal), *explore]

    @property
    def ahead(self) -> Any:
        """The state at the end of the plan, or now."""
        state, begin = self._session.state, self._journeys.begin
        return self._planned[-1][0] if self._planned else state if begin is None else begin(state)

    def show(self, scene: Scene) -> None:
        if self.cursor is not None:
            scene.layers += [sketch[0]] if (sketch := self.sketch()) else []
            scene.layers.append(self._view.cursor(self._session.state, self.cursor))
            scene.focus = self.cursor

    # -- choosing a cell

    def choose_goal(self) -> None:
        if not self.is_on and self._left[0] is self._session.state:
            self._planned = self._left[1]
        self._stage.messages.new_turn()
        self._put_mark(self.cursor or self._view.focus_cell(self.ahead))
        may_plan, draws = self.sketch() is not None, self._journeys.begin is not None
        self._footer.show_choice(
            [
                ("Enter", "Go", "confirm"),
                *[("Space", "Plan", "plan")] * (may_plan and not draws),
                *[("⌫", "Take back", "command('undo')")] * may_plan,
                *[("Tab", "Next place", "next_landmark(1)")] * (not draws),
                ("Esc", "Back", "command('leave')"),
            ]
        )

    def confirm(self) -> None:
        """Walks to the chosen cell, by what is planned; does nothing if none is chosen, or if no way leads there."""
        if (cell := self.cursor) is not None:
            ahead = self.ahead
            if self._planned and cell != self._view.focus_cell(ahead):
                self.plan(cell)
                if self.ahead is ahead and self._session.controller.rules.outcome(ahead) is None:
                    return  # `plan` has said why
            opening = self._journeys.opening(self._session.state, ahead)
            if isinstance(opening, str):
                self._say(opening, transient=True)
                return
            actions = [*opening, *(action for _, way in self._planned for action in way)]
            self.close()
            self.travel_to(cell, actions)

    # -- planning a journey by several places

    def sketch(self) -> tuple[Layer, str] | None:
        """The picture and the words of the plan; None unless you choose a cell and may plan."""
        draw = self._journeys.sketch if self.is_on else None
        return None if draw is None else draw(self._session.state, self.ahead)

    def plan(self, cell: Cell | None = None) -> bool:
        """Adds the way to a cell, by default the chosen one, to the plan; False if nothing can be planned."""
        cell = cell or self.cursor
        if cell is None or self.sketch() is None:
            return False
        self._plan_on(self._journeys.route(self.ahead, cell), self.cursor or cell)
        return True

    def _plan_on(self, route: Sequence[Any] | str, mark: Cell) -> None:
        """Adds a way to the plan; or leaves the mark on a cell and says why the way can't be made."""
        state, rules, actions = self.ahead, self._session.controller.rules, []
        reason: str | None = route if isinstance(route, str) else None
        for action in () if isinstance(route, str) else route:
            if reason := "the plan ends here" if rules.outcome(state) is not None else rules.objection(state, action):
                break
            state = self._journeys.foreseen(state, rules.step(state, action)[0])
            actions.append(action)
        self._planned += [(state, actions)] if actions else []
        self._put_mark(self._view.focus_cell(state) if actions else mark)
        if reason and not actions:
            self._say(sentence(reason), transient=True)

    def plan_less(self) -> bool:
        """Takes the last place out of the plan; False if nothing can be planned."""
        if self.sketch() is None:
            return False
        self._planned = self._planned[:-1]
        self._put_mark(self._view.focus_cell(self.ahead))
        return True

    def move_cursor(self, direction: Direction) -> None:
        state, cell = self.ahead, self.cursor
        source = self._view.picture(state)
        if cell is None:
            return
        if self._journeys.begin is not None:
            self._plan_on([self._view.action_towards(state, direction)], cell)
            return
        if self._view.columns(state):
            cell = cell.neighbour(direction)
        else:  # a drawing: to the next place that way
            places = [cell, self._view.focus_cell(state), *(cell for _, cell in self._journeys.landmarks(state))]
            cell = min(places, key=partial(_distance_towards, cell, direction))
        if cell.is_inside(source.height, source.width):
            self._put_mark(cell)

    def next_landmark(self, steps: int) -> None:
        cells = [cell for _, cell in self._journeys.landmarks(self.ahead)]
        self._put_mark_on_next(cells, steps, "No points of interest on this map.")

    def cells_of(self, glyph: str) -> Sequence[Cell]:
        """The points of interest with this glyph."""
        return [cell for shown, cell in self._journeys.landmarks(self.ahead) if shown == glyph]

    def jump_to(self, glyph: str) -> None:
        """Moves the mark to the next point of interest with this glyph; stairs are walked to immediately."""
        cells = self.cells_of(glyph)
        self._put_mark_on_next(cells, 1, f"You know of no {glyph} on this map.")
        if cells and glyph in STAIRS:
            self.confirm()

    def _put_mark_on_next(self, cells: Sequence[Cell], steps: int, none: str) -> None:
        if self._journeys.begin is not None:
            return  # the mark stays at the end of what is drawn
        if not cells:
            self._say(none, transient=True)
        elif self.cursor in cells:
            self._put_mark(cells[(cells.index(self.cursor) + steps) % len(cells)])
        else:
            self._put_mark(cells[0 if steps > 0 else -1])

    def _put_mark(self, cell: Cell) -> None:
        self.cursor = cell
        self.is_on = True
        self._stage.messages.end_transient()  # it was about the cell before
        text = "Where to? Move the mark; Tab: next place, Enter: go, Esc: cancel."
        if sketch := self.sketch():
            is_told = self._planned or self._journeys.begin is not None
            text = sketch[1] if is_told else "Where to? Enter walks there; Space or a click plans on."
        self._say(text, transient=True)
        self._stage.hover(cell)
        self._stage.refresh_turn()

    def hide(self) -> None:
        if self.cursor is not None:
            self.cursor = None
            self._left = self._session.state, self._planned
            self._planned = []
            self.is_on = False
            self._stage.hover(None)
            self._stage.messages.new_turn()
            self._footer.show_usual()

    # -- journeys

    def travel_to(self, cell: Cell, planned: Sequence[Any] = ()) -> None:
        """Walks to a cell, or makes the planned moves."""
        if self._is_possible:
            self._start(self._travel_to, cell, planned, self._stage.visit, group="travel", exclusive=True)

    async def _travel_to(self, cell: Cell, planned: Sequence[Any], visit: int) -> None:
        await self._seats.settle()
        start = self._session.state
        route = planned or await self._route(self._journeys.route, start, cell)
        if not route or self._stage.visit != visit or self._session.state is not start:
            return
        if reason := await self._walk(route, visit):
            self._say_stopped(reason, visit)

    def explore(self) -> None:
        self.hide()
        self._start(self._explore, self._stage.visit, group="travel", exclusive=True)

    async def _explore(self, visit: int) -> None:
        assert self._journeys.explore is not None
        while self._stage.visit == visit and self._session.outcome is None:
            route = await self._route(self._journeys.explore, self._session.state)
            if not route:
                return
            if reason := await self._walk(route, visit, is_last_step_free=False):
                self._say_stopped(reason, visit)
                return

    async def _route(self, find: Callable[..., Sequence[Any] | str], *arguments: Any) -> Sequence[Any]:
        """Actions that `find` returns, run in a thread; if it finds none, logs the reason."""
        route = await self._stage.in_thread(find, *arguments)
        if isinstance(route, str):
            is_aside = self._walked != self._stage.visit  # else it belongs to what the walk brought
            self._stage.say_line(LogLine(route, is_transient=True, is_aside=is_aside), route * (not is_aside))
        return () if route is None or isinstance(route, str) else route

    async def _walk(self, route: Sequence[Any], visit: int, is_last_step_free: bool = True) -> str:
        """Plays actions until a key is pressed; returns the reason for stopping early, or an empty string."""
        reason_to_stop = self._journeys.reason_to_stop
        # Where there is a reason to stop before the first step, one step is made, and the rest if the reason has gone.
        is_watched = is_last_step_free and reason_to_stop(None, self._session.state) != ""
        for number, action in enumerate(route):
            if self._stage.visit != visit or self._session.outcome is not None:
                return ""
            before = self._session.state
            if reason := self._journeys.reason_to_refuse(before, action) or LAST_STEP * self._stage.would_lose(action):
                return reason
            if not await self._seats.play_step(action, is_first=self._walked != visit):
                return ""
            self._walked = visit
            after, is_first = self._session.state, number == 0
            reason = reason_to_stop(before, after) or (reason_to_stop(None, after) if is_watched and is_first else "")
            if reason and not (is_last_step_free and number + 1 == len(route)):
                return reason
            if number + 1 < len(route) and self._journeys.foreseen(before, after) != after:
                return NEWS
            await asyncio.sleep(TRAVEL_PAUSE_S if self._stage.is_animated else 0)
        return ""

    def _say_stopped(self, reason: str, visit: int) -> None:
        is_aside = self._walked != visit  # nothing was played: earlier messages are past
        reason, _, then = reason.partition("\n")  # then: it is about the next step alone
        text = f"{reason} {then}".rstrip()
        self._stage.say_line(LogLine(text, Meaning.FOE, is_aside or then != "", is_aside), reason)


def _distance_towards(here: Cell, direction: Direction, there: Cell) -> float:
    """The distance of a place in a direction, counting the way aside twice. Infinite if it lies elsewhere."""
    down, right = 2 * (there.row - here.row), there.col - here.col  # a row is as high as two columns are wide
    along, aside = (down * rows + right * cols for rows, cols in (direction.value, direction.value[::-1]))
    return along + 2 * abs(aside) if along > 0 else inf


class Signpost(Part):
    """Marks the way for the current state. On while the way is drawn."""

    def __init__(self, stage: Stage, leads: Leads | None, travel: Travel) -> None:
        super().__init__(stage)
        self._leads, self._travel = leads, travel
        self._shown: tuple[Any, Lead] | None = None  # state, way
        self._agreed: tuple[Any, Cell] | None = None  # action and goal of the way shown last: the next press walks

    def show(self, scene: Scene) -> None:
        self.is_on = self._shown is not None and self._shown[0] is scene.turn.state
        if self.is_on and self._shown is not None:
            scene.layers.append(self._shown[1].layer)

    def hide(self) -> None:
        self._shown, self._agreed, self.is_on = None, None, False
        self._travel.hide()

    def lead(self, action: Any) -> bool:
        """Marks the way to an action, then walks it; False if there is none or the action is possible."""
        state, rules = self._session.state, self._session.controller.rules
        if self._leads is None or self._session.outcome is not None or rules.objection(state, action) is None:
            return False
        if (found := self._leads.way(state, action)) is None:
            return False
        if isinstance(found, str):
            self._say(found, transient=True)
            return True
        if self._agreed == (action, found.cell):
            self._shown, self.is_on = None, False
            self._travel.travel_to(found.cell)
            return True
        self._shown, self._agreed, self.is_on = (state, found), (action, found.cell), True
        self._say(found.text, Meaning.DOOR, transient=True)
        self._stage.refresh_turn()
        return True
