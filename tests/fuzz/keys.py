"""Random keys, junk bytes, pastes, mouse and resizes, typed ahead, into the app in a terminal of its own.

python -m tests.fuzz.keys --number 20000 --seed 1

Says how many were sent, how often the app was started, and each end that was not clean: an exit status other than 0, a
traceback, a terminal left as it was not, a process or a temporary file left behind.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path
from random import Random
from time import monotonic, sleep

from tests.processes import command, environment

OPENINGS = [line.split() for line in (
    "", "crawler play tutorial", "crawler play gauntlet", "crawler edit", "chase play braid", "delve play",
    "chase play open-room --rogue cycle --monster perfect", "rescue play --rows 6 --cols 7", "delve play --seed 3",
    "rescue play --puzzle uphill", "expedition play ring", "expedition play",
    "chase play --recording tests/recordings/chase-open-room-captured.jsonl",
)]  # fmt: skip
KEYS = [
    *map(chr, range(32, 127)), "\r", "\t", "\x7f", "\x10", "\x13", "\x19", "\x1b", "\x1b[5~", "\x1b[6~", "\x1b[3~",
    *(f"\x1b[{end}" for end in "ABCDHF"), "\x1bOP", "\x1b[15~", "\x1b[Z",
]  # fmt: skip
JUNK = [
    b"\xe9", b"\x80", b"\xff\xfe", b"\x1b[1114112u", b"\x1b[999999999999999999999999A", b"\x1b[M\xff\xff\xff", b"\x00",
    b"\x1b[<0;5;5M", b"\x1b[<0;5;5m", b"\x1b[<64;9;9M", b"\x1b[<35;70;20M", b"\x1b[48;9;9;1;1t", b"\x1b[I", b"\x1b[O",
    b"\x1b[48;99999;99999;1;1t", b"\x1b[?2048;1$y", b"\x1b[1;1R", b"\x1b[200~" + b"pasted \x1b[A\n" * 50 + b"\x1b[201~",
    b"dawshjkl" * 300,
]  # fmt: skip
SIZES = [(24, 80), (60, 200), (10, 5), (1, 1), (5, 30), (40, 100)]
PATIENCE = 20.0  # seconds for an app to leave
RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l")


class Terminal:
    """The app in a pseudo-terminal of its own, and all that it printed."""

    def __init__(self, arguments: list[str], home: str) -> None:
        self.master, self._slave = pty.openpty()
        self.modes = termios.tcgetattr(self._slave)
        self.resize((24, 80))
        own = {"DUNGEON_TUI_HOME": home, "HOME": home, "TMPDIR": home, "TERM": "xterm-256color"}
        self.process = subprocess.Popen(
            command(*arguments), stdin=self._slave, stdout=self._slave, stderr=self._slave, env=environment(**own),
            start_new_session=True,
        )  # fmt: skip
        self.printed = b""
        self._home = Path(home)

    def resize(self, size: tuple[int, int]) -> None:
        """Gives the terminal so many rows and columns."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        if hasattr(self, "process"):
            self.process.send_signal(signal.SIGWINCH)

    def watch(self, seconds: float) -> None:
        """Reads what is printed, for so long or until the app ends."""
        deadline = monotonic() + seconds
        while (left := deadline - monotonic()) > 0 and select.select([self.master], [], [], min(left, 0.05))[0]:
            self.printed = (self.printed + os.read(self.master, 65536))[-200_000:]

    def send(self, data: bytes) -> None:
        """Types, as fast as the terminal takes it."""
        while data:
            ready = select.select([self.master], [self.master], [], 1)
            if ready[0]:
                self.watch(0.01)
            if ready[1]:
                data = data[os.write(self.master, data[:1000]) :]
            elif self.process.poll() is not None:
                return

    def faults(self, status: int | None) -> list[str]:
        """Whatever is wrong after the app has ended with an exit status."""
        found = [] if status == 0 else [f"exit status {status}"]
        found += [path.read_text()[-1500:] for path in self._home.rglob("reports/*.txt")]
        if b"Traceback" in self.printed:
            found.append("a traceback was printed")
        found += [f"{sequence!r} was not sent" for sequence in RESTORED if sequence not in self.printed]
        if termios.tcgetattr(self._slave) != self.modes:
            found.append("the terminal's modes are not restored")
        deadline = monotonic() + PATIENCE
        while (left := self._processes()) and monotonic() < deadline:
            sleep(0.1)
        return found + [f"process {number} is left" for number in left]

    def _processes(self) -> list[str]:
        found = subprocess.run(["pgrep", "-s", str(self.process.pid)], capture_output=True, text=True, check=False)
        return found.stdout.split()

    def close(self) -> None:
        """Gives the terminal back."""
        os.close(self.master)
        os.close(self._slave)


def typed(chance: Random) -> bytes | tuple[int, int]:
    """What happens next: keys, junk or another size."""
    kind = chance.random()
    if kind < 0.03:
        return chance.choice(SIZES)
    if kind < 0.1:
        return chance.choice(JUNK)
    return "".join(chance.choices(KEYS, k=chance.choice([1, 1, 3, 20]))).encode()


def session(arguments: list[str], number: int, chance: Random) -> tuple[int, list[str]]:
    """Sends so many things to one app, unless it is left before; returns how many, and its faults."""
    with tempfile.TemporaryDirectory() as home:
        terminal = Terminal(arguments, home)
        terminal.watch(3)
        sent = 0
        while sent < number and terminal.process.poll() is None:
            what = typed(chance)
            if isinstance(what, tuple):
                terminal.resize(what)
            else:
                terminal.send(what)
            terminal.watch(chance.choice([0, 0, 0.002, 0.05]))
            sent += 1
        terminal.resize((24, 80))
        deadline = monotonic() + PATIENCE
        while terminal.process.poll() is None and monotonic() < deadline:
            terminal.send(b"\x03")  # twice leaves without an answer
            terminal.watch(0.2)
        status = terminal.process.poll()
        if status is None:
            os.killpg(terminal.process.pid, signal.SIGKILL)
        terminal.watch(0.3)
        faults = terminal.faults(status)
        terminal.close()
        faults += [f"{path} is left" for path in Path(home).rglob("*.part")]
    return sent, faults


def main() -> None:
    """Plays sessions until so many things were sent."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=20_000)
    parser.add_argument("--session", type=int, default=400, help="things sent to one app")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sent = starts = wrong = 0
    while sent < options.number:
        chance = Random(f"{options.seed} {starts}")
        arguments = chance.choice(OPENINGS)
        more, faults = session(arguments, options.session, chance)
        sent, starts = sent + max(more, 1), starts + 1
        for fault in faults:
            wrong += 1
            print(f"start {starts - 1} ({' '.join(arguments) or 'menu'}), after {more}: {fault}", flush=True)
    print(f"{sent:,} keys, bytes and sizes sent in {starts} starts; {wrong} faults")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
