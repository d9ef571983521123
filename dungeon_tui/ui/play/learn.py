"""Learn from your mistakes, then from slips: solve each position again until you find the better move or ask for it."""

from collections.abc import Callable, Sequence
from functools import partial
from re import sub
from typing import Any

from dungeon_tui.core.lesson import Lesson, own_faults, unknown_text
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import sentence
from dungeon_tui.ui.keys import TURNS, Command
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.analysis import (
    ANALYSIS,
    LEARN,
    NEXT,
    PREVIOUS,
    TIMELINE_MARKS,
    WHY,
    AnalysisBoard,
    MoveMarks,
    MoveValue,
    best_names,
    played_text,
)
from dungeon_tui.ui.play.hints import HINT, Hinting
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.replay import PLAY, Replay
from dungeon_tui.ui.play.seats import Seats
from dungeon_tui.ui.widgets.message_log import LogLine
from dungeon_tui.ui.widgets.timeline import MISTAKE, SLIP

NOT_IN_A_LESSON = "The lesson has no such key here; {learn} ends it."


class Learn(Part):
    """Presents mistakes as variations and takes moves as answers. On during a lesson."""

    def __init__(self, stage: Stage, board: AnalysisBoard, hints: Hinting | None, seats: Seats, replay: Replay) -> None:
        super().__init__(stage)
        self._board = board
        self._hints = hints
        self._seats, self._replay = seats, replay
        self._lesson: Lesson | None = None
        self.moves: Sequence[MoveValue] = ()  # alternatives to the mistake
        self.after: Callable[[str], object] = lambda result: None  # called when a lesson has ended or there is none

    def commands(self) -> Sequence[Command]:
        found = [Command(key, partial(self.go, steps)) for key, steps in ((PREVIOUS, -1), (NEXT, 1))]
        return [Command(LEARN, self.begin_or_end), Command(HINT, self._solve), *found, Command(PLAY, self._play_on)]

    @property
    def lesson(self) -> Lesson | None:
        return self._lesson if self._board.is_hidden else None

    @property
    def is_over(self) -> bool:
        """True in a lesson whose better move was found or shown."""
        return self.lesson is not None and self.lesson.is_over

    def show(self, scene: Scene) -> None:
        lesson = self.lesson
        if lesson is None:
            self.is_on = False
            self._stage.call_next(self._tell_end)
            return
        if scene.turn is lesson.origin:
            wrong = lesson.tried | {lesson.fault.action: lesson.judgement}
            picture, tint = self._view.picture(scene.turn.state), self._board.analysis.best_tint
            marks = MoveMarks(picture, scene.columns, self._stage.glyphs, best_tint=tint)
            if lesson.is_over and (line := self._board.analysis.drawn(scene.turn.state, True)) is not None:
                scene.layers.append(line)
            scene.layers.append(marks.faults(self.moves, wrong, shows_best=lesson.is_over))

    def task(self) -> str:
        lesson = self._lesson
        assert lesson is not None
        action = lesson.fault.action
        written = self._session.controller.rules.action_text(action)
        played = played_text(self.moves, action, written) if self.moves else ""
        mark = MISTAKE if lesson.judgement.is_mistake else SLIP  # in the timeline
        what = f": what is best instead of {sub('^stay(?!ing)', 'staying', played) or 'your move'}?"
        if lesson.is_over:
            what = f". Enter: {'the next one' if lesson.number < len(lesson) else 'back to your game'}."
        return f"Learn {lesson.number} of {len(lesson)}, a {lesson.judgement.kind} ({mark}){what}"

    # -- its keys

    def refused(self) -> set[str]:
        """Ids of the keys that would leave the position of the lesson; none outside of lessons."""
        if self.lesson is None:
            return set()
        turns = {key.id for key in self._stage.keys if key.keys and key.section is TURNS}
        is_answered = self._session.turn is not self.lesson.origin
        turns -= {LEARN.id, PREVIOUS.id, NEXT.id, *[PLAY.id] * self._may_play_on}
        return turns | {ANALYSIS.id, WHY.id, "curve", *[HINT.id] * is_answered}

    @property
    def _may_play_on(self) -> bool:
        """True after a right answer that does not end the game."""
        return self.lesson is not None and self._session.turn is not self.lesson.origin and not self._session.outcome

    def _play_on(self) -> None:
        """Makes the right answer a move of the game; outside a lesson, plays the turns or pauses."""
        if self.lesson is None:
            self._replay.play_or_pause()
            return
        if self._stage.journal is not None:
            self._stage.journal.forgive(self.lesson.fault)
        self.is_on = self._board.is_on = False  # looking back opened it
        self._session.play_on()
        self._say("You play on from here. {other_line} goes back to the later turns.", transient=True)
        self._stage.refresh_turn()
        self._seats.answer()

    async def begin_or_end(self) -> None:
        if not self.close():
            await self.begin()

    async def begin(self) -> None:
        if self._session.own_moves(self._session.line.turns[-1]) and self._stage.asks_first(LEARN):
            return
        self._stage.end_choosing()
        self._seats.stop()
        self._seats.leave_variation()
        turn = self._session.turn
        if not await self._board.judge_all() or self._session.turn is not turn or self.lesson is not None:
            return
        faults = own_faults(self._session)
        if not faults:
            unknown = unknown_text(self._session.line.judgements)
            self._finish(f"Nothing to learn: no mistakes or slips in this line{f'; {unknown}' * bool(unknown)}.")
            return
        faults = dict(sorted(faults.items(), key=lambda fault: not fault[1].is_mistake))
        self._stage.mark_helped("Learn")
        self._lesson = Lesson(faults, self._lesson.found if self._lesson is not None else ())
        self._put()
        first = " Mistakes come first." * (len({fault.is_mistake for fault in faults.values()}) > 1)
        self._say(f"In the line: {TIMELINE_MARKS}.{first}", transient=True)

    def _put(self) -> None:
        assert self._lesson is not None
        lesson, self.moves = self._lesson, ()
        self._board.hidden_in = self._session.begin_variation(lesson.origin)
        self.is_on = True
        self._stage.messages.new_turn(is_new_level=True)  # the task is what counts now
        self._stage.refresh_turn()
        self._start(self._show_moves, lesson, lesson.origin, group="lesson", exclusive=True)

    async def _show_moves(self, lesson: Lesson, origin: Turn[Any, Any]) -> None:
        moves = await self._board.moves_of(origin)
        if self.lesson is lesson and lesson.origin is origin:
            self.moves = moves
            self._stage.refresh_turn()

    async def attempt(self, action: Any) -> None:
        lesson, variation = self.lesson, self._session.variation
        assert lesson is not None
        assert variation is not None
        origin = lesson.origin
        if self._session.turn is not origin:  # the right answer was played
            return
        try:
            judgement = await self._judgement(lesson, action)
        except IllegalActionError as error:
            self._stage.say_illegal(error)
            return
        if judgement is None:
            return
        if lesson.answer(action, judgement):
            variation.apply(action)
            reason = await self._stage.in_thread(self._board.analysis.explanation, origin.state, lesson.fault.action)
            self._say(f"Correct: {reason or f'{judgement.text}.'}", Meaning.PRIZE, transient=True)
        else:
            is_losing = any(move.losing for move in self.moves if move.action == action)
            is_better = judgement.is_slip and lesson.judgement.is_mistake and not is_losing
            what = "Better, not best" if is_better else "No better"
            what = "That was played" if action == lesson.fault.action else what
            text = played_text(self.moves, action, "") or judgement.text
            again = "" if lesson.is_over else " Try again; {hint} shows it."
            self._say(f"{what}: {text}.{again}", Meaning.FOE, transient=True)
        self._stage.refresh_turn()

    async def _judgement(self, lesson: Lesson, action: Any) -> Judgement | None:
        """The judgement of an answer; None if the lesson is past it. Raises IllegalActionError."""
        origin = lesson.origin
        state, events = self._session.controller.rules.step(origin.state, action)
        turn: Turn[Any, Any] = Turn(state, action, events, origin, origin.ply + 1)
        judgement = await self._stage.thought(self._board.analysis.judge, turn)
        return judgement if self.lesson is lesson and lesson.origin is origin else None

    def _solve(self) -> None:
        """Shows the better moves, and what the first one leads to; outside a lesson, gives a hint."""
        lesson = self.lesson
        if lesson is None:
            if self._hints is not None and self._seats.is_answering:
                self._seats.wait_for(partial(self._hints.hint))
            elif self._hints is not None:
                self._hints.hint()
        elif best := [move for move in self.moves if move.is_best]:
            lesson.show()
            self._stage.refresh_turn()
            self._start(self._explain, lesson, best, group="lesson", exclusive=True)

    async def _explain(self, lesson: Lesson, best: Sequence[MoveValue]) -> None:
        judgement = await self._judgement(lesson, best[0].action)
        reason = await self._stage.in_thread(self._board.analysis.explanation, lesson.origin.state, lesson.fault.action)
        if judgement is not None:
            text = f"Best: {best_names(best)}. {reason or sentence(f'then {judgement.text}')}"
            if self._board.analysis.drawn(lesson.origin.state) is not None:
                text = f"{text} {self._board.analysis.reason(lesson.origin)}".rstrip()
            self._stage.say_line(LogLine(text, Meaning.PRIZE, is_aside=True))

    def go(self, steps: int) -> None:
        """Goes to the next or previous mistake. After its last mistake the lesson ends."""
        lesson = self.lesson
        if lesson is None:
            self._board.next_fault(steps)
        elif lesson.go(steps):
            self.is_on = False
            self._session.leave_variation()
            self._put()
        elif steps > 0:
            self.close()

    def close(self) -> bool:
        return self.lesson is not None and self._seats.leave_variation()

    def _tell_end(self) -> None:
        assert self._lesson is not None
        lesson = self._lesson
        self._finish(f"Better moves found: {len(lesson.found)} of {len(lesson)}." * bool(lesson.found))

    def _finish(self, text: str) -> None:
        self._say(text or "Back in your game.", transient=True)
        self.after(text)
