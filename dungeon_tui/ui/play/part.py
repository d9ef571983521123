"""The parts of the play screen: each has its own keys and adds its share to the picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import Turn
from dungeon_tui.storage.settings import Value
from dungeon_tui.ui.keys import Command
from dungeon_tui.ui.map.source import Layer
from dungeon_tui.ui.play.stage import Stage as Stage


@dataclass(slots=True)
class Scene:
    """One turn as it will be drawn. The parts add to it in order."""

    turn: Turn[Any, Any]
    focus: Cell  # the map scrolls to keep it visible
    columns: int  # least width of a cell
    layers: list[Layer] = field(default_factory=list)  # the last is drawn on top
    notes: list[str] = field(default_factory=list)  # shown in the panel below the facts
    alerts: list[str] = field(default_factory=list)  # short warnings


class Part:
    """One concern of the play screen. Decisions about the game belong to the session and the view."""

    is_on = False  # True while `show` has something to draw

    def __init__(self, stage: Stage) -> None:
        self._stage, self._session, self._view, self._say = stage, stage.session, stage.view, stage.say

    def commands(self) -> Sequence[Command]:
        """The part's keys with the functions they call; none by default."""
        return ()

    def toggles(self) -> Mapping[str, Value]:
        """Toggle values to carry over to the next game, by key id; none by default."""
        return {}

    def turn_to(self, name: str, value: Value) -> None:
        """Sets a toggle. Raises ValueError naming the valid values."""

    def show(self, scene: Scene) -> None:
        """Adds layers, notes and alerts to the scene. Called only while `is_on`."""
