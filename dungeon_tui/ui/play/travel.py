"""Choosing cells, and walking by itself: to a cell, or to the nearest unseen one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.ui.keys import LOOKING, MOVES, Command, Key
from dungeon_tui.ui.map.source import CellLayer
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import Journeys
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.seats import Seats
from dungeon_tui.ui.widgets.message_log import Line

TRAVEL_PAUSE = 0.03  # seconds a step

_TRAVEL = Key("travel", "g", "g", "Travel", "choose a cell and walk there; a click does the same", MOVES, 5)
_EXPLORE = Key("explore", "z", "z", "Explore", "walk to the unseen until something comes up", MOVES, 6)
_INSPECT = Key("inspect", "i", "i", "Inspect", "choose a cell and read what it is", LOOKING)


class Travel(Part):
    """A mark that chooses a cell, and journeys that any key ends. It is on while a cell is chosen."""

    def __init__(self, stage: Stage, journeys: Journeys, seats: Seats) -> None:
        self._stage = stage
        self._journeys = journeys
        self._seats = seats
        self.cursor: Cell | None = None
        self._is_travelling = False  # the purpose of the cursor: to go there, or to read of it

    def commands(self) -> Sequence[Command]:
        """g, i, and z where the game has something to explore."""
        explore = [Command(_EXPLORE, self.explore)] if self._journeys.explore is not None else []
        return [Command(_TRAVEL, self.choose_goal), *explore, Command(_INSPECT, self.inspect)]

    def show(self, scene: Scene) -> None:
        """The mark, above all else."""
        if self.cursor is not None:
            layer = CellLayer()
            layer.mark(self.cursor, None, None, Tint.CURSOR)
            scene.layers.append(layer)
            scene.focus = self.cursor

    # -- choosing a cell

    def choose_goal(self) -> None:
        """Chooses a cell to walk to."""
        self._choose(True, "Where to? Move the mark, Tab: the next place, Enter: go, Esc: stay here.")

    def inspect(self) -> None:
        """Chooses a cell to read."""
        self._choose(False, "Inspecting: move the mark, Tab: the next place, Esc: back.")

    def _choose(self, is_travelling: bool, text: str) -> None:
        self._is_travelling = is_travelling
        self._stage.new_turn_of_messages()
        self._stage.mention(text)
        go = "Go" if is_travelling else "Say what it is"
        self._stage.show_keys(
            [("Enter", go, "confirm"), ("Tab", "Next place", "next_place(1)"), ("Esc", "Back", "command('leave')")]
        )
        self._put(self.cursor or self._stage.view.focus_cell(self._stage.session.state))

    def confirm(self) -> None:
        """Goes to the chosen cell, or says what it is."""
        cell = self.cursor
        if cell is None:
            return
        if self._is_travelling:
            self.drop()
            self._stage.refresh_turn(())
            self.travel_to(cell)
        else:
            self._stage.say(self._stage.view.cell_text(self._stage.session.state, cell))

    def move_cursor(self, direction: Direction) -> None:
        """Moves the mark by one cell, within the map."""
        source = self._stage.view.picture(self._stage.session.state)
        if self.cursor is not None and (cell := self.cursor.neighbour(direction)).is_inside(
            source.height, source.width
        ):
            self._put(cell)

    def next_place(self, steps: int) -> None:
        """Moves the mark to the next place of interest."""
        if self.cursor is None:
            return
        cells = [cell for _, cell in self._journeys.places(self._stage.session.state)]
        if not cells:
            self._stage.mention("There is nothing of note on this map.")
            return
        at = cells.index(self.cursor) if self.cursor in cells else (-1 if steps > 0 else 0)
        self._put(cells[(at + steps) % len(cells)])

    def jump_to(self, glyph: str) -> None:
        """Marks the next place that shows this glyph."""
        cells = [cell for place, cell in self._journeys.places(self._stage.session.state) if place == glyph]
        if cells:
            at = cells.index(self.cursor) if self.cursor in cells else -1
            self._put(cells[(at + 1) % len(cells)])
        else:
            self._stage.mention(f"You know of no {glyph} on this map.")

    def _put(self, cell: Cell) -> None:
        self.cursor = cell
        self.is_on = True
        self._stage.hover(cell)
        self._stage.refresh_turn(())

    def drop(self) -> None:
        """Ends the choosing."""
        if self.cursor is not None:
            self.cursor = None
            self.is_on = False
            self._stage.hover(None)
            self._stage.new_turn_of_messages()
            self._stage.show_keys(None)

    # -- journeys

    def travel_to(self, cell: Cell) -> None:
        """Walks to a cell, step by step, until something comes up."""
        self._stage.run_worker(self._travel_to(cell, self._stage.visit), group="travel", exclusive=True)

    async def _travel_to(self, cell: Cell, visit: int) -> None:
        session = self._stage.session
        await self._seats.settle()
        start = session.state
        route = await self._stage.in_thread(self._journeys.route, start, cell)
        if route is None or self._stage.visit != visit or session.state is not start:
            return
        if isinstance(route, str):
            self._stage.mention(route)
            return
        if (watched := self._journeys.reason_to_stop(None, start)) and len(route) > 1:
            route = route[:1]
            self._stage.say(f"{watched} One step at a time.")
        if reason := await self._walk(route, visit):
            self._say_stopped(reason, "You stop.")

    def explore(self) -> None:
        """Walks to the nearest cell with something unseen beside it, and on, until something comes up."""
        self.drop()
        if reason := self._journeys.reason_to_stop(None, self._stage.session.state):
            self._stage.say(f"{reason} Not the time to explore.", Meaning.FOE)
        else:
            self._stage.run_worker(self._explore(self._stage.visit), group="travel", exclusive=True)

    async def _explore(self, visit: int) -> None:
        assert self._journeys.explore is not None
        session = self._stage.session
        while self._stage.visit == visit and session.outcome is None:
            route = await self._stage.in_thread(self._journeys.explore, session.state)
            if route is None:
                return
            if isinstance(route, str):
                self._stage.mention(route)
                return
            if reason := await self._walk(route, visit, is_last_step_free=False):
                self._say_stopped(reason, "You stop exploring.")
                return

    async def _walk(self, route: Sequence[Any], visit: int, is_last_step_free: bool = True) -> str:
        """Plays the actions while no key is pressed; returns the reason why it ended early, or nothing."""
        session = self._stage.session
        for number, action in enumerate(route):
            if self._stage.visit != visit or session.outcome is not None:
                return ""
            before = session.state
            if not await self._seats.play_step(action):
                return ""
            reason = self._journeys.reason_to_stop(before, session.state)
            if reason and not (is_last_step_free and number + 1 == len(route)):
                return reason
            await asyncio.sleep(TRAVEL_PAUSE if self._stage.is_animated else 0)
        return ""

    def _say_stopped(self, reason: str, text: str) -> None:
        """Says why in one message, in the place of the turn's own where that was the reason already."""
        self._stage.tell(Line(f"{reason} {text}", Meaning.FOE), reason)
