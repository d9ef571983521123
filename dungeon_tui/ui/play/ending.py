"""Saving a game, leaving it without losing it, its curve, and the dialogue at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted, reason, until_turn
from dungeon_tui.storage import recordings
from dungeon_tui.ui.keys import GAME, LOOKING, Command, Key
from dungeon_tui.ui.map.source import Layer
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.analysis import AnalysisBoard
from dungeon_tui.ui.play.fate import Fate
from dungeon_tui.ui.play.features import Curve, Finale, Strategies
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.replay import Replay
from dungeon_tui.ui.play.seats import STANDSTILL
from dungeon_tui.ui.widgets import late
from dungeon_tui.ui.widgets.dialogs import Answer, ChoiceDialog

_CURVE = Key("curve", "C", "C", "Curve", "plot how it goes", LOOKING, 9)
_SAVE = Key("save", "ctrl+s", "ctrl+s", "Save", "keep a recording; the menu lists it", GAME)


class Ending(Part):
    """Keeps games and tells how they ended. It is on while the dialogue at the end is open."""

    def __init__(self, stage: Stage, replay: Replay, board: AnalysisBoard | None, fate: Fate | None) -> None:
        self._stage = stage
        self._session = stage.session
        self._replay = replay
        self._board = board
        self._fate = fate
        self._curve = stage.view.feature(Curve)
        self._finale = stage.view.feature(Finale) or Finale()
        self._strategies = stage.view.feature(Strategies)
        self._layer: Layer | None = None
        self._began = monotonic()
        self.told: str | None = None  # the saved file, as far as people were told of it

    def commands(self) -> Sequence[Command]:
        """The keys of saving, and of the curve in games that have one."""
        return [*([Command(_CURVE, self.plot)] if self._curve is not None else []), Command(_SAVE, self.save)]

    def show(self, scene: Scene) -> None:
        """Adds the layer behind the dialogue at the end."""
        if self._layer is not None:
            scene.layers.append(self._layer)

    # -- leaving

    async def may_leave(self) -> bool:
        """Asks, where moves would be lost, if they may be, and saves them if wanted; True if the screen may be left."""
        session = self._session
        if not session.would_lose or self._stage.loses_nothing:
            return True
        turn = session.turn_to_keep
        is_over = session.controller.rules.outcome(turn.state) is not None
        question = ChoiceDialog(
            "Leave the game?",
            "The game is over; it isn't saved." if is_over else f"{counted(turn.ply, 'move')} would be lost.",
            [Answer("y", "Leave", "leave"), Answer("s", "Save and leave", "save"), Answer("n", "Stay", "stay")],
            is_leaving=True,
            glyphs=self._stage.glyphs,
        )
        answer = await self._stage.app.push_screen_wait(question)
        return answer == "leave" or (answer == "save" and self._save(session.turn_to_keep))

    # -- saving

    def save(self) -> None:
        """Writes a recording up to the present turn to a file, and says where; at the first turn, of all turns.

        During a variation, of the game that was left for it.
        """
        session = self._session
        turn, is_variation = session.turn, session.variation is not None
        if turn.parent is None or is_variation:
            turn = session.turn_to_keep
        if turn.parent is None:
            self._stage.mention("Nothing was played yet.")
        elif session.replay is not None and turn is session.recorded[-1]:
            self._stage.say(f"This was saved before: {printable(session.replay.file)}")
        elif self._save(turn) and session.saved_file is not None:
            is_part = session.turn.branches and turn is session.turn
            mine = f" your game up to turn {turn.ply}, not what is shown now"
            what = mine if is_variation else " up to this turn" if is_part else ""
            path = Path(session.saved_file)
            self._stage.say(f"Saved{what}: {printable(path.name)}, in {printable(str(path.parent))}")
            self.told = session.saved_file

    def _save(self, turn: Turn[Any, Any]) -> bool:
        """Saves the game up to a turn, unless a file ends there; False where it can't be saved, and says why."""
        session = self._session
        if session.is_saved_exactly(turn):
            return True
        title = (session.replay.title if session.replay is not None else "") or self._stage.view.facts(turn).title
        try:
            path = recordings.save(session.controller, self._stage.view.game.name, session.players, title, turn)
        except OSError as error:
            self._stage.say(f"Can't be saved: {reason(error)}.", Meaning.FOE)
            return False
        session.mark_saved(turn, str(path))
        return True

    # -- the curve

    async def plot(self) -> None:
        """Shows a plot of how the game went on a screen of its own; says the reason where there is none."""
        assert self._curve is not None
        self._stage.end_choosing()
        figure = await self._stage.thought(self._curve.figure, self._session.state)
        if figure is None:
            return
        if isinstance(figure, str):
            self._stage.say(figure)
            return
        title = f"{self._stage.view.facts(self._session.turn).title}: {figure.y.label}"
        await self._stage.app.push_screen_wait(late.plot_screen(title, figure, self._stage.glyphs))

    # -- the end

    def tell_end(self, outcome: Outcome) -> None:
        """Tells how it ended, once no other dialogue is open, and asks what next."""
        self._stage.run_worker(self._tell_end(outcome), group="ending", exclusive=True)

    async def _tell_end(self, outcome: Outcome) -> None:
        session, view = self._session, self._stage.view
        turn, seconds = session.turn, monotonic() - self._began
        while not self._stage.is_active:
            await asyncio.sleep(STANDSTILL)
        if session.turn is not turn or session.is_looking_back:
            return
        if self._finale.prepare is not None:
            await self._stage.thought(self._finale.prepare, turn.state)
        is_won = outcome.is_win
        if self._strategies is not None:
            is_won = self._strategies.is_won(turn.state, outcome, session.persons)
        chance = await self._fate.last_chance(turn) if self._fate is not None and not is_won else None
        if session.turn is not turn:
            return
        if self._finale.layer is not None:
            self._layer, self.is_on = self._finale.layer(turn.state), True
        self._stage.refresh_turn(())
        title, text = view.ending(turn.state, outcome, seconds)
        answer = await self._ask_what_next(title, text, is_won, chance)
        self._layer, self.is_on = None, False
        self._stage.keep_map_above(None)
        self._stage.refresh_turn(())
        match answer:
            case "undo":
                self._replay.undo()
            case "restart":
                self._replay.restart()
            case "chance" if self._fate is not None:
                await self._fate.go_to_last_chance()
            case "look":
                await self._look_back()
            case "save" if not self._save(turn):
                return
            case _:
                self._stage.dismiss(session.saved_file)

    async def _ask_what_next(self, title: str, text: str, is_won: bool, chance: Turn[Any, Any] | None) -> str:
        answers = [
            Answer("backspace,ctrl+z", "Undo", "undo"),
            Answer("r", "Restart", "restart"),
            Answer("ctrl+s", "Save and leave", "save"),
            Answer("q", "Leave", "leave"),
        ][:: -1 if is_won else 1]
        if chance is not None:
            text += f"\nYou could still have won {until_turn(chance.ply)}."
            if chance is not self._session.turn.parent:
                answers.insert(1, Answer("x", "Last chance", "chance"))
        if self._curve is not None:
            answers.insert(2, Answer("c", "Curve", "curve"))
        answers.append(Answer("L", "Look back", "look"))
        while True:
            question = ChoiceDialog(
                title,
                self._stage.spell(text),
                answers,
                self._stage.keep_map_above,
                is_sudden=True,
                is_leaving=True,
                glyphs=self._stage.glyphs,
            )
            answer = await self._stage.app.push_screen_wait(question)
            if answer != "curve":
                return answer
            await self.plot()

    async def _look_back(self) -> None:
        """Stays at the last turn to look back, says with which keys, and opens the analysis if the game has one."""
        self._replay.look_back()
        keys = "{step.back} and {step.on} step through the turns, {save} saves them, {leave} leaves."
        self._stage.mention(f"{self._replay.place()}: {keys}")
        if self._board is None:
            return
        if not self._board.is_on:
            await self._board.open()
        elif count := self._board.count():
            self._stage.say(count)
