"""How it went: keeping what was played, leaving it, its curve, and the dialogue at the end."""

from __future__ import annotations

import asyncio
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any

from textual import work

from dungeon_tui.core.level import printable
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import counted, reason, until_turn
from dungeon_tui.storage import recordings
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.fate_screen import FateScreen
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.history_screen import STANDSTILL
from dungeon_tui.ui.play.keys import Use
from dungeon_tui.ui.widgets.dialogs import Answer, ChoiceDialog


class LeavingScreen(FateScreen):
    """A game that can be kept, and left without losing it."""

    def __init__(self, view: GameView, controller: TurnController[Any, Any, Any], **options: Any) -> None:
        super().__init__(view, controller, **options)
        self._saved: tuple[Turn[Any, Any], Path] | None = None  # what was saved last
        self.told: str | None = None  # where it was saved, as far as that was told
        self._began = monotonic()

    @property
    def turn_to_keep(self) -> Turn[Any, Any]:
        """Up to where the game was played: the present turn; while one looks back, the last one of the line.

        Of an aside, where it was left for that.
        """
        if self.aside is not None:
            return self.aside.last if self.aside.was_looking_back else self.aside.start
        if not self.is_looking_back:
            return self.controller.turn
        self.line.follow(self.controller.turn)
        return self.line.turns[-1]

    @work
    async def action_leave(self) -> None:
        """Leaves the cursor, or the game; asks when moves would be lost."""
        self.interrupt()
        if self.cursor is not None:
            self.drop_cursor()
            self.show_turn(())
        elif await self.may_leave():
            self._leave()

    @property
    def would_lose(self) -> bool:
        """Whether leaving would lose moves of a person."""
        turn = self.turn_to_keep
        return bool(
            turn.ply and self.has_moved and not (self._is_kept(turn) or getattr(self.app, "is_recording", False))
        )

    async def may_leave(self) -> bool:
        """Whether nothing would be lost, or may be; asks that, and saves it if wanted."""
        if not self.would_lose:
            return True
        turn = self.turn_to_keep
        is_over = self.controller.rules.outcome(turn.state) is not None
        question = ChoiceDialog(
            "Leave the game?",
            "The game is over; it isn't saved." if is_over else f"{counted(turn.ply, 'move')} would be lost.",
            [Answer("y", "Leave", "leave"), Answer("s", "Save and leave", "save"), Answer("n", "Stay", "stay")],
            is_leaving=True,
        )
        answer = await self.app.push_screen_wait(question)
        return answer == "leave" or (answer == "save" and self._save(self.turn_to_keep))

    @property
    def saved(self) -> str | None:
        """The file that the game was saved to last."""
        return None if self._saved is None else str(self._saved[1])

    def _leave(self) -> None:
        self.dismiss(self.saved)

    # -- saving

    def action_save(self) -> None:
        """Writes a recording of the line up to the present turn, from the first turn on of all of it.

        While an aside is shown, of the line that was left.
        """
        self.interrupt()
        turn = self.controller.turn
        if turn.parent is None or self.aside is not None:
            turn = self.turn_to_keep
        if turn.parent is None:
            self.mention("Nothing was played yet.")
        elif self.replay is not None and turn is self.recorded[-1]:
            self.say(f"This was saved before: {printable(self.replay.file)}")
        elif self._save(turn) and self._saved is not None:
            is_part = self.controller.turn.branches and turn is self.controller.turn
            mine = f" your game up to turn {turn.ply}, not what is shown now"
            what = mine if self.aside is not None else " up to this turn" if is_part else ""
            path = self._saved[1]
            self.say(f"Saved{what}: {printable(path.name)}, in {printable(str(path.parent))}")
            self.told = self.saved

    def _is_kept(self, turn: Turn[Any, Any]) -> bool:
        """Whether a file holds all that led to a turn: one that was saved, or the one that is replayed."""
        is_recorded = turn.ply < len(self.recorded) and self.recorded[turn.ply] is turn
        return is_recorded or (self._saved is not None and turn in self._saved[0].line())

    def _save(self, turn: Turn[Any, Any]) -> bool:
        """Saves the line up to a turn; False, and says why, where it can't be."""
        if turn in (*self.recorded[-1:], *([] if self._saved is None else self._saved[:1])):
            return True
        try:
            recorded_title = self.replay.title if self.replay is not None else ""
            title = recorded_title or self.view.facts(turn).title
            path = recordings.save(self.controller, self.view.game.name, self.players, title, turn)
        except OSError as error:
            self.say(f"Can't be saved: {reason(error)}.", Meaning.FOE)
            return False
        self._saved = turn, path
        return True

    # -- how it went

    @work(exclusive=True, group="curve")
    async def action_curve(self) -> None:
        """Plots how the game went."""
        self.interrupt()
        self.drop_cursor()
        await self.show_curve()

    async def show_curve(self) -> None:
        """Shows the plot, until it is left."""
        figure = await self.thought(self.view.curve, self.controller.state)
        if figure is None:
            return
        if isinstance(figure, str):
            self.say(figure)
            return
        # Loaded here: no other game needs the plotting widget.
        plots = import_module("dungeon_tui.ui.widgets.plot_screen")
        title = f"{self.view.facts(self.controller.turn).title}: {figure.y.label}"
        await self.app.push_screen_wait(plots.PlotScreen(title, figure, self.glyphs))

    # -- the end

    @work(exclusive=True, group="ending")
    async def show_ending(self, outcome: Outcome) -> None:
        """Tells how it ended, once no other dialogue is open, and asks what next."""
        turn, seconds = self.controller.turn, monotonic() - self._began
        while not self.is_active:
            await asyncio.sleep(STANDSTILL)
        if self.controller.turn is not turn or self.is_looking_back:
            return
        await self.thought(self.view.prepare_ending, turn.state)
        await self.look_for_chance(outcome)
        if self.controller.turn is not turn:
            return
        self.ending = self.view.ending_layer(turn.state)
        self.show_turn(())
        answer = await self._ask_what_next(outcome, seconds)
        self.ending = None
        self.keep_map_above(None)
        self.show_turn(())
        match answer:
            case "undo":
                self.action_undo()
            case "restart":
                self.action_restart()
            case "chance":
                self.action_last_chance()
            case "look":
                await self._look_back_from_end()
            case "save" if not self._save(turn):
                return
            case _:
                self._leave()

    async def _ask_what_next(self, outcome: Outcome, seconds: float) -> str:
        state = self.controller.state
        title, text = self.view.ending(state, outcome, seconds)
        answers = [
            Answer("backspace,ctrl+z", "Undo", "undo"),
            Answer("r", "Restart", "restart"),
            Answer("ctrl+s", "Save and leave", "save"),
            Answer("q", "Leave", "leave"),
        ]
        if self.view.is_won(state, outcome, self.persons):
            answers.reverse()
        if self.chance is not None:
            text += f"\nYou could still have won {until_turn(self.chance.ply)}."
            if self.chance is not self.controller.turn.parent:
                answers.insert(1, Answer("x", "Last chance", "chance"))
        if Use.CURVE in self.view.uses:
            answers.insert(2, Answer("c", "Curve", "curve"))
        answers.append(Answer("L", "Look back", "look"))
        while True:
            question = ChoiceDialog(
                title, self.glyphs.plain(text), answers, self.keep_map_above, is_sudden=True, is_leaving=True
            )
            answer: str = await self.app.push_screen_wait(question)
            if answer != "curve":
                return answer
            await self.show_curve()

    async def _look_back_from_end(self) -> None:
        """Stays at the last turn, with the analysis if the game has one."""
        self.look_back()
        self.mention(f"{self.place()}: [ and ] step through the turns, ctrl+s saves them, q leaves.")
        if Use.ANALYSIS not in self.view.uses:
            return
        if not self.is_analysing:
            await self._open()
        elif count := self.count():
            self.say(count)
