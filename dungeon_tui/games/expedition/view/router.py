"""Routes lines from box to box: around all others, across each other, each as straight as possible."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from dungeon_tui.core.grid import Cell

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # up, right, down, left: clockwise
# Costs of a line; a row is twice as high as a column is wide.
_LENGTHS = (2, 1, 2, 1)
_TURN, _CROSSING, _NEAR, _OVERLAP = 4, 3, 1, 200


@dataclass(frozen=True, slots=True)
class Box:
    """A room's frame and its inside."""

    row: int  # of its upper left corner
    col: int
    height: int  # with the frame
    width: int

    @property
    def bottom(self) -> int:
        """Last row."""
        return self.row + self.height - 1

    @property
    def right(self) -> int:
        """Last column."""
        return self.col + self.width - 1

    @property
    def middle(self) -> Cell:
        """The cell in the middle of the box."""
        return Cell(self.row + self.height // 2, self.col + self.width // 2)

    @property
    def frame(self) -> list[Cell]:
        """The cells of its frame, row by row."""
        rows, cols = range(self.row, self.bottom + 1), range(self.col, self.right + 1)
        return [
            Cell(row, col) for row in rows for col in cols if row in (rows[0], rows[-1]) or col in (cols[0], cols[-1])
        ]

    def holds(self, cell: Cell) -> bool:
        """True if a cell lies in the box or on its frame."""
        return self.row <= cell.row <= self.bottom and self.col <= cell.col <= self.right


class Router:
    """Routes lines one by one, around boxes and across earlier lines."""

    def __init__(self, height: int, width: int, boxes: Sequence[Box], haste: int) -> None:
        self.height, self.width, self.boxes = height, width, boxes
        self._haste, self._overlap = haste, _OVERLAP // haste**2
        self.overlaps = 0  # cells where two lines run along each other
        self.used = bytearray(height * width)  # 1: vertical line, 2: horizontal, 3: corner or crossing
        self._is_box = bytearray(height * width)
        self._is_near = bytearray(height * width)
        for box in boxes:
            for area, rim in ((self._is_near, 1), (self._is_box, 0)):
                left, right = max(0, box.col - rim), min(width, box.right + rim + 1)
                for row in range(max(0, box.row - rim), min(height, box.bottom + rim + 1)):
                    area[row * width + left : row * width + right] = bytes([1]) * (right - left)
        self.written: set[Cell] = set()  # cells with text on them
        self._taken: set[int] = set()  # flat indices of frame cells where a line ends

    def is_free(self, cell: Cell) -> bool:
        """True if the cell is empty."""
        at = cell.row * self.width + cell.col
        is_taken = cell in self.written or not cell.is_inside(self.height, self.width)
        return not (is_taken or self._is_box[at] or self.used[at])

    def is_single(self, cell: Cell) -> bool:
        """True if a single line runs straight through the cell, and no text is on it."""
        return self.used[cell.row * self.width + cell.col] in (1, 2) and cell not in self.written

    def route(self, first: int, last: int) -> list[Cell]:
        """Draws the cheapest line between two boxes, by index; returns its cells from frame to frame. An A* search."""
        width, boxes = self.width, (self.boxes[first], self.boxes[last])

        # Start from every cell around the first box.
        goals = {outside: (port, (way + 2) % 4, cost) for outside, way, port, cost in self._ports(boxes[1])}
        heap: list[tuple[int, int]] = []
        known: dict[int, int] = {}
        before: dict[int, int] = {}

        def reach(state: int, cost: int, previous: int) -> None:
            if cost < known.get(state, cost + 1):
                known[state], before[state] = cost, previous
                heappush(heap, (cost + self._at_least(state // 4, boxes[1]), state))

        for outside, way, port, cost in self._ports(boxes[0]):
            reach(outside * 4 + way, cost + self._entering(outside, way), -1 - port)

        # Expand the cheapest state until a line enters the other box.
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
                row, col = at // width + STEPS[onward][0], at % width + STEPS[onward][1]
                beyond = row * width + col
                if 0 <= row < self.height and 0 <= col < width and not self._is_box[beyond]:
                    price = _LENGTHS[onward] + (self._turning(at) if turn else 0) + self._entering(beyond, onward)
                    reach(beyond * 4 + onward, cost + price, state)

        # Follow the states back to the first box.
        states = [state]
        while before[states[-1]] >= 0:
            states.append(before[states[-1]])
        cells = [-1 - before[states[-1]], *(state // 4 for state in reversed(states))]
        self._take(cells)
        return [Cell(*divmod(at, width)) for at in cells]

    def _ports(self, box: Box) -> Iterable[tuple[int, int, int, int]]:
        """Yields each cell next to a frame, the direction out, the cell on the frame, and the cost of ending there."""
        middle = box.middle
        sides = [(middle.row, box.col, 3), (middle.row, box.right, 1)]
        sides += [
            (row, col, way) for row, way in ((box.row, 0), (box.bottom, 2)) for col in range(box.col + 1, box.right)
        ]
        for row, col, way in sides:
            at, beyond = row * self.width + col, Cell(row + STEPS[way][0], col + STEPS[way][1])
            if not beyond.is_inside(self.height, self.width):
                continue
            outside = beyond.row * self.width + beyond.col
            yield outside, way, at, abs(col - middle.col) * (way % 2 == 0) + (_OVERLAP if at in self._taken else 0)

    def _at_least(self, at: int, box: Box) -> int:
        """The heuristic: a lower bound of the remaining cost, multiplied by the haste."""
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
        """Marks a line's cells as used, and counts its overlaps with earlier lines."""
        self._taken.update((cells[0], cells[-1]))
        for before, at, after in zip(cells, cells[1:], cells[2:], strict=False):
            is_straight = before + after == 2 * at
            along = 1 if abs(after - at) == self.width else 2
            self.overlaps += bool(self.used[at]) and not (is_straight and self.used[at] == 3 - along)
            self.used[at] |= along if is_straight else 3
