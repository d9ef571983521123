"""Players: strategies that make their moves, a person who takes a seat, and play that goes on by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

from dungeon_tui.core.catalogue import YOU
from dungeon_tui.core.forms import Choice
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.core.words import sentence
from dungeon_tui.ui.keys import TURNS, Command, Key
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.features import Strategies
from dungeon_tui.ui.play.overlay import SPEEDS
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.widgets.form_dialog import FormDialog

REPLY_PAUSE = 0.15  # seconds before a strategy answers
_GLANCE = 0.01  # seconds after which a journey looks again for the person's turn
LAST_TURN = "This is the last turn."
NEXT_IS_YOURS = "This is the last turn: the next move is yours."
STANDSTILL = 0.1  # seconds after which to look again whether a dialogue is still open

_PLAYERS = Key("players", "m", "m", "Players", "choose who plays: you or a strategy", TURNS)


class Seats(Part):
    """Lets strategies move, and takes a person's moves. Games without seats are one person's throughout."""

    def __init__(self, stage: Stage, strategies: Strategies | None) -> None:
        self._stage = stage
        self._session = stage.session
        self._strategies = strategies
        self.is_on = strategies is not None
        self.is_answering = False  # a strategy thinks over its answer to a person's move
        self.is_playing = False  # turns follow each other by themselves
        self.pace = 2  # a place in SPEEDS
        self.waiting: Callable[[], None] | None = None  # a person's move that came too early
        self._thinking = Lock()  # held by the thread that asks a strategy
        self._asked = 0  # how often one was asked
        stage.view.persons = self._session.persons

    def commands(self) -> Sequence[Command]:
        """The key of the choice of players; none in games without seats."""
        return [Command(_PLAYERS, self.choose_players)] if self._strategies is not None else []

    def show(self, scene: Scene) -> None:
        """Adds the players after all other notes."""
        scene.notes.append(self.who())

    def who(self) -> str:
        """The players by seat, in words; empty in games without seats."""
        players = self._session.players.items()
        return " ".join(f"{seat.capitalize()}: {self._title(player)}." for seat, player in players)

    def _title(self, player: str) -> str:
        return player if self._strategies is None else self._strategies.titles.get(player, player)

    # -- who plays

    async def choose_players(self) -> None:
        """Asks who plays each seat; if that is answered, seats them from the present turn on, and lets them play."""
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
        self._session.take_seats(chosen)
        self.players_changed()
        self._stage.say(self.who())
        if self._session.has_person:
            self.answer()
        else:
            self.play_on()

    def players_changed(self) -> None:
        """Tells the view which seats people play now, and shows the turn anew."""
        self._stage.view.persons = self._session.persons
        if self._session.turn.parent is not None:
            self._stage.mark_helped()  # another one has played a part of it
        self._stage.refresh_turn()

    def leave_variation(self) -> bool:
        """Leaves the variation for the turn where it was opened, where strategies answer; False if none is open."""
        if self._session.variation is None:
            return False
        self.stop()
        self._session.leave_variation()
        self._stage.refresh_turn(())
        self.answer()
        return True

    # -- a person's move

    async def play_step(self, action: Any) -> bool:
        """Plays one step of a journey, and waits for the answers; False if the journey can't go on after it."""
        seat, turn = self._session.seat(), self._session.turn
        self._stage.play(action)
        if self._session.turn is turn:
            return False
        await self.settle()
        return not self._session.is_strategys_turn and self._session.seat() == seat

    def take_over(self, action: Any) -> bool:
        """Ends what plays by itself, and gives the seat to move to a person if their action is legal; says so.

        Returns:
            False where the action may not be played, since a strategy is about to move by itself.
        """
        session = self._session
        if self.is_answering:
            self._stage.mention(f"The {session.seat()} is about to move.")
            return False
        if session.is_persons_turn:
            return True
        self.stop()
        turn = session.turn
        is_taken = session.player(turn) != YOU
        if session.controller.rules.objection(turn.state, action) is not None:  # it is said where it is played
            return True
        session.variation = None
        session.is_looking_back = False
        way_back = " {recording}: back to the recording." if session.is_replay else ""
        if is_taken:
            seat = session.seat(turn)
            session.take_seats({**session.players, seat: YOU})
            self.players_changed()
            self._stage.say(f"You play the {seat} from turn {turn.ply} on. {{players}}: who plays.{way_back}")
        elif session.is_replay:
            self._stage.say(f"You play on from turn {turn.ply}.{way_back}")
        return True

    async def settle(self) -> None:
        """Waits until strategies have answered a person's move."""
        while self.is_answering:
            await asyncio.sleep(_GLANCE)

    # -- strategies

    def answer(self) -> None:
        """Lets strategies move, in a worker, until it is a person's turn again; not while one looks back."""
        session = self._session
        if session.players and not session.is_looking_back and session.has_person and session.is_strategys_turn:
            self.is_answering = True
            self._stage.run_worker(self._answer(), group="play", exclusive=True)

    async def _answer(self) -> None:
        while self._session.is_strategys_turn:
            await asyncio.sleep(REPLY_PAUSE if self._stage.is_animated else 0)
            if not await self._let_choose():
                break
        self.is_answering = False
        self._stage.call_next(self._play_waiting)

    def _play_waiting(self) -> None:
        move, self.waiting = self.waiting, None
        if move is not None and not self._session.is_strategys_turn and self._session.outcome is None:
            move()

    async def _let_choose(self) -> bool:
        """Plays a strategy's move; False where the turn has changed meanwhile, or there is no move."""
        turn = self._session.turn
        self._asked += 1
        player = self._session.player(turn)
        action = await self._stage.in_thread(self._ask, turn.state, player, self._asked)
        if action is None or self._session.turn is not turn:
            return False
        try:
            self._session.play(action)
        except IllegalActionError as error:
            self._stage.say(sentence(str(error)), Meaning.FOE)
            return False
        return True

    def _ask(self, state: Any, player: str, number: int) -> Any:
        """A strategy's action, once the strategy asked before has answered; None if nobody waits for it any more."""
        assert self._strategies is not None
        with self._thinking:
            return self._strategies.choose(state, player) if number == self._asked else None

    # -- play that goes on by itself

    def play_on(self) -> None:
        """Plays by itself from here, in a worker: the turns played already, then the strategies' moves."""
        self._session.is_looking_back = True
        self.is_playing = True
        self._stage.refresh_turn(())
        self._stage.run_worker(self._play(), group="play", exclusive=True)

    async def _play(self) -> None:
        while await self.advance() and self._session.goes_on:
            await asyncio.sleep(1 / SPEEDS[self.pace])
            while not self._stage.is_active:
                await asyncio.sleep(STANDSTILL)
        self.is_playing = False
        self._stage.refresh_turn(())

    async def advance(self) -> bool:
        """Goes to the next turn played already; at the last one, or where other players sit now, a strategy moves.

        Returns:
            False where there is nothing to play, which is said.
        """
        session = self._session
        if session.follow():
            return True
        if session.is_strategys_turn:
            return await self._let_choose()
        text = LAST_TURN
        if session.is_ahead:
            text = "The next move is yours. What others played from here on: {redo}."
        elif session.players and session.outcome is None:
            text = NEXT_IS_YOURS
        self._stage.mention(text)
        return False

    def stop(self) -> None:
        """Ends all that plays by itself, and forgets a move that waits; the answer of a strategy is not played."""
        self.is_playing = self.is_answering = False
        self.waiting = None
        self._stage.workers.cancel_group(self._stage, "play")
