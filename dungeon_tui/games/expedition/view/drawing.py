"""The drawing of a map in a terminal: boxes on a grid, and lines in the gutters between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, pairwise
from math import ceil, hypot
from unicodedata import combining, east_asian_width

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.expedition.model.level import Corridor, Level, Room
from dungeon_tui.games.expedition.model.maps import neighbours
from dungeon_tui.games.expedition.view.router import STEPS, Box, Router
from dungeon_tui.games.expedition.view.slots import Slot, slots_of

LONGEST_LABEL = 14  # characters in a box; inspecting the room shows the whole label
GOAL = ">"
DEAD_END = "dead end"
UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8  # bits: the sides of a cell that a line touches

_SIDES = (UP, RIGHT, DOWN, LEFT)  # in the router's order
Size = tuple[int, int, int, int, int]
"""Rows of a box, its columns besides the text, rows and columns between boxes, rows around all."""
_ROOMY: tuple[Size, ...] = (
    *((2 * scale + 1, 4 * scale + 1, scale, 2 * scale + 1, 1) for scale in (5, 4, 3, 2)), (5, 5, 1, 3, 1),
    (5, 5, 1, 3, 0), (5, 4, 1, 3, 0), (4, 8, 1, 3, 0), (3, 5, 2, 5, 1), (3, 5, 1, 3, 0), (3, 4, 1, 3, 0),
)  # fmt: skip
_BESIDE = 4  # rows of a box with a sprite at the right of its text
_COMPACT = (3, 4, 1, 1, 0)
_TINY = (3, -LONGEST_LABEL, 1, 1, 0)  # boxes without text
_SPACIOUS: tuple[Size, ...] = (
    (3, 6, 1, 2, 0), *((3, 5, *gutter, 1) for gutter in ((3, 5), (3, 7), (4, 9), (6, 12), (8, 16)))
)  # fmt: skip
_DENSE = 3  # corridors per room; denser maps are routed greedily, and lines may overlap
_HASTE = 8  # weight of the heuristic for dense maps
Run = tuple[int, Sequence[Cell]]  # the sides that its line touches, as bits, and the cells
_ASIDE = 0.35  # cosine of the largest angle between a direction and a room that lies that way
_STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))  # in the order of DistanceField.steps


@dataclass(frozen=True, slots=True)
class CorridorLine:
    """A corridor's line, with the marks on it."""

    cells: tuple[Cell, ...]  # from frame to frame, both included
    sides: tuple[int, ...]  # of each cell, as bits
    marks: tuple[tuple[Cell, str], ...]  # digits, one each


@dataclass(frozen=True, eq=False, slots=True)
class Drawing:
    """The positions of a map's boxes and lines, in characters."""

    level: Level
    height: int
    width: int
    boxes: tuple[Box, ...]  # in the order of Level.rooms
    lines: tuple[CorridorLine, ...]  # in the order of Level.corridors

    @property
    def sprite_lines(self) -> int:
        """Lines of two sprites that fit side by side below the text in every box, or of one beside it; 0 if none do."""
        height, width = self.boxes[0].height, min(box.width for box in self.boxes)
        if height == _BESIDE:
            return height - 2
        return next((lines for lines in (6, 4, 3, 2) if 2 * lines < height and 4 * lines + 2 <= width), 0)

    def text_row(self, room: int) -> int:
        """The row of a room's label, the first of the sprites if they are beside it."""
        box = self.boxes[room]
        return box.row + 1 + (box.height - 2 - self.sprite_lines) // 2

    def text_col(self, room: int) -> int:
        """The column of a room's label: a blank or a sprite is right of it, in the middle a sign left of it."""
        box, text = self.boxes[room], box_text(self.level, room) if self.has_text(room) else ""
        return box.col + 1 + min((box.width - len(text)) // 2, box.width - 2 - max(1, self.beside(room)) - len(text))

    def has_text(self, room: int) -> bool:
        """True unless the room's box is too small for its text, as in previews."""
        return len(box_text(self.level, room)) <= self.boxes[room].width - 2

    def beside(self, room: int) -> int:
        """Columns of the sprite at the right of a room's text; 0 if sprites are below it."""
        return 2 * self.sprite_lines * (self.boxes[room].height == _BESIDE)

    def sprite_cells(self, room: int, half: float) -> list[Cell]:
        """The cells of a sprite in the left (0) or right (1) half of a room or between; none if too small."""
        lines, box = self.sprite_lines, self.boxes[room]
        col = box.col + 1 + int((1 + 2 * half) * (box.width - 2) - 4 * lines) // 4
        if self.beside(room):
            col = box.right - 2 * lines
        return [Cell(box.bottom - lines + line, col + at) for line in range(lines) for at in range(2 * lines)]

    def cells_between(self, one: int, two: int) -> tuple[Cell, ...]:
        """The cells of the line between two neighbouring rooms, from frame to frame."""
        cells = self.lines[neighbours(self.level)[one][two]].cells
        return cells if one < two else cells[::-1]

    def place_on_step(self, one: int, two: int) -> Cell:
        """The cell to mark for a step between neighbouring rooms: at its first door, where "+1" covers no text."""
        door, outside, *_ = cells = self.cells_between(one, two)
        return outside if first_step(cells) == _STEPS.index((0, 1)) and len(cells) > 3 else door

    def room_at(self, cell: Cell) -> int | None:
        """Index of the room whose box holds a cell, or None."""
        return next((room for room, box in enumerate(self.boxes) if box.holds(cell)), None)

    def room_towards(self, room: int, direction: Direction) -> int | None:
        """The neighbouring room in a direction, straightest first, then nearest; None if there is none."""
        here = self.boxes[room].middle
        found: list[tuple[bool, float, float, int]] = []
        for neighbour in neighbours(self.level)[room]:
            there = self.boxes[neighbour].middle
            rows, cols = 2 * (there.row - here.row), there.col - here.col
            length = hypot(rows, cols)
            along = (rows * direction.value[0] + cols * direction.value[1]) / length
            is_aside = along < max(abs(rows), abs(cols)) / length - 1e-9  # it is more in another direction
            if along > _ASIDE:
                found.append((is_aside, -along, length, neighbour))
        return min(found)[3] if found else None

    def cost_field(self, room: int, costs: Mapping[int, int]) -> tuple[NDArray[np.int64], dict[Cell, str]]:
        """Costs of the paths from a room (see `cheapest_ways`), over the floors of other rooms.

        Returns:
            (height, width) costs, UNREACHED outside the boxes; where to write each, in place of that of entering.
        """
        distance, places = np.full((self.height, self.width), UNREACHED, np.int64), dict[Cell, str]()
        for each, cost in costs.items():
            if each != room:
                box = self.boxes[each]
                distance[box.row + 1 : box.bottom, box.col + 1 : box.right] = cost
                text = f"={cost}".ljust(len(f"+{self.level.rooms[each].cost}"))
                col = min(self.text_col(each) + box_text(self.level, each).rfind("+"), box.right - len(text))
                places[Cell(self.text_row(each), col)] = text
        return distance, places


@lru_cache(maxsize=8)
def drawing_of(level: Level, space: tuple[int, int] = (0, 0), is_preview: bool = False) -> Drawing:
    """The largest drawing of a map that fits in (columns, lines), or a small one; the last 8 are cached.

    A preview that doesn't fit has boxes without text.
    Boxes never overlap, and no line runs through a box. Lines may cross, and overlap if there is too little space.
    """
    slots, found = slots_of(level), list[tuple[Drawing, int]]()
    is_dense = len(level.corridors) > _DENSE * len(level.rooms)
    lines = space[1] - space[1] // 6  # the rest is for the timeline
    for size in _SPACIOUS[-1:] if is_dense else (*_ROOMY, _COMPACT, *_SPACIOUS):
        height, width, boxes = _placed(level, slots, size)
        if (size in _ROOMY and height > lines) or (size not in _SPACIOUS and width > space[0]):
            continue
        if is_preview and (width > space[0] - 2 or height > space[1] - 2):
            return _drawn(level, Router(*_placed(level, slots, _TINY, (2 * space[1] // 3, space[0] - 2)), 1))[0]
        if size not in _SPACIOUS:  # two columns are for the frame
            stretched = _stretched(size, slots, (space[0] - 2 - width, lines - height))
            height, width, boxes = _placed(level, slots, stretched, (lines, space[0] - 2))
        found.append(_drawn(level, Router(height, width, boxes, _HASTE if is_dense else 1)))
        if not found[-1][1]:
            break
    return min(found, key=lambda each: each[1])[0]


def first_step(cells: Sequence[Cell]) -> int:
    """The direction in which a line leaves a box, numbered as DistanceField.steps."""
    return _STEPS.index((cells[1].row - cells[0].row, cells[1].col - cells[0].col))


def label_of(room: Room) -> str:
    """A room's label in its box: wide characters as `?`; cut to 14 characters with a `~`."""
    label = "".join("?" if east_asian_width(char) in "WF" or combining(char) else char for char in room.label)
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "~"


def box_text(level: Level, number: int) -> str:
    """The text in a room's box: the sign of the room to end in, its label, the cost of entering it."""
    room, sign = level.rooms[number], f"{GOAL} " * (number == level.goal)
    return f"{sign}{label_of(room)} +{room.cost}"


# -- boxes and lines


def _stretched(size: Size, slots: Sequence[Slot], spare: tuple[int, int]) -> Size:
    """The size that takes up spare (columns, lines): gutters, odd for a cost in the middle, then boxes."""
    rows, cols, gutter_rows, gutter_cols, margin = size
    down, across = (max(slot[axis] for slot in slots) for axis in (0, 1))
    more_cols, more_rows = (max(0, each) // max(1, last) for each, last in zip(spare, (across, down), strict=True))
    higher = min(gutter_rows + more_rows // 2 * 2, 3 * gutter_rows)
    if rows > _BESIDE:  # boxes, too, but no higher than wide
        most_rows = rows + (spare[1] - (higher - gutter_rows) * down) // (down + 1)
        rows = max(rows, min(most_rows, (cols + 9) // 2))
    return rows, cols, higher, min(gutter_cols + more_cols // 2 * 2, 3 * gutter_cols), margin


def _placed(
    level: Level, slots: Sequence[Slot], size: Size, space: tuple[int, int] = (0, 0)
) -> tuple[int, int, tuple[Box, ...]]:
    """Height and width of a drawing of this size, and its boxes; in fog it fills (lines, columns) without an edge."""
    # Make boxes wide enough for the text, the party's sign, half of the corridors' ends and two sprites.
    box_rows, more_cols, gutter_rows, gutter_cols, margin_rows = size
    least = len(DEAD_END) * level.is_fogged
    widths = [
        max(max(len(box_text(level, room)), least) + more_cols, ceil(len(there) / 2) + 4, 4 * min(box_rows // 2, 2) + 2)
        for room, there in enumerate(neighbours(level))
    ]

    # Place the boxes, those of a column alike.
    columns = 1 + max(col for _, col in slots)
    column_widths = [0] * columns
    for (_, col), width in zip(slots, widths, strict=True):
        column_widths[col] = max(column_widths[col], width)
    lefts = [2 * margin_rows + sum(column_widths[:col]) + col * gutter_cols for col in range(columns)]
    boxes = tuple(
        Box(margin_rows + row * (box_rows + gutter_rows), lefts[col], box_rows, column_widths[col])
        for row, col in slots
    )
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    height, width = bottom + 1 + margin_rows, right + 1 + 2 * margin_rows
    down, across = (level.is_fogged * max(0, each) for each in (space[0] - height, space[1] - width))
    boxes = tuple(replace(box, row=box.row + down // 2, col=box.col + across // 2) for box in boxes)
    return height + down, width + across, boxes


def _drawn(level: Level, router: Router) -> tuple[Drawing, int]:
    """A drawing with the router's boxes, and its flaws: overlapping cells, corridors without space for their cost."""
    # Route the corridors, short ones first.
    boxes = router.boxes
    nearest_first = sorted(range(len(level.corridors)), key=lambda number: _distance(boxes, level.corridors[number]))
    ways = {number: router.route(*level.corridors[number].ends) for number in nearest_first}

    # Write the costs on them.
    lines, flaws = [], router.overlaps
    for number, corridor in enumerate(level.corridors):
        sides = _sides(ways[number])
        marks = _marks(corridor, _straight_runs(ways[number], sides, router), router)
        flaws += marks is None
        lines.append(CorridorLine(tuple(ways[number]), tuple(sides), tuple(marks or ())))
    return Drawing(level, router.height, router.width, (*boxes,), (*lines,)), flaws


def _distance(boxes: Sequence[Box], corridor: Corridor) -> int:
    one, two = (boxes[room].middle for room in corridor.ends)
    return 2 * abs(one.row - two.row) + abs(one.col - two.col)


def _sides(cells: Sequence[Cell]) -> list[int]:
    sides = [0] * len(cells)
    for at, (cell, after) in enumerate(pairwise(cells)):
        way = STEPS.index((after.row - cell.row, after.col - cell.col))
        sides[at] |= _SIDES[way]
        sides[at + 1] |= _SIDES[(way + 2) % 4]
    return sides


def _marks(corridor: Corridor, runs: Sequence[Run], router: Router) -> list[tuple[Cell, str]] | None:
    """The digits on a line with these straight runs; None if there is no space for them."""
    text = str(corridor.cost or "")
    for side, run in runs:
        marks = _across(text, run, router) if side == UP | DOWN else _along(text, run)
        if marks or not text:
            router.written.update(cell for cell, _ in marks)
            return marks
    return None if text else []


def _straight_runs(cells: Sequence[Cell], sides: Sequence[int], router: Router) -> list[Run]:
    """Straight stretches of a line without crossings and texts, longest first, each with its cells' sides as bits."""

    def straight(at: int) -> int:
        return sides[at] if sides[at] in (UP | DOWN, LEFT | RIGHT) and router.is_single(cells[at]) else 0

    runs = [(side, [cells[at] for at in run]) for side, run in groupby(range(1, len(cells) - 1), straight) if side]
    return sorted(runs, key=lambda run: len(run[1]), reverse=True)


def _along(text: str, run: Sequence[Cell]) -> list[tuple[Cell, str]]:
    """Cells and characters of a text in the middle of a stretch; empty if it is too long."""
    start = (len(run) - len(text)) // 2
    return [*zip(sorted(run)[start:], text, strict=False)] if start >= 0 else []


def _across(text: str, run: Sequence[Cell], router: Router) -> list[tuple[Cell, str]]:
    """Cells and characters of a text across the middle of a vertical stretch; empty if the cells aren't free."""
    middle = run[len(run) // 2]
    first = middle.col - len(text) // 2
    cells = [Cell(middle.row, first + index) for index in range(len(text))]
    is_free = all(cell == middle or router.is_free(cell) for cell in cells)
    return [*zip(cells, text, strict=True)] if is_free else []
