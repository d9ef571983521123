"""Random keys, junk bytes, pastes, mouse and resizes, typed ahead, into the app in a terminal of its own.

python -m tests.fuzz.keys --number 20000 --seed 1

Says how many were sent, how often the app was started, and each end that was not clean: an exit status other than 0, a
traceback, a terminal left as it was not, a process or a temporary file left behind.
"""

import argparse
import signal
import sys
import tempfile
from pathlib import Path
from random import Random
from time import monotonic

from tests.processes import ROOT
from tests.terminal import RESTORED, Terminal

RECORDING = ROOT / "tests" / "recordings" / "chase-open-room-captured.jsonl"
OPENINGS = [line.split() for line in (
    "", "crawler play tutorial", "crawler play gauntlet", "crawler edit", "chase play braid", "delve play",
    "chase play open-room --rogue cycle --monster perfect", "rescue play --rows 6 --cols 7", "delve play --seed 3",
    "rescue play --puzzle purchase", "expedition play ring", "expedition play",
)] + [["chase", "play", "--recording", str(RECORDING)]]  # fmt: skip
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
        terminal = Terminal(
            *arguments, folder=Path(home), DUNGEON_TUI_HOME=home, HOME=home, TMPDIR=home, PYTHONFAULTHANDLER="1"
        )
        terminal.watch(3)
        sent = 0
        while sent < number and terminal.process.poll() is None:
            what = typed(chance)
            if isinstance(what, tuple):
                terminal.resize(*what)
            else:
                terminal.send(what)
            terminal.watch(chance.choice([0, 0, 0.002, 0.05]))
            sent += 1
        deadline = monotonic() + PATIENCE
        while terminal.process.poll() is None and monotonic() < deadline:
            terminal.send(b"\x11\x03")  # goes on where Ctrl-S held the output; Ctrl-C twice leaves without an answer
            terminal.watch(0.2)
        if terminal.process.poll() is None:
            terminal.process.send_signal(signal.SIGABRT)  # says where each thread is
        printed = terminal.end(PATIENCE)
        faults = [] if terminal.process.returncode == 0 else [f"exit status {terminal.process.returncode}"]
        faults += [path.read_text()[-1500:] for path in Path(home).rglob("reports/*.txt")]
        for told in (b"Traceback", b"Fatal Python error"):
            if told in printed:
                faults.append(printed[printed.index(told) :][:3000].decode("utf-8", "replace"))
        faults += [f"{sequence!r} was not sent" for sequence in RESTORED if sequence not in printed]
        faults += ["the terminal's modes are not restored"] * (terminal.after != terminal.before)
        faults += [f"process {process} is left" for process in terminal.processes_left()]
        faults += [f"{path} is left" for path in Path(home).rglob("*.part")]
    return sent, faults


def main() -> None:
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
