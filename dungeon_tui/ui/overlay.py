"""Distances drawn over a map: letters, last digits, heat, arrows downhill; whole, or as far as a frontier has come."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map_source import Row
from dungeon_tui.ui.palette import HEATS, Meaning, Tint

LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
SPEEDS = (1, 2, 5, 10, 20, 50, 100, 200, 500)  # steps a second


class OverlayStyle(Enum):
    """How distances are drawn, in the order in which a key shows them."""

    NONE = "none"
    LETTERS = "letters"
    DIGITS = "last digits"
    HEAT = "heat"
    ARROWS = "arrows"


class Same:
    """Equal to itself alone, as a part of a key: for what is large and never changes."""

    def __init__(self, thing: object) -> None:
        self._thing = thing  # held, so that no other one can take its place

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self._thing is other._thing

    def __hash__(self) -> int:
        return id(self._thing)


@dataclass(frozen=True, eq=False, slots=True)
class DistanceField:
    """Distances of one kind, as a game's solver computes them."""

    kind: str  # "walking", "tunnelling"
    distance: NDArray[np.int32]  # (height, width), in steps or turns from the player
    steps: NDArray[np.uint8] | None  # (height, width) 0-7: up, down, left, right, the diagonals; 8 stay; if asked for
    unreached: int  # stands where no way leads
    farthest: int  # the largest distance that is reached


class DistanceLayer:
    """A field over a map. Things on the floor stay visible; floor and rock show their distance.

    Among letters, digits and arrows monsters are drawn inversely: they may be letters or digits themselves.
    """

    def __init__(self, field: DistanceField, style: OverlayStyle, glyphs: Glyphs, frontier: int | None = None) -> None:
        self._field, self._style, self._frontier = field, style, frontier
        self._arrows = np.array([*glyphs.ways, "o"])

    def rows(self) -> None:
        """Any."""
        return

    def paint(self, row: int, cells: Row) -> None:
        """Draws one row."""
        stop = cells.start + len(cells.glyphs)
        distance = self._field.distance[row, cells.start : stop]
        is_shown = distance != self._field.unreached
        if self._frontier is not None:
            is_shown &= distance <= self._frontier
        meanings = np.frombuffer(cells.meanings, np.uint8)
        is_shown &= meanings != Meaning.UNSEEN
        self._tint(distance, is_shown, cells)
        is_foe = meanings == Meaning.FOE
        is_ground = is_shown & np.isin(meanings, _GROUND)
        if self._style is OverlayStyle.LETTERS:
            is_ground &= distance < len(LETTERS)
            glyphs = _LETTERS[np.where(is_ground, distance, 0)]
        elif self._style is OverlayStyle.DIGITS:
            glyphs = _LETTERS[np.where(is_ground, distance, 0) % 10]
        elif self._style is OverlayStyle.ARROWS and self._field.steps is not None:
            glyphs = self._arrows[self._field.steps[row, cells.start : stop]]
        else:
            return
        for index in np.flatnonzero(is_foe).tolist():
            cells.tints[index] = Tint.FOE
        glyphs = glyphs.tolist()
        for index in np.flatnonzero(is_ground).tolist():
            cells.glyphs[index] = glyphs[index]
            is_rock = cells.meanings[index] in (Meaning.WALL, Meaning.REMEMBERED_WALL)
            cells.meanings[index] = Meaning.ROCK_NOTE if is_rock else Meaning.PATH

    def _tint(self, distance: NDArray[np.int32], is_shown: NDArray[np.bool_], cells: Row) -> None:
        tints = np.frombuffer(cells.tints, np.uint8).copy()
        if self._style is OverlayStyle.HEAT:
            heat = HEATS - 1 - distance.astype(np.int64) * (HEATS - 1) // max(self._field.farthest, 1)
            tints[is_shown] = (Tint.HEAT_0 + heat)[is_shown]
        if self._frontier is not None:
            tints[is_shown & (distance == self._frontier)] = Tint.FRONTIER
        cells.tints[:] = tints.tobytes()


_LETTERS = np.array(list(LETTERS))
_GROUND = (Meaning.FLOOR, Meaning.WALL, Meaning.REMEMBERED, Meaning.REMEMBERED_WALL)


class Overlay:
    """What of the distances is shown: style, kind, and how far a frontier has grown. Computes nothing."""

    def __init__(self, kinds: tuple[str, ...], glyphs: Glyphs) -> None:
        self.style = OverlayStyle.NONE
        self.kind = kinds[0] if kinds else ""
        self.frontier: int | None = None  # None: all distances
        self.is_running = False
        self.speed = 3  # a place in SPEEDS
        self.computed = 0  # how many fields were taken over; tests count them
        self._kinds = kinds
        self._glyphs = glyphs
        self._field: DistanceField | None = None
        self._field_key: Hashable = None

    @property
    def is_on(self) -> bool:
        """Whether distances are to be shown."""
        return self.style is not OverlayStyle.NONE

    def cycle(self) -> None:
        """The next style; the last one is followed by none."""
        styles = list(OverlayStyle)
        self.style = styles[(styles.index(self.style) + 1) % len(styles)]
        self.stop()

    def next_kind(self) -> bool:
        """The other kind of distances; False where there is one only."""
        if len(self._kinds) < 2:
            return False
        self.kind = self._kinds[(self._kinds.index(self.kind) + 1) % len(self._kinds)]
        return True

    @property
    def has_arrows(self) -> bool:
        """Whether the steps downhill are needed too: on large maps they take longer than the distances."""
        return self.style is OverlayStyle.ARROWS

    def needs(self, key: Hashable) -> bool:
        """Whether a field for this key (what distances depend on) has yet to be computed."""
        if not self.is_on:
            return False
        is_same = self._field is not None and self._field_key == (self.kind, key)
        return not is_same or (self.has_arrows and self._field is not None and self._field.steps is None)

    def take(self, field: DistanceField, key: Hashable) -> None:
        """A field that was computed for this key."""
        self._field, self._field_key = field, (field.kind, key)
        self.computed += 1

    def forget(self) -> None:
        """What was computed says nothing of the map that is shown now."""
        self._field = self._field_key = None

    def layer(self) -> DistanceLayer | None:
        """What to draw over the map."""
        if not self.is_on or self._field is None or self._field.kind != self.kind:
            return None
        return DistanceLayer(self._field, self.style, self._glyphs, self.frontier)

    def at(self, row: int, col: int) -> int | None:
        """The distance of a cell; None where none is shown or none leads there."""
        if not self.is_on or self._field is None or self._field.kind != self.kind:
            return None
        distance = int(self._field.distance[row, col])
        return None if distance == self._field.unreached else distance

    # -- the growing frontier

    def start(self) -> None:
        """Lets the frontier grow from the player."""
        if not self.is_on:
            self.style = OverlayStyle.DIGITS
        self.frontier, self.is_running = 0, True

    def stop(self) -> None:
        """Shows all distances again."""
        self.frontier, self.is_running = None, False

    def advance(self, steps: int) -> None:
        """Moves the frontier, outward or back; it stops at the farthest distance."""
        if self.frontier is None or self._field is None:
            return  # it waits for the distances
        farthest = self._field.farthest
        self.frontier = min(max(self.frontier + steps, 0), farthest)
        if self.frontier == farthest and steps > 0:
            self.is_running = False

    def change_speed(self, places: int) -> int:
        """Faster or slower; returns steps a second."""
        self.speed = min(max(self.speed + places, 0), len(SPEEDS) - 1)
        return SPEEDS[self.speed]

    def note(self) -> str:
        """What is shown, in words; short enough for a line of 80 columns."""
        if not self.is_on:
            return "Distances: hidden."
        what = {
            OverlayStyle.LETTERS: "0-9, a-z, A-Z for 0 to 61, beyond that the map",
            OverlayStyle.DIGITS: "the last digit of each",
            OverlayStyle.HEAT: "bright is near, dark is far",
            OverlayStyle.ARROWS: f"{self._glyphs.ways_text} lead towards you",
        }[self.style]
        return f"Distances, {self.kind}: {what}."

    def legend(self) -> str:
        """What is shown and how far it goes, in words; empty where nothing is shown."""
        if not self.is_on:
            return ""
        farthest = f"The farthest is {self._field.farthest}." if self._field is not None else "Computing ..."
        return " ".join([self.note(), farthest, *([self.progress()] if self.frontier is not None else [])])

    def progress(self) -> str:
        """How far the frontier has come, in words."""
        how = f"{SPEEDS[self.speed]} steps a second" if self.is_running else "paused"
        return f"The frontier is {self.frontier} away, {how}."
