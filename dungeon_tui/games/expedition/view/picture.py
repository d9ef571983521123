"""An expedition as a map view shows it: boxes and lines, a character a cell; walks drawn over them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import corridor_numbers
from dungeon_tui.games.expedition.model.state import State
from dungeon_tui.games.expedition.view.layout import (
    DOWN,
    EVENT_GLYPHS,
    LEFT,
    RIGHT,
    SQUARE,
    UP,
    box_text,
    first_step,
    label_of,
    layout,
)
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import Row
from dungeon_tui.ui.palette import Meaning, Tint

PARTY, GOAL, WASTED = "@", ">", "!"
SEEN, ASCII_SEEN = "√", "x"
ASCII_SQUARE = "o"
TEXT_AT = 3  # columns from a box's left side to its text; the party or the sign of a room seen stands at 1

_LINES = {
    UP: "│", DOWN: "│", UP | DOWN: "│", LEFT: "─", RIGHT: "─", LEFT | RIGHT: "─",
    DOWN | RIGHT: "┌", DOWN | LEFT: "┐", UP | RIGHT: "└", UP | LEFT: "┘",
    UP | DOWN | RIGHT: "├", UP | DOWN | LEFT: "┤", LEFT | RIGHT | DOWN: "┬", LEFT | RIGHT | UP: "┴",
    UP | DOWN | LEFT | RIGHT: "┼",
}  # fmt: skip
_EVENT_MEANINGS = {
    EVENT_GLYPHS["trap"]: Meaning.FOE,
    EVENT_GLYPHS["darkness"]: Meaning.MAGIC,
    EVENT_GLYPHS["curio"]: Meaning.PRIZE,
}


def line_glyph(sides: int, glyphs: Glyphs) -> str:
    """The character that goes on to some sides of a cell."""
    if not glyphs.is_ascii:
        return _LINES[sides]
    return "|" if not sides & (LEFT | RIGHT) else "-" if not sides & (UP | DOWN) else "+"


@dataclass(frozen=True, eq=False, slots=True)
class Places:
    """The drawing, by rows."""

    boxes: Mapping[int, Sequence[int]]  # by row: the rooms whose boxes it goes through
    lines: Mapping[int, Sequence[tuple[int, int, int]]]  # by row: column, sides and corridor
    marks: Mapping[int, Sequence[tuple[int, str, int]]]  # by row: column, character and corridor


@lru_cache(maxsize=8)
def places(level: Level) -> Places:
    """The places of a map's drawing."""
    drawing = layout(level)
    boxes: dict[int, list[int]] = {}
    for room, box in enumerate(drawing.boxes):
        for row in range(box.row, box.bottom + 1):
            boxes.setdefault(row, []).append(room)
    lines: dict[int, list[tuple[int, int, int]]] = {}
    marks: dict[int, list[tuple[int, str, int]]] = {}
    for corridor, line in enumerate(drawing.lines):
        for cell, sides in zip(line.cells, line.sides, strict=True):
            lines.setdefault(cell.row, []).append((cell.col, sides, corridor))
        for cell, char in line.marks:
            marks.setdefault(cell.row, []).append((cell.col, char, corridor))
    return Places(boxes, lines, marks)


def room_at(level: Level, cell: Cell) -> int | None:
    """The room whose box holds a cell."""
    boxes = layout(level).boxes
    return next((room for room in places(level).boxes.get(cell.row, ()) if boxes[room].holds(cell)), None)


def corridors_at(level: Level, cell: Cell) -> list[int]:
    """The corridors that are drawn on a cell."""
    found = places(level)
    drawn = [corridor for col, _, corridor in found.lines.get(cell.row, ()) if col == cell.col]
    written = [corridor for col, _, corridor in found.marks.get(cell.row, ()) if col == cell.col]
    return written or drawn


class Picture:
    """The rooms and corridors that are known, those seen and walked, and the party."""

    def __init__(self, state: State, glyphs: Glyphs, known: int, goal: int | None) -> None:
        """Takes what there is to show.

        Args:
            state: a moment of an expedition.
            glyphs: what to draw with.
            known: the rooms that are drawn, one bit each; a corridor is, once a room at one of its ends is seen.
            goal: the room to end in.
        """
        level = state.level
        self._drawing = layout(level)
        self.height, self.width = self._drawing.height, self._drawing.width
        self._state, self._glyphs, self._known, self._goal = state, glyphs, known, goal
        self._places = places(level)
        self._is_all = known == (1 << len(level.rooms)) - 1
        self._walked = walked(state)

    def row(self, row: int, start: int, stop: int) -> Row:
        """One row's cells."""
        cells = Row(start, " " * (stop - start), bytes([Meaning.FLOOR]) * (stop - start))
        drawn: dict[int, tuple[int, bool]] = {}  # by column: sides, and whether the party came that way
        for col, sides, corridor in self._places.lines.get(row, ()):
            if start <= col < stop and self._knows(corridor):
                before, was_walked = drawn.get(col, (0, False))
                drawn[col] = before | sides, was_walked or corridor in self._walked
        for room in self._places.boxes.get(row, ()):
            if self._known >> room & 1:
                self._put_box(row, room, cells, drawn)
        for col, (sides, was_walked) in drawn.items():
            meaning = Meaning.PATH if was_walked else Meaning.FLOOR
            cells.put(col, line_glyph(sides, self._glyphs), meaning)
        for col, char, corridor in self._places.marks.get(row, ()):
            if self._knows(corridor):
                glyph = ASCII_SQUARE if char == SQUARE and self._glyphs.is_ascii else char
                cells.put(col, glyph, _EVENT_MEANINGS.get(char, Meaning.SLIGHT_PRIZE))
        return cells

    def _knows(self, corridor: int) -> bool:
        one, two = self._state.level.corridors[corridor].ends
        return self._is_all or self._state.has_seen(one) or self._state.has_seen(two)

    def _put_box(self, row: int, room: int, cells: Row, drawn: dict[int, tuple[int, bool]]) -> None:
        """One row of a box; where a corridor begins, its frame opens."""
        box, state = self._drawing.boxes[room], self._state
        is_here, is_seen = room == state.room, state.has_seen(room)
        frame = Meaning.YOU if is_here else Meaning.PATH if is_seen else Meaning.FLOOR
        upright = (DOWN if row < box.bottom else 0) | (UP if row > box.row else 0)
        is_edge = row in (box.row, box.bottom)
        for col in range(box.col, box.right + 1) if is_edge else (box.col, box.right):
            at_side = col in (box.col, box.right)
            sides = upright if at_side else 0
            if is_edge:
                sides |= (RIGHT if col < box.right else 0) | (LEFT if col > box.col else 0)
            beyond, _ = drawn.pop(col, (0, False))
            cells.put(col, line_glyph(sides | beyond, self._glyphs), frame)
        if is_edge:
            return
        text = Meaning.YOU if is_here else Meaning.PATH if is_seen else Meaning.NOTE
        for col in range(box.col + 2, box.right):
            cells.put(col, " ", text)
        told = state.level.rooms[room]
        label = label_of(told)
        for place, char in enumerate(box_text(told)):
            meaning = text
            if place > len(label):
                meaning = _EVENT_MEANINGS.get(char, Meaning.SLIGHT_PRIZE)
            glyph = "?" if self._glyphs.is_ascii and not char.isascii() else char
            cells.put(box.col + TEXT_AT + place, glyph, meaning)
        tick = ASCII_SEEN if self._glyphs.is_ascii else SEEN
        cells.put(box.col + 1, PARTY if is_here else tick if is_seen else " ", text if is_here else Meaning.REMEMBERED)
        if room == self._goal:
            cells.put(box.right - 1, GOAL, Meaning.WAY_OUT)
        if is_here:
            for col in range(box.col + 1, box.right):
                cells.put(col, None, None, Tint.PATH)


def walked(state: State) -> frozenset[int]:
    """The corridors that the party went through."""
    numbers = corridor_numbers(state.level)
    trail, found = state.trail, set()
    while trail.before is not None:
        found.add(numbers[min(trail.room, trail.before.room), max(trail.room, trail.before.room)])
        trail = trail.before
    return frozenset(found)


def visits_text(steps: Sequence[int], room: int) -> str:
    """The steps that come to a room, parted by commas; where they don't all fit, the first ones and a +.

    >>> visits_text([14, 16, 18], 8), visits_text([14, 16, 18], 7), visits_text([14, 16, 18], 5)
    ('14,16,18', '14,16+', '14+')
    """
    told = len(steps)
    while told > 1 and len(_listed(steps, told)) > room:
        told -= 1
    return _listed(steps, told)[:room]


def _listed(steps: Sequence[int], told: int) -> str:
    return ",".join(map(str, steps[:told])) + ("+" if told < len(steps) else "")


class WalkLayer:
    """A walk: its corridors tinted, with an arrow where it leaves a room, and at each room when it comes there.

    Where two walks use the same corridor, the tint is a third one.
    """

    def __init__(
        self,
        level: Level,
        rooms: Sequence[int],
        glyphs: Glyphs,
        tint: Tint,
        *,
        is_below: bool,
        wasted: Collection[int] = (),
    ) -> None:
        """Takes what there is to draw.

        Args:
            level: the map.
            rooms: the walk, the first room included.
            glyphs: what to draw with.
            tint: of its corridors.
            is_below: whether its numbers stand on the lower side of each box, not on the upper one.
            wasted: the steps that were, counted from 0.
        """
        self._tint = tint
        self._tints: dict[int, dict[int, Tint]] = {}  # by row and column
        self._signs: dict[int, dict[int, tuple[str, Meaning]]] = {}
        self._numbers: dict[int, dict[int, tuple[str, Meaning]]] = {}
        drawing, numbers = layout(level), corridor_numbers(level)
        visits: dict[int, list[int]] = {}
        arrows = "AV<>" if glyphs.is_ascii else glyphs.ways[:4]
        for step, (one, two) in enumerate(pairwise(rooms)):
            cells = drawing.lines[numbers[min(one, two), max(one, two)]].cells
            cells = cells if one < two else cells[::-1]
            is_wasted = step in wasted
            for cell in cells[1:-1]:
                there = self._tints.setdefault(cell.row, {})
                there[cell.col] = Tint.DANGER if is_wasted else there.get(cell.col, tint)
            arrow = arrows[first_step(cells)]
            sign = (WASTED, Meaning.FOE) if is_wasted else (arrow, Meaning.YOU if is_below else Meaning.NOTE)
            self._signs.setdefault(cells[1].row, {})[cells[1].col] = sign
        for step, room in enumerate(rooms):
            visits.setdefault(room, []).append(step)
        for room, steps in visits.items():
            box = drawing.boxes[room]
            text = visits_text(steps, box.width - 2)
            row = box.bottom if is_below else box.row
            for place, char in enumerate(text):
                meaning = Meaning.WAY_OUT if is_below else Meaning.NOTE
                self._numbers.setdefault(row, {})[box.col + 1 + place] = char, meaning

    def rows(self) -> Iterable[int]:
        """Those that the walk goes through."""
        return {*self._tints, *self._numbers}

    def paint(self, row: int, cells: Row) -> None:
        """Draws one row."""
        blamed = set()  # what an earlier walk wasted stays to be seen
        for col, tint in self._tints.get(row, {}).items():
            index = col - cells.start
            if 0 <= index < len(cells.tints):
                below = cells.tints[index]
                is_other = below not in (Tint.NONE, tint)
                if below == Tint.DANGER:
                    blamed.add(col)
                else:
                    cells.put(col, None, None, Tint.FRESH if is_other and tint == self._tint else tint)
        for col, (glyph, meaning) in (self._signs.get(row, {}) | self._numbers.get(row, {})).items():
            if col not in blamed:
                cells.put(col, glyph, meaning)
