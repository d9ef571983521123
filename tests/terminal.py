"""The command line in a pseudo-terminal of its own."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path
from time import monotonic, sleep

import pyte

from tests.processes import PATIENCE, ROOT, environment

RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l")  # the screen, the cursor, the mouse
_KEPT = 200_000  # bytes of what was printed last
_UNUSUAL = re.compile(rb"\x1b\[[<>=?][^A-Za-z]*[A-Zag-z]")  # sequences that pyte would print


class Terminal:
    """A terminal, of 80 x 24 by default, with the command line in it, and what that printed."""

    def __init__(
        self, *arguments: str, program: tuple[str, ...] = ("-m", "dungeon_tui"), folder: Path = ROOT,
        size: tuple[int, int] = (80, 24), **changes: str,
    ) -> None:  # fmt: skip
        self.master, self.slave = pty.openpty()
        self.before = self.after = termios.tcgetattr(self.slave)
        self._set_size(size[1], size[0])
        self.printed = b""
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.process = subprocess.Popen(
            [sys.executable, *program, *arguments], stdin=self.slave, stdout=self.slave, stderr=self.slave,
            start_new_session=True, cwd=folder, env=environment(**{"TERM": "xterm-256color", **changes}),
        )  # fmt: skip

    def resize(self, rows: int, columns: int) -> None:
        self._set_size(rows, columns)
        self.screen.resize(rows, columns)
        self.process.send_signal(signal.SIGWINCH)

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def send(self, data: bytes) -> None:
        """Types bytes as fast as the terminal takes them, and reads meanwhile."""
        while data and self.process.poll() is None:
            self.watch(0)
            if select.select([], [self.master], [], 0.05)[1]:
                data = data[os.write(self.master, data[:1000]) :]

    def watch(self, seconds: float) -> None:
        """Reads what is printed, for so long."""
        deadline = monotonic() + seconds
        while select.select([self.master], [], [], max(0.0, deadline - monotonic()))[0]:
            data = os.read(self.master, 65536)
            self.printed = (self.printed + data)[-_KEPT:]
            self._stream.feed(_UNUSUAL.sub(b"", data))
            if monotonic() > deadline:
                return

    def wait_for(self, text: str) -> None:
        """Reads until the screen shows a text."""
        deadline = monotonic() + PATIENCE
        while not any(text in line for line in self.screen.display):
            assert monotonic() < deadline, f"{text!r} never came, but {self.screen.display}"
            self.watch(0.02)

    def end(self, patience: float = PATIENCE) -> bytes:
        """Waits for the end, by force once the patience is over; returns what was printed last."""
        deadline = monotonic() + patience
        while self.process.poll() is None:
            self.watch(0.02)
            if monotonic() > deadline:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self.watch(0.1)
        self.after = termios.tcgetattr(self.slave)
        os.close(self.master)
        os.close(self.slave)
        return self.printed

    def assert_given_back(self, status: int) -> bytes:
        """It ends with a status and leaves the terminal as it was; returns what was printed last."""
        rest = self.end()
        assert (self.process.returncode, self.after) == (status, self.before)
        assert all(restored in rest for restored in RESTORED)
        assert b"Traceback" not in rest
        return rest

    def processes_left(self, patience: float = 20.0) -> list[int]:
        """Processes of its session that are still there after a while."""
        deadline = monotonic() + patience
        while True:
            found = subprocess.run(["pgrep", "-s", str(self.process.pid)], capture_output=True, check=False)
            if not found.stdout or monotonic() > deadline:
                return [int(number) for number in found.stdout.split()]
            sleep(0.05)

    def _set_size(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
