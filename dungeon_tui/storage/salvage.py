"""Games that can still be read from a damaged database, taken over into a new one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

_PARTS = {"turns": 4, "ends": 8, "scores": 7}
"""The tables with rows of a game, whose id comes first, and their numbers of columns; ends before their scores."""


def salvage(damaged: Path, database: sqlite3.Connection, columns: Mapping[str, type]) -> int:
    """Copies the games of a damaged database, each whole or not at all; returns the number of those copied.

    Args:
        damaged: is read, and left as it is.
        database: within a transaction; it has the same tables.
        columns: of `games` with the types of their values, the id first.

    Raises:
        sqlite3.Error: the new database can't be written.
    """
    has_log = damaged.with_name(f"{damaged.name}-wal").exists()  # else no file shall come to lie beside it
    query = "mode=ro" if has_log else "immutable=1"
    with closing(sqlite3.connect(f"{damaged.absolute().as_uri()}?{query}", uri=True)) as source:
        source.text_factory = lambda text: text.decode(errors="replace")
        return sum(_copy(source, database, game) for game in _games(source, columns))


def _games(source: sqlite3.Connection, columns: Mapping[str, type]) -> Iterator[dict[str, Any]]:
    """The rows of games, from both ends: one page that can't be read hides none but its own."""
    seen = set()
    for sign, order, last in ((">", "ASC", -(2**63)), ("<", "DESC", 2**63 - 1)):
        query = f"SELECT {', '.join(columns)} FROM games WHERE id {sign} ? ORDER BY id {order} LIMIT 1"
        with suppress(sqlite3.Error):  # row by row: with a row the next one is read, too, and both are lost
            while (row := source.execute(query, (last,)).fetchone()) is not None and row[0] not in seen:
                seen.add(last := row[0])
                if tuple(map(type, row)) == (*columns.values(),):
                    yield dict(zip(columns, row, strict=True))


def _copy(source: sqlite3.Connection, database: sqlite3.Connection, game: dict[str, Any]) -> bool:
    """Copies a game with all that belongs to it; False where some of that can't be read, or can't be so."""
    number, values = game["id"], {name: value for name, value in game.items() if name != "id"}
    try:
        levels = source.execute("SELECT hash, data FROM levels WHERE hash = ?", (values["level"],)).fetchall()
        parts = {name: source.execute(f"SELECT * FROM {name} WHERE game = ?", (number,)).fetchall() for name in _PARTS}
    except sqlite3.Error:
        return False
    if len(parts["turns"]) != values["turns"]:
        return False
    database.execute("SAVEPOINT game")
    try:
        database.executemany("INSERT OR IGNORE INTO levels VALUES (?, ?)", levels)
        marks = ", ".join("?" * len(values))
        query = f"INSERT INTO games ({', '.join(values)}) VALUES ({marks})"
        number = database.execute(query, (*values.values(),)).lastrowid
        for name, rows in parts.items():
            marks = ", ".join("?" * _PARTS[name])
            database.executemany(f"INSERT INTO {name} VALUES ({marks})", [(number, *row[1:]) for row in rows])
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):  # a key twice, a score of no end, a column less
        database.execute("ROLLBACK TO game")
        return False
    finally:
        database.execute("RELEASE game")
    return True
