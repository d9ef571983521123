"""Par, the fewest moves out of a dungeon: its file and its wording.

Par of caves1.txt, caves2.txt ... is in caves.par.jsonl in the same folder; docs/games/crawler.md has the format.
A file for other rules or changed levels is ignored. par_search.py computes par.
"""

import hashlib
import json
import os.path
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from operator import attrgetter
from pathlib import Path

from dungeon_tui.core.adventure import treasures
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.core.recording import JsonLine, json_lines
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon, find_prefix, replayed_limit
from dungeon_tui.games.crawler.model.level import Level, level_text
from dungeon_tui.games.crawler.model.state import Action, State

FORMAT = "dungeon-tui par"
FORMAT_VERSION = 2
MOST_BYTES = 2**20  # of a par file
_BY_TREASURE = attrgetter("treasure")
_MORE = {True: "impossible", False: "unknown"}  # is there a line with more treasure than the last point has?


@dataclass(frozen=True, slots=True)
class Point:
    """The best known line out with at least some amount of treasure."""

    treasure: int  # at the end of the line
    moves: int
    bound: int  # lower bound for every line with more treasure than the previous point
    states: int  # visited so far
    commands: tuple[str, ...]  # a string for each level that the line enters

    @property
    def is_proven(self) -> bool:
        """True if no line is shorter."""
        return self.bound == self.moves


@dataclass(frozen=True, slots=True)
class Par:
    """The fewest moves for growing amounts of treasure."""

    sha256: str = ""  # of the levels' texts, as in recordings
    points: tuple[Point, ...] = ()  # both treasure and moves grow
    is_all: bool = False  # True if proven that no line carries out more; False if the search stopped early

    def at(self, treasure: int) -> Point | None:
        """The first point with at least this much treasure, or None."""
        index = bisect_left(self.points, treasure, key=_BY_TREASURE)
        return self.points[index] if index < len(self.points) else None


@dataclass(frozen=True, slots=True)
class StoredPar:
    """Par of a dungeon from its file."""

    par: Par | None = None
    warning: str = ""  # the error in the file


def par_path(prefix: str) -> Path:
    """Path of the par file for the levels with a prefix."""
    return Path(f"{prefix}.par.jsonl" if os.path.basename(prefix) else f"{prefix}par.jsonl")


@lru_cache(maxsize=4)
def par_of(dungeon: Dungeon) -> StoredPar:
    """Par from the dungeon's file, cached, if no level has changed; empty without one; a bad one is a warning."""
    path = par_path(find_prefix(dungeon.name) if dungeon.prefix is None else dungeon.prefix)
    if not os.path.isfile(path) or dungeon.cell_limit < replayed_limit(dungeon.levels):
        return StoredPar()
    try:
        par = read_par(read_level_file(path, MOST_BYTES))
    except LevelError as error:
        return StoredPar(warning=str(error))
    return StoredPar(par if par is not None and par.sha256 == levels_hash(dungeon.levels) else None)


def levels_hash(levels: Iterable[Level]) -> str:
    """SHA-256 over the texts of levels in hexadecimal, as in recordings."""
    return hashlib.sha256("".join(map(level_text, levels)).encode("ascii")).hexdigest()


def par_text(par: Par) -> str:
    """Text of a par file: one JSON object a line, a header, then the points."""
    header = {"format": FORMAT, "version": FORMAT_VERSION, "rules": rules.VERSION}
    lines = [header | {"sha256": par.sha256, "more": _MORE[par.is_all]}, *map(asdict, par.points)]
    return "".join(json.dumps(line) + "\n" for line in lines)


def read_par(file: LevelFile) -> Par | None:
    """Parses what `par_text` wrote, up to a truncated line; None for other rules. Raises LevelError if malformed."""
    file.refuse_what_is_not_text()
    lines = json_lines(file)
    header = next(lines, None)
    if header is None or header.get("format", str) != FORMAT:
        raise LevelError(f'not a par file: the first line must be a JSON object with the format "{FORMAT}"', file.name)
    if header.get("version", int) != FORMAT_VERSION:
        raise header.error(f"version {header.get('version', int)} of par files is not supported, only {FORMAT_VERSION}")
    if header.get("rules", int) != rules.VERSION:
        return None
    points: tuple[Point, ...] = ()
    for line in lines:
        points = (*points, _read_point(line, points))
    return Par(header.get("sha256", str), points, header.get("more", str) == _MORE[True])


def _read_point(line: JsonLine, before: Sequence[Point]) -> Point:
    commands = tuple(line.get("commands", list))
    if not all(isinstance(text, str) for text in commands):
        raise line.error('"commands" must be strings, one for each level')
    treasure, moves, bound, states = (line.get(key, int) for key in ("treasure", "moves", "bound", "states"))
    point = Point(treasure, moves, bound, states, commands)
    is_sound = min(point.treasure, point.states) >= 0 and 0 <= point.bound <= point.moves == sum(map(len, commands))
    if not is_sound or (before and (point.treasure <= before[-1].treasure or point.moves <= before[-1].moves)):
        raise line.error("the numbers contradict the commands, each other, or the line before")
    return point


def point_text(point: Point) -> str:
    """A point in words: moves, and treasure if there is any.

    >>> point_text(Point(2, 23, 23, 100, ())), point_text(Point(0, 9, 7, 100, ()))
    ('23 moves with 2 treasures', '9 moves so far, 7 at least')
    """
    treasure = f" with {counted(point.treasure, 'treasure')}" if point.treasure else ""
    known = "" if point.is_proven else f" so far, {point.bound:,} at least"
    return f"{counted(point.moves, 'move')}{treasure}{known}"


def curve_rows(par: Par | None, treasure: int, aim: int = 1) -> list[tuple[str, str]]:
    """Rows of the side panel: the fewest moves for this treasure and for more; this and the aim are marked.

    >>> curve_rows(Par("", (Point(1, 23, 23, 9, ()), Point(2, 25, 24, 9, ())), False), 2)
    [('Par of the whole dungeon', ''), ('2 treasures ', '25 at most < you')]
    """
    if par is None or (yours := point_for(par, treasure)) is None:
        return []
    rows = [("Par of the whole dungeon", "")]
    for point in par.points[par.points.index(yours) :]:
        moves = counted(point.moves, "move") if point.is_proven else f"{point.moves:,} at most"
        mark = " < aim" * (aim >= max(1, treasure) and point == par.at(aim)) or " < you" * (point.treasure == treasure)
        rows.append((counted(point.treasure, "treasure").ljust(12), f"{moves}{mark}"))
    return rows


def level_start(turn: Turn[State, Action]) -> State:
    """The state at the start of the level of a turn."""
    while turn.parent is not None and turn.parent.state.number == turn.state.number:
        turn = turn.parent
    return turn.state


def point_for(par: Par | None, treasure: int) -> Point | None:
    """The first point with this much treasure, else the last point; None without points."""
    return None if par is None or not par.points else par.at(treasure) or par.points[-1]


def proven(par: Par | None, treasure: int) -> Point | None:
    """The proven best line with at least this much treasure; None if unknown."""
    point = None if par is None else par.at(treasure)
    return point if point is not None and point.is_proven else None


def level_text_of(par: int, treasure: int, start: State, end: State) -> str:
    """Sentence on a level that was left: its moves and par's, if known, with the treasure of each if it differs."""
    text, haul = f"Level {start.number}: {counted(end.moves - start.moves, 'move')}", end.treasure - start.treasure
    its = treasure - start.treasure
    if (its, par) == (haul, end.moves - start.moves):
        return f"{text}, at par!"
    mine, other = (f" with {treasures(haul)}", f" with {its:,}") if its != haul else ("", "")
    return f"{text}{mine}, par {par:,}{other}." if par else f"{text}."


def result_text(par: Par | None, treasure: int, moves: int) -> str:
    """A way out compared with par, as the end of a sentence; empty if par is unknown.

    >>> par = Par("", (Point(1, 23, 23, 100, ()), Point(3, 30, 25, 900, ())), False)
    >>> result_text(par, 1, 23), result_text(par, 1, 25)
    (': at par, nothing is shorter', ': 2 over par (23)')
    >>> result_text(par, 3, 28)
    ': the best known is 30; at least 25 are needed'
    """
    if par is None or (point := par.at(treasure)) is None:
        return f": par is known for up to {treasures(par.points[-1].treasure)} only" if par and par.points else ""
    if not point.is_proven:
        return f": the best known is {point.moves:,}; at least {point.bound:,} are needed"
    if moves > point.moves:
        return f": {moves - point.moves:,} over par ({point.moves:,})"
    return f": at par, {f'but {point.treasure:,} are possible' if point.treasure > treasure else 'nothing is shorter'}"
