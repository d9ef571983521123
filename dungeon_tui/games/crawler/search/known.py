"""What has been found out about moments of a game."""

from __future__ import annotations

from collections.abc import Sequence

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler.search.plan import Escape
from dungeon_tui.games.crawler.state import State

Key = tuple[int, int, Cell, tuple[int, ...], bytes]
"""What tells moments apart: the level's number, the treasure, the adventurer's cell, the board."""

_MOST_BYTES = 1 << 26


def key_of(state: State) -> Key:
    """The key of a moment, whose board must be nobody else's."""
    tiles = state.board.array()
    return state.number, state.treasure, state.adventurer, tiles.shape, tiles.tobytes()


class Known:
    """The lines out that were found, and what is lost; all of it is forgotten where it becomes too much."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self.bytes = 0  # of the boards
        self._lines: dict[tuple[Key, int], tuple[Escape, int]] = {}  # with the moves made since
        self._fates: dict[Key, bool] = {}

    def answer(self, key: Key, asked: int) -> Escape | None:
        """A proven line from that moment on with so much treasure."""
        found, moves = self._lines.get((key, asked), (None, 0))
        return found.after(moves) if found is not None and moves else found

    def fate(self, key: Key) -> bool | None:
        """Whether no line leads out from there, if that is known."""
        return self._fates.get(key)

    def keep_line(self, keys: Sequence[Key], found: Escape) -> None:
        """Keeps a line that leads out, with the moments on it from its beginning on."""
        for moves, key in enumerate(keys):
            self.keep_fate(key, False)
            if found.is_proven:
                self._lines[key, found.asked] = found, moves

    def keep_fate(self, key: Key, is_lost: bool) -> None:
        """Keeps whether no line leads out from there."""
        if self.bytes > _MOST_BYTES:
            self._lines.clear()
            self._fates.clear()
            self.bytes = 0
        if key not in self._fates:
            self._fates[key] = is_lost
            self.bytes += len(key[-1])
