"""The library's file: made, brought up to date, set aside where it is damaged, never overwritten; read in any state."""

import multiprocessing
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from dungeon_tui.core.level import LevelError
from dungeon_tui.storage import database as database_module
from dungeon_tui.storage import library as library_module
from dungeon_tui.storage.database import VERSION
from dungeon_tui.storage.folders import HOME
from dungeon_tui.storage.journal import Journal
from dungeon_tui.storage.library import NAME, WAITS, End, LazyLibrary, Library, LibraryError, StoredGame
from dungeon_tui.storage.results import results
from tests.libraries import reachable
from tests.processes import GONE, ROOT, as_another, environment
from tests.storage.nim_game import journal_of, library_in, session_of

pytestmark = pytest.mark.usefixtures("nim")


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return library_in(tmp_path)


def played(library: Library, *actions: int) -> Journal:
    session = session_of()
    journal = journal_of(library, session)
    for action in actions or (1, 2):
        session.play(action)
    journal.close()
    return journal


def run(library: Library, statement: str, *values: object) -> list[Any]:
    with library.writing() as database:
        return database.execute(statement, values).fetchall()


def harm(library: Library, statement: str) -> None:
    """Changes a library as another program would, which checks no foreign keys."""
    other = sqlite3.connect(library.path, isolation_level=None)
    other.execute(statement)
    other.close()


def test_a_turn_is_durable_once_it_is_written(library: Library) -> None:
    assert run(library, "PRAGMA synchronous") == [(2,)]  # FULL: each commit waits for the disk


def the_game(library: Library) -> StoredGame:
    (stored,) = library.games()
    return stored


# -- what is read of it


def test_a_win_ends_the_wait_of_earlier_games_of_the_level(library: Library) -> None:
    for day in (1, 2, 3):
        stored = played(library).stored.id
        run(library, "UPDATE games SET played = ? WHERE id = ?", f"2026-01-0{day} 09:00:00", stored)
    assert len(library.games(WAITS)) == 3
    library.add_end(2, 2, End("won", True, False, 9.0, "2026-01-02 10:00:00"), ())
    assert [game.id for game in library.games(WAITS)] == [3]


def test_games_are_found_by_id_and_by_the_beginning_of_their_key(library: Library) -> None:
    keys = ["ab00", "ab11", "7e00"]
    for key in keys:
        journal = played(library)
        run(library, "UPDATE games SET key = ? WHERE id = ?", key, journal.stored.id)
    assert [library.game(key).id for key in keys] == [1, 2, 3]
    assert library.game("3").key == "7e00"
    assert library.game("7").key == "7e00"
    for wrong in ("ab", "", "9", "x", "9" * 40, "\x1b[2J"):
        with pytest.raises(LookupError):
            library.game(wrong)


def test_a_level_is_stored_once_and_forgotten_with_its_last_game(library: Library) -> None:
    first, second = played(library), played(library)
    assert first.stored.level == second.stored.level
    assert run(library, "SELECT count(*) FROM levels") == [(1,)]
    library.forget(first.stored.id)
    library.tidy()
    assert run(library, "SELECT count(*) FROM levels") == [(1,)]
    library.forget(second.stored.id)
    library.tidy()
    assert run(library, "SELECT count(*) FROM levels") == [(0,)]


def test_removing_can_be_taken_back_for_a_day(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = played(library)
    library.remove(journal.stored.id)
    assert library.games() == []
    library.tidy()
    library.restore(journal.stored.id)
    assert the_game(library).id == journal.stored.id
    library.remove(journal.stored.id)
    run(library, "UPDATE games SET removed = '2001-01-01 00:00:00'")
    monkeypatch.setenv(HOME, str(library.path.parent))
    lazy = LazyLibrary()  # tidies what it opens, once
    assert lazy.get() is lazy.get()
    lazy.close()
    library.restore(journal.stored.id)
    assert library.games() == []
    assert run(library, "SELECT count(*) FROM turns") == [(0,)]


def test_all_of_a_block_is_written_or_nothing(library: Library) -> None:
    journal = played(library)

    def rename(statement: str) -> None:
        with library.writing() as database:
            library.change(journal.stored.id, title="Another")
            database.execute(statement)
            raise RuntimeError

    with pytest.raises(LibraryError):
        rename("INSERT INTO nowhere VALUES (1)")
    with pytest.raises(RuntimeError):
        rename("SELECT 1")
    assert the_game(library).title == "A pile"
    with library.writing():
        library.change(journal.stored.id, title="Another")
    assert library_in(library.path.parent).games()[0].title == "Another"


# -- damage in what is well-formed

ANOTHER = zlib.compress(b'{"level":[{"name":"pile","text":"9"}],"options":{}}')


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE levels SET data = 'no level'",
        "UPDATE levels SET data = x'00'",
        "UPDATE levels SET data = x'ffff'",
        "UPDATE levels SET data = 7",
        f"UPDATE levels SET data = x'{ANOTHER.hex()}'",
        "UPDATE games SET rules = rules + 1",
        "UPDATE games SET game = 'nom'",
        "DELETE FROM games",
        "DELETE FROM levels",
    ],
)
def test_a_game_that_cant_be_played_again_is_refused(library: Library, damage: str) -> None:
    played(library)
    stored = the_game(library)
    harm(library, damage)
    with pytest.raises(LevelError) as raised:
        library.resume(stored)
    assert "\n" not in str(raised.value)
    assert str(library.path) in str(raised.value)


def test_a_level_that_unpacks_to_gigabytes_is_refused(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_module, "MOST_BYTES", 1000)
    journal = played(library)
    run(library, "UPDATE levels SET data = ?", zlib.compress(b" " * 10_000_000))
    with pytest.raises(LevelError):
        library.level(journal.stored.level)


@pytest.mark.parametrize(
    ("damage", "left"),
    [
        ("DELETE FROM turns WHERE number = 2", {(1,)}),
        ("UPDATE turns SET action = 'x' WHERE number = 2", {(1,)}),
        ("UPDATE turns SET action = x'ff' WHERE number = 2", {(1,)}),
        ("UPDATE turns SET action = 7 WHERE number = 2", {(1,)}),
        ("UPDATE turns SET parent = 9 WHERE number = 3", {(1,), (1, 2)}),
        ("DELETE FROM turns", set()),
    ],
)
def test_of_a_game_with_damaged_turns_the_rest_is_played_again(
    library: Library, damage: str, left: set[tuple[int, ...]]
) -> None:
    journal = played(library, 1, 2, 1)
    run(library, damage)
    found = library.resume(the_game(library))
    assert (found.trouble != "") == bool(left)
    assert "\n" not in found.trouble
    assert found.controller.turn.ply == max(map(len, left), default=0)
    assert journal.stored.id == found.stored.id


def test_a_game_that_comes_out_otherwise_is_said(library: Library) -> None:
    played(library)
    assert library.resume(the_game(library)).trouble == ""
    run(library, "UPDATE games SET fingerprint = 'another'")
    found = library.resume(the_game(library))
    assert found.trouble != ""
    assert found.controller.turn.ply == 2


@pytest.mark.parametrize(
    "column", [name for name in library_module.COLUMNS if name not in ("id", "seconds", "removed")]
)
def test_a_row_of_the_wrong_kinds_hides_no_other(library: Library, column: str) -> None:
    played(library)
    second = played(library)
    for value in ("-1", "9223372036854775807", "0.5", "'x'", "x'ff'"):
        harm(library, f"UPDATE games SET {column} = {value} WHERE id = 1")
        for stored in library.games("id = 1"):
            with suppress(LevelError):
                library.resume(stored)
    assert [stored.id for stored in library.games()] in ([second.stored.id], [])
    library.close()
    assert library_in(library.path.parent).games("id = 2")


def test_players_that_are_no_object_are_none(library: Library) -> None:
    played(library)
    for text in ("", "[]", "7", "{", "[" * 100_000):
        run(library, "UPDATE games SET players = ?", text)
        assert dict(the_game(library).players) == {}


# -- versions


def test_a_library_of_a_newer_program_is_left_as_it_is(library: Library) -> None:
    played(library)
    run(library, f"PRAGMA user_version = {VERSION + 1}")
    library.close()
    before = library.path.read_bytes()
    with pytest.raises(LibraryError) as raised:
        library_in(library.path.parent)
    assert "\n" not in str(raised.value)
    assert library.path.read_bytes() == before
    assert [path.name for path in library.path.parent.iterdir()] == [NAME]


# -- damaged files


def aside(folder: Path) -> list[str]:
    """Names of databases that were set aside."""
    return [path.name for path in folder.glob(f"{NAME}.damaged*") if not path.name.endswith(("-wal", "-shm"))]


@pytest.mark.parametrize(
    ("damage", "number"),
    [
        (lambda data: b"no database at all\n" * 100, 0),
        (lambda data: b"\0" * len(data), 0),
        (lambda data: data[:16] + bytes(84) + data[100:], 0),
        (lambda data: data[:100] + b"\xff" * (len(data) - 100), 0),
        (lambda data: data.replace(b"CREATE TABLE games", b"CREATE TABLE gamez"), 0),
        (lambda data: data[:60] + bytes(4) + data[64:], 1),  # the version is 0, the tables are there
        (lambda data: data[:500], 0),
        (lambda data: data[:5000], 0),
    ],
)
def test_what_is_damaged_is_set_aside_and_a_new_one_begun(
    library: Library, damage: Callable[[bytes], bytes], number: int
) -> None:
    played(library)
    library.close()
    data = damage(library.path.read_bytes())
    names: list[str] = []
    for _ in range(3):  # within a second, even
        library.path.write_bytes(data)
        again = library_in(library.path.parent)
        assert len(again.games()) == number
        assert "\n" not in again.notice
        (name,) = set(aside(library.path.parent)) - set(names)
        assert name in again.notice
        names.append(name)
        played(again)
        again.close()
        assert library_in(library.path.parent).games()
    assert all((library.path.parent / name).read_bytes() == data for name in names)


def test_games_that_can_be_read_are_taken_over_from_a_damaged_library(library: Library) -> None:
    for _ in range(60):
        played(library)
    with library.writing() as database:
        database.execute("INSERT INTO ends VALUES (1, 1, '2026-11-22 20:15:03', 'won', 1, 0, 0, 2.5)")
        database.execute("INSERT INTO scores VALUES (1, 1, 0, 'moves', 7, NULL, 1)")
        database.execute("UPDATE games SET writer = ?", (GONE,))
    before = {stored.key: library.turns(stored.id) for stored in library.games()}
    library.close()
    data = library.path.read_bytes()
    pages = [data[start : start + 4096] for start in range(0, len(data), 4096)]
    rows = [number for number, page in enumerate(pages) if b"A pile" in page]
    assert len(rows) > 2
    broken = pages[rows[1]]
    pages[rows[1]] = b"\xff" * 4096
    library.path.write_bytes(b"".join(pages))
    again = library_in(library.path.parent)
    lost = {key for key in before if key.encode() in broken}
    assert 0 < len(lost) < 60
    assert {stored.key for stored in again.games()} == set(before) - lost
    assert str(60 - len(lost)) in again.notice
    for stored in again.games():
        assert [turn[0] for turn in again.turns(stored.id)] == [1, 2]
        assert again.resume(stored).trouble == ""
    assert len(results(again)) == 1
    assert run(again, "PRAGMA foreign_key_check") == []


def test_what_goes_wrong_for_another_reason_sets_no_library_aside(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.close()

    def fail(_database: sqlite3.Connection) -> None:
        error = sqlite3.OperationalError("a bug of ours")
        error.sqlite_errorcode = sqlite3.SQLITE_ERROR
        raise error

    monkeypatch.setattr(database_module, "make_tables", fail)
    assert library_in(library.path.parent).is_readonly
    assert aside(library.path.parent) == []


def test_a_damaged_library_that_another_process_has_set_aside_is_not_set_aside_again(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.close()
    library.path.write_bytes(b"no database")
    open_one, opened = database_module.open_database, list[Path]()

    def late(path: Path) -> sqlite3.Connection:
        opened.append(path)
        if len(opened) > 1:
            return open_one(path)
        with pytest.raises(sqlite3.DatabaseError) as raised:
            open_one(path)
        played(library_in(path.parent))  # the other process
        raise raised.value

    monkeypatch.setattr(database_module, "open_database", late)
    again = library_in(library.path.parent)
    assert again.notice == ""
    assert len(again.games()) == 1
    assert len(aside(library.path.parent)) == 1


# -- files and folders that can't be written

READING = """
import sys
from pathlib import Path
from dungeon_tui.storage.library import Library, LibraryError
from tests.storage.nim_game import journal_of, session_of
library = Library(Path(sys.argv[1]))
print(library.is_readonly, len(library.games()), len(library.turns(1)), library.notice)
try:
    journal_of(library, session_of())
except LibraryError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("modes", "has_log"), [((0o444, 0o555), True), ((0o444, 0o777), False), ((0o666, 0o555), False)]
)
def test_a_library_that_cant_be_written_is_read(library: Library, modes: tuple[int, int], has_log: bool) -> None:
    played(library)
    if not has_log:
        library.close()
    folder = library.path.parent
    with reachable(folder):
        for path in folder.iterdir():
            path.chmod(modes[0])
        folder.chmod(modes[1])
        command = as_another(sys.executable, "-c", READING, str(library.path))
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment(), check=False)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("True 1 2 " + str(library.path))
    assert str(library.path) in lines[1]


def test_where_there_is_no_home_or_no_folder_nothing_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(HOME, str(tmp_path / "file" / "folder"))
    lazy = LazyLibrary()
    assert lazy.get() is None
    assert "\n" not in lazy.trouble
    assert str(tmp_path / "file" / "folder") in lazy.trouble
    lazy.close()
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / NAME).mkdir()
    monkeypatch.setenv(HOME, str(tmp_path / "home"))
    lazy = LazyLibrary()
    assert lazy.get() is None
    assert lazy.trouble


def test_a_full_disk_makes_no_library_and_tells_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect

    def cramped(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        connection.execute("PRAGMA max_page_count = 3")
        return connection

    monkeypatch.setattr(sqlite3, "connect", cramped)
    with pytest.raises(LibraryError) as raised:
        library_in(tmp_path)
    assert "\n" not in str(raised.value)


# -- several programs on one library


def play_many(folder: str, number: int) -> None:
    library_module.find_game = lambda name: None
    library = library_in(Path(folder))
    for _ in range(number):
        played(library, 1, 2, 1)
    library.close()


@pytest.mark.slow
def test_several_programs_that_begin_at_once_make_one_library_and_lose_no_game(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    programs = [context.Process(target=play_many, args=(str(tmp_path), 20)) for _ in range(4)]
    for program in programs:
        program.start()
    for program in programs:
        program.join()
    assert [program.exitcode for program in programs] == [0] * 4
    library = library_in(tmp_path)
    assert [stored.turns for stored in library.games()] == [3] * 80
    assert run(library, "PRAGMA integrity_check") == [("ok",)]
    assert [path.name for path in tmp_path.iterdir() if "damaged" in path.name] == []
