"""The screen of every game: keys become actions, turns become rows, facts and messages. It decides nothing."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any

from textual import events, on, work
from textual.binding import Binding

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.turns import Change, ChangeKind, Turn, TurnController
from dungeon_tui.ui.dialogs import Answer, ChoiceDialog
from dungeon_tui.ui.game_view import GameView
from dungeon_tui.ui.keys import DIAGONAL_KEYS, keys_for
from dungeon_tui.ui.map_screen import MapScreen
from dungeon_tui.ui.map_view import MapView
from dungeon_tui.ui.palette import Meaning

TRAVEL_PAUSE = 0.03  # seconds a step
FLASH_TIME = 0.5  # seconds

CHOOSING = (
    Binding("enter", "confirm", show=False, id="choose.confirm"),
    Binding("tab", "next_place(1)", show=False, id="choose.next", priority=True),
    Binding("shift+tab", "next_place(-1)", show=False, id="choose.previous", priority=True),
)


class PlayScreen(MapScreen):
    """Plays a game by keys and mouse."""

    BINDINGS = [*(key.binding() for key in keys_for(eight_ways=False)), *CHOOSING]

    def __init__(self, view: GameView, controller: TurnController[Any, Any, Any]) -> None:
        super().__init__(view, controller)
        self._began = monotonic()
        self._purpose = ""  # of the cursor: "travel" or "inspect"
        self._journey = 0  # raised by every key: whoever travels sees it and stops

    def on_mount(self) -> None:
        """Listens to the controller; the base's own on_mount runs as well, by Textual's custom."""
        self.controller.observe(self._on_change)

    def interrupt(self) -> None:
        """Ends a journey."""
        self._journey += 1

    # -- turns

    def _on_change(self, change: Change[Any, Any]) -> None:
        before, after = change.before.state, change.after.state
        self.messages.new_turn()
        if change.kind in (ChangeKind.APPLIED, ChangeKind.REDONE):
            for line in self.view.story(change.after):
                self.messages.say(line)
            self._start_flash(change.after)
        elif change.kind is ChangeKind.UNDONE:
            self.say(f"Taken back: {change.after.ply} {'move' if change.after.ply == 1 else 'moves'} so far.")
        else:
            self.say("Back at the start of the level.")
        self.show_turn(self.view.changed_rows(before, after))
        outcome = self.controller.outcome
        if change.kind is ChangeKind.APPLIED and outcome is not None:
            self._show_ending(outcome)

    def _start_flash(self, turn: Turn[Any, Any]) -> None:
        if self.app.animation_level != "none" and (flash := self.view.flash_layer(turn)) is not None:
            self.flash = flash
            self.set_timer(FLASH_TIME, self._end_flash)

    def _end_flash(self) -> None:
        self.flash = None
        self.show_turn(())

    def _apply(self, action: Any) -> None:
        if self.controller.outcome is not None:
            self.say("The game is over: undo, restart or leave.")
        else:
            self.controller.apply(action)

    # -- actions, by the table of keys

    def action_move(self, name: str) -> None:
        """A step, or the cursor's."""
        self.interrupt()
        direction = Direction[name]
        if self.cursor is None:
            self._apply(self.view.action_towards(direction))
            return
        source = self.view.picture(self.controller.state)
        cell = self.cursor.neighbour(direction)
        if cell.is_inside(source.height, source.width):
            self._put_cursor(cell)

    def action_stay(self) -> None:
        """A turn without a step."""
        self.interrupt()
        if self.cursor is None:
            self._apply(self.view.action_towards(None))

    def action_undo(self) -> None:
        """Takes a turn back."""
        self.interrupt()
        self._drop_cursor()
        if not self.controller.undo():
            self.say("This is the start: nothing to take back.")

    def action_redo(self) -> None:
        """Plays a turn again that was taken back."""
        self.interrupt()
        self._drop_cursor()
        if not self.controller.redo():
            self.say("Nothing was taken back.")

    def action_restart(self) -> None:
        """Back to the start of the level; undo is no use here, but redo is."""
        self.interrupt()
        self._drop_cursor()
        if not self.controller.restart():
            self.say("This is the start of the level.")

    @work
    async def action_leave(self) -> None:
        """Leaves the cursor, or the game; asks when moves would be lost."""
        self.interrupt()
        if self.cursor is not None:
            self._drop_cursor()
            self.show_turn(())
            return
        moves = self.controller.turn.ply
        is_kept = getattr(self.app, "is_recording", False)
        if moves and self.controller.outcome is None and not is_kept:
            question = ChoiceDialog(
                "Leave the game?",
                f"{moves} {'move' if moves == 1 else 'moves'} would be lost.",
                [Answer("y", "Leave", "leave"), Answer("n", "Stay", "stay")],
            )
            if await self.app.push_screen_wait(question) != "leave":
                return
        self._leave()

    def _leave(self) -> None:
        self.dismiss()

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
            self._drop_cursor()
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
            self.say("There is nothing of note on this map.")
            return
        at = cells.index(self.cursor) if self.cursor in cells else (-1 if steps > 0 else 0)
        self._put_cursor(cells[(at + steps) % len(cells)])

    def _choose(self, purpose: str, text: str) -> None:
        self.interrupt()
        self._purpose = purpose
        self.messages.new_turn()
        self.say(text)
        self._put_cursor(self.cursor or self.view.focus_cell(self.controller.state))

    def _put_cursor(self, cell: Cell) -> None:
        self.cursor = cell
        self.hover(cell)
        self.show_turn(())

    def _drop_cursor(self) -> None:
        if self.cursor is not None:
            self.cursor = None
            self.hover(None)

    # -- travel

    @on(MapView.CellClicked)
    def _clicked(self, message: MapView.CellClicked) -> None:
        self.interrupt()
        self._drop_cursor()
        if self.controller.outcome is None:
            self.travel_to(message.cell)

    @work(exclusive=True, group="travel")
    async def travel_to(self, cell: Cell) -> None:
        """Walks to a cell, step by step, until something comes up."""
        journey = self._journey
        start = self.controller.state
        route = await asyncio.to_thread(self.view.route, start, cell)
        if self._journey != journey or self.controller.state is not start:
            return
        if isinstance(route, str):
            self.say(route)
            return
        if self.view.reason_to_stop(None, start) and len(route) > 1:
            route = route[:1]
            self.say(f"{self.view.reason_to_stop(None, start)} One step at a time.")
        for number, action in enumerate(route):
            if self._journey != journey or self.controller.outcome is not None:
                return
            before = self.controller.state
            after = self.controller.apply(action).state
            reason = self.view.reason_to_stop(before, after)
            if reason and number + 1 < len(route):
                self.say(f"{reason} You stop.", Meaning.FOE)
                return
            await asyncio.sleep(TRAVEL_PAUSE if self.app.animation_level != "none" else 0)

    def on_key(self, event: events.Key) -> None:
        """A key without a meaning, or a place's glyph while a cell is chosen."""
        if event.key in DIAGONAL_KEYS and event.key not in self.active_bindings:
            self.messages.new_turn()
            self.say("There are no diagonal moves in this game.")
            return
        if event.character is None or not event.is_printable:
            return
        if self.cursor is not None:
            cells = [cell for glyph, cell in self.view.places(self.controller.state) if glyph == event.character]
            if cells:
                at = cells.index(self.cursor) if self.cursor in cells else -1
                self._put_cursor(cells[(at + 1) % len(cells)])
                return
        if event.key not in self.active_bindings:
            self.messages.new_turn()
            self.say(f"'{event.character}' does nothing here; ? lists the keys.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a cell is chosen, ? and ! are places to go, not help."""
        if action == "help" and self.cursor is not None:
            return False
        if action in ("next_place", "confirm"):
            return self.cursor is not None
        return True

    # -- the end

    @work
    async def _show_ending(self, outcome: Outcome) -> None:
        title, text = self.view.ending(self.controller.state, outcome, monotonic() - self._began)
        answers = [Answer("u", "Undo", "undo"), Answer("r", "Restart", "restart"), Answer("q", "Leave", "leave")]
        if outcome.is_win:
            answers.reverse()
        match await self.app.push_screen_wait(ChoiceDialog(title, self.glyphs.plain(text), answers)):
            case "undo":
                self.action_undo()
            case "restart":
                self.action_restart()
            case _:
                self._leave()
