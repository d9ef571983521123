"""Players: strategies, people who take a seat, and automatic play."""

import asyncio
from collections.abc import Sequence
from functools import partial
from threading import Lock
from typing import Any

from dungeon_tui.core.catalogue import YOU
from dungeon_tui.core.options import Choice
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.ui.keys import TURNS, Command, Key
from dungeon_tui.ui.play.features import Strategies
from dungeon_tui.ui.play.overlay import SPEEDS, pace_in
from dungeon_tui.ui.play.part import Part, Stage
from dungeon_tui.ui.widgets.form_dialog import FormDialog

REPLY_PAUSE = 0.15  # seconds before a strategy answers
POLL_INTERVAL_S = 0.01  # while a journey waits for the person's turn
LAST_TURN = "No later move was made."
UNDONE = "The next move is yours. {redo} replays what came next."
DIALOG_POLL_INTERVAL_S = 0.1  # while automatic play waits for a dialog to close

_PLAYERS = Key("players", "m", "Players", "choose who plays: you or a strategy", TURNS, 9)


class Seats(Part):
    """Lets strategies move and takes people's moves. A game without seats is played by one person."""

    def __init__(self, stage: Stage, strategies: Strategies | None) -> None:
        super().__init__(stage)
        self._strategies = strategies
        self.is_answering = False  # a strategy is choosing its answer
        self.is_playing = False  # automatic play
        self.pace = pace_in(stage.preferences.settings)  # index into SPEEDS
        self._waiting: list[partial[None]] = []  # moves for the turns after the answer
        self._thinking = Lock()  # held while a strategy chooses
        self._requests = 0  # number of requests to strategies
        self._show_players()

    def commands(self) -> Sequence[Command]:
        return [Command(_PLAYERS, self.choose_players)] if self._strategies is not None else []

    def _show_players(self) -> None:
        self._view.persons, self._view.players = self._session.persons, self._session.players

    def who(self) -> str:
        """The players by seat, in words; empty in games without seats, and if the level fixes them."""
        is_fixed = self._strategies is not None and self._strategies.is_fixed(self._session.state)
        players = {} if is_fixed else self._session.players
        return " ".join(f"{seat.capitalize()}: {self._title(player)}." for seat, player in players.items())

    def _title(self, player: str) -> str:
        return self._view.game.player_titles.get(player, player)

    def open(self) -> None:
        """Lets moves wait until `begin` if a strategy moves first: keys come before."""
        session = self._session
        self.is_answering = session.is_strategys_turn and session.has_person and not session.is_looking_back

    def begin(self) -> None:
        self.is_answering = False
        if not self._session.has_person:
            keys = "{play} pauses, {step.back} {step.on} step, {previous} {next} change the speed"
            self._say(f"The strategies play: {keys}; {{players}} changes the players.", transient=True)
            self.play_on()
        elif self._session.players:
            if who := self.who():
                named = "" if self._stage.has_panel else f"{who} "  # the panel names them
                self._say(f"{named}{{players}} changes the players.")
            self.answer()

    # -- who plays

    async def choose_players(self) -> None:
        assert self._strategies is not None
        self._stage.end_choosing()
        seats, players = self._strategies.seats.strategies, self._session.players
        offered = {seat: list(dict.fromkeys((YOU, *others, players[seat]))) for seat, others in seats.items()}
        fields = [
            Choice(seat.capitalize(), tuple((self._title(each), each) for each in all_of))
            for seat, all_of in offered.items()
        ]
        present = [self._title(players[seat]) for seat in seats]
        question = FormDialog("Who plays?", fields, present, self._stage.glyphs)
        answer = await self._stage.app.push_screen_wait(question)
        if answer is None:
            return
        chosen = {seat: field.arguments(title) for seat, field, title in zip(seats, fields, answer, strict=True)}
        self.leave_variation()
        self.stop()
        self._session.is_looking_back = False
        before, outcome = {*self._session.persons}, self._session.outcome
        goal = self._view.facts(self._session.turn).goal
        is_over = self._session.has_ended or (outcome is not None and not self._session.is_replay)
        has_changed = self._session.take_seats(chosen)
        if not has_changed:
            self._stage.refresh_turn()
        elif before.issuperset(self._session.persons) and not is_over:
            self.players_changed()
        else:  # a finished game is over, and a new person's goal and moves count from the start
            self._show_players()
            self._stage.forget_advice()
            if not self._session.restart():
                self._stage.messages.clear()  # they speak to another side
            self._session.controller.restarted_from = None  # nor is there a move of theirs to undo
            self._stage.refresh_turn()
        if who := self.who():
            now = self._view.facts(self._session.turn).goal
            self._say(f"{who} {now}" if now != goal else who)
        if self._session.has_person:
            self.answer()
        else:
            self.play_on()

    def players_changed(self) -> None:
        self._show_players()
        self._stage.forget_advice()
        if self._session.turn.parent is not None:
            self._stage.mark_helped("another player")
        self._stage.refresh_turn()

    def leave_variation(self) -> bool:
        """Returns from the variation to the game; strategies then answer. False if none is open."""
        if self._session.variation is None:
            return False
        self.stop()
        self._stage.messages.end_transient()  # it was about the variation
        self._session.leave_variation()
        self._stage.refresh_turn()
        self.answer()
        return True

    def close(self) -> bool:
        return self.leave_variation()

    # -- a person's move

    async def play_step(self, action: Any, *, is_first: bool) -> bool:
        """Plays one step of a journey and waits for the answers; False if the journey must end."""
        seat, turn = self._session.seat(), self._session.turn
        self._stage.play(action, continues_command=not is_first)
        if self._session.turn is turn:
            return False
        await self.settle()
        return not self._session.is_strategys_turn and self._session.seat() == seat

    def take_over(self, action: Any) -> bool:
        """Stops automatic play; the person takes the seat to move. False if a strategy is about to move."""
        session = self._session
        if self.is_answering:
            self._say(f"The {session.seat()} is about to move.", transient=True)
            return False
        if session.is_persons_turn:
            return True
        self.stop()
        turn = session.turn
        is_taken = session.player(turn) != YOU
        if session.controller.rules.objection(turn.state, action) is not None:  # `play` logs the reason
            return True
        is_shown, has_later = session.variation is not None, session.play_on()
        way_back = " {other_line} goes back to the later turns." * has_later
        if is_taken:
            seat = session.seat(turn)
            session.take_seats({**session.players, seat: YOU})
            self.players_changed()
            text = f"You play the {seat} from {session.turn_name(turn)} on. {{players}} changes the players."
        else:
            text = f"You play on from {session.turn_name(turn)}."
        if is_taken or session.is_replay or is_shown or has_later:
            self._stage.call_next(self._say, f"{text}{way_back}")  # below the move's own messages
        return True

    async def settle(self) -> None:
        while self.is_answering:
            await asyncio.sleep(POLL_INTERVAL_S)

    # -- strategies

    def answer(self) -> None:
        """Lets strategies move in a worker until it is a person's turn, unless the player is looking back."""
        session = self._session
        if session.players and not session.is_looking_back and session.has_person and session.is_strategys_turn:
            self.is_answering = True
            self._start(self._answer, group="play", exclusive=True)

    async def _answer(self) -> None:
        while self._session.is_strategys_turn:
            await asyncio.sleep(REPLY_PAUSE if self._stage.is_animated else 0)
            if not await self._let_choose():
                break
        self.is_answering = False
        self._stage.call_next(self._play_waiting)

    @property
    def is_busy(self) -> bool:
        """True if a move must wait: a strategy is about to move, or other moves wait for their turn."""
        return self.is_answering or bool(self._waiting)

    def wait_for(self, move: partial[None]) -> None:
        """Queues a move until the strategies have answered; at most two equal ones, as a held key repeats fast."""
        if [each.args for each in self._waiting[-2:]] != 2 * [move.args]:
            self._waiting.append(move)

    def forget_waiting(self) -> None:
        self._waiting.clear()

    def _play_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting and not self._session.is_strategys_turn and self._session.outcome is None:
            waiting.pop(0)()
            if self.is_answering:  # else that move was refused
                self._waiting = waiting

    async def _let_choose(self) -> bool:
        """Plays a strategy's move; False if there is none or the turn changed meanwhile."""
        turn = self._session.turn
        self._requests += 1
        player = self._session.player(turn)
        action = await self._stage.in_thread(self._ask, turn.state, player, self._requests)
        if action is None or self._session.turn is not turn:
            return False
        try:
            self._session.play(action)
        except IllegalActionError as error:
            self._stage.say_error(error)
            return False
        return True

    def _ask(self, state: Any, player: str, number: int) -> Any:
        """Waits for earlier requests, then returns a strategy's action; None if a newer request replaced this one."""
        assert self._strategies is not None
        with self._thinking:
            return self._strategies.choose(state, player) if number == self._requests else None

    # -- automatic play

    def play_on(self) -> None:
        """Starts automatic play in a worker: first the existing turns, then the strategies' moves."""
        self._session.is_looking_back = True
        self.is_playing = True
        self._stage.refresh_turn()
        self._start(self._play, group="play", exclusive=True)

    async def _play(self) -> None:
        while await self.advance() and self._session.goes_on:
            await asyncio.sleep(1 / SPEEDS[self.pace])
            while not self._stage.is_active:
                await asyncio.sleep(DIALOG_POLL_INTERVAL_S)
        self.is_playing = False
        self._stage.refresh_turn()

    async def advance(self) -> bool:
        """Goes to the next turn; if there is none, a strategy moves. False if there is nothing to play."""
        session = self._session
        if session.follow():
            return True
        if session.is_strategys_turn:
            return await self._let_choose()
        text = LAST_TURN if session.turn.parent is not None else "No move was made yet."
        if session.variation is not None:
            text = "The line ends here: {why} goes back to your game."
        elif session.is_ahead:
            text = UNDONE
        self._say(text, transient=True)
        return False

    def stop(self) -> None:
        """Stops automatic play; a strategy's pending answer is ignored."""
        self.is_playing = self.is_answering = False
        self._waiting.clear()
        self._stage.workers.cancel_group(self._stage, "play")
