"""Grid positions of the rooms, which preserve above and below, left and right."""

from collections.abc import Collection, Sequence
from itertools import pairwise, product
from math import ceil, floor, hypot, isqrt, sqrt

from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import neighbours

_SPARSE = 6  # most slots per room, before empty rows and columns are removed
_FEW_LANES = 1.5  # times the square root of the rooms; more rows or columns are merged if possible

Slot = tuple[int, int]  # row and column of the grid
Points = Sequence[tuple[float, float]]


def slots_of(level: Level) -> list[Slot]:
    """Each room's row and column, all different: from the file's positions if complete, else from `placed`."""
    positions = [room.position for room in level.rooms]
    points = [position for position in positions if position is not None]
    return snapped(points if len(points) == len(positions) else placed(level))


def placed(level: Level) -> Points:
    """(row, col) of each room: a column for each number of corridors from the start, a row near those before it."""
    near, places, col, column = neighbours(level), dict[int, tuple[float, float]](), 0, [level.start]
    while column:
        places |= {room: (row - len(column) / 2, col) for row, room in enumerate(column)}
        ahead = {other for room in column for other in near[room]} - places.keys()
        ahead = ahead or {*range(len(near))} - places.keys()  # nothing leads to these
        rows = {room: [places[other][0] for other in near[room] if other in places] for room in ahead}
        column, col = sorted(rows, key=lambda room: (sum(rows[room]) / max(1, len(rows[room])), room)), col + 1
    return [places[room] for room in range(len(near))]


def snapped(points: Points) -> list[Slot]:
    """The points on an integer grid, no two in the same slot, without empty rows and columns.

    Preserves above and below, left and right as long as there is space.
    """
    # Round each point to the nearest free slot.
    top, left = min(row for row, _ in points), min(col for _, col in points)
    moved = [(row - top, col - left) for row, col in points]
    scale = _scale(moved)
    taken: dict[Slot, int] = {}
    for number in sorted(range(len(moved)), key=lambda number: (*moved[number], number)):
        row, col = (value * scale for value in moved[number])
        taken[_free_slot(floor(row + 0.5), floor(col + 0.5), taken)] = number
    slots = [slot for slot, _ in sorted(taken.items(), key=lambda entry: entry[1])]

    # Remove empty rows and columns, and merge sparse ones.
    few = ceil(_FEW_LANES * sqrt(len(points)))
    cols = _lanes([(col, row) for row, col in slots], few)
    rows = _lanes([(row, col) for row, col in zip((row for row, _ in slots), cols, strict=True)], few)
    return list(zip(rows, cols, strict=True))


def _scale(points: Points) -> float:
    """Slots per unit: two between the nearest points, unless the grid would be too sparse."""
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


def _free_slot(row: int, col: int, taken: Collection[Slot]) -> Slot:
    """The free slot nearest to a position."""
    reach = isqrt(len(taken)) + 1  # this square has more slots than are taken
    around = product(range(row - reach, row + reach + 1), range(col - reach, col + reach + 1))
    return min((hypot(r - row, c - col), r, c) for r, c in around if (r, c) not in taken)[1:]


def _lanes(slots: Sequence[Slot], few: int) -> list[int]:
    """Each slot's first coordinate, renumbered from 0 without gaps.

    If there are more than `few`, adjacent rows or columns without a common slot are merged.
    """
    lanes = [({other for lane, other in slots if lane == value}, {value}) for value in sorted({s for s, _ in slots})]
    while len(lanes) > few:
        joints = [at for at, ((one, _), (two, _)) in enumerate(pairwise(lanes)) if not one & two]
        if not joints:
            break
        at = min(joints, key=lambda at: (max(lanes[at + 1][1]) - min(lanes[at][1]), at))
        lanes[at : at + 2] = [(lanes[at][0] | lanes[at + 1][0], lanes[at][1] | lanes[at + 1][1])]
    number = {value: at for at, (_, values) in enumerate(lanes) for value in values}
    return [number[value] for value, _ in slots]
