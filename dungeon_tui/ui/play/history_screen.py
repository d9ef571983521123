"""Moving along the turns that were played: one by one, by itself, or at once to any of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from textual import on, work

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import counted
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.overlay import SPEEDS
from dungeon_tui.ui.play.travel_screen import TravelScreen
from dungeon_tui.ui.play.turn_line import TurnLine
from dungeon_tui.ui.widgets.dialogs import LineDialog
from dungeon_tui.ui.widgets.key_bar import Entry
from dungeon_tui.ui.widgets.timeline import Timeline, lines_wanted

LOOKING_BACK = "You look back: a click plays nothing. A move by keys plays on from here; so does g, then Enter."
STANDSTILL = 0.1  # seconds after which to look whether a dialogue is still open


@dataclass(frozen=True, slots=True)
class Replay:
    """What is known of a recording that is replayed."""

    file: str = ""  # where it was read
    title: str = ""  # of what was played
    trouble: str = ""  # what is wrong with it


class HistoryScreen(TravelScreen):
    """Plays what was played, forward and back. `is_looking_back`: nobody plays until a person makes a move."""

    def __init__(
        self, view: GameView, controller: TurnController[Any, Any, Any], *, replay: Replay | None = None
    ) -> None:
        super().__init__(view, controller)
        self.replay = replay
        self.is_looking_back = self.is_replay
        self.is_playing = False
        self.line = TurnLine(controller.turn)
        self.recorded = tuple(self.line.turns) if self.is_replay else ()
        self.pace = 2  # a place in SPEEDS

    @property
    def is_replay(self) -> bool:
        """Whether this began as a recording."""
        return self.replay is not None

    @property
    def trouble(self) -> str:
        """What is wrong with the recording."""
        return "" if self.replay is None else self.replay.trouble

    # -- the timeline

    @property
    def has_timeline(self) -> bool:
        """Whether the timeline is shown."""
        return self.is_replay

    @property
    def has_graph(self) -> bool:
        """Whether the timeline has a graph."""
        return False

    def timeline_lines(self) -> int:
        """As many as the terminal has room for."""
        return lines_wanted(self.size.height, self.has_graph) if self.has_timeline else 0

    def timeline_texts(self) -> list[str]:
        """What the timeline says, the most important first."""
        progress = f"playing, {counted(SPEEDS[self.pace], 'move')} a second" if self.is_playing else ""
        return [self.place(), self.trouble, progress]

    def place(self) -> str:
        """Where one is on the line."""
        return f"Turn {self.controller.turn.ply} of {len(self.line) - 1}"

    def tell_place(self) -> None:
        """Says where one is, where no timeline does."""
        if not self.has_timeline:
            self.line.follow(self.controller.turn)
            self.mention(f"{self.place()}.")

    def show_turn(self, changed_rows: Iterable[int] | None = None) -> None:
        """Shows the present turn, and where it stands on the line."""
        self.line.follow(self.controller.turn)
        if self.has_timeline:
            texts = tuple(self.glyphs.plain(text) for text in self.timeline_texts() if text)
            self.timeline.show(self.line, self.controller.turn.ply, texts)
        if self.cursor is None:
            self.key_bar.show(self.footer())
        super().show_turn(changed_rows)

    def notes(self, state: Any) -> list[str]:
        """What is wrong with the recording, before all else."""
        return [self.trouble, *super().notes(state)]

    def footer(self) -> list[Entry]:
        """With the timeline, its keys come first."""
        entries = super().footer()
        if not self.has_timeline:
            return entries
        first = [key for name in self.first_keys() for key in self.keys if key.id == name]
        mine = [(self.glyphs.plain(key.shown.split()[0]), key.label, key.action) for key in first]
        return mine + [entry for entry in entries if entry not in mine]

    def first_keys(self) -> tuple[str, ...]:
        """The ids of the keys with which the footer begins while the timeline is shown."""
        first = "help", "leave", "play", "step.back", "step.on", "go_to_turn"
        return (*first, "recording") if self.has_left_recording else first

    # -- going somewhere

    def look_back(self) -> None:
        """From here on one looks at what was played."""
        self.interrupt()
        self.drop_cursor()
        self.pause()
        self.is_looking_back = True

    def seek(self, ply: int) -> None:
        """Goes to a turn of the line."""
        self.look_back()
        self.controller.go_to(self.line.turns[min(max(ply, 0), len(self.line) - 1)])

    @on(Timeline.Sought)
    def _sought(self, message: Timeline.Sought) -> None:
        self.seek(message.ply)

    def action_step(self, steps: int) -> None:
        """One turn on or back; of a frontier that is watched, one step."""
        if self.is_growing:
            super().action_step(steps)
            return
        self.look_back()
        if steps < 0:
            if not self.controller.undo():
                self.mention("This is the first turn.")
        elif not self.follow():
            self._step_on()
        self.show_turn(())

    @work(exclusive=True, group="play")
    async def _step_on(self) -> None:
        await self.advance()

    @work
    async def action_go_to_turn(self) -> None:
        """Asks for the number of a turn."""
        self.interrupt()
        self.drop_cursor()
        self.leave_aside()
        last = len(self.line) - 1
        dialog = LineDialog("Go to turn ...", f"Which turn, 0 to {last}?", f"{last}", check=partial(_read_ply, last))
        typed = await self.app.push_screen_wait(dialog)
        if typed is not None:
            self.seek(_read_ply(last, typed))

    def click(self, cell: Cell) -> None:
        """While one looks back, a click plays nothing: it would begin another line before one knows."""
        if self.is_looking_back:
            self.mention(
                "You look back: a click plays nothing. A move by keys plays on from here; so does g, then Enter."
            )
        else:
            super().click(cell)

    # -- other lines

    def leave_aside(self) -> bool:
        """Comes back to the line from what is played out beside it; False where nothing is."""
        return False

    def action_other_line(self) -> None:
        """The next branch of the first turn from here on that has several; else of the last one before."""
        self.interrupt()
        self.leave_aside()
        self.look_back()
        self.line.follow(self.controller.turn)
        fork = self.line.fork_beside(self.controller.turn.ply)
        if fork is None:
            self.mention("There is no other line: nobody has gone on otherwise from any turn.")
            return
        turn = self.line.turns[fork]
        if fork < self.controller.turn.ply:
            self.controller.go_to(turn)
        self.controller.prefer(turn.branches[0])
        self.line.forget_after(self.controller.turn.ply)
        self.show_turn(())
        self.mention(f"Another line from turn {fork} on, up to turn {len(self.line) - 1}. L: the next one.")

    @property
    def has_left_recording(self) -> bool:
        """Whether the line is another one than was recorded."""
        return self.is_replay and self.line.turns[-1] is not self.recorded[-1]

    def action_recording(self) -> None:
        """Back to the line that was recorded, where it was left."""
        self.interrupt()
        if not self.is_replay:
            self.mention("This is no recording.")
            return
        self.leave_aside()
        self.look_back()
        self.rejoin()
        self.show_turn()
        self.mention(f"The recording, as it was played: turn {self.controller.turn.ply} of {len(self.line) - 1}.")

    def rejoin(self) -> None:
        """Makes what was recorded the line again."""
        turn = self.controller.turn
        while turn.parent is not None and not (turn.ply < len(self.recorded) and self.recorded[turn.ply] is turn):
            turn = turn.parent
        self.controller.go_to(turn)
        for each in self.recorded[turn.ply + 1 :]:
            self.controller.prefer(each)
        self.line.follow(turn)
        self.line.forget_after(turn.ply)

    # -- playing by itself

    def action_play_pause(self) -> None:
        """Plays on from here, or pauses; a frontier that is watched comes first."""
        if self.is_growing:
            super().action_play_pause()
        elif self.is_playing:
            self.pause()
            self.mention("Paused.")
            self.show_turn(())
        else:
            self.play_on()

    def play_on(self) -> None:
        """Plays turn by turn."""
        self.look_back()
        self.is_playing = True
        self.show_turn(())
        self._play()

    def pause(self) -> None:
        """Whatever plays by itself ends."""
        self.is_playing = False
        self.workers.cancel_group(self, "play")

    @property
    def goes_on(self) -> bool:
        """Whether there is another turn to play by itself."""
        return bool(self.controller.turn.branches)

    def follow(self) -> bool:
        """Goes to the next turn of the line; False where there is none."""
        return self.controller.redo()

    async def advance(self) -> bool:
        """Plays the next turn of the line; False, and says so, where there is none."""
        if self.follow():
            return True
        self.mention("This is the last turn.")
        return False

    @work(exclusive=True, group="play")
    async def _play(self) -> None:
        while await self.advance() and self.goes_on:
            await asyncio.sleep(1 / SPEEDS[self.pace])
            while not self.is_active:
                await asyncio.sleep(STANDSTILL)
        self.is_playing = False
        self.show_turn(())

    def action_pace(self, places: int) -> None:
        """Plays faster or more slowly; a frontier that is watched comes first."""
        if self.is_growing:
            super().action_change_speed(places)
            return
        self.pace = min(max(self.pace + places, 0), len(SPEEDS) - 1)
        self.mention(f"{counted(SPEEDS[self.pace], 'move')} a second.")
        self.show_turn(())

    def action_change_speed(self, places: int) -> None:
        """The same, by the other keys."""
        self.action_pace(places)

    def tell_trouble(self) -> None:
        """Says what is wrong with the recording."""
        if self.trouble:
            self.say(self.trouble, Meaning.FOE)


def _read_ply(last: int, typed: str) -> int:
    """The number of a turn. Raises ValueError where there is no such turn."""
    if typed.isascii() and typed.isdigit() and len(typed) < 10 and int(typed) <= last:
        return int(typed)
    raise ValueError(f"{typed} is not a turn: they go from 0 to {last}")
