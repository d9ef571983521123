"""Kills the app at random moments of random play in all games, and looks for the turns that were lost: there are none.

python -m tests.fuzz.kills --runs 200 --seed 1

Each run types keys into the app in a terminal of its own, and ends it by SIGKILL, SIGTERM, SIGHUP or by closing the
terminal. A witness in the app (tests/fuzz/witness.py) notes each turn when all have heard of it: from there on another
key may be read, and the turn has to be in the library. So whoever reads the library after the kill must find the turn
noted last, or the one that was about to come; and on all branches every turn that was noted. Then the game is gone on
with by `dungeon-tui continue`, which must open at that very turn, and is killed again.
"""

import argparse
import os
import signal
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.turns import Turn
from dungeon_tui.storage.library import NAME, Library
from tests.terminal import Terminal

OPENINGS = [
    line.split()
    for line in (
        "crawler play tutorial", "crawler play gauntlet", "chase play braid", "chase play open-room --monster you",
        "delve play --seed 3", "delve play --seed 8", "rescue play --rows 6 --cols 7", "rescue play --puzzle uphill",
        "expedition play ring", "expedition play ruins",
    )
]  # fmt: skip
MOVES = [*"wasdhjklyubn.e1234", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\r"]
OTHERS = [
    "\x7f", "\x7f", "\x1a", "\x19", "\x19", "[", "[", "]", "r", "L", "K", "z", "o", "t", "v", "x", "f", "p", "{", "}",
    "O",
]  # fmt: skip
WAYS = ("SIGKILL", "SIGTERM", "SIGHUP", "closed terminal")
PATIENCE = 120.0  # seconds: kernels may have to be compiled


@dataclass
class Tally:
    """The counts of all runs."""

    runs: int = 0
    turns: int = 0  # that were noted
    lost: int = 0
    continued: int = 0
    ways: Counter[str] = field(default_factory=Counter)
    games: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Note:
    """A line of the witness."""

    word: str
    key: str
    has_moved: bool
    way: tuple[str, ...]


def notes(file: Path, start: int) -> list[Note]:
    """The notes of the witness from a byte on; one that was cut off is left out."""
    lines = file.read_bytes()[start:].decode().split("\n")[:-1] if file.exists() else []
    found = []
    for line in lines:
        word, key, has_moved, way = line.split("\t")
        found.append(Note(word, key, has_moved == "1", tuple(way.split(";")) if way else ()))
    return found


def way_of(game: str, turn: Turn[object, object]) -> tuple[str, ...]:
    """The actions that led to a turn, as texts."""
    rules = find_game(game).rules()
    return tuple(rules.action_text(each.action) for each in turn.line()[1:])


def end(terminal: Terminal, way: str) -> None:
    """Ends the app from outside, and waits until it is gone."""
    if way == "closed terminal":
        os.close(terminal.master)
        os.close(terminal.slave)
        terminal.process.send_signal(signal.SIGHUP)  # as the kernel does for a terminal that controls the session
    else:
        terminal.process.send_signal(getattr(signal, way))
    deadline = monotonic() + PATIENCE
    while terminal.process.poll() is None and monotonic() < deadline:
        if way == "closed terminal":
            terminal.process.wait(PATIENCE)
        else:
            terminal.watch(0.02)
    if way != "closed terminal":
        terminal.end(PATIENCE)


def check(folder: Path, noted: list[Note], tally: Tally) -> str | None:
    """Compares the library with the notes of one run; returns the key of the game if it can be gone on with."""
    opened = [place for place, note in enumerate(noted) if note.word == "open"]
    if not opened:
        return None
    mine = noted[opened[-1] :]
    key = mine[0].key
    done = [note.way for note in mine if note.word != "to"]
    last = max(place for place, note in enumerate(mine) if note.word != "to")
    allowed = {mine[last].way, *(note.way for note in mine[last:])}
    has_moved = mine[last].has_moved
    tally.turns += sum(note.word == "at" for note in mine)
    library = Library(folder / NAME)
    try:
        if library.notice:
            tally.faults.append(library.notice)
        found = library.games("key = ?", key)
        if not found:
            if has_moved:
                tally.lost += len(mine[last].way)
                tally.faults.append(f"run {tally.runs}: the game is not in the library, after {mine[last].way}")
            return None
        (stored,) = found
        resumed = library.resume(stored)
        if resumed.trouble:
            tally.faults.append(f"run {tally.runs}: {resumed.trouble}")
        at = way_of(stored.game, resumed.controller.turn)
        if at not in allowed:
            tally.lost += max(1, len(mine[last].way) - len(at))
            tally.faults.append(f"run {tally.runs}: stands at {at}, was at {mine[last].way}")
        ways = {way_of(stored.game, turn) for turn in resumed.numbers}
        missing = [way for way in done if way not in ways] if has_moved else []
        if missing:
            tally.lost += len(missing)
            tally.faults.append(f"run {tally.runs}: branches are lost: {missing[:3]}")
        return key if stored.outcome == "" else None
    finally:
        library.close()


def kill_once(folder: Path, arguments: list[str], chance: Random, tally: Tally) -> list[Note]:
    """Plays and kills one app; returns the witness's notes."""
    witness = folder / "witness.txt"
    start = witness.stat().st_size if witness.exists() else 0
    home = str(folder)
    terminal = Terminal(
        *arguments, program=("-m", "tests.fuzz.witness"), WITNESS=str(witness), DUNGEON_TUI_HOME=home, HOME=home
    )
    deadline = monotonic() + PATIENCE
    is_early = chance.random() < 0.05  # while it still starts
    while not is_early and terminal.process.poll() is None and monotonic() < deadline:
        terminal.watch(0.05)
        if witness.exists() and witness.stat().st_size > start and b"\x1b[?1049h" in terminal.printed:
            break
    moment = monotonic() + chance.uniform(0.0, 2.5)
    while monotonic() < moment and terminal.process.poll() is None:
        keys = [chance.choice(MOVES if chance.random() < 0.8 else OTHERS) for _ in range(chance.choice([1, 1, 2, 6]))]
        terminal.press("".join(keys))
        terminal.watch(chance.choice([0.0, 0.01, 0.05, 0.1]))
    way = chance.choice(WAYS)
    tally.ways[way if terminal.process.poll() is None else "left before"] += 1
    end(terminal, way)
    return notes(witness, start)


def run(runs: int, seed: int) -> Tally:
    """Kills the app so many times."""
    tally = Tally()
    folder: Path | None = None
    waiting: str | None = None  # key of the game that `continue` must open
    with tempfile.TemporaryDirectory() as root:
        for tally.runs in range(1, runs + 1):
            chance = Random(f"{seed} {tally.runs}")
            if waiting is None or chance.random() < 0.35 or folder is None:
                waiting = None
                folder = Path(root) / str(chance.choice(range(5)))  # some libraries have many games
                folder.mkdir(exist_ok=True)
                arguments = chance.choice(OPENINGS)
                tally.games[arguments[0]] += 1
            else:
                arguments = ["continue"]
            before = _standing(folder, waiting)
            noted = kill_once(folder, arguments, chance, tally)
            first = next((note for note in noted if note.word == "open"), None)
            if waiting is not None and first is not None:
                tally.continued += 1
                if (first.key, first.way) != (waiting, before):
                    tally.lost += 1
                    tally.faults.append(f"run {tally.runs}: opened at {first}, was left at {waiting} {before}")
            waiting = check(folder, noted, tally) if first is not None else waiting
            print(f"\r{tally.runs} kills, {tally.turns} turns, {tally.lost} lost", end="", file=sys.stderr)
    print(file=sys.stderr)
    return tally


def _standing(folder: Path, key: str | None) -> tuple[str, ...]:
    """The actions to the turn where a game stands."""
    if key is None:
        return ()
    library = Library(folder / NAME)
    try:
        (stored,) = library.games("key = ?", key)
        return way_of(stored.game, library.resume(stored).controller.turn)
    finally:
        library.close()


def main() -> None:
    """Prints how many were killed and what was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tally = run(options.runs, options.seed)
    print("\n".join(tally.faults))
    ways = ", ".join(f"{number} by {way}" for way, number in sorted(tally.ways.items()))
    games = ", ".join(f"{game} {number}" for game, number in sorted(tally.games.items()))
    print(
        f"{tally.runs} kills ({ways}), games begun: {games}; {tally.turns:,} turns noted, {tally.continued} continued"
    )
    print(f"{tally.lost} turns lost, {len(tally.faults)} faults")
    sys.exit(bool(tally.lost or tally.faults))


if __name__ == "__main__":
    main()
