"""The player's library: one SQLite database of all games, turn by turn, with their ends and scores."""

import hashlib
import json
import os
import re
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from datetime import datetime
from pathlib import Path
from secrets import token_hex
from threading import RLock
from typing import Any
from weakref import finalize

from dungeon_tui.core.catalogue import YOU, find_game
from dungeon_tui.core.files import MOST_BYTES, is_gone
from dungeon_tui.core.fingerprints import fingerprint as fingerprint_of
from dungeon_tui.core.level import LevelError, PackedLevel
from dungeon_tui.core.recording import JsonLine, packed_values, read_packed
from dungeon_tui.core.scores import Score
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import reason
from dungeon_tui.storage import database as files
from dungeon_tui.storage.folders import home

NAME = "library.db"
_PLAYER = re.compile(r"@?[\w-]+")  # a shipped strategy, or a program of the settings; others are commands

UNDER_WAY = """ply > 0 AND outcome = '' AND NOT EXISTS (SELECT 1 FROM ends JOIN games AS won ON won.id = ends.game
    WHERE ends.is_won AND (won.id = games.id OR (ends.at >= games.played AND won.removed = ''
    AND (won.game, won.level, won.seed, won.players) = (games.game, games.level, games.seed, games.players))))"""
"""SQL: games that are begun, not over, and not won since."""
WAITS = f"""({UNDER_WAY} OR ply > 0 AND writer != 0 AND NOT EXISTS (
    SELECT 1 FROM ends WHERE ends.game = games.id AND ends.turn = games.present))"""
"""SQL: games that can be continued: under way, or interrupted before the result was stored."""


class LibraryError(ValueError):
    """Raised when the library can't be read or written; names the file and the reason in one line."""


class BusyError(LibraryError):
    """Raised when another process writes for too long; retrying may succeed."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game of the library; the fields are the columns of the table `games`."""

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
    is_undone: bool  # undo was used in the current try
    daily: str
    source: str
    writer: int
    checked: int
    fingerprint: str
    removed: str

    @property
    def was_interrupted(self) -> bool:
        """True if the process that had it open ended without closing it."""
        return self.writer > 0 and is_gone(self.writer)


COLUMNS = [field.name for field in fields(StoredGame)]


@dataclass(frozen=True, slots=True)
class Resumed:
    """A game of the library, replayed to its current turn."""

    stored: StoredGame
    controller: TurnController[Any, Any, Any]
    numbers: Mapping[Turn[Any, Any], int]  # in the library, of each turn
    trouble: str = ""  # why not all of it could be replayed
    notice: str = ""  # the seats that you play now, as their players are commands, which are not run


@dataclass(frozen=True, slots=True)
class End:
    """The end of a game."""

    outcome: str
    is_won: bool
    is_undone: bool  # undo was used
    seconds: float
    at: str  # when, as `timestamp` writes it


class Library:
    """An open database, for use in any thread. All methods raise LibraryError if it can't be read or written."""

    def __init__(self, path: Path, is_foreign: bool = False) -> None:
        """Opens or creates a library, and reads all its pages once; a foreign one must be sound, and is only read.

        A damaged file is set aside and its readable games go to a new one; one that can't be written is `is_readonly`.
        `notice` says either.
        """
        self.path = path
        self.notice = ""
        self.is_readonly = is_foreign
        self._lock = RLock()
        with self._errors():
            if is_foreign:
                if path.stat().st_size > files.MOST_BYTES:
                    raise OSError(f"larger than {files.MOST_BYTES // 2**20:,} MB, the most that is read")
                self._opened(files.open_to_read(path))
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            seen = _identity(path)
            try:
                self._opened(files.open_database(path))
            except sqlite3.NotSupportedError:
                raise
            except sqlite3.Error as error:
                if files.error_code(error) in files.DAMAGED:
                    is_ours = _identity(path) == seen  # if not, another process has set it aside by now
                    connection, self.notice = (
                        files.replace_damaged(path) if is_ours else (files.open_database(path), "")
                    )
                    self._opened(connection)
                elif files.error_code(error) not in files.BUSY and path.is_file():
                    self._opened(files.open_to_read(path))
                    self.is_readonly = True
                    self.notice = f"{printable(str(path))} can't be written ({reason(error)}): no game is saved"
                else:
                    raise

    def _opened(self, connection: sqlite3.Connection) -> None:
        """Takes over a connection: it closes with the library, or when nobody uses the library any more."""
        self.connection = connection
        finalize(self, connection.close)

    def close(self) -> None:
        """Closes the database."""
        with self._lock:
            self.connection.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turns errors of the database and the system into LibraryError."""
        try:
            yield
        except (sqlite3.Error, OSError, OverflowError, UnicodeError) as error:  # the last two: of values to write
            kind = BusyError if files.error_code(error) in files.BUSY else LibraryError
            raise kind(f"{printable(str(self.path))}: {reason(error)}") from error

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yields the connection, for queries."""
        with self._errors(), self._lock:
            yield self.connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Yields the connection in a transaction, its own or the outer one: the block writes everything or nothing."""
        with self._errors(), self._lock:
            if self.connection.in_transaction:
                yield self.connection
                return
            run = self.connection.execute
            try:
                run("BEGIN IMMEDIATE")
                yield self.connection
                run("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    run("ROLLBACK")
                raise

    @contextmanager
    def timeout(self, seconds: float) -> Iterator[None]:
        """Sets how long statements in the block wait while another process writes."""
        with self._errors(), self._lock:
            files.set_timeout(self.connection, seconds)
            try:
                yield
            finally:
                files.set_timeout(self.connection, files.SQLITE_TIMEOUT_S)

    # -- levels

    def keep_level(self, level: PackedLevel) -> str:
        """Saves a level unless it exists; returns its hash."""
        data = json.dumps(packed_values(level), ensure_ascii=True, separators=(",", ":")).encode()
        key = hashlib.sha256(data).hexdigest()
        with self.writing() as database:
            database.execute("INSERT OR IGNORE INTO levels VALUES (?, ?)", (key, zlib.compress(data, 1)))
        return key

    def level(self, key: str) -> PackedLevel:
        """The level with a hash. Raises LevelError if it is damaged or missing."""
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
            raise LevelError(f"level {printable(key[:12])} is damaged or missing", str(self.path)) from None

    # -- games

    def begin(self, **values: Any) -> StoredGame:
        """Creates a game, open in this process, with some columns; its level must exist. Listed from its first turn."""
        now = timestamp()
        values = {"key": token_hex(8), "began": now, "played": now, "writer": os.getpid(), **values}
        values["players"] = json.dumps(values.get("players", {}))
        columns, marks = ", ".join(values), ", ".join("?" * len(values))
        with self.writing() as database:
            made = database.execute(f"INSERT INTO games ({columns}) VALUES ({marks})", (*values.values(),))
            return self._games("id = ?", (made.lastrowid,))[0]

    def change(self, game: int, **values: Any) -> None:
        """Writes some columns of a game."""
        with self.writing() as database:
            _update(database, game, values)

    def add_turns(
        self, game: int, turns: Sequence[tuple[int, str]], present: int, last: int, daily: str = "", **values: Any
    ) -> list[int]:
        """Adds turns (number of the parent, action), the position and other columns; returns the turns' numbers.

        Negative numbers stand for new turns: -1 for the first. `last` is where redo leads to; `daily` the day whose
        counted try the game becomes, unless another is.
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
            present, last = [number if number >= 0 else known - number for number in (present, last)]
            turns_now = known + len(rows)
            position = {"present": present, "last": last, "turns": turns_now, "removed": ""}
            _update(database, game, values | position)
            if daily:
                same = "daily = ? AND game = (SELECT game FROM games WHERE id = ?)"
                query = f"UPDATE games SET daily = ? WHERE id = ? AND NOT EXISTS (SELECT 1 FROM games WHERE {same})"
                database.execute(query, (daily, game, daily, game))
        return [number for _, number, _, _ in rows]

    def leave(self, game: int, **values: Any) -> None:
        """Notes that this process has closed a game in order, and writes some columns of it."""
        with self.writing() as database:
            if values:
                _update(database, game, values)
            database.execute("UPDATE games SET writer = 0 WHERE id = ? AND writer = ?", (game, os.getpid()))

    def add_end(self, game: int, turn: int, end: End, scores: Sequence[Score]) -> None:
        """Adds the end of a game at a turn, with its scores; changes nothing if it is known."""
        with self.writing() as database:
            is_helped = self._helped(database, game)
            row = (game, turn, end.at, end.outcome, end.is_won, is_helped, end.is_undone, end.seconds)
            if database.execute("INSERT OR IGNORE INTO ends VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row).rowcount:
                rows = [
                    (game, turn, rank, each.aim, each.value, each.par, each.is_less_better)
                    for rank, each in enumerate(scores)
                ]
                database.executemany("INSERT INTO scores VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def _helped(self, database: sqlite3.Connection, game: int) -> Any:
        """The game's column `is_helped`. Raises LibraryError if the game is gone."""
        row = database.execute("SELECT is_helped FROM games WHERE id = ?", (game,)).fetchone()
        if row is None:
            raise LibraryError(f"{printable(str(self.path))}: the game has been removed")
        return row[0]

    def games(self, where: str = "1", *values: object) -> list[StoredGame]:
        """The games with turns for which a condition on `games` holds, the last played first."""
        return self._games(f"turns > 0 AND removed = '' AND ({where}) ORDER BY played DESC, id DESC", values)

    def ends(self) -> dict[int, tuple[int, int]]:
        """For each game with an end, by id: the numbers of wins and of losses."""
        with self.reading() as database:
            query = "SELECT game, sum(is_won != 0), sum(is_won = 0) FROM ends GROUP BY game"
            return {game: (won, lost) for game, won, lost in database.execute(query)}

    def game(self, key: str) -> StoredGame:
        """The game with an id, or whose key begins so. Raises LookupError if there is none, or several."""
        found = self.games("id = ?", int(key)) if key.isdecimal() and len(key) < 16 else []
        found = found or self.games("substr(key, 1, length(?1)) = ?1", key)
        if len(found) != 1 or not key:
            raise LookupError(f"{'several games begin' if found else 'no game begins'} with {printable(key)!r}")
        return found[0]

    def _games(self, where: str, values: Sequence[object]) -> list[StoredGame]:
        with self.reading() as database:
            rows = database.execute(f"SELECT {', '.join(COLUMNS)} FROM games WHERE {where}", values).fetchall()
        return [_stored_game(row) for row in rows if files.is_sound("games", row)]

    def turns(self, game: int) -> list[tuple[int, int, str]]:
        """The turns of a game in order: number, number of the parent, text of the action."""
        with self.reading() as database:
            query = "SELECT number, parent, action FROM turns WHERE game = ? ORDER BY number"
            return database.execute(query, (game,)).fetchall()

    def resume(self, stored: StoredGame) -> Resumed:
        """Replays a game, all its branches, and goes to its current turn. Raises LevelError if it can't."""
        # Read the game as it is now, not as it was listed, without turns that another process plays meanwhile.
        if not (found := self._games("id = ?", (stored.id,))):
            raise LevelError("the game has been removed, or is damaged", str(self.path))
        (stored,) = found
        turns = self.turns(stored.id)[: stored.turns]
        # Its game must be installed, with the same rules.
        known = find_game(stored.game)
        if known is None:
            raise LevelError(f"there is no game {stored.game!r}", str(self.path))
        rules = known.rules()
        if stored.rules != rules.VERSION:
            raise LevelError(f"played by rules {stored.rules}, these are rules {rules.VERSION}", str(self.path))
        try:
            controller = TurnController(rules, known.levels().unpack_level(self.level(stored.level)), stored.seed)
        except ValueError as error:
            message = error.message if isinstance(error, LevelError) else str(error)
            raise LevelError(message, str(self.path)) from None
        # Replay all turns; skip those that do not fit, and report the first.
        by_number, trouble = {0: controller.first}, ""
        for number, parent, action in turns:
            try:
                if not isinstance(action, str):
                    raise ValueError("its action is no text")
                if by_number[parent] is not controller.turn:
                    controller.go_to(by_number[parent])
                by_number[number] = controller.apply(rules.read_action(action))
            except (KeyError, ValueError) as error:
                why = f"turn {parent} is missing" if isinstance(error, KeyError) else str(error)
                trouble = trouble or f"Not all of it can be replayed: turn {number}: {why}."
        # Compare a state with the stored fingerprint.
        checked = by_number.get(stored.checked)
        if checked is not None and stored.fingerprint not in ("", fingerprint_of(checked.state)):
            trouble = trouble or f"The replay differs from the game at turn {checked.ply}."
        # Go to the end of redo first, then back to the current turn.
        controller.go_to(by_number.get(stored.last, controller.turn))
        controller.go_to(by_number.get(stored.present, controller.turn))
        # Never run commands from a library: a person plays their seats.
        commands = [seat for seat, player in stored.players.items() if not _PLAYER.fullmatch(player)]
        stored = replace(stored, players={**stored.players, **dict.fromkeys(commands, YOU)})
        notice = f"Commands in a library are not run: you play {' and '.join(commands)} now." if commands else ""
        return Resumed(stored, controller, {turn: number for number, turn in by_number.items()}, trouble, notice)

    # -- removing

    def remove(self, game: int) -> None:
        """Removes a game from all lists; `restore` brings it back until `tidy`."""
        self.change(game, removed=timestamp())

    def forget(self, game: int) -> None:
        """Deletes a game."""
        with self.writing() as database:
            database.execute("DELETE FROM games WHERE id = ?", (game,))

    def restore(self, game: int) -> None:
        """Brings back a removed game."""
        self.change(game, removed="")

    def tidy(self) -> None:
        """Deletes day-old games that are removed or have no turn, and unused levels. Skips it while another writes."""
        with suppress(BusyError), self.timeout(files.SHORT_TIMEOUT_S), self.writing() as database:
            old = "datetime('now', 'localtime', '-1 day')"
            database.execute(f"DELETE FROM games WHERE removed != '' AND removed < {old}")
            query = f"SELECT id, writer FROM games WHERE turns = 0 AND began < {old} AND typeof(writer) = 'integer'"
            left = [(game,) for game, writer in database.execute(query).fetchall() if writer <= 0 or is_gone(writer)]
            database.executemany("DELETE FROM games WHERE id = ?", left)
            database.execute("DELETE FROM levels WHERE hash NOT IN (SELECT level FROM games)")


def timestamp() -> str:
    """The current time as the library writes it: local, to the second."""
    return datetime.now().isoformat(sep=" ", timespec="seconds")


def _stored_game(row: Sequence[Any]) -> StoredGame:
    values: dict[str, Any] = dict(zip(COLUMNS, row, strict=True))
    players: dict[str, str] = {}
    with suppress(ValueError, RecursionError, AttributeError):  # no JSON, or no object
        players = {str(seat): str(player) for seat, player in json.loads(values["players"]).items()}
    flags = {name: bool(values[name]) for name in ("is_won", "is_helped", "is_undone")}
    return StoredGame(**{**values, **flags, "players": players})


def _identity(path: Path) -> tuple[int, int] | None:
    """Identifies the file at a path even after a renaming; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _update(database: sqlite3.Connection, game: int, values: Mapping[str, Any]) -> None:
    assignments = " = ?, ".join(values) + " = ?"
    database.execute(f"UPDATE games SET {assignments} WHERE id = ?", (*values.values(), game))


class LazyLibrary:
    """The player's library, opened when first needed; for use in any thread."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._library: Library | None = None
        self._is_open = False
        self.trouble = ""  # why there is none, or the library's notice

    def get(self) -> Library | None:
        """The library; None if it can't be opened, then `trouble` says why and nothing is saved."""
        with self._lock:
            if not self._is_open:
                self._is_open = True
                try:
                    self._library = library = Library(home() / NAME)
                    self.trouble = library.notice
                    if not library.is_readonly:
                        library.tidy()
                except (LibraryError, OSError) as error:
                    self.trouble = f"Nothing is saved: {error}"
            return self._library

    def close(self) -> None:
        """Closes the library if it is open."""
        with self._lock:
            if self._library is not None:
                self._library.close()
