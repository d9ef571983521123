"""The parts of the play screen: each an object with its keys and its share of the picture, handed the stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import Turn
from dungeon_tui.ui.keys import Command
from dungeon_tui.ui.map.source import Layer

if TYPE_CHECKING:
    from dungeon_tui.ui.play.screen import PlayScreen

Stage: TypeAlias = "PlayScreen"
"""The screen, as its parts call it: session, view, messages, workers. They never touch its widgets or each other's."""


@dataclass(slots=True)
class Scene:
    """A turn as it will be shown, while the parts add to it in their order."""

    turn: Turn[Any, Any]
    focus: Cell  # to be kept in view
    columns: int  # of a cell, at least
    layers: list[Layer] = field(default_factory=list)  # the last one on top
    notes: list[str] = field(default_factory=list)  # for the panel, beside the facts
    alerts: list[str] = field(default_factory=list)  # a few words that must not be overlooked


class Part:
    """One concern of the play screen. It decides nothing about the game: that the session and the view do."""

    is_on = False  # True while it has something to add to the scene

    def commands(self) -> Sequence[Command]:
        """The keys that the part answers, each with the function it calls; none by default."""
        return ()

    def show(self, scene: Scene) -> None:
        """Adds the part's layers, notes and alerts to the scene. Only called while `is_on`."""
