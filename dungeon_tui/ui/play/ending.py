"""The curve of a game, and the dialog at its end."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dungeon_tui.core.catalogue import Opening, next_opening
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import capitalised
from dungeon_tui.storage.journal import Journal, Stopwatch
from dungeon_tui.storage.results import best_before
from dungeon_tui.ui.keys import GAME, LOOKING, Command, Key
from dungeon_tui.ui.play.analysis import AnalysisBoard
from dungeon_tui.ui.play.fate import Fate
from dungeon_tui.ui.play.features import Curve, Outlook
from dungeon_tui.ui.play.learn import Learn
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.replay import Replay
from dungeon_tui.ui.play.seats import DIALOG_POLL_INTERVAL_S
from dungeon_tui.ui.widgets.dialogs import Answer, ChoiceDialog, Mood

_CURVE = Key("curve", "V", "Curve", "plot the game so far", LOOKING)
_LOOKS = "analysis", "why"  # keys that look back, too
_END_PAGE = Key("end_page", "E", "End page", "the result again, and what to do next", GAME)
_NEXT = Key("next_level", "N", "Next", "the next level, once this one is won or your one life is lost", GAME)
STARS = "Stars in the menu: 1 for a win, 2 for a win {}, 3 also without {}. Hints count as help."


class Ending(Part):
    """Shows how games end. On from the end dialog on, which you may close to look back."""

    def __init__(
        self, stage: Stage, replay: Replay, board: AnalysisBoard | None, learn: Learn | None, fate: Fate | None
    ) -> None:
        super().__init__(stage)
        self._replay = replay
        self._board = board
        self._learn = learn
        if learn is not None:
            learn.after = self.tell_end_again
        self._fate = fate
        self._curve = self._view.feature(Curve)
        self._end: Turn[Any, Any] | None = None  # that the dialog showed
        self._following: Opening | None = None  # the level after one that is over
        self._stopwatch = Stopwatch(stage.session.controller) if stage.journal is None else stage.journal.stopwatch

    def commands(self) -> Sequence[Command]:
        curve = [Command(_CURVE, self.plot)] if self._curve is not None else []
        return [*curve, Command(_END_PAGE, self.show_end), Command(_NEXT, self.open_next)]

    def show(self, scene: Scene) -> None:
        layer = self._view.ending_layer(scene.turn.state) if scene.turn is self._end else None
        scene.layers += [layer] if layer is not None else []

    # -- the curve

    async def plot(self) -> None:
        assert self._curve is not None
        self._stage.end_choosing()
        if self._curve.is_answer(self._session.state):
            self._stage.mark_helped("the curve")
        figure = await self._stage.thought(self._curve.figure, self._session.state)
        if figure is None:
            return
        if isinstance(figure, str):
            self._say(figure)
            return
        from dungeon_tui.ui.widgets.plot import PlotScreen  # slow import: a plotting library

        title = self._view.facts(self._session.turn).title
        await self._stage.app.push_screen_wait(PlotScreen(title, figure, self._stage.glyphs))

    # -- the end

    def keep(self) -> None:
        """Stores the result of a finished game, with its par if known. Safe to call twice."""
        session, journal = self._session, self._stage.journal
        if journal is None or session.is_looking_back or not session.has_person or session.variation is not None:
            return
        if (outcome := session.outcome) is not None:
            journal.add_end(session.turn, outcome, self._view.scores(session.state))

    def tell_if_cut_off(self) -> None:
        """Shows the end dialog of a game that was interrupted before it appeared."""
        journal, outcome = self._stage.journal, self._session.outcome
        if journal is not None and outcome is not None and journal.was_cut_off(self._session.turn):
            self.tell_end(outcome)

    def show_end(self) -> None:
        """Goes to the end of the game, and shows its dialog again."""
        self._replay.stop_play()
        if self._session.has_ended:
            self._session.seek(len(self._session.line) - 1)
            self.tell_end_again()
        else:
            self._say("Your game is not over yet.", transient=True)

    def open_next(self) -> None:
        """Opens the next level if this one is over for good."""
        if self._following is None:
            self._say("Win this level to open the next one.", transient=True)
        else:
            self._stage.open_instead(self._following)

    def tell_end_again(self, note: str = "") -> None:
        """Shows the dialog, with a note, if you are at the end of your game."""
        if (outcome := self._session.outcome) is not None and self._session.has_ended:
            self._session.is_looking_back = False
            self._stage.refresh_turn()
            self.tell_end(outcome, note)

    def tell_end(self, outcome: Outcome, note: str = "") -> None:
        """Shows the result once no other dialog is open."""
        self._start(self._tell_end, outcome, note, group="ending", exclusive=True)

    async def _tell_end(self, outcome: Outcome, note: str) -> None:
        session, view = self._session, self._view
        turn, seconds = session.turn, self._stopwatch.seconds
        # Wait until the screen is in front; the player may have gone back by then.
        while not self._stage.is_active:
            await asyncio.sleep(DIALOG_POLL_INTERVAL_S)
        if session.turn is not turn or session.is_looking_back:
            return
        await self._stage.thought(view.prepare_ending, turn)
        # Find out who won, and the last chance of a loser.
        is_won = view.is_won(turn.state, outcome, session.persons)
        doom = await self._fate.doom(turn) if self._fate is not None and not is_won else Outlook("")
        if session.turn is not turn:
            return
        # Draw the end on the map, save it, and ask what to do next.
        self._end, self.is_on = turn, True
        self._stage.refresh_turn()
        title, text = view.ending(turn.state, outcome, seconds)
        journal = self._stage.journal
        if is_won or self._stage.is_final or (journal is not None and journal.is_daily):
            self.keep()
        line = "" if journal is None else journal.daily_line()
        compared, help_text = [] if line else self._compared(turn), ""
        if journal is not None and (is_won or self._stage.is_final):
            used = journal.used(turn)
            help_text = f"Used: {used}." * bool(used)
            stars, most = journal.stars(turn)
            if is_won and stars:
                star = self._stage.glyphs.star
                title = f"{title} {star * stars}"
                has_par = any(score.par is not None for score in view.scores(turn.state))
                second, aids = stars_ask("at par" * has_par, journal)
                rule = f"{star * 2}: win {second}. {star * 3}: also without {aids}."
                rule *= not compared  # else the first win told it
                if stars == 2:
                    rule = f"{star * 3}: win again without {'them' if len(used.names) > 1 else 'it'}." if used else rule
                if most > stars:
                    rule = f"Your best: {star * most}."
                help_text = f"{help_text} {rule}".strip() * (stars < 3)
        last = " ".join(filter(None, [note, help_text]))
        lines = text, self._blame(doom), view.ending_legend(turn.state) * (not note), *compared, last
        text = "\n".join(filter(None, lines))
        self._following = await self._find_following() if is_won or self._stage.is_final else None
        mood = Mood.TRIUMPH if is_won else Mood.DEFEAT if session.has_person else Mood.QUESTION
        answer = await self._ask_what_next(title, text, doom, mood, has_next=self._following is not None)
        # Act on the answer; a lost game that is taken back is not over.
        if answer not in ("undo", "last_chance"):
            self.keep()
        self._stage.refresh_turn()
        if answer in ("look", *_LOOKS):
            await self._look_back()
        is_shown = answer == "analysis" and self._board is not None and self._board.is_on
        if answer != "look" and not is_shown:
            await self._stage.run_action(f"command('{answer}')")

    async def _find_following(self) -> Opening | None:
        if self._session.is_replay:
            return None
        won = () if self._stage.journal is None else self._stage.journal.levels_won()
        return await self._stage.in_thread(next_opening, self._view.game, self._session.arguments, won)

    def _compared(self, turn: Turn[Any, Any]) -> list[str]:
        journal = self._stage.journal
        if journal is None or not (scores := self._view.scores(turn.state)):
            return []
        # Points sum up the other scores, and compare over all seeds, as most games have one of their own.
        is_summed = scores[0].aim == "points"
        scores = scores[:1] if is_summed else scores
        bests = best_before(scores, journal.earlier(turn, of_all_seeds=is_summed))
        return [_beside(score, best) for score, best in zip(scores, bests, strict=True) if best is not None]

    async def _ask_what_next(self, title: str, text: str, doom: Outlook, mood: Mood, *, has_next: bool) -> str:
        is_final = self._stage.is_final
        is_chance = doom.last_chance is not None and doom.last_chance is self._session.turn.parent  # undo goes there
        answer_to, answers = self._stage.answer, list[Answer]()
        if not is_final:
            answers = [answer_to("undo", "Undo")]
            if doom.last_chance is not None:
                answers.append(answer_to("last_chance", "Last chance"))
            if is_chance:
                answers = [replace(answers[0], keys=",".join(each.keys for each in answers))]
        if self._curve is not None:
            answers.append(answer_to("curve", "Curve"))
        journal = self._stage.journal
        line = "" if journal is None else journal.daily_line()
        if line:
            answers.append(Answer("C", "Copy the line", "copy"))
        answers += [
            answer_to("leave", "Leave"),
            answer_to("restart", "Again" if is_final or not self._session.can_retry_level else "Level again"),
        ]
        unused, is_flawless = self._view.unused_keys(self._session.state), self._view.is_flawless(self._session.state)
        if self._learn is not None and "learn" not in unused and not is_flawless:  # else it finds nothing
            answers.append(answer_to("learn", "Learn"))
        # Enter is the last one: the way on after a win, a look back after a loss.
        is_won, look = mood is Mood.TRIUMPH, Answer("escape", "Look back", "look")
        following = [answer_to("next_level", "Next" if is_won else "New game")] * has_next
        answers += [look, *following] if is_won else [*following, look]
        answers.sort(key=lambda each: bool(line) and is_won and each.value == "leave")
        answers = [*(answer_to(name, "") for name in _LOOKS if self._board is not None), *answers]
        is_first = journal is None or journal.is_first_end(self._session.turn)
        note, is_sudden = "Your result, to share" if is_first else "Your first try counts", True
        while True:
            shown = self._stage.spell(f"{text}\n{note}:\n{line}" if line else text)
            match answer := await self._choose(title, shown, answers, is_sudden=is_sudden, mood=mood):
                case "curve":
                    await self.plot()
                case "copy":
                    self._stage.app.copy_to_clipboard(line)
                    note = "Copied"
                case _:
                    return answer
            is_sudden = False  # it is you who opens it again

    def _blame(self, doom: Outlook) -> str:
        """The move that lost the game, as far as that is known."""
        chance, lost = doom.last_chance, doom.lost_from
        if chance is None:
            if lost is None or lost.parent is not None:
                return "" if lost is None else "Which move lost the game is unknown: a proof takes too long."
            return "There was no win from the start: no move of yours lost it."
        if lost is None or lost.parent is not chance:
            before = f"Before {doom.move}" if doom.move else f"At {self._session.turn_name(chance)}"
            return f"{before} you could still have won; which later move lost the game is unknown."
        move = doom.move or f"your move {self._session.own_moves(lost):,}"
        return f"{capitalised(move)} {doom.did}{doom.better}."

    async def _choose(
        self,
        title: str,
        text: str,
        answers: Sequence[Answer],
        *,
        is_sudden: bool = True,
        mood: Mood = Mood.QUESTION,
    ) -> str:
        stage = self._stage
        dialog = ChoiceDialog(title, text, answers, is_sudden=is_sudden)
        dialog.rows_to_keep_visible, dialog.columns_aside = stage.rows_to_keep_visible(), stage.columns_aside()
        figures = () if mood is Mood.QUESTION else self._view.figures(self._session.state)
        dialog.dress(mood, figures, has_sprites=stage.map.has_sprites)
        return await stage.app.push_screen_wait(dialog)

    async def _look_back(self) -> None:
        self._replay.look_back()
        more = "{end_page} shows the end page" if self._following is None else "{next_level} opens the next level"
        keys = f"{{step.back}} and {{step.on}} step through the turns, {more}."
        if self._end is self._session.turn and (legend := self._view.ending_legend(self._end.state)):
            self._say(legend)
        self._say(f"{self._replay.position()}: {keys}", transient=True)
        session, outcome = self._session, self._session.outcome
        if self._board is None or "analysis" in self._view.unused_keys(session.state):
            return
        if self._board.is_on:
            if count := self._board.count():
                self._say(count)
        elif self._stage.is_final or outcome is None or self._view.is_won(session.state, outcome, session.persons):
            await self._board.open("Look back")  # after a loss it would count as help, unasked


def stars_ask(par: str, journal: Journal | None) -> tuple[str, str]:
    """The condition of the second star, `par` if there is one, and the aids that cost the third."""
    aids = [*["help"] * bool(par), "undo", *["a restart"] * bool(journal and journal.is_daily)]
    return par or "without help", " or ".join(aids)


def _beside(score: Score, best: int) -> str:
    """Compares a score with the previous best; points, which the end page tells, on any seed.

    >>> _beside(Score("moves", 50), 53), _beside(Score("points", 1, is_less_better=False), 2)
    ('Moves: 50, a new best; your best was 53.', 'Your best on any seed is 2.')
    """
    aim, is_new = f"{capitalised(score.aim)}: {score.value:,}", score.is_better_than(best)
    if score.aim == "points":
        return f"A new best: {best:,} was the best on any seed." if is_new else f"Your best on any seed is {best:,}."
    if is_new:
        return f"{aim}, a new best; your best was {best:,}."
    return f"{aim}; your best is {best:,}." if score.value != best else f"{aim}, as good as your best."
