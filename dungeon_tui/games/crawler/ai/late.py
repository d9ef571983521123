"""The parts of the crawler's solvers that the menu does without."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dungeon_tui.games.crawler.ai.challenge import Challenge


def challenge(seed: int, difficulty: str, leave_by: int) -> Challenge:
    """The first generated level for this seed that keeps the promises of a difficulty; see challenge.make."""
    from dungeon_tui.games.crawler.ai.challenge import make

    return make(seed, difficulty, leave_by=leave_by)
