"""Choosing cells, and walking by itself: to a cell, or to the nearest unseen one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.ui.keys import LOOKING, MOVES, Command, Key
from dungeon_tui.ui.map.source import CellLayer
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import Journeys
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.seats import Seats
from dungeon_tui.ui.widgets.message_log import Line

STAIRS = "<>"
TRAVEL_PAUSE = 0.03  # seconds a step

_TRAVEL = Key("travel", "g", "g", "Travel", "choose a cell and walk there; a click does the same", MOVES, 5)
_EXPLORE = Key("explore", "z", "z", "Explore", "walk to the unseen until something comes up", MOVES, 6)
_WAIT = Key("wait", "Z", "Z", "Wait", "let turns pass until something comes up", MOVES)
_INSPECT = Key("inspect", "i", "i", "Inspect", "choose a cell and read what it is", LOOKING)


class Travel(Part):
    """A mark that chooses a cell, and journeys that any key ends. It is on while a cell is chosen."""

    def __init__(self, stage: Stage, journeys: Journeys | None, seats: Seats) -> None:
        self._stage = stage
        self._session = stage.session
        self._is_possible = journeys is not None
        self._journeys = journeys or Journeys(lambda _: (), lambda *_: (), lambda *_: "")
        self._seats = seats
        self.cursor: Cell | None = None
        self._is_travelling = False  # the purpose of the cursor: to go there, or to read of it

    def commands(self) -> Sequence[Command]:
        """The keys of travelling, inspecting, and exploring in games that can; none in games without journeys."""
        if not self._is_possible:
            return ()
        explore = [Command(_EXPLORE, self.explore)] if self._journeys.explore is not None else []
        wait = [Command(_WAIT, self.wait)] if self._journeys.wait is not None else []
        return [Command(_TRAVEL, self.choose_goal), *explore, *wait, Command(_INSPECT, self.inspect)]

    def show(self, scene: Scene) -> None:
        """Adds the mark on the chosen cell above all other layers, and keeps it in view."""
        if self.cursor is not None:
            layer = CellLayer()
            layer.mark(self.cursor, None, None, Tint.CURSOR)
            scene.layers.append(layer)
            scene.focus = self.cursor

    # -- choosing a cell

    def choose_goal(self) -> None:
        """Lets a person choose a cell to walk to, by a mark that keys move."""
        self._choose("Where to? Move the mark, Tab: the next place, Enter: go, Esc: stay here.", "Go")

    def inspect(self) -> None:
        """Lets a person choose a cell, by a mark that keys move, to read what it is."""
        self._choose("Inspecting: move the mark, Tab: the next place, Esc: back.", "Say what it is")

    def _choose(self, text: str, enter: str) -> None:
        self._is_travelling = enter == "Go"
        self._stage.messages.new_turn()
        self._stage.mention(text)
        self._stage.show_keys(
            [("Enter", enter, "confirm"), ("Tab", "Next place", "next_place(1)"), ("Esc", "Back", "command('leave')")]
        )
        self._put_mark(self.cursor or self._stage.view.focus_cell(self._session.state))

    def confirm(self) -> None:
        """Walks to the chosen cell, or says what it is; does nothing while none is chosen."""
        cell = self.cursor
        if cell is None:
            return
        if self._is_travelling:
            self.drop()
            self._stage.refresh_turn(())
            self.travel_to(cell)
        else:
            self._stage.say(self._stage.view.cell_text(self._session.state, cell))

    def move_cursor(self, direction: Direction) -> None:
        """Chooses the neighbour of the chosen cell, within the map."""
        source = self._stage.view.picture(self._session.state)
        if self.cursor is not None and (cell := self.cursor.neighbour(direction)).is_inside(
            source.height, source.width
        ):
            self._put_mark(cell)

    def next_place(self, steps: int) -> None:
        """Chooses the next cell of interest on the map, -1: the one before; says if there is none."""
        cells = [cell for _, cell in self._journeys.places(self._session.state)]
        self._put_mark_on_next(cells, steps, "There is nothing of note on this map.")

    def jump_to(self, glyph: str) -> None:
        """Chooses the next cell of interest that shows this glyph, stairs to walk there at once; says if none does."""
        cells = [cell for place, cell in self._journeys.places(self._session.state) if place == glyph]
        self._put_mark_on_next(cells, 1, f"You know of no {glyph} on this map.")
        if cells and self._is_travelling and glyph in STAIRS:
            self.confirm()

    def _put_mark_on_next(self, cells: Sequence[Cell], steps: int, none: str) -> None:
        if not cells:
            self._stage.mention(none)
        elif self.cursor in cells:
            self._put_mark(cells[(cells.index(self.cursor) + steps) % len(cells)])
        else:
            self._put_mark(cells[0 if steps > 0 else -1])

    def _put_mark(self, cell: Cell) -> None:
        self.cursor = cell
        self.is_on = True
        self._stage.hover(cell)
        self._stage.refresh_turn(())

    def drop(self) -> None:
        """Ends the choosing of a cell, if there is any, and shows the usual keys again."""
        if self.cursor is not None:
            self.cursor = None
            self.is_on = False
            self._stage.hover(None)
            self._stage.messages.new_turn()
            self._stage.show_keys(None)

    # -- journeys

    def travel_to(self, cell: Cell) -> None:
        """Walks to a cell, step by step in a worker, until something comes up or a key is pressed."""
        if self._is_possible:
            self._stage.run_worker(self._travel_to(cell, self._stage.visit), group="travel", exclusive=True)

    async def _travel_to(self, cell: Cell, visit: int) -> None:
        await self._seats.settle()
        start = self._session.state
        route = await self._route(self._journeys.route, start, cell)
        if not route or self._stage.visit != visit or self._session.state is not start:
            return
        if (watched := self._journeys.reason_to_stop(None, start)) and len(route) > 1:
            route = route[:1]
            self._stage.say(f"{watched} One step at a time.")
        if reason := await self._walk(route, visit, self._journeys.reason_to_stop):
            self._say_stopped(reason, "You stop.")

    def explore(self) -> None:
        """Walks from one nearest unseen part to the next, in a worker, until something comes up or a key is pressed."""
        self.drop()
        self._stage.run_worker(self._explore(self._stage.visit), group="travel", exclusive=True)

    async def _explore(self, visit: int) -> None:
        assert self._journeys.explore is not None
        watched = self._journeys.reason_to_stop(None, self._session.state)
        while self._stage.visit == visit and self._session.outcome is None:
            route = await self._route(self._journeys.explore, self._session.state)
            if not route:
                return
            if watched:
                self._stage.say(f"{watched} One step at a time.")
                await self._seats.play_step(route[0])
                return
            if reason := await self._walk(route, visit, self._journeys.reason_to_stop, is_last_step_free=False):
                self._say_stopped(reason, "You stop exploring.")
                return

    def wait(self) -> None:
        """Lets turns pass, in a worker, until something comes up or a key is pressed."""
        self.drop()
        self._stage.run_worker(self._wait(self._stage.visit), group="travel", exclusive=True)

    async def _wait(self, visit: int) -> None:
        assert self._journeys.wait is not None
        turns = await self._route(self._journeys.wait, self._session.state)
        reason_to_act = self._journeys.reason_to_act or self._journeys.reason_to_stop
        if reason := await self._walk(turns, visit, reason_to_act, is_last_step_free=False):
            self._say_stopped(reason, "You wait no longer.")

    async def _route(self, find: Callable[..., Sequence[Any] | str], *arguments: Any) -> Sequence[Any]:
        """The actions that a function of the game finds in a thread; none where none lead there, which is said."""
        route = await self._stage.in_thread(find, *arguments)
        if isinstance(route, str):
            self._stage.mention(route)
        return () if route is None or isinstance(route, str) else route

    async def _walk(
        self, route: Sequence[Any], visit: int, reason_to_stop: Callable[..., str], is_last_step_free: bool = True
    ) -> str:
        """Plays the actions until a key is pressed; returns the game's reason to stop early, empty if there is none."""
        for number, action in enumerate(route):
            if self._stage.visit != visit or self._session.outcome is not None:
                return ""
            before = self._session.state
            if not await self._seats.play_step(action):
                return ""
            reason = reason_to_stop(before, self._session.state)
            if reason and not (is_last_step_free and number + 1 == len(route)):
                return reason
            await asyncio.sleep(TRAVEL_PAUSE if self._stage.is_animated else 0)
        return ""

    def _say_stopped(self, reason: str, text: str) -> None:
        """Says the reason and the text in one message, in place of the last one if that said the reason alone."""
        self._stage.tell(Line(f"{reason} {text}", Meaning.FOE), reason)
