"""Numbers over a map, in most games distances, and how they are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.words import LETTERS
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellLayer, CellText, Row
from dungeon_tui.ui.palette import HEATS, Meaning, Tint


class OverlayStyle(Enum):
    """Styles of drawn distances, in the order in which a key shows them."""

    NONE = "none"
    LETTERS = "letters"
    DIGITS = "digits"
    HEAT = "heat"
    ARROWS = "arrows"


@dataclass(frozen=True, slots=True)
class Wording:
    """Words for the numbers of a kind; {} is a number."""

    name: str  # "Distances, walking"
    farthest: str = "The farthest is {}."
    frontier: str = "The frontier is {} away"
    of_cell: str = "{} away"
    digits: str = "numbers (last digits in small cells)"
    heat: str = "bright is near, dark is far"
    arrows: str = "lead towards you"  # empty: there are none
    has_letters: bool = True  # small enough for letters
    speed: int = 3  # at which they grow first, an index into SPEEDS


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
    unreached: int  # stands for unreachable cells
    farthest: int  # the largest distance that is reached
    order: NDArray[np.signedinteger[Any]] | None = None
    """(height, width): in which step each cell is computed; None: the distance says so."""
    explain: Callable[[int], Explanation | None] | None = None  # what happens in a step, if anything does
    covers_things: bool = False  # numbers stand before those of things, and arrows replace things
    own_columns: int = 0  # of the largest number of a thing in brackets, if they follow those of the field
    places: Mapping[Cell, str] | None = None  # where to write numbers, if not in each cell; and the numbers

    @property
    def last_step(self) -> int:
        """Number of the last step of the computation, from 0."""
        return self.farthest if self.order is None else int(self.order.max())

    @property
    def columns(self) -> int:
        """Columns that a cell needs for the largest number and a blank."""
        return len(str(self.farthest)) + 1


class DistanceLayer:
    """A field over a map: numbers (in small cells last digits) on floor and rock; monsters stay, drawn inversely."""

    def __init__(
        self,
        field: DistanceField,
        style: OverlayStyle,
        glyphs: Glyphs,
        frontier: int | None = None,
        *,
        has_own: bool = True,
    ) -> None:
        self._field, self._style, self._frontier, self._has_own = field, style, frontier, has_own
        self._arrows = np.array([*glyphs.ways, "o"])
        self._step = field.explain(frontier) if frontier is not None and field.explain is not None else None

    def paint(self, row: int, cells: Row) -> None:
        stop = cells.start + len(cells.glyphs)
        field = self._field
        if row >= len(field.distance):
            return
        # Show the cells that the growing map has reached, except unseen ones.
        distance = field.distance[row, cells.start : stop]
        is_shown = distance != field.unreached
        computed = distance if field.order is None else field.order[row, cells.start : stop]
        if self._frontier is not None:
            is_shown &= computed <= self._frontier
        meanings = np.frombuffer(cells.meanings, np.uint8)[: len(distance)]
        is_shown &= meanings != Meaning.UNSEEN
        self._tint(distance, computed, is_shown, cells)
        self._mark_sources(row, cells)
        if field.places is not None:
            self._write(field.places, row, cells, is_shown)
            return
        # Glyphs replace the ground; things stay, unless the field covers them.
        if field.covers_things:
            is_foe, is_ground = np.zeros(len(distance), bool), is_shown
        else:
            is_foe, is_ground = np.isin(meanings, _FOES), is_shown & np.isin(meanings, _GROUND)
        # Choose the glyphs; the other styles need only tints.
        if self._style is OverlayStyle.LETTERS:
            is_ground &= distance < len(LETTERS)
            glyphs = _LETTERS[np.where(is_ground, distance, 0)]
        elif self._style is OverlayStyle.DIGITS:
            glyphs = _LETTERS[np.where(is_ground, distance, 0) % 10]
        elif self._style is OverlayStyle.ARROWS and field.steps is not None:
            glyphs = self._arrows[field.steps[row, cells.start : stop]]
        else:
            return
        # Mark foes, and write the glyphs or the digits of the numbers, of goals beside their own glyph.
        for index in np.flatnonzero(is_foe).tolist():
            cells.tints[index] = Tint.FOE
        is_goal = is_shown & np.isin(meanings, _GOALS) & (self._style is not OverlayStyle.ARROWS)
        for index in np.flatnonzero(is_goal & (not field.covers_things)).tolist():
            thing = cells.glyphs[index]
            cells.texts.setdefault(index, CellText(f"{distance[index]}", thing + ":" * thing.isdigit()))
        glyphs = glyphs.tolist()
        width = field.columns - 1
        for index in np.flatnonzero(is_ground).tolist():
            is_thing = cells.meanings[index] not in _GROUND
            if self._style is not OverlayStyle.ARROWS:
                text = cells.texts.get(index, CellText())
                if cells.meanings[index] == Meaning.YOU and text.number.isdigit():
                    continue  # your health
                own = f"{text.number}{text.mark}".strip(" ()") if is_thing else ""
                mark = f"({own})" if self._has_own and own[:1] in ("+", "-") else ""
                cells.texts[index] = CellText(f"{distance[index]:>{width}}", text.before or " " * (not mark), mark)
            if cells.meanings[index] in _KEPT or (is_thing and self._style is OverlayStyle.DIGITS):
                continue
            cells.glyphs[index] = glyphs[index]
            if self._style is OverlayStyle.ARROWS and (text := cells.texts.pop(index, CellText())).number and is_thing:
                cells.texts[index] = text.signed(glyphs[index])
            if not is_thing:  # which keeps its sprite
                is_rock = cells.meanings[index] in (Meaning.WALL, Meaning.REMEMBERED_WALL)
                cells.meanings[index] = Meaning.ROCK_NOTE if is_rock else Meaning.PATH
        # Mark the cell of the explained step.
        if self._step is not None and self._step.cell.row == row:
            cells.put(self._step.cell.col, None, Meaning.NOTE)

    def _write(self, places: Mapping[Cell, str], row: int, cells: Row, is_shown: NDArray[np.bool_]) -> None:
        for place, number in places.items() if self._style is not OverlayStyle.HEAT else ():
            for index, char in enumerate(number, place.col - cells.start):
                if place.row == row and 0 <= index < len(is_shown) and is_shown[index]:
                    cells.glyphs[index], cells.meanings[index] = char, Meaning.PRIZE

    def _tint(self, distance: Numbers, computed: Numbers, is_shown: NDArray[np.bool_], cells: Row) -> None:
        tints = np.frombuffer(cells.tints, np.uint8)[: len(distance)].copy()
        if self._style is OverlayStyle.HEAT:
            heat = HEATS - 1 - np.floor(distance * float(HEATS - 1) / max(self._field.farthest, 1))
            kept = _KEPT if self._field.covers_things else _THINGS
            is_shown = is_shown & ~np.isin(np.frombuffer(cells.meanings, np.uint8)[: len(distance)], kept)
            tints[is_shown] = Tint.HEAT_0 + heat[is_shown].astype(np.uint8)
            for index in np.flatnonzero(is_shown).tolist() if self._field.places is not None else ():
                cells.meanings[index] = Meaning.PATH  # a sprite would be a black block
                cells.slices.pop(index, None)
        if self._frontier is not None:
            tints[is_shown & (computed == self._frontier)] = Tint.FRONTIER
        cells.tints[: len(distance)] = tints.tobytes()

    def _mark_sources(self, row: int, cells: Row) -> None:
        for source in self._step.sources if self._step is not None else ():
            if source.row == row:
                cells.put(source.col, None, None, Tint.FRESH)


Numbers = NDArray[np.signedinteger[Any]]

_LETTERS = np.array(list(LETTERS))
_FOES = (Meaning.FOE, Meaning.SLIGHT_FOE)
_GOALS = (Meaning.PRIZE, Meaning.MAGIC, Meaning.DOOR, Meaning.WAY_OUT)
_THINGS = (*_FOES, Meaning.YOU, *_GOALS)
_KEPT = (Meaning.YOU, Meaning.WAY_OUT)  # by fields that cover things
_GROUND = (Meaning.FLOOR, Meaning.WALL, Meaning.REMEMBERED, Meaning.REMEMBERED_WALL)


def walking_field(
    kind: str,
    passable: NDArray[np.bool_],
    exits: NDArray[np.bool_],
    here: Cell,
    has_arrows: bool,
    shown: NDArray[np.bool_] | None = None,
) -> DistanceField:
    """Steps from the player in four directions, with arrows back; no way leads on from an exit.

    The farthest of the shown cells sets the scale.
    """
    from dungeon_tui import engine

    passable[here], exits[here] = True, False
    inside = engine.distance_map(passable & ~exits, np.array([here]), diagonal=False)
    around = np.pad(inside, 1, constant_values=engine.UNREACHED)
    nearest = np.minimum.reduce([around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]])
    distance = np.where(exits & (nearest < engine.UNREACHED), nearest + 1, inside)
    steps = np.where(exits, engine.downhill(distance, diagonal=False), engine.downhill(inside, diagonal=False))
    known = distance if shown is None else np.where(shown, distance, engine.UNREACHED)
    return DistanceField(kind, distance, steps if has_arrows else None, engine.UNREACHED, engine.farthest(known))


def deadly_layer(cells: Iterable[Cell], is_bare: Callable[[Cell], bool], glyphs: Glyphs) -> CellLayer:
    """Crosses on the deadly cells that are bare, and a tint on all of them."""
    layer = CellLayer()
    for cell in cells:
        layer.mark_over(cell, is_bare(cell), glyphs.cross, Meaning.FOE, Tint.DANGER)
    return layer


def way_layer(
    steps: Iterable[tuple[Cell, Direction | None]],
    is_bare: Callable[[Cell], bool],
    glyphs: Glyphs,
    meaning: Meaning = Meaning.PATH,
    tint: Tint = Tint.PATH,
) -> CellLayer:
    """Draws steps (None: a wait) from cells: arrows on bare cells, the first step's first, or counted circles."""
    left: dict[Cell, Counter[str]] = {}  # by the cell: how many steps from it have each sign
    for cell, way in steps:
        left.setdefault(cell, Counter())[glyphs.stay if way is None else glyphs.way(way)] += 1
    layer = CellLayer()
    for cell, signs in left.items():
        joined, text, waits = "".join(signs), None, signs[glyphs.stay]
        if waits > 1 and glyphs.is_ascii:  # a sign each: a number would read as a way
            text = CellText(ways=joined.replace(glyphs.stay, waits * glyphs.stay))
        elif waits > 1:
            before, _, after = joined.partition(glyphs.stay)
            text = CellText(f"{waits}", before, ways=glyphs.stay + after)
        elif len(joined) > 1:
            text = CellText(ways=joined)
        layer.mark_over(cell, is_bare(cell), joined[0], meaning, tint, text)
    return layer
