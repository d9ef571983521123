"""Numbers drawn over a map: letters, digits, heat, arrows downhill; all of them, or as far as a frontier has come.

They are distances in most games; a `Wording` says so where they are something else.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map_source import Row
from dungeon_tui.ui.palette import HEATS, Meaning, Tint

LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
SPEEDS = (1, 2, 5, 10, 20, 50, 100, 200, 500)  # steps a second


class OverlayStyle(Enum):
    """How distances are drawn, in the order in which a key shows them."""

    NONE = "none"
    LETTERS = "letters"
    DIGITS = "digits"
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


@dataclass(frozen=True, slots=True)
class Wording:
    """What to call the numbers of a kind; {} is a number."""

    name: str  # "Distances, walking"
    farthest: str = "The farthest is {}."
    frontier: str = "The frontier is {} away"
    of_cell: str = "{} away"
    heat: str = "bright is near, dark is far"
    arrows: str = "lead towards you"
    has_letters: bool = True  # whether the numbers are small enough for letters
    speed: int = 3  # at which they grow first, a place in SPEEDS


@dataclass(frozen=True, slots=True)
class Explanation:
    """One step of a computation: which cell is computed, from which ones, and how."""

    cell: Cell
    sources: tuple[Cell, ...]
    text: str


@dataclass(frozen=True, eq=False, slots=True)
class DistanceField:
    """Numbers of one kind, as a game's solver computes them: distances, in most games."""

    kind: str  # "walking", "tunnelling"
    distance: NDArray[np.signedinteger[Any]]  # (height, width), in steps or turns from the player
    steps: NDArray[np.uint8] | None  # (height, width) 0-7: up, down, left, right, the diagonals; 8 stay; if asked for
    unreached: int  # stands where no way leads
    farthest: int  # the largest distance that is reached
    order: NDArray[np.signedinteger[Any]] | None = None
    """(height, width): in which step each cell is computed; None: the distance says so."""
    explain: Callable[[int], Explanation | None] | None = None  # what happens in a step, if anything does
    covers_things: bool = False  # whether what stands on a cell gives way to its number

    @property
    def last_step(self) -> int:
        """Of the computation."""
        return self.farthest if self.order is None else int(self.order.max())

    @property
    def columns(self) -> int:
        """How wide cells must be to hold any of the numbers, with a blank between them."""
        return len(str(self.farthest)) + 1


class DistanceLayer:
    """A field over a map. Things on the floor stay visible, as a rule; floor and rock show their distance.

    Among letters, digits and arrows monsters are drawn inversely: they may be letters or digits themselves.
    Where all numbers fit into the cells, they stand there whole instead of their last digits.
    """

    def __init__(self, field: DistanceField, style: OverlayStyle, glyphs: Glyphs, frontier: int | None = None) -> None:
        self._field, self._style, self._frontier = field, style, frontier
        self._arrows = np.array([*glyphs.ways, "o"])
        self._step = field.explain(frontier) if frontier is not None and field.explain is not None else None

    def rows(self) -> None:
        """Any."""
        return

    def paint(self, row: int, cells: Row) -> None:
        """Draws one row."""
        stop = cells.start + len(cells.glyphs)
        field = self._field
        distance = field.distance[row, cells.start : stop]
        is_shown = distance != field.unreached
        computed = distance if field.order is None else field.order[row, cells.start : stop]
        if self._frontier is not None:
            is_shown &= computed <= self._frontier
        meanings = np.frombuffer(cells.meanings, np.uint8)
        is_shown &= meanings != Meaning.UNSEEN
        self._tint(distance, computed, is_shown, cells)
        self._mark_sources(row, cells)
        if field.covers_things:
            is_foe, is_ground = np.zeros(len(distance), bool), is_shown & (meanings != Meaning.YOU)
        else:
            is_foe, is_ground = meanings == Meaning.FOE, is_shown & np.isin(meanings, _GROUND)
        if self._style is OverlayStyle.LETTERS:
            is_ground &= distance < len(LETTERS)
            glyphs = _LETTERS[np.where(is_ground, distance, 0)]
        elif self._style is OverlayStyle.DIGITS:
            glyphs = _LETTERS[np.where(is_ground, distance, 0) % 10]
        elif self._style is OverlayStyle.ARROWS and field.steps is not None:
            glyphs = self._arrows[field.steps[row, cells.start : stop]]
        else:
            return
        for index in np.flatnonzero(is_foe).tolist():
            cells.tints[index] = Tint.FOE
        glyphs = glyphs.tolist()
        width = field.columns - 1
        for index in np.flatnonzero(is_ground).tolist():
            cells.glyphs[index] = glyphs[index]
            cells.texts.pop(index, None)
            if self._style is OverlayStyle.DIGITS:
                cells.texts[index] = f" {distance[index]:>{width}}"
            is_rock = cells.meanings[index] in (Meaning.WALL, Meaning.REMEMBERED_WALL)
            cells.meanings[index] = Meaning.ROCK_NOTE if is_rock else Meaning.PATH

    def _tint(self, distance: Numbers, computed: Numbers, is_shown: NDArray[np.bool_], cells: Row) -> None:
        tints = np.frombuffer(cells.tints, np.uint8).copy()
        if self._style is OverlayStyle.HEAT:
            heat = HEATS - 1 - np.floor(distance * float(HEATS - 1) / max(self._field.farthest, 1))
            tints[is_shown] = Tint.HEAT_0 + heat[is_shown].astype(np.uint8)
        if self._frontier is not None:
            tints[is_shown & (computed == self._frontier)] = Tint.FRONTIER
        cells.tints[:] = tints.tobytes()

    def _mark_sources(self, row: int, cells: Row) -> None:
        for source in self._step.sources if self._step is not None else ():
            if source.row == row:
                cells.put(source.col, None, None, Tint.FRESH)


Numbers = NDArray[np.signedinteger[Any]]

_LETTERS = np.array(list(LETTERS))
_GROUND = (Meaning.FLOOR, Meaning.WALL, Meaning.REMEMBERED, Meaning.REMEMBERED_WALL)


class Overlay:
    """What of the distances is shown: style, kind, and how far a frontier has grown. Computes nothing."""

    def __init__(self, kinds: tuple[str, ...], glyphs: Glyphs, wordings: Mapping[str, Wording] | None = None) -> None:
        self.style = OverlayStyle.NONE
        self.kind = kinds[0] if kinds else ""
        self.frontier: int | None = None  # None: all distances
        self.is_running = False
        self.computed = 0  # how many fields were taken over; tests count them
        self._kinds = kinds
        self._glyphs = glyphs
        self._wordings = wordings or {}
        self.speed = self.wording.speed  # a place in SPEEDS
        self._field: DistanceField | None = None
        self._field_key: Hashable = None

    @property
    def wording(self) -> Wording:
        """What to call the numbers."""
        return self._wordings.get(self.kind) or Wording(f"Distances, {self.kind}")

    @property
    def is_on(self) -> bool:
        """Whether distances are to be shown."""
        return self.style is not OverlayStyle.NONE

    def cycle(self) -> None:
        """The next style; the last one is followed by none."""
        styles = [style for style in OverlayStyle if self.wording.has_letters or style is not OverlayStyle.LETTERS]
        self.style = styles[(styles.index(self.style) + 1) % len(styles)]
        self.stop()

    def hide(self) -> None:
        """Shows nothing."""
        self.style = OverlayStyle.NONE
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
        field = self._field
        if not self.is_on or field is None or field.kind != self.kind:
            return None
        distance = int(field.distance[row, col])
        if field.order is not None and self.frontier is not None and field.order[row, col] > self.frontier:
            return None  # not yet computed
        return None if distance == field.unreached else distance

    def explanation(self) -> Explanation | None:
        """What happens in the step that is watched, where the field says so."""
        if self.frontier is None or self._field is None or self._field.explain is None:
            return None
        return self._field.explain(self.frontier)

    @property
    def columns(self) -> int:
        """How wide the map's cells must be for the numbers that it is made of; 1 where things stay visible."""
        field = self._field
        is_wide = self.style is OverlayStyle.DIGITS and field is not None and field.covers_things
        return field.columns if field is not None and is_wide else 1

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
        last = self._field.last_step
        self.frontier = min(max(self.frontier + steps, 0), last)
        if self.frontier == last and steps > 0:
            self.is_running = False

    def change_speed(self, places: int) -> int:
        """Faster or slower; returns steps a second."""
        self.speed = min(max(self.speed + places, 0), len(SPEEDS) - 1)
        return SPEEDS[self.speed]

    def note(self) -> str:
        """What is shown, in words; short enough for a line of 80 columns."""
        wording = self.wording
        if not self.is_on:
            return f"{wording.name.partition(',')[0]}: hidden."
        what = {
            OverlayStyle.LETTERS: "0-9, a-z, A-Z for 0 to 61, beyond that the map",
            OverlayStyle.DIGITS: "numbers, in small cells the last digits",
            OverlayStyle.HEAT: wording.heat,
            OverlayStyle.ARROWS: f"{self._glyphs.ways_text} {wording.arrows}",
        }[self.style]
        return f"{wording.name}: {what}."

    def legend(self) -> str:
        """What is shown and how far it goes, in words; empty where nothing is shown."""
        if not self.is_on:
            return ""
        farthest = self.wording.farthest.format(self._field.farthest) if self._field is not None else "Computing ..."
        return " ".join([self.note(), farthest, *([self.progress()] if self.frontier is not None else [])])

    def progress(self) -> str:
        """How far the frontier has come, in words."""
        how = f"{SPEEDS[self.speed]} steps a second" if self.is_running else "paused"
        said = f"{self.wording.frontier.format(self.frontier)}, {how}."
        explanation = self.explanation()
        return said if explanation is None else f"{said} {explanation.text}"
