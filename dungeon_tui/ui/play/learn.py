"""Learning from one's mistakes: each is put before one again, until the better move is found or shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dungeon_tui.core.lesson import Lesson, own_faults
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.core.session import Variation
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import capitalised
from dungeon_tui.ui.keys import TURNS, Command, Key
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.analysis import NEXT, AnalysisBoard, MoveMarks, MoveValue, best_told
from dungeon_tui.ui.play.hints import HINT, Hints
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.seats import Seats

_LEARN = Key("learn", "L", "L", "Learn", "your mistakes once more: look for the better moves; again: back", TURNS)


class Learn(Part):
    """Puts mistakes before one in variations, and takes moves as answers. It is on during a lesson."""

    def __init__(self, stage: Stage, board: AnalysisBoard, hints: Hints | None, seats: Seats) -> None:
        self._stage = stage
        self._session = stage.session
        self._board = board
        self._hints = hints
        self._seats = seats
        self._lesson: Lesson | None = None
        self._variation: Variation | None = None  # in which the present mistake stands
        self.moves: Sequence[MoveValue] = ()  # that can be played instead of it

    def commands(self) -> Sequence[Command]:
        """The key of a lesson; during one, those of hints and of the next mistake are its own."""
        return [Command(_LEARN, self.begin_or_end), Command(HINT, self._solve), Command(NEXT, self._next)]

    @property
    def lesson(self) -> Lesson | None:
        """The lesson that is given, if one is."""
        return self._lesson if self._variation is not None and self._session.variation is self._variation else None

    def show(self, scene: Scene) -> None:
        """Marks what was played and tried, and once that is over, the better moves; says so where a lesson was left."""
        lesson = self.lesson
        if lesson is None:
            self.is_on = False
            self._stage.call_next(self._tell_end)
            return
        if scene.turn is lesson.origin:
            wrong = [lesson.fault.action, *lesson.tried]
            marks = MoveMarks(self._stage.view.picture(scene.turn.state), scene.columns, self._stage.glyphs)
            scene.layers.append(marks.faults(self.moves, wrong, shows_best=lesson.is_over))

    def task(self) -> str:
        """The present mistake's number and what to do, in a sentence with names of keys."""
        lesson = self._lesson
        assert lesson is not None
        played = self._named(lesson.fault.action)
        what = f"find a better move{f' than {played}' if played else ''}. {{hint}} shows it"
        if lesson.is_over:
            what = "{next} goes on" if lesson.number < len(lesson) else "{next} takes you back to your game"
        return f"Learn, {lesson.number} of {len(lesson)}: {what}."

    def _named(self, action: Any) -> str:
        """A move with what it costs: "← (+2)"; empty for one that has no name."""
        return "".join(f"{each.name} ({each.cost})" for each in self.moves if each.action == action)

    # -- its keys

    async def begin_or_end(self) -> None:
        """Begins a lesson, or ends the one that is given."""
        if self.lesson is not None:
            self.end()
        else:
            await self.begin()

    async def begin(self) -> None:
        """Begins a lesson with the first mistake, once all turns are judged; says so where there is none."""
        self._stage.end_choosing()
        self._seats.stop()
        self._seats.leave_variation()
        turn, visit = self._session.turn, self._stage.visit
        if not await self._board.judge_all() or self._stage.visit != visit or self._session.turn is not turn:
            return
        faults = own_faults(self._session)
        if not faults:
            self._stage.say("Nothing to learn from: you made no mistakes.")
            return
        self._lesson = Lesson(faults)
        self._put()

    def _put(self) -> None:
        """Goes before the present mistake, and says what was played once it is known what each move costs."""
        assert self._lesson is not None
        lesson, self.moves = self._lesson, ()
        self._variation = self._board.hidden_in = self._session.begin_variation(lesson.origin)
        self.is_on = True
        self._stage.refresh_turn()
        self._stage.run_worker(self._tell_task(lesson, lesson.origin), group="lesson", exclusive=True)

    async def _tell_task(self, lesson: Lesson, origin: Turn[Any, Any]) -> None:
        moves = await self._board.moves_of(origin)
        if self.lesson is lesson and lesson.origin is origin:
            self.moves = moves
            self._stage.refresh_turn(())
            has_name = self._named(lesson.fault.action)
            told = () if has_name else (line.text for line in self._stage.view.story(lesson.fault))
            self._stage.say(" ".join([*told, self.task()]))

    async def attempt(self, action: Any) -> None:
        """Takes a move as an answer: plays a right one and praises it, says of a wrong one what it costs."""
        lesson, variation = self.lesson, self._session.variation
        assert lesson is not None
        assert variation is not None
        origin = lesson.origin
        if lesson.is_over:
            self._stage.mention(self.task())
            return
        self._session.controller.go_to(origin)
        try:
            state, events = self._session.controller.rules.step(origin.state, action)
        except IllegalActionError as error:
            self._stage.refuse(error)
            return
        turn: Turn[Any, Any] = Turn(state, action, events, origin, origin.ply + 1)
        judgement = await self._stage.thought(self._board.analysis.judge, turn)
        if judgement is None or self.lesson is not lesson or self._session.turn is not origin:
            return
        if lesson.answer(action, judgement):
            variation.apply(action)
            self._stage.say(f"Right: {judgement.text}. {self.task()}", Meaning.PRIZE)
        else:
            what = "That was played" if action == lesson.fault.action else "No"
            told = self._named(action) or judgement.text
            self._stage.say(f"{what}: {told}. Try another one; {{hint}} shows it.", Meaning.FOE)
        self._stage.refresh_turn(())

    def _solve(self) -> None:
        """Shows the better moves of the present mistake; where no lesson is given, the next step of a hint."""
        lesson = self.lesson
        if lesson is None:
            if self._hints is not None:
                self._hints.hint()
        elif lesson.is_over:
            self._stage.mention(self.task())
        else:
            lesson.show()
            self._stage.run_worker(self._tell_better(lesson), group="learn", exclusive=True)

    async def _tell_better(self, lesson: Lesson) -> None:
        """Says which moves are better; where they have no names, what a hint says."""
        better = best_told(self.moves)
        told = f"{capitalised(better)} was better." if better else ""
        if not better and self._hints is not None:
            told = await self._hints.move_told(lesson.origin.state)
        self._stage.say(f"{told} {self.task()}".lstrip(), Meaning.PRIZE)
        self._stage.refresh_turn(())

    def _next(self) -> None:
        """Goes to the next mistake, after the last one back to the game; where no lesson is given, as ever."""
        lesson = self.lesson
        if lesson is None:
            self._board.next_fault(1)
        elif lesson.next():
            self.is_on = False
            self._session.leave_variation()
            self._put()
        else:
            self.end()

    def end(self) -> None:
        """Goes back to the game as it was."""
        self._seats.leave_variation()

    def _tell_end(self) -> None:
        """Says how many of the mistakes were mended."""
        assert self._lesson is not None
        self._stage.say(f"{self._lesson.found} of {len(self._lesson)} found. This is your game again, as it was.")
