"""Exports the library as one file, imports such files, and checks that every game can be replayed."""

import hashlib
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from dungeon_tui.core.level import LevelError
from dungeon_tui.core.recording import MOST_TURNS, Recording, reexecute
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import counted
from dungeon_tui.storage.database import copy_game
from dungeon_tui.storage.library import NAME, Library, LibraryError, StoredGame, timestamp

_KEY = re.compile(r"[0-9a-f]{16}")


@dataclass(slots=True)
class ImportCounts:
    """The numbers of imported games."""

    new: int = 0
    changed: int = 0  # known, but continued elsewhere, or removed here
    known: int = 0
    refused: list[str] = field(default_factory=list)  # a line each: which game, and why


def export(library: Library) -> tuple[bytes, int]:
    """The bytes of a library with all games but removed ones, and their number. Raises LibraryError or OSError."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        with library.reading() as database:
            database.execute("VACUUM INTO ?", (str(path),))
        with closing(sqlite3.connect(path)) as copy:
            copy.executescript("""
                PRAGMA foreign_keys = ON;
                DELETE FROM games WHERE removed != '' OR turns = 0;
                DELETE FROM levels WHERE hash NOT IN (SELECT level FROM games);
                UPDATE games SET writer = 0;
                VACUUM;
            """)
            number: int = copy.execute("SELECT count(*) FROM games").fetchone()[0]
        return path.read_bytes(), number


def take_in(
    library: Library, other: Library, progress: Callable[[int, int], object] = max, stop: Event | None = None
) -> ImportCounts:
    """Adds the games of another library, opened as foreign, that this one lacks; repeating it changes nothing.

    Each game is checked as `problems` does, and added in its own transaction, so that running games don't wait. A game
    that was continued elsewhere gets its new turns; if it was continued in both libraries, both versions stay.
    Timestamps in the future become now. `progress` gets the number of games done, and of all; `stop` ends the import
    before the next game. Raises LibraryError.
    """
    counts, games = ImportCounts(), other.games()
    for number, stored in enumerate(reversed(games)):  # the oldest first
        if stop is not None and stop.is_set():
            break
        progress(number, len(games))
        if objection := _take_game(library, other, stored, counts):
            counts.refused.append(f"game {stored.id}, {printable(stored.title)}: {objection}")
    with other.reading() as database:
        query = "SELECT count(*) FROM games WHERE turns != 0 AND removed = ''"
        unsound = database.execute(query).fetchone()[0] - len(games)
    if unsound:
        counts.refused.append(f"{counted(unsound, 'game')}: damaged")
    return counts


def take_in_recording(
    library: Library, recording: Recording, is_won: Callable[[TurnController[Any, Any, Any], Recording], bool]
) -> ImportCounts:
    """Adds a recording as a game that got help; repeating it changes nothing. Raises LevelError if its replay differs.

    `is_won` tells, after the last turn, whether a person has won.
    """
    controller, found = reexecute(recording)
    if controller is None or not found.is_ok or not recording.actions:
        raise LevelError(found.message if recording.actions else "nobody moved", recording.file, found.line or 1)
    turns, number = [*enumerate(recording.actions)], len(recording.actions)
    title, arguments, players = recording.title, recording.arguments, recording.strategies
    values = {"game": recording.game, "rules": recording.rules_version, "seed": recording.seed, "is_helped": True}
    with library.writing():
        level = library.keep_level(recording.level)
        for stored in library.games("level = ? AND seed = ? AND turns >= ?", level, recording.seed, number):
            if _turns(library, stored.id)[:number] == turns:
                return ImportCounts(known=1)
        stored = library.begin(**values, level=level, title=title, arguments=arguments, players=players, writer=0)
        moves = [(-parent, action) for parent, action in turns]
        library.add_turns(stored.id, moves, -number, -number, ply=number)
        if controller.outcome is not None:
            library.change(stored.id, outcome=found.outcome, is_won=is_won(controller, recording))
    return ImportCounts(new=1)


def _take_game(library: Library, other: Library, stored: StoredGame, counts: ImportCounts) -> str:
    """Adds a game unless it is known; returns why it is refused, or an empty text."""
    with other.reading() as source:
        (number,) = source.execute("SELECT count(*) FROM turns WHERE game = ?", (stored.id,)).fetchone()
    if not number == stored.turns <= MOST_TURNS:
        return f"it has {number:,} turns, not {min(stored.turns, MOST_TURNS):,}"

    # If both libraries continued the game, it is another one, with a key that stays the same next time.
    turns = _turns(other, stored.id)
    key, (known, is_removed, before) = stored.key, _known(library, stored.key)
    shared = min(len(before), len(turns))
    if before[:shared] != turns[:shared]:
        key = hashlib.sha256(repr((key, turns)).encode()).hexdigest()[:16]
        known, is_removed, before = _known(library, key)
    if known is not None and len(before) >= len(turns):
        if is_removed:
            library.restore(known)
        counts.changed += is_removed
        counts.known += not is_removed
        return ""
    if objection := _objection(other, stored):
        return objection

    # Copy it; a known game with fewer turns is replaced.
    now, values = timestamp(), asdict(stored)
    values |= {"key": key, "players": json.dumps(dict(stored.players)), "played": min(stored.played, now), "writer": 0}
    del values["id"]
    try:
        with library.writing() as database, other.reading() as source:
            if known is not None:
                values["id"] = known
                database.execute("DELETE FROM games WHERE id = ?", (known,))
            same_day = "SELECT 1 FROM games WHERE game = ? AND daily = ?"
            if stored.daily and database.execute(same_day, (stored.game, stored.daily)).fetchone():
                values["daily"] = ""  # another try counts
            if not copy_game(source, database, stored.id, values):
                raise LookupError
            ends = "UPDATE ends SET at = min(at, ?) WHERE game = (SELECT id FROM games WHERE key = ?)"
            database.execute(ends, (now, key))
    except LookupError:
        return "a part of it is damaged"
    counts.changed += known is not None
    counts.new += known is None
    return ""


def _known(library: Library, key: str) -> tuple[int | None, bool, list[tuple[int, str]]]:
    """The id of the game with a key (None: unknown), whether it is removed, and its turns."""
    with library.reading() as database:
        row = database.execute("SELECT id, removed != '' FROM games WHERE key = ?", (key,)).fetchone()
    return (None, False, []) if row is None else (row[0], bool(row[1]), _turns(library, row[0]))


def _turns(library: Library, game: int) -> list[tuple[int, str]]:
    return [(parent, action) for _, parent, action in library.turns(game)]


def _objection(other: Library, stored: StoredGame) -> str:
    """Reason to refuse a game from elsewhere, in one line; empty if there is none."""
    with other.reading() as source:
        times = [str(at) for (at,) in source.execute("SELECT at FROM ends WHERE game = ?", (stored.id,))]
    times += [stored.began, stored.played, f"{stored.daily or '2000-01-01'} 00:00:00"]
    if not all(map(_is_time, times)):
        return "it has an invalid time or day"
    if not _KEY.fullmatch(stored.key):
        return "its key is not 16 hexadecimal digits"
    return _trouble(other, stored)


def _is_time(text: str) -> bool:
    with suppress(ValueError):
        return datetime.fromisoformat(text).isoformat(" ", "seconds") == text
    return False


# -- checking


def problems(library: Library, progress: Callable[[int, int], object], stop: Event | None = None) -> Iterator[str]:
    """Yields the problems of a library, a line each: of the database, and of games whose replay differs."""
    if library.notice:
        yield library.notice
    try:
        with library.reading() as database:
            found = [str(row[0]) for row in database.execute("PRAGMA integrity_check")]
            foreign = database.execute("PRAGMA foreign_key_check")
            broken = [f"{row[0]} refers to a missing row of {row[2]}" for row in foreign]
        yield from (text for text in found if text != "ok")
        yield from broken
        games = library.games()
    except LibraryError as error:
        yield str(error)
        return
    for number, stored in enumerate(games):
        if stop is not None and stop.is_set():
            return
        progress(number, len(games))
        if trouble := _trouble(library, stored):
            yield f"game {stored.id}: {trouble}"
    progress(len(games), len(games))


def _trouble(library: Library, stored: StoredGame) -> str:
    """Reason why a game can't be replayed as it was saved, in one line; empty if it can."""
    try:
        resumed = library.resume(stored)
    except (LevelError, LibraryError) as error:
        return error.message if isinstance(error, LevelError) else str(error)
    if resumed.trouble:
        return resumed.trouble
    outcome = resumed.controller.outcome
    name = outcome.name if outcome is not None else ""
    if (name, resumed.controller.turn.ply) != (stored.outcome, stored.ply):
        came, was = name or "unfinished", stored.outcome or "unfinished"
        return f"comes out {came} at turn {resumed.controller.turn.ply}, is saved as {was} at turn {stored.ply}"
    return ""
