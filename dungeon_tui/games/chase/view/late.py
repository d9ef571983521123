"""The parts that are loaded late, by the thread that asks for them: they bring the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from dungeon_tui.games.chase.model.level import Level


def daily_board(day: date) -> Level:
    """The board of a day, made anew; see ai/daily.py."""
    from dungeon_tui.games.chase.ai.daily import daily_board

    return daily_board(day)
