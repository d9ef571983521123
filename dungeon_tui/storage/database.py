"""The SQLite file of a library: its tables, opening it, and recovering damaged ones."""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted

VERSION = 1
SQLITE_TIMEOUT_S = 5.0
"""How long a program waits while another one writes."""
SHORT_TIMEOUT_S = 0.5
"""The same, for work that can be postponed."""
MOST_BYTES = 2**30  # of a library from elsewhere
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PROTOCOL)  # the second: too many processes
DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
SCHEMA = """
CREATE TABLE levels (hash TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,            -- the same in every library that has the game
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
    outcome TEXT NOT NULL DEFAULT '',    -- of the present turn; empty: the game is unfinished
    is_won INTEGER NOT NULL DEFAULT 0,
    is_helped INTEGER NOT NULL DEFAULT 0,
    is_undone INTEGER NOT NULL DEFAULT 0, -- undo was used in the current try
    daily TEXT NOT NULL DEFAULT '',      -- the day, of the counted try of a daily
    source TEXT NOT NULL DEFAULT '',     -- name of the recording that the game was saved as
    writer INTEGER NOT NULL DEFAULT 0,   -- process that has the game open; 0: none
    checked INTEGER NOT NULL DEFAULT 0,  -- number of a turn, and the fingerprint of its state
    fingerprint TEXT NOT NULL DEFAULT '',
    removed TEXT NOT NULL DEFAULT ''     -- when; empty: it was not
);
CREATE UNIQUE INDEX one_try_a_day ON games (game, daily) WHERE daily != '';
CREATE INDEX games_by_level ON games (level, seed);
CREATE TABLE turns (
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    number INTEGER NOT NULL,             -- from 1, in the order in which they were first played; 0 is the start
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
    is_undone INTEGER NOT NULL,          -- undo was used
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


def _columns(database: sqlite3.Connection, table: str) -> list[tuple[Any, ...]]:
    rows = database.execute(f"PRAGMA table_xinfo({table})")
    return [(name, kind, required, hidden) for _, name, kind, required, _, _, hidden in rows]


def _objects(database: sqlite3.Connection) -> list[tuple[Any, ...]]:
    """Tables, indexes, views and triggers, except SQLite's own."""
    query = (
        "SELECT name, type, rootpage > 0 FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name"
    )
    return database.execute(query).fetchall()


with closing(sqlite3.connect(":memory:")) as _model:
    _model.executescript(SCHEMA)
    _OBJECTS = _objects(_model)
    _TABLES = {name: _columns(_model, name) for name, kind, _ in _OBJECTS if kind == "table"}
_KINDS = {"INTEGER": int, "TEXT": str, "REAL": float, "BLOB": bytes}


def is_sound(table: str, row: tuple[Any, ...]) -> bool:
    """True if the values of a row have the types of their columns, which SQLite doesn't enforce."""
    return len(row) == len(_TABLES[table]) and all(
        type(value) is _KINDS[kind] or (value is None and not is_required)
        for value, (_, kind, is_required, _) in zip(row, _TABLES[table], strict=True)
    )


def error_code(error: BaseException) -> int:
    """The primary SQLite code of an error; 0 if it has none."""
    code: int = getattr(error.__cause__ or error, "sqlite_errorcode", 0) or 0
    return code & 0xFF


# -- opening


def open_database(path: Path) -> sqlite3.Connection:
    """Opens a library, creating its tables, and reads all its pages. Raises sqlite3.Error if it can't, or is newer."""
    database = connect(path)
    try:
        with _damage():
            is_new = _version(database) == 0  # first, so that a newer version stays unchanged
            database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")  # a turn is durable once it is committed
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("PRAGMA wal_autocheckpoint = 100")  # pages: often and little, so that no turn waits long
        if not is_new:
            _refuse_damage(database)
        set_timeout(database, SQLITE_TIMEOUT_S if is_new else SHORT_TIMEOUT_S)
        try:
            make_tables(database)
        except sqlite3.OperationalError as error:
            if is_new or error_code(error) not in BUSY:  # a library that another program writes to can be used
                raise
        set_timeout(database, SQLITE_TIMEOUT_S)
    except BaseException:
        database.close()
        raise
    return database


def make_tables(database: sqlite3.Connection) -> None:
    """Creates the tables of a new library; fails if a library can't be written."""
    database.execute("BEGIN IMMEDIATE")
    if _version(database):  # another process may have been first
        database.execute("DELETE FROM games WHERE 0")  # writes nothing, but needs a file that can be written
    elif database.execute("PRAGMA page_count").fetchone()[0] > 1:
        raise _corrupt("it says that it is new, and isn't")
    else:
        for statement in SCHEMA.split(";\n"):
            database.execute(statement)
        database.execute(f"PRAGMA user_version = {VERSION}")
    database.execute("COMMIT")


def open_to_read(path: Path) -> sqlite3.Connection:
    """Opens a library to read it only, and reads all its pages. Raises sqlite3.Error if it can't, or is newer."""
    has_log = path.with_name(f"{path.name}-wal").exists()
    for query in ["?mode=ro", "?immutable=1"][not has_log :]:  # the second one if not even a lock can be written
        database = connect(path, query)
        try:
            database.execute("PRAGMA trusted_schema = OFF")
            if _version(database) == 0:
                raise sqlite3.DatabaseError("no library of dungeon-tui")
            _refuse_damage(database)
        except BaseException as error:
            database.close()
            if query == "?immutable=1" or error_code(error) in DAMAGED or not isinstance(error, sqlite3.Error):
                raise
        else:
            break
    return database


def connect(path: Path, query: str = "") -> sqlite3.Connection:
    """A connection in autocommit mode: `Library.writing` begins and ends transactions."""
    name = f"{path.absolute().as_uri()}{query}"
    database = sqlite3.connect(name, timeout=SQLITE_TIMEOUT_S, isolation_level=None, check_same_thread=False, uri=True)
    database.text_factory = lambda data: data.decode(errors="replace")  # one bad byte makes no row unreadable
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES // 4)
    return database


def set_timeout(database: sqlite3.Connection, seconds: float) -> None:
    """Sets how long a statement waits while another program writes."""
    database.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")


def _version(database: sqlite3.Connection) -> int:
    found: int = database.execute("PRAGMA user_version").fetchone()[0]
    if found > VERSION:
        raise sqlite3.NotSupportedError(
            f"of a newer version of this program (library {found}, this one knows {VERSION}); it stays unchanged"
        )
    return found


def _refuse_damage(database: sqlite3.Connection) -> None:
    """Raises the error of a damaged file unless all pages can be read and the tables are exactly a library's."""
    with _damage():
        if _objects(database) != _OBJECTS or any(_columns(database, name) != _TABLES[name] for name in _TABLES):
            raise _corrupt("its tables are not a library's")
        (found,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise _corrupt(found.splitlines()[-1])


@contextmanager
def _damage() -> Iterator[None]:
    """Turns errors in our own statements, for example missing tables, into the error of a damaged file."""
    try:
        yield
    except sqlite3.Error as error:
        raise (_corrupt(str(error)) if error_code(error) == sqlite3.SQLITE_ERROR else error) from None


def _corrupt(found: str) -> sqlite3.DatabaseError:
    """The error of a damaged file, as SQLite raises it."""
    error = sqlite3.DatabaseError(found)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


# -- damaged files


def replace_damaged(path: Path) -> tuple[sqlite3.Connection, str]:
    """Sets a damaged library aside and copies its readable games to a new one; returns that, and one line about it."""
    stem = f"{path.name}.damaged-{datetime.now():%Y-%m-%d-%H%M%S}"
    names = (path.with_name(f"{stem}-{number}" if number > 1 else stem) for number in count(1))
    aside = next(name for name in names if not os.path.lexists(name))
    for ending in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
    database = open_database(path)
    database.execute("BEGIN IMMEDIATE")
    has_log = aside.with_name(f"{aside.name}-wal").exists()  # if not, don't create one
    with closing(connect(aside, "?mode=ro" if has_log else "?immutable=1")) as source:
        number = sum(copy_game(source, database, game["id"], game) for game in _games(source))
    database.execute("COMMIT")
    saved = f"{counted(number, 'game') if number else 'none of its games'} could be read"
    return database, f"{printable(str(path))} is damaged and was renamed to {printable(aside.name)}; {saved}"


def _games(source: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """The rows of games, read from both ends, so that an unreadable page hides only its own rows."""
    seen, names = set(), [column[0] for column in _TABLES["games"]]
    for sign, order, last in ((">", "ASC", -(2**63)), ("<", "DESC", 2**63 - 1)):
        query = f"SELECT {', '.join(names)} FROM games WHERE id {sign} ? ORDER BY id {order} LIMIT 1"
        with suppress(sqlite3.Error):  # row by row: with read-ahead a bad row would hide this one
            while (row := source.execute(query, (last,)).fetchone()) is not None and row[0] not in seen:
                seen.add(last := row[0])
                if is_sound("games", row):
                    yield dict(zip(names, row, strict=True))


def copy_game(source: sqlite3.Connection, database: sqlite3.Connection, game: int, values: Mapping[str, Any]) -> bool:
    """Copies a game, with its level, turns, ends and scores, to another library within a transaction there.

    `game` is the id in the source; `values` become the columns of `games` in the other library. Returns False, with
    nothing copied, if a part of it can't be read or is unsound.
    """
    try:
        parts = {"levels": source.execute("SELECT * FROM levels WHERE hash = ?", (values["level"],)).fetchall()}
        for name in ("turns", "ends", "scores"):
            parts[name] = source.execute(f"SELECT * FROM {name} WHERE game = ?", (game,)).fetchall()
    except sqlite3.Error:
        return False
    if len(parts["turns"]) != values["turns"] or not all(is_sound(name, row) for name in parts for row in parts[name]):
        return False
    database.execute("SAVEPOINT game")
    try:
        database.executemany("INSERT OR IGNORE INTO levels VALUES (?, ?)", parts.pop("levels"))
        made = database.execute(
            f"INSERT INTO games ({', '.join(values)}) VALUES ({_marks(values)})", (*values.values(),)
        )
        for name, rows in parts.items():
            query = f"INSERT INTO {name} VALUES ({_marks(_TABLES[name])})"
            database.executemany(query, [(made.lastrowid, *row[1:]) for row in rows])
    except sqlite3.IntegrityError:  # a key twice, a score of no end
        database.execute("ROLLBACK TO game")
        return False
    finally:
        database.execute("RELEASE game")
    return True


def _marks(values: Any) -> str:
    return ", ".join("?" * len(values))
