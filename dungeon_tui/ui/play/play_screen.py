"""The screen of every game: keys become actions, turns become rows, facts and messages. It decides nothing."""

from __future__ import annotations

from functools import partial
from typing import Any

from textual import events, work
from textual.actions import parse
from textual.timer import Timer

from dungeon_tui.core.grid import Direction
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.core.turns import Change, ChangeKind, Turn, TurnController
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.keys import DIAGONAL_KEYS, KEYS
from dungeon_tui.ui.play.leaving_screen import LeavingScreen
from dungeon_tui.ui.widgets.dialogs import LineDialog

FLASH_TIME = 0.5  # seconds
_ACTION_OF_KEY = {key: parse(key.action)[1:] for key in KEYS}


class PlayScreen(LeavingScreen):
    """Plays a game by keys and mouse. Its result: the name of the file that the game was saved to, if it was."""

    BINDINGS = [key.binding() for key in KEYS]

    def __init__(self, view: GameView, controller: TurnController[Any, Any, Any], **options: Any) -> None:
        """What there is to play.

        Args:
            view: how the game looks.
            controller: the game.
            options: what the screens below take: `players` by seat; the `replay`, of a recording.
        """
        super().__init__(view, controller, **options)
        self._flash_timer: Timer | None = None
        used = {key.id for key in self.keys}
        self._unused = {_ACTION_OF_KEY[key] for key in KEYS if key.id not in used}

    def on_mount(self) -> None:
        """Listens to the controller; the base's own on_mount runs as well, by Textual's custom."""
        self.controller.observe(self._on_change)

    def on_unmount(self) -> None:
        """Ends what the view has started."""
        self.view.close()

    # -- turns

    def _on_change(self, change: Change[Any, Any]) -> None:
        before, after = change.before.state, change.after.state
        if self.cursor is None:
            self.hover(None)  # what was read of a cell may no longer hold
        self.messages.new_turn()
        told: list[str] = []
        if change.kind in (ChangeKind.APPLIED, ChangeKind.REDONE):
            for line in self.view.story(change.after):
                self.tell(line)
                told.append(line.text)
            self._start_flash(change.after)
        elif self.is_looking_back:
            self.tell_place()
        elif change.kind is ChangeKind.UNDONE:
            self.say(f"Taken back: {counted(change.after.ply, 'move')} so far.")
        elif change.kind is ChangeKind.RESTARTED:
            self.say("Back at the start of the level.")
        self.show_turn(self.view.changed_rows(before, after))
        self.watch_outlook()
        outcome = self.controller.outcome
        if change.kind in (ChangeKind.APPLIED, ChangeKind.REDONE) and outcome is not None:
            if not self.is_looking_back and self.has_person:
                self.show_ending(outcome)
            elif outcome.reason not in told:
                self.say(f"The end: {outcome.reason}")

    def _start_flash(self, turn: Turn[Any, Any]) -> None:
        if self.app.animation_level != "none" and (flash := self.view.flash_layer(turn)) is not None:
            self.flash = flash
            if self._flash_timer is not None:
                self._flash_timer.stop()
            self._flash_timer = self.set_timer(FLASH_TIME, self._end_flash)

    def _end_flash(self) -> None:
        self.flash = None
        self.show_turn(())

    def _apply(self, action: Any) -> None:
        if self.controller.outcome is not None:
            self.mention("The game is over: undo, restart or leave.")
            return
        if not self.take_turn(action):
            return
        try:
            self.play(action)
        except IllegalActionError as error:
            self.messages.new_turn()
            self.say(sentence(str(error)))
            return
        self.has_moved = True
        self.answer()

    # -- actions, by the table of keys

    def action_move(self, name: str) -> None:
        """A step, or the cursor's."""
        self.interrupt()
        direction = Direction[name]
        if self.cursor is None:
            self._go(direction)
            return
        source = self.view.picture(self.controller.state)
        cell = self.cursor.neighbour(direction)
        if cell.is_inside(source.height, source.width):
            self.put_cursor(cell)

    def action_stay(self) -> None:
        """A turn without a step."""
        self.interrupt()
        if self.cursor is None:
            self._go(None)

    def _go(self, direction: Direction | None) -> None:
        """A step, or staying; where a question comes first, that."""
        if self.is_answering:
            self.wait_for_turn(partial(self._go, direction))
            return
        state = self.controller.state
        if first := self.view.first_question(state):
            self.action_ask(first)
            return
        try:
            action = self.view.action_towards(state, direction)
        except IllegalActionError as error:
            self.messages.new_turn()
            self.say(sentence(str(error)))
        else:
            self._apply(action)

    @work(exclusive=True, group="question")
    async def action_ask(self, name: str) -> None:
        """Asks for a number or a text, and does what the answer says."""
        self.interrupt()
        self.drop_cursor()
        state = self.controller.state
        question = self.view.question(state, name)
        if isinstance(question, str):
            self.mention(question)
            return
        answer = partial(self.view.answer, state, name)
        typed = await self.app.push_screen_wait(
            LineDialog(question.title, question.text, question.placeholder, check=answer)
        )
        if typed is not None and self.controller.state is state:
            self._apply(answer(typed))

    def action_confirm(self) -> None:
        """Takes the cell under the cursor; without one, asks what comes before any move."""
        if self.cursor is not None:
            super().action_confirm()
        elif first := self.view.first_question(self.controller.state):
            self.action_ask(first)

    def action_special(self, name: str) -> None:
        """An action that is no move: the stairs."""
        self.interrupt()
        self._apply(self.view.action_named(name))

    def action_fog(self) -> None:
        """Shows only what was seen, or all."""
        self.interrupt()
        self.view.is_foggy = not self.view.is_foggy
        self.forget_layers()
        self.say("Fog of war: you see what you have seen." if self.view.is_foggy else "No fog: you see all.")
        self.show_turn()

    def action_switch(self, name: str) -> None:
        """Turns something of the game's own to its next value."""
        self.interrupt()
        self.drop_cursor()
        self.say(self.view.switch(name, self.controller.state))
        self.forget_layers()
        self.judge_anew()
        self.watch_outlook()
        self.show_turn()

    # -- keys that mean nothing

    def on_key(self, event: events.Key) -> None:
        """Any key ends a journey; then: one without a meaning, or a place's glyph while a cell is chosen."""
        self.interrupt()
        if event.key in self.active_bindings:
            return
        if event.key in DIAGONAL_KEYS:
            self.mention("There are no diagonal moves in this game.")
        elif event.character is not None and event.is_printable:
            if self.cursor is not None and self.jump_to_glyph(event.character):
                return
            if self.cursor is not None:
                self.mention(f"You know of no {event.character} on this map.")
            else:
                self.mention(f"'{event.character}' does nothing here; ? lists the keys.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys of other games mean nothing; while a cell is chosen, ? < > are places to go."""
        if (action, parameters) in self._unused:
            return False
        if action in ("help", "special") and self.cursor is not None:
            return False
        if action == "confirm":
            return self.cursor is not None or bool(self.view.first_question(self.controller.state))
        if action == "next_place":
            return self.cursor is not None
        return True

    # -- other screens

    def action_page(self, name: str) -> None:
        """Opens a screen of the game's own."""
        self.interrupt()
        self.drop_cursor()
        self.pause()
        self.app.push_screen(self.view.page(name, self.controller.state))
