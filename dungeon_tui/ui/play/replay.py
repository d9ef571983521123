"""Moving along the played turns: step by step, automatically, or by jumping to one."""

from bisect import bisect
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from dungeon_tui.core.text import printable
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.ui.keys import TURNS, Command, Key
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.overlay import SPEEDS, Distances
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.seats import UNDONE, Seats
from dungeon_tui.ui.widgets.dialogs import LineDialog

FIRST_TURN = "This is the first turn."
ONE_LIFE = "You have only one life: there is no undo."
LEVEL_START = "You are at the start of the level."
_UNDO = Key("undo", "backspace,ctrl+z", "Undo", "take back the last command", TURNS, 3)
PLAY = Key("play", "p", "Autoplay", "play the turns one by one, or pause; also the distances you watch", TURNS)
_BACK = Key("step.back", "left_square_bracket", "Back", "one turn back in the history", TURNS)
_ON = Key("step.on", "right_square_bracket", "Forward", "one turn forward in the history", TURNS)
_ON_OF_SEATS = replace(_ON, help="one turn forward in the history; at its end, a strategy's move")
_GO_TO = Key("go_to_turn", "", "Go to turn", "go to the turn whose number you type", TURNS)
_OTHER = Key("other_line", "", "Other line", "switch to another branch of the history", TURNS)
SLOWER_OR_PREVIOUS = Key("previous", "left_curly_bracket", "Previous", "play more slowly", TURNS)
FASTER_OR_NEXT = Key("next", "right_curly_bracket", "Next", "play faster", TURNS)


class Replay(Part):
    """Undo, redo, steps and jumps through the turns; also reports a damaged recording."""

    def __init__(self, stage: Stage, seats: Seats, distances: Distances) -> None:
        super().__init__(stage)
        self._seats = seats
        self._distances = distances
        self.is_on = bool(self._session.trouble)

    def commands(self) -> Sequence[Command]:
        return [
            Command(_UNDO, self.undo),
            Command(Key("redo", "ctrl+y", "Redo", "redo the turn you took back", TURNS), self.redo),
            Command(Key("restart", "r", "Restart", "back to the start of this level", TURNS, 11), self.restart),
            Command(PLAY, self.play_or_pause),
            Command(_BACK, partial(self.step, -1)),
            Command(_ON_OF_SEATS if self._session.players else _ON, partial(self.step, 1)),
            Command(_GO_TO, self.ask_for_turn),
            Command(_OTHER, self.other_line),
            Command(SLOWER_OR_PREVIOUS, partial(self.change_pace, -1)),  # during an analysis these go to mistakes
            Command(FASTER_OR_NEXT, partial(self.change_pace, 1)),
        ]

    def show(self, scene: Scene) -> None:
        scene.notes.insert(0, self._session.trouble)

    def begin(self) -> None:
        recording = self._session.replay
        if recording is not None:
            what = f"Recording of {printable(recording.title)}" if recording.title else "Recording"
            keys = "{play} plays it, {step.back} {step.on} step, {go_to_turn} jumps to a turn. Move to take over."
            self._say(f"{what}: {keys}", transient=True)
            if recording.trouble:
                self._say(recording.trouble, Meaning.FOE)

    def position(self) -> str:
        number, last = self.numbers()
        by_number = f"{self._session.unit} {number:,} of {last:,}"
        return capitalised(self._session.own_name(self._session.turn) or by_number)

    def numbers(self) -> tuple[int, int]:
        """The numbers of this turn and of the line's last, as the player counts them."""
        last = self._session.turn if self._session.is_ahead else self._session.line.turns[-1]  # others' turns follow
        return self._session.own_moves(self._session.turn), self._session.own_moves(last)

    # -- going somewhere

    def look_back(self) -> None:
        """Stops journeys and automatic play; strategies wait until a person moves."""
        self._stop()
        self._session.is_looking_back = True

    def stop_play(self) -> None:
        """Stops everything that plays by itself and leaves a variation."""
        self._stop()
        self._seats.leave_variation()

    def _stop(self) -> None:
        self._stage.end_choosing()
        self._seats.stop()

    def seek(self, ply: int) -> None:
        self.look_back()
        self._session.seek(ply)
        self._stage.refresh_turn()

    def step(self, steps: int) -> None:
        """Goes a turn forward or back; at the end a strategy moves. While distances grow, it steps through those."""
        if self._distances.is_growing:
            self._distances.step(steps)
            return
        self.look_back()
        if steps < 0:
            if not self._session.step_back():
                self._say(FIRST_TURN, transient=True)
        elif not self._session.follow():
            self._start(self._seats.advance, group="play", exclusive=True)
        self._stage.refresh_turn()

    async def ask_for_turn(self) -> None:
        self._stage.end_choosing()
        self._seats.leave_variation()
        unit, turns, own_moves = self._session.unit, self._session.line.turns, self._session.own_moves
        last = own_moves(turns[-1])
        read = partial(_read_number, unit, last)
        dialog = LineDialog(f"Go to {unit} ...", f"Which {unit}, 0 to {last}?", f"{last}", check=read)
        dialog.set_class(self._stage.is_beside, "-aside")
        typed = await self._stage.app.push_screen_wait(dialog)
        if typed is not None:
            self.seek(bisect(turns, read(typed), key=own_moves) - 1)

    def undo(self) -> None:
        self._stop()
        is_refuting, is_left = self._session.is_refuting_last_move, self._seats.leave_variation()
        if self._stage.is_final and not is_left:
            self._say(ONE_LIFE, transient=True)
        elif (is_refuting or not is_left) and not self._session.undo():
            self._say("Nothing to undo.", transient=True)

    def redo(self) -> None:
        self._stop()
        if not self._session.redo():
            self._say("Nothing to redo.", transient=True)
        self._seats.answer()

    def restart(self) -> None:
        """Goes back to the start of the level. Begins another game if you won this one or lost your one life."""
        self.stop_play()
        session, state = self._session, self._session.line.turns[-1].state
        outcome = session.controller.rules.outcome(state)
        is_over = outcome is not None and (self._stage.is_final or self._view.is_won(state, outcome, session.persons))
        if session.has_ended and is_over and self._stage.begin_again():
            return
        if self._stage.is_final:
            self._say(ONE_LIFE, transient=True)
        elif not self._session.restart():
            self._say(LEVEL_START, transient=True)
        self._seats.answer()

    # -- other lines

    def other_line(self) -> None:
        self._seats.leave_variation()
        self.look_back()
        fork = self._session.other_line()
        if fork is None:
            self._say("There is no other line.", transient=True)
            return
        self._stage.refresh_turn()
        first, last = (self._session.turn_name(self._session.line.turns[ply]) for ply in (fork, -1))
        self._say(f"Another line, from {first} to {last}. {{other_line}}: next line.", transient=True)

    # -- playing by itself

    def play_or_pause(self) -> None:
        if self._distances.is_growing:
            self._distances.play_or_pause()
        elif self._seats.is_playing:
            self._seats.stop()
            self._say("Paused.", transient=True)
            self._stage.refresh_turn()
        elif self._session.is_persons_turn and self._session.has_person and self._session.turn.branches:
            self._say(UNDONE, transient=True)
        else:
            self.look_back()
            if self._session.outcome is not None and self._session.variation is None:
                self._session.seek(0)  # the whole game again
            self._seats.play_on()

    def change_pace(self, steps: int) -> None:
        if self._distances.is_growing:
            self._distances.change_speed(steps)
            return
        if not self._session.is_looking_back:
            text = "Nothing plays now: {previous} and {next} set the speed, or go to mistakes during analysis."
            self._say(text, transient=True)
            return
        self._seats.pace = min(max(self._seats.pace + steps, 0), len(SPEEDS) - 1)
        speed = SPEEDS[self._seats.pace]
        self._stage.preferences.change({("speed",): f"{speed}"})
        self._say(f"Speed: {counted(speed, 'move')} a second, also in later games.", transient=True)
        self._stage.refresh_turn()


def _read_number(unit: str, last: int, typed: str) -> int:
    if typed.isascii() and typed.isdigit() and len(typed) < 10 and int(typed) <= last:
        return int(typed)
    raise ValueError(f"{typed} is not a {unit}; {unit}s are numbered 0 to {last}")
