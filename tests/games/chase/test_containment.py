"""Strategies that take all they can get, and leave behind what they can."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent
from time import monotonic, sleep

import pytest

from dungeon_tui.games.chase.ai.player import Player
from dungeon_tui.games.chase.ai.referee import load_player
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.state import Forfeit, Move, Side
from dungeon_tui.judge import containment
from tests.games.chase.boards import OPEN, board, written
from tests.processes import AS_NOBODY, PATIENCE, ROOT, assert_ended, command, environment, marked

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="has no /proc, or no such limits")
START = rules.start(board(*OPEN))


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Callable[..., Player]]:
    """Makes a player of the function `go` of some code."""
    players: list[Player] = []

    def load(code: str, time_limit: float = 30.0) -> Player:
        players.append(load_player(Side.MONSTER, f"{written(tmp_path / 'own.py', dedent(code))}:go", time_limit))
        return players[-1]

    yield load
    for player in players:
        player.close()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("bytearray(5 * 2**30)", "raised MemoryError (own.py:5)"),
        ("kept.append(b''.join(map(bytes, 9 * [2**29])))", "raised MemoryError (own.py:5)"),
        ("open(os.path.join(folder, 'big'), 'wb').truncate(2**31)", "raised OSError: [Errno 27] File too large"),
        ("kept.extend(os.open('/', 0) for _ in range(2000))", "raised OSError: [Errno 24] Too many open files"),
        ("while True: os.write(2, b'x' * 65536)", "printed more than 16 MB at once"),
        ("signal.signal(15, signal.SIG_IGN); os.kill(os.getpid(), signal.SIGSTOP)", "took longer than 1 s"),
        ("os.kill(os.getpid(), signal.SIGXCPU)", "its process crashed (SIGXCPU)"),
    ],
)
def test_who_takes_too_much_forfeits(guest: Callable[..., Player], tmp_path: Path, body: str, words: str) -> None:
    code = f"import os, signal\nfolder = {str(tmp_path)!r}\nkept = []\ndef go(state):\n    {body}\n"
    player = guest(code, 1.0 if "SIGSTOP" in body else 30.0)
    for _ in range(2):  # the second time in a new process, if need be
        action = player.choose(START)
        assert isinstance(action, Forfeit)
        assert action.reason.startswith(words)


def test_limits_are_those_that_are_told(guest: Callable[..., Player]) -> None:
    code = """
    import os, resource
    def go(state):
        kinds = "DATA FSIZE NOFILE CORE NPROC CPU"
        raise ValueError(",".join(str(resource.getrlimit(getattr(resource, f"RLIMIT_{k}"))[0]) for k in kinds.split()))
    """
    action = guest(code).choose(START)
    assert isinstance(action, Forfeit)
    told = action.reason.removeprefix("raised ValueError: ").partition(" ")[0]
    memory, size, files, core, processes, seconds = map(int, told.split(","))
    assert containment.LEAST_MEMORY <= memory <= containment.MOST_MEMORY
    assert (size, files, core) == (containment.MOST_WRITTEN, containment.MOST_OPEN, 0)
    assert processes > containment.MOST_PROCESSES
    assert 90 * (os.cpu_count() or 1) <= seconds <= 91 * (os.cpu_count() or 1) + 60


def test_kernels_can_be_compiled_within_the_limits(guest: Callable[..., Player]) -> None:
    code = """
    import numba
    @numba.njit
    def square(number):
        return number * number
    def go(state):
        assert square(3) == 9
        return state.site
    """
    assert guest(code, 300.0).choose(START) == Move(START.site)


def test_a_child_that_comes_back_too_has_no_say(guest: Callable[..., Player]) -> None:
    code = """
    import os, time
    def go(state):
        if os.fork():
            time.sleep(0.2)
            return state.site
        return 0, 1
    """
    player = guest(code)
    assert [player.choose(START) for _ in range(2)] == [Move(START.site)] * 2


HIDING = """
import os, signal, subprocess, sys, time

def hide():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for _ in range(3):
        if not os.fork():
            os.setsid()
            if not os.fork():  # its parent is gone at once
                time.sleep(1000)
            os._exit(0)
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True)

def stay(state):
    hide()
    return state.site

def crash(state):
    hide()
    os._exit(3)

def wait(state):
    hide()
    print("hidden", flush=True)
    time.sleep(1000)
"""


@pytest.mark.parametrize(
    ("function", "reason"),
    [("stay", ""), ("crash", "ended its process (exit status 3)"), ("wait", "took longer than 2 s")],
)
def test_children_in_sessions_of_their_own_end_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: str, reason: str
) -> None:
    monkeypatch.setenv("HIDING", str(tmp_path))
    with load_player(Side.MONSTER, f"{written(tmp_path / 'own.py', HIDING)}:{function}", 2.0) as player:
        action = player.choose(START)
        assert action == (Forfeit(reason) if reason else Move(START.site))
        if not reason:
            assert marked(str(tmp_path))
    for process in marked(str(tmp_path)):
        assert_ended(process)


def test_they_end_with_us_however_we_end(tmp_path: Path) -> None:
    own = written(tmp_path / "own.py", HIDING)
    with subprocess.Popen(
        command("chase", "run", "single-loop", "--monster", f"{own}:wait", "--time-limit", "1000"),
        cwd=ROOT, env=environment(HIDING=str(tmp_path)), stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        assert process.stderr.readline() == b"hidden\n"
        deadline = monotonic() + PATIENCE
        while len(hidden := marked(str(tmp_path))) < 8 and monotonic() < deadline:  # the last may be born a bit later
            sleep(0.01)
        process.kill()
        process.wait(PATIENCE)
    assert len(hidden) >= 8
    for each in hidden:
        assert_ended(each)


def test_a_fork_bomb_is_a_forfeit() -> None:
    as_another = AS_NOBODY if os.getuid() == 0 else ()  # nothing limits root's processes
    if as_another and subprocess.run(("sh", "-c", shlex.join((*as_another, sys.executable, "--version")))).returncode:
        pytest.skip("runs as root, and can't become another user who may read these files")
    with TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        own = written(Path(folder) / "own.py", "import os\ndef go(state):\n    while True: os.fork()\n")
        chase = command("chase", "run", "open-room", "--monster", f"{own}:go", "--time-limit", "30", "--plain")
        done = subprocess.run(
            [*as_another, *chase], cwd=ROOT, env=environment(HOME=folder), capture_output=True, timeout=PATIENCE
        )
        assert marked(folder) == []
    last = done.stdout.decode().splitlines()[-1]
    assert last.startswith("Forfeit by monster")
    assert "BlockingIOError" in last
