"""Six algorithms for the least health, all with the same answer.

The need of a cell is the least health to enter it with: max(1, smaller need of the right and lower neighbour - value),
and max(1, 1 - value) at the princess. A best path always continues to the neighbour that needs less, right if both are
equal, so all algorithms that return a path return the same one.

An algorithm takes a level and the meter that counts its work, and returns the least health and a best path. To add
one, write a function and add a line to ALGORITHMS. In their costs, m counts rows and n columns.
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
MOST_DEPTH = 400  # nested calls of the plain recursion: Python allows 1000 in all
MOST_CELLS = 4_000_000  # for algorithms in plain Python
MOST_PATHS = 1_000_000  # in the memory of breadth-first
WATCH_EVERY = 1 << 16  # visits


@dataclass(slots=True)
class Work:
    """Counts of an algorithm's work; 0 if a count does not apply."""

    visits: int = 0  # of cells; all algorithms count them
    calls: int = 0  # recursive calls
    probes: int = 0  # healths tried
    states: int = 0  # paths stored, over all anti-diagonals
    bytes: int = 0  # peak memory without the grid, at 8 per number


Path: TypeAlias = tuple[Cell, ...]
Algorithm: TypeAlias = "Callable[[Level, Meter], tuple[int, Path | None]]"
# Called with the row and column of a visit and the work so far; may raise SolvingStoppedError.
Watch: TypeAlias = Callable[[int, int, Work], object]


class SolvingStoppedError(Exception):
    """Raised by a watcher to stop an algorithm."""


class Meter(Work):
    """The work of an algorithm while it runs, with a watcher."""

    __slots__ = ("_every", "_next", "_watch")

    def __init__(self, watch: Watch | None = None, every: int = WATCH_EVERY) -> None:
        super().__init__()
        self._watch, self._every = watch or (lambda *_: None), every
        self._next = every if watch else inf

    def visit(self, row: int, col: int, ways: int = 1) -> None:
        """Counts `ways` visits of a cell, and calls the watcher when it is due; that may raise SolvingStoppedError."""
        self.visits += ways
        if self.visits >= self._next:
            self._next += self._every
            self._watch(row, col, self.so_far())

    def visit_row(self, row: int, cols: range) -> None:
        """Counts a visit of each of these cells of a row, in order."""
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
    path: Path | None  # from the first cell to the last; None: the algorithm finds no path
    work: Work


def solve(level: Level, algorithm: str | Algorithm, watch: Watch | None = None, every: int = WATCH_EVERY) -> Solution:
    """Runs an algorithm, or the one of that name; calls `watch` once in `every` visits, except in kernels.

    Raises SolvingStoppedError as `watch` does; ValueError for an unknown name, too large a grid or health.
    """
    meter = Meter(watch, every)
    run = find_algorithm(algorithm) if isinstance(algorithm, str) else algorithm
    health, path = run(level, meter)
    if health.bit_length() > 63:
        raise ValueError(f"the least health at cell (0, 0) is {health}, more than a signed 64-bit integer holds")
    return Solution(health, path, meter.so_far())


def prepare(level: Level, algorithm: str | Algorithm) -> None:
    """Compiles the kernels that the algorithm needs for such a grid, so that measured times exclude it."""
    corner = replace(level, grid=0 * level.grid[:1, :1])
    solve(corner, algorithm)
    if level.grid.size > MOST_CELLS:
        engine.minimum_health_path(corner.grid)


def recursive(level: Level, meter: Meter) -> tuple[int, Path]:
    """The definition as code: each cell asks its right and lower neighbours, which ask theirs.

    It asks a cell once for each path to it. So it refuses more than MOST_CALLS calls, which excludes grids beyond
    14 x 14, and more than MOST_DEPTH nested calls.

    Cost:
        C(m + n, m) - 1 calls, at most m + n - 1 of them nested.
    """
    rows, cols = level.grid.shape
    # Refuse grids that take too many calls.
    depth, calls = rows + cols - 1, comb(rows + cols, rows) - 1
    if calls > MOST_CALLS:
        count = f"{calls:,}" if calls < 10**15 else f"about 10^{log10(calls):.0f}"
        raise ValueError(
            f"recursive would take {count} calls on {rows} x {cols} cells; at most {MOST_CALLS:,} are possible, "
            "enough for 14 x 14"
        )
    if depth > MOST_DEPTH:
        raise ValueError(f"recursive would nest {depth} calls on {rows} x {cols} cells, at most {MOST_DEPTH}")
    values, meter.bytes = level.grid.tolist(), 8 * depth

    def need(row: int, col: int) -> tuple[int, Any]:
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

    # Unfold the path: nested pairs of a cell and the rest of the way.
    health, way = need(0, 0)
    path = []
    while way is not None:
        cell, way = way
        path.append(Cell(*cell))
    return health, tuple(path)


def memoised(level: Level, meter: Meter) -> tuple[int, Path]:
    """The plain recursion with a memo, so that each cell is computed once. The report's "bottom-up".

    It uses its own stack, since long grids would exceed Python's recursion limit.

    Cost:
        O(m n) time and memory. Each cell is computed once, and asks its one or two neighbours then: 2 m n - m - n + 1
        calls, with the first one.
    """
    rows, cols = _shape(level, "memoised")
    values, needs = level.grid.tolist(), _blank_table(level, None)
    meter.calls, meter.bytes = 1, 8 * (rows * cols + rows + cols - 1)
    open_calls = [(0, 0)]
    while open_calls:
        # Ask the neighbours first; compute the cell when both are known.
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
    """The table of all needs, filled from the last cell backwards, and the path by trace-back. The report's "top-down".

    Plain Python up to MOST_CELLS cells. Beyond, it runs the engine's kernel, which stores a bit per cell instead of a
    number. The kernel can't be stopped, but takes less than a second for 10,000 x 10,000 cells.

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
    """The least health alone, by a single row of needs that sweeps over the grid, in the engine.

    It stores nothing to trace a path back with. It can't be stopped.

    Cost:
        O(m n) time, O(n) memory; each cell is visited once.
    """
    meter.visits, meter.bytes = level.grid.size, 8 * (level.grid.shape[1] + 1)
    return engine.minimum_health(level.grid), None


def binary_search(level: Level, meter: Meter) -> tuple[int, Path]:
    """Bisects on the initial health.

    A probe sweeps forward and computes for each cell the most health with which the knight can be there alive. The
    search starts from a health that survives the worst trap on every cell. The path takes one more sweep, as in
    `tabulated`.

    Cost:
        O(m n log((m + n) worst trap)) time; O(m n) memory for the path, O(n) for the search alone.
    """
    _, cols = _shape(level, "binary-search")
    values, meter.bytes = level.grid.tolist(), 8 * cols
    too_little, enough = 0, more_than_any(level) - 1
    while enough - too_little > 1:
        health = (too_little + enough) // 2
        meter.probes += 1
        if _arrives(values, health, meter):
            enough = health
        else:
            too_little = health
    return enough, _trace_back(_need_table(level, meter))


def breadth_first(level: Level, meter: Meter, keeps_all: bool = False) -> tuple[int, Path]:
    """All paths together, one anti-diagonal after the other.

    A path is reduced to the sum of its values and the lowest sum on it. Dominated paths are dropped: a path to the same
    cell that is no worse in both never needs more health; `keeps_all` drops none: brute force. More than MOST_PATHS
    paths on an anti-diagonal raise ValueError. The best path takes one more sweep, as in `tabulated`.

    Cost:
        O(w log w) time for a cell that w paths reach: few on most grids; C(r + c, r) with `keeps_all`.
    """
    rows, cols = _shape(level, "breadth-first")
    values = level.grid.tolist()
    arriving = {0: [(0, 0)]}  # by row, the sum and lowest sum of each path to a cell of this anti-diagonal
    paths: list[tuple[int, int]] = []
    for diagonal in range(rows + cols - 1):
        leaving: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        held = 0
        for row, ways in arriving.items():
            col = diagonal - row

            # Enter the cell, and drop dominated paths.
            sums = ((total + values[row][col], lowest) for total, lowest in ways)
            paths = [(total, min(lowest, total)) for total, lowest in sums]
            if not keeps_all:
                paths = _undominated(paths)
            held += len(paths)
            meter.states += len(paths)
            meter.bytes = max(meter.bytes, 16 * held)
            meter.visit(row, col, len(ways))
            if held > MOST_PATHS:
                raise ValueError(f"breadth-first would store more than {MOST_PATHS:,} paths on {rows} x {cols} cells")

            # Continue to the next anti-diagonal.
            if col + 1 < cols:
                leaving[row] += paths
            if row + 1 < rows:
                leaving[row + 1] += paths
        arriving = leaving
    return 1 - max(lowest for _, lowest in paths), _trace_back(_need_table(level, meter))


# -- shared parts


def _need_table(level: Level, meter: Meter) -> list[list[int]]:
    """`_blank_table` with the needs of all cells, filled from the last one backwards."""
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
    """A table with a border right and below: larger than any need, but 1 below the last cell."""
    rows, cols = level.grid.shape
    more = more_than_any(level)
    return [*([blank] * cols + [more] for _ in range(rows)), [more] * (cols - 1) + [1, more]]


def more_than_any(level: Level) -> int:
    """A number above every need: one more than the health that survives the worst trap on each cell of a path."""
    return 2 + (sum(level.grid.shape) - 1) * max(0, -int(level.grid.min()))


def _trace_back(table: list[list[int]]) -> Path:
    """The path in a table of needs: always to the neighbour that needs less, right if both are equal."""
    last = Cell(len(table) - 2, len(table[0]) - 2)
    path = [Cell(0, 0)]
    while path[-1] != last:
        row, col = path[-1]
        path.append(Cell(row, col + 1) if table[row][col + 1] <= table[row + 1][col] else Cell(row + 1, col))
    return tuple(path)


def _arrives(values: list[list[int]], health: int, meter: Meter) -> bool:
    """True if a knight with that health can reach the princess; stops at the first row in which he always dies."""
    cols = len(values[0])
    most = [health] + [0] * (cols - 1)  # most health with which he can go down into each column
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
    paths: list[tuple[int, int]] = []
    for total, lowest in sorted(ways, reverse=True):
        if not paths or lowest > paths[-1][1]:
            paths.append((total, lowest))
    return paths


def _shape(level: Level, name: str) -> tuple[int, int]:
    """Rows and columns, for algorithms in plain Python. Raises ValueError for more than MOST_CELLS cells."""
    rows, cols = level.grid.shape
    if rows * cols > MOST_CELLS:
        raise ValueError(
            f"{name} takes at most {MOST_CELLS:,} cells, not {rows} x {cols}; tabulated and wavefront take more"
        )
    return rows, cols


def find_algorithm(name: str) -> Algorithm:
    """The algorithm with that name or alias. Raises ValueError if there is none; the message lists all."""
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
"""Formulas for visits and memory; `trap` is the worst trap, `ways` the number of paths stored per cell."""
ALIASES = {"bottom-up": "memoised", "top-down": "tabulated"}  # the report's names
