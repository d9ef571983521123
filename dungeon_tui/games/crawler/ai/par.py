"""Par: the fewest moves out of a dungeon and out of each of its levels, read from beside the levels, and its words.

It lies in caves.par.jsonl beside caves1.txt; the format: docs/games/crawler.md. What no longer fits the rules or the
levels counts for nothing. It is found by par_search.py.
"""

from __future__ import annotations

import hashlib
import json
import os.path
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.core.recording import JsonLine, json_lines
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon, find_prefix, replayed_limit
from dungeon_tui.games.crawler.model.level import Level, level_text
from dungeon_tui.games.crawler.model.state import Action, State

FORMAT = "dungeon-tui par"
FORMAT_VERSION = 1
MOST_BYTES = 2**20  # of a file
_MORE = {True: "impossible", False: "unknown"}  # treasure than the last point has


@dataclass(frozen=True, slots=True)
class Point:
    """The best known line out with so much treasure."""

    treasure: int  # that the line carries out; of a level: that it takes there
    moves: int
    bound: int  # no line that carries out more than the point before has fewer moves
    states: int  # looked at up to here
    commands: tuple[str, ...]  # a text for each level that it enters

    @property
    def is_proven(self) -> bool:
        """True if no line is shorter."""
        return self.bound == self.moves


@dataclass(frozen=True, slots=True)
class Par:
    """Ever more treasure, with the fewest moves for it."""

    sha256: str = ""  # of the level's text; of a dungeon: of all of them, one after the other, as recordings have it
    points: tuple[Point, ...] = ()  # both treasure and moves grow
    is_all: bool = False  # proven: nobody can carry out more. Otherwise the search ended there

    def at(self, treasure: int) -> Point | None:
        """The first point with so much treasure at least; None if there is none."""
        return next((point for point in self.points if point.treasure >= treasure), None)


@dataclass(frozen=True, slots=True)
class DungeonPar:
    """Par of a dungeon and its levels; of a level that is not the first, as for someone who comes with treasure."""

    dungeon: Par | None = None
    levels: tuple[Par | None, ...] = ()
    warning: str = ""  # what is wrong with the file

    def level(self, number: int) -> Par | None:
        """Par of a level, counted from 1; None if it is not known."""
        return self.levels[number - 1] if number <= len(self.levels) else None


def par_path(prefix: str) -> Path:
    """Path of the par file beside the levels of a prefix."""
    return Path(f"{prefix}.par.jsonl" if os.path.basename(prefix) else f"{prefix}par.jsonl")


@lru_cache(maxsize=4)
def par_of(dungeon: Dungeon) -> DungeonPar:
    """Par from the file beside a dungeon's levels, cached; without the parts whose levels have changed since.

    Empty if there is no file, or the dungeon limits its cells; a warning says why it can't be read.
    """
    path = par_path(find_prefix(dungeon.name) if dungeon.prefix is None else dungeon.prefix)
    if not os.path.isfile(path) or dungeon.cell_limit < replayed_limit(dungeon.levels):
        return DungeonPar()
    try:
        stored = read_par(read_level_file(path, MOST_BYTES))
    except LevelError as error:
        return DungeonPar(warning=str(error))
    hashes = [level_hash(level) for level in dungeon.levels]
    levels = zip(stored.levels, hashes, strict=False)
    whole = stored.dungeon
    return DungeonPar(
        whole if whole is not None and whole.sha256 == dungeon_hash(dungeon) else None,
        tuple(par if par is not None and par.sha256 == sha256 else None for par, sha256 in levels),
    )


def level_hash(level: Level) -> str:
    """SHA-256 of a level's text, as 64 hexadecimal digits."""
    return hashlib.sha256(level_text(level).encode("ascii")).hexdigest()


def dungeon_hash(dungeon: Dungeon) -> str:
    """SHA-256 over the texts of a dungeon's levels, as 64 hexadecimal digits."""
    digest = hashlib.sha256()
    for level in dungeon.levels:
        digest.update(level_text(level).encode("ascii"))
    return digest.hexdigest()


def par_text(parts: Iterable[Par]) -> str:
    """Text of a par file: one JSON object a line, a header, then the dungeon and each level, each with its points."""
    lines: list[dict[str, object]] = [{"format": FORMAT, "version": FORMAT_VERSION, "rules": rules.VERSION}]
    for number, part in enumerate(parts):
        lines.append({"par": _part_name(number), "sha256": part.sha256, "more": _MORE[part.is_all]})
        lines += [asdict(point) for point in part.points]
    return "".join(json.dumps(line) + "\n" for line in lines)


def read_par(file: LevelFile) -> DungeonPar:
    """The points of a file that `par_text` wrote; an empty DungeonPar if they were found under other rules.

    A file that was cut at the end of a line is read as a shorter one.

    Raises:
        LevelError: it is not a well-formed file of a version we know.
    """
    file.refuse_what_is_not_text()
    lines = json_lines(file)
    header = next(lines, None)
    if header is None or header.get("format", str) != FORMAT:
        raise LevelError(f'not a file of par: its first line is a JSON object with the format "{FORMAT}"', file.name)
    if header.get("version", int) != FORMAT_VERSION:
        raise header.error(f"par of version {header.get('version', int)} can't be read, only {FORMAT_VERSION}")
    if header.get("rules", int) != rules.VERSION:
        return DungeonPar()
    parts: list[Par] = []
    for line in lines:
        if parts and "par" not in line.values:
            points = parts[-1].points
            parts[-1] = replace(parts[-1], points=(*points, _read_point(line, points)))
            continue
        if line.get("par", str) != _part_name(len(parts)):
            raise line.error(f'here must be the par of "{_part_name(len(parts))}"')
        parts.append(Par(line.get("sha256", str), (), line.get("more", str) == _MORE[True]))
    return DungeonPar(parts[0], tuple(parts[1:])) if parts else DungeonPar()


def _part_name(number: int) -> str:
    return f"level {number}" if number else "dungeon"


def _read_point(line: JsonLine, before: Sequence[Point]) -> Point:
    commands = tuple(line.get("commands", list))
    if not all(isinstance(text, str) for text in commands):
        raise line.error('"commands" are texts, one for each level')
    treasure, moves, bound, states = (line.get(key, int) for key in ("treasure", "moves", "bound", "states"))
    if min(treasure, moves, bound, states) < 0:
        raise line.error("no number here is negative")
    point = Point(treasure, moves, bound, states, commands)
    if point.moves != sum(map(len, commands)):
        raise line.error(f"the commands are {counted(sum(map(len, commands)), 'move')}, not {point.moves:,}")
    if point.bound > point.moves:
        raise line.error(f"no line has fewer than {point.bound:,} moves, but this one has {point.moves:,}")
    if before and (point.treasure <= before[-1].treasure or point.moves <= before[-1].moves):
        raise line.error("treasure and moves must grow from point to point")
    return point


def point_text(point: Point) -> str:
    """A point in words: moves, and treasure if there is any.

    >>> point_text(Point(2, 23, 23, 100, ())), point_text(Point(0, 9, 7, 100, ()))
    ('23 moves with 2 treasures', '9 moves so far, 7 at least')
    """
    treasure = f" with {counted(point.treasure, 'treasure')}" if point.treasure else ""
    known = "" if point.is_proven else f" so far, {point.bound:,} at least"
    return f"{counted(point.moves, 'move')}{treasure}{known}"


def beside(turn: Turn[State, Action], found: Par | None = None) -> list[tuple[str, Point]]:
    """Labelled points for the side panel: par of the dungeon, and of this level, for the treasure that is held.

    Args:
        turn: the present one.
        found: par of the dungeon as it was found behind the game, for one without a file of par.
    """
    state = turn.state
    par = par_of(state.dungeon)
    level = None if par.dungeon and len(par.levels) == 1 else par.level(state.number)
    taken = state.treasure - (_level_start(turn).treasure if level else 0)
    both = (("Par", _point_for(par.dungeon or found, state.treasure)), ("Level's par", _point_for(level, taken)))
    return [(label, point) for label, point in both if point is not None]


def panel_rows(pars: Iterable[tuple[str, Point]]) -> Iterator[tuple[str, str]]:
    """Rows of the side panel for the points that `beside` gave.

    >>> list(panel_rows([("Par", Point(2, 23, 23, 100, ()))]))
    [('Par', '23 moves'), ('', 'with 2 treasures')]
    """
    for label, point in pars:
        yield label, counted(point.moves, "move")
        if point.treasure:
            yield "", f"with {counted(point.treasure, 'treasure')}"
        if not point.is_proven:
            yield "", f"{point.bound:,} at least"


def _level_start(turn: Turn[State, Action]) -> State:
    while turn.parent is not None and turn.parent.state.number == turn.state.number:
        turn = turn.parent
    return turn.state


def _point_for(par: Par | None, treasure: int) -> Point | None:
    """The point for so much treasure, or else for the most that is known; None without points."""
    return None if par is None or not par.points else par.at(treasure) or par.points[-1]


def result_text(par: Par | None, treasure: int, moves: int) -> str:
    """Sentence that compares a way out with par; empty where nothing is known.

    >>> par = Par("", (Point(1, 23, 23, 100, ()), Point(3, 30, 25, 900, ())), False)
    >>> result_text(par, 1, 23)
    '23 moves, par 23: perfect.'
    >>> result_text(par, 1, 25)
    '25 moves, par 23 with 1 treasure: 2 more than par.'
    >>> result_text(par, 3, 28)
    '28 moves, the best known is 30 with 3 treasures: 2 fewer than that. No way out has fewer than 25.'
    """
    if par is None or not (par.points or par.is_all):
        return ""
    played, with_ = counted(moves, "move"), f"with {counted(treasure, 'treasure')}"
    point = par.at(treasure)
    if point is None and not par.is_all:
        known = f"par is known for up to {counted(par.points[-1].treasure, 'treasure')} only"
        return f"{played} {with_}: {known}."
    if point is None or moves < point.bound:
        return f"{played} {with_}: that was proven to be impossible, so the par beside the levels is wrong."
    if not point.is_proven:
        name = f"{played}, the best known is {point.moves:,} {with_}"
        more = moves - point.moves
        how = "as good as that" if not more else f"{abs(more):,} {'more' if more > 0 else 'fewer'} than that"
        return f"{name}: {how}. No way out has fewer than {point.bound:,}."
    if moves > point.moves:
        return f"{played}, par {point.moves:,} {with_}: {moves - point.moves:,} more than par."
    if point.treasure > treasure:
        return f"{played}, par {moves:,} {with_}: no way out is shorter, but one of these carries {point.treasure:,}."
    return f"{played}, par {moves:,}: perfect."


def level_result(turn: Turn[State, Action]) -> str:
    """Sentence that compares the level left in this turn with par; empty if none was left, or nothing is known."""
    before = turn.parent
    if before is None or before.state.number == turn.state.number:
        return ""
    start, end, number = _level_start(before), turn.state, before.state.number
    par = par_of(end.dungeon).level(number)
    result = result_text(par, end.treasure - start.treasure, end.moves - start.moves)
    return result and f"Level {number}: {result}"
