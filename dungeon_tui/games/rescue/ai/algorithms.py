"""Six ways to the least health, all with the same answer.

The need of a cell is the least health to enter it with: max(1, the smaller need of its neighbours right and below - its
value), and max(1, 1 - its value) where the princess is. The best way goes on to the neighbour that needs less, right if
both need as much; so all algorithms that tell a way tell the same one.

An algorithm takes a level and the meter that it counts its work with, and returns the least health and a best way. A
new one is a function here and a line in ALGORITHMS. In their costs, m is for rows and n for columns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import comb, inf, log10
from typing import TYPE_CHECKING, Any, TypeAlias

from dungeon_tui import engine
from dungeon_tui.core.grid import Cell, cells_of

if TYPE_CHECKING:  # the command line names the algorithms without numpy
    from dungeon_tui.games.rescue.model.level import Level

MOST_CALLS = 50_000_000  # of the plain recursion: 14 x 14 takes 40,116,599
MOST_DEPTH = 400  # calls within calls of the plain recursion: Python allows 1000, the caller's own among them
MOST_CELLS = 4_000_000  # that are looked at one by one in Python
MOST_WAYS = 1_000_000  # that breadth-first holds at once
WATCH_EVERY = 1 << 16  # visits


@dataclass(slots=True)
class Work:
    """Counts of an algorithm's work; 0 where it does nothing of the kind."""

    visits: int = 0  # of cells; the one measure that all have
    calls: int = 0  # of a function by itself
    probes: int = 0  # healths tried
    states: int = 0  # ways kept, over all levels
    bytes: int = 0  # the most held at once beside the grid, 8 for each number, however Python stores them


Path: TypeAlias = tuple[Cell, ...]
Algorithm: TypeAlias = "Callable[[Level, Meter], tuple[int, Path | None]]"
# Told row and column of a visit, with the work so far; may raise SolvingStoppedError.
Watch: TypeAlias = Callable[[int, int, Work], object]


class SolvingStoppedError(Exception):
    """Raised by the watcher of an algorithm, to stop it."""


class Meter(Work):
    """The work of a run that goes on: the algorithm counts here, and is watched."""

    __slots__ = ("_every", "_next", "_watch")

    def __init__(self, watch: Watch | None = None, every: int = WATCH_EVERY) -> None:
        """Begins to count at 0; calls `watch` once in every `every` visits."""
        super().__init__()
        self._watch, self._every = watch or (lambda *_: None), every
        self._next = every if watch else inf

    def visit(self, row: int, col: int, ways: int = 1) -> None:
        """Counts `ways` visits of a cell, and calls the watcher if it is time; that may raise SolvingStoppedError."""
        self.visits += ways
        if self.visits >= self._next:
            self._next += self._every
            self._watch(row, col, self.so_far())

    def visit_row(self, row: int, cols: range) -> None:
        """Counts a visit of each of these cells of a row, in their order."""
        if self._every > 1:
            self.visit(row, cols[-1], len(cols))
        else:
            for col in cols:
                self.visit(row, col)

    def so_far(self) -> Work:
        """A copy of the counts."""
        return Work(self.visits, self.calls, self.probes, self.states, self.bytes)


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer of an algorithm."""

    health: int
    path: Path | None  # from the first cell to the last; None: the algorithm tells no way
    work: Work


def solve(level: Level, algorithm: str | Algorithm, watch: Watch | None = None, every: int = WATCH_EVERY) -> Solution:
    """The solution that an algorithm finds, given itself or by its name.

    Args:
        level: the grid.
        algorithm: a name is looked up as by `find_algorithm`.
        watch: told of the work so far, and of the cell that is visited. The engine's kernels tell nothing.
        every: visits between two of these calls; 1: it is told of each cell.

    Raises:
        SolvingStoppedError: `watch` raised it.
        ValueError: no algorithm has that name, the grid is too large for it (the message says how much it would take),
            or the least health is beyond 64 bits; sums along a way may be as large as they like.
    """
    meter = Meter(watch, every)
    run = find_algorithm(algorithm) if isinstance(algorithm, str) else algorithm
    health, path = run(level, meter)
    if health.bit_length() > 63:
        raise ValueError(f"the least health at cell (0, 0) is {health}, more than a signed 64-bit integer holds")
    return Solution(health, path, meter.so_far())


def prepare(level: Level, algorithm: str | Algorithm) -> None:
    """Compiles the engine's kernels that the algorithm needs for such a grid, so that measured times leave it out."""
    corner = replace(level, grid=0 * level.grid[:1, :1])
    solve(corner, algorithm)
    if level.grid.size > MOST_CELLS:
        engine.minimum_health_path(corner.grid)


def recursive(level: Level, meter: Meter) -> tuple[int, Path]:
    """The definition, as it stands: each cell asks the one on its right and the one below, which ask on.

    A cell is asked once for each way that leads to it. More than MOST_CALLS are refused, which begins beyond 14 x 14,
    and calls that nest deeper than MOST_DEPTH.

    Cost:
        C(m + n, m) - 1 calls, m + n - 1 of them open at once.
    """
    rows, cols = level.grid.shape
    depth, calls = rows + cols - 1, comb(rows + cols, rows) - 1
    if calls > MOST_CALLS:
        told = f"{calls:,}" if calls < 10**15 else f"about 10^{log10(calls):.0f}"
        raise ValueError(
            f"recursive would take {told} calls on {rows} x {cols} cells; it is for 14 x 14 or so, at most "
            f"{MOST_CALLS:,} calls"
        )
    if depth > MOST_DEPTH:
        raise ValueError(f"recursive would nest {depth} calls on {rows} x {cols} cells, at most {MOST_DEPTH}")
    values, meter.bytes = level.grid.tolist(), 8 * depth

    def need(row: int, col: int) -> tuple[int, Any]:
        """The need of a cell, and the way from there: a pair of the cell and the rest."""
        meter.calls += 1
        meter.visit(row, col)
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
    return health, tuple(path)


def memoised(level: Level, meter: Meter) -> tuple[int, Path]:
    """The plain recursion with a memory: a cell that was computed answers at once. The report's "bottom-up".

    The open calls stand on a stack of its own, so that long grids don't meet Python's limit.

    Cost:
        O(m n) time and memory. Each cell is computed once, and asks its one or two neighbours then: 2 m n - m - n + 1
        calls, with the first one.
    """
    rows, cols = _shape(level, "memoised")
    values, needs = level.grid.tolist(), _blank_table(level, None)
    meter.calls, meter.bytes = 1, 8 * (rows * cols + rows + cols - 1)
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
            meter.calls += (col + 1 < cols) + (row + 1 < rows)
            meter.visit(row, col)
    return needs[0][0], _trace_back(needs)


def tabulated(level: Level, meter: Meter) -> tuple[int, Path]:
    """The table of all needs, from the last cell backwards, and the way by trace-back. The report's "top-down".

    In plain Python up to MOST_CELLS cells. Beyond, the engine does the same in machine code and keeps a bit a cell
    instead of a number: that can't be stopped, but 10,000 x 10,000 cells take it less than a second.

    Cost:
        O(m n) time and memory; each cell is visited once.
    """
    rows, cols = level.grid.shape
    if rows * cols > MOST_CELLS:
        health, path = engine.minimum_health_path(level.grid)
        meter.visits, meter.bytes = rows * cols, rows * cols // 8 + 8 * cols + 16 * (rows + cols - 1)
        return health, cells_of(path)
    needs = _need_table(level, meter)
    return needs[0][0], _trace_back(needs)


def wavefront(level: Level, meter: Meter) -> tuple[int, None]:
    """The least health alone, by one row of needs that sweeps over the grid, in the engine.

    No way is left to trace back, so it tells none. It is done before anybody could stop it.

    Cost:
        O(m n) time, O(n) memory; each cell is visited once.
    """
    rows, cols = level.grid.shape
    meter.visits, meter.bytes = rows * cols, 8 * (cols + 1)
    return engine.minimum_health(level.grid), None


def binary_search(level: Level, meter: Meter) -> tuple[int, Path]:
    """The least health, found by trying some, and a way: what is enough leaves the larger ones out, else the smaller.

    A probe sweeps forward and keeps for each cell the most health with which the knight can stand there alive. The
    search begins with what bears the worst trap on every cell; the way takes one more sweep, that of `tabulated`.

    Cost:
        O(m n log((m + n) worst trap)) time: at most m n visits a probe, fewer where a whole row is beyond reach. O(m n)
        memory, for the way; the search alone takes O(n).
    """
    _, cols = _shape(level, "binary-search")
    values, meter.bytes = level.grid.tolist(), 8 * cols
    too_little, enough = 0, _more_than_any(level) - 1
    while enough - too_little > 1:
        health = (too_little + enough) // 2
        meter.probes += 1
        if _arrives(values, health, meter):
            enough = health
        else:
            too_little = health
    return enough, _trace_back(_need_table(level, meter))


def breadth_first(level: Level, meter: Meter, keeps_all: bool = False) -> tuple[int, Path]:
    """All ways at once, a step each: the ways to one anti-diagonal, then those to the next one.

    Of a way it knows the sum of its values and the lowest sum on it. A way that is better in neither than another way
    to the same cell is dropped: whatever follows, it needs no less. More than MOST_WAYS on one anti-diagonal are
    refused. The way takes one more sweep, that of `tabulated`.

    Args:
        level: the grid.
        meter: counts all ways to a cell in one visit.
        keeps_all: drop no way: brute force.

    Cost:
        O(w log w) time for a cell with w ways to look at: few on most grids; C(r + c, r) with `keeps_all`.
    """
    rows, cols = _shape(level, "breadth-first")
    values = level.grid.tolist()
    arriving = {0: [(0, 0)]}  # by row: the sum and the lowest sum of each way to a cell of this anti-diagonal
    kept: list[tuple[int, int]] = []
    for diagonal in range(rows + cols - 1):
        leaving: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        held = 0
        for row, ways in arriving.items():
            col = diagonal - row
            sums = ((total + values[row][col], lowest) for total, lowest in ways)
            kept = [(total, min(lowest, total)) for total, lowest in sums]
            if not keeps_all:
                kept = _undominated(kept)
            held += len(kept)
            meter.states += len(kept)
            meter.bytes = max(meter.bytes, 16 * held)
            meter.visit(row, col, len(ways))
            if held > MOST_WAYS:
                raise ValueError(
                    f"breadth-first would hold more than {MOST_WAYS:,} ways at once on {rows} x {cols} cells"
                )
            if col + 1 < cols:
                leaving[row] += kept
            if row + 1 < rows:
                leaving[row + 1] += kept
        arriving = leaving
    return 1 - max(lowest for _, lowest in kept), _trace_back(_need_table(level, meter))


# -- what the six share


def _need_table(level: Level, meter: Meter) -> list[list[int]]:
    """The table of `_blank_table` with the needs of all cells, filled from the last one backwards."""
    rows, cols = level.grid.shape
    meter.bytes = max(meter.bytes, 8 * rows * cols)
    table = _blank_table(level, 0)
    for row in reversed(range(rows)):
        values, here, below = level.grid[row].tolist(), table[row], table[row + 1]
        for col in reversed(range(cols)):
            here[col] = max(1, min(below[col], here[col + 1]) - values[col])
        meter.visit_row(row, range(cols - 1, -1, -1))
    return table


def _blank_table(level: Level, blank: Any) -> list[list[Any]]:
    """A table with borders: right of the last column and below the last row more than any need, but 1 below the end."""
    rows, cols = level.grid.shape
    more = _more_than_any(level)
    return [*([blank] * cols + [more] for _ in range(rows)), [more] * (cols - 1) + [1, more]]


def _more_than_any(level: Level) -> int:
    """More than any need: by 1 more than it takes to bear the worst trap on each cell of a way."""
    return 2 + (sum(level.grid.shape) - 1) * max(0, -int(level.grid.min()))


def _trace_back(table: list[list[int]]) -> Path:
    """The way that a table of needs tells: always on to the neighbour that needs less, right if both need as much."""
    last = Cell(len(table) - 2, len(table[0]) - 2)
    path = [Cell(0, 0)]
    while path[-1] != last:
        row, col = path[-1]
        path.append(Cell(row, col + 1) if table[row][col + 1] <= table[row + 1][col] else Cell(row + 1, col))
    return tuple(path)


def _arrives(values: list[list[int]], health: int, meter: Meter) -> bool:
    """True if a knight with that health can reach the princess; stops at a row that nobody leaves alive."""
    cols = len(values[0])
    most = [health] + [0] * (cols - 1)  # with which he can go down into each column
    for row, line in enumerate(values):
        left = 0
        for col, value in enumerate(line):
            alive = max(left, most[col])
            left = most[col] = max(0, alive + value) if alive else 0
        meter.visit_row(row, range(cols))
        if not any(most):
            return False
    return most[-1] > 0


def _undominated(ways: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ways that no other one is at least as good as, in sum and in lowest sum."""
    kept: list[tuple[int, int]] = []
    for total, lowest in sorted(ways, reverse=True):
        if not kept or lowest > kept[-1][1]:
            kept.append((total, lowest))
    return kept


def _shape(level: Level, name: str) -> tuple[int, int]:
    """Rows and columns, for algorithms that look at each cell in Python and have nothing else for large grids."""
    rows, cols = level.grid.shape
    if rows * cols > MOST_CELLS:
        raise ValueError(
            f"{name} takes at most {MOST_CELLS:,} cells, not {rows} x {cols}; tabulated and wavefront take more"
        )
    return rows, cols


def find_algorithm(name: str) -> Algorithm:
    """The algorithm of that name, or alias. Raises ValueError where there is none; names those that there are."""
    found = ALGORITHMS.get(ALIASES.get(name, name))
    if found is None:
        also = ", ".join(f"{alias} = {known}" for alias, known in ALIASES.items())
        raise ValueError(f"no algorithm is called {name!r}; there are {', '.join(ALGORITHMS)} (and {also})")
    return found


ALGORITHMS: dict[str, Algorithm] = {
    "recursive": recursive,
    "memoised": memoised,
    "tabulated": tabulated,
    "wavefront": wavefront,
    "binary-search": binary_search,
    "breadth-first": breadth_first,
}
GROWTH = {
    "recursive": ("C(m+n, m) - 1 ~ 4^n", "m + n"),
    "memoised": ("m n", "m n"),
    "tabulated": ("m n", "m n"),
    "wavefront": ("m n", "n"),
    "binary-search": ("m n log((m+n) trap)", "m n"),
    "breadth-first": ("m n ways", "m n"),
}
"""Formulas of the visits of cells, and of the memory: `trap` is the worst one, `ways` those kept a cell."""
ALIASES = {"bottom-up": "memoised", "top-down": "tabulated"}  # the report's names
