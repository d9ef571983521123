"""Exact play over the map and along the timeline: what every move is worth, where value was thrown away, and why."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from textual import work

from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import sentence
from dungeon_tui.ui.analysis import Analysis, Judgement
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.game_view import GameView
from dungeon_tui.ui.history_screen import HistoryScreen
from dungeon_tui.ui.map_source import Layer
from dungeon_tui.ui.overlay import SPEEDS
from dungeon_tui.ui.palette import Meaning

AT_ONCE = 64  # turns that are judged while a key waits
CHUNK = 2000  # turns that are judged in a thread before the timeline shows them


class AnalysisScreen(HistoryScreen):
    """A history that can be judged."""

    def __init__(self, view: GameView, controller: TurnController[Any, Any, Any], **options: Any) -> None:
        super().__init__(view, controller, **options)
        self.is_analysing = False
        self._is_preparing = self._is_judging = False
        self._aside: tuple[Turn[Any, Any], Turn[Any, Any] | None] | None = (
            None  # where a refutation began, what followed
        )
        self._layer: tuple[Any, Layer] | None = None

    @property
    def analysis(self) -> Analysis:
        """The game's; only games that have one have its keys."""
        assert self.view.analysis is not None
        return self.view.analysis

    # -- what is shown

    @property
    def has_timeline(self) -> bool:
        """With an analysis always."""
        return self.is_analysing or super().has_timeline

    @property
    def has_graph(self) -> bool:
        """With an analysis only."""
        return self.is_analysing

    def first_keys(self) -> tuple[str, ...]:
        """With an analysis, mistakes matter more."""
        if not self.is_analysing:
            return super().first_keys()
        return "help", "leave", "play", "step.back", "step.on", "previous", "next", "why", "analysis"

    def timeline_texts(self) -> list[str]:
        """With the verdict."""
        place, *rest = super().timeline_texts()
        if not self.is_analysing:
            return [place, *rest]
        judgement = self._present()
        return [place, judgement.text, "a mistake" if judgement.is_mistake else "", *rest]

    def show_turn(self, changed_rows: Iterable[int] | None = None) -> None:
        """Shows the present turn, judged."""
        if self.is_analysing:
            self.line.follow(self.controller.turn)
            self._judge()
        super().show_turn(changed_rows)

    def notes(self, state: Any) -> list[str]:
        """What the values mean."""
        return [*([self.analysis.note(state)] if self.is_analysing else []), *super().notes(state)]

    def map_layers(self, state: Any) -> list[Layer]:
        """The values of all moves, above all else."""
        layers = super().map_layers(state)
        if self.is_analysing:
            if self._layer is None or self._layer[0] is not state:
                self._layer = state, self.analysis.layer(state)
            layers.append(self._layer[1])
        return layers

    # -- judging

    def _present(self) -> Judgement:
        turn = self.controller.turn
        return self.line.judgement(turn.ply) or self.analysis.judge(turn)

    def _judge(self) -> None:
        """Judges what is new of the line: a few turns at once, many in a thread."""
        turns = self.line.unjudged(AT_ONCE + 1)
        if len(turns) <= AT_ONCE:
            self.line.take(turns, _judged(self.analysis, turns))
        elif not self._is_judging:
            self._judge_many()

    @work(group="judging")
    async def _judge_many(self) -> None:
        self._is_judging = True
        try:
            while self.is_analysing and (turns := self.line.unjudged(CHUNK)):
                self.line.take(turns, await in_background(_judged, self.analysis, turns))
                self.timeline.refresh()
        finally:
            self._is_judging = False

    # -- keys

    @work(exclusive=True, group="analysis")
    async def action_toggle_analysis(self) -> None:
        """Opens the analysis, or closes it."""
        self.interrupt()
        if self._is_preparing:
            self._is_preparing = False
            self.say("No longer analysing.")
        elif self.is_analysing:
            self.is_analysing = False
            self.say(f"{self.analysis.name}: hidden.")
            self.show_turn()
        else:
            await self._open()

    async def _open(self) -> bool:
        """Solves the game in a thread and shows the analysis; False where it can't be solved."""
        self._is_preparing = True
        self.say("Analysing ...")
        try:
            await in_background(self.analysis.prepare, self.controller.state)
        except ValueError as error:
            self._is_preparing = False
            self.say(sentence(str(error)), Meaning.FOE)
            return False
        self._is_preparing, self.is_analysing = False, True
        has_panel = self.has_class("-wide")
        self.say(f"{self.analysis.name}: shown." if has_panel else self.analysis.note(self.controller.state))
        self.show_turn()
        return True

    def action_change_speed(self, places: int) -> None:
        """While an analysis is open: the mistake before, or the next one."""
        if not self.is_analysing or self.is_growing:
            super().action_change_speed(places)
            return
        found = self.line.mistake_beside(self.controller.turn.ply, places)
        if found is None:
            self.say("No mistake after this turn." if places > 0 else "No mistake before this turn.")
        else:
            self.seek(found)

    @work(exclusive=True, group="analysis")
    async def action_why(self) -> None:
        """Plays out what refutes the last move, on a branch; again: back to where that began."""
        self.interrupt()
        self.drop_cursor()
        if self.end_aside() or not (self.is_analysing or await self._open()):
            return
        journey, turn = self._journey, self.controller.turn
        actions = await in_background(self.analysis.why, turn)
        if self._journey != journey or self.controller.turn is not turn:
            return
        if isinstance(actions, str):
            self.say(actions)
            return
        self.look_back()
        journey = self._journey
        self._aside = turn, turn.branches[-1] if turn.branches else None
        for action in actions:
            self.controller.apply(action)
            await asyncio.sleep(1 / SPEEDS[self.pace] if self.app.animation_level != "none" else 0)
            if self._journey != journey:
                return
        self.say(f"This is why. c or undo leads back to turn {turn.ply}.")

    def end_aside(self) -> bool:
        """Comes back to where a refutation began; False where none did."""
        if self._aside is None:
            return False
        turn, following = self._aside
        self.forget_aside()
        self.look_back()
        self.controller.go_to(turn)
        if following is not None:
            self.controller.prefer(following)
        self.show_turn(())
        return True

    def forget_aside(self) -> None:
        """One stays on this branch."""
        self._aside = None

    def seek(self, ply: int) -> None:
        """Goes to a turn of the line."""
        self.forget_aside()
        super().seek(ply)


def _judged(analysis: Analysis, turns: Sequence[Turn[Any, Any]]) -> list[Judgement]:
    return [analysis.judge(turn) for turn in turns]
