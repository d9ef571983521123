"""Maps computed from boards: distances to a goal, the view from a cell, the graph of rooms.

The caches let all monsters of a turn share the map of their kind.
"""

from dataclasses import replace
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.engine import UNREACHED, distance_map, downhill, flee_map, tunnelling_distance_map
from dungeon_tui.games.delve.model.level import OPEN, BoolGrid, Level, room_cells

WALKING, TUNNELLING = "walking", "tunnelling"  # kinds of distance maps
FLEEING = "fleeing"


class Field(NamedTuple):
    """A distance map and the steps down it; both read-only."""

    distance: NDArray[np.int32]  # (height, width) turns to the goal, or UNREACHED
    steps: NDArray[np.uint8]  # (height, width) rows of engine.STEPS; STAY on the goal and on unreached cells


class _Rock:
    """Rock as a cache key: equal if the board is the same one; a board is new once any rock wears."""

    def __init__(self, hardness: Board, version: Board) -> None:
        self.hardness, self._version = hardness, version

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rock) and self._version is other._version

    def __hash__(self) -> int:
        return id(self._version)


def field(hardness: Board, terrain: Board, goal: Cell, seed: int, kind: str) -> Field:
    """The distances to an open cell for a kind of monsters, and their steps; the last few are cached.

    WALKING counts steps over open cells, TUNNELLING turns through rock, and the steps of FLEEING lead away from the
    cell. `terrain` is another board whenever a cell has opened, and the seed decides between equal steps.
    """
    return distance_field(_Rock(hardness, hardness if kind == TUNNELLING else terrain), goal, seed, kind)


@lru_cache(12)
def distance_field(rock: _Rock, goal: Cell, seed: int, kind: str) -> Field:
    """The field that `field` returns, by the boards that matter to the kind."""
    hardness, goals = rock.hardness.copy(), np.array([goal])
    if kind == TUNNELLING:
        distance = tunnelling_distance_map(hardness, goals)
    else:
        distance = (flee_map if kind == FLEEING else distance_map)(hardness == OPEN, goals)
    steps = downhill(distance, seed=seed)
    distance.flags.writeable = steps.flags.writeable = False
    return Field(distance, steps)


def view(hardness: Board, terrain: Board, cell: Cell) -> BoolGrid:
    """(height, width) bool, read-only: cells seen from a cell; the last few are cached. Boards as for `field`."""
    return _view(_Rock(hardness, terrain), cell)


@lru_cache(6)
def _view(rock: _Rock, cell: Cell) -> BoolGrid:
    seen = seen_from(rock.hardness.copy() == OPEN, cell)
    seen.flags.writeable = False
    return seen


def seen_from(is_open: BoolGrid, cell: Cell) -> BoolGrid:
    """Cells seen from a cell.

    An open cell is seen if the straight line between the centres of both cells runs through open cells: at each step
    along its longer side the nearest cell must be open; halfway between two cells, one open cell is enough. So sight is
    symmetric and has no limit. Rock is seen if it touches a seen open cell, at least at a corner.

    Cost:
        O(open cells * cells on a line); most lines end at the first rock.
    """
    seen = np.zeros(is_open.shape, bool)
    seen[cell] = True
    rows, cols = np.nonzero(is_open)
    down, right = rows - cell.row, cols - cell.col

    # All lines advance together, by one step along their longer side; a line at its end has seen its cell.
    length = np.maximum(np.abs(down), np.abs(right))
    step = 1
    while len(length):
        is_last = length <= step
        seen[cell.row + down[is_last], cell.col + right[is_last]] = True
        continues = ~is_last
        down, right, length = down[continues], right[continues], length[continues]
        twice, across, along = 2 * length, 2 * step * down, 2 * step * right

        # Round halves both up and down: these differ only for lines halfway between two cells.
        upper = is_open[cell.row + (across + length) // twice, cell.col + (along + length) // twice]
        lower = is_open[cell.row - (length - across) // twice, cell.col - (length - along) // twice]
        is_clear = upper | lower
        down, right, length = down[is_clear], right[is_clear], length[is_clear]
        step += 1
    return seen | (and_around(seen) & ~is_open)


def and_around(seen: BoolGrid) -> BoolGrid:
    """(height, width) bool, a new array: the cells and their eight neighbours."""
    wide = seen.copy()
    wide[1:] |= seen[:-1]
    wide[:-1] |= seen[1:]
    tall = wide.copy()
    wide[:, 1:] |= tall[:, :-1]
    wide[:, :-1] |= tall[:, 1:]
    return wide


def ray(hardness: Board, cell: Cell, way: Direction, steps: int) -> list[Cell]:
    """The open cells on a straight line from a cell, without it, to the first rock or a number of steps away."""
    return [*takewhile(lambda each: hardness[each] == OPEN, (cell.neighbour(way, step + 1) for step in range(steps)))]


def apart(one: Cell, other: Cell) -> int:
    """The fewest steps between two cells without rock."""
    return max(abs(one.row - other.row), abs(one.col - other.col))


def corridors_between(level: Level) -> list[tuple[int, int, int]]:
    """Pairs of rooms with a path past no third room: two indices, the smaller first, and its corridor cells."""
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


def room_graph(level: Level, player: Cell) -> dict[str, Any]:
    """A level's rooms and corridors as node-link JSON for the expedition, from the room nearest to the player."""
    distance = distance_map(level.hardness == OPEN, np.array([player]))
    away = [int(distance[room.area].min(initial=UNREACHED)) for room in level.rooms]
    nodes: list[dict[str, Any]] = [
        {"id": number, "row": room.row + (room.height - 1) / 2, "col": room.col + (room.width - 1) / 2}
        for number, room in enumerate(level.rooms, 1)
    ]
    nodes[away.index(min(away))]["start"] = True
    corridors = corridors_between(level)
    edges = [{"source": one + 1, "target": other + 1, "cost": length} for one, other, length in corridors]
    return {"directed": False, "multigraph": False, "graph": {}, "nodes": nodes, "edges": edges}
