"""Signals at any moment: the exit status tells them, what was to be recorded is there, and nothing else is left.

`python -m pytest tests/fuzz/test_signals.py -m slow` sends them to every command that takes time, at many moments.
"""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from select import select
from time import monotonic, sleep

import pytest

from tests.processes import PATIENCE, ROOT, command, environment, json_of, marked
from tests.terminal import RESTORED, Terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="asks /proc for what is left"),
]

MOMENTS = 2  # beside the first one
SCREEN_ON = b"\x1b[?1049h"
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
OWN = """
import os, subprocess, sys, time

def think(state):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True)
    print("thinking", flush=True)
    time.sleep(1000)

def move(state):
    time.sleep(0.01)
    return state.site
"""
RECORD = ["--record", "FOLDER/game.jsonl"]
COMMANDS = {
    "crawler solve": ["crawler", "solve", "hard", "--treasure", "60"],
    "crawler par": ["crawler", "par", "FOLDER/hard"],
    "crawler check --solve": ["crawler", "check", "--solve", "LEVELS/crawler/hard1.txt", "--json"],
    "crawler generate": ["crawler", "generate", "--seed", "3", "--difficulty", "hard", "--output", "FOLDER/made1.txt"],
    "crawler play": ["crawler", "play", "tutorial", "--plain", *RECORD],
    "chase run": ["chase", "run", "single-loop", "--monster", "OWN:move", "--rogue", "OWN:move", *RECORD],
    "chase solve": ["chase", "solve", "FOLDER/large.txt"],
    "chase tournament": ["chase", "tournament", "single-loop", "--monster", "OWN:move,bfs"],
    "chase play": ["chase", "play", "open-room", "--monster", "OWN:move", "--plain", *RECORD],
    "rescue solve": ["rescue", "solve", "--rows", "3000", "--cols", "3000", "--algorithm", "tabulated"],
    "rescue compare": ["rescue", "compare", "--csv", "FOLDER/all.csv"],
    "rescue play": ["rescue", "play", "classic", "--plain", *RECORD],
    "expedition solve": ["expedition", "solve", "undercity"],
    "expedition curve": ["expedition", "curve", "undercity"],
    "expedition play": ["expedition", "play", "ring", "--plain", *RECORD],
    "delve show": ["delve", "show", "--seed", "1"],
    "delve play": ["delve", "play", "--seed", "1", "--plain", *RECORD],
    "recording verify": ["recording", "verify", "-"],
}
SCREENS = {
    "menu": [],
    "crawler": ["crawler", "play", "tutorial"],
    "chase": ["chase", "play", "open-room", "--monster", "OWN:think"],
    "rescue": ["rescue", "play", "classic"],
    "delve": ["delve", "play", "--seed", "1"],
    "expedition": ["expedition", "play", "ring"],
    "editor": ["crawler", "edit", "FOLDER/hard1.txt"],
}


@dataclass
class Place:
    """A folder for what commands write, and one for their temporary files; what they begin bears a mark."""

    folder: Path
    temporary: Path
    mark: str = field(default_factory=lambda: f"{os.getpid()}-{monotonic()}")

    def changes(self) -> dict[str, str]:
        home = str(self.folder / "home")
        return {"SIGNALLED": self.mark, "TMPDIR": str(self.temporary), "DUNGEON_TUI_HOME": home}

    def words(self, words: list[str]) -> list[str]:
        """The words with our paths for FOLDER, LEVELS and OWN."""
        places = {"FOLDER": self.folder, "LEVELS": ROOT / "levels", "OWN": self.folder / "own.py"}
        return [re.sub("|".join(places), lambda found: str(places[found[0]]), word) for word in words]

    @contextmanager
    def begun(self, words: list[str]) -> Iterator[subprocess.Popen[bytes]]:
        """A command that was begun as a shell begins it, and hears signals by now; its input stays open."""
        process = subprocess.Popen(
            command(*self.words(words)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment(**self.changes()), start_new_session=True,
        )  # fmt: skip
        try:
            deadline = monotonic() + PATIENCE
            while not hears(process.pid, signal.SIGTERM) and process.poll() is None:
                assert monotonic() < deadline, "it never hears"
                sleep(0.002)
            yield process
        finally:
            process.kill()
            process.communicate()

    def assert_nothing_is_left(self) -> None:
        deadline = monotonic() + 10
        while (left := marked(self.mark)) and monotonic() < deadline:
            sleep(0.01)
        assert [Path(f"/proc/{each}/cmdline").read_bytes() for each in left] == []
        assert [path for path in self.temporary.rglob("*") if path.is_file()] == []
        assert list(self.folder.rglob("*.part")) == []
        for path in self.folder.glob("*.jsonl"):
            assert json_of("recording", "verify", str(path))["ok"]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    (tmp_path / "own.py").write_text(OWN)
    for path in (ROOT / "levels" / "crawler").glob("hard?.*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    rows = ["+" * 60 for _ in range(60)]
    rows[0], rows[-1] = "M" + rows[0][1:], rows[-1][1:] + "@"
    (tmp_path / "large.txt").write_text("60\n" + "\n".join(map(" ".join, rows)) + "\n")
    made = Place(tmp_path, temporary)
    yield made
    for process in marked(made.mark):
        os.kill(process, signal.SIGKILL)


def hears(process: int, number: int) -> bool:
    """True if a process answers a signal itself."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False
    caught = next((line for line in status.splitlines() if line.startswith("SigCgt")), "SigCgt:\t0")
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)


def wait_until_idle(process: int) -> None:
    """Waits until a process has slept for a while, as those do that wait for input, or has ended."""
    deadline, before, since = monotonic() + PATIENCE, "", monotonic()
    while monotonic() < since + 0.15:
        assert monotonic() < deadline, "it never rests"
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        now = " ".join(fields[11:13])  # ticks of processor time
        if fields[0] not in "SZ" or now != before:
            before, since = now, monotonic()
        sleep(0.01)


def end(process: subprocess.Popen[bytes], number: int) -> tuple[bytes, bytes]:
    """Sends a signal as a terminal does, to all that it began; returns what was printed."""
    os.killpg(process.pid, number)
    process.wait(PATIENCE)  # with its input open
    return process.communicate()


@pytest.mark.parametrize(
    ("words", "number"),
    [
        (["crawler", "check", "--solve", "-", "--json"], signal.SIGINT),
        (["crawler", "par", "FOLDER/waiting"], signal.SIGINT),
        (["crawler", "par", "FOLDER/waiting"], signal.SIGTERM),
        (["crawler", "par", "FOLDER/waiting"], signal.SIGHUP),
    ],
)
def test_a_command_that_waits_for_input_hears(place: Place, words: list[str], number: int) -> None:
    os.mkfifo(place.folder / "waiting1.txt")
    with place.begun(words) as process:
        wait_until_idle(process.pid)
        _, said = end(process, number)
        assert process.returncode == 128 + number
        assert b"Traceback" not in said
    place.assert_nothing_is_left()


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("name", COMMANDS)
def test_at_any_moment(place: Place, name: str, number: int) -> None:
    random = Random(f"{name} {number}")
    moments = [0.0, *(random.uniform(0, 2.5) for _ in range(MOMENTS))]
    were_in_time = [assert_heard(place, COMMANDS[name], number, moment) for moment in moments]
    assert any(were_in_time)


def assert_heard(place: Place, words: list[str], number: int, moment: float, keys: bytes = b"") -> bool:
    """Sends a signal so many seconds after a command began; returns True if that was before its end."""
    for path in place.folder.glob("*.jsonl"):
        path.unlink()
    with place.begun(words) as process:
        process.stdin.write(keys)
        process.stdin.flush()
        with suppress(subprocess.TimeoutExpired):
            process.wait(moment)
        is_over = process.poll() is not None
        if is_over:
            return False
        assert process.stdout is not None
        has_answered = bool(select([process.stdout], [], [], 0)[0])
        _, said = end(process, number)
        assert b"Traceback" not in said, said
        # As it leaves, Python itself hears no signal any more; a shell calls that end by the same number.
        ends = (128 + number, -number, 0) if has_answered else (128 + number, -number)
        assert process.returncode in ends, (moment, said)
    place.assert_nothing_is_left()
    return True


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("name", SCREENS)
def test_at_any_moment_on_a_screen(place: Place, name: str, number: int) -> None:
    random = Random(f"{name} {number}")
    for moment in (random.uniform(0, 3) for _ in range(MOMENTS)):
        assert_given_back(place, SCREENS[name], number, moment)


def assert_given_back(place: Place, words: list[str], number: int, moment: float) -> None:
    """Sends a signal so many seconds after the app began to hear it; the terminal is as it was."""
    terminal = Terminal(*place.words(words), **place.changes())
    deadline = monotonic() + PATIENCE
    while not hears(terminal.process.pid, signal.SIGTERM) and terminal.process.poll() is None:
        assert monotonic() < deadline, "it never hears"
        terminal.watch(0.01)
    terminal.watch(moment)
    terminal.process.send_signal(number)
    printed = terminal.end()
    reports = [path.read_text() for path in place.folder.glob("home/reports/*")]
    assert terminal.process.returncode == 128 + number, (moment, printed[-500:], *reports)
    assert terminal.after == terminal.before
    if SCREEN_ON in printed:
        assert all(restored in printed.rpartition(SCREEN_ON)[2] for restored in RESTORED)
    assert b"Traceback" not in printed, printed[printed.index(b"Traceback") :].decode()
    place.assert_nothing_is_left()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_requested_recording_is_written(place: Place, number: int) -> None:
    with place.begun(COMMANDS["delve play"]) as process:
        process.stdin.write(b"..")
        process.stdin.flush()
        wait_until_idle(process.pid)
        end(process, number)
    assert process.returncode == 128 + number
    assert json_of("recording", "verify", str(place.folder / "game.jsonl"))["turns"] == 2
    place.assert_nothing_is_left()
