"""The timeline: shows the turns, where one is among them, and what there is to say of it."""

from __future__ import annotations

from dungeon_tui.core.words import counted
from dungeon_tui.ui.play.analysis import AnalysisBoard
from dungeon_tui.ui.play.learn import Learn
from dungeon_tui.ui.play.overlay import SPEEDS
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.replay import Replay
from dungeon_tui.ui.play.seats import Seats
from dungeon_tui.ui.widgets.timeline import Timeline, lines_wanted

ASIDE = "not your game; {why} takes you back"


class LineView(Part):
    """Shows the line in a recording, with an analysis, and where nobody plays by keys."""

    def __init__(
        self, stage: Stage, seats: Seats, replay: Replay, board: AnalysisBoard | None, learn: Learn | None
    ) -> None:
        self._stage = stage
        self._session = stage.session
        self._seats = seats
        self._replay = replay
        self._board = board
        self._learn = learn
        self.widget = Timeline(stage.glyphs, id="timeline")

    @property
    def has_verdicts(self) -> bool:
        """True while the analysis is shown, and judges turns."""
        return self._board is not None and self._board.is_on

    def lines(self, height: int) -> int:
        """Lines of a terminal of this height that the timeline takes while it is shown."""
        return lines_wanted(height, self.has_verdicts)

    def show(self, scene: Scene) -> None:
        """Shows the turns in the timeline; alerts to a variation where that has no room for words on it."""
        if self._session.variation is not None and self.lines(self._stage.app.size.height) < 2:
            scene.alerts.append(self.texts()[0])
        texts = tuple(self._stage.spell(text) for text in self.texts() if text)
        self.widget.show(self._session.line, self._session.turn.ply, texts)

    def texts(self) -> list[str]:
        """The words above the timeline, the most important first."""
        session, board = self._session, self._board
        if self._learn is not None and self._learn.lesson is not None:
            return [self._learn.task(), self._replay.place()]
        progress = f"playing, {counted(SPEEDS[self._seats.pace], 'move')} a second" if self._seats.is_playing else ""
        rest = [session.trouble, progress]
        if board is not None and board.is_on:
            judgement = board.present()
            rest = [judgement.text, judgement.fault, *rest]
        if session.variation is None:
            return [self._replay.place(), *rest]
        what = "what refutes" if session.players else "the best way on from"
        return [ASIDE, f"{what} turn {session.variation.origin.ply}", self._replay.place(), *rest]

    def first_keys(self) -> tuple[str, ...]:
        """The ids of the keys that matter most while the timeline is shown."""
        if self._learn is not None and self._learn.lesson is not None:
            return "help", "leave", "hint", "next", "learn"
        first = "help", "leave", "play", "step.back", "step.on"
        if self.has_verdicts:
            return (*first, "previous", "next", "learn", "why", "analysis")
        return (*first, "go_to_turn", "learn", *(("recording",) if self._session.has_left_recording else ()))
