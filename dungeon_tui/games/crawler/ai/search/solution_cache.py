"""Answers about moments of a game that were found before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape
from dungeon_tui.games.crawler.model.state import State

Key = tuple[int, int, Cell, tuple[int, ...], bytes]
"""Tells moments apart: the level's number, the treasure, the adventurer's cell, the board."""

_MOST_BYTES = 1 << 26


def key_of(state: State) -> Key:
    """The key of a moment, whose board must be nobody else's."""
    tiles = state.board.array()
    return state.number, state.treasure, state.adventurer, tiles.shape, tiles.tobytes()


class SolutionCache:
    """The lines out that were found, moments that are lost, and questions that were asked in vain.

    All of it is forgotten where it becomes too much.
    """

    def __init__(self) -> None:
        self.bytes = 0  # of the boards
        self._lines: dict[tuple[Key, int], tuple[Escape, int]] = {}  # with the moves made since
        self._tries: dict[tuple[Key, int], tuple[Escape, float]] = {}  # not proven lines; with the seconds they took
        self._fates: dict[Key, bool] = {}

    def line(self, key: Key, asked: int) -> Escape | None:
        """The best line from that moment on with so much treasure."""
        found, moves = self._lines.get((key, asked), (None, 0))
        return found.after(moves) if found is not None and moves else found

    def answer(self, key: Key, asked: int) -> tuple[Escape | None, float]:
        """The best answer, and the seconds that were searched for one in vain."""
        line = self.line(key, asked)
        found, seconds = self._tries.get((key, asked), (None, 0.0))
        return (line if found is None else with_line(found, line)), seconds

    def fate(self, key: Key) -> bool | None:
        """True if no line leads out from there; None where that is not known."""
        return self._fates.get(key)

    def keep_line(self, keys: Sequence[Key], found: Escape) -> None:
        """Keeps a line that leads out, with the moments on it from its beginning on, wherever no better one is kept."""
        for made, key in enumerate(keys):
            self.keep_fate(key, False)
            before = self._lines.get((key, found.asked))
            if before is None or _rank(found, made) < _rank(*before):
                self._lines[key, found.asked] = found, made

    def keep_try(self, key: Key, found: Escape, seconds: float) -> None:
        """Keeps what a search came to in so many seconds."""
        self._make_room(len(key[-1]))
        self._tries[key, found.asked] = found, seconds

    def keep_fate(self, key: Key, is_lost: bool) -> None:
        """Keeps whether no line leads out from there."""
        if key not in self._fates:
            self._make_room(len(key[-1]))
            self._fates[key] = is_lost

    def _make_room(self, more: int) -> None:
        if self.bytes > _MOST_BYTES:
            for part in (self._lines, self._tries, self._fates):
                part.clear()
            self.bytes = 0
        self.bytes += more


def with_line(found: Escape, line: Escape | None) -> Escape:
    """An answer, with a line that was found before where that is better: what was known stays known."""
    if line is None or (found.moves is not None and _rank(found, 0) <= _rank(line, 0)):
        return found
    bound = max(found.lower_bound or 0, line.lower_bound or 0)
    return replace(found, commands=line.commands, treasure=line.treasure, lower_bound=bound)


def _rank(found: Escape, made: int) -> tuple[int, int]:
    """The fewer moves the better, then the higher the bound; after so many moves of the line."""
    return (found.moves or 0) - made, made - (found.lower_bound or 0)
