"""Where a map's rooms and corridors lie in a terminal: boxes on a grid, and lines in the gutters between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from importlib import import_module
from itertools import pairwise, product
from math import ceil, floor, hypot, sqrt
from unicodedata import combining, east_asian_width

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.expedition.level import Corridor, Level, Room

BOX_HEIGHT = 3
LONGEST_LABEL = 14  # characters; a longer one is cut, and whole where a room is inspected
MOST_SQUARES = 9  # of a corridor's cost; a larger one is a number
SQUARE = "■"
EVENT_GLYPHS = {"trap": "^", "darkness": "~", "curio": "?"}
UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8  # the sides of a cell to which a line goes on, as bits

_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # up, right, down, left: turning by one is the next one
_SIDES = (UP, RIGHT, DOWN, LEFT)  # the same as bits
_SPARSE = 6  # slots a room, before what stays empty is left out
_FEW_LANES = 1.5  # times the root of the rooms: rows or columns beyond are joined where nothing is in the way
_MARGIN_ROWS, _MARGIN_COLS = 1, 2
_GUTTERS = ((2, 5), (3, 5), (3, 7), (4, 9), (6, 12), (8, 16))  # rows and columns between boxes: tried one after another
_DENSE = 3  # corridors a room, beyond which lines may overlap and are found in haste
_HASTE = 8  # how much nearer the end a line is sought then
# What a line costs: rows look twice as high as columns wide.
_LENGTHS = (2, 1, 2, 1)
_TURN, _CROSSING, _NEAR, _OVERLAP = 4, 3, 1, 200

Slot = tuple[int, int]  # row and column of the grid
Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Box:
    """A room's frame and what is in it."""

    row: int  # of its upper left corner
    col: int
    width: int  # with the frame

    @property
    def bottom(self) -> int:
        """Its last row."""
        return self.row + BOX_HEIGHT - 1

    @property
    def right(self) -> int:
        """Its last column."""
        return self.col + self.width - 1

    @property
    def middle(self) -> Cell:
        """The cell in its middle."""
        return Cell(self.row + BOX_HEIGHT // 2, self.col + self.width // 2)

    def holds(self, cell: Cell) -> bool:
        """Whether a cell lies in it or on its frame."""
        return self.row <= cell.row <= self.bottom and self.col <= cell.col <= self.right


@dataclass(frozen=True, slots=True)
class Line:
    """A corridor, and what is written on it."""

    cells: tuple[Cell, ...]  # from the frame of the first room's box to that of the other one's, both included
    sides: tuple[int, ...]  # of each cell: where it goes on
    marks: tuple[tuple[Cell, str], ...]  # squares, digits and events, a character each


@dataclass(frozen=True, eq=False, slots=True)
class Layout:
    """The whole drawing, in characters."""

    height: int
    width: int
    boxes: tuple[Box, ...]  # in the order of Level.rooms
    lines: tuple[Line, ...]  # in the order of Level.corridors


@lru_cache(maxsize=8)
def layout(level: Level) -> Layout:
    """The drawing of a map; asked for again, it is not made again.

    Boxes never overlap, and no line runs through a box. Lines cross; where there is no room left they overlap.
    """
    slots = _slots(level)
    is_dense = len(level.corridors) > _DENSE * len(level.rooms)
    gutters = _GUTTERS[-1:] if is_dense else _GUTTERS
    drawings: list[tuple[int, int, Layout]] = []
    for rows, cols in gutters:
        drawing, flaws = _drawn(level, slots, rows, cols, _HASTE if is_dense else 1)
        if not flaws:
            return drawing
        drawings.append((flaws, len(drawings), drawing))
    return min(drawings)[2]


def label_of(room: Room) -> str:
    """A room's name, one column a character."""
    label = "".join("?" if east_asian_width(char) in "WF" or combining(char) else char for char in room.label)
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "~"


def box_text(room: Room) -> str:
    """What stands in a room's box: the name, what entering costs, its events."""
    events = "".join(EVENT_GLYPHS[event] for event in room.events)
    return f"{label_of(room)} +{room.cost}{events}"


# -- slots of a grid


def _slots(level: Level) -> list[Slot]:
    """Each room's row and column, no two alike: from the file's places, else from a library's."""
    places = [room.place for room in level.rooms]
    points = [place for place in places if place is not None]
    return snapped(points if len(points) == len(places) else _placed(level))


def _placed(level: Level) -> Points:
    """Places where joined rooms come near to each other, the same ones each time."""
    networkx = import_module("networkx")  # loaded here: maps with places of their own need none
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(level.rooms)))
    graph.add_edges_from(corridor.ends for corridor in level.corridors)
    is_planar, _ = networkx.check_planarity(graph)
    first = networkx.planar_layout(graph) if is_planar else networkx.circular_layout(graph)
    places = networkx.spring_layout(graph, pos=first, seed=1, iterations=200)
    return [(float(places[room][1]), float(places[room][0])) for room in range(len(level.rooms))]


def snapped(points: Points) -> list[Slot]:
    """The points on a grid of whole numbers, no two on one slot, no row and no column empty.

    Above and below, left and right stay as they are as far as there is room.
    """
    top, left = min(row for row, _ in points), min(col for _, col in points)
    moved = [(row - top, col - left) for row, col in points]
    scale = _scale(moved)
    taken: dict[Slot, int] = {}
    for number in sorted(range(len(moved)), key=lambda number: (*moved[number], number)):
        row, col = (value * scale for value in moved[number])
        taken[_free_slot(floor(row + 0.5), floor(col + 0.5), taken)] = number
    slots = [slot for slot, _ in sorted(taken.items(), key=lambda entry: entry[1])]
    few = ceil(_FEW_LANES * sqrt(len(points)))
    cols = _lanes([(col, row) for row, col in slots], few)
    rows = _lanes([(row, col) for row, col in zip((row for row, _ in slots), cols, strict=True)], few)
    return list(zip(rows, cols, strict=True))


def _scale(points: Points) -> float:
    """Slots a unit: near ones still come to lie on two slots, unless the grid would be too sparse for that."""
    height, width = max(row for row, _ in points), max(col for _, col in points)
    if height + width == 0:
        return 1.0
    gaps = (
        max(abs(row - other_row), abs(col - other_col))
        for number, (row, col) in enumerate(points)
        for other_row, other_col in points[:number]
    )
    nearest = min((gap for gap in gaps if gap > 0), default=1.0)
    slots = _SPARSE * len(points) - 1
    area = height * width
    # (height * scale + 1) * (width * scale + 1) = slots + 1
    most = (sqrt((height + width) ** 2 + 4 * area * slots) - height - width) / (2 * area) if area else slots / (
        height + width
    )  # fmt: skip
    return min(1 / nearest, most)


def _free_slot(row: int, col: int, taken: Iterable[Slot]) -> Slot:
    """The free slot nearest to a place."""
    if (row, col) not in taken:
        return row, col
    reach = 1
    while True:
        around = [
            (hypot(r - row, c - col), r, c)
            for r, c in product(range(row - reach, row + reach + 1), range(col - reach, col + reach + 1))
            if (r, c) not in taken
        ]
        if around and (nearest := min(around))[0] <= reach:
            return nearest[1:]
        reach += 1


def _lanes(slots: Sequence[Slot], few: int) -> list[int]:
    """Each slot's first coordinate, anew from 0 on without gaps; beyond `few`, lanes are joined that leave room."""
    lanes = [({other for lane, other in slots if lane == value}, {value}) for value in sorted({s for s, _ in slots})]
    while len(lanes) > few:
        joints = [at for at, ((one, _), (two, _)) in enumerate(pairwise(lanes)) if not one & two]
        if not joints:
            break
        at = min(joints, key=lambda at: (max(lanes[at + 1][1]) - min(lanes[at][1]), at))
        lanes[at : at + 2] = [(lanes[at][0] | lanes[at + 1][0], lanes[at][1] | lanes[at + 1][1])]
    number = {value: at for at, (_, values) in enumerate(lanes) for value in values}
    return [number[value] for value, _ in slots]


# -- boxes and lines


def _drawn(level: Level, slots: Sequence[Slot], gutter_rows: int, gutter_cols: int, haste: int) -> tuple[Layout, int]:
    """The drawing with gutters of a width, and how many flaws it has."""
    degrees = [0] * len(level.rooms)
    for corridor in level.corridors:
        for room in corridor.ends:
            degrees[room] += 1
    # Room for the text, for the party's sign before it, and for each corridor's end above or below.
    widths = [
        max(len(box_text(room)) + 5, ceil(degree / 2) + 4) for room, degree in zip(level.rooms, degrees, strict=True)
    ]
    columns = 1 + max(col for _, col in slots)
    column_widths = [0] * columns
    for (_, col), width in zip(slots, widths, strict=True):
        column_widths[col] = max(column_widths[col], width)
    lefts = [_MARGIN_COLS + sum(column_widths[:col]) + col * gutter_cols for col in range(columns)]
    boxes = tuple(
        Box(_MARGIN_ROWS + row * (BOX_HEIGHT + gutter_rows), lefts[col] + (column_widths[col] - width) // 2, width)
        for (row, col), width in zip(slots, widths, strict=True)
    )
    height = max(box.bottom for box in boxes) + 1 + _MARGIN_ROWS
    router = _Router(height, max(box.right for box in boxes) + 1 + _MARGIN_COLS, boxes, haste)
    nearest_first = sorted(
        range(len(level.corridors)), key=lambda number: (_distance(boxes, level.corridors[number]), number)
    )
    ways = {number: router.route(*level.corridors[number].ends) for number in nearest_first}
    written: set[Cell] = set()
    lines, flaws = [], router.overlaps
    for number, corridor in enumerate(level.corridors):
        line, is_written = _line(corridor, ways[number], router, written)
        flaws += not is_written
        lines.append(line)
    return Layout(height, router.width, boxes, tuple(lines)), flaws


def _distance(boxes: Sequence[Box], corridor: Corridor) -> int:
    one, two = (boxes[room].middle for room in corridor.ends)
    return 2 * abs(one.row - two.row) + abs(one.col - two.col)


class _Router:
    """Finds a way for one line after another, around boxes and across earlier lines."""

    def __init__(self, height: int, width: int, boxes: Sequence[Box], haste: int) -> None:
        self.height, self.width, self.boxes = height, width, boxes
        self._haste, self._overlap = haste, _OVERLAP // haste**2
        self.overlaps = 0  # cells where two lines run along each other
        self.used = bytearray(height * width)  # 1: a line runs up and down, 2: across, 3: a corner, a crossing
        self._is_box = bytearray(height * width)
        self._is_near = bytearray(height * width)
        for box in boxes:
            for row in range(box.row - 1, box.bottom + 2):
                start = row * width + box.col
                self._is_near[start - 1 : start + box.width + 1] = bytes([1]) * (box.width + 2)
                if box.row <= row <= box.bottom:
                    self._is_box[start : start + box.width] = bytes([1]) * box.width
        self._taken: set[int] = set()  # places on frames where a line ends

    def is_free(self, cell: Cell) -> bool:
        """Whether nothing is drawn there."""
        at = cell.row * self.width + cell.col
        return cell.is_inside(self.height, self.width) and not self._is_box[at] and not self.used[at]

    def is_single(self, cell: Cell) -> bool:
        """Whether one line runs straight through a cell, and no other one."""
        return self.used[cell.row * self.width + cell.col] in (1, 2)

    def route(self, first: int, last: int) -> list[Cell]:
        """The cells of the cheapest way from a box's frame to another one's, both included. A* over (cell, way)."""
        width, boxes = self.width, (self.boxes[first], self.boxes[last])
        goals = {port + self._offset(way): (port, (way + 2) % 4, cost) for port, way, cost in self._ports(boxes[1])}
        heap: list[tuple[int, int]] = []
        known: dict[int, int] = {}
        before: dict[int, int] = {}

        def reach(state: int, cost: int, previous: int) -> None:
            if cost < known.get(state, cost + 1):
                known[state], before[state] = cost, previous
                heappush(heap, (cost + self._at_least(state // 4, boxes[1]), state))

        for port, way, cost in self._ports(boxes[0]):
            outside = port + self._offset(way)
            reach(outside * 4 + way, cost + self._entering(outside, way), -1 - port)
        while True:
            estimate, state = heappop(heap)
            at, way = divmod(state, 4)
            if self._is_box[at]:
                break
            cost = known[state]
            if estimate > cost + self._at_least(at, boxes[1]):
                continue
            if at in goals and way != (goals[at][1] + 2) % 4:
                port, inward, price = goals[at]
                price += self._turning(at) if way != inward else 0
                reach(port * 4 + inward, cost + price, state)
            for turn in (0, 1, 3):
                onward = (way + turn) % 4
                row, col = at // width + _STEPS[onward][0], at % width + _STEPS[onward][1]
                beyond = row * width + col
                if 0 <= row < self.height and 0 <= col < width and not self._is_box[beyond]:
                    price = _LENGTHS[onward] + (self._turning(at) if turn else 0) + self._entering(beyond, onward)
                    reach(beyond * 4 + onward, cost + price, state)
        places = [state]
        while before[places[-1]] >= 0:
            places.append(before[places[-1]])
        cells = [-1 - before[places[-1]], *(state // 4 for state in reversed(places))]
        self._take(cells)
        return [Cell(*divmod(at, width)) for at in cells]

    def _ports(self, box: Box) -> Iterable[tuple[int, int, int]]:
        """Places on the frame where a line may end, each with the way outward and what it costs."""
        middle = box.middle
        sides = [(middle.row, box.col, 3), (middle.row, box.right, 1)]
        sides += [
            (row, col, way) for row, way in ((box.row, 0), (box.bottom, 2)) for col in range(box.col + 1, box.right)
        ]
        for row, col, way in sides:
            at = row * self.width + col
            yield at, way, abs(col - middle.col) * (way % 2 == 0) + (_OVERLAP if at in self._taken else 0)

    def _offset(self, way: int) -> int:
        rows, cols = _STEPS[way]
        return rows * self.width + cols

    def _at_least(self, at: int, box: Box) -> int:
        """What is left to go at least; where haste counts, more than that."""
        row, col = divmod(at, self.width)
        rows = max(box.row - 1 - row, row - box.bottom - 1, 0)
        return self._haste * (2 * rows + max(box.col - 1 - col, col - box.right - 1, 0))

    def _entering(self, at: int, way: int) -> int:
        line = self.used[at]
        along = 1 if way % 2 == 0 else 2
        crossed = 0 if not line else _CROSSING if line == 3 - along else self._overlap
        return crossed + self._is_near[at] * _NEAR

    def _turning(self, at: int) -> int:
        return _TURN + (self._overlap if self.used[at] else 0)

    def _take(self, cells: Sequence[int]) -> None:
        """Draws a line: its ends and its cells are taken."""
        self._taken.update((cells[0], cells[-1]))
        for before, at, after in zip(cells, cells[1:], cells[2:], strict=False):
            is_straight = before + after == 2 * at
            along = 1 if abs(after - at) == self.width else 2
            self.overlaps += bool(self.used[at]) and not (is_straight and self.used[at] == 3 - along)
            self.used[at] |= along if is_straight else 3


def _line(corridor: Corridor, cells: Sequence[Cell], router: _Router, written: set[Cell]) -> tuple[Line, bool]:
    """A corridor's line with what is written on it, and whether there was room for that."""
    sides = [0] * len(cells)
    for at, (cell, after) in enumerate(pairwise(cells)):
        way = _STEPS.index((after.row - cell.row, after.col - cell.col))
        sides[at] |= _SIDES[way]
        sides[at + 1] |= _SIDES[(way + 2) % 4]
    events = "".join(EVENT_GLYPHS[event] for event in corridor.events)
    number = str(corridor.cost)
    texts = [events + SQUARE * corridor.cost] if corridor.cost <= MOST_SQUARES else []
    for text in [*texts, events + number]:
        for run, is_upright in _straight_runs(cells, sides, router, written):
            marks = (
                _along(text, run)
                if not is_upright or not text.endswith(number)
                else _across(text, run, router, written)
            )
            if marks:
                written.update(cell for cell, _ in marks)
            if marks or not text:
                return Line(tuple(cells), tuple(sides), tuple(marks)), True
    return Line(tuple(cells), tuple(sides), ()), False


def _straight_runs(
    cells: Sequence[Cell], sides: Sequence[int], router: _Router, written: set[Cell]
) -> list[tuple[list[Cell], bool]]:
    """The stretches of a line between its ends, corners and crossings, the longest first; whether each is upright."""
    runs: list[tuple[list[Cell], bool]] = []
    is_open = False
    for cell, side in zip(cells[1:-1], sides[1:-1], strict=True):
        is_plain = side in (UP | DOWN, LEFT | RIGHT) and router.is_single(cell) and cell not in written
        if is_plain and not is_open:
            runs.append(([], side == UP | DOWN))
        if is_plain:
            runs[-1][0].append(cell)
        is_open = is_plain
    return sorted(runs, key=lambda run: len(run[0]), reverse=True)


def _along(text: str, run: Sequence[Cell]) -> list[tuple[Cell, str]]:
    """A text in the middle of a stretch; nothing where it is too long."""
    start = (len(run) - len(text)) // 2
    return list(zip(sorted(run)[start:], text, strict=False)) if start >= 0 else []


def _across(text: str, run: Sequence[Cell], router: _Router, written: set[Cell]) -> list[tuple[Cell, str]]:
    """A text across the middle of an upright stretch; nothing where something else is drawn there."""
    middle = run[len(run) // 2]
    first = middle.col - len(text) // 2
    cells = [Cell(middle.row, first + place) for place in range(len(text))]
    is_free = all(cell == middle or (router.is_free(cell) and cell not in written) for cell in cells)
    return list(zip(cells, text, strict=True)) if is_free else []
