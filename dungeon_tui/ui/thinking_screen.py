"""Hints and layers that take time: made in a thread, and said to be on their way."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from textual import work

from dungeon_tui.core.turns import TurnController
from dungeon_tui.ui.background import ResultT
from dungeon_tui.ui.distance_screen import DistanceScreen
from dungeon_tui.ui.game_view import GameView
from dungeon_tui.ui.map_source import CellLayer, Layer
from dungeon_tui.ui.palette import Meaning

A_MOMENT = 0.3  # seconds after which to say that it takes longer


class ThinkingScreen(DistanceScreen):
    """A map over which a game may draw what it has to think about."""

    def __init__(self, view: GameView, controller: TurnController[Any, Any, Any]) -> None:
        super().__init__(view, controller)
        self._thinking_of: set[str] = set()  # layers
        self._is_hinting = False
        self._layers_age = 0  # raised when all layers are out of date

    async def thought(self, function: Callable[..., ResultT], *arguments: object) -> ResultT | None:
        """As in_thread; where that takes more than a moment, says so."""
        timer = self.set_timer(A_MOMENT, partial(self.say, "Thinking ..."))
        try:
            return await self.in_thread(function, *arguments)
        finally:
            timer.stop()

    # -- hints

    def action_hint(self) -> None:
        """Says a hint for the present state, now or in a moment."""
        if not self.view.thinks:
            super().action_hint()
            return
        self.interrupt()
        if self._is_hinting:
            self.say("Still thinking ...")
        else:
            self._is_hinting = True
            self._hint()

    @work(group="hint")
    async def _hint(self) -> None:
        state = self.controller.state
        try:
            text = await self.thought(self.view.hint, state)
        finally:
            self._is_hinting = False
        if not text or self.controller.state is not state:
            return
        self.say(text, Meaning.PRIZE)
        if wanted := self.view.hint_layer(state):
            self.shown_layers.add(wanted)
            self.show_turn(())

    # -- layers

    def layer_of(self, name: str, state: Any) -> Layer:
        """A layer; while it is thought about, an empty one."""
        if not self.view.is_slow(name, state) or self._made.get(name, (None, None))[0] is state:
            return super().layer_of(name, state)
        if name not in self._thinking_of:
            self._thinking_of.add(name)
            self._think_of(name, state, self._layers_age)
        return CellLayer()

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
        self.show_turn(())

    def forget_layers(self) -> None:
        """The layers show what no longer holds."""
        self._layers_age += 1
        self._made.clear()
