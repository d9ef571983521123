"""The rescue as a problem for programs: a grid in; the least health out, and optionally a path."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

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

_SPREADS = 2, 5, 9, 1000, 2**31  # random numbers range from - to +; the last overflows sums in 32 bits
_NEARER: tuple[Callable[[int], int], ...] = (
    lambda number: 0,
    lambda number: 1 if number > 0 else -1,
    lambda number: int(number / 8),
    lambda number: int(number * 3 / 4),
)
_NAMES = "health|minimum|least|answer|result|need"
_CELL = re.compile(r"[(\[]\s*(\d{1,9})\s*,\s*(\d{1,9})\s*[)\]]", re.ASCII)
_PATH = re.compile(r"path|way|route", re.IGNORECASE)
_LETTERS = re.compile(r"(?:path|way|route)\s*:?\s*((?:[RD][\s,>-]*)+)$", re.IGNORECASE | re.MULTILINE)

Cells = list[tuple[int, int]]


class RescueProblem:
    """Grids, and the least health of each."""

    unit = "cell"
    largest = 64

    def shipped(self) -> list[Case]:
        """The shipped grids."""
        return [_case(f"shipped/{name}", read_grid(name).grid) for name in lessons()]

    def read(self, file: str) -> Case:
        """The grid of a file, or the shipped one of that name. Raises LevelError if it can't be read."""
        return _case(f"inputs/{file}", read_grid(file).grid)

    def made(self, random: Random, size: int) -> Case:
        """A random grid."""
        is_wide = size > 3 and random.below(4) > 0  # a single row or column has only one path
        rows = random.between(2, size // 2) if is_wide else random.choice((1, size))
        cols = size // rows
        spread = random.choice(_SPREADS)
        most = spread // random.choice((1, 3))  # with many traps, paths differ in more than their sums
        numbers = [random.between(-spread, most) for _ in range(rows * cols)]
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
        """The least health."""
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
        for letter in re.sub(r"[^RD]", "", letters[1].upper()):
            row, col = cells[-1]
            cells.append((row, col + 1) if letter == "R" else (row + 1, col))
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
