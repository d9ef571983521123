"""What is wrong with a level file, and what is odd about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import FOUR_WAYS
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.engine import UNREACHED, distance_map
from dungeon_tui.games.crawler.dungeon import is_file, level_path
from dungeon_tui.games.crawler.level import (
    AMULET,
    DOOR,
    MONSTER,
    PILLAR,
    TREASURE,
    WAY_OUT,
    Level,
    parse_level,
    tile_offsets,
)

_MOST_LISTED = 10_000  # findings of one kind
_MOST_CELLS = 1 << 24  # of a doubled map that is looked through


@dataclass(frozen=True, slots=True)
class Finding:
    """Something at a place in a file; line and column from 1."""

    line: int
    column: int
    message: str


@dataclass(frozen=True, slots=True)
class FileReport:
    """All there is to say about one file."""

    file: str
    errors: tuple[Finding, ...]
    warnings: tuple[Finding, ...]

    @property
    def is_ok(self) -> bool:
        """Whether the level can be played."""
        return not self.errors


def check_files(paths: Iterable[str]) -> list[FileReport]:
    """Checks level files, each by itself; `-` is standard input.

    A level NAMEk.txt counts as the last one unless there is a next one, beside it or among the files given.
    """
    paths = list(paths)
    return [_check(path, _has_next(path, paths)) for path in paths]


def _check(path: str, has_next: bool) -> FileReport:
    try:
        file = read_level_file(path)
    except LevelError as error:
        return FileReport(path, (_finding(error),), ())
    parsed = parse_level(file)
    warnings: tuple[Finding, ...] = ()
    if parsed.level is not None:
        oddities = _Oddities(file, parsed.tiles_at, parsed.level, has_next).all()
        warnings = tuple(sorted(oddities, key=attrgetter("line", "column")))
    return FileReport(path, tuple(_finding(error) for error in parsed.errors), warnings)


def _finding(error: LevelError) -> Finding:
    return Finding(error.line, error.column, error.message)


def _has_next(path: str, paths: list[str]) -> bool:
    numbered = re.fullmatch(r"(.*?)([0-9]{1,9})\.txt", Path(path).name)
    if numbered is None:
        return False
    following = level_path(Path(path).with_name(numbered[1] or "_"), int(numbered[2]) + 1)
    if not numbered[1]:
        following = Path(path).with_name(f"{int(numbered[2]) + 1}.txt")
    return is_file(following) or any(Path(other) == following for other in paths)


class _Oddities:
    """Looks at one level that can be played."""

    def __init__(self, file: LevelFile, tiles_at: int, level: Level, has_next: bool) -> None:
        self.file, self.level, self.has_next = file, level, has_next
        self.offsets = tile_offsets(file, tiles_at)
        self.tiles = level.tiles

    def all(self) -> Iterator[Finding]:
        ways_out = (self.tiles == DOOR) | (self.tiles == WAY_OUT)
        if not ways_out.any():
            yield Finding(1, 1, "no way out: the level has neither a door '?' nor a way out '!'")
        if self.has_next:
            yield from self._at(self.tiles == WAY_OUT, "a way out '!' before the last level: the game may end here")
        walked = self._reachable()
        beside = walked.copy()  # a way out is stepped on last, so it needs a neighbour that is walked
        beside[1:] |= walked[:-1]
        beside[:-1] |= walked[1:]
        beside[:, 1:] |= walked[:, :-1]
        beside[:, :-1] |= walked[:, 1:]
        height, width = self.tiles.shape
        reached = np.zeros((height, width), bool)
        for row in range(0, walked.shape[0], height):
            for col in range(0, walked.shape[1], width):
                reached |= beside[row : row + height, col : col + width]
        yield from self._at(ways_out & ~reached, "this way out can't be reached: pillars or other ways out shut it off")
        yield from self._at((self.tiles == TREASURE) & ~reached, "this treasure can't be reached")
        monsters = np.zeros((height, width), bool)
        for direction in FOUR_WAYS:
            cell = self.level.start.neighbour(direction)
            if cell.is_inside(height, width):
                monsters[cell] = self.tiles[cell] == MONSTER
        yield from self._at(monsters, "a monster beside the start: it takes at once whoever stays in its line")

    def _reachable(self) -> NDArray[np.bool_]:
        """(n * height, n * width) bool: where the adventurer may come to walk, on the map as amulets let it grow."""
        height = self.tiles.shape[0]
        grown = self.tiles
        # A way out ends the walk, unless there is a monster that might be led to break it.
        stops = [PILLAR] if (self.tiles == MONSTER).any() else [PILLAR, DOOR, WAY_OUT]
        while True:
            passable = ~np.isin(grown, stops)
            goals = np.array([self.level.start], np.int64)
            walked: NDArray[np.bool_] = distance_map(passable, goals, diagonal=False) != UNREACHED
            has_amulet = bool((walked & (grown == AMULET)).any())
            # Two doublings show all: a map that repeats further along looks the same from inside.
            if not has_amulet or grown.shape[0] >= 4 * height or 4 * grown.size > _MOST_CELLS:
                return walked
            grown = np.tile(grown, (2, 2))

    def _at(self, where: NDArray[np.bool_], message: str) -> Iterator[Finding]:
        indices = np.flatnonzero(where)
        for index in indices[:_MOST_LISTED]:
            yield Finding(*self.file.position(int(self.offsets[index])), message)
        if indices.size > _MOST_LISTED:
            line, column = self.file.position(int(self.offsets[indices[_MOST_LISTED]]))
            yield Finding(line, column, f"and {indices.size - _MOST_LISTED:,} more: {message}")
