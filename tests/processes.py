"""The command line as its users meet it: a process of its own, with pipes or a terminal."""

import io
import json
import os
import select
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from signal import SIGINT, getsignal, pthread_kill, signal
from threading import main_thread
from time import monotonic, sleep
from typing import Any

import pytest

from dungeon_tui.__main__ import main

ROOT = Path(__file__).parents[1]
AS_NOBODY = (
    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
    "--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search",  # who may read all files
)  # fmt: skip
GONE = 2**22 + 1  # the number of a process that there can't be
PATIENCE = 50  # seconds: less than pytest gives a test; never waited for in full


def environment(**changes: str) -> dict[str, str]:
    """The environment, without what would change how we look."""
    dropped = "TEXTUAL", "NO_COLOR", "PYTHONUNBUFFERED"
    kept = {key: value for key, value in os.environ.items() if not key.startswith(dropped)}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **changes}


def as_another(*arguments: str) -> list[str]:
    """The command, run by a user who may write nothing here."""
    if os.geteuid():
        return list(arguments)
    if shutil.which("setpriv") is None:
        pytest.skip("root may write everything, and setpriv isn't there")
    return [*AS_NOBODY, *arguments]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "dungeon_tui", *arguments]


def run(*arguments: str, given: bytes = b"", folder: Path = ROOT, **changes: str) -> subprocess.CompletedProcess[bytes]:
    """Runs `dungeon-tui ARGUMENTS` to its end."""
    return subprocess.run(
        command(*arguments), input=given, capture_output=True, cwd=folder, env=environment(**changes), timeout=PATIENCE
    )


def call(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """As `run`, in this process: where only the answers matter, not the process."""
    streams = [io.TextIOWrapper(io.BytesIO(given), "utf-8") for given in (given, b"", b"")]
    kept, handler = (sys.argv, sys.stdin, sys.stdout, sys.stderr), getsignal(SIGINT)
    status: object = 0
    try:
        sys.argv = ["dungeon-tui", *arguments]
        sys.stdin, sys.stdout, sys.stderr = streams
        main()
    except SystemExit as leaving:
        status = leaving.code or 0
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = kept
        signal(SIGINT, handler)
    assert isinstance(status, int)
    for stream in streams[1:]:
        stream.flush()
    out, complaints = (stream.buffer.getvalue() for stream in streams[1:])
    return subprocess.CompletedProcess(arguments, status, out, complaints)


def interrupt(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> None:
    """Presses Ctrl-C whenever a function or method of this name is called, which then does what it does."""
    function = getattr(owner, name)

    def interrupted(*arguments: Any, **options: Any) -> Any:
        pthread_kill(main_thread().ident or 0, SIGINT)
        return function(*arguments, **options)

    monkeypatch.setattr(owner, name, interrupted)


def json_of(*arguments: str, given: bytes = b"") -> Any:
    """What `dungeon-tui ARGUMENTS --json` says, and nothing else."""
    done = call(*arguments, "--json", given=given)
    assert (done.returncode, done.stderr) == (0, b"")
    (line,) = done.stdout.decode().splitlines()
    return json.loads(line)


def printed(*arguments: str, given: bytes = b"", said: str = "") -> str:
    """What `dungeon-tui ARGUMENTS` prints; and what it says on standard error is checked."""
    done = call(*arguments, given=given)
    assert (done.returncode, done.stderr.decode()) == (0, said)
    return done.stdout.decode()


def refused(*arguments: str, status: int = 1, given: bytes = b"") -> str:
    """The one line with which a command that prints nothing ends; or all that it says of wrong usage."""
    done = call(*arguments, given=given)
    assert (done.returncode, done.stdout) == (status, b"")
    said = done.stderr.decode()
    assert status == 2 or (said.count("\n") == 1 and said[:-1].isprintable())
    return said


def read_until(descriptor: int, wanted: bytes, sofar: bytes = b"") -> bytes:
    deadline = monotonic() + PATIENCE
    while wanted not in sofar:
        ready, _, _ = select.select([descriptor], [], [], max(0.0, deadline - monotonic()))
        assert ready, f"{wanted!r} never came, but {sofar[-2000:]!r}"
        piece = os.read(descriptor, 65536)
        assert piece, f"{wanted!r} never came, but {sofar[-2000:]!r} and the end"
        sofar += piece
    return sofar


def assert_ended(process: int) -> None:
    """Waits until a process is gone, or has nothing left but its name."""
    deadline = monotonic() + PATIENCE
    while monotonic() < deadline:
        try:
            os.kill(process, 0)
            if Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return
        except (ProcessLookupError, FileNotFoundError):
            return
        sleep(0.01)
    raise AssertionError(f"process {process} is still there")


def marked(mark: str) -> list[int]:
    """Processes that were begun with a text in their environment, by whomever, and are still there."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # another's, or gone by now
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found
