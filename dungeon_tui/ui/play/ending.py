"""Saving a game as a recording, its curve, and the dialogue at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dungeon_tui.core.catalogue import Opening, next_opening
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.stopwatch import Stopwatch
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import capitalised, reason, until_turn
from dungeon_tui.storage import recordings
from dungeon_tui.storage.results import best_before
from dungeon_tui.ui.keys import GAME, LOOKING, Command, Key
from dungeon_tui.ui.map.source import Layer
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.analysis import AnalysisBoard
from dungeon_tui.ui.play.fate import Fate
from dungeon_tui.ui.play.features import Curve, Finale, Settlement, Strategies
from dungeon_tui.ui.play.learn import Learn
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.replay import Replay
from dungeon_tui.ui.play.seats import STANDSTILL
from dungeon_tui.ui.widgets import late
from dungeon_tui.ui.widgets.dialogs import Answer, ChoiceDialog, Mood

_CURVE = Key("curve", "C", "C", "Curve", "plot how it goes", LOOKING, 9)
_SAVE = Key("save", "ctrl+s", "ctrl+s", "Save", "keep a recording; the menu lists it", GAME)


class Ending(Part):
    """Keeps games and tells how they ended. It is on while the dialogue at the end is open."""

    def __init__(
        self, stage: Stage, replay: Replay, board: AnalysisBoard | None, learn: Learn | None, fate: Fate | None
    ) -> None:
        self._stage = stage
        self._session = stage.session
        self._replay = replay
        self._board = board
        self._learn = learn
        self._fate = fate
        self._curve = stage.view.feature(Curve)
        self._finale = stage.view.feature(Finale) or Finale()
        self._strategies = stage.view.feature(Strategies)
        self._settlement = stage.view.feature(Settlement)
        self.may_offer_end = self._settlement is not None
        self._declined: Turn[Any, Any] | None = None  # at which a settlement was
        self._layer: Layer | None = None
        self._saved: tuple[Turn[Any, Any], Path] | None = None  # the last recording, and the turn it ends with
        self._stopwatch = Stopwatch(stage.session.controller) if stage.journal is None else stage.journal.stopwatch

    def commands(self) -> Sequence[Command]:
        """The keys of saving, and of the curve in games that have one."""
        return [*([Command(_CURVE, self.plot)] if self._curve is not None else []), Command(_SAVE, self.save)]

    def show(self, scene: Scene) -> None:
        """Adds the layer behind the dialogue at the end."""
        if self._layer is not None:
            scene.layers.append(self._layer)

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
        elif session.replay is not None and session.replay.file and turn is session.recorded[-1]:
            self._stage.say(f"This was saved before: {printable(session.replay.file)}")
        elif (path := self._save(turn)) is not None:
            is_part = session.turn.branches and turn is session.turn
            mine = f" your game up to turn {turn.ply}, not what is shown now"
            what = mine if is_variation else " up to this turn" if is_part else ""
            self._stage.say(f"Saved{what}: {printable(path.name)}, in {printable(str(path.parent))}")

    def _save(self, turn: Turn[Any, Any]) -> Path | None:
        """Saves the game up to a turn, unless that was done before; None where it can't be saved, and says why."""
        session = self._session
        if self._saved is not None and self._saved[0] is turn:
            return self._saved[1]
        title = (session.replay.title if session.replay is not None else "") or self._stage.view.facts(turn).title
        try:
            game = self._stage.view.game.name
            path = recordings.save(session.controller, game, session.players, title, turn, session.arguments)
        except OSError as error:
            self._stage.say(f"Can't be saved: {reason(error)}.", Meaning.FOE)
            return None
        self._saved = turn, path
        if self._stage.journal is not None:
            self._stage.journal.note_recording(path.name)
        return path

    # -- the curve

    async def plot(self) -> None:
        """Shows a plot of how the game went on a screen of its own; says the reason where there is none."""
        assert self._curve is not None
        self._stage.end_choosing()
        if self._curve.is_answer and self._session.outcome is None:
            self._stage.mark_helped()
        figure = await self._stage.thought(self._curve.figure, self._session.state)
        if figure is None:
            return
        if isinstance(figure, str):
            self._stage.say(figure)
            return
        title = f"{self._stage.view.facts(self._session.turn).title}: {figure.y.label}"
        await self._stage.app.push_screen_wait(late.plot_screen(title, figure, self._stage.glyphs))

    # -- the end

    def keep(self) -> None:
        """Keeps the present turn's end in the library, with what is known of its par by now; again does nothing."""
        session, journal = self._session, self._stage.journal
        if journal is None or session.is_looking_back or not session.has_person or session.variation is not None:
            return
        if (outcome := session.outcome) is not None:
            journal.add_end(session.turn, outcome, self._finale.scores(session.state))

    def tell_if_cut_off(self) -> None:
        """Tells the end at which a game was opened, where it was ended from outside before that was told."""
        journal, outcome = self._stage.journal, self._session.outcome
        if journal is not None and outcome is not None and journal.was_cut_off(self._session.turn):
            self.tell_end(outcome)

    def offer_end(self) -> None:
        """Asks whether a game that could go on for ever ends here; once, if that is declined."""
        session = self._session
        is_declined = self._declined is not None and self._declined in session.turn.line()
        if self._settlement is not None and session.is_persons_turn and session.variation is None and not is_declined:
            self._stage.run_worker(self._offer_end(self._settlement), group="ending", exclusive=True)

    async def _offer_end(self, settlement: Settlement) -> None:
        turn = self._session.turn
        question = await self._stage.in_thread(settlement.question, turn)
        while not self._stage.is_active:
            await asyncio.sleep(STANDSTILL)
        if question is None or self._session.turn is not turn:
            return
        answers = [Answer("x", "End it", "end"), Answer("g", "Go on", "go")]
        dialog = ChoiceDialog(
            question.title,
            question.text,
            answers,
            is_sudden=True,
            glyphs=self._stage.glyphs,
            spared=self._stage.spared_lines(),
        )
        if await self._stage.app.push_screen_wait(dialog) == "end":
            self._stage.play(settlement.action)
        else:
            self._declined = turn

    def tell_end(self, outcome: Outcome) -> None:
        """Tells how it ended, once no other dialogue is open, and asks what next."""
        self._stage.run_worker(self._tell_end(outcome), group="ending", exclusive=True)

    async def _tell_end(self, outcome: Outcome) -> None:
        session, view = self._session, self._stage.view
        turn, seconds = session.turn, self._stopwatch.seconds
        while not self._stage.is_active:
            await asyncio.sleep(STANDSTILL)
        if session.turn is not turn or session.is_looking_back:
            return
        if self._finale.prepare is not None:
            await self._stage.thought(self._finale.prepare, turn)
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
        self.keep()
        text = "\n".join([text, *self._compared(turn)])
        following = await self._following() if is_won else None
        mood = Mood.TRIUMPH if is_won else Mood.DEFEAT if session.has_person else Mood.QUESTION
        answer = await self._ask_what_next(title, text, chance, mood, has_next=following is not None)
        self._layer, self.is_on = None, False
        self._stage.refresh_turn(())
        match answer:
            case "undo":
                self._replay.undo()
            case "again":
                self._stage.dismiss(self._stage.view.game.levels().named(self._session.arguments))
            case "restart":
                self._replay.restart()
            case "chance" if self._fate is not None:
                await self._fate.go_to_last_chance()
            case "learn" if self._learn is not None:
                await self._learn.begin()
            case "look":
                await self._look_back()
            case "next":
                self._stage.dismiss(following)
            case _:
                self._stage.dismiss()

    async def _following(self) -> Opening | None:
        """The opening to go on with after this level, if it is one of several."""
        if self._session.is_replay:
            return None
        return await self._stage.in_thread(next_opening, self._stage.view.game, self._session.arguments)

    def _compared(self, turn: Turn[Any, Any]) -> list[str]:
        """Sentences on the scores of an end beside the best of earlier games; none without any."""
        journal = self._stage.journal
        if journal is None or not (scores := self._finale.scores(turn.state)):
            return []
        bests = best_before(scores, journal.earlier(turn))
        return [_beside(score, best) for score, best in zip(scores, bests, strict=True) if best is not None]

    async def _ask_what_next(
        self, title: str, text: str, chance: Turn[Any, Any] | None, mood: Mood, *, has_next: bool
    ) -> str:
        is_final, again = self._stage.is_final, "restart"
        answers = [] if is_final else [Answer("backspace,ctrl+z", "Undo", "undo")]
        if is_final and self._session.arguments:
            again = "again"  # from the beginning
        if chance is not None:
            text += f"\nYou could still have won {until_turn(chance.ply)}."
            if chance is not self._session.turn.parent and not is_final:
                answers.append(Answer("x", "Last chance", "chance"))
        if self._curve is not None:
            answers.append(Answer("c", "Curve", "curve"))
        journal = self._stage.journal
        line = "" if journal is None else journal.daily_line()
        if line:
            answers.append(Answer("z", "Copy the line", "copy"))
        answers += [Answer("q", "Leave", "leave"), Answer("r", "Again", again)]
        if self._learn is not None:
            answers.append(Answer("L", "Learn", "learn"))
        answers.append(Answer("o,escape", "Look back", "look"))
        if has_next:
            answers.append(Answer("N", "Next", "next"))
        note = "Your day, to be sent to others"
        while True:
            question = ChoiceDialog(
                title,
                self._stage.spell(f"{text}\n{note}:\n{line}" if line else text),
                answers,
                is_sudden=True,
                is_leaving=True,
                glyphs=self._stage.glyphs,
                spared=self._stage.spared_lines(),
                mood=mood,
                has_sprites=self._stage.has_sprites,
            )
            answer = await self._stage.app.push_screen_wait(question)
            match answer:
                case "curve":
                    await self.plot()
                case "copy":
                    self._stage.app.copy_to_clipboard(line)
                    note = "Copied"
                case _:
                    return answer

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


def _beside(score: Score, best: int) -> str:
    """A sentence on a score and the best one before.

    >>> _beside(Score("moves", 50), 53), _beside(Score("treasure", 1, is_less_better=False), 2)
    ('Moves: 50, a new best; your best was 53.', 'Treasure: 1; your best is 2.')
    """
    aim = f"{capitalised(score.aim)}: {score.value:,}"
    if score.is_better_than(best):
        return f"{aim}, a new best; your best was {best:,}."
    return f"{aim}; your best is {best:,}." if score.value != best else f"{aim}, as good as your best."
