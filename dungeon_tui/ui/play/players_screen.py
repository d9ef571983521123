"""Playing by turns: a person by keys, strategies by themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Lock
from typing import Any

from textual import work

from dungeon_tui.core.catalogue import YOU
from dungeon_tui.core.level import printable
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import sentence
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.seats_screen import SeatsScreen
from dungeon_tui.ui.widgets.players_dialog import PlayersDialog

REPLY_PAUSE = 0.15  # seconds
_GLANCE = 0.01  # seconds after which a journey looks whether it is the person's turn


class PlayersScreen(SeatsScreen):
    """A game in which strategies make their moves, and a person theirs."""

    def __init__(self, view: GameView, controller: TurnController[Any, Any, Any], **options: Any) -> None:
        super().__init__(view, controller, **options)
        self.has_moved = False  # a person has made a move of their own
        self.is_answering = False  # a strategy thinks over its answer to a person's move
        self._waiting: Callable[[], None] | None = None  # a person's move that came too early
        self._thinking = Lock()  # held by the thread that asks a strategy
        self._asked = 0  # how often one was asked

    def on_mount(self) -> None:
        """Begins once the first turn is painted."""
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        if self.replay is not None:
            what = f"A recording of {printable(self.replay.title)}" if self.replay.title else "A recording"
            self.mention(f"{what}: p plays it, [ ] step, T goes to a turn; your own move takes over.")
            self.tell_trouble()
        elif not self.has_person:
            self.mention("They play by themselves: p pauses, [ ] step, , and ; change the speed, m: who plays.")
            self.play_on()
        else:
            if self.players:
                self.say(f"{self.who()} m: who plays.")
            self.answer()

    # -- who plays

    @work
    async def action_players(self) -> None:
        """Asks who plays."""
        self.interrupt()
        self.drop_cursor()
        chosen = await self.app.push_screen_wait(PlayersDialog(self.view.SEATS, self.players, self.glyphs))
        if chosen is None:
            return
        self.leave_aside()
        self.pause()
        self.is_looking_back = False
        self.take_seats(chosen)
        self.say(self.who())
        if self.has_person:
            self.answer()
        else:
            self.play_on()

    # -- a person's move

    def take_turn(self, action: Any) -> bool:
        """Before a person's move: playing ends, and the seat is the person's from here on, if the move is legal.

        False where a strategy is about to move by itself.
        """
        if self.is_answering:
            self.mention(f"The {self.view.seat(self.controller.state)} is about to move.")
            return False
        turn = self.controller.turn
        is_taken = self.player(turn) != YOU
        if not (is_taken or self.is_looking_back):
            return True
        self.pause()
        try:
            self.controller.rules.step(turn.state, action)
        except IllegalActionError:  # it is said where it is played
            return True
        self.keep_aside()
        self.is_looking_back = False
        way_back = " J: back to the recording." if self.is_replay else ""
        if is_taken:
            seat = self.view.seat(turn.state)
            self.take_seats({**self.players, seat: YOU})
            self.say(f"You play the {seat} from turn {turn.ply} on. m: who plays.{way_back}")
        elif self.is_replay:
            self.say(f"You play on from turn {turn.ply}.{way_back}")
        return True

    def play(self, action: Any) -> None:
        """Plays a move of one of the present players. Raises IllegalActionError."""
        before = self.controller.turn
        self.controller.apply(action)
        if self.new_at is before:
            self.new_at = self.controller.turn

    async def make_move(self, action: Any) -> bool:
        """One step of a journey, and what the others answer; False: it ends with that."""
        if not self.take_turn(action):
            return False
        seat = self.view.seat(self.controller.state)
        try:
            self.play(action)
        except IllegalActionError as error:
            self.say(sentence(str(error)))
            return False
        self.has_moved = True
        self.answer()
        await self.settle()
        return not self.is_strategys_turn and self.view.seat(self.controller.state) == seat

    async def settle(self) -> None:
        """Waits until whoever is about to move has moved."""
        while self.is_answering:
            await asyncio.sleep(_GLANCE)

    # -- strategies

    def answer(self) -> None:
        """Lets strategies move until it is a person's turn again."""
        if not self.is_looking_back and self.has_person and self.is_strategys_turn:
            self.is_answering = True
            self._answer()

    @work(exclusive=True, group="play")
    async def _answer(self) -> None:
        while self.is_strategys_turn:
            await asyncio.sleep(REPLY_PAUSE if self.app.animation_level != "none" else 0)
            if not await self._let_choose():
                break
        self.is_answering = False
        self.call_next(self._play_waiting)

    def wait_for_turn(self, move: Callable[[], None]) -> None:
        """Keeps one move until the answer is there: keys that are held down come early."""
        self._waiting = move

    def _play_waiting(self) -> None:
        move, self._waiting = self._waiting, None
        if move is not None and not self.is_strategys_turn and self.controller.outcome is None:
            move()

    def interrupt(self) -> None:
        """A key was pressed: the move that waits is forgotten, too."""
        super().interrupt()
        self._waiting = None

    async def _let_choose(self) -> bool:
        """A strategy's move, computed in a thread; False where the turn has changed meanwhile, or there is no move."""
        turn = self.controller.turn
        self._asked += 1
        action = await self.in_thread(self._ask_strategy, turn.state, self.player(turn), self._asked)
        if action is None or self.controller.turn is not turn:
            return False
        try:
            self.play(action)
        except IllegalActionError as error:
            self.say(sentence(str(error)), Meaning.FOE)
            return False
        return True

    def _ask_strategy(self, state: Any, player: str, number: int) -> Any:
        """A strategy's move, once whoever was asked before has answered, in vain or not; None: it is no longer wanted.

        In a thread.
        """
        with self._thinking:
            return self.view.choose(state, player) if number == self._asked else None

    # -- moving along the turns

    def pause(self) -> None:
        """Whoever plays by itself stops, or thinks in vain."""
        super().pause()
        self.is_answering = False
        self._waiting = None

    async def advance(self) -> bool:
        """Plays the next turn of the line; at its end, or where new players sit, a strategy moves."""
        if self.follow():
            return True
        if self.is_strategys_turn:
            return await self._let_choose()
        if self.is_ahead:
            self.mention("The next move is yours. What others played from here on: ctrl+y.")
            return False
        is_mine = bool(self.players) and self.controller.outcome is None
        self.mention("This is the last turn: the next move is yours." if is_mine else "This is the last turn.")
        return False

    def leave_aside(self) -> bool:
        """Back to the line; a strategy that was about to answer there does."""
        has_left = super().leave_aside()
        if has_left:
            self.answer()
        return has_left

    def redo_turns(self) -> bool:
        """Goes forward to a person's next decision, or to the last turn; False where nothing was taken back."""
        has_moved = False
        while self.controller.redo():
            has_moved = True
            if not self.persons or self.player(self.controller.turn) == YOU:
                break
        return has_moved

    def action_undo(self) -> None:
        """Takes back what was done since a person's last decision."""
        self.interrupt()
        self.drop_cursor()
        self.pause()
        if not self.leave_aside() and not self.controller.undo(self.turns_to_undo()):
            self.mention("This is the start: nothing to take back.")

    def action_redo(self) -> None:
        """Plays again what was taken back, up to a person's next decision."""
        self.interrupt()
        self.drop_cursor()
        self.pause()
        if not self.redo_turns():
            self.mention("Nothing was taken back.")
        self.answer()

    def action_restart(self) -> None:
        """Back to the start of the level; undo is no use here, but redo is."""
        self.interrupt()
        self.drop_cursor()
        self.leave_aside()
        self.pause()
        self.is_looking_back = self.is_replay
        if not self.controller.restart():
            self.mention("This is the start of the level.")
        self.answer()
