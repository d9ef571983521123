"""Animation: a few frames when something happens; the next turn ends it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from textual.timer import Timer

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import Event
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import Table
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellLayer, Layer
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import Motions
from dungeon_tui.ui.play.part import Part, Scene, Stage

FRAME_TIME_S = 0.05
_SHORT = 3  # frames


class Motion(Part):
    """Shows the frames of the turn just played."""

    def __init__(self, stage: Stage, motions: Motions | None) -> None:
        super().__init__(stage)
        self._motions = motions
        self._frames: list[Layer] = []  # the first is visible
        self._timer: Timer | None = None

    def start(self, turn: Turn[Any, Any] | None) -> None:
        """Starts the frames of a turn, replacing those shown; None: shows none."""
        if self._motions is None:
            return
        self._stop()
        self._frames = [] if turn is None else [*self._motions.frames(turn)]
        self.is_on = bool(self._frames)
        if self.is_on:
            self._timer = self._stage.set_interval(FRAME_TIME_S, self._next)  # the timer may skip some

    def show(self, scene: Scene) -> None:
        scene.layers.append(self._frames[0])

    def _next(self) -> None:
        del self._frames[:1]
        self.is_on = bool(self._frames)
        if not self.is_on:
            self._stop()
        self._stage.refresh_turn()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()


Others = Mapping[type[Event], Callable[[Any], Sequence[Layer]]]


def motion(turn: Turn[Any, Any], *, table: Table, glyphs: Glyphs, others: Others | None = None) -> Sequence[Layer]:
    """Frames for the most important event of a turn; `others` makes those for further events."""
    found: dict[str, list[Layer]] = {"struck": [], "sparkling": []}
    step: Any = None
    for event in turn.events:
        kind = telling.motion if (telling := table.get(type(event))) else ""
        step = event if kind == "step" else step
        cell = getattr(event, "cell", getattr(step, "cell", None))
        if make := (others or {}).get(type(event)):
            found["struck"] = [*make(event)] or found["struck"]
        elif kind in found and cell is not None:
            found[kind] = struck(cell) if kind == "struck" else sparkling(cell, glyphs)
    return found["struck"] or found["sparkling"]


def struck(cell: Cell) -> list[Layer]:
    """A cell that flashes once: over SSH, each change of a large tile costs 200 bytes."""
    flash = CellLayer()
    flash.mark(cell, None, None, Tint.DANGER)
    return [flash] * _SHORT


def sparkling(cell: Cell, glyphs: Glyphs) -> list[Layer]:
    """A star on a cell for a moment."""
    star = CellLayer()
    star.mark(cell, glyphs.star, Meaning.PRIZE, None)
    return [star] * _SHORT
