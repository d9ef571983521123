"""Par, the fewest moves out of a dungeon and out of each of its levels: its file and its wording.

Par of caves1.txt, caves2.txt ... is in caves.par.jsonl in the same folder; docs/games/crawler.md has the format.
Entries for other rules or changed levels are ignored. par_search.py computes par.
"""

import hashlib
import json
import os.path
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from pathlib import Path

from dungeon_tui.core.adventure import treasures
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.core.recording import JsonLine, json_lines
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon, find_prefix, replayed_limit
from dungeon_tui.games.crawler.model.level import WAY_OUT, Level, level_text
from dungeon_tui.games.crawler.model.state import Action, State, Status

FORMAT = "dungeon-tui par"
FORMAT_VERSION = 1
MOST_BYTES = 2**20  # of a par file
_BY_TREASURE = attrgetter("treasure")
_MOST_SHOWN = 4  # points of the curve
_MORE = {True: "impossible", False: "unknown"}  # is there a line with more treasure than the last point has?


@dataclass(frozen=True, slots=True)
class Point:
    """The best known line out with at least some amount of treasure."""

    treasure: int  # at the end of the line; in a level: taken there
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

    sha256: str = ""  # of the level's text; for a dungeon over all of them, as in recordings
    points: tuple[Point, ...] = ()  # both treasure and moves grow
    is_all: bool = False  # True if proven that no line carries out more; False if the search stopped early

    def at(self, treasure: int) -> Point | None:
        """The first point with at least this much treasure, or None."""
        index = bisect_left(self.points, treasure, key=_BY_TREASURE)
        return self.points[index] if index < len(self.points) else None


@dataclass(frozen=True, slots=True)
class DungeonPar:
    """Par of a dungeon and its levels; from the second level on for an adventurer who brings treasure."""

    dungeon: Par | None = None
    levels: tuple[Par | None, ...] = ()
    warning: str = ""  # the error in the file

    def level(self, number: int) -> Par | None:
        """Par of a level, counted from 1, or None."""
        return self.levels[number - 1] if number <= len(self.levels) else None


def par_path(prefix: str) -> Path:
    """Path of the par file for the levels with a prefix."""
    return Path(f"{prefix}.par.jsonl" if os.path.basename(prefix) else f"{prefix}par.jsonl")


@lru_cache(maxsize=4)
def par_of(dungeon: Dungeon) -> DungeonPar:
    """Par from the dungeon's par file, cached, of unchanged levels; empty without a file; a bad one is a warning."""
    path = par_path(find_prefix(dungeon.name) if dungeon.prefix is None else dungeon.prefix)
    if not os.path.isfile(path) or dungeon.cell_limit < replayed_limit(dungeon.levels):
        return DungeonPar()
    try:
        stored = read_par(read_level_file(path, MOST_BYTES))
    except LevelError as error:
        return DungeonPar(warning=str(error))
    hashes = [levels_hash([level]) for level in dungeon.levels]
    levels = zip(stored.levels, hashes, strict=False)
    whole = stored.dungeon
    return DungeonPar(
        whole if whole is not None and whole.sha256 == levels_hash(dungeon.levels) else None,
        tuple(par if par is not None and par.sha256 == sha256 else None for par, sha256 in levels),
    )


def levels_hash(levels: Iterable[Level]) -> str:
    """SHA-256 over the texts of levels in hexadecimal, as in recordings."""
    return hashlib.sha256("".join(map(level_text, levels)).encode("ascii")).hexdigest()


def par_text(parts: Iterable[Par]) -> str:
    """Text of a par file: one JSON object a line, a header, then the dungeon and each level, each with its points."""
    lines: list[dict[str, object]] = [{"format": FORMAT, "version": FORMAT_VERSION, "rules": rules.VERSION}]
    for number, part in enumerate(parts):
        lines.append({"par": _part_name(number), "sha256": part.sha256, "more": _MORE[part.is_all]})
        lines += [asdict(point) for point in part.points]
    return "".join(json.dumps(line) + "\n" for line in lines)


def read_par(file: LevelFile) -> DungeonPar:
    """Parses what `par_text` wrote, up to a truncated line; empty for other rules. Raises LevelError if malformed."""
    file.refuse_what_is_not_text()
    lines = json_lines(file)
    header = next(lines, None)
    if header is None or header.get("format", str) != FORMAT:
        raise LevelError(f'not a par file: the first line must be a JSON object with the format "{FORMAT}"', file.name)
    if header.get("version", int) != FORMAT_VERSION:
        raise header.error(f"version {header.get('version', int)} of par files is not supported, only {FORMAT_VERSION}")
    if header.get("rules", int) != rules.VERSION:
        return DungeonPar()
    parts: list[Par] = []
    for line in lines:
        if parts and "par" not in line.values:
            points = parts[-1].points
            parts[-1] = replace(parts[-1], points=(*points, _read_point(line, points)))
            continue
        if line.get("par", str) != _part_name(len(parts)):
            raise line.error(f'expected the par of "{_part_name(len(parts))}"')
        parts.append(Par(line.get("sha256", str), (), line.get("more", str) == _MORE[True]))
    return DungeonPar(parts[0], tuple(parts[1:])) if parts else DungeonPar()


def _part_name(number: int) -> str:
    return f"level {number}" if number else "dungeon"


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


def level_par(turn: Turn[State, Action]) -> tuple[Par | None, int]:
    """Par of this level, None if it is the dungeon's only one, and the treasure taken in it, or needed to get out."""
    state, start = turn.state, level_start(turn)
    par = par_of(state.dungeon)
    level = None if par.dungeon and len(par.levels) == 1 else par.level(state.number)
    if level is None:
        return None, state.treasure
    is_shut = start.treasure == 0 and WAY_OUT in state.dungeon.levels[state.number - 1].tiles
    return level, max(state.treasure - start.treasure, int(is_shut))


def curve_part(par: Par | None, treasure: int, before: int = 0) -> list[Point]:
    """Up to four proven points from an amount of treasure on, and some `before`: treasure for growing moves."""
    proven = [] if par is None else [point for point in par.points if point.bound == point.moves]
    first = max(0, bisect_left(proven, treasure, key=_BY_TREASURE) - before)
    return proven[first : first + _MOST_SHOWN]


def curve_rows(heading: str, par: Par | None, treasure: int) -> list[tuple[str, str]]:
    """Rows of the side panel: the fewest moves for some hauls, with a mark on the one for this treasure.

    >>> curve_rows("Par here", Par("", (Point(1, 23, 23, 9, ()), Point(2, 25, 24, 9, ())), False), 2)
    [('Par here', ''), ('2 treasures', ' 25 at most < you')]
    """
    part, yours = curve_part(par, treasure), point_for(par, treasure)
    rows = [(heading, "")] if yours else []
    for point in [*part, *([yours] if yours and yours not in part else [])]:
        moves = counted(point.moves, "move") if point.is_proven else f"{point.moves:,} at most"
        rows.append((counted(point.treasure, "treasure"), f" {moves}{' < you' if point is yours else ''}"))
    return rows


def curve_text(par: Par | None, treasure: int) -> str:
    """Sentence on the points around an amount of treasure; empty without proven points.

    >>> curve_text(Par("", (Point(1, 23, 23, 9, ()), Point(2, 25, 25, 9, ())), True), 1)
    'Fewest moves: 1 treasure in 23, 2 in 25.'
    """
    part = curve_part(par, treasure, before=1)
    if par is None or not part:
        return ""
    first, *others = part
    shown = [f"{treasures(first.treasure)} in {first.moves:,}"]
    shown += [f"{point.treasure:,} in {point.moves:,}" for point in others]
    before, after = "... " * (part[0] != par.points[0]), " ..." * (part[-1] != par.points[-1])
    return f"Fewest moves: {before}{', '.join(shown)}{after or '.'}"


def level_ends(turn: Turn[State, Action]) -> list[State]:
    """The last state in each level that was left, up to a turn."""
    line = pairwise(each.state for each in turn.line())
    return [now for now, then in line if now.number != then.number or then.status is Status.ESCAPED]


def level_start(turn: Turn[State, Action]) -> State:
    """The state at the start of the level of a turn."""
    while turn.parent is not None and turn.parent.state.number == turn.state.number:
        turn = turn.parent
    return turn.state


def point_for(par: Par | None, treasure: int) -> Point | None:
    """The first point with this much treasure, else the last point; None without points."""
    return None if par is None or not par.points else par.at(treasure) or par.points[-1]


def result_text(par: Par | None, treasure: int, moves: int) -> str:
    """Sentence that compares a way out with par; empty if par is unknown.

    >>> par = Par("", (Point(1, 23, 23, 100, ()), Point(3, 30, 25, 900, ())), False)
    >>> result_text(par, 1, 23)
    '23 moves, par 23: perfect.'
    >>> result_text(par, 1, 25)
    '25 moves, par 23 with 1 treasure: 2 over par.'
    >>> result_text(par, 3, 28)
    '28 moves, best known 30 with 3 treasures: 2 fewer. At least 25 are needed.'
    """
    if par is None or not (par.points or par.is_all):
        return ""
    played, with_ = counted(moves, "move"), f"with {counted(treasure, 'treasure')}"
    point = par.at(treasure)
    if point is None and not par.is_all:
        known = f"par is known for up to {counted(par.points[-1].treasure, 'treasure')} only"
        return f"{played} {with_}: {known}."
    if point is None or moves < point.bound:
        return f"{played} {with_}: proven impossible, so the par file is wrong."
    if not point.is_proven:
        more = moves - point.moves
        how = f"{abs(more):,} {'more' if more > 0 else 'fewer'}" if more else "equal"
        return f"{played}, best known {point.moves:,} {with_}: {how}. At least {point.bound:,} are needed."
    if moves > point.moves:
        return f"{played}, par {point.moves:,} {with_}: {moves - point.moves:,} over par."
    if point.treasure > treasure:
        return f"{played}, par {moves:,} {with_}: perfect, but a line of the same length carries {point.treasure:,}."
    return f"{played}, par {moves:,}: perfect."


def level_result(turn: Turn[State, Action]) -> str:
    """Sentence on the level left in this turn; empty if no level was left."""
    before = turn.parent
    if before is None or before.state.number == turn.state.number:
        return ""
    start, end, number = level_start(before), turn.state, before.state.number
    return f"Level {number}: {counted(end.moves - start.moves, 'move')}."
