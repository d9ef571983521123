"""The inside of a run: the calls of the plain recursion as a tree, the bounds of the binary search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.model.rules import most_health


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the recursion, as a line of its tree."""

    cell: Cell
    depth: int  # 0 for the first call
    is_repeated: bool  # some call asked the same before
    is_open: bool  # it waits for an answer
    folded: int  # calls below it that have no line


class CallTree:
    """The calls of the plain recursion, which asks to the right first: a call's depth is all that places it."""

    def __init__(self, cells: Sequence[tuple[int, int]]) -> None:
        """Takes the cells of the calls, in their order."""
        self._cells = np.array(cells, np.int64).reshape(-1, 2)
        self._depths = self._cells.sum(axis=1)
        self._is_repeated = np.ones(len(self._cells), bool)
        self._is_repeated[np.unique(self._cells, axis=0, return_index=True)[1]] = False

    @property
    def repeated(self) -> int:
        """Number of calls that asked for what was known."""
        return int(self._is_repeated.sum())

    def calls(self, made: int, lines: int) -> list[Call]:
        """The tree after so many calls, depth first; folded below the depth down to which all of it fits the lines."""
        fits = np.cumsum(np.bincount(self._depths, minlength=1)) <= lines
        deepest = max(0, int(fits.argmin() if not fits.all() else len(fits)) - 1)
        places = np.flatnonzero(self._depths[:made] <= deepest)
        below = np.diff(places, append=made) - 1
        least, told = deepest + 1, []
        for place, folded in zip(places[::-1].tolist(), below[::-1].tolist(), strict=True):
            depth = int(self._depths[place])
            is_open = depth < least and made < len(self._depths)
            least = min(least, depth)
            cell = Cell(*self._cells[place].tolist())
            told.append(Call(cell, depth, bool(self._is_repeated[place]), is_open, folded))
        return told[::-1]


@dataclass(frozen=True, slots=True)
class Probe:
    """A health that the binary search tries."""

    low: int  # too little
    mid: int  # halfway
    high: int  # enough
    is_enough: bool


def probes(level: Level, least: int) -> Iterator[Probe]:
    """The healths that the binary search tries where `least` is the answer, in their order."""
    low, high = 0, most_health(level)
    while high - low > 1:
        probe = Probe(low, mid := (low + high) // 2, high, mid >= least)
        yield probe
        low, high = (low, mid) if probe.is_enough else (mid, high)
