"""The bytes that the app writes to its terminal, as a player over SSH gets them: at rest, a key, and on a slow line.

python -m tests.bench.wire [--games crawler chase ...] [--sizes 80x24 200x60] [--keys 20]

Prints a table: bytes a second at rest while pieces breathe (5 s after the last key) and after 30 s without a key; the
median and the largest number of bytes for a move; the median for a key of the menu; and, for a key held at 30 a second
on a line of 20 kB/s, the time from the last key to the last byte.
"""

from __future__ import annotations

import argparse
import tempfile
from statistics import median
from time import monotonic, sleep

from tests.terminal import Terminal

LEVELS = {
    "crawler": ("tutorial", "ds"),
    "chase": ("open-room", "w\x7f"),  # a game of few moves is taken back and forth
    "rescue": ("classic", "d\x7f"),
    "delve": ("--seed", "1", "ad"),
    "expedition": ("ring", "ad"),
    "deep": ("--seed", "3", "wd"),
}
QUIET_S = 0.4  # a key's output is over after so long without a byte
LINE_BYTES_PER_S = 20_000
HELD_KEYS_PER_S = 30


class Wire(Terminal):
    """A terminal that counts what it gets."""

    def count(self, seconds: float) -> int:
        """Bytes that arrive in so many seconds."""
        self.printed = b""
        self.watch(seconds)
        return len(self.printed)

    def count_until_quiet(self) -> int:
        """Bytes that arrive until nothing came for QUIET_S."""
        total = 0
        while arrived := self.count(QUIET_S):
            total += arrived
        return total


def opened(game: str, size: tuple[int, int], home: str) -> tuple[Wire, str]:
    """A game on its screen, and the keys that move to and fro."""
    *level, keys = LEVELS[game]
    wire = Wire(game, "play", *level, size=size, DUNGEON_TUI_HOME=home)
    wire.watch(8)
    if game == "rescue":
        wire.press("H")  # opens the question of his health
        wire.watch(1)
        wire.press("9\r")
        wire.watch(1)
    wire.press(keys)  # what is compiled at the first move counts for none
    wire.watch(3)
    wire.count_until_quiet() if game == "deep" else wire.watch(1)
    return wire, keys


def measured(game: str, size: tuple[int, int], keys: int) -> list[str]:
    """The cells of a game's row."""
    with tempfile.TemporaryDirectory() as home:
        wire, ways = opened(game, size, home)
        moves = []
        for number in range(keys):
            wire.press(ways[number % 2])
            moves.append(wire.count(0.7))
        wire.watch(5)
        resting = wire.count(5) / 5
        wire.watch(22)
        asleep = wire.count(5) / 5
        late = held(wire, ways)
        wire.process.kill()
        wire.end()
    return [f"{resting:,.0f}", f"{asleep:,.0f}", f"{median(moves):,.0f}", f"{max(moves):,}", f"{late:.1f}"]


def held(wire: Wire, ways: str) -> float:
    """Seconds from the last of many keys to the last byte, on a slow line."""
    started = last_byte = monotonic()
    pressed, taken, last_key = 0, 0.0, started
    while True:
        now = monotonic()
        if pressed < 3 * HELD_KEYS_PER_S and now - started > pressed / HELD_KEYS_PER_S:
            wire.press(ways[pressed % 2])
            pressed, last_key = pressed + 1, now
        if taken < (now - started) * LINE_BYTES_PER_S and (arrived := wire.count(0)):
            taken, last_byte = max(taken, (now - started - 0.1) * LINE_BYTES_PER_S) + arrived, monotonic()
        if pressed == 3 * HELD_KEYS_PER_S and now - max(last_byte, last_key) > 0.5:  # less than a breath
            return max(0.0, last_byte - last_key)
        sleep(0.002)


def menu(size: tuple[int, int]) -> str:
    """The median of bytes for a key of the menu."""
    with tempfile.TemporaryDirectory() as home:
        wire = Wire(size=size, DUNGEON_TUI_HOME=home)
        wire.watch(6)
        found = []
        for key in "jjklhjkjlh":
            wire.press(key)
            found.append(wire.count(0.7))
        wire.process.kill()
        wire.end()
    return f"{median(found):,.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=list(LEVELS), choices=LEVELS)
    parser.add_argument("--sizes", nargs="+", default=["80x24", "200x60"])
    parser.add_argument("--keys", type=int, default=20)
    given = parser.parse_args()
    print("| game | size | at rest, B/s | after 30 s, B/s | a move, B | the largest, B | held key, s late |")
    print("|---|---|---|---|---|---|---|")
    for text in given.sizes:
        columns, rows = map(int, text.split("x"))
        for game in given.games:
            print("|", " | ".join([game, text, *measured(game, (columns, rows), given.keys)]), "|", flush=True)
        print(f"| menu | {text} | | | {menu((columns, rows))} | | |", flush=True)


if __name__ == "__main__":
    main()
