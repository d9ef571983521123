"""Exact play over the map and along the timeline: what every move is worth, where value was thrown away, and why."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from textual import work

from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.map.source import Layer
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.analysis import Analysis, Judgement
from dungeon_tui.ui.play.aside import Aside
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.history_screen import HistoryScreen
from dungeon_tui.ui.play.overlay import SPEEDS

AT_ONCE = 64  # turns that are judged while a key waits
CHUNK = 2000  # turns that are judged in a thread before the timeline shows them
FEW = 8  # the same where each takes time
ASIDE = "not your game (c leads back)"
ANALYSING = "Analysing ..."
JUDGING = Judgement("being judged ...", 0.5, False)


class AnalysisScreen(HistoryScreen):
    """A history that can be judged."""

    def __init__(self, view: GameView, controller: TurnController[Any, Any, Any], **options: Any) -> None:
        super().__init__(view, controller, **options)
        self.is_analysing = False
        self._is_preparing = self._is_judging = False
        self._owes_count = False  # of mistakes, once all turns are judged
        self.aside: Aside | None = None  # a refutation that is shown
        self._layer: tuple[Any, Layer] | None = None
        self._looked: Any = None  # the state that was looked at, where that takes time
        self._looking: Any = None  # the one that is looked at now
        self._judged_as = 0  # raised when all judgements are out of date

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
        """With the verdict; of an aside, first that it is one."""
        place, *rest = super().timeline_texts()
        if self.is_analysing:
            judgement = self._present()
            rest = [judgement.text, judgement.fault, *rest]
        if self.aside is None:
            return [place, *rest]
        what = "what refutes" if self.view.SEATS else "the best way on from"
        return [ASIDE, f"{what} turn {self.aside.origin.ply}", place, *rest]

    def alerts(self) -> list[str]:
        """That an aside is no game of anybody's, where the timeline has no room for words."""
        return [*super().alerts(), *([ASIDE] if self.aside is not None and self.timeline_lines() < 2 else [])]

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
            if not self.analysis.takes_time or self._looked is state:
                if self._layer is None or self._layer[0] is not state:
                    self._layer = state, self.analysis.layer(state)
                layers.append(self._layer[1])
            elif self._looking is not state:
                self._look(state)
        return layers

    @work(exclusive=True, group="look")
    async def _look(self, state: Any) -> None:
        """Values the moves of a state, and shows them if it is still there."""
        self._looking = state
        await self.in_thread(self.analysis.look, state)
        if self._looking is state:
            self._looking = None
            self._looked = state
            self.show_turn(())

    # -- judging

    def _present(self) -> Judgement:
        turn = self.controller.turn
        known = self.line.judgement(turn.ply)
        return known or (JUDGING if self.analysis.takes_time else self.analysis.judge(turn))

    def _judge(self) -> None:
        """Judges what is new of the line: a few turns at once, many in a thread."""
        turns = self.line.unjudged(AT_ONCE + 1)
        if len(turns) <= AT_ONCE and not self.analysis.takes_time:
            self.line.take(turns, _judged(self.analysis, turns))
        elif turns and not self._is_judging:
            self._judge_many()

    @work(group="judging")
    async def _judge_many(self) -> None:
        self._is_judging = True
        try:
            chunk = FEW if self.analysis.takes_time else CHUNK
            while self.is_analysing and (turns := self.line.unjudged(chunk)):
                begun = self._judged_as
                judgements = await self.in_thread(_judged, self.analysis, turns)
                if judgements is None:
                    return
                if begun == self._judged_as:
                    self.line.take(turns, judgements)
                self.timeline.refresh()
                if self.analysis.takes_time:
                    self.show_turn(())  # the present turn may be among them
        finally:
            self._is_judging = False
        if self._owes_count:
            self.say(self.count())

    def judge_anew(self) -> None:
        """What was judged no longer holds."""
        self._judged_as += 1
        self.line.forget_judgements()
        self._looked = self._looking = self._layer = None

    def count(self) -> str:
        """How many mistakes there are on the line, and the keys that lead there; empty until all turns are judged."""
        self._owes_count = len(self.line.judgements) < len(self.line)
        if self._owes_count or len(self.line) == 1:
            return ""
        what, number = self.line.faults
        if number == 0:
            return "No mistakes on this line."
        ply = self.controller.turn.ply
        ways = [key for key, steps in (("{", -1), ("}", 1)) if self.line.fault_beside(ply, steps) is not None]
        if len(ways) == 1:
            which = "it" if number == 1 else "the last one" if ways == ["{"] else "the next one"
            return f"{counted(number, what)}: {ways[0]} goes to {which}."
        return f"{counted(number, what)}: {'{ and } go there' if ways else 'the last move'}."

    # -- keys

    @work(exclusive=True, group="analysis")
    async def action_toggle_analysis(self) -> None:
        """Opens the analysis, or closes it."""
        self.interrupt()
        if self._is_preparing:
            self._is_preparing = False
            self.mention("No longer analysing.")
        elif self.is_analysing:
            self.is_analysing = False
            self.say(f"{self.analysis.name}: hidden.")
            self.show_turn()
        else:
            await self._open()

    async def _open(self) -> bool:
        """Solves the game in a thread and shows the analysis; False where it can't be solved."""
        self._is_preparing, state = True, self.controller.state
        try:
            with self.said_to_take_long(ANALYSING):
                await in_background(self.analysis.prepare, state)
        except ValueError as error:
            self._is_preparing = False
            self.say(sentence(str(error)), Meaning.FOE)
            return False
        self._is_preparing, self.is_analysing = False, True
        self._looked = state if self.analysis.takes_time else None
        self.show_turn()
        has_panel = self.has_class("-wide")
        shown = f"{self.analysis.name}: shown." if has_panel else self.analysis.note(self.controller.state)
        self.say(f"{shown} {self.count()}".rstrip())
        return True

    def action_change_speed(self, places: int) -> None:
        """While an analysis is open: the mistake before, or the next one."""
        if not self.is_analysing or self.is_growing:
            super().action_change_speed(places)
            return
        self.leave_aside()
        found = self.line.fault_beside(self.controller.turn.ply, places)
        if found is None:
            what, number = self.line.faults
            self.mention(f"No {what if number else 'mistake'} {'after' if places > 0 else 'before'} this turn.")
        else:
            self.seek(found)
            judgement = self._present()
            number, all_of_them = self.line.fault_number(found)
            self.mention(f"{judgement.fault.capitalize()}, {number} of {all_of_them}: {judgement.text}.")

    # -- what refutes a move

    def turn_to_judge(self) -> Turn[Any, Any]:
        """The turn whose move `why` is asked of."""
        return self.controller.turn

    @work(exclusive=True, group="analysis")
    async def action_why(self) -> None:
        """Plays out what refutes the last move, beside the line; again: back to the line."""
        self.interrupt()
        self.drop_cursor()
        if self.leave_aside() or not (self.is_analysing or await self._open()):
            return
        journey, present, judged = self._journey, self.controller.turn, self.turn_to_judge()
        actions = await self.in_thread(self.analysis.why, judged)
        if actions is None or self._journey != journey or self.controller.turn is not present:
            return
        if isinstance(actions, str):
            self.say(actions)
            return
        was_looking_back = self.is_looking_back
        self.look_back()
        journey = self._journey
        self.aside = aside = Aside(self.controller, judged, was_looking_back)
        for action in actions:
            aside.apply(action)
            await asyncio.sleep(1 / SPEEDS[self.pace] if self.app.animation_level != "none" else 0)
            if self._journey != journey:
                return
        what = "This is why." if self.view.SEATS else "This is the best way on."
        self.say(f"{what} c or undo leads back to turn {present.ply}.")

    def leave_aside(self) -> bool:
        """Back to where the refutation was asked for; False where none is shown."""
        if self.aside is None:
            return False
        self.look_back()
        self.is_looking_back = self.aside.was_looking_back
        self._return_to(self.aside.start)
        return True

    def _return_to(self, turn: Turn[Any, Any]) -> None:
        """Forgets the refutation, and goes to a turn of the line that it left."""
        assert self.aside is not None
        aside, self.aside = self.aside, None
        aside.leave(turn)
        self.line.follow(turn)
        self.line.forget_after(aside.origin.ply)
        self.show_turn(())

    def keep_aside(self) -> None:
        """A person plays on from here: this is the line from now on."""
        self.aside = None

    def action_step(self, steps: int) -> None:
        """Within a refutation, stays there; back before it, returns to the line."""
        super().action_step(steps)
        if self.aside is not None and self.controller.turn.ply <= self.aside.origin.ply:
            self._return_to(self.aside.origin)

    def seek(self, ply: int) -> None:
        """Goes to a turn of the line, or of the refutation that is shown."""
        if self.aside is not None and ply <= self.aside.origin.ply:
            self._return_to(self.aside.origin)
        super().seek(ply)


def _judged(analysis: Analysis, turns: Sequence[Turn[Any, Any]]) -> list[Judgement]:
    return [analysis.judge(turn) for turn in turns]
