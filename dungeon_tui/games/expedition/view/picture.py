"""An expedition as a map view shows it: boxes and lines, a character a cell; walks drawn over them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import neighbours
from dungeon_tui.games.expedition.model.state import State
from dungeon_tui.games.expedition.view.drawing import (
    DOWN,
    EVENT_GLYPHS,
    LEFT,
    RIGHT,
    SQUARE,
    UP,
    box_text,
    cells_between,
    drawing_of,
    first_step,
    label_of,
)
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import Row
from dungeon_tui.ui.palette import Meaning, Tint

PARTY, GOAL, WASTED = "@", ">", "!"
SEEN, ASCII_SEEN = "✓", "x"
ASCII_SQUARE = "o"

# By the sides to which a cell goes on: of up 1, down 2, left 4, right 8 the sum.
_LINES, _ASCII_LINES = (np.array([ord(char) for char in chars]) for chars in (" │││─┘┐┤─└┌├─┴┬┼", " |||-+++-+++-+++"))
_EVENT_MEANINGS = {
    EVENT_GLYPHS["trap"]: Meaning.FOE,
    EVENT_GLYPHS["darkness"]: Meaning.MAGIC,
    EVENT_GLYPHS["curio"]: Meaning.PRIZE,
}
_AS_ITS_ROOM = 255  # a meaning that depends on whether the room was seen


@dataclass(frozen=True, eq=False, slots=True)
class Inks:
    """All that a drawing may show. It belongs to owners: first the rooms, then the corridors."""

    sides: NDArray[np.int32]  # (k, 3): place in the picture, sides to which it goes on, owner; corridors first
    chars: NDArray[np.int32]  # (k, 4): place, character, meaning, owner
    signs: NDArray[np.int32]  # (rooms,): the places of the party, or of the sign that a room was seen
    ends: NDArray[np.int32]  # (corridors, 2): rooms


@lru_cache(maxsize=8)
def _inks(level: Level, is_ascii: bool) -> Inks:
    drawing, rooms = drawing_of(level), len(level.rooms)
    sides: list[tuple[int, ...]] = []
    chars: list[tuple[int, ...]] = []
    signs: list[int] = []

    def place(row: int, col: int) -> int:
        return row * drawing.width + col

    for owner, line in enumerate(drawing.lines, rooms):
        sides += [(place(*cell), ways, owner) for cell, ways in zip(line.cells, line.sides, strict=True)]
        for cell, char in line.marks:
            glyph = ASCII_SQUARE if char == SQUARE and is_ascii else char
            chars.append((place(*cell), ord(glyph), _EVENT_MEANINGS.get(char, Meaning.SLIGHT_PRIZE), owner))
    for owner, (room, box) in enumerate(zip(level.rooms, drawing.boxes, strict=True)):
        for row in range(box.row, box.bottom + 1):
            is_edge = row in (box.row, box.bottom)
            for col in range(box.col, box.right + 1) if is_edge else (box.col, box.right):
                ways = (UP * (row > box.row) | DOWN * (row < box.bottom)) if col in (box.col, box.right) else 0
                ways |= (LEFT * (col > box.col) | RIGHT * (col < box.right)) if is_edge else 0
                sides.append((place(row, col), ways, owner))
        label, middle = label_of(room), place(box.row + 1, box.col)
        signs.append(middle + 1)
        for at, char in enumerate(f" {box_text(room)}".ljust(box.width - 3), 2):
            is_told = at - 3 > len(label) and char != " "
            meaning = _EVENT_MEANINGS.get(char, Meaning.SLIGHT_PRIZE) if is_told else _AS_ITS_ROOM
            chars.append((middle + at, ord("?" if is_ascii and not char.isascii() else char), meaning, owner))
    ends = [corridor.ends for corridor in level.corridors]
    tables = ((sides, 3), (chars, 4), (ends, 2))
    side_table, char_table, end_table = (np.array(rows, np.int32).reshape(-1, columns) for rows, columns in tables)
    return Inks(side_table, char_table, np.array(signs, np.int32), end_table)


def room_at(level: Level, cell: Cell) -> int | None:
    """Place in the level of the room whose box holds a cell; None where none does."""
    return next((room for room, box in enumerate(drawing_of(level).boxes) if box.holds(cell)), None)


def corridors_at(level: Level, cell: Cell) -> list[int]:
    """Places in the level of the corridors drawn on a cell; on a number or a sign only of the one it belongs to."""
    lines = drawing_of(level).lines
    written = [number for number, line in enumerate(lines) if any(cell == at for at, _ in line.marks)]
    return written or [number for number, line in enumerate(lines) if cell in line.cells]


class Picture:
    """The rooms and corridors that are known, those seen and walked, and the party."""

    def __init__(self, state: State, glyphs: Glyphs, known: int) -> None:
        """Draws a moment of an expedition.

        Only the rooms that are known are drawn, one bit each; a corridor is, once a room at one of its ends is seen, or
        all rooms are known.
        """
        level, rooms = state.level, len(state.level.rooms)
        drawing, inks = drawing_of(level), _inks(level, glyphs.is_ascii)
        self.height, self.width = drawing.height, drawing.width
        boxes = [box for room, box in enumerate(drawing.boxes) if known >> room & 1]
        self.landmarks = [(Cell(box.row + 1, box.col), Cell(box.row + 1, box.right)) for box in boxes]
        is_known, is_seen = (np.array([bits >> at & 1 for at in range(rooms)], bool) for bits in (known, state.seen))
        is_drawn = np.append(is_known, is_seen[inks.ends].any(axis=1) | is_known.all())
        is_passed = np.append(is_seen, np.zeros(len(inks.ends), bool))
        trail, there = state.trail, neighbours(level)
        while trail.before is not None:
            is_passed[rooms + there[trail.room][trail.before.room]] = True
            trail = trail.before

        lines = inks.sides[is_drawn[inks.sides[:, 2]]]
        sides = np.zeros(self.height * self.width, np.int32)
        np.bitwise_or.at(sides, lines[:, 0], lines[:, 1])
        chars = (_ASCII_LINES if glyphs.is_ascii else _LINES)[sides]
        meanings = np.full(len(sides), Meaning.FLOOR, np.uint8)
        own = np.where(is_passed, Meaning.PATH, Meaning.NOTE)
        own[state.room] = Meaning.YOU
        passed = lines[is_passed[lines[:, 2]]]
        meanings[passed[:, 0]] = own[passed[:, 2]]

        texts = inks.chars[is_drawn[inks.chars[:, 3]]]
        chars[texts[:, 0]] = texts[:, 1]
        meanings[texts[:, 0]] = np.where(texts[:, 2] == _AS_ITS_ROOM, own[texts[:, 3]], texts[:, 2])
        chars[inks.signs[is_seen]] = ord(ASCII_SEEN if glyphs.is_ascii else SEEN)
        meanings[inks.signs[is_known]] = Meaning.REMEMBERED
        here, party = drawing.boxes[state.room], inks.signs[state.room]
        chars[party], meanings[party] = ord(PARTY), Meaning.YOU
        if level.goal is not None and is_known[level.goal]:
            goal = inks.signs[level.goal] + drawing.boxes[level.goal].width - 3
            chars[goal], meanings[goal] = ord(GOAL), Meaning.WAY_OUT
        tints = np.zeros(len(sides), np.uint8)
        tints[party : party + here.width - 2] = Tint.PATH
        self._chars = chars.astype("<u4").reshape(self.height, self.width)
        self._meanings, self._tints = (each.reshape(self.height, self.width) for each in (meanings, tints))

    def row(self, row: int, start: int, stop: int) -> Row:
        """One row's cells from column start up to column stop."""
        cells = slice(start, stop)
        glyphs = self._chars[row, cells].tobytes().decode("utf-32-le")
        painted = Row(start, glyphs, self._meanings[row, cells].tobytes())
        painted.tints[:] = self._tints[row, cells].tobytes()
        return painted


def visits_text(steps: Sequence[int], room: int) -> str:
    """The numbers of the steps that enter a room, in `room` characters: if they don't all fit, the first ones and a +.

    >>> visits_text([14, 16, 18], 8), visits_text([14, 16, 18], 7), visits_text([14, 16, 18], 5)
    ('14,16,18', '14,16+', '14+')
    """
    text = ",".join(map(str, steps))
    told = len(steps)
    while told > 1 and len(text) > room:
        told -= 1
        text = ",".join(map(str, steps[:told])) + "+"
    return text[:room]


class WalkLayer:
    """A walk: its corridors tinted, with an arrow where it leaves a room, and at each room when it comes there.

    Where two walks use the same corridor, the tint is a third one.
    """

    def __init__(
        self,
        level: Level,
        rooms: Sequence[int],
        glyphs: Glyphs,
        *,
        is_plan: bool,
        wasted: Collection[int] = (),
        beneath: WalkLayer | None = None,
    ) -> None:
        """Prepares the tints and signs of a walk.

        Args:
            level: the map.
            rooms: the walk, the first room included.
            glyphs: what to draw with.
            is_plan: the walk is the planner's: its numbers stand on the lower side of each box, not on the upper one.
            wasted: numbers of the wasted steps, from 0.
            beneath: another walk to draw first.
        """
        self._beneath = beneath
        self._tint = tint = Tint.SAFE if is_plan else Tint.PATH
        self._tints: dict[int, dict[int, Tint]] = defaultdict(dict)  # by row and column
        self._signs: dict[int, dict[int, tuple[str, Meaning]]] = defaultdict(dict)
        arrows = glyphs.pointers
        for step, (one, two) in enumerate(pairwise(rooms)):
            cells = cells_between(level, one, two)
            is_wasted = step in wasted
            for cell in cells[1:-1]:
                there = self._tints[cell.row]
                there[cell.col] = Tint.DANGER if is_wasted else there.get(cell.col, tint)
            arrow = arrows[first_step(cells)], Meaning.YOU if is_plan else Meaning.NOTE
            self._signs[cells[1].row][cells[1].col] = (WASTED, Meaning.FOE) if is_wasted else arrow
        for room in set(rooms):
            box = drawing_of(level).boxes[room]
            text = visits_text([step for step, other in enumerate(rooms) if other == room], box.width - 2)
            for col, char in enumerate(text, box.col + 1):
                meaning = Meaning.WAY_OUT if is_plan else Meaning.NOTE
                self._signs[box.bottom if is_plan else box.row][col] = char, meaning

    def rows(self) -> Iterable[int]:
        """The rows on which this walk, or the one beneath it, draws something."""
        return {*self._tints, *self._signs, *(self._beneath.rows() if self._beneath else ())}

    def paint(self, row: int, cells: Row) -> None:
        """Draws the walk's part of one row into its cells; the one beneath comes first."""
        if self._beneath is not None:
            self._beneath.paint(row, cells)
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
        for col, (glyph, meaning) in self._signs.get(row, {}).items():
            if col not in blamed:
                cells.put(col, glyph, meaning)
