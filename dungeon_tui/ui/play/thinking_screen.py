"""Hints and layers that take time: made in a thread, and said to be on their way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any

from textual import work

from dungeon_tui.core.turns import TurnController
from dungeon_tui.ui.background import ResultT, in_background
from dungeon_tui.ui.map.source import CellLayer, Layer
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.distance_screen import DistanceScreen
from dungeon_tui.ui.play.game_view import GameView

A_MOMENT = 0.3  # seconds after which to say that it takes longer
THINKING = "Thinking ..."
COMPILING = "The first time, the solver is compiled; this takes about a minute."
SOON = 0.5  # seconds after the first frame, when nobody minds that a search is loaded


class ThinkingScreen(DistanceScreen):
    """A map over which a game may draw what it has to think about."""

    def __init__(self, view: GameView, controller: TurnController[Any, Any, Any]) -> None:
        super().__init__(view, controller)
        self._thinking_of: set[str] = set()  # layers
        self._to_announce: set[str] = set()  # those of them that a key asked for
        self._hinted: Any = None  # the state for which a hint is thought about
        self._hinted_at = 0.0  # since when
        self._owed = 0  # hints that were asked for meanwhile
        self._layers_age = 0  # raised when all layers are out of date

    def on_mount(self) -> None:
        """Thinks ahead; the bases' own on_mount run as well, by Textual's custom."""
        if self.view.thinks:
            self.set_timer(SOON, self._think_ahead)

    @work(group="ahead")
    async def _think_ahead(self) -> None:
        """Behind the game. What went wrong is said where somebody asks."""
        with suppress(ValueError):
            await in_background(self.view.think_ahead, self.controller.state)
        self.show_facts()

    async def thought(self, function: Callable[..., ResultT], *arguments: object) -> ResultT | None:
        """As in_thread; where that takes more than a moment, says so."""
        with self.said_to_take_long(THINKING):
            return await self.in_thread(function, *arguments)

    @contextmanager
    def said_to_take_long(self, usual: str) -> Iterator[None]:
        """Says so once what is done meanwhile takes more than a moment, and why where that is known; until it is done.

        Args:
            usual: what to say as long as nothing better is known.
        """
        said = ""

        def tell() -> None:
            nonlocal said
            text = COMPILING if self.view.is_compiling else usual
            if text != said:
                said = text
                if self.messages.texts[-1:] != [text]:  # where one waits for two things
                    self.mention(text)

        timer = self.set_interval(A_MOMENT, tell)
        try:
            yield
        finally:
            timer.stop()
            if said:
                self.messages.end_passing(said)

    # -- hints

    def action_hint(self) -> None:
        """Says a hint for the present state, now or in a moment."""
        if not self.view.thinks:
            super().action_hint()
            return
        self.interrupt()
        state = self.controller.state
        if self._hinted is not state:
            if self._hinted is not None:
                self.view.stop_thinking()
            self._hinted, self._hinted_at, self._owed = state, monotonic(), 0
            self._hint(state)
        elif monotonic() - self._hinted_at > A_MOMENT:
            self.mention(f"Still {THINKING.lower()}")
        else:
            self._owed += 1

    @work(group="hint")
    async def _hint(self, state: Any) -> None:
        """Says a hint, and those that were asked for before it came."""
        try:
            await self._say_hint(state)
            while self._hinted is state and self._owed and self.controller.state is state:
                self._owed -= 1
                await self._say_hint(state)
        finally:
            if self._hinted is state:
                self._hinted = None

    async def _say_hint(self, state: Any) -> None:
        text = await self.thought(self.view.hint, state)
        if not text or self.controller.state is not state:
            return
        self.say(text, Meaning.PRIZE)
        if wanted := self.view.hint_layer(state):
            self.shown_layers.add(wanted)
            self.show_turn(())

    # -- layers

    def layer_of(self, name: str, state: Any) -> Layer:
        """A layer; while it is thought about, an empty one."""
        if self._made.get(name, (None, None))[0] is state or not self.view.is_slow(name, state):
            return super().layer_of(name, state)
        if name not in self._thinking_of:
            self._thinking_of.add(name)
            self._think_of(name, state, self._layers_age)
        return CellLayer()

    def announce_layer(self, name: str) -> None:
        """Once it has come: one that can't be made is never said to be shown."""
        if name in self._thinking_of:
            self._to_announce.add(name)
        else:
            super().announce_layer(name)

    @work(group="layers")
    async def _think_of(self, name: str, state: Any, age: int) -> None:
        try:
            layer = await self.thought(self.view.make_layer, name, state)
        finally:
            self._thinking_of.discard(name)
        if layer is None:
            self.shown_layers.discard(name)
        elif age == self._layers_age:
            self._made[name] = state, layer
            if name in self.shown_layers & self._to_announce:
                self.announce_layer(name)
        if layer is None or age == self._layers_age:
            self._to_announce.discard(name)
        self.show_turn(())

    def forget_layers(self) -> None:
        """The layers show what no longer holds."""
        self._layers_age += 1
        self._made.clear()
