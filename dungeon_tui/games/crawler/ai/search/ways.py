"""The distances on a level's boards, as if no monster moved."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.engine import UNREACHED, distance_map
from dungeon_tui.engine._jit import kernel
from dungeon_tui.games.crawler.ai.kernels import WALL, Boards, Ints, item_count, kind_of
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, WAY_OUT

FAR = np.uint16(65535)
NEVER = 1 << 29
DOUBLES, REFUSED, BARRED = range(3)
"""What an amulet does at a size: it doubles the level; the rules refuse, and it is gone; no line may step on it."""

MOST_CELLS = 1 << 16
"""Of a board: distances are kept in 16 bits."""

_MOST_PAST = 1 << 24  # cells times cells times items of a board, up to which walks past a monster are looked at
_MOST_TILED = 1 << 16  # cells times items of a level, up to which copies are looked at to see how far they are apart


class Ways(NamedTuple):
    """The distances on all boards."""

    steps_at: NDArray[np.int64]  # (sizes,) offsets into steps
    steps: NDArray[np.uint16]  # per size cells * items: from the cell to the item, or FAR; and past monsters
    around: Ints  # (items, items) of the first board, on the torus
    amulets: NDArray[np.uint8]  # what an amulet does at each size, and at all sizes from the last on
    past_at: NDArray[np.int64]  # (sizes,) offsets into steps, cells * cells * items: past a monster; -1: not known


def steps_bytes(cells: int, items: int, size: int) -> int:
    """What the distances take, in bytes, on a board of a level that begins with so many cells and items."""
    return 2 * cells * items << (4 * size)


def make_ways(boards: Boards, amulets: NDArray[np.uint8], before: Ways | None = None) -> Ways:
    """The distances on the boards that there are; those on smaller boards may be known before.

    Cost:
        O(cells * items) a board.
    """
    cells = (boards.heights.astype(np.int64) * boards.widths).tolist()
    rooms = [cells[size] * item_count(boards, size) for size in range(boards.sizes)]
    known = 0 if before is None else len(before.steps)
    places = [] if before is None else before.steps_at.tolist()
    new = range(len(places), boards.sizes)
    steps = np.empty(known + sum(rooms[size] for size in new), np.uint16)  # all that is held beside those before
    if before is not None:
        steps[:known] = before.steps
    for size in new:
        height, width = int(boards.heights[size]), int(boards.widths[size])
        at, items_at = int(boards.cells_at[size]), int(boards.items_at[size])
        passable = (boards.tiles[at : at + height * width] != WALL).reshape(height, width)
        table = steps[known : known + rooms[size]].reshape(height * width, -1 if rooms[size] else 0)
        for item in range(table.shape[1]):
            goal = Cell(*divmod(int(boards.places[items_at + item]), width))
            table[:, item] = _shortened(distance_map(passable, np.array([goal]), diagonal=False)).reshape(-1)
        places.append(known)
        known += rooms[size]
    around = _around(boards) if before is None else before.around
    past_at = np.full(boards.sizes, -1, np.int64)
    if before is not None:
        past_at[: len(before.past_at)] = before.past_at
    return Ways(np.array(places, np.int64), steps, around, amulets, past_at)


def with_past(boards: Boards, ways: Ways) -> Ways:
    """The same with the walks past a monster on all boards that are small enough.

    Cost:
        O(cells * cells * items) a board.
    """
    past_at, tables, end = ways.past_at.copy(), [ways.steps], len(ways.steps)
    for size in range(boards.sizes):
        room = int(boards.heights[size] * boards.widths[size]) ** 2 * int(item_count(boards, size))
        if past_at[size] < 0 and room <= _MOST_PAST:
            tables.append(np.full(room, FAR, np.uint16))
            _fill_past(boards, size, tables[-1])
            past_at[size] = end
            end += room
    return ways if len(tables) == 1 else ways._replace(past_at=past_at, steps=np.concatenate(tables))


def _shortened(distance: NDArray[np.int32]) -> NDArray[np.uint16]:
    return np.where(distance == UNREACHED, FAR, distance).astype(np.uint16)


def _around(boards: Boards) -> Ints:
    """(items, items) steps on the torus; between copies of one item as far as copies are apart at least."""
    height, width = int(boards.heights[0]), int(boards.widths[0])
    count = int(item_count(boards, 0))
    is_open = (boards.tiles[: height * width] != WALL).reshape(height, width)
    around = np.full((count, count), NEVER, np.int32)
    is_worth_it = AMULET in boards.kinds and count * height * width <= _MOST_TILED
    tiled = np.tile(is_open, (5, 5)) if is_worth_it else is_open
    for item in range(count):
        cell = Cell(*divmod(int(boards.places[item]), width))
        _spread(is_open, int(boards.places[item]), boards.places[:count], around[item])
        around[item, item] = min(height, width)
        if is_worth_it:
            start = Cell(cell.row + 2 * height, cell.col + 2 * width)
            copies = distance_map(tiled, np.array([start]), diagonal=False)[cell.row :: height, cell.col :: width]
            others = copies[(copies > 0) & (copies != UNREACHED)]
            # A walk that leaves these copies is two of them long before it does.
            around[item, item] = min(int(others.min(initial=NEVER)), 2 * min(height, width))
    return around


@kernel
def _spread(is_open: NDArray[np.bool_], start: int, goals: Ints, steps: Ints) -> None:
    """Sets the steps on the torus from a cell to the goals that can be reached."""
    height, width = is_open.shape
    found = np.full(height * width, -1, np.int32)
    queue = np.empty(height * width, np.int32)
    queue[0], found[start] = start, 0
    head, tail = 0, 1
    while head < tail:
        cell = queue[head]
        head += 1
        row, col = cell // width, cell % width
        for way in range(4):
            to_row = (row + (way == 0) - (way == 1)) % height
            to_col = (col + (way == 2) - (way == 3)) % width
            to = to_row * width + to_col
            if is_open[to_row, to_col] and found[to] < 0:
                found[to] = found[cell] + 1
                queue[tail] = to
                tail += 1
    for index in range(len(goals)):
        if found[goals[index]] >= 0:
            steps[index] = found[goals[index]]


@kernel
def _fill_past(boards: Boards, size: int, past: NDArray[np.uint16]) -> None:
    """Fills (cells, cells, items) moves, flat: from the adventurer's cell, with one monster, to the item, and alive.

    Backwards from the item, over pairs of cells: each has one cell at most from which the monster came there.
    """
    cells, count = int(boards.heights[size] * boards.widths[size]), item_count(boards, size)
    beside = _beside(boards, size)
    origins = _origins(beside)
    moves, queue = np.empty(cells * cells, np.int32), np.empty(cells * cells, np.int32)
    for item in range(count):
        goal = boards.places[boards.items_at[size] + item]
        is_exit = kind_of(boards, item) in (DOOR, WAY_OUT)
        moves[:] = -1
        head = tail = 0
        for monster in range(cells):
            if monster != goal:
                queue[tail] = goal * cells + monster
                moves[queue[tail]] = 0
                tail += 1
        while head < tail:
            pair = queue[head]
            head += 1
            to = pair // cells
            # On a way out monsters don't move any more.
            monster = pair % cells if is_exit and moves[pair] == 0 else origins[pair]
            if monster < 0:
                continue
            for way in range(5):
                cell = beside[to, way]
                before = cell * cells + monster
                if cell >= 0 and cell != monster and moves[before] < 0:
                    moves[before] = moves[pair] + 1
                    queue[tail] = before
                    tail += 1
        for pair in range(cells * cells):
            if moves[pair] >= 0:
                past[pair * count + item] = min(moves[pair], FAR - 1)


@kernel
def _origins(beside: NDArray[np.int32]) -> Ints:
    """(cells * cells,) for the adventurer's cell and that of a monster after its move: where it was; -1: nowhere."""
    cells = len(beside)
    origins = np.empty(cells * cells, np.int32)
    for cell in range(cells):
        origins[cell * cells : (cell + 1) * cells] = np.arange(cells)
        for way in range(4):
            seen = cell
            while seen >= 0:
                farther = beside[seen, way]
                origins[cell * cells + seen] = farther
                seen = farther
        origins[cell * cells + cell] = -1
    return origins


@kernel
def _beside(boards: Boards, size: int) -> NDArray[np.int32]:
    """(cells, 5) the next cells up, left, down and right, and the same one; -1 where a pillar or the edge is."""
    height, width = boards.heights[size], boards.widths[size]
    beside = np.full((height * width, 5), -1, np.int32)
    for cell in range(height * width):
        row, col = cell // width, cell % width
        if row > 0:
            beside[cell, 0] = cell - width
        if col > 0:
            beside[cell, 1] = cell - 1
        if row < height - 1:
            beside[cell, 2] = cell + width
        if col < width - 1:
            beside[cell, 3] = cell + 1
        beside[cell, 4] = cell
        for way in range(5):
            if beside[cell, way] >= 0 and boards.tiles[boards.cells_at[size] + beside[cell, way]] == WALL:
                beside[cell, way] = -1
    return beside
