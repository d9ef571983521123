"""Places of the rooms on a grid: above and below, left and right stay as they are on the map."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise, product
from math import ceil, floor, hypot, isqrt, sqrt

from dungeon_tui.games.expedition.model.level import Level

_SPARSE = 6  # slots a room, before what stays empty is left out
_FEW_LANES = 1.5  # times the root of the rooms: rows or columns beyond are joined where nothing is in the way

Slot = tuple[int, int]  # row and column of the grid
Points = Sequence[tuple[float, float]]


def slots_of(level: Level) -> list[Slot]:
    """Each room's row and column, no two alike: from the file's places if all rooms have one, else from networkx."""
    places = [room.place for room in level.rooms]
    points = [place for place in places if place is not None]
    return snapped(points if len(points) == len(places) else _placed(level))


def _placed(level: Level) -> Points:
    """(row, col) of each room as networkx lays the map out, joined rooms near to each other; the same each time."""
    import networkx  # noqa: PLC0415  loaded here: maps with places of their own need none

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
    """Slots to a unit: so many that the nearest points get two slots, unless the grid would be too sparse."""
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
    """The free slot nearest to a place."""
    reach = isqrt(len(taken)) + 1  # more slots lie nearer than are taken
    around = product(range(row - reach, row + reach + 1), range(col - reach, col + reach + 1))
    return min((hypot(r - row, c - col), r, c) for r, c in around if (r, c) not in taken)[1:]


def _lanes(slots: Sequence[Slot], few: int) -> list[int]:
    """Each slot's first coordinate, renumbered from 0 without gaps.

    If there are more than `few`, neighbouring rows or columns without a common slot are joined.
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
