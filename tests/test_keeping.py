"""Games in plain text are stored as those on a screen are, and gone on with; what they print stays as it is."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from dungeon_tui.storage.folders import HOME
from dungeon_tui.storage.library import NAME, Library, StoredGame
from dungeon_tui.storage.results import results
from tests.processes import call, command, environment, json_of, read_until, refused

PLAYED = {
    "crawler play tutorial": (b"ddq", b"aq", 2, 3),
    "chase play braid": (b"eq", b"eq", 3, 5),
    "rescue play --rows 3 --cols 3 --seed 1": (b"health 60\nd\nq\n", b"s\nq\n", 2, 3),
    "expedition play ring": (b"1\n2\nq\n", b"3\nq\n", 1, 2),
    "delve play --seed 3": (b"hhq", b"lq", 2, 3),
    "deep play story": (b"ddq", b"aq", 2, 3),
}


def the_game(home: Path) -> StoredGame:
    with closing(Library(home / NAME)) as library:
        (stored,) = library.games()
    return stored


@pytest.mark.parametrize("line", PLAYED)
def test_a_plain_game_is_stored_and_continued_and_prints_the_same_without_a_library(
    line: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, more, turns, later = PLAYED[line]
    done = call(*line.split(), "--plain", given=given)
    assert done.returncode == 0
    stored = the_game(home)
    assert (stored.turns, stored.ply, stored.writer, stored.is_helped) == (turns, turns, 0, False)
    assert sorted(stored.arguments.split()) == sorted(line.split()[2:])
    assert call("continue", "--plain", given=more).returncode == 0
    again = the_game(home)
    assert (again.key, again.turns, again.ply) == (stored.key, later, later)
    assert json_of("library", "check") == {"ok": True, "games": 1, "problems": []}
    (tmp_path / "file").touch()
    monkeypatch.setenv(HOME, str(tmp_path / "file"))
    unkept = call(*line.split(), "--plain", given=given)
    assert (unkept.returncode, unkept.stdout) == (0, done.stdout)
    assert len(unkept.stderr.splitlines()) == len(done.stderr.splitlines()) + 1


def test_an_end_in_plain_text_is_a_result(home: Path) -> None:
    call("rescue", "play", "--rows", "3", "--cols", "3", "--seed", "1", "--plain", given=b"health 55\ns s d d")
    stored = the_game(home)
    assert (stored.outcome, stored.is_won, stored.ply) == ("saved", True, 5)
    with closing(Library(home / NAME)) as library:
        (end,) = results(library, "games.id = ?", stored.id)
    assert (end.turn, end.is_won, end.scores[0].aim, end.scores[0].value) == (5, True, "health", 55)


def test_a_daily_in_plain_text_is_the_counted_try(home: Path) -> None:
    call("rescue", "play", "--date", "2026-11-22", "--plain", given=b"health 5\ns\nq\n")
    assert the_game(home).daily == "2026-11-22"


def test_a_game_without_a_move_is_not_stored(home: Path) -> None:
    call("crawler", "play", "tutorial", "--plain", given=b"q")
    assert json_of("library", "list") == {"games": []}
    assert refused("continue", "--plain")


@contextmanager
def playing(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Yields a process that has played two moves, and asks for the next one."""
    process = subprocess.Popen(command(*arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
    assert process.stdin is not None
    seen = read_until(process.stdout.fileno(), b"Enter command")
    for turns in (1, 2):
        process.stdin.write(b"e")
        process.stdin.flush()
        while seen.count(b"Enter command") <= turns:
            seen += os.read(process.stdout.fileno(), 65536)
    yield process
    process.wait()
    process.stdin.close()
    process.stdout.close()


def test_a_killed_plain_game_stands_at_its_last_turn(home: Path) -> None:
    with playing("crawler", "play", "tutorial", "--plain") as process:
        library = Library(home / NAME)
        while not (found := library.games()) or found[0].ply < 2:  # the question is there a moment before the turn is
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
    (stored,) = library.games()
    assert (stored.ply, stored.was_interrupted) == (2, True)
    library.close()
    with playing("continue", "--plain") as process:
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 128 + signal.SIGTERM
    stored = the_game(home)
    assert (stored.ply, stored.writer) == (4, 0)
