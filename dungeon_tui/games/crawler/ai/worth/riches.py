"""With how much treasure a level can be left: some line for 1, for 2, 3 ... until it is proven that there is none.

No line needs to be short, so each number takes a search that makes haste (search/level_search.py): it ends with a line
or, where all has been looked at, without any.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dungeon_tui.games.crawler.ai.search.level_search import OutOfMemoryError
from dungeon_tui.games.crawler.ai.search.plan import Stage
from dungeon_tui.games.crawler.ai.search.terrain import Terrain
from dungeon_tui.games.crawler.ai.search.ways import NEVER
from dungeon_tui.games.crawler.model.level import DOOR, MAX_CELLS, WAY_OUT, Level

MEMORY = 2 << 30
"""What the searches may take, in bytes."""

_SLICE = 4096  # states of one search before it is another's turn

Watch = Callable[[int, int], bool]
"""(treasure asked for now, states looked at for it) -> whether to go on."""


@dataclass(frozen=True, slots=True)
class Riches:
    """What is known of the most treasure that a level can be left with."""

    treasure: int  # that much, at least
    is_proven: bool  # no more
    states: int


def most_treasure(level: Level, known: int = 0, *, max_doublings: int, watch: Watch = lambda *_: True) -> Riches:
    """Looks for lines with more and more treasure.

    Args:
        level: what to leave, by a door or by a way out.
        known: that much is possible.
        max_doublings: lines that double the level more often are left out.
        watch: asked now and then whether to go on.

    Cost:
        That of the search for the last number, which is the hardest, and little for the others.
    """
    terrain = Terrain.of(level.tiles, MAX_CELLS)
    stage = Stage.of(terrain, level.tiles, level.start, max_doublings)
    states = 0
    while True:
        can_be, looked_at = _is_enough_there(stage, known + 1, watch)
        states += looked_at
        if not can_be:
            return Riches(known, can_be is False, states)
        known += 1
        stage.searches.clear()


def _is_enough_there(stage: Stage, asked: int, watch: Watch) -> tuple[bool | None, int]:
    """Whether some line leaves with so much treasure, None if that is open; and how many states that took."""
    searches = [stage.search(goal, asked) for goal in (DOOR, WAY_OUT)]
    while True:
        states = sum(search.hasty_states for search in searches)
        if any(search.best < NEVER for search in searches):
            return True, states
        waiting = [search for search in searches if not search.has_hasted]
        if not waiting:
            return (False if all(search.is_proven for search in searches) else None), states
        if not watch(asked, states):
            return None, states
        try:
            for search in waiting:
                search.haste(_SLICE, MEMORY // 2)
        except OutOfMemoryError:
            return None, states
