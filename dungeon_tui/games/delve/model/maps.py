"""Maps computed from boards: distances to a goal, the view from a cell, the graph of rooms.

Distances and views depend on boards and a cell alone, and the last few are remembered. A board's version never changes,
so its identity says whether something was computed from it before: all monsters of a turn share one map of their kind.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import RLock
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell
from dungeon_tui.engine import UNREACHED, distance_map, downhill, tunnelling_distance_map
from dungeon_tui.games.delve.model.level import OPEN, BoolGrid, Level, room_cells

ResultT = TypeVar("ResultT")


class Field(NamedTuple):
    """A distance map and the way down it; both read-only."""

    distance: NDArray[np.int32]  # (height, width) turns to the goal, UNREACHED where no way leads
    steps: NDArray[np.uint8]  # (height, width) rows of engine.STEPS, STAY on the goal and where no way leads


class LruCache:
    """The results used last, found by the identity of a board and a key."""

    def __init__(self, size: int) -> None:
        self.misses = 0
        self._size = size
        self._entries: dict[tuple[int, Hashable], tuple[Board, Any]] = {}  # the board, so that its id stays its own
        self._lock = RLock()

    def get(self, board: Board, key: Hashable, compute: Callable[[], ResultT]) -> ResultT:
        """The result for this board and key, computed if need be."""
        place = id(board), key
        with self._lock:
            if place in self._entries:
                self._entries[place] = self._entries.pop(place)
                return self._entries[place][1]  # type: ignore[no-any-return]
            self.misses += 1
        found = compute()  # outside the lock: another thread may need what is here already
        with self._lock:
            self._entries[place] = board, found
            if len(self._entries) > self._size:
                del self._entries[next(iter(self._entries))]
        return found


FIELDS = LruCache(12)
VIEWS = LruCache(6)


def walking_field(hardness: Board, terrain: Board, goal: Cell, seed: int) -> Field:
    """Steps over open cells.

    Args:
        hardness: the rock; what is 0 is open.
        terrain: a board that has another version whenever a cell has opened.
        goal: an open cell.
        seed: decides between equal ways.
    """

    def compute() -> Field:
        return _field(distance_map(hardness.copy() == OPEN, np.array([goal])), seed)

    return FIELDS.get(terrain, ("walking", goal, seed), compute)


def tunnelling_field(hardness: Board, goal: Cell, seed: int) -> Field:
    """Turns through rock, by the weights of `ranges`; goal and seed as for walking_field."""

    def compute() -> Field:
        return _field(tunnelling_distance_map(hardness.copy(), np.array([goal])), seed)

    return FIELDS.get(hardness, ("tunnelling", goal, seed), compute)


def view(hardness: Board, terrain: Board, cell: Cell) -> BoolGrid:
    """Cells seen from a cell, read-only; the boards as for walking_field."""

    def compute() -> BoolGrid:
        seen = seen_from(hardness.copy() == OPEN, cell)
        seen.flags.writeable = False
        return seen

    return VIEWS.get(terrain, cell, compute)


def seen_from(is_open: BoolGrid, cell: Cell) -> BoolGrid:
    """Cells that are seen from a cell.

    An open cell is seen where the straight line between the two cells' middles runs through open cells: at each step
    along the line's longer side it must be nearest to an open cell, and where it runs just between two, one open
    cell is enough. So whoever sees is seen, however far away. Rock is seen where it touches an open cell that is
    seen, at a corner at least.

    Args:
        is_open: (height, width) bool.
        cell: on the grid.

    Returns:
        (height, width) bool, the caller's own.

    Cost:
        O(open cells * cells on a line); most lines end at the first rock.
    """
    seen = np.zeros(is_open.shape, bool)
    seen[cell] = True
    rows, cols = np.nonzero(is_open)
    down, right = rows - cell.row, cols - cell.col
    length = np.maximum(np.abs(down), np.abs(right))
    step = 1
    while len(length):
        is_last = length <= step
        seen[cell.row + down[is_last], cell.col + right[is_last]] = True
        goes_on = ~is_last
        down, right, length = down[goes_on], right[goes_on], length[goes_on]
        twice, across, along = 2 * length, 2 * step * down, 2 * step * right
        # Both roundings of a half: the same but where the line runs just between two cells.
        upper = is_open[cell.row + (across + length) // twice, cell.col + (along + length) // twice]
        lower = is_open[cell.row - (length - across) // twice, cell.col - (length - along) // twice]
        is_clear = upper | lower
        down, right, length = down[is_clear], right[is_clear], length[is_clear]
        step += 1
    return seen | (and_around(seen) & ~is_open)


def and_around(seen: BoolGrid) -> BoolGrid:
    """The cells and their eight neighbours."""
    wide = seen.copy()
    wide[1:] |= seen[:-1]
    wide[:-1] |= seen[1:]
    tall = wide.copy()
    wide[:, 1:] |= tall[:, :-1]
    wide[:, :-1] |= tall[:, 1:]
    return wide


def corridors_between(level: Level) -> list[tuple[int, int, int]]:
    """The rooms between which one can walk without passing through another one.

    Args:
        level: any; whatever is odd about its rooms does no harm.

    Returns:
        (room, room, length): two places in its list of rooms, the smaller one first, and how many cells of corridor a
        shortest way has; 0 where the rooms touch.

    Cost:
        A distance map for each room.
    """
    is_open = level.hardness == OPEN
    covers = []
    for room in level.rooms:
        covered = np.zeros(is_open.shape, bool)
        covered[room.area] = True
        covers.append(covered & is_open)
    in_rooms = room_cells(level)
    found = []
    for one, cells in enumerate(covers):
        if not cells.any():
            continue
        distance = distance_map(is_open & ~in_rooms | cells, np.argwhere(cells))
        for other in range(one + 1, len(covers)):
            length = int(distance[and_around(covers[other])].min(initial=UNREACHED))
            if length < UNREACHED:
                found.append((one, other, length))
    return found


def room_of(level: Level, player: Cell) -> int | None:
    """The room that is nearest on foot, as a place in the level's list; None where none can be walked to."""
    distance = distance_map(level.hardness == OPEN, np.array([player]))
    ways = [int(distance[room.area].min(initial=UNREACHED)) for room in level.rooms]
    nearest = min(range(len(ways)), key=ways.__getitem__, default=None)
    return None if nearest is None or ways[nearest] >= UNREACHED else nearest


def room_graph(level: Level, player: Cell) -> dict[str, Any]:
    """The rooms and the corridors between them as node-link JSON, which the expedition reads.

    The start is the player's room, the first one where the player is in none; a room's place is its middle.
    """
    nodes: list[dict[str, Any]] = [
        {"id": number, "row": room.row + (room.height - 1) / 2, "col": room.col + (room.width - 1) / 2}
        for number, room in enumerate(level.rooms, 1)
    ]
    nodes[room_of(level, player) or 0]["start"] = True
    edges = [
        {"source": one + 1, "target": other + 1, "cost": length} for one, other, length in corridors_between(level)
    ]
    return {"directed": False, "multigraph": False, "graph": {}, "nodes": nodes, "edges": edges}


def _field(distance: NDArray[np.int32], seed: int) -> Field:
    steps = downhill(distance, seed=seed)
    for grid in (distance, steps):
        grid.flags.writeable = False
    return Field(distance, steps)
