"""What has been found out about moments of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler.ai.search.plan import Escape
from dungeon_tui.games.crawler.model.state import State

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

    def line(self, key: Key, asked: int) -> Escape | None:
        """The best line from that moment on with so much treasure that was found."""
        found, moves = self._lines.get((key, asked), (None, 0))
        return found.after(moves) if found is not None and moves else found

    def answer(self, key: Key, asked: int) -> Escape | None:
        """The same, if it is proven that none is shorter."""
        found = self.line(key, asked)
        return found if found is not None and found.is_proven else None

    def fate(self, key: Key) -> bool | None:
        """Whether no line leads out from there, if that is known."""
        return self._fates.get(key)

    def keep_line(self, keys: Sequence[Key], found: Escape) -> None:
        """Keeps a line that leads out, with the moments on it from its beginning on, wherever no better one is kept."""
        for made, key in enumerate(keys):
            self.keep_fate(key, False)
            before = self._lines.get((key, found.asked))
            if before is None or _rank(found, made) < _rank(*before):
                self._lines[key, found.asked] = found, made

    def keep_fate(self, key: Key, is_lost: bool) -> None:
        """Keeps whether no line leads out from there."""
        if self.bytes > _MOST_BYTES:
            self._lines.clear()
            self._fates.clear()
            self.bytes = 0
        if key not in self._fates:
            self._fates[key] = is_lost
            self.bytes += len(key[-1])


def with_line(found: Escape, line: Escape | None) -> Escape:
    """An answer, with a line that was found before where that is better: what was known stays known."""
    if line is None or (found.moves is not None and _rank(found, 0) <= _rank(line, 0)):
        return found
    bound = max(found.lower_bound or 0, line.lower_bound or 0)
    return replace(found, commands=line.commands, treasure=line.treasure, lower_bound=bound)


def _rank(found: Escape, made: int) -> tuple[int, int]:
    """The fewer moves the better, then the higher the bound; after so many moves of the line."""
    return (found.moves or 0) - made, made - (found.lower_bound or 0)
