"""Opens libraries that were broken at random, lists their games and goes on with them.

python -m tests.fuzz.databases --number 100000 --seed 1 [--folder /dev/shm]

Bytes are flipped, cut out, moved between files, pages are zeroed or exchanged, the write-ahead log too, and cells of
the tables are given other values. Allowed are LibraryError and LevelError, in one line, within a second each; what was
set aside has the size that it had. Says what else came, and how long the slowest one took.
"""

import argparse
import resource
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import perf_counter

from dungeon_tui.core.catalogue import find_games
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import TurnController
from dungeon_tui.storage.journal import Journal
from dungeon_tui.storage.library import NAME, Library, LibraryError
from dungeon_tui.storage.results import results
from tests.fuzz.mutate import cut, flip

LIMIT = 1.0  # seconds
_PAGE = 4096
_VALUES: list[object] = [
    0, -1, 1, 2**31, 2**63 - 1, -(2**63), 0.5, 1e308, "", "x", "\x1b[2J", "{}", "[" * 5000, b"", b"\xff\x00", b"x\x9c",
    "9" * 5000, "crawler", "chase", "delve", "-1", "2026-11-22 20:15:03",
]  # fmt: skip
_Files = dict[str, bytes]  # by the ending of the name: "", "-wal"


@dataclass
class Tally:
    """The counts of all openings."""

    opened: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    faults: list[str] = field(default_factory=list)


def samples(folder: Path) -> list[_Files]:
    """Libraries with games of all kinds, with and without a write-ahead log."""
    found = []
    for number in range(3):
        path = folder / f"sample-{number}" / NAME
        library = Library(path)
        for game in find_games():
            rules = game.rules()
            opening = next(each for each in game.levels().openings() if each.screen is None)
            session = Session(TurnController(rules, opening.load(), opening.seed))
            journal = Journal(library, game, session, lambda _state, outcome: outcome.is_win, title=opening.title)
            for _ in range(6):
                actions = [] if session.outcome is not None else list(rules.legal_actions(session.state))
                if actions:
                    session.play(actions[-1])
                else:
                    session.undo()
            session.undo()
            if session.outcome is None:
                session.play(next(iter(rules.legal_actions(session.state))))
            with library.writing() as database:
                turn = database.execute("SELECT max(number) FROM turns").fetchone()[0]
                database.execute(
                    "INSERT OR IGNORE INTO ends VALUES (?, ?, '2026-01-01', 'won', 1, 0, 0, 1.0)",
                    (journal.stored.id, turn),
                )
            if number:
                journal.close()
        if number < 2:
            with library.reading() as database:
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        if number == 0:
            with library.writing() as database:
                database.execute("UPDATE games SET seconds = seconds + 1")
        files = {}
        for ending in ("", "-wal"):
            part = path.with_name(NAME + ending)
            if part.exists() and part.stat().st_size:
                files[ending] = part.read_bytes()
        library.close()
        found.append(files)
    return found


def broken(known: list[_Files], chance: Random) -> _Files:
    """One of the samples, broken in one to four places."""
    files = dict(chance.choice(known))
    for _ in range(chance.choice([1, 1, 2, 4])):
        ending = chance.choice(list(files))
        way = chance.choice(_WAYS)
        files[ending] = way(files[ending], [chance.choice(known)[""]], chance)
    return files


def _header(data: bytes, _: Sequence[bytes], chance: Random) -> bytes:
    changed = bytearray(data)
    at = chance.randrange(100)
    changed[at : at + 1] = bytes([chance.randrange(256)])
    return bytes(changed)


def _splice(data: bytes, others: Sequence[bytes], chance: Random) -> bytes:
    (other,) = others
    start, end = sorted((chance.randrange(len(other) + 1), chance.randrange(len(other) + 1)))
    at = chance.randrange(len(data) + 1)
    return data[:at] + other[start:end] + data[at + (end - start) * chance.randrange(2) :]


def _pages(data: bytes, others: Sequence[bytes], chance: Random) -> bytes:
    changed, (other,) = bytearray(data), others
    at = _PAGE * chance.randrange(len(data) // _PAGE + 1)
    source = _PAGE * chance.randrange(len(other) // _PAGE + 1)
    page = chance.choice([bytes(_PAGE), b"\xff" * _PAGE, other[source : source + _PAGE], chance.randbytes(_PAGE)])
    changed[at : at + _PAGE] = page
    return bytes(changed)


_WAYS: tuple[Callable[[bytes, Sequence[bytes], Random], bytes], ...] = (
    flip, flip, _header, cut, _splice, _pages, _pages,
)  # fmt: skip


def revalue(path: Path, chance: Random) -> None:
    """Gives cells of the tables of a whole database other values."""
    database = sqlite3.connect(path)
    try:
        for _ in range(chance.choice([1, 1, 3])):
            table = chance.choice(["games", "games", "games", "turns", "levels", "ends"])
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            value, column = chance.choice(_VALUES), chance.choice(columns)
            where = "1" if chance.random() < 0.3 else f"abs(random()) % 5 = {chance.randrange(5)}"
            with suppress(sqlite3.IntegrityError):  # an id that is no number
                database.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {where}", (value,))
        database.commit()
    finally:
        database.close()


def use(path: Path) -> tuple[Library | None, Counter[str]]:
    """Does with a library all that menus, lists and `continue` do; returns the errors that came, by kind."""
    kinds: Counter[str] = Counter()
    try:
        library = Library(path)
    except LibraryError as error:
        kinds[_kind(error)] += 1
        return None, kinds
    kinds["set aside" if library.notice else "opened"] += 1
    tasks: list[Callable[[], object]] = [library.tidy, lambda: results(library), lambda: library.games("outcome = ''")]
    try:
        tasks += [lambda stored=stored: library.resume(stored) for stored in library.games()]
    except LibraryError as error:
        kinds[_kind(error)] += 1
    for task in tasks:
        try:
            task()
        except (LibraryError, LevelError) as error:
            kinds[_kind(error)] += 1
    return library, kinds


def _kind(error: Exception) -> str:
    assert "\n" not in str(error), str(error)
    return type(error).__name__


def run(number: int, seed: int, parent: Path | None = None, progress: bool = False) -> Tally:
    """Opens so many broken libraries."""
    tally, told = Tally(), 0
    with tempfile.TemporaryDirectory(dir=parent) as root:
        known = samples(Path(root))
        whole = [files for files in known if "-wal" not in files] or known
        for tally.opened in range(1, number + 1):
            chance = Random(f"{seed} {tally.opened}")
            folder = Path(root) / "broken"
            folder.mkdir()
            path = folder / NAME
            has_values = chance.random() < 0.3
            files = chance.choice(whole) if has_values else broken(known, chance)
            for ending, data in files.items():
                path.with_name(NAME + ending).write_bytes(data)
            if has_values:
                revalue(path, chance)
            before = path.read_bytes()
            start = perf_counter()
            library = None
            try:
                library, kinds = use(path)
                tally.kinds += kinds
                aside = [each for each in folder.glob(f"{NAME}.damaged*") if not each.name.endswith(("-wal", "-shm"))]
                if library is not None and library.notice and not library.is_readonly:
                    if not (len(aside) == 1 and aside[0].name in library.notice):
                        tally.faults.append(f"{tally.opened}: {library.notice}, but there is {aside}")
                    elif "-wal" not in files and aside[0].stat().st_size != len(before):
                        tally.faults.append(f"{tally.opened}: what was set aside has changed")
            except Exception as error:
                tally.faults.append(f"{tally.opened}: {type(error).__name__}: {error}")
            took = perf_counter() - start
            if library is not None:
                library.close()
            tally.slowest = max(tally.slowest, took)
            if took > LIMIT:
                tally.faults.append(f"{tally.opened}: {took:.1f} s")
            shutil.rmtree(folder)
            if progress and len(tally.faults) > told:
                told = len(tally.faults)
                print(tally.faults[-1], flush=True)
            if progress and tally.opened % 1000 == 0:
                print(f"\r{tally.opened:,}: {len(tally.faults)} faults", end="", file=sys.stderr, flush=True)
    return tally


def main() -> None:
    """Prints what came of all openings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=None)
    options = parser.parse_args()
    tally = run(options.number, options.seed, options.folder, progress=True)
    print(file=sys.stderr)
    kinds = ", ".join(f"{kind} {number:,}" for kind, number in tally.kinds.most_common())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{tally.opened:,} broken libraries: {kinds}; {len(tally.faults)} faults")
    print(f"slowest {tally.slowest:.2f} s, memory {memory:.0f} MB")
    sys.exit(bool(tally.faults))


if __name__ == "__main__":
    main()
