"""Purchases: the least gold that a rescue takes where health and power-ups are bought, and he walks all four ways."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import heappop, heappush
from itertools import count, pairwise
from typing import Any

import numpy as np

from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.core.random import Random
from dungeon_tui.games.rescue.model.level import Grid, Level

FEE = 2  # for a power-up, unless somebody says otherwise
MOST_CELLS = 400
MOST_WAYS = 200_000  # that a search looks at
_TRAPS = 45  # in a hundred cells
_MOST_POWER_UPS = 6
_WORTH = 4  # gold that power-ups spare at least
_TRIES = 400


@dataclass(frozen=True, slots=True)
class Bargain:
    """The cheapest way on to the princess."""

    gold: int  # that is still to be spent
    health: int  # that is bought of it, before he sets out
    path: tuple[Cell, ...]  # begins with the next cell


@lru_cache(maxsize=512)
def bargain(
    level: Level, cell: Cell | None = None, health: int = 0, taken: frozenset[Cell] = frozenset(), left: int = 0
) -> Bargain | None:
    """The cheapest way on to the princess; None if he dies on all that he can pay.

    A search of the ways by the gold that they take. Of two ways to a cell with the same power-ups taken, the one that
    took no more gold and leaves no less health is as good, whatever follows. Before he sets out health is bought when
    a way first needs it: that takes as much as buying it at once.

    Args:
        level: a purchase.
        cell: of a knight on his way; None: he has still to set out, and what the purse holds is no bound.
        health: his, on his way.
        taken: the cells whose power-ups he has taken.
        left: gold, on his way.

    Raises:
        ValueError: it takes more than MOST_WAYS ways to be sure.

    Cost:
        O(s log s) time for s states: cells, times the sets of power-ups that can be taken.
    """
    rows, cols = level.grid.shape
    values, fee, princess, tie = level.grid.tolist(), level.fee or 0, Cell(rows - 1, cols - 1), count()
    best: dict[tuple[Cell | None, frozenset[Cell]], int] = {}
    first = (0, -health) if cell is not None else (1, -1)  # nobody sets out without health
    queue: list[Any] = [(*first, 0, next(tie), cell, taken, None)]  # gold, less health, steps, ..., the way back
    for _ in range(MOST_WAYS):
        if not queue:
            return None
        gold, less, steps, _, here, taken, way = heappop(queue)
        if here == princess:
            path = []
            while way is not None:
                path.append(way[0])
                way = way[1]
            return Bargain(gold, gold - fee * len(taken) if cell is None else 0, tuple(path[::-1]))
        if best.get((here, taken), 1) <= less:
            continue
        best[here, taken] = less
        for to in [Cell(0, 0)] if here is None else [here.neighbour(direction) for direction in FOUR_WAYS]:
            if not to.is_inside(rows, cols):
                continue
            value, cost = 0 if to in taken else values[to.row][to.col], gold
            after = value - less
            if cell is None and after < 1:
                after, cost = 1, cost + 1 - after
            if value > 0:
                cost += fee
            if after > 0 and (cell is None or cost <= left):
                now_taken = taken | {to} if value > 0 else taken
                if best.get((to, now_taken), 1) > -after:
                    heappush(queue, (cost, -after, steps + 1, next(tie), to, now_taken, (to, way)))
    raise ValueError(f"too many ways to find the least gold: {MOST_WAYS:,} are looked at")


def purchase(level: Level, fee: int) -> Level:
    """A grid as a purchase, its purse a fourth larger than the least gold. Raises ValueError if that can't be found."""
    if level.grid.size > MOST_CELLS:
        raise ValueError(f"a purchase has at most {MOST_CELLS} cells, not {level.grid.size:,}")
    level = replace(level, fee=fee)
    least = bargain(level)
    assert least is not None  # enough health is enough for any way
    return replace(level, purse=least.gold + max(2, least.gold // 4))


def bargain_grid(random: Random, rows: int, cols: int) -> Grid:
    """A grid of small numbers on whose cheapest way he turns back for a power-up, and leaves another one untouched.

    Raises:
        ValueError: none was found in _TRIES tries.
    """
    for _ in range(_TRIES):
        kinds = (random.words(rows * cols) % np.uint64(100)).astype(np.int32)
        sizes = (random.words(rows * cols) % np.uint64(9)).astype(np.int32) + 1
        cells = np.where(kinds < _TRAPS, -sizes, 0)
        places = np.argsort(kinds[:-1], kind="stable")[-max(3, min(_MOST_POWER_UPS, len(kinds) // 5)) :]
        cells[places] = sizes[places] + FEE
        level = Level("", cells.reshape(rows, cols), fee=FEE)
        way, plain = bargain(level), bargain(replace(level, grid=np.minimum(level.grid, 0)))
        assert way is not None
        assert plain is not None
        gone = {cell for cell in way.path if level.grid[cell] > 0}
        turns = [step for step in pairwise(way.path) if step[1] < step[0]]
        if 2 <= len(gone) < len(places) and turns and way.health > FEE and plain.gold >= way.gold + _WORTH:
            return level.grid
    raise ValueError(f"no such puzzle of {rows} x {cols} cells was found in {_TRIES} tries: take another seed")
