"""Names of strategies, aims and kinds of boards, apart from these: a help page and a share code need no engine."""

from __future__ import annotations

from datetime import date

from dungeon_tui.core.catalogue import YOU

NAMES = {"monster": ("random", "greedy", "bfs", "perfect"), "rogue": ("random", "flee", "cycle", "perfect")}
"""Of each seat."""

TITLES = {
    "random": "random steps",
    "greedy": "straight at the rogue",
    "bfs": "shortest path",
    "flee": "as far away as can be",
    "cycle": "round a loop",
    "perfect": "perfect play",
}
"""The same for people."""

CATCH, SURVIVE, SAFETY = AIMS = ("catch", "survive", "safety")
"""Of tasks."""

KINDS = ("rooms", "pillars", "open")
"""Of boards that seeds make: rooms and corridors; a room of pillars; the open, where both stand close together."""


def seats(monster: str | None, rogue: str | None) -> dict[str, str]:
    """Player of each side: you are the one that is not named, or the rogue; against you the other is bfs or cycle."""
    if rogue is None:
        rogue = "cycle" if monster == YOU else YOU
    if monster is None:
        monster = "bfs" if rogue == YOU else YOU
    return {"monster": monster, "rogue": rogue}


def daily_seed(day: date) -> int:
    """Seed of a day's board: the date's digits.

    >>> daily_seed(date(2026, 11, 21))
    20261121
    """
    return int(f"{day:%Y%m%d}")


def daily_seats(day: date) -> dict[str, str]:
    """Player of each side on the board of a day: you, each side every other day, and one that never errs."""
    is_hunt = day.toordinal() % 2
    return {"monster": YOU, "rogue": "perfect"} if is_hunt else {"monster": "perfect", "rogue": YOU}
