"""Six ways to the least health, all with the same answer.

The need of a cell is the least health to enter it with: max(1, the smaller need of its neighbours right and below - its
value), and max(1, 1 - its value) where the princess is. Which neighbour that is, right if both need as much, says
where the best way goes on; so all that tell a way tell the same one.

All take a level, `stop` and `trace`, and raise RefusedError where the grid is too large for them, SolvingStoppedError
once `stop` says so, and ValueError where the least health is beyond 64 bits; sums on the way may be as large as they
like. `trace` is told of each cell when it is visited, except by the engine: `wavefront` tells it nothing.
In what they cost, m is for rows and n for columns.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from math import comb, lgamma, log
from typing import Any

from dungeon_tui import engine
from dungeon_tui.core.grid import Cell, cells_of
from dungeon_tui.games.rescue.ai.work import Path, RefusedError, Solution, SolvingStoppedError, Stop, Trace, Work
from dungeon_tui.games.rescue.model.level import MOST, Level

MOST_CALLS = 50_000_000  # of the plain recursion: 14 x 14 takes 40,116,599
MOST_DEPTH = 400  # calls within calls of the plain recursion: Python allows 1000, the caller's own among them
MOST_CELLS = 4_000_000  # that are looked at one by one in Python
MOST_WAYS = 1_000_000  # that breadth-first holds at once

_LOOK = 1 << 16  # cells or calls between two looks at `stop`


def recursive(level: Level, stop: Stop = None, *, trace: Trace = None) -> Solution:
    """The definition, as it stands: each cell asks the one on its right and the one below, which ask on.

    A cell is asked once for each way that leads to it from the first one: C(r + c, r) times the one in row r, column
    c. Over the columns of a row these add up to C(r + n, r + 1), over all rows to C(m + n, m) - 1: exactly so many
    calls. For m = n that is about 4^n / sqrt(pi n), far from 2^(m n). More than MOST_CALLS are refused, which begins
    beyond 14 x 14, and calls that nest deeper than MOST_DEPTH.

    Cost:
        C(m + n, m) - 1 calls, m + n - 1 of them open at once.
    """
    rows, cols = level.grid.shape
    depth = rows + cols - 1
    if calls_text := _too_many_calls(rows, cols):
        raise RefusedError(
            f"recursive would take {calls_text} calls on {rows} x {cols} cells; it is for 14 x 14 or so, at most "
            f"{MOST_CALLS:,} calls"
        )
    if depth > MOST_DEPTH:
        raise RefusedError(f"recursive would nest {depth} calls on {rows} x {cols} cells, at most {MOST_DEPTH}")
    values = level.grid.tolist()
    calls, look = 0, 1 if trace else _LOOK

    def need(row: int, col: int) -> tuple[int, Any]:
        """The need of a cell, and the way from there: a pair of the cell and the rest."""
        nonlocal calls
        calls += 1
        if not calls % look:
            _look(stop, Work(visits=calls, calls=calls, bytes=8 * depth), trace, row, col)
        if row == rows - 1 and col == cols - 1:
            least, way = 1, None
        elif row == rows - 1:
            least, way = need(row, col + 1)
        elif col == cols - 1:
            least, way = need(row + 1, col)
        else:
            right, below = need(row, col + 1), need(row + 1, col)
            least, way = right if right[0] <= below[0] else below
        return max(1, least - values[row][col]), ((row, col), way)

    health, way = need(0, 0)
    path = []
    while way is not None:
        cell, way = way
        path.append(Cell(*cell))
    return Solution(_in_64_bits(health), tuple(path), Work(visits=calls, calls=calls, bytes=8 * depth))


def memoised(level: Level, stop: Stop = None, *, trace: Trace = None) -> Solution:
    """The same recursion, but it remembers: a cell that was computed answers at once. The report's "bottom-up".

    What is not yet computed is marked None, since any number may be a need. The open calls stand on a stack of its own,
    so that long grids don't meet Python's limit.

    Cost:
        O(m n) time and memory. Each cell is computed once, and asks its one or two neighbours then: 2 m n - m - n + 1
        calls, with the first one.
    """
    rows, cols = level.grid.shape
    _refuse_large(level, "memoised")
    values = level.grid.tolist()
    needs: list[list[Any]] = [[None] * cols + [_more_than_any(level)] for _ in range(rows)]
    needs.append(_below_the_last_row(level))
    computed, calls, size = 0, 1, 8 * (rows * cols + rows + cols - 1)
    look = 1 if trace else _LOOK
    open_calls = [(0, 0)]
    while open_calls:
        row, col = open_calls[-1]
        right, below = needs[row][col + 1], needs[row + 1][col]
        if right is None:
            open_calls.append((row, col + 1))
        elif below is None:
            open_calls.append((row + 1, col))
        else:
            needs[row][col] = max(1, min(right, below) - values[row][col])
            open_calls.pop()
            computed += 1
            calls += (col + 1 < cols) + (row + 1 < rows)
            if not computed % look:
                _look(stop, Work(visits=computed, calls=calls, bytes=size), trace, row, col)
    return Solution(_in_64_bits(needs[0][0]), _trace_back(needs), Work(visits=computed, calls=calls, bytes=size))


def tabulated(level: Level, stop: Stop = None, *, trace: Trace = None) -> Solution:
    """The table of all needs, from the last cell backwards, and the way by trace-back. The report's "top-down".

    In plain Python up to MOST_CELLS cells. Beyond, the engine does the same in machine code and keeps a bit a cell
    instead of a number: that one can't be stopped, but 10,000 x 10,000 cells take it less than a second.

    Cost:
        O(m n) time and memory; each cell is visited once.
    """
    rows, cols = level.grid.shape
    if rows * cols > MOST_CELLS:
        health, path = engine.minimum_health_path(level.grid)
        strips = -(-rows // 16) * (cols + 15)  # 16 rows each, a bit for each in 2 bytes a step
        size = 2 * strips + 8 * (cols + 1) + 16 * (rows + cols - 1)
        return Solution(health, cells_of(path), Work(visits=rows * cols, bytes=size))
    needs, work = _table(level, stop, trace, Work(bytes=8 * rows * cols))
    return Solution(_in_64_bits(needs[0][0]), _trace_back(needs), work)


def wavefront(level: Level, stop: Stop = None, *, trace: Trace = None) -> Solution:
    """The table without the table: one row of needs sweeps over the grid. By the engine, sixteen rows at a time.

    No way is left to trace back, so it tells none. It is done before `stop` could be asked.

    Cost:
        O(m n) time, O(n) memory; each cell is visited once.
    """
    rows, cols = level.grid.shape
    return Solution(engine.minimum_health(level.grid), None, Work(visits=rows * cols, bytes=8 * (cols + 1)))


def binary_search(level: Level, stop: Stop = None, *, trace: Trace = None) -> Solution:
    """Tries healths: if one is enough, so is every larger one; if it is too little, so is every smaller one.

    A probe sweeps forward and keeps for each cell the most health with which the knight can stand there alive, 0 if he
    can't: with more health he can do all that he can with less. A health that bears the grid's worst trap on every cell
    of a way is always enough, so that is where the search begins. The way is that of `tabulated`, in one sweep more.

    Cost:
        O(m n log((m + n) worst trap)) time: at most m n visits a probe, fewer where a whole row is beyond reach. O(m n)
        memory, for the way; the search alone takes O(n).
    """
    _refuse_large(level, "binary-search")
    values, cols = level.grid.tolist(), level.grid.shape[1]
    visits = probes = 0
    too_little, enough = 0, _more_than_any(level) - 1
    while enough - too_little > 1:
        health = (too_little + enough) // 2
        arrives, visited = _arrives(values, health)
        too_little, enough = (too_little, health) if arrives else (health, enough)
        probes += 1
        if trace is not None:
            for place in range(visited):
                row, col = divmod(place, cols)
                trace(row, col, Work(visits=visits + place + 1, probes=probes, bytes=8 * cols))
        visits += visited
        _look(stop, Work(visits=visits, probes=probes, bytes=8 * cols))
    needs, work = _table(level, stop, trace, Work(visits=visits, probes=probes, bytes=8 * level.grid.size))
    return Solution(_in_64_bits(enough), _trace_back(needs), work)


def breadth_first(level: Level, stop: Stop = None, *, trace: Trace = None, keeps_all: bool = False) -> Solution:
    """All ways at once, a step each: the ways to one anti-diagonal, then those to the next one.

    Of a way it needs to know the sum of its values and the lowest sum on it: the first says what the rest of the way
    begins with, the second what health the way needed so far. A way that is better in neither than another way to the
    same cell can be dropped: whatever follows, it needs no less. The way is that of `tabulated`, in one sweep more.

    Args:
        level: the grid.
        stop: asked now and then whether to give up.
        trace: told of each cell when the ways to it are looked at, all at once.
        keeps_all: don't drop any: brute force.

    Cost:
        O(w log w) time for a cell with w ways to look at. With `keeps_all` these are C(r + c, r), as many as the calls
        of `recursive`; else there are few on most grids, though there need not be. More than MOST_WAYS on one
        anti-diagonal are refused.
    """
    rows, cols = level.grid.shape
    _refuse_large(level, "breadth-first")
    values = level.grid.tolist()
    arriving = {0: [(0, 0)]}  # by row: the sum and the lowest sum of each way to a cell of this anti-diagonal
    kept: list[tuple[int, int]] = []
    visits = states = widest = 0
    for diagonal in range(rows + cols - 1):
        leaving: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        here = 0
        for row, ways in arriving.items():
            value = values[row][diagonal - row]
            kept = [(total + value, min(lowest, total + value)) for total, lowest in ways]
            visits += len(kept)
            if not keeps_all:
                kept = _undominated(kept)
            here += len(kept)
            if trace is not None:
                trace(row, diagonal - row, Work(visits=visits, states=states + here, bytes=16 * max(widest, here)))
            if here > MOST_WAYS:
                raise RefusedError(
                    f"breadth-first would hold more than {MOST_WAYS:,} ways at once on {rows} x {cols} cells"
                )
            if diagonal - row + 1 < cols:
                leaving[row] += kept
            if row + 1 < rows:
                leaving[row + 1] += kept
        arriving = leaving
        states, widest = states + here, max(widest, here)
        _look(stop, Work(visits=visits, states=states, bytes=16 * widest))
    so_far = Work(visits=visits, states=states, bytes=max(16 * widest, 8 * rows * cols))
    needs, work = _table(level, stop, trace, so_far)
    return Solution(_in_64_bits(1 - max(lowest for _, lowest in kept)), _trace_back(needs), work)


# -- what the six share


def _table(level: Level, stop: Stop, trace: Trace, so_far: Work) -> tuple[list[list[int]], Work]:
    """The needs of all cells; right of the last column and below the last row, more than any, and 1 below the last.

    And the work: what was done so far, and a visit a cell.
    """
    rows, cols = level.grid.shape
    more = _more_than_any(level)
    table = [[more] * (cols + 1) for _ in range(rows)] + [_below_the_last_row(level)]
    visits = so_far.visits
    for row in reversed(range(rows)):
        values = level.grid[row].tolist()
        for col in reversed(range(cols)):
            table[row][col] = max(1, min(table[row + 1][col], table[row][col + 1]) - values[col])
        if trace is not None:
            for col in reversed(range(cols)):
                trace(row, col, replace(so_far, visits=visits + cols - col))
        if (visits + cols) // _LOOK > visits // _LOOK:
            _look(stop, replace(so_far, visits=visits + cols))
        visits += cols
    return table, replace(so_far, visits=visits)


def _below_the_last_row(level: Level) -> list[int]:
    """What the last row finds below it: the way ends under its last cell, where 1 is enough."""
    more = _more_than_any(level)
    return [more] * (level.grid.shape[1] - 1) + [1, more]


def _more_than_any(level: Level) -> int:
    """More than any need: by 1 more than it takes to bear the worst trap on each cell of a way."""
    return 2 + (sum(level.grid.shape) - 1) * max(0, -int(level.grid.min()))


def _trace_back(table: list[list[int]]) -> Path:
    """On to the neighbour that needs less, right if both need as much."""
    last = Cell(len(table) - 2, len(table[0]) - 2)
    path = [Cell(0, 0)]
    while path[-1] != last:
        row, col = path[-1]
        path.append(Cell(row, col + 1) if table[row][col + 1] <= table[row + 1][col] else Cell(row + 1, col))
    return tuple(path)


def _arrives(values: list[list[int]], health: int) -> tuple[bool, int]:
    """Whether that health is enough, and how many cells were visited to tell."""
    cols = len(values[0])
    most = [health] + [0] * (cols - 1)  # with which he can go down into each column
    visited = 0
    for row in values:
        left = 0
        for col, value in enumerate(row):
            alive = max(left, most[col])
            left = most[col] = max(0, alive + value) if alive else 0
        visited += cols
        if not any(most):
            break
    return most[-1] > 0, visited


def _undominated(ways: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ways that no other one is at least as good as, in sum and in lowest sum."""
    kept: list[tuple[int, int]] = []
    for total, lowest in sorted(ways, reverse=True):
        if not kept or lowest > kept[-1][1]:
            kept.append((total, lowest))
    return kept


def _too_many_calls(rows: int, cols: int) -> str:
    """How many calls the plain recursion would take, if they are too many."""
    digits = (lgamma(rows + cols + 1) - lgamma(rows + 1) - lgamma(cols + 1)) / log(10)
    if digits > 15:
        return f"about 10^{digits:.0f}"
    calls = comb(rows + cols, rows) - 1
    return f"{calls:,}" if calls > MOST_CALLS else ""


def _refuse_large(level: Level, name: str) -> None:
    """For algorithms that look at each cell in Python and have nothing else for large grids."""
    rows, cols = level.grid.shape
    if rows * cols > MOST_CELLS:
        raise RefusedError(
            f"{name} takes at most {MOST_CELLS:,} cells, not {rows} x {cols}; tabulated and wavefront take more"
        )


def _look(stop: Stop, work: Work, trace: Trace = None, row: int = 0, col: int = 0) -> None:
    if trace is not None:
        trace(row, col, work)
    if stop is not None and stop(work):
        raise SolvingStoppedError


def _in_64_bits(health: int) -> int:
    """The health, where a game can hold it; in the engine's words."""
    if health > MOST:
        raise ValueError(f"the least health at cell (0, 0) is {health}, more than a signed 64-bit integer holds")
    return health
