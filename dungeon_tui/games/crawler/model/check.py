"""Errors of a level file, and oddities of its level."""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import FOUR_WAYS
from dungeon_tui.core.level import LevelError, LevelFile, printable, read_level_file
from dungeon_tui.engine import UNREACHED, distance_map
from dungeon_tui.games.crawler.model.level import (
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


@dataclass(frozen=True, eq=False, slots=True)
class Oddity:
    """Something that is odd about a level that can be played."""

    message: str
    cells: NDArray[np.intp]  # (k,) flat indices of the tiles; none where it is about all of the level
    bar: str = ""  # why nobody leaves who comes with nothing; empty: somebody may


@dataclass(frozen=True, slots=True)
class FileReport:
    """All there is to say about one file."""

    file: str
    errors: tuple[Finding, ...]
    warnings: tuple[Finding, ...]
    level: Level | None = field(default=None, compare=False)  # that it holds, if it can be played

    @property
    def is_ok(self) -> bool:
        """True if the level can be played."""
        return not self.errors

    def values(self) -> dict[str, Any]:
        """The report by names."""
        return {
            "file": self.file,
            "ok": self.is_ok,
            "errors": [asdict(finding) for finding in self.errors],
            "warnings": [asdict(finding) for finding in self.warnings],
        }

    def lines(self) -> Iterator[str]:
        """The report in words."""
        name = printable(self.file)
        for kind, findings in (("error", self.errors), ("warning", self.warnings)):
            for finding in findings:
                yield f"{name}:{finding.line}:{finding.column}: {kind}: {finding.message}"
        if self.is_ok:
            yield f"{name}: ok" + (", but odd" if self.warnings else "")


def check_files(paths: Iterable[str]) -> Iterator[FileReport]:
    """Checks level files, each by itself, when its report is asked for; `-` is standard input.

    A level NAMEk.txt counts as the first or the last one unless there is one before or after it, beside it or among
    the files given.
    """
    paths = list(paths)
    return (_check(path, has_previous(path, paths), has_next(path, paths)) for path in paths)


def _check(path: str, is_preceded: bool, is_followed: bool) -> FileReport:
    try:
        file = read_level_file(path)
    except LevelError as error:
        return FileReport(path, (_finding(error),), ())
    parsed = parse_level(file)
    warnings: tuple[Finding, ...] = ()
    if parsed.level is not None:
        found = _located(
            file, parsed.tiles_at, oddities(parsed.level, is_preceded=is_preceded, is_followed=is_followed)
        )
        warnings = tuple(sorted(found, key=attrgetter("line", "column")))
    return FileReport(path, tuple(_finding(error) for error in parsed.errors), warnings, parsed.level)


def _finding(error: LevelError) -> Finding:
    return Finding(error.line, error.column, error.message)


def has_next(path: str, paths: Sequence[str] = ()) -> bool:
    """True if a level NAMEk.txt is followed by another one, beside it or among some paths."""
    return _has_neighbour(path, 1, paths)


def has_previous(path: str, paths: Sequence[str] = ()) -> bool:
    """True if another level comes before a level NAMEk.txt, beside it or among some paths."""
    return _has_neighbour(path, -1, paths)


def _has_neighbour(path: str, steps: int, paths: Sequence[str]) -> bool:
    numbered = re.fullmatch(r"(.*?)([0-9]{1,9})\.txt", Path(path).name)
    if numbered is None or (number := int(numbered[2]) + steps) < 1:
        return False
    neighbour = Path(path).with_name(f"{numbered[1]}{number}.txt")
    return os.path.isfile(neighbour) or any(Path(other) == neighbour for other in paths)


def _located(file: LevelFile, tiles_at: int, found: Iterable[Oddity]) -> Iterator[Finding]:
    """Oddities with their places in the file."""
    offsets = tile_offsets(file, tiles_at)
    for oddity in found:
        places = oddity.cells
        if not places.size:
            yield Finding(1, 1, oddity.message)
        listed = places[: _MOST_LISTED + 1]
        for count, (line, column) in enumerate(file.positions(offsets[listed].tolist())):
            more = f"and {places.size - _MOST_LISTED:,} more: " if count == _MOST_LISTED else ""
            yield Finding(line, column, more + oddity.message)


def oddities(level: Level, *, is_preceded: bool = False, is_followed: bool = False) -> Iterator[Oddity]:
    """Oddities of a level, kind by kind.

    Args:
        level: any.
        is_preceded: there is a level before it, from which one may bring treasure.
        is_followed: there is a next level.
    """
    tiles = level.tiles
    height, width = tiles.shape
    ways_out = (tiles == DOOR) | (tiles == WAY_OUT)
    if not ways_out.any():
        nowhere = np.empty(0, np.intp)
        text = "no way out: the level has neither a door '?' nor a way out '!'"
        yield Oddity(text, nowhere, "there is no way out")
    if is_followed:
        yield from _odd(tiles == WAY_OUT, "a way out '!' before the last level: the game may end here")
    walked = _reachable(level)
    beside = walked.copy()  # a way out is stepped on last, so it needs a neighbour that is walked
    beside[1:] |= walked[:-1]
    beside[:-1] |= walked[1:]
    beside[:, 1:] |= walked[:, :-1]
    beside[:, :-1] |= walked[:, 1:]
    reached = np.zeros((height, width), bool)
    for row in range(0, walked.shape[0], height):
        for col in range(0, walked.shape[1], width):
            reached |= beside[row : row + height, col : col + width]
    is_shut = not (ways_out & reached).any()
    yield from _odd(
        ways_out & ~reached,
        "this way out can't be reached: pillars or other ways out shut it off",
        "every way out is shut off" if is_shut else "",
    )
    if not is_preceded and not ((tiles == TREASURE) & reached).any():
        which = "none can be reached" if (tiles == TREASURE).any() else "there is none"
        yield from _odd(
            (tiles == WAY_OUT) & reached,
            "this way out opens only for who brings treasure: the level holds none that can be reached",
            "" if ((tiles == DOOR) & reached).any() else f"'!' needs treasure, and {which}",
        )
    yield from _odd((tiles == TREASURE) & ~reached, "this treasure can't be reached")
    monsters = np.zeros((height, width), bool)
    for direction in FOUR_WAYS:
        cell = level.start.neighbour(direction)
        if cell.is_inside(height, width):
            monsters[cell] = tiles[cell] == MONSTER
    yield from _odd(monsters, "a monster beside the start: it takes at once whoever stays in its line")


def _odd(where: NDArray[np.bool_], message: str, bar: str = "") -> Iterator[Oddity]:
    cells = np.flatnonzero(where)
    if cells.size:
        yield Oddity(message, cells, bar)


def _reachable(level: Level) -> NDArray[np.bool_]:
    """(n * height, n * width) bool: where the adventurer may come to walk, on the map as amulets let it grow."""
    height = level.tiles.shape[0]
    grown = level.tiles
    # A way out ends the walk, unless there is a monster that might be led to break it.
    stops = [PILLAR] if (grown == MONSTER).any() else [PILLAR, DOOR, WAY_OUT]
    while True:
        passable = ~np.isin(grown, stops)
        goals = np.array([level.start], np.int64)
        walked: NDArray[np.bool_] = distance_map(passable, goals, diagonal=False) != UNREACHED
        has_amulet = bool((walked & (grown == AMULET)).any())
        # Two doublings show all: a map that repeats further along looks the same from inside.
        if not has_amulet or grown.shape[0] >= 4 * height or 4 * grown.size > _MOST_CELLS:
            return walked
        grown = np.tile(grown, (2, 2))
