"""Kills the app at random moments of random play in all games, and looks for the turns that were lost: there are none.

python -m tests.fuzz.kills --runs 200 --seed 1

Each run types keys into the app in a terminal of its own, and ends it by SIGKILL, SIGTERM, SIGHUP or by closing the
terminal. A witness in the app notes each turn before and after the journal hears of it: from there on another key may
be read, and the turn has to be in the library. Most games are gone on with by `dungeon-tui continue`, which must open
at the very turn where the library has them, and are killed again.
"""

import argparse
import os
import signal
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from dungeon_tui.__main__ import main as run_app
from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.turns import Turn
from dungeon_tui.storage.journal import Journal
from dungeon_tui.storage.library import NAME, Library
from tests.terminal import Terminal

OPENINGS = [
    line.split()
    for line in (
        "crawler play tutorial", "crawler play gauntlet", "chase play braid", "chase play open-room --monster you",
        "delve play --seed 3", "delve play --seed 8", "rescue play --rows 6 --cols 7", "rescue play --puzzle purchase",
        "expedition play ring", "expedition play ruins", "deep play story",
    )
]  # fmt: skip
MOVES = [*"wasdhjklyubn.e1234", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\r"]
OTHERS = ["\x7f", "\x7f", "\x1a", "\x19", "\x19", *"[[]rLKzotvxfp{}O"]
WAYS = ("SIGKILL", "SIGTERM", "SIGHUP", "closed terminal")
PATIENCE = 120.0  # seconds: kernels may have to be compiled


@dataclass
class Tally:
    """The counts of all runs."""

    runs: int = 0
    turns: int = 0  # that were noted
    continued: int = 0
    faults: list[str] = field(default_factory=list)


def way_of(rules: Any, turn: Turn[Any, Any]) -> str:
    """The actions that led to a turn."""
    return ";".join(rules.action_text(each.action) for each in turn.line()[1:])


def watch(file: str) -> None:
    """Has every session that a journal is opened for noted in a file: when, the game's key, the way to the turn.

    Nothing is noted before a person has moved, nor of variations, of which nothing stays.
    """
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    begin = Journal.__init__

    def begin_watched(self: Journal, library: Any, game: Any, session: Any, *rest: Any, **options: Any) -> None:
        def note(word: str, turn: Turn[Any, Any]) -> None:
            if session.variation is None and self._is_begun:
                way = way_of(session.controller.rules, turn)
                os.write(descriptor, f"{word}\t{self.stored.key}\t{way}\n".encode())

        session.controller.observe(lambda change: note("to", change.after))
        begin(self, library, game, session, *rest, **options)
        session.controller.observe(lambda change: note("at", change.after))
        note("open", session.turn)

    Journal.__init__ = begin_watched


def kill_once(folder: Path, arguments: list[str], chance: Random) -> list[list[str]]:
    """Plays and kills one app; returns the witness's notes, without one that was cut off."""
    witness, home = folder / "witness.txt", str(folder)
    witness.unlink(missing_ok=True)
    terminal = Terminal(
        *arguments, program=("-m", "tests.fuzz.kills"), WITNESS=str(witness), DUNGEON_TUI_HOME=home, HOME=home
    )
    deadline = monotonic() + PATIENCE
    is_early = chance.random() < 0.05  # while it still starts
    while not is_early and terminal.process.poll() is None and monotonic() < deadline:
        terminal.watch(0.05)
        if witness.exists() and b"\x1b[?1049h" in terminal.printed:
            break
    moment = monotonic() + chance.uniform(0.0, 2.5)
    while monotonic() < moment and terminal.process.poll() is None:
        keys = [chance.choice(MOVES if chance.random() < 0.8 else OTHERS) for _ in range(chance.choice([1, 1, 2, 6]))]
        terminal.press("".join(keys))
        terminal.watch(chance.choice([0.0, 0.01, 0.05, 0.1]))
    way = chance.choice(WAYS)
    if way == "closed terminal":
        os.close(terminal.master)
        os.close(terminal.slave)
        terminal.process.send_signal(signal.SIGHUP)  # as the kernel does for a terminal that controls the session
        terminal.process.wait(PATIENCE)
    else:
        terminal.process.send_signal(getattr(signal, way))
        terminal.end(PATIENCE)
    return [line.split("\t") for line in witness.read_text().split("\n")[:-1]] if witness.exists() else []


def check(folder: Path, noted: list[list[str]], tally: Tally) -> tuple[str, str] | None:
    """Compares the library with the notes of one run; returns key and way of the game if it can be gone on with."""
    if not noted:
        return None
    key = noted[-1][1]
    done = [way for word, noted_key, way in noted if noted_key == key and word != "to"]
    tally.turns += len(done)
    with closing(Library(folder / NAME)) as library:
        (stored,) = library.games("key = ?", key)
        resumed, rules = library.resume(stored), find_game(stored.game).rules()
        at, ways = way_of(rules, resumed.controller.turn), {way_of(rules, turn) for turn in resumed.numbers}
        missing = [way for way in done if way not in ways]
        if library.notice or resumed.trouble or missing or at not in {way for _, _, way in noted}:
            tally.faults.append(f"run {tally.runs}: {library.notice}{resumed.trouble} stands at {at}, lost {missing}")
        return (key, at) if stored.outcome == "" else None


def run(runs: int, seed: int) -> Tally:
    """Kills the app so many times."""
    tally = Tally()
    waiting: tuple[str, str] | None = None  # key and way of the game that `continue` must open
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root)
        for tally.runs in range(1, runs + 1):
            chance = Random(f"{seed} {tally.runs}")
            if waiting is None or chance.random() < 0.35:
                waiting = None
                folder = Path(root) / str(chance.choice(range(5)))  # some libraries have many games
                folder.mkdir(exist_ok=True)
            noted = kill_once(folder, ["continue"] if waiting else chance.choice(OPENINGS), chance)
            if waiting is not None and noted:
                tally.continued += 1
                if noted[0] != ["open", *waiting]:
                    tally.faults.append(f"run {tally.runs}: opened at {noted[0]}, was left at {waiting}")
            waiting = check(folder, noted, tally) or (None if noted else waiting)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tally = run(options.runs, options.seed)
    print("\n".join(tally.faults))
    print(f"{tally.runs} kills, {tally.turns:,} turns noted, {tally.continued} continued; {len(tally.faults)} faults")
    sys.exit(bool(tally.faults))


if __name__ == "__main__" and "WITNESS" in os.environ:
    watch(os.environ["WITNESS"])
    run_app()
elif __name__ == "__main__":
    main()
