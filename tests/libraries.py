"""Libraries for tests, with games of the recordings in tests/recordings; and what becomes of their files."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.level import read_level_file
from dungeon_tui.core.recording import read_recording
from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import TurnController
from dungeon_tui.storage.journal import Journal
from dungeon_tui.storage.library import Library, StoredGame
from dungeon_tui.ui.snapshot import judged

RECORDINGS = Path(__file__).parent / "recordings"


def add_game(library: Library, path: Path) -> StoredGame:
    """Plays a recording as one's own game of a library, its end included."""
    recording = read_recording(read_level_file(path))
    game = find_game(recording.game)
    rules = game.rules()
    controller = TurnController(rules, game.levels().unpack_level(recording.level), recording.seed)
    session = Session(controller)
    journal = Journal(library, game, session, lambda _, outcome: outcome.is_win, title=path.stem)
    for action in recording.actions:
        session.play(rules.read_action(action))
    if session.outcome is not None:
        journal.add_end(session.turn, session.outcome, judged(game.name, controller, {})[1])
    journal.close()
    return library.game(journal.stored.key)


@contextmanager
def being_written(path: Path) -> Iterator[None]:
    """Writes to a library within the block as another process would: nobody else can."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def reachable(folder: Path) -> Iterator[None]:
    """Lets other users reach a folder within the block; its own mode is the block's matter, and usual afterwards."""
    import fcntl  # not on Windows

    above = [path for path in folder.parents if path.stat().st_uid == os.geteuid() and path != Path("/")]
    highest = os.open(above[-1], os.O_RDONLY)
    fcntl.flock(highest, fcntl.LOCK_EX)  # another worker would close the folders too early
    before = {path: path.stat().st_mode for path in above}
    for path in above:
        path.chmod(path.stat().st_mode | 0o055)
    try:
        yield
    finally:
        folder.chmod(0o755)
        for path, mode in before.items():
            path.chmod(mode)
        os.close(highest)


def add_games(library: Library, pattern: str = "rescue-*.jsonl") -> list[StoredGame]:
    return [add_game(library, path) for path in sorted(RECORDINGS.glob(pattern))]
