"""The library as text, to be brought elsewhere and back: one JSON object a line.

A header; each level, once; each game with its turns, followed by its ends with their scores.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from secrets import token_hex
from threading import Event
from time import monotonic, sleep
from typing import Any

from dungeon_tui.core.catalogue import YOU, find_game
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel
from dungeon_tui.core.recording import MOST_TURNS, JsonLine, RecordingError, json_lines, packed_values, read_packed
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted
from dungeon_tui.storage.library import KeptGame, Library, LibraryError, packed, timestamp

FORMAT = "dungeon-tui library"
FORMAT_VERSION = 1
MOST_BYTES = 2**30  # of an export that is read
_TEXTS = ("title", "arguments", "source", "outcome", "fingerprint")
_NUMBERS = ("rules", "seed")
_PLACES = ("present", "last", "checked")  # numbers of turns
_FLAGS = ("is_won", "is_helped")
_LARGEST = 2**63 - 1  # that SQLite holds
_BATCH = 0.05  # seconds that an import holds the library at a time
_PAUSE = 0.02  # seconds in which others may write


@dataclass(frozen=True, slots=True)
class CarriedEnd:
    """An end as it goes from one library to another."""

    turn: int
    at: str
    outcome: str
    is_won: bool
    is_helped: bool
    is_undone: bool
    seconds: float
    scores: tuple[tuple[str, int, int | None, bool], ...]  # aim, value, par, is less better; in their order


@dataclass(frozen=True, slots=True)
class Carried:
    """A game as it goes from one library to another."""

    values: Mapping[str, Any]  # columns of `games` that say nothing of this library
    turns: Sequence[tuple[int, str]]  # from number 1 on: number of the turn before, action
    ends: list[CarriedEnd] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Export:
    """All that a library holds."""

    levels: Mapping[str, PackedLevel]  # by hash
    games: Sequence[Carried]


@dataclass(slots=True)
class Taken:
    """Numbers of the games that an import brought."""

    new: int = 0
    changed: int = 0  # known, but gone on with elsewhere
    known: int = 0

    @property
    def games(self) -> int:
        """The number of games that the import held."""
        return self.new + self.changed + self.known


# -- writing


def export_lines(library: Library, left: Callable[[str], object] = str) -> Iterator[str]:
    """Yields the lines of all that a library holds at one moment, but for games that are damaged.

    Args:
        library: others may write to it meanwhile.
        left: told of each game that is left out, and why, in a line.

    Raises:
        LibraryError: it can't be read.
    """
    levels: dict[str, PackedLevel] = {}
    lines: list[str] = []
    with library.at_one_moment() as database:
        games = library.games()
        query = "SELECT count(*) FROM games WHERE turns > 0 AND removed = ''"
        (hidden,) = database.execute(query).fetchone()
        if hidden > len(games):
            left(f"{counted(hidden - len(games), 'game')}: damaged")
        number = 0
        for kept in reversed(games):  # the oldest first
            try:
                if kept.level not in levels:
                    levels[kept.level] = library.level(kept.level)
                lines += _game_lines(library, kept, levels)
                number += 1
            except (LevelError, LibraryError) as error:
                why = error.message if isinstance(error, LevelError) else str(error)
                left(f"game {kept.id}, {printable(kept.title)}: {why}")
    hashes = sorted(levels)
    yield _line(format=FORMAT, version=FORMAT_VERSION, levels=len(hashes), games=number)
    for key in hashes:
        yield _line(kind="level", hash=key, **packed_values(levels[key]))
    yield from lines


def _game_lines(library: Library, kept: KeptGame, levels: Mapping[str, PackedLevel]) -> list[str]:
    """The lines of a game.

    Raises:
        LevelError: they could not be read again.
        LibraryError: it can't be read.
    """
    columns = (*_TEXTS, *_NUMBERS, *_PLACES, *_FLAGS, "seconds", "began", "played", "daily")
    values = {name: getattr(kept, name) for name in columns}
    turns = library.turns(kept.id)
    if [number for number, _, _ in turns] != list(range(1, len(turns) + 1)):
        raise LevelError("turns are missing", str(library.path))
    named = {"key": kept.key, "game": kept.game, "level": kept.level, "players": dict(kept.players)}
    lines = [_line(kind="game", **named, **values, turns=[list(turn[1:]) for turn in turns])]
    game = _read_game(JsonLine(str(library.path), 1, lines[0]), levels)
    for end in ends_of(library, kept):
        flags = {"is_won": end.is_won, "is_helped": end.is_helped, "is_undone": end.is_undone}
        scores = [
            {"aim": aim, "value": value, "par": par, "is_less_better": is_less_better}
            for aim, value, par, is_less_better in end.scores
        ]
        values = {"turn": end.turn, "at": end.at, "outcome": end.outcome, "seconds": end.seconds}
        lines.append(_line(kind="end", **values, **flags, scores=scores))
        game.ends.append(_read_end(JsonLine(str(library.path), 1, lines[-1]), game))
    return lines


def _line(**values: Any) -> str:
    return json.dumps(values, ensure_ascii=True, default=lambda _blob: None) + "\n"


def ends_of(library: Library, kept: KeptGame) -> list[CarriedEnd]:
    """The ends of a game, in the order of their turns."""
    with library.reading() as database:
        return _ends(database, kept.id)


def _ends(database: sqlite3.Connection, game: int) -> list[CarriedEnd]:
    scores: dict[int, list[tuple[str, int, int | None, bool]]] = {}
    query = "SELECT turn, aim, value, par, is_less_better FROM scores WHERE game = ? ORDER BY turn, place"
    for turn, aim, value, par, is_less_better in database.execute(query, (game,)):
        scores.setdefault(turn, []).append((aim, value, par, bool(is_less_better)))
    query = "SELECT turn, at, outcome, is_won, is_helped, is_undone, seconds FROM ends WHERE game = ? ORDER BY turn"
    return [
        CarriedEnd(turn, at, outcome, bool(won), bool(helped), bool(undone), seconds, tuple(scores.get(turn, ())))
        for turn, at, outcome, won, helped, undone, seconds in database.execute(query, (game,))
    ]


# -- reading


def read_export(file: LevelFile) -> Export:
    """Reads what `export_lines` wrote; runs nothing.

    Raises:
        LevelError: it is not a whole, well-formed export of a version we know.
    """
    file.refuse_what_is_not_text()
    lines = json_lines(file)
    header = next(lines, None)
    if header is None:
        raise RecordingError("the file is empty; its first line is a JSON object with a format", file.name)
    if header.get("format", str) != FORMAT:
        raise header.error(f'not an exported library: "format" is not "{FORMAT}"')
    if header.get("version", int) != FORMAT_VERSION:
        raise header.error(f"exports of version {header.get('version', int)} can't be read, only {FORMAT_VERSION}")
    levels: dict[str, PackedLevel] = {}
    games: list[Carried] = []
    last = header
    for line in lines:
        last = line
        match line.get("kind", str):
            case "level":
                key, level = _read_level(line)
                levels[key] = level
            case "game":
                games.append(_read_game(line, levels))
            case "end" if games:
                games[-1].ends.append(_read_end(line, games[-1]))
            case "end":
                raise line.error("an end of no game: its game comes in a line before")
            case _:
                raise line.error('"kind" is not "level", "game" or "end"')
    for what, found in (("levels", len(levels)), ("games", len(games))):
        if header.get(what, int) != found:
            raise last.error(f"{header.get(what, int)} {what} were written, {found} are here: the file is not whole")
    return Export(levels, games)


def _read_level(line: JsonLine) -> tuple[str, PackedLevel]:
    level = read_packed(line)
    key, _ = packed(level)
    if line.get("hash", str) != key:
        raise line.error("the level does not match its hash: one of them was changed")
    return key, level


def _read_game(line: JsonLine, levels: Mapping[str, PackedLevel]) -> Carried:
    key, name, level = (line.get(each, str) for each in ("key", "game", "level"))
    if not re.fullmatch("[0-9a-f]{16}", key):
        raise line.error('"key" is not 16 hexadecimal digits')
    if find_game(name) is None:
        raise line.error(f"there is no game {name!r}")
    if level not in levels:
        raise line.error('there is no line before this one with the level that "level" names')
    turns = _read_turns(line)
    values: dict[str, Any] = {"key": key, "game": name, "level": level, "daily": line.get("daily", str)}
    for each in _TEXTS:
        values[each] = _text(line, each, line.get(each, str))
    for each in _NUMBERS:
        values[each] = _number(line, each, line.get(each, int), -_LARGEST, _LARGEST)
    for each in _PLACES:
        values[each] = _number(line, each, line.get(each, int), 0, len(turns))
    for each in _FLAGS:
        values[each] = _flag(line, each)
    for each in ("began", "played"):
        values[each] = _time(line, each)
    if values["daily"] and not _is_day(values["daily"]):
        raise line.error('"daily" is neither empty nor a date such as 2026-11-22')
    values["seconds"] = _seconds(line)
    players = line.get("players", dict)
    values["players"] = {
        _text(line, "players", seat): _text(line, "players", player) for seat, player in players.items()
    }
    return Carried(values, turns)


def _read_turns(line: JsonLine) -> list[tuple[int, str]]:
    turns = line.get("turns", list)
    if not 0 < len(turns) <= MOST_TURNS:
        raise line.error(f'"turns" are {len(turns):,}: a game has from 1 to {MOST_TURNS:,}')
    for number, turn in enumerate(turns, 1):
        is_pair = isinstance(turn, list) and len(turn) == 2 and type(turn[0]) is int and isinstance(turn[1], str)
        if not is_pair or not 0 <= turn[0] < number:
            raise line.error(f"turn {number} is not the number of an earlier turn, and an action")
        _text(line, "turns", turn[1])
    return [(before, action) for before, action in turns]


def _read_end(line: JsonLine, game: Carried) -> CarriedEnd:
    turn = _number(line, "turn", line.get("turn", int), 1, len(game.turns))
    if any(end.turn == turn for end in game.ends[-1:]) or (game.ends and game.ends[-1].turn > turn):
        raise line.error("the ends of a game come in the order of their turns, one a turn")
    scores = []
    for entry in line.get("scores", list):
        if not isinstance(entry, dict):
            raise line.error('each of "scores" is an object')
        score = JsonLine(line.file, line.number, "")
        score.values = entry
        aim, par = _text(line, "aim", score.get("aim", str)), entry.get("par")
        value = _number(line, "value", score.get("value", int), -_LARGEST, _LARGEST)
        if par is not None:
            par = _number(line, "par", score.get("par", int), -_LARGEST, _LARGEST)
        scores.append((aim, value, par, _flag(score, "is_less_better")))
    if len({aim for aim, *_ in scores}) < len(scores):
        raise line.error("an aim has two scores")
    return CarriedEnd(
        turn,
        _time(line, "at"),
        _text(line, "outcome", line.get("outcome", str)),
        _flag(line, "is_won"),
        _flag(line, "is_helped"),
        _flag(line, "is_undone"),
        _seconds(line),
        tuple(scores),
    )


def _text(line: JsonLine, name: str, text: Any) -> str:
    try:
        if isinstance(text, str) and "\0" not in text and text.encode() is not None:
            return text
    except UnicodeEncodeError:
        pass  # half of a character, which no file can hold
    raise line.error(f'"{name}" is no text')


def _number(line: JsonLine, name: str, number: int, least: int, most: int) -> int:
    if not least <= number <= most:
        raise line.error(f'"{name}" is not from {least} to {most}')
    return number


def _flag(line: JsonLine, name: str) -> bool:
    value = line.values.get(name)
    if not isinstance(value, bool):
        raise line.error(f'"{name}" is neither true nor false')
    return value


def _seconds(line: JsonLine) -> float:
    value = line.values.get("seconds")
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e12 and math.isfinite(value):
        return float(value)
    raise line.error('"seconds" is not a number of seconds')


def _time(line: JsonLine, name: str) -> str:
    text: str = line.get(name, str)
    try:
        if re.fullmatch(r"[0-9]{4}(-[0-9]{2}){2} [0-9]{2}(:[0-9]{2}){2}", text):
            return datetime.fromisoformat(text).isoformat(sep=" ")
    except ValueError:
        pass
    raise line.error(f'"{name}" is not a time such as 2026-11-22 20:15:03')


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


# -- taking in


def take_in(library: Library, export: Export) -> Taken:
    """Adds to a library all that an export holds and it does not.

    A few games at a time, so that nobody who plays waits for long. Where that fails, what was added stays; taking in
    the same again adds the rest, or changes nothing. A game that is there gets the turns and ends that are new. One
    that went another way than the game of the same key comes in beside that. A time later than now becomes now.

    Raises:
        LibraryError: it can't be written.
    """
    taken, rows = Taken(), dict[str, tuple[str, bytes]]()
    games, now = iter(export.games), timestamp()
    is_over = False
    while not is_over:
        with library.writing() as database:
            end = monotonic() + _BATCH
            for game in games:
                key = game.values["level"]
                if key not in rows:
                    rows[key] = packed(export.levels[key])
                database.execute("INSERT OR IGNORE INTO levels VALUES (?, ?)", rows[key])
                number = _same_game(database, game)
                if number is None:
                    number = _insert(database, game, now)
                    _add_ends(database, number, game.ends, now)
                    taken.new += 1
                else:
                    is_changed = _add_turns(database, number, game, now)
                    is_changed |= _add_ends(database, number, game.ends, now)
                    taken.changed += is_changed
                    taken.known += not is_changed
                if monotonic() > end:
                    break
            else:
                is_over = True
        if not is_over:
            sleep(_PAUSE)
    return taken


def _same_game(database: sqlite3.Connection, game: Carried) -> int | None:
    """The id of the game that this one is, or goes on with; None if there is none.

    The same level, seed and beginning, and turns of which the shorter ones begin the longer ones.
    """
    names = ("game", "rules", "level", "seed", "began")
    where = " AND ".join(f"{name} = ?" for name in names)
    query = f"SELECT id FROM games WHERE {where} ORDER BY key != ?, id"
    for (number,) in database.execute(query, (*(game.values[name] for name in names), game.values["key"])).fetchall():
        if all(ours == theirs for ours, theirs in zip(_turns(database, number), game.turns, strict=False)):
            return int(number)
    return None


def _turns(database: sqlite3.Connection, game: int) -> list[tuple[int, str]]:
    return database.execute("SELECT parent, action FROM turns WHERE game = ? ORDER BY number", (game,)).fetchall()


_NAME = re.compile(r"@?[\w-]+")  # of a strategy of ours, or of the settings
_STANDING = ("title", "present", "last", "outcome", "is_won", "played", "seconds", "checked", "fingerprint", "players")


def _seated(players: Mapping[str, str]) -> str:
    """Players by seat, as JSON; you for files and commands: what comes from elsewhere may name nothing to be run."""
    return json.dumps({seat: player if _NAME.fullmatch(player) else YOU for seat, player in players.items()})


def _insert(database: sqlite3.Connection, game: Carried, now: str) -> int:
    values = {**game.values, "played": min(game.values["played"], now)}
    if database.execute("SELECT 1 FROM games WHERE key = ?", (values["key"],)).fetchone():
        values["key"] = token_hex(8)
    one_a_day = "SELECT 1 FROM games WHERE game = ? AND daily = ?"
    if values["daily"] and database.execute(one_a_day, (values["game"], values["daily"])).fetchone():
        values["daily"] = ""  # another one counts
    values |= {"turns": len(game.turns), "ply": _ply(game), "players": _seated(values["players"])}
    columns, marks = ", ".join(values), ", ".join("?" * len(values))
    made = database.execute(f"INSERT INTO games ({columns}) VALUES ({marks})", (*values.values(),))
    assert made.lastrowid is not None
    _insert_turns(database, made.lastrowid, 0, game)
    return made.lastrowid


def _insert_turns(database: sqlite3.Connection, number: int, known: int, game: Carried) -> None:
    rows = [(number, place, *turn) for place, turn in enumerate(game.turns[known:], known + 1)]
    database.executemany("INSERT INTO turns VALUES (?, ?, ?, ?)", rows)


def _ply(game: Carried) -> int:
    ply, turn = 0, game.values["present"]
    while turn:
        ply, turn = ply + 1, game.turns[turn - 1][0]
    return ply


def _add_turns(database: sqlite3.Connection, number: int, game: Carried, now: str) -> bool:
    """Adds the turns that are new to a game, and what stands there if that is newer; True if anything was."""
    query = "SELECT turns, played, is_helped, removed FROM games WHERE id = ?"
    known, played, is_helped, removed = database.execute(query, (number,)).fetchone()
    values: dict[str, Any] = {}
    later = game.values["played"] if game.values["played"] <= now else ""  # one from later than now tells nothing
    if (len(game.turns), later) > (known, played):
        _insert_turns(database, number, known, game)
        values = {name: game.values[name] for name in _STANDING}
        values |= {"played": later or now, "turns": len(game.turns), "ply": _ply(game)}
        values["players"] = _seated(values["players"])
    if game.values["is_helped"] and not is_helped:
        values["is_helped"] = True
    if removed:
        values["removed"] = ""
    if values:
        assignments = ", ".join(f"{name} = ?" for name in values)
        database.execute(f"UPDATE games SET {assignments} WHERE id = ?", (*values.values(), number))
    return bool(values)


def _add_ends(database: sqlite3.Connection, number: int, ends: Iterable[CarriedEnd], now: str) -> bool:
    is_any_new = False
    for end in ends:
        flags = end.is_won, end.is_helped, end.is_undone
        row = (number, end.turn, min(end.at, now), end.outcome, *flags, end.seconds)
        if database.execute("INSERT OR IGNORE INTO ends VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row).rowcount:
            is_any_new = True
            rows = [(number, end.turn, place, *score) for place, score in enumerate(end.scores)]
            database.executemany("INSERT INTO scores VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    return is_any_new


# -- checking


def problems(library: Library, progress: Callable[[int, int], object], stop: Event | None = None) -> Iterator[str]:
    """Yields what is wrong with a library, a line each: with the database, and with games that come out otherwise."""
    if library.notice:
        yield library.notice
    try:
        with library.reading() as database:
            found = [str(row[0]) for row in database.execute("PRAGMA integrity_check")]
            broken = [f"{row[0]} names a row of {row[2]} that is missing" for row in database.execute(_FOREIGN)]
        yield from (text for text in found if text != "ok")
        yield from broken
        games = library.games()
    except LibraryError as error:
        yield str(error)
        return
    for number, kept in enumerate(games):
        if stop is not None and stop.is_set():
            return
        progress(number, len(games))
        if trouble := _trouble(library, kept):
            yield f"game {kept.id}: {trouble}"
    progress(len(games), len(games))


_FOREIGN = "PRAGMA foreign_key_check"


def _trouble(library: Library, kept: KeptGame) -> str:
    """The reason why a game can't be played again as it is kept, in one line; empty if it can."""
    try:
        resumed = library.resume(kept)
    except (LevelError, LibraryError) as error:
        return error.message if isinstance(error, LevelError) else str(error)
    if resumed.trouble:
        return resumed.trouble
    outcome = resumed.controller.outcome
    name = outcome.name if outcome is not None else ""
    if (name, resumed.controller.turn.ply) != (kept.outcome, kept.ply):
        came, was = name or "unfinished", kept.outcome or "unfinished"
        return f"comes out {came} at turn {resumed.controller.turn.ply}, is kept as {was} at turn {kept.ply}"
    return ""


def key_of(data: bytes) -> str:
    """The key of a game that was taken from a recording: the same for the same bytes, in every library."""
    return hashlib.sha256(data).hexdigest()[:16]


def told(taken: Taken) -> str:
    """Words for what an import brought."""
    parts = f"{taken.new:,} new, {taken.changed:,} gone on with elsewhere, {taken.known:,} known"
    return f"{counted(taken.games, 'game')}: {parts}"
