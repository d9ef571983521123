"""Choosing cells, and walking by itself: to a cell, or to what is unseen."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from textual import on, work
from textual.binding import Binding

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import TurnController
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.thinking_screen import ThinkingScreen
from dungeon_tui.ui.widgets.message_log import Line

TRAVEL_PAUSE = 0.03  # seconds a step


class TravelScreen(ThinkingScreen):
    """A map with a mark that can be moved, and journeys that any key ends."""

    BINDINGS = [
        Binding("enter", "confirm", show=False, id="choose.confirm"),
        Binding("tab", "next_place(1)", show=False, id="choose.next", priority=True),
        Binding("shift+tab", "next_place(-1)", show=False, id="choose.previous", priority=True),
    ]

    def __init__(self, view: GameView, controller: TurnController[Any, Any, Any]) -> None:
        super().__init__(view, controller)
        self._purpose = ""  # of the cursor: "travel" or "inspect"
        self._journey = 0  # raised by every key: whoever travels sees it and stops

    def interrupt(self) -> None:
        """Ends a journey."""
        self._journey += 1

    # -- choosing a cell

    def action_travel(self) -> None:
        """Chooses a cell to walk to."""
        self._choose("travel", "Where to? Move the mark, Tab: the next place, Enter: go, Esc: stay here.")

    def action_inspect(self) -> None:
        """Chooses a cell to read."""
        self._choose("inspect", "Inspecting: move the mark, Tab: the next place, Esc: back.")

    def action_confirm(self) -> None:
        """Takes the cell under the cursor."""
        cell = self.cursor
        if cell is None:
            return
        if self._purpose == "travel":
            self.drop_cursor()
            self.show_turn(())
            self.travel_to(cell)
        else:
            self.say(self.view.cell_text(self.controller.state, cell))

    def action_next_place(self, steps: int) -> None:
        """Moves the cursor to the next place of interest."""
        if self.cursor is None:
            return
        cells = [cell for _, cell in self.view.places(self.controller.state)]
        if not cells:
            self.mention("There is nothing of note on this map.")
            return
        at = cells.index(self.cursor) if self.cursor in cells else (-1 if steps > 0 else 0)
        self.put_cursor(cells[(at + steps) % len(cells)])

    def _choose(self, purpose: str, text: str) -> None:
        self.interrupt()
        self._purpose = purpose
        self.messages.new_turn()
        self.mention(text)
        go = "Go" if purpose == "travel" else "Say what it is"
        self.key_bar.show([("Enter", go, "confirm"), ("Tab", "Next place", "next_place(1)"), ("Esc", "Back", "leave")])
        self.put_cursor(self.cursor or self.view.focus_cell(self.controller.state))

    def put_cursor(self, cell: Cell) -> None:
        """Marks a cell."""
        self.cursor = cell
        self.hover(cell)
        self.show_turn(())

    def drop_cursor(self) -> None:
        """Ends the choosing."""
        if self.cursor is not None:
            self.cursor = None
            self.hover(None)
            self.messages.new_turn()
            self.key_bar.show(self.footer())

    def jump_to_glyph(self, glyph: str) -> bool:
        """Marks the next place that shows this glyph; False where there is none."""
        cells = [cell for place, cell in self.view.places(self.controller.state) if place == glyph]
        if cells:
            at = cells.index(self.cursor) if self.cursor in cells else -1
            self.put_cursor(cells[(at + 1) % len(cells)])
        return bool(cells)

    # -- journeys

    @on(MapView.CellClicked)
    def _clicked(self, message: MapView.CellClicked) -> None:
        self.interrupt()
        self.drop_cursor()
        if self.controller.outcome is None:
            self.click(message.cell)

    def click(self, cell: Cell) -> None:
        """Walks to the cell that was clicked."""
        self.travel_to(cell)

    @work(exclusive=True, group="travel")
    async def travel_to(self, cell: Cell) -> None:
        """Walks to a cell, step by step, until something comes up."""
        journey = self._journey
        await self.settle()
        start = self.controller.state
        route = await self.in_thread(self.view.route, start, cell)
        if route is None or self._journey != journey or self.controller.state is not start:
            return
        if isinstance(route, str):
            self.mention(route)
            return
        if (watched := self.view.reason_to_stop(None, start)) and len(route) > 1:
            route = route[:1]
            self.say(f"{watched} One step at a time.")
        if reason := await self._walk(route, journey):
            self._say_stopped(reason, "You stop.")

    @work(exclusive=True, group="travel")
    async def action_explore(self) -> None:
        """Walks to the nearest cell with something unseen beside it, and on, until something comes up."""
        self.interrupt()
        self.drop_cursor()
        journey = self._journey
        if reason := self.view.reason_to_stop(None, self.controller.state):
            self.say(f"{reason} Not the time to explore.", Meaning.FOE)
            return
        while self._journey == journey and self.controller.outcome is None:
            route = await self.in_thread(self.view.explore, self.controller.state)
            if route is None:
                return
            if isinstance(route, str):
                self.mention(route)
                return
            if reason := await self._walk(route, journey, is_last_step_free=False):
                self._say_stopped(reason, "You stop exploring.")
                return

    async def settle(self) -> None:
        """Waits until whoever is about to move has moved."""

    async def make_move(self, action: Any) -> bool:
        """Plays one step of a journey; False: it ends with that."""
        self.controller.apply(action)
        return True

    def _say_stopped(self, reason: str, what: str) -> None:
        """One message, where the turn's own was the reason already."""
        self.tell(Line(self.glyphs.plain(f"{reason} {what}"), Meaning.FOE), self.glyphs.plain(reason))

    async def _walk(self, route: Sequence[Any], journey: int, is_last_step_free: bool = True) -> str:
        """Plays the actions while the journey lasts; why it ended early, or nothing."""
        for number, action in enumerate(route):
            if self._journey != journey or self.controller.outcome is not None:
                return ""
            before = self.controller.state
            if not await self.make_move(action):
                return ""
            reason = self.view.reason_to_stop(before, self.controller.state)
            if reason and not (is_last_step_free and number + 1 == len(route)):
                return reason
            await asyncio.sleep(TRAVEL_PAUSE if self.app.animation_level != "none" else 0)
        return ""
