"""Logs what happens in the game."""

from typing import Any

from dungeon_tui.core.turns import Change, ChangeKind
from dungeon_tui.core.words import counted
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.line_view import LineView
from dungeon_tui.ui.play.replay import Replay
from dungeon_tui.ui.play.stage import Stage

TURNS_TO_REPEAT = 3  # shown in the log when a game resumes


class Story:
    """The messages of the game."""

    def __init__(self, stage: Stage, replay: Replay, line_view: LineView) -> None:
        self._stage, self._replay, self._line_view = stage, replay, line_view

    def begin(self) -> None:
        stage, session = self._stage, self._stage.session
        stage.messages.new_turn()
        stage.say(stage.view.facts(session.controller.first).goal, Meaning.WAY_OUT)
        for line in stage.view.greeting(session.controller.level):
            stage.say_line(line)
        if stage.journal is not None and not session.is_looking_back:
            for turn in session.turn.line()[1:][-TURNS_TO_REPEAT:]:
                stage.messages.new_turn()
                for line in stage.view.story(turn):
                    stage.say_line(line)

    def tell(self, change: Change[Any, Any]) -> list[str]:
        """Logs the events of a turn, or what else changed; returns the texts of the events."""
        stage = self._stage
        stage.messages.new_turn()
        if change.kind in (ChangeKind.APPLIED, ChangeKind.REDONE):
            lines = [*stage.view.story(change.after)]
            for line in lines:
                stage.say_line(line)
            return [line.text for line in lines]
        if stage.session.is_looking_back:
            if not self._line_view.is_on:
                stage.say(f"{self._replay.position()}.", transient=True)
        elif change.kind is ChangeKind.UNDONE:
            stage.say(f"Undone: {counted(change.after.ply, 'move')} so far.")
        elif change.kind is ChangeKind.RESTARTED:
            stage.messages.clear()
            stage.say("Back at the start of the level.")
        return []
