"""Layers that keys switch; slow ones are made in a thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from dungeon_tui.core.words import sentence
from dungeon_tui.storage.settings import Value, truth
from dungeon_tui.ui.keys import Command
from dungeon_tui.ui.map.source import CellLayer, Layer
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.features import ToggledLayer
from dungeon_tui.ui.play.part import Part, Scene, Stage


class Layers(Part):
    """The layers that are switched on, each made once a state."""

    def __init__(self, stage: Stage, layers: Sequence[ToggledLayer]) -> None:
        self._stage = stage
        self._layers = {layer.key.id: layer for layer in layers}
        self.shown: set[str] = set()  # ids
        self._made: dict[str, tuple[Any, Layer]] = {}  # by id: the state, and its layer
        self._awaited: set[str] = set()  # ids of layers that a thread makes
        self._to_announce: set[str] = set()  # those of them that a key asked for
        self._age = 0  # raised when all layers are out of date

    def commands(self) -> Sequence[Command]:
        """A key for each layer, which switches it, and those that leaf through some."""
        switches = [Command(layer.key, partial(self.toggle, name)) for name, layer in self._layers.items()]
        return switches + [
            Command(layer.next_key, partial(self.leaf, name))
            for name, layer in self._layers.items()
            if layer.next_key is not None
        ]

    def show(self, scene: Scene) -> None:
        """Adds the layers that are switched on and their notes, but those that can't be made of this turn."""
        for name, layer in self._layers.items():
            if name in self.shown:
                with suppress(ValueError):  # once the game is over, some can't be made
                    scene.layers.append(self._layer(layer, scene.turn.state))
                    scene.notes.append(layer.note())

    def toggles(self) -> Mapping[str, Value]:
        """The layers that are shown and hidden, but for solutions: they are asked for anew in each game."""
        return {name: name in self.shown for name, layer in self._layers.items() if not layer.is_answer}

    def turn_to(self, name: str, value: Value) -> None:
        """Shows or hides a layer, and says nothing."""
        if truth(value):
            self.add(name)
        else:
            self._hide(name)

    def toggle(self, name: str) -> None:
        """Shows or hides a layer, by the id of its key, and says so; where it can't be made, says why."""
        layer = self._layers[name]
        if name in self.shown:
            self._hide(name)
            self._stage.say(f"{layer.title}: hidden.")
        else:
            try:
                self._layer(layer, self._stage.session.state)
            except ValueError as error:
                self._stage.say(sentence(str(error)), Meaning.FOE)
                return
            self.add(name)
            if name in self._awaited:
                self._to_announce.add(name)
            else:
                self._announce(layer)
        self._stage.refresh_turn(())

    def leaf(self, name: str) -> None:
        """Shows the next one of a layer's kind, and says so; of a layer that is hidden the first one."""
        layer = self._layers[name]
        if name in self.shown and layer.leaf is not None and name not in self._awaited:
            layer.leaf(self._stage.session.state)
            self._made.pop(name, None)
            self._hide(name)
        if name not in self.shown:
            self.toggle(name)

    def add(self, name: str) -> None:
        """Switches a layer on, by the id of its key; it is seen from the next refresh on."""
        self.shown.add(name)
        self.is_on = True
        if self._layers[name].is_answer:
            self._stage.mark_helped()

    def _hide(self, name: str) -> None:
        self.shown.discard(name)
        self.is_on = bool(self.shown)

    def forget(self) -> None:
        """Drops all layers that were made, since they no longer hold; the next refresh makes them anew."""
        self._age += 1
        self._made.clear()

    def _announce(self, layer: ToggledLayer) -> None:
        """Says that a layer is shown, or where no panel explains it the meaning of its marks."""
        note = layer.note() if self._stage.is_narrow else ""
        self._stage.say(note or f"{layer.title}: shown.")

    def _layer(self, layer: ToggledLayer, state: Any) -> Layer:
        """A layer of a state; an empty one while a thread makes it. Raises ValueError where it can't be made."""
        name = layer.key.id
        known = self._made.get(name)
        if known is not None and known[0] is state:
            return known[1]
        if layer.is_slow is None or not layer.is_slow(state):
            self._made[name] = state, layer.make(state)
            return self._made[name][1]
        if name not in self._awaited:
            self._awaited.add(name)
            self._stage.run_worker(self._make(layer, state, self._age), group="layers")
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
        self._stage.refresh_turn(())
