"""Hints, which may take a while to be thought of."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.keys import ADVICE, Command, Key
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.features import Hints as HintsFeature
from dungeon_tui.ui.play.layers import Layers
from dungeon_tui.ui.play.part import Part, Stage
from dungeon_tui.ui.preferences import Preferences

A_MOMENT = 0.3  # seconds after which to say that it takes longer
STILL_THINKING = "Still thinking ..."
SOON = 0.5  # seconds after the first frame, when nobody minds that a search is loaded

_HINT = Key("hint", "slash", "/", "Hint", "a hint for this level", ADVICE, 7)


class Hints(Part):
    """Says hints for the present state, now or in a moment."""

    def __init__(self, stage: Stage, feature: HintsFeature, layers: Layers, preferences: Preferences) -> None:
        self._stage = stage
        self._preferences = preferences
        self._is_agreed = False  # that hints are wanted in this game
        self._feature = feature
        self._layers = layers
        self._asked: Any = None  # the state for which a hint is thought about
        self._asked_at = 0.0  # since when
        self._owed = 0  # hints that were asked for meanwhile

    def commands(self) -> Sequence[Command]:
        """The key of the hint."""
        return [Command(_HINT, self.hint)]

    def begin(self) -> None:
        """Lets a game that can think ahead for hints do so in a thread, soon after the first frame."""
        if self._feature.think_ahead is not None:
            self._stage.set_timer(SOON, lambda: self._stage.run_worker(self._think_ahead(), group="ahead"))

    async def _think_ahead(self) -> None:
        assert self._feature.think_ahead is not None
        with suppress(ValueError):  # said where somebody asks
            await in_background(self._feature.think_ahead, self._stage.session.state)
        self._stage.refresh_facts()

    def hint(self) -> None:
        """Says a hint, if settings allow; a slow one once a thread has found it, the next ones asked for after it."""
        state = self._stage.session.state
        policy = self._preferences.settings.hints
        if policy == "never":
            self._stage.mention("Your settings say: no hints.")
            return
        if policy == "ask first" and not self._is_agreed:
            self._is_agreed = True
            self._stage.mention("Is it a hint that you want? {hint} again gives it.")
            return
        self._stage.mark_helped()
        if not self._feature.is_slow:
            self._stage.say(self._feature.hint(state), Meaning.PRIZE)
        elif self._asked is not state:
            if self._asked is not None and self._feature.stop is not None:
                self._feature.stop()
            self._asked, self._asked_at, self._owed = state, monotonic(), 0
            self._stage.run_worker(self._hint(state), group="hint")
        elif monotonic() - self._asked_at > A_MOMENT:
            self._stage.mention(STILL_THINKING)
        else:
            self._owed += 1

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
        text = await self._stage.thought(self._feature.hint, state)
        if not text or self._stage.session.state is not state:
            return
        self._stage.say(text, Meaning.PRIZE)
        if self._feature.layer is not None and (wanted := self._feature.layer(state)):
            self._layers.add(wanted)
            self._stage.refresh_turn(())
