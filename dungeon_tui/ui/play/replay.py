"""Moving along the turns that were played: one by one, by itself, or at once to any of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted
from dungeon_tui.ui.keys import TURNS, Command, Key
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.overlay import SPEEDS, Distances
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.seats import Seats
from dungeon_tui.ui.widgets.dialogs import LineDialog

FIRST_TURN = "This is the first turn."
ONE_LIFE = "You have one life here: nothing is taken back."
LEVEL_START = "This is the start of the level."
_UNDO = Key("undo", "backspace,ctrl+z", "⌫ ctrl+z", "Undo", "take the last turn back", TURNS, 3)
_REDO = Key("redo", "ctrl+y", "ctrl+y", "Redo", "play it again", TURNS)
_RESTART = Key("restart", "r", "r", "Restart", "back to the start of this level", TURNS, 4)
_PLAY = Key("play", "p", "p", "Play", "play on turn by turn, or pause; so with distances that grow", TURNS)
_BACK = Key("step.back", "left_square_bracket", "[", "Back", "a turn back in the history", TURNS)
_ON = Key("step.on", "right_square_bracket", "]", "Forward", "a turn on in the history", TURNS)
_ON_OF_SEATS = replace(_ON, help="a turn on in the history; at its end a strategy's move")
_GO_TO = Key("go_to_turn", "T", "T", "Go to turn", "type the number of a turn", TURNS)
_OTHER = Key("other_line", "K", "K", "Other line", "the other branch of the next turn that has one", TURNS)
_RECORDING = Key("recording", "J", "J", "Recording", "back to the line that was recorded", TURNS)
SLOWER_OR_PREVIOUS = Key("previous", "left_curly_bracket", "{", "Previous", "play more slowly", TURNS)
FASTER_OR_NEXT = Key("next", "right_curly_bracket", "}", "Next", "play faster", TURNS)
_SLOWER = Key("slower", "comma", ",", "Slower", "play more slowly", TURNS)
_FASTER = Key("faster", "semicolon", ";", "Faster", "play faster", TURNS)


class Replay(Part):
    """Undo, redo, steps and jumps along the line; the fault of a recording among the notes."""

    def __init__(self, stage: Stage, seats: Seats, distances: Distances) -> None:
        self._stage = stage
        self._session = stage.session
        self._seats = seats
        self._distances = distances
        self.is_on = bool(self._session.trouble)

    def commands(self) -> Sequence[Command]:
        """The keys of undo, redo, restart, steps, jumps, other lines, and of playing by itself and its speed."""
        return [
            Command(_UNDO, self.undo),
            Command(_REDO, self.redo),
            Command(_RESTART, self.restart),
            Command(_PLAY, self.play_or_pause),
            Command(_BACK, partial(self.step, -1)),
            Command(_ON_OF_SEATS if self._session.players else _ON, partial(self.step, 1)),
            Command(_GO_TO, self.ask_for_turn),
            Command(_OTHER, self.other_line),
            Command(_RECORDING, self.back_to_recording),
            Command(SLOWER_OR_PREVIOUS, partial(self.change_pace, -1)),  # an analysis takes these for its mistakes
            Command(FASTER_OR_NEXT, partial(self.change_pace, 1)),
            Command(_SLOWER, partial(self.change_pace, -1)),
            Command(_FASTER, partial(self.change_pace, 1)),
        ]

    def show(self, scene: Scene) -> None:
        """Adds the fault of the recording before all other notes."""
        scene.notes.insert(0, self._session.trouble)

    def begin(self) -> None:
        """Says, if this is a recording, with which keys to look at it, and its fault if it has one."""
        recording = self._session.replay
        if recording is not None:
            what = f"A recording of {printable(recording.title)}" if recording.title else "A recording"
            keys = "{play} plays it, {step.back} {step.on} step, {go_to_turn} goes to a turn; your own move takes over."
            self._stage.mention(f"{what}: {keys}")
            if recording.trouble:
                self._stage.say(recording.trouble, Meaning.FOE)

    def place(self) -> str:
        """The present turn's number and the last one's, in words: "Turn 3 of 10"."""
        return f"Turn {self._session.turn.ply} of {len(self._session.line) - 1}"

    # -- going somewhere

    def look_back(self) -> None:
        """Ends journeys and all that plays by itself: from here on turns are looked at, until a person moves."""
        self._stop()
        self._session.is_looking_back = True

    def stop_play(self) -> None:
        """Ends journeys, the choosing of cells and all that plays by itself; comes back from a variation."""
        self._stop()
        self._seats.leave_variation()

    def _stop(self) -> None:
        self._stage.end_choosing()
        self._seats.stop()

    def seek(self, ply: int) -> None:
        """Goes to the turn after so many actions, to look back; ends all that plays by itself."""
        self.look_back()
        self._session.seek(ply)
        self._stage.refresh_turn(())

    def step(self, steps: int) -> None:
        """Goes one turn on or back (steps < 0), to look back; past the end a strategy moves.

        Where numbers are watched as they appear, moves those instead.
        """
        if self._distances.is_growing:
            self._distances.step(steps)
            return
        self.look_back()
        if steps < 0:
            if not self._session.step_back():
                self._stage.mention(FIRST_TURN)
        elif not self._session.follow():
            self._stage.run_worker(self._seats.advance(), group="play", exclusive=True)
        self._stage.refresh_turn(())

    async def ask_for_turn(self) -> None:
        """Stops travel and leaves the variation, then asks for a turn's number and goes there, unless cancelled."""
        self._stage.end_choosing()
        self._seats.leave_variation()
        last = len(self._session.line) - 1
        dialog = LineDialog("Go to turn ...", f"Which turn, 0 to {last}?", f"{last}", check=partial(_read_ply, last))
        typed = await self._stage.app.push_screen_wait(dialog)
        if typed is not None:
            self.seek(_read_ply(last, typed))

    def undo(self) -> None:
        """Takes back the turns since a person's last decision; a variation is left instead."""
        self._stop()
        if self._stage.is_final and self._session.variation is None:
            self._stage.mention(ONE_LIFE)
        elif not self._seats.leave_variation() and not self._session.undo():
            self._stage.mention("This is the start: there is nothing to undo.")

    def redo(self) -> None:
        """Plays again turns that were taken back, up to a person's next decision; then strategies may answer."""
        self._stop()
        if not self._session.redo():
            self._stage.mention("Nothing was undone.")
        self._seats.answer()

    def restart(self) -> None:
        """Goes back to the start of the level; redo leads forward again."""
        self.stop_play()
        self._seats.stop()
        if self._stage.is_final:
            self._stage.mention(ONE_LIFE)
        elif not self._session.restart():
            self._stage.mention(LEVEL_START)
        self._seats.answer()

    # -- other lines

    def other_line(self) -> None:
        """Switches to the next branch of a turn with several, on from here or else before; says if there is none."""
        self._seats.leave_variation()
        self.look_back()
        fork = self._session.other_line()
        if fork is None:
            self._stage.mention("There is no other line: every turn was played in one way only.")
            return
        self._stage.refresh_turn(())
        turns = f"from turn {fork} on, up to turn {len(self._session.line) - 1}"
        self._stage.mention(f"Another line {turns}. {{other_line}}: the next one.")

    def back_to_recording(self) -> None:
        """Goes back to the turn where play left the recording, whose turns follow it again; says so."""
        if not self._session.is_replay:
            self._stage.mention("This is no recording.")
            return
        self._seats.leave_variation()
        self.look_back()
        self._session.rejoin()
        self._seats.players_changed()
        self._stage.mention(f"The recording, as it was played: {self.place().lower()}.")

    # -- playing by itself

    def play_or_pause(self) -> None:
        """Plays on from here, or pauses; where numbers are watched as they appear, those."""
        if self._distances.is_growing:
            self._distances.play_or_pause()
        elif self._seats.is_playing:
            self._seats.stop()
            self._stage.mention("Paused.")
            self._stage.refresh_turn(())
        else:
            self.look_back()
            self._seats.play_on()

    def change_pace(self, places: int) -> None:
        """Plays faster or more slowly, by places in SPEEDS; where numbers are watched as they appear, those."""
        if self._distances.is_growing:
            self._distances.change_speed(places)
            return
        self._seats.pace = min(max(self._seats.pace + places, 0), len(SPEEDS) - 1)
        self._stage.mention(f"{counted(SPEEDS[self._seats.pace], 'move')} a second.")
        self._stage.refresh_turn(())


def _read_ply(last: int, typed: str) -> int:
    """The number of a turn that was typed. Raises ValueError if it is none from 0 to the last."""
    if typed.isascii() and typed.isdigit() and len(typed) < 10 and int(typed) <= last:
        return int(typed)
    raise ValueError(f"{typed} is not a turn: they go from 0 to {last}")
