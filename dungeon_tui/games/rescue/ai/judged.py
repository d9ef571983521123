"""The rescue as a problem for programs: a grid in; the least health out, and optionally a path."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from dungeon_tui import engine
from dungeon_tui.core.grid import cells_of
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.random import Random
from dungeon_tui.games.rescue.ai.solver import path_need
from dungeon_tui.games.rescue.model.dungeon import read_grid
from dungeon_tui.games.rescue.model.level import Grid, Level, level_text, read_level
from dungeon_tui.games.rescue.model.options import lessons
from dungeon_tui.judge.answers import json_object, nothing_in, number
from dungeon_tui.judge.problem import Case, Objection, parts

_SPREADS = 2, 5, 9, 1000, 2**62  # random numbers range from - to +, within the bounds
_NEARER: tuple[Callable[[int], int], ...] = (
    lambda number: 0,
    lambda number: 1 if number > 0 else -1,
    lambda number: int(number / 8),
    lambda number: int(number * 3 / 4),
)
_NAMES = "health|minimum|least|answer|result|need"
_CELL = re.compile(r"[(\[]\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*[)\]]", re.ASCII)
_PATH = re.compile(r"path|way|route", re.IGNORECASE)
_LETTERS = re.compile(  # after a word, or alone on a line
    r"(?:(?:path|way|route)\s*:?\s*|^[ \t]*(?=[A-Z][ \t,>-]+[A-Z]\b|[RDLU]{2}))((?:(?:[RDLU]+|[A-Z]\b)[ \t,>-]*)+)$",
    re.IGNORECASE | re.MULTILINE,
)
_STEPS = {"R": (0, 1), "D": (1, 0), "L": (0, -1), "U": (-1, 0)}  # the last two, and other letters, are illegal

Cells = list[tuple[int, int]]


@dataclass(frozen=True)
class RescueProblem:
    """Grids and their least health, by default within the assignment's bounds. Raises ValueError for wrong bounds."""

    low: int = -1000
    high: int = 1000
    rows: int = 200
    cols: int = 200
    unit: ClassVar[str] = "cell"

    def __post_init__(self) -> None:
        if not -(10**18) <= self.low <= 0 <= self.high <= 10**18:
            raise ValueError(f"numbers from {self.low} to {self.high}: 0 must be among them, and none beyond 10^18")

    @property
    def largest(self) -> int:
        """The most cells of a grid, unless it must be large."""
        return min(64, self.rows * self.cols)

    @property
    def farthest(self) -> int:
        """The most cells of all."""
        return min(40_000, self.rows * self.cols)

    def shipped(self) -> list[Case]:
        grids = {name: read_grid(name).grid for name in lessons()}
        return [_case(f"shipped/{name}", grid) for name, grid in grids.items() if self._is_inside(grid)]

    def _is_inside(self, grid: Grid) -> bool:
        (rows, cols), (least, most) = grid.shape, (grid.min(), grid.max())
        return bool(rows <= self.rows and cols <= self.cols and self.low <= least and most <= self.high)

    def read(self, file: str) -> Case:
        return _case(f"inputs/{file}", read_grid(file).grid)

    def made(self, random: Random, size: int) -> Case:
        is_wide = size > 3 and random.below(4) > 0  # a single row or column has only one path
        rows = random.between(2, size // 2) if is_wide else random.choice((1, size))
        rows = min(rows, self.rows)
        cols = min(max(1, size // rows), self.cols)
        rows = min(size // cols, self.rows)
        spread = random.choice(_SPREADS)
        most = min(spread // random.choice((1, 3)), self.high)  # with many traps, paths differ in more than their sums
        least = max(-spread, self.low)
        numbers = [random.between(least, most) for _ in range(rows * cols)]
        return _case("random", np.array(numbers).reshape(rows, cols))

    def smaller(self, case: Case) -> Iterator[Case]:
        """Grids without some rows or columns, then with a number nearer to 0."""
        grid = _grid(case)
        for axis, length in enumerate(grid.shape):
            for part in parts(length) if length > 1 else ():
                yield _case(case.name, np.delete(grid, part, axis))
        for nearer in _NEARER:
            for cell, old in np.ndenumerate(grid):
                if abs(value := nearer(int(old))) < abs(old):
                    changed = grid.copy()
                    changed[cell] = value
                    yield _case(case.name, changed)

    def right(self, case: Case) -> int:
        return engine.minimum_health(_grid(case))

    def objection(self, case: Case, output: str) -> Objection | None:
        """Rejects a wrong health, and a path that is illegal or needs more."""
        grid, right = _grid(case), self.right(case)
        health, path = read_answer(output)
        best = cells_of(engine.minimum_health_path(grid)[1])
        drawing = "a best path: " + " ".join(f"({row}, {col})" for row, col in best)
        if health is None:
            return Objection(right, nothing_in(output), drawing, is_answer=False)
        if health != right:
            return Objection(right, health, drawing)
        fault = None if path is None else _path_fault(grid, path, right)
        return None if fault is None else Objection(right, f"{health}, but {fault}", drawing)


def read_answer(output: str) -> tuple[int | None, Cells | None]:
    r"""The health and the cells of the path in a program's output; None if missing.

    >>> read_answer("Minimum health: 7\npath: (0, 0) (0, 1)\n")
    (7, [(0, 0), (0, 1)])
    >>> read_answer("[[0, 0]]\n7\nPath: R D\n")
    (7, [(0, 0), (0, 1), (1, 1)])
    """
    health = json_object(output).get("initial_health", number(_CELL.sub("", output), _NAMES))
    *_, path_text = _PATH.split(output)  # the program may have printed the grid first
    cells: Cells | None = [(int(row), int(col)) for row, col in _CELL.findall(path_text)] or None
    if cells is None and (letters := _LETTERS.search(output)):
        cells = [(0, 0)]
        for letter in re.sub("[^A-Z]", "", letters[1].upper()):
            (row, col), (down, right) = cells[-1], _STEPS.get(letter, (0, 0))
            cells.append((row + down, col + right))
    return (health if isinstance(health, int) else None), cells


def _path_fault(grid: Grid, path: Cells, health: int) -> str | None:
    """The error in a path, as a clause after "but"; None if it is legal and needs no more health."""
    rows, cols = grid.shape
    if path[0] == (1, 1) and path[-1] == (rows, cols):  # counted from 1
        path = [(row - 1, col - 1) for row, col in path]
    if path[0] != (0, 0) or path[-1] != (rows - 1, cols - 1):
        return f"its path goes from {path[0]} to {path[-1]}"
    for one, other in pairwise(path):
        if other not in ((one[0] + 1, one[1]), (one[0], one[1] + 1)):
            return f"its path goes from {one} to {other}"
    need = path_need(Level("", grid), path)
    return f"its path needs {need}" if need > health else None


def _case(name: str, grid: Grid) -> Case:
    return Case(name, grid.size, level_text(Level(name, grid)).encode())


def _grid(case: Case) -> Grid:
    return read_level(LevelFile(case.name, case.given)).grid
