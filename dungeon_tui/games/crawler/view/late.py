"""The parts that are loaded late, by the thread that asks for them: they bring the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from dungeon_tui.games.crawler.ai.par_search import ParetoFront
    from dungeon_tui.games.crawler.ai.solver import Planner
    from dungeon_tui.games.crawler.model.dungeon import Dungeon

_MEMORY = 1 << 30  # bytes for a frontier


def is_solver_compiled() -> bool:
    """True if an earlier start has compiled the solver."""
    from dungeon_tui.games.crawler.ai import solver

    return solver.is_prepared()


def planner(dungeon: Dungeon) -> Planner:
    """The planner of a dungeon; compiles the solver first if need be, so that no time limit counts that."""
    from dungeon_tui.games.crawler.ai import solver
    from dungeon_tui.games.crawler.ai.solver import Planner

    solver.prepare()
    return Planner(dungeon)


def frontier(dungeon: Dungeon) -> ParetoFront:
    """A search for the fewest moves out of a dungeon with ever more treasure, not begun yet."""
    from dungeon_tui.games.crawler.ai.par_search import ParetoFront
    from dungeon_tui.games.crawler.model import rules

    return ParetoFront(rules.start(dungeon), dungeon.is_left_by_door, memory=_MEMORY)


def daily_dungeon(day: date, cell_limit: int) -> Dungeon:
    """The dungeon of a day, made anew; see ai/daily.py."""
    from dungeon_tui.games.crawler.ai.daily import daily_dungeon

    return daily_dungeon(day, cell_limit)


def made(seed: int, difficulty: str, rows: int | None, cols: int | None, amulet: str) -> Dungeon:
    """A dungeon of one level of a difficulty; see challenge.make."""
    from dungeon_tui.games.crawler.ai import solver
    from dungeon_tui.games.crawler.ai.challenge import make
    from dungeon_tui.games.crawler.model.dungeon import alone

    solver.prepare()
    return alone(make(seed, difficulty, size=(rows, cols), amulet=amulet).level)
