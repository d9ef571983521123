"""Maps computed from boards: distances to a goal, the view from a cell, the graph of rooms.

All monsters of a turn share one map of their kind.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell
from dungeon_tui.engine import UNREACHED, distance_map, downhill, tunnelling_distance_map
from dungeon_tui.games.delve.model.level import OPEN, BoolGrid, Level, room_cells

WALKING, TUNNELLING = "walking", "tunnelling"  # kinds of distance maps


class Field(NamedTuple):
    """A distance map and the way down it; both read-only."""

    distance: NDArray[np.int32]  # (height, width) turns to the goal, UNREACHED where no way leads
    steps: NDArray[np.uint8]  # (height, width) rows of engine.STEPS, STAY on the goal and where no way leads


class _Rock:
    """The rock at a moment, told apart by the identity of a board's version: all that is computed from one is the same.

    The terrain has a new version when a cell has opened, the hardness when any rock was worn.
    """

    def __init__(self, hardness: Board, version: Board) -> None:
        self.hardness, self._version = hardness, version

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rock) and self._version is other._version

    def __hash__(self) -> int:
        return id(self._version)


def field(hardness: Board, terrain: Board, goal: Cell, seed: int, kind: str) -> Field:
    """The distances to a goal for a kind of monsters, and the steps that they take; the last few maps are cached.

    Args:
        hardness: the rock; what is 0 is open.
        terrain: a board that has another version whenever a cell has opened.
        goal: an open cell.
        seed: decides between equal ways.
        kind: WALKING, steps over open cells, or TUNNELLING, turns through rock by the weights of `ranges`.
    """
    return _field(_Rock(hardness, terrain if kind == WALKING else hardness), goal, seed, kind)


@lru_cache(12)
def _field(rock: _Rock, goal: Cell, seed: int, kind: str) -> Field:
    hardness, goals = rock.hardness.copy(), np.array([goal])
    distance = distance_map(hardness == OPEN, goals) if kind == WALKING else tunnelling_distance_map(hardness, goals)
    steps = downhill(distance, seed=seed)
    distance.flags.writeable = steps.flags.writeable = False
    return Field(distance, steps)


def view(hardness: Board, terrain: Board, cell: Cell) -> BoolGrid:
    """(height, width) bool, read-only: cells seen from a cell; the last few are cached. The boards as for `field`."""
    return _view(_Rock(hardness, terrain), cell)


@lru_cache(6)
def _view(rock: _Rock, cell: Cell) -> BoolGrid:
    seen = seen_from(rock.hardness.copy() == OPEN, cell)
    seen.flags.writeable = False
    return seen


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
    """(height, width) bool, a new array: these cells and their eight neighbours."""
    wide = seen.copy()
    wide[1:] |= seen[:-1]
    wide[:-1] |= seen[1:]
    tall = wide.copy()
    wide[:, 1:] |= tall[:, :-1]
    wide[:, :-1] |= tall[:, 1:]
    return wide


def corridors_between(level: Level) -> list[tuple[int, int, int]]:
    """Pairs of rooms between which one can walk without passing through a third one.

    Args:
        level: any; whatever is odd about its rooms does no harm.

    Returns:
        (room, room, length): two places in its list of rooms, the smaller one first, and how many cells of corridor a
        shortest way has; 0 where the rooms touch.

    Cost:
        A distance map for each room.
    """
    is_open = level.hardness == OPEN
    covers = [room_cells(replace(level, rooms=(room,))) for room in level.rooms]
    corridors = is_open & ~room_cells(level)
    found = []
    for one, cells in enumerate(covers):
        if not cells.any():
            continue
        distance = distance_map(corridors | cells, np.argwhere(cells))
        for other in range(one + 1, len(covers)):
            length = int(distance[and_around(covers[other])].min(initial=UNREACHED))
            if length < UNREACHED:
                found.append((one, other, length))
    return found


def room_of(level: Level, player: Cell) -> int | None:
    """Index in `level.rooms` of the room that is nearest to the player on foot; None if none can be walked to."""
    distance = distance_map(level.hardness == OPEN, np.array([player]))
    ways = [int(distance[room.area].min(initial=UNREACHED)) for room in level.rooms]
    nearest = min(ways, default=UNREACHED)
    return None if nearest == UNREACHED else ways.index(nearest)


def room_graph(level: Level, player: Cell) -> dict[str, Any]:
    """Values of the node-link JSON of a level's rooms and corridors, a map that the expedition reads.

    The start is the room nearest to the player, the first one where none can be walked to; a room's place is its
    middle.
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
