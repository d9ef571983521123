"""An algorithm of a race, step by step: the numbers in its memory, on their cells, and a sentence on each step."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.words import often
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.ai.algorithms import more_than_any
from dungeon_tui.games.rescue.ai.comparison import Lane
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.view.overlays import formula

NOTHING = -1
_IDEAS = {
    "recursive": "each cell asks those right and below, which ask on; notes nothing",
    "memoised": "asks as recursive does, but notes each answer",
    "tabulated": "fills a table of needs, from the princess back",
    "wavefront": "sweeps from the princess back, and keeps one row of needs",
    "binary-search": "tries a health, and then halves what is left",
    "breadth-first": "carries all paths on, and drops a path that another beats",
}
_NUMBERS = {"recursive": "calls", "binary-search": "health, 0: dead", "breadth-first": "paths kept"}


class Trace:
    """The steps of a lane. Raises ValueError if a need is beyond 64 bits."""

    def __init__(self, lane: Lane, level: Level) -> None:
        self._lane, self._level = lane, level
        self._needs = solver.needs(level)
        self.cells = np.array([row * level.grid.shape[1] + col for row, col, _ in lane.steps], np.int64)
        self._diagonals = np.array([row + col for row, col, _ in lane.steps])
        self._probes = np.array([work.probes for *_, work in lane.steps])
        self._kept = np.diff([0, *(work.states for *_, work in lane.steps)])
        self._leaving = cache(lambda probe: solver.most_leaving(level.grid, self._tried(probe)).ravel())

        # The first step that computes a need; two algorithms fill a table after their answer, for the path.
        self._sweep = 0 if lane.name in ("memoised", "tabulated", "wavefront") else len(lane.steps) + 1
        if lane.name in ("binary-search", "breadth-first") and lane.solution is not None:
            self._sweep = len(lane.steps) - level.grid.size

    def _tried(self, probe: int) -> int:
        """The health of a probe, from 1: the middle of what the probes before it have left."""
        too_little, enough, health = 0, more_than_any(self._level) - 1, 0
        for _ in range(probe):
            health = (too_little + enough) // 2
            too_little, enough = (too_little, health) if health >= self._needs[0, 0] else (health, enough)
        return health

    def numbers(self, count: int) -> NDArray[Any]:
        """(rows, cols) Python integers: what is in memory after so many steps; NOTHING elsewhere."""
        name, first, shown = self._lane.name, 0, np.full(self._level.grid.size, NOTHING, object)
        cells = self.cells[:count]
        if count == 0:
            values: NDArray[Any] = cells
        elif count > self._sweep:
            first = max(self._sweep, count - self._level.grid.shape[1] if name == "wavefront" else 0)
            values = self._needs.ravel()[cells[first:]]
        elif name == "recursive":
            values = np.bincount(cells)[cells]
        elif name == "binary-search":
            first = int(np.searchsorted(self._probes, self._probes[count - 1]))
            values = self._leaving(int(self._probes[count - 1]))[cells[first:]]
        else:
            first = int(np.searchsorted(self._diagonals[:count], self._diagonals[count - 1] - 1))
            values = self._kept[first:count]
        shown[cells[first:]] = values
        return shown.reshape(self._level.grid.shape)

    def meaning(self, count: int) -> str:
        """The quantity that `numbers` holds."""
        return "need" if count > self._sweep else _NUMBERS.get(self._lane.name, "need")

    def text(self, count: int) -> str:
        """A sentence on the last of so many steps; for none, the idea of the algorithm."""
        name = self._lane.name
        if count == 0:
            return f"{name}: {_IDEAS[name]}."
        row, col, work = self._lane.steps[count - 1]
        cell = Cell(row, col)
        if count > self._sweep:
            return f"{name}: {cell.text} needs {formula(self._level, self._needs, cell)}."
        number = self.numbers(count)[cell]
        if name == "recursive":
            return f"{name}: asks {cell.text}" + (f", {often(number)} by now." if number > 1 else ".")
        if name == "binary-search":
            state = f"{number} left after {cell.text}" if number else f"dead at {cell.text}"
            return f"{name}: probe {work.probes}, from {self._tried(work.probes)} health: {state}."
        came = work.visits - (self._lane.steps[count - 2][2].visits if count > 1 else 0)
        return f"{name}: {number} of {came} paths kept at {cell.text}."
