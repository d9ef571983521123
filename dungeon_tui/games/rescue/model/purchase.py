"""Purchases: the least gold for a rescue in which you buy health and power-ups.

The knight walks in all four directions.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import heappop, heappush
from itertools import count, pairwise
from typing import Any

import numpy as np

from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.core.random import Random
from dungeon_tui.games.rescue.model.level import Grid, Level

FEE = 2  # default price of a power-up
MOST_CELLS = 400
MOST_PATHS = 200_000  # visited by a search
_TRAPS = 45  # percentage of the cells
_MOST_POWER_UPS = 6
_WORTH = 4  # least gold that power-ups save
_MAX_TRIES = 400


@dataclass(frozen=True, slots=True)
class Bargain:
    """The cheapest path to the princess."""

    gold: int  # still to spend
    health: int  # bought before setting out
    path: tuple[Cell, ...]  # from the next cell on


@lru_cache(maxsize=512)
def bargain(
    level: Level,
    cell: Cell | None = None,
    health: int = 0,
    taken: frozenset[Cell] = frozenset(),
    left: int = 0,
    number: int | None = None,
) -> Bargain | None:
    """The cheapest path to the princess from the knight's cell; None if he can't afford to survive.

    A uniform-cost search by gold. Of two paths to a cell with the same power-ups taken, one dominates the other if it
    costs no more gold and leaves no less health. Before the knight sets out (cell None), the search ignores the purse
    and buys health when a path first needs it; the total is the same. `number`: of power-ups to take, if that is given.
    Raises ValueError beyond MOST_PATHS paths.
    """
    # The queue holds gold, negative health, steps, a tie-breaker, cell, power-ups and the linked path.
    rows, cols = level.grid.shape
    values, fee, princess, tie = level.grid.tolist(), level.fee or 0, level.princess, count()
    best: dict[tuple[Cell | None, frozenset[Cell]], int] = {}
    first = (0, -health) if cell is not None else (1, -1)  # he needs 1 health to set out
    queue: list[Any] = [(*first, 0, next(tie), cell, taken, None)]
    for _ in range(MOST_PATHS):
        if not queue:
            return None
        gold, less, steps, _, here, taken, way = heappop(queue)

        # The first path to the princess is the cheapest.
        if here == princess and number in (None, len(taken)):
            path = []
            while way is not None:
                path.append(way[0])
                way = way[1]
            return Bargain(gold, gold - fee * len(taken) if cell is None else 0, tuple(path[::-1]))

        # Drop dominated paths: cheaper ones came first, so only health counts.
        if here == princess or best.get((here, taken), 1) <= less:
            continue
        best[here, taken] = less
        for to in [Cell(0, 0)] if here is None else [here.neighbour(direction) for direction in FOUR_WAYS]:
            if not to.is_inside(rows, cols):
                continue

            # Enter the next cell, and pay for health and power-up.
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
    raise ValueError(f"finding the least gold takes too long: more than {MOST_PATHS:,} paths")


def purchase(level: Level, fee: int, purse: int | None = None) -> Level:
    """The grid as a purchase; the default purse is a fourth above the least gold. Raises ValueError if too large."""
    if level.grid.size > MOST_CELLS:
        raise ValueError(f"a purchase has at most {MOST_CELLS} cells, not {level.grid.size:,}")
    level = replace(level, fee=fee)
    if purse is not None:
        return replace(level, purse=purse)
    least = bargain(level)
    assert least is not None  # with enough health he survives every path
    return replace(level, purse=least.gold + max(2, least.gold // 4))


def bargain_grid(random: Random, rows: int, cols: int) -> Grid:
    """A grid whose cheapest path turns back for a power-up and leaves another. Raises ValueError after _MAX_TRIES."""
    for _ in range(_MAX_TRIES):
        # Draw traps and a few power-ups.
        kinds = (random.words(rows * cols) % np.uint64(100)).astype(np.int32)
        sizes = (random.words(rows * cols) % np.uint64(9)).astype(np.int32) + 1
        cells = np.where(kinds < _TRAPS, -sizes, 0)
        chosen = np.argsort(kinds[:-1], kind="stable")[-max(3, min(_MOST_POWER_UPS, len(kinds) // 5)) :]
        cells[chosen] = sizes[chosen] + FEE

        # Accept it if power-ups save enough gold, and the path turns back.
        level = Level("", cells.reshape(rows, cols), fee=FEE)
        way, plain = bargain(level), bargain(replace(level, grid=np.minimum(level.grid, 0)))
        assert way is not None
        assert plain is not None
        gone = {cell for cell in way.path if level.grid[cell] > 0}
        turns = [step for step in pairwise(way.path) if step[1] < step[0]]
        if 2 <= len(gone) < len(chosen) and turns and way.health > FEE and plain.gold >= way.gold + _WORTH:
            return level.grid
    raise ValueError(f"found no such puzzle of {rows} x {cols} cells in {_MAX_TRIES} tries: try another seed")
