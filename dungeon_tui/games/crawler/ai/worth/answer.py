"""The solver's answer about a dungeon, as JSON and in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape
from dungeon_tui.games.crawler.ai.worth.certificate import left_out

_WHY = {"time": "the time is over", "memory": "the memory is full", "size": "a level is too large"}


def values(found: Escape) -> dict[str, Any]:
    """The answer by names."""
    is_found = found.moves is not None
    return {
        "moves": found.moves,
        "treasure": found.treasure if is_found else None,
        "commands": list(found.commands) if is_found else None,
        "proven_minimal": found.is_proven,
        "lower_bound": found.lower_bound,
        "frontier": [{"treasure": treasure, "moves": moves} for treasure, moves in _pareto_front(found)],
    }


def lines(found: Escape, max_doublings: int | None) -> Iterator[str]:
    """The answer in words."""
    asked = counted(found.asked, "treasure")
    reason = _WHY.get(found.ended, "the search was stopped")
    if found.moves is not None:
        least = f"; none takes fewer than {found.lower_bound:,}" if found.lower_bound else ""
        proven = ", and no line is shorter." if found.is_proven else f"{least}. Not proven: {reason}."
        yield f"Out with {counted(found.treasure, 'treasure')} in {counted(found.moves, 'move')}{proven}"
        for number, letters in enumerate(found.commands, 1):
            yield f"Level {number}: {letters}"
    elif found.is_proven:
        yield f"No line leads out with {asked}: that is proven."
    else:
        least = f" If there is one, it takes at least {counted(found.lower_bound or 0, 'move')}."
        yield f"{capitalised(reason)}: no line out with {asked} has been found.{least if found.lower_bound else ''}"
    if max_doublings is not None:
        yield left_out(max_doublings, "a level")
    for treasure, moves in _pareto_front(found):
        yield f"Fewest moves with {counted(treasure, 'treasure')}: {moves:,}"


def _pareto_front(found: Escape) -> list[tuple[int, int]]:
    """(treasure, fewest moves), all that is proven: the answer, too, where the search left less treasure open."""
    is_point = found.moves is not None and found.is_proven
    return sorted({*found.pareto_front, (found.asked, found.moves or 0)} if is_point else found.pareto_front)
