"""Errors in level files, and warnings about their levels."""

import os.path
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import FOUR_WAYS
from dungeon_tui.core.level import FileReport, LevelError, LevelFile, read_level_file
from dungeon_tui.engine import UNREACHED, distance_map
from dungeon_tui.games.crawler.model import level as level_file
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, MONSTER, PILLAR, TREASURE, WAY_OUT

_MOST_LISTED = 10_000  # findings of one kind
_MOST_CELLS = 1 << 24  # limit on the doubled map for computing reachable tiles


@dataclass(frozen=True, eq=False, slots=True)
class Oddity:
    """Something suspicious about a playable level."""

    message: str
    cells: NDArray[np.intp]  # (k,) flat indices of the tiles; empty if it concerns the whole level
    bar: str = ""  # why the level can't be left without treasure from earlier levels; empty if it may be possible


def check_files(paths: Iterable[str]) -> Iterator[tuple[FileReport, level_file.Level | None]]:
    """Yields reports and playable levels; NAMEk.txt is the first or last one without its neighbour in the folder."""
    paths = list(paths)
    for path in paths:
        try:
            file = read_level_file(path, level_file.MOST_BYTES)
        except LevelError as error:
            yield FileReport(path, (error,)), None
            continue
        parsed = level_file.parse_level(file)
        warnings: list[LevelError] = []
        if parsed.level is not None:
            is_preceded, is_followed = has_neighbour(path, -1, paths), has_neighbour(path, 1, paths)
            odd = oddities(parsed.level, is_preceded=is_preceded, is_followed=is_followed)
            warnings = sorted(_located(file, parsed.tiles_at, odd), key=attrgetter("line", "column"))
        yield FileReport(path, parsed.errors, tuple(warnings)), parsed.level


def has_neighbour(path: str, steps: int, paths: Sequence[str] = ()) -> bool:
    """True if the folder of a level NAMEk.txt, or `paths`, has the level numbered k + steps."""
    numbered = re.fullmatch(r"(.*?)([0-9]{1,9})\.txt", Path(path).name)
    if numbered is None or (number := int(numbered[2]) + steps) < 1:
        return False
    neighbour = Path(path).with_name(f"{numbered[1]}{number}.txt")
    return os.path.isfile(neighbour) or any(Path(other) == neighbour for other in paths)


def _located(file: LevelFile, tiles_at: int, found: Iterable[Oddity]) -> Iterator[LevelError]:
    offsets = level_file.tile_offsets(file, tiles_at)
    for oddity in found:
        cells = oddity.cells
        if not cells.size:
            yield LevelError(oddity.message, file.name)
        listed = cells[: _MOST_LISTED + 1]
        for count, (line, column) in enumerate(file.positions(offsets[listed].tolist())):
            more = f"and {cells.size - _MOST_LISTED:,} more: " if count == _MOST_LISTED else ""
            yield LevelError(more + oddity.message, file.name, line, column)


def oddities(level: level_file.Level, *, is_preceded: bool = False, is_followed: bool = False) -> Iterator[Oddity]:
    """Yields the warnings about a level, which may have a level before and after it, kind by kind."""
    tiles = level.tiles
    ways_out = (tiles == DOOR) | (tiles == WAY_OUT)
    if not ways_out.any():
        text = "no way out: the level has neither a door '?' nor a gate '!'"
        yield Oddity(text, np.empty(0, np.intp), "there is no way out")
    if is_followed:
        yield from _odd(tiles == WAY_OUT, "a gate '!' before the last level: the game may end here")
    reached = _reachable(level)
    is_shut = not (ways_out & reached).any()
    yield from _odd(
        ways_out & ~reached,
        "this way out can't be reached: walls or other ways out shut it off",
        "every way out is shut off" if is_shut else "",
    )
    if not is_preceded and not ((tiles == TREASURE) & reached).any():
        which = "you can't reach any" if (tiles == TREASURE).any() else "there is none"
        yield from _odd(
            (tiles == WAY_OUT) & reached,
            "this gate opens only with treasure from an earlier level: you can't reach any in this level",
            "" if ((tiles == DOOR) & reached).any() else f"'!' needs treasure, and {which}",
        )
    yield from _odd((tiles == TREASURE) & ~reached, "this treasure can't be reached")
    monsters = np.zeros(tiles.shape, bool)
    for cell in map(level.start.neighbour, FOUR_WAYS):
        if cell.is_inside(*tiles.shape):
            monsters[cell] = tiles[cell] == MONSTER
    yield from _odd(monsters, "a monster next to the start: it catches you unless you step out of its line")


def _odd(where: NDArray[np.bool_], message: str, bar: str = "") -> Iterator[Oddity]:
    cells = np.flatnonzero(where)
    if cells.size:
        yield Oddity(message, cells, bar)


def _reachable(level: level_file.Level) -> NDArray[np.bool_]:
    """(height, width) bool: True for tiles of which any copy can be stepped on, with the doublings of amulets."""
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
    # A way out is the last step, so only a neighbour of it must be walked on.
    framed = np.pad(walked, 1)
    stepped_on = walked | framed[:-2, 1:-1] | framed[2:, 1:-1] | framed[1:-1, :-2] | framed[1:-1, 2:]
    reached: NDArray[np.bool_] = stepped_on.reshape(-1, height, grown.shape[1] // width, width).any(axis=(0, 2))
    return reached
