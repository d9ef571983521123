"""Layers that keys switch on and off; slow ones are made in a thread."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from dungeon_tui.core.words import midway
from dungeon_tui.storage.settings import Value, truth
from dungeon_tui.ui.keys import Command
from dungeon_tui.ui.map.source import CellLayer, Layer
from dungeon_tui.ui.play.features import Toggle, ToggledLayer
from dungeon_tui.ui.play.part import Part, Scene, Stage


class Layers(Part):
    """The layers that are on, each made once per state."""

    def __init__(self, stage: Stage, layers: Sequence[ToggledLayer]) -> None:
        super().__init__(stage)
        self._layers = {layer.key.id: layer for layer in layers}
        self.shown: set[str] = set()  # ids
        self._made: dict[str, tuple[Any, Layer]] = {}  # by id: state and layer
        self._awaited: set[str] = set()  # ids of layers in the making
        self._to_announce: set[str] = set()  # those to announce when ready
        self._age = 0  # incremented when all layers become outdated

    def commands(self) -> Sequence[Command]:
        return [Command(layer.key, partial(self.toggle, name)) for name, layer in self._layers.items()]

    def begin(self) -> None:
        self.shown |= {name for name, layer in self._layers.items() if layer.begins_shown}
        self.is_on = bool(self.shown)

    def show(self, scene: Scene) -> None:
        for name, layer in self._layers.items():
            if name in self.shown and not (layer.is_of_moves and scene.is_analysed):
                with suppress(ValueError):  # some layers need a running game
                    scene.layers.append(self._layer(layer, scene.turn.state))
                    scene.notes += [self._note(layer, scene.turn.state)] * (not layer.begins_shown)

    def toggles(self) -> Mapping[str, Toggle]:
        return {
            name: Toggle(partial(self.shown.__contains__, name), partial(self._turn_to, name))
            for name, layer in self._layers.items()
            if not layer.is_answer
        }

    def _turn_to(self, name: str, value: Value) -> None:
        if truth(value) and self._layers[name].is_kept:
            self.add(name)
        elif name in self.shown:  # as you left it in another game
            self._say(f"{self._layers[name].title}: hidden until {{{name}}}.", transient=True)
            self._hide(name)

    def toggle(self, name: str) -> None:
        layer = self._layers[name]
        if name in self.shown:
            self._hide(name)
            self._say(f"{layer.title}: hidden until {{{name}}}.", transient=True)
        else:
            try:
                self._layer(layer, self._session.state)
            except ValueError as error:
                self._stage.say_error(error)
                return
            if layer.is_answer and self._stage.asks_first(layer.key):
                return
            self.add(name)
            if name in self._awaited:
                self._to_announce.add(name)
            else:
                self._announce(layer)
        self._stage.refresh_turn()

    def add(self, name: str) -> None:
        self.shown.add(name)
        self.is_on = True

    def hide_answers(self) -> None:
        for name in [name for name in self.shown if self._layers[name].is_answer]:
            self._hide(name)

    def _hide(self, name: str) -> None:
        self.shown.discard(name)
        self.is_on = bool(self.shown)

    def forget(self) -> None:
        self._age += 1
        self._made.clear()

    def _announce(self, layer: ToggledLayer) -> None:
        """Explains the marks of a layer, unless the panel does; an answer counts as help."""
        if layer.is_answer:
            self._stage.mark_helped(midway(layer.title))
        if layer.begins_shown or not self._stage.has_panel:
            self._say(self._note(layer, self._session.state), transient=True)

    def _note(self, layer: ToggledLayer, state: Any) -> str:
        """Explains the marks of a layer; says if there are none now."""
        made = self._layer(layer, state)
        is_empty = isinstance(made, CellLayer) and not made.rows() and layer.key.id not in self._awaited
        return layer.none.format(title=layer.title) if is_empty and layer.none else f"{layer.note}{layer.also(state)}"

    def _layer(self, layer: ToggledLayer, state: Any) -> Layer:
        """The layer for a state; empty while a thread makes it. Raises ValueError if it can't be made."""
        name = layer.key.id
        known = self._made.get(name)
        if known is not None and known[0] is state:
            return known[1]
        if layer.is_slow is None or not layer.is_slow(state):
            self._made[name] = state, layer.make(state)
            return self._made[name][1]
        if name not in self._awaited:
            self._awaited.add(name)
            self._start(self._make, layer, state, self._age, group="layers")
        return CellLayer()

    async def _make(self, layer: ToggledLayer, state: Any, age: int) -> None:
        name = layer.key.id
        try:
            made = await self._stage.thought(layer.make, state)
        finally:
            self._awaited.discard(name)
        if made is None:
            self._hide(name)
        elif age == self._age:
            self._made[name] = state, made
            if name in self.shown & self._to_announce:
                self._announce(layer)
        if made is None or age == self._age:
            self._to_announce.discard(name)
        self._stage.refresh_turn()
