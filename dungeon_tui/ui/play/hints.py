"""Hints in three steps, which may take a while to be thought of: where to, which move, the whole line drawn."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.keys import ADVICE, Command, Key
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.features import Advice
from dungeon_tui.ui.play.features import Hints as HintsFeature
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.preferences import Preferences

A_MOMENT = 0.3  # seconds after which to say that it takes longer
STILL_THINKING = "Still thinking ..."
SOON = 0.5  # seconds after the first frame, when nobody minds that a search is loaded

HINT = Key("hint", "slash", "/", "Hint", "where to, then the move, then the whole line, drawn", ADVICE, 7)
_FURTHER = " {hint} again: the move.", " {hint} again: the whole line, drawn.", " {hint} hides it."
_MOVE, _LAST = 1, len(_FURTHER) - 1


class Hints(Part):
    """Says the next step of a hint for the present state, and draws it. It is on while something is drawn."""

    def __init__(self, stage: Stage, feature: HintsFeature, preferences: Preferences) -> None:
        self._stage = stage
        self._preferences = preferences
        self._is_agreed = False  # that hints are wanted in this game
        self._feature = feature
        self._given: tuple[Any, int, Advice] | None = None  # the state, the step and the advice told last
        self._asked: Any = None  # the state for which a hint is thought about
        self._asked_at = 0.0  # since when
        self._owed = 0  # hints that were asked for meanwhile

    def commands(self) -> Sequence[Command]:
        """The key of the hint."""
        return [Command(HINT, self.hint)]

    def begin(self) -> None:
        """Lets a game that can think ahead for hints do so in a thread, soon after the first frame."""
        if self._feature.think_ahead is not None:
            self._stage.set_timer(SOON, lambda: self._stage.run_worker(self._think_ahead(), group="ahead"))

    async def _think_ahead(self) -> None:
        assert self._feature.think_ahead is not None
        with suppress(ValueError):  # said where somebody asks
            await in_background(self._feature.think_ahead, self._stage.session.state)
        self._stage.refresh_facts()

    def show(self, scene: Scene) -> None:
        """Adds the layer of the last advice, as long as its state is the present one."""
        self.is_on = self._given is not None and self._given[0] is scene.turn.state
        if self.is_on and self._given is not None and (layer := self._given[2].layer) is not None:
            scene.layers.append(layer)

    def forget(self) -> None:
        """Begins at the first step again: what was told may no longer hold."""
        self._given, self.is_on = None, False

    def hint(self) -> None:
        """Says the next step of a hint, if settings allow, once a thread has found it; hides the last one, drawn."""
        state = self._stage.session.state
        policy = self._preferences.settings.hints
        if policy == "never":
            self._stage.mention("Your settings say: no hints.")
            return
        if policy == "ask first" and not self._is_agreed:
            self._is_agreed = True
            self._stage.mention("Would you like a hint? {hint} again gives it.")
            return
        self._stage.mark_helped()
        if self.is_on and self._given is not None and self._given[0] is state and self._given[1] == _LAST:
            self.is_on = False
            self._stage.mention("Hidden. {hint} again: the whole line, drawn.")
            self._stage.refresh_turn(())
        elif self._asked is not state:
            if self._asked is not None and self._feature.stop is not None:
                self._feature.stop()
            self._asked, self._asked_at, self._owed = state, monotonic(), 0
            self._stage.run_worker(self._hint(state), group="hint")
        elif monotonic() - self._asked_at > A_MOMENT:
            self._stage.mention(STILL_THINKING)
        else:
            self._owed += 1

    async def move_told(self, state: Any) -> str:
        """The step of a hint that says which move to make; empty without any."""
        advice = await self._stage.thought(self._feature.advise, state, _MOVE)
        return advice.text if advice is not None else ""

    async def _hint(self, state: Any) -> None:
        try:
            await self._say(state)
            while self._asked is state and self._owed and self._stage.session.state is state:
                self._owed -= 1
                await self._say(state)
        finally:
            if self._asked is state:
                self._asked = None

    async def _say(self, state: Any) -> None:
        step = 0 if self._given is None or self._given[0] is not state else min(self._given[1] + 1, _LAST)
        advice = await self._stage.thought(self._feature.advise, state, step)
        if advice is None or not advice.text or self._stage.session.state is not state:
            return
        further = _FURTHER[step] if step < _LAST or advice.layer is not None else ""
        self._stage.say(advice.text if advice.is_all else f"{advice.text}{further}", Meaning.PRIZE)
        self._given = (state, step - advice.is_all, advice)
        self.is_on = advice.layer is not None
        self._stage.refresh_turn(())
