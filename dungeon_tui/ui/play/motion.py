"""Motion: a few frames on the map when something happens, less than 0.3 s together; the next turn ends it."""

from __future__ import annotations

from typing import Any

from textual.timer import Timer

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import Turn
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellLayer
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import FRAME_TIME, Frame, Motions
from dungeon_tui.ui.play.part import Part, Scene, Stage

MOST_FRAMES = 6
_SHORT = 3  # frames
OPEN_DOOR = "'"


class Motion(Part):
    """The frames of a turn that was just played, one after the other."""

    def __init__(self, stage: Stage, motions: Motions | None) -> None:
        self._stage, self._motions = stage, motions
        self._frames: list[Frame] = []  # the first one is shown
        self._timer: Timer | None = None

    def start(self, turn: Turn[Any, Any] | None) -> None:
        """Begins the frames of a turn that was played, None: of nothing, in place of those that are shown."""
        if self._motions is None or not self._stage.is_animated:
            return
        self._stop()
        self._frames = [] if turn is None else [*self._motions.frames(turn)][:MOST_FRAMES]
        self.is_on = bool(self._frames)
        if self.is_on:
            self._timer = self._stage.set_interval(FRAME_TIME, self._next)  # which may skip some

    def before(self) -> Frame | None:
        """The present frame, if it is drawn on the map as it was before the turn."""
        return self._frames[0] if self.is_on and self._frames[0].is_before else None

    def show(self, scene: Scene) -> None:
        """Adds the present frame on top of all."""
        scene.layers.append(self._frames[0].layer)

    def _next(self) -> None:
        was_before = self.before() is not None
        del self._frames[:1]
        self.is_on = bool(self._frames)
        if not self.is_on:
            self._stop()
        # A map of another turn is repainted whole.
        self._stage.refresh_turn(None if was_before and self.before() is None else ())

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()


def struck(cell: Cell) -> list[Frame]:
    """A cell that flashes twice."""
    flash, nothing = CellLayer(), CellLayer()
    flash.mark(cell, None, None, Tint.DANGER)
    return [Frame(flash), Frame(flash), Frame(nothing), Frame(flash), Frame(flash)]


def sparkling(cell: Cell, glyphs: Glyphs) -> list[Frame]:
    """A cell on which something sparkles once."""
    sparkle = CellLayer()
    sparkle.mark(cell, glyphs.star, Meaning.PRIZE, None)
    return [Frame(sparkle)] * _SHORT


def opening(door: Cell, origin: Cell, you: str, glyphs: Glyphs) -> list[Frame]:
    """A door that opens before you, a glyph, go through it."""
    opens, goes = CellLayer(), CellLayer()
    opens.mark(door, OPEN_DOOR, Meaning.DOOR, None)
    goes.mark(door, you, Meaning.YOU, None)
    goes.mark(origin, glyphs.floor, Meaning.FLOOR, None)
    return [Frame(opens, is_before=True)] * _SHORT + [Frame(goes, is_before=True)] * 2
