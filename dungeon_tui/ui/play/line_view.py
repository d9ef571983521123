"""The timeline of the played turns with a comment on the current one, and the messages of the game."""

from collections.abc import Iterable
from typing import Any

from dungeon_tui.core.turns import Change, ChangeKind, Turn
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.ui.play.analysis import TIMELINE_MARKS, AnalysisBoard
from dungeon_tui.ui.play.learn import Learn
from dungeon_tui.ui.play.overlay import SPEEDS
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.replay import Replay
from dungeon_tui.ui.play.seats import Seats
from dungeon_tui.ui.widgets.message_log import LogLine
from dungeon_tui.ui.widgets.timeline import ROOMY, Timeline, has_contrast, lines_wanted

TURNS_TO_REPEAT = 20  # in the log when a game resumes, or goes back
BACK = "Back to your game"


class LineView(Part):
    """Shows the timeline in recordings, during analysis, and when strategies play."""

    def __init__(
        self, stage: Stage, seats: Seats, replay: Replay, board: AnalysisBoard | None, learn: Learn | None
    ) -> None:
        super().__init__(stage)
        self._seats = seats
        self._replay = replay
        self._board = board
        self.learn = learn
        self.widget = Timeline(stage.glyphs, id="timeline")

    @property
    def has_verdicts(self) -> bool:
        return self._board is not None and self._board.is_on

    @property
    def has_graph(self) -> bool:
        return self.has_verdicts and has_contrast(self._session.line)

    @property
    def is_learning(self) -> bool:
        return self.learn is not None and self.learn.is_on and self.learn.lesson is not None

    def lines(self, height: int) -> int:
        if height - self._stage.rows in (2, 3) and not (self._stage.has_panel or self.is_learning):
            return 1  # the map just fits: more would hide rows of it
        return lines_wanted(height, self.has_graph)

    def update(self) -> None:
        if self._board is not None:
            self._board.update()
        self.is_on = self.has_verdicts or self.is_learning or self._session.is_replay or not self._session.has_person

    def show(self, scene: Scene) -> None:
        if self._session.variation is not None and self.lines(self._stage.app.size.height) < 2:
            scene.alerts.append(self.texts()[0])
        texts = tuple(map(self._stage.spell, filter(None, self.texts())))
        texts = (*map(capitalised, texts[:1]), *texts[1:])
        line, numbers = self._session.line, self._replay.numbers()
        first = next((ply for ply, turn in enumerate(line.turns) if self._session.is_persons(turn)), 0)
        self.widget.show(line, self._session.turn.ply, numbers, texts, first)

    def texts(self) -> list[str]:
        session, board = self._session, self._board
        if self.learn is not None and self.learn.lesson is not None:
            return [self.learn.task()]
        progress = f"playing, {counted(SPEEDS[self._seats.pace], 'move')} a second" if self._seats.is_playing else ""
        rest = [session.trouble, progress]
        if board is not None and board.is_on:
            judgement = board.present()
            verdict, best, legend = judgement.text, board.best, board.legend * (board.shown_fault is not None)
            if self._stage.has_panel:  # which has them
                verdict = best = legend = ""
            fault = f"last move: {judgement.fault}" * bool(judgement.fault and session.variation is None)
            rest = [best, verdict, fault, *rest, legend]
        if session.variation is None:
            is_roomy = self.has_verdicts and self._stage.app.size.height >= ROOMY  # else the help has the marks
            position = self._replay.position() if self._replay.numbers()[1] else "Before the first move"
            bars = board.analysis.bars if board is not None and self.has_graph else ""
            is_marked = self.has_graph or session.line.faults
            return [position, *rest, bars, *([TIMELINE_MARKS] if is_roomy and is_marked else [])]
        what = "Refutation of" if session.players else "Best play from"
        return [f"{what} {session.turn_name(session.variation.origin)}", self._replay.position(), *rest]

    def first_keys(self) -> dict[str, str]:
        """Ids of the keys that come first in the footer, with their labels there; empty: the usual one."""
        session = self._session
        end = {"end_page": ""} if session.has_ended and (session.is_looking_back or session.outcome) else {}
        if self.learn is not None and (lesson := self.learn.lesson) is not None:
            more = {"previous": "", "next": ""} if len(lesson) > 1 else {}
            return {"help": "", "learn": BACK, "leave": BACK, "hint": "Show", **more, "play": "Play on"}
        steps = {"step.back": "", **({"step.on": ""} if session.goes_on else {})}
        if self.has_verdicts:
            faults = {"previous": "Mistakes", "next": "Mistakes"} if session.line.faults else {}
            play = {"play": ""} if session.goes_on or session.outcome else {}
            is_aside = session.variation is not None
            shown = dict.fromkeys(("analysis", "why", "leave"), BACK) if is_aside else {"analysis": "Hide"}
            why = {"why": ""} if not is_aside and (faults or not session.players) else {}
            keys = {**steps, **faults, **why, **({"learn": ""} if faults else {}), "undo": "", **play}
            return {"help": "", **shown, **end, **keys}
        if not self.is_on:
            keys = {**(steps if session.is_looking_back else {}), **end, "analysis": ""}
            return {"help": "", "leave": "", **keys, **({"learn": ""} if end else {})} if len(keys) > 1 else {}
        return {"help": "", "leave": "", **end, "play": "", "step.back": "", "step.on": "", "learn": ""}


class Story:
    """The messages of the game."""

    def __init__(self, stage: Stage, replay: Replay, line_view: LineView) -> None:
        self._stage, self._replay, self._line_view = stage, replay, line_view

    def begin(self) -> None:
        """Logs the greeting, or the turns that led here."""
        stage, turns = self._stage, self._stage.session.turn.line()
        stage.messages.clear()
        if len(turns) <= TURNS_TO_REPEAT:
            stage.messages.new_turn()
            for line in self._news(turns[0], stage.view.greeting(stage.session.controller.level)):
                stage.say_line(line)
        for turn in turns[1:][-TURNS_TO_REPEAT:]:
            stage.messages.new_command()  # not as one journey
            self._tell(turn)
        if not (stage.session.has_ended or self._line_view.is_on):
            stage.say_goal(goal := stage.view.facts(turns[-1]).goal, goal)  # last: always in sight

    def _tell(self, turn: Turn[Any, Any]) -> list[str]:
        is_reply = turn.parent is not None and not self._stage.session.is_persons(turn.parent)
        self._stage.messages.new_turn(is_reply=is_reply, is_new_level=turn.begins_level)
        view = self._stage.view
        goal, lines = view.facts(turn).goal, self._news(turn, view.story(turn))
        for line in lines:
            self._stage.say_line(line, view.facts(turn.parent).goal if turn.parent and line.text == goal else "")
        return [line.text for line in lines]

    def _news(self, turn: Turn[Any, Any], lines: Iterable[LogLine]) -> list[LogLine]:
        """The lines that the panel, if there is one, doesn't show."""
        shown = self._stage.view.facts(turn).goal if self._stage.has_panel else ""
        return [line for line in lines if line.text != shown]

    def tell(self, change: Change[Any, Any]) -> list[str]:
        """Logs the events of a turn, or the turns before an earlier one; returns the texts of new events."""
        stage = self._stage
        if change.kind in (ChangeKind.APPLIED, ChangeKind.REDONE):
            return self._tell(change.after)
        self.begin()
        if stage.session.is_looking_back:
            if not self._line_view.is_on:
                stage.say(f"{self._replay.position()}.", transient=True)
        elif change.kind is ChangeKind.UNDONE:
            stage.say(f"Undone{': back on the level before' * change.before.begins_level}.", transient=True)
        elif change.kind is ChangeKind.RESTARTED:
            counts = " What helped you counts until you win." * bool(stage.journal and stage.journal.used(change.after))
            stage.say(f"Back at the start of the level.{counts}", transient=True)
        return []
