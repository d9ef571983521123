"""The player's library: one SQLite database of all games, turn by turn, with their ends and scores."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from datetime import datetime
from itertools import count
from pathlib import Path
from secrets import token_hex
from threading import RLock
from typing import Any

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.files import MOST_BYTES, is_gone
from dungeon_tui.core.level import LevelError, PackedLevel
from dungeon_tui.core.recording import JsonLine, packed_values, read_packed
from dungeon_tui.core.scores import Score
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import counted, reason
from dungeon_tui.storage.places import home
from dungeon_tui.storage.salvage import salvage

NAME = "library.db"
VERSION = 1
_PATIENCE = 5  # seconds that another process may take to write
_MOMENT = 0.5  # the same for what can be done another time
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PROTOCOL)  # the second one: too many at once
_DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_UNWRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
_SCHEMA = """
CREATE TABLE levels (hash TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,            -- the same in every library that the game was brought to
    game TEXT NOT NULL,
    rules INTEGER NOT NULL,
    level TEXT NOT NULL REFERENCES levels,
    seed INTEGER NOT NULL,
    title TEXT NOT NULL,
    arguments TEXT NOT NULL DEFAULT '',  -- of GAME play, which open the level again
    players TEXT NOT NULL DEFAULT '{}',  -- by seat, as JSON
    began TEXT NOT NULL,                 -- local time, 2026-11-22 20:15:03
    played TEXT NOT NULL,                -- the last turn's time
    seconds REAL NOT NULL DEFAULT 0,
    turns INTEGER NOT NULL DEFAULT 0,    -- played, on all branches
    present INTEGER NOT NULL DEFAULT 0,  -- number of the turn where play stands
    last INTEGER NOT NULL DEFAULT 0,     -- number of the last turn that redo leads to
    ply INTEGER NOT NULL DEFAULT 0,      -- of the present turn
    outcome TEXT NOT NULL DEFAULT '',    -- of the present turn; empty: it goes on
    is_won INTEGER NOT NULL DEFAULT 0,
    is_helped INTEGER NOT NULL DEFAULT 0,
    daily TEXT NOT NULL DEFAULT '',      -- the day, of the counted try of a daily
    source TEXT NOT NULL DEFAULT '',     -- name of the recording that it was taken from, or saved as
    writer INTEGER NOT NULL DEFAULT 0,   -- process that has it open; 0: it was left in order; below 0: cut off
    checked INTEGER NOT NULL DEFAULT 0,  -- number of a turn, and the fingerprint of its state
    fingerprint TEXT NOT NULL DEFAULT '',
    removed TEXT NOT NULL DEFAULT ''     -- when; empty: it was not
);
CREATE UNIQUE INDEX one_try_a_day ON games (game, daily) WHERE daily != '';
CREATE INDEX games_by_level ON games (level, seed);
CREATE TABLE turns (
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    number INTEGER NOT NULL,             -- from 1 on, as they were first played; 0 is the start
    parent INTEGER NOT NULL,
    action TEXT NOT NULL,
    PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE ends (
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    turn INTEGER NOT NULL,
    at TEXT NOT NULL,
    outcome TEXT NOT NULL,
    is_won INTEGER NOT NULL,
    is_helped INTEGER NOT NULL,          -- by a hint, or the analysis
    is_undone INTEGER NOT NULL,          -- a move was taken back and another one played
    seconds REAL NOT NULL,
    PRIMARY KEY (game, turn)
) WITHOUT ROWID;
CREATE TABLE scores (
    game INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    place INTEGER NOT NULL,              -- from 0, the most important first
    aim TEXT NOT NULL,
    value INTEGER NOT NULL,
    par INTEGER,
    is_less_better INTEGER NOT NULL,
    PRIMARY KEY (game, turn, place),
    FOREIGN KEY (game, turn) REFERENCES ends ON DELETE CASCADE
) WITHOUT ROWID;
"""

_TABLES = {
    "games": "removed",
    "levels": "hash, data",
    "turns": "game, number, parent, action",
    "ends": "game, turn, at, outcome, is_won, is_helped, is_undone, seconds",
    "scores": "game, turn, place, aim, value, par, is_less_better",
}
"""The tables with their columns, but for those of a KeptGame."""

WAITS = """outcome = '' OR (writer != 0 AND NOT EXISTS (
    SELECT 1 FROM ends WHERE ends.game = games.id AND ends.turn = games.present))"""
"""The condition of games to be gone on with: those that go on, and those cut off at their end before it was told."""


class LibraryError(ValueError):
    """The library can't be read or written: which file, and why, in one line."""


class BusyError(LibraryError):
    """Another process writes to the library for longer than one waits; a moment later the same may succeed."""


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game of the library as lists show it; the fields are columns of the table `games`."""

    id: int
    key: str
    game: str
    rules: int
    level: str
    seed: int
    title: str
    arguments: str
    players: Mapping[str, str]
    began: str
    played: str
    seconds: float
    turns: int
    present: int
    last: int
    ply: int
    outcome: str
    is_won: bool
    is_helped: bool
    daily: str
    source: str
    writer: int
    checked: int
    fingerprint: str

    @property
    def was_interrupted(self) -> bool:
        """True if the process that played it has gone without leaving the game."""
        return self.writer < 0 or (self.writer > 0 and is_gone(self.writer))


_COLUMNS = [field.name for field in fields(KeptGame)]
_TYPES = tuple(
    {"str": str, "float": float, "Mapping[str, str]": str}.get(str(each.type), int) for each in fields(KeptGame)
)


@dataclass(frozen=True, slots=True)
class Resumed:
    """A game of the library, played again up to its present turn."""

    kept: KeptGame
    controller: TurnController[Any, Any, Any]
    numbers: Mapping[Turn[Any, Any], int]  # in the library, of each turn
    trouble: str = ""  # why not all of it could be played again; empty: all was


@dataclass(frozen=True, slots=True)
class End:
    """The end of a game."""

    outcome: str
    is_won: bool
    is_undone: bool  # moves were taken back, and others played
    seconds: float
    at: str  # when, as `timestamp` writes it


class Library:
    """A database, open; its methods may be called from any thread.

    All raise LibraryError where the database can't be read or written.
    """

    def __init__(self, path: Path) -> None:
        """Opens a library; makes a new one where none is, brings an older one up to date.

        A file that is no database, or a damaged one, is set aside: `notice` says under which name, and how many of its
        games, which can be read, are in the new one. One that can't be written can be read all the same: `is_readonly`.
        """
        self.path = path
        self.notice = ""
        self.is_readonly = self.is_new = False
        self.is_damaged = False  # as was seen since it was opened: the next start looks through it
        self._lock = RLock()
        self._depth = 0  # of blocks that write
        with self._told():
            path.parent.mkdir(parents=True, exist_ok=True)
            seen = _identity(path)
            try:
                self._open()
            except (sqlite3.Error, LibraryError) as error:
                kind = _kind(error)
                if kind in _UNWRITABLE and path.is_file():
                    self._open_readonly()
                    self.notice = f"{printable(str(path))} can't be written: nothing is kept"
                elif kind in _DAMAGED:
                    is_ours = _identity(path) == seen  # else another process has set it aside by now
                    aside = self._set_aside() if is_ours else None
                    self._open()
                    if aside is not None:
                        self.notice = f"{printable(str(path))} is damaged; it is set aside as {printable(aside.name)}"
                        number = self._salvage(aside)
                        self.notice += f"; {counted(number, 'game') if number else 'none of its games'} could be read"
                else:
                    raise
        self.is_damaged = False

    def close(self) -> None:
        """Closes the database."""
        with self._lock:
            self._connection.close()

    def _connect(self, query: str = "") -> sqlite3.Connection:
        # In autocommit mode: transactions are begun and ended by `writing`.
        name = f"{self.path.absolute().as_uri()}{query}"
        return sqlite3.connect(name, _PATIENCE, isolation_level=None, check_same_thread=False, uri=True)

    def _open(self) -> None:
        """Opens the database for reading and writing, and brings it up to date."""
        self._connection = self._connect()
        try:
            run = self._connection.execute
            with _checked():
                version = self._version()  # before anything is changed: one of a newer program is left as it is
                run("PRAGMA journal_mode = WAL")
            run("PRAGMA synchronous = FULL")  # a turn is durable once it is committed
            run("PRAGMA foreign_keys = ON")
            run("PRAGMA wal_autocheckpoint = 100")  # pages: a little now and then, so that no turn waits for long
            if version == VERSION:
                with _checked():  # before anything is written: a damaged one is set aside as it was found
                    self._look_through()
            try:
                with self.patience(_PATIENCE if version < VERSION else _MOMENT):
                    self._migrate()
            except BusyError:  # where nothing is to be brought up to date, it is another one's turn to write
                if version < VERSION:
                    raise
        except BaseException:
            self._connection.close()
            raise

    def _open_readonly(self) -> None:
        self.is_readonly = True
        for query in ("?mode=ro", "?immutable=1"):  # the second one where not even a lock can be written
            self._connection = self._connect(query)
            try:
                if self._version() < VERSION:
                    raise LibraryError(f"{printable(str(self.path))}: of an older version, and can't be written")
                return
            except BaseException as error:
                self._connection.close()
                if not isinstance(error, sqlite3.Error) or "immutable" in query:
                    raise

    def _version(self) -> int:
        found: int = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if found > VERSION:
            raise LibraryError(
                f"{printable(str(self.path))}: of a newer version of this program "
                f"(library {found}, this one knows {VERSION}); it is left as it is"
            )
        return found

    def _migrate(self) -> None:
        """Brings the database up to date, after a copy was made of it; fails if it can't be written."""
        with self.writing() as database:
            version = self._version()  # another process may have been first
            self.is_new = version == 0
            if version == VERSION:
                database.execute("DELETE FROM games WHERE 0")  # writes nothing, but fails where nothing can be written
                return
            if version > 0:
                self._back_up(version)
            elif database.execute("PRAGMA page_count").fetchone()[0] > 1:
                raise _damage("it says that it is new, and isn't")
            for step in _MIGRATIONS[version:]:
                for statement in step.split(";\n"):
                    database.execute(statement)
            database.execute(f"PRAGMA user_version = {VERSION}")

    def _back_up(self, version: int) -> None:
        """Copies the database, as it was before the transaction, to a file of a name that was free."""
        copy, source = sqlite3.connect(self._free_name(f"version-{version}")), self._connect()
        try:
            source.backup(copy)
        finally:
            source.close()
            copy.close()

    def _free_name(self, word: str) -> Path:
        stem = f"{self.path.name}.{word}"
        names = (self.path.with_name(f"{stem}-{number}" if number > 1 else stem) for number in count(1))
        return next(path for path in names if not os.path.lexists(path))

    def _look_through(self) -> None:
        """Raises an error of a damaged file where that is seen.

        All pages are read if a game was not left in order, or where damage was seen before.
        """
        for name, columns in _TABLES.items():
            self._connection.execute(f"SELECT {columns} FROM {name} LIMIT 0")
        cut_off = [(kept.id, kept.writer) for kept in self._games("writer > 0", ()) if kept.was_interrupted]
        is_suspect = suspicion(self.path).exists()
        if cut_off or is_suspect:
            (found,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise _damage(found)
            with suppress(BusyError), self.patience(_MOMENT), self.writing() as database:  # so once for each of them
                database.executemany("UPDATE games SET writer = -writer WHERE id = ? AND writer = ?", cut_off)
            with suppress(OSError):
                suspicion(self.path).unlink()

    def _salvage(self, aside: Path) -> int:
        """Takes over the games that can be read from a damaged database; returns their number."""
        with self.writing() as database:
            return salvage(aside, database, {**dict(zip(_COLUMNS, _TYPES, strict=True)), "removed": str})

    def _set_aside(self) -> Path:
        """Gives the database's files another name, and returns its new path."""
        aside = self._free_name(f"damaged-{datetime.now():%Y-%m-%d-%H%M%S}")
        for ending in ("-wal", "-shm", ""):
            with suppress(FileNotFoundError):
                self.path.with_name(self.path.name + ending).rename(aside.with_name(aside.name + ending))
        with suppress(OSError):
            suspicion(self.path).unlink()
        return aside

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Raises LibraryError for errors of the database and the system."""
        try:
            yield
        except (sqlite3.Error, OSError, OverflowError, UnicodeError) as error:  # the last two: of what is to be written
            if _kind(error) in _DAMAGED:
                self.is_damaged = True
                with suppress(OSError):
                    suspicion(self.path).touch()
            kind = BusyError if _kind(error) in _BUSY else LibraryError
            raise kind(f"{printable(str(self.path))}: {reason(error)}") from error

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yields the connection, for queries."""
        with self._told(), self._lock:
            yield self._connection

    @contextmanager
    def at_one_moment(self) -> Iterator[sqlite3.Connection]:
        """Yields the connection; all that the block reads is of one moment, whoever else is writing."""
        with self.reading() as database:
            database.execute("BEGIN")
            try:
                yield database
            finally:
                with suppress(sqlite3.Error):
                    database.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Yields the connection within a transaction: all that the block writes is durable after it, or nothing is.

        A block within another one is a part of its transaction.
        """
        with self._told(), self._lock:
            run, is_part = self._connection.execute, self._depth > 0
            self._depth += 1
            try:
                if not is_part:
                    run("BEGIN IMMEDIATE")
                yield self._connection
                if not is_part:
                    run("COMMIT")
            except BaseException:
                if not is_part:
                    with suppress(sqlite3.Error):
                        run("ROLLBACK")
                raise
            finally:
                self._depth -= 1

    @contextmanager
    def patience(self, seconds: float) -> Iterator[None]:
        """Waits so long, not the usual seconds, for others that write, within the block."""
        with self._told(), self._lock:
            self._connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")
            try:
                yield
            finally:
                self._connection.execute(f"PRAGMA busy_timeout = {_PATIENCE * 1000}")

    # -- levels

    def keep_level(self, level: PackedLevel) -> str:
        """Keeps a level, unless it is there; returns its hash."""
        row = packed(level)
        with self.writing() as database:
            database.execute("INSERT OR IGNORE INTO levels VALUES (?, ?)", row)
        return row[0]

    def level(self, key: str) -> PackedLevel:
        """The level of a hash.

        Raises:
            LevelError: what is kept is no level.
        """
        with self.reading() as database:
            row = database.execute("SELECT data FROM levels WHERE hash = ?", (key,)).fetchone()
        try:
            data = zlib.decompressobj().decompress(row[0], MOST_BYTES)
            if hashlib.sha256(data).hexdigest() != key:
                raise ValueError
            return read_packed(JsonLine(str(self.path), 1, data.decode()))
        except LevelError:
            raise
        except (TypeError, ValueError, zlib.error):
            raise LevelError(f"level {printable(key[:12])} is damaged, or isn't there", str(self.path)) from None

    # -- games

    def begin(self, **values: Any) -> KeptGame:
        """Begins a game, open in this process, with some of the columns of `games`; its level must be kept.

        It is listed from its first turn on.
        """
        now = timestamp()
        values = {"key": token_hex(8), "began": now, "played": now, "writer": os.getpid(), **values}
        values["players"] = json.dumps(values.get("players", {}))
        columns, marks = ", ".join(values), ", ".join("?" * len(values))
        with self.writing() as database:
            made = database.execute(f"INSERT INTO games ({columns}) VALUES ({marks})", (*values.values(),))
            assert made.lastrowid is not None
            return self._only("id = ?", made.lastrowid)

    def change(self, game: int, **values: Any) -> None:
        """Writes some columns of a game."""
        with self.writing() as database:
            self._change(database, game, values)

    @staticmethod
    def _change(database: sqlite3.Connection, game: int, values: Mapping[str, Any]) -> None:
        if values:
            assignments = ", ".join(f"{name} = ?" for name in values)
            database.execute(f"UPDATE games SET {assignments} WHERE id = ?", (*values.values(), game))

    def add_turns(
        self, game: int, turns: Sequence[tuple[int, str]], present: int, last: int, daily: str = "", **values: Any
    ) -> list[int]:
        """Adds turns to a game, and writes where it stands.

        Args:
            game: its id.
            turns: of each new one, the number of the turn before, and the action's text. A number below 0 stands for
                one of these here: -1 for the first of them. So in the next two.
            present: the number of the turn where play stands.
            last: the number of the last turn that redo leads to.
            daily: the day whose counted try it becomes, unless another game is that.
            values: further columns of the game.

        Returns:
            The numbers of the new turns.
        """
        with self.writing() as database:
            self._helped(database, game)
            query = "SELECT coalesce(max(number), 0) FROM turns WHERE game = ?"
            known: int = database.execute(query, (game,)).fetchone()[0]  # another process may have played it, too
            rows = [
                (game, number, before if before >= 0 else known - before, action)
                for number, (before, action) in enumerate(turns, known + 1)
            ]
            database.executemany("INSERT INTO turns VALUES (?, ?, ?, ?)", rows)
            present, last = (number if number >= 0 else known - number for number in (present, last))
            turns_now = known + len(rows)
            place = {"present": present, "last": last, "turns": turns_now, "removed": ""}
            self._change(database, game, {**values, **place})
            if daily:
                same = "daily = ? AND game = (SELECT game FROM games WHERE id = ?)"
                database.execute(f"UPDATE games SET daily = '' WHERE {same} AND turns = 0", (daily, game))
                query = f"UPDATE games SET daily = ? WHERE id = ? AND NOT EXISTS (SELECT 1 FROM games WHERE {same})"
                database.execute(query, (daily, game, daily, game))
        return [number for _, number, _, _ in rows]

    def leave(self, game: int, **values: Any) -> None:
        """Notes that this process has left a game in order, and writes some columns of it; another may have it open."""
        with self.writing() as database:
            self._change(database, game, values)
            database.execute("UPDATE games SET writer = 0 WHERE id = ? AND writer = ?", (game, os.getpid()))

    def add_end(self, game: int, turn: int, end: End, scores: Sequence[Score]) -> None:
        """Adds the end of a game, at the turn of a number, with its scores; where that is known, nothing changes."""
        with self.writing() as database:
            is_helped = self._helped(database, game)
            row = (game, turn, end.at, end.outcome, end.is_won, is_helped, end.is_undone, end.seconds)
            if database.execute("INSERT OR IGNORE INTO ends VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row).rowcount:
                rows = [
                    (game, turn, place, each.aim, each.value, each.par, each.is_less_better)
                    for place, each in enumerate(scores)
                ]
                database.executemany("INSERT INTO scores VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def _helped(self, database: sqlite3.Connection, game: int) -> Any:
        """The game's column `is_helped`; LibraryError if there is no such game any more."""
        row = database.execute("SELECT is_helped FROM games WHERE id = ?", (game,)).fetchone()
        if row is None:
            raise LibraryError(f"{printable(str(self.path))}: the game was removed meanwhile")
        return row[0]

    def games(self, where: str = "1", *values: object) -> list[KeptGame]:
        """The games with at least one turn that a condition on `games` holds for, the last one played first."""
        return self._games(f"turns > 0 AND removed = '' AND ({where}) ORDER BY played DESC, id DESC", values)

    def ends(self) -> dict[int, tuple[int, int]]:
        """The ends of each game that came to one, by its id: how many were won, and how many were not."""
        with self.reading() as database:
            query = "SELECT game, sum(is_won != 0), sum(is_won = 0) FROM ends GROUP BY game"
            return {game: (won, lost) for game, won, lost in database.execute(query)}

    def game(self, key: str) -> KeptGame:
        """The game of an id, or of the beginning of a key.

        Raises:
            LookupError: there is none, or there are several.
        """
        found = self.games("id = ?", int(key)) if key.isdecimal() and len(key) < 16 else []
        found = found or self.games("substr(key, 1, length(?1)) = ?1", key)
        if len(found) != 1 or not key:
            raise LookupError(f"{'several games begin' if found else 'no game begins'} with {printable(key)!r}")
        return found[0]

    def _only(self, where: str, *values: object) -> KeptGame:
        return self._games(where, values)[0]

    def _games(self, where: str, values: Sequence[object]) -> list[KeptGame]:
        with self.reading() as database:
            rows = database.execute(f"SELECT {', '.join(_COLUMNS)} FROM games WHERE {where}", values).fetchall()
        return [_kept(row) for row in rows if tuple(map(type, row)) == _TYPES]  # others are damaged

    def turns(self, game: int) -> list[tuple[int, int, str]]:
        """The turns of a game by their numbers: number, number of the turn before, text of the action."""
        with self.reading() as database:
            query = "SELECT number, parent, action FROM turns WHERE game = ? ORDER BY number"
            return database.execute(query, (game,)).fetchall()

    def resume(self, kept: KeptGame) -> Resumed:
        """Plays a game of the library again, all its branches, and goes to its present turn, as it is kept by now.

        Raises:
            LevelError: its level can't be read, its rules are of another version, or it was removed.
        """
        with self.at_one_moment():
            found, turns = self._games("id = ?", (kept.id,)), self.turns(kept.id)
        if not found:
            raise LevelError("the game was removed meanwhile, or is damaged", str(self.path))
        (kept,) = found
        known = find_game(kept.game)
        if known is None:
            raise LevelError(f"there is no game {kept.game!r}", str(self.path))
        rules = known.rules()
        if kept.rules != rules.VERSION:
            raise LevelError(f"played by rules {kept.rules}, these are rules {rules.VERSION}", str(self.path))
        try:
            controller = TurnController(rules, known.levels().unpack_level(self.level(kept.level)), kept.seed)
        except ValueError as error:
            message = error.message if isinstance(error, LevelError) else str(error)
            raise LevelError(message, str(self.path)) from None
        by_number, trouble = {0: controller.first}, ""
        for number, parent, action in turns:
            try:
                if not isinstance(action, str):
                    raise ValueError("it is no text")
                if by_number[parent] is not controller.turn:
                    controller.go_to(by_number[parent])
                by_number[number] = controller.apply(rules.read_action(action))
            except (KeyError, ValueError) as error:
                why = f"turn {parent} is missing" if isinstance(error, KeyError) else str(error)
                trouble = trouble or f"Not all of it can be played again: turn {number}: {why}."
        checked = by_number.get(kept.checked)
        if checked is not None and kept.fingerprint not in ("", rules.fingerprint(checked.state)):
            trouble = trouble or f"It comes out otherwise than it was played: turn {checked.ply}."
        controller.go_to(by_number.get(kept.last, controller.turn))
        controller.go_to(by_number.get(kept.present, controller.turn))
        return Resumed(kept, controller, {turn: number for number, turn in by_number.items()}, trouble)

    # -- removing

    def remove(self, game: int) -> None:
        """Takes a game off all lists; `restore` brings it back until `tidy`."""
        self.change(game, removed=timestamp())

    def forget(self, game: int) -> None:
        """Forgets a game for good."""
        with self.writing() as database:
            database.execute("DELETE FROM games WHERE id = ?", (game,))

    def restore(self, game: int) -> None:
        """Brings back a game that was removed."""
        self.change(game, removed="")

    def tidy(self) -> None:
        """Forgets for good, a day later, games that were removed or never got a turn; and levels of no game.

        Does nothing while another process writes.
        """
        with suppress(BusyError), self.patience(_MOMENT), self.writing() as database:
            old = "datetime('now', 'localtime', '-1 day')"
            database.execute(f"DELETE FROM games WHERE removed != '' AND removed < {old}")
            query = f"SELECT id, writer FROM games WHERE turns = 0 AND began < {old} AND typeof(writer) = 'integer'"
            left = [(game,) for game, writer in database.execute(query).fetchall() if writer <= 0 or is_gone(writer)]
            database.executemany("DELETE FROM games WHERE id = ?", left)
            database.execute("DELETE FROM levels WHERE hash NOT IN (SELECT level FROM games)")


_MIGRATIONS = (_SCHEMA,)  # from version n to n + 1


def suspicion(path: Path) -> Path:
    """The path of an empty file beside a library in which damage was seen, for the next start to look through it."""
    return path.with_name(f"{path.name}.suspect")


def packed(level: PackedLevel) -> tuple[str, bytes]:
    """A level's row of `levels`: its hash, and its files, compressed."""
    data = json.dumps(packed_values(level), ensure_ascii=True, separators=(",", ":")).encode()
    return hashlib.sha256(data).hexdigest(), zlib.compress(data, 1)


def timestamp() -> str:
    """The present time as the library writes it: local, to the second."""
    return datetime.now().isoformat(sep=" ", timespec="seconds")


def _kept(row: Sequence[Any]) -> KeptGame:
    values: dict[str, Any] = dict(zip(_COLUMNS, row, strict=True))
    try:
        players = json.loads(values["players"])
    except (ValueError, RecursionError):
        players = {}
    values["players"] = (
        {str(seat): str(player) for seat, player in players.items()} if isinstance(players, dict) else {}
    )
    return KeptGame(**{**values, "is_won": bool(values["is_won"]), "is_helped": bool(values["is_helped"])})


def _kind(error: BaseException) -> int:
    """The primary code of an error of the database; 0 for another error."""
    code: int = getattr(error.__cause__ or error, "sqlite_errorcode", 0)
    return code & 0xFF


@contextmanager
def _checked() -> Iterator[None]:
    """Takes errors in statements for damage: tables are missing, or the file says what none does."""
    try:
        yield
    except (sqlite3.Error, LibraryError) as error:
        raise (_damage(str(error)) if _kind(error) == sqlite3.SQLITE_ERROR else error) from error.__cause__


def _damage(found: str) -> sqlite3.DatabaseError:
    """The error of a damaged file, as SQLite raises it."""
    error = sqlite3.DatabaseError(found)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def _identity(path: Path) -> tuple[int, int] | None:
    """The file that lies at a path, whatever its name will be; None if none does."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class LazyLibrary:
    """The player's library, opened when it is first asked for; may be asked from any thread."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._library: Library | None = None
        self._is_open = False
        self.trouble = ""  # why there is none, or what was done to it: a sentence without its full stop

    def get(self) -> Library | None:
        """The library; None where it can't be opened: `trouble` says why, and nothing is kept."""
        with self._lock:
            if not self._is_open:
                self._is_open = True
                try:
                    self._library = library = Library(home() / NAME)
                    if not library.is_readonly:
                        self._tidy(library)
                    self.trouble = self._library.notice
                except (LibraryError, OSError) as error:
                    self.trouble = f"Nothing is kept: {error}"
            return self._library

    def _tidy(self, library: Library) -> None:
        try:
            library.tidy()
        except LibraryError:
            if not library.is_damaged:
                raise
            library.close()
            self._library = Library(library.path)  # looks through it, and sets it aside

    def close(self) -> None:
        """Closes the library, if it was opened."""
        with self._lock:
            if self._library is not None:
                self._library.close()
