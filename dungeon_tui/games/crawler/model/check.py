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
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.core.text import printable
from dungeon_tui.engine import UNREACHED, distance_map
from dungeon_tui.games.crawler.model.level import (
    AMULET,
    DOOR,
    MONSTER,
    MOST_BYTES,
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
    """Errors and warnings of one file, and the level that it holds."""

    file: str
    errors: tuple[Finding, ...]
    warnings: tuple[Finding, ...]
    level: Level | None = field(default=None, compare=False)  # that it holds, if it can be played

    @property
    def is_ok(self) -> bool:
        """True if the level can be played."""
        return not self.errors

    def values(self) -> dict[str, Any]:
        """The report as `check --json` prints it."""
        return {
            "file": self.file,
            "ok": self.is_ok,
            "errors": [asdict(finding) for finding in self.errors],
            "warnings": [asdict(finding) for finding in self.warnings],
        }

    def lines(self) -> Iterator[str]:
        """Lines of the report: errors and warnings as FILE:LINE:COLUMN, then `ok` if the level can be played."""
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
    for path in paths:
        try:
            file = read_level_file(path, MOST_BYTES)
        except LevelError as error:
            yield FileReport(path, (Finding(error.line, error.column, error.message),), ())
            continue
        parsed = parse_level(file)
        warnings: list[Finding] = []
        if parsed.level is not None:
            is_preceded, is_followed = has_neighbour(path, -1, paths), has_neighbour(path, 1, paths)
            odd = oddities(parsed.level, is_preceded=is_preceded, is_followed=is_followed)
            warnings = sorted(_located(file, parsed.tiles_at, odd), key=attrgetter("line", "column"))
        errors = (Finding(error.line, error.column, error.message) for error in parsed.errors)
        yield FileReport(path, tuple(errors), tuple(warnings), parsed.level)


def has_neighbour(path: str, steps: int, paths: Sequence[str] = ()) -> bool:
    """True if for a level NAMEk.txt there is one whose number is k + steps, beside it or among some paths."""
    numbered = re.fullmatch(r"(.*?)([0-9]{1,9})\.txt", Path(path).name)
    if numbered is None or (number := int(numbered[2]) + steps) < 1:
        return False
    neighbour = Path(path).with_name(f"{numbered[1]}{number}.txt")
    return os.path.isfile(neighbour) or any(Path(other) == neighbour for other in paths)


def _located(file: LevelFile, tiles_at: int, found: Iterable[Oddity]) -> Iterator[Finding]:
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
    """Yields the oddities of a level, kind by kind: none of them keeps it from being played.

    Args:
        level: any.
        is_preceded: there is a level before it, from which one may bring treasure.
        is_followed: there is a next level.
    """
    tiles = level.tiles
    ways_out = (tiles == DOOR) | (tiles == WAY_OUT)
    if not ways_out.any():
        text = "no way out: the level has neither a door '?' nor a way out '!'"
        yield Oddity(text, np.empty(0, np.intp), "there is no way out")
    if is_followed:
        yield from _odd(tiles == WAY_OUT, "a way out '!' before the last level: the game may end here")
    reached = _reachable(level)
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
            "this way out opens only to those who bring treasure, and there is none to be reached here",
            "" if ((tiles == DOOR) & reached).any() else f"'!' needs treasure, and {which}",
        )
    yield from _odd((tiles == TREASURE) & ~reached, "this treasure can't be reached")
    monsters = np.zeros(tiles.shape, bool)
    for cell in map(level.start.neighbour, FOUR_WAYS):
        if cell.is_inside(*tiles.shape):
            monsters[cell] = tiles[cell] == MONSTER
    yield from _odd(monsters, "a monster beside the start: it strikes at once unless you leave its line")


def _odd(where: NDArray[np.bool_], message: str, bar: str = "") -> Iterator[Oddity]:
    cells = np.flatnonzero(where)
    if cells.size:
        yield Oddity(message, cells, bar)


def _reachable(level: Level) -> NDArray[np.bool_]:
    """(height, width) bool: tiles of which a copy can be stepped on, on the map as amulets let it grow."""
    height, width = level.tiles.shape
    grown = level.tiles
    # A way out ends the walk, unless there is a monster that might be led to break it.
    stops = [PILLAR] if (grown == MONSTER).any() else [PILLAR, DOOR, WAY_OUT]
    while True:
        passable = ~np.isin(grown, stops)
        walked = distance_map(passable, np.array([level.start], np.int64), diagonal=False) != UNREACHED
        has_amulet = bool((walked & (grown == AMULET)).any())
        # Two doublings show all: a map that repeats further along looks the same from inside.
        if not has_amulet or grown.shape[0] >= 4 * height or 4 * grown.size > _MOST_CELLS:
            break
        grown = np.tile(grown, (2, 2))
    framed = np.pad(walked, 1)  # a way out is stepped on last, so it needs a neighbour that is walked
    beside = walked | framed[:-2, 1:-1] | framed[2:, 1:-1] | framed[1:-1, :-2] | framed[1:-1, 2:]
    reached: NDArray[np.bool_] = beside.reshape(-1, height, grown.shape[1] // width, width).any(axis=(0, 2))
    return reached
