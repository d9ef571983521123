"""The crawler's figures: loading, doubling, turns, memory, first frame, key to paint.

Run: python -m tests.bench.bench_crawler
"""

import os
import random
import select
import subprocess
import tempfile
import tracemalloc
from pathlib import Path
from statistics import median
from time import perf_counter

from dungeon_tui.core.board import Board
from dungeon_tui.core.level import read_level_file
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.level import read_level
from dungeon_tui.games.crawler.model.state import Action
from tests.processes import command, read_until
from tests.terminal import Terminal


def write_level(path: Path, side: int, seed: int = 1) -> None:
    """A level of open floor with one pillar in ten, some treasure, monsters far from the start, one amulet."""
    source = random.Random(seed)
    rows = []
    for _ in range(side):
        row = source.choices("-+$", (89, 10, 1), k=side)
        rows.append(row)
    middle = side // 2
    for row in range(middle - 40, middle + 40):
        for col in range(middle - 40, middle + 40):
            if rows[row][col] == "+":
                rows[row][col] = "-"
    rows[middle] = ["-"] * side
    rows[middle - 1] = ["-"] * side
    rows[middle][middle + 1] = "@"
    rows[0][0] = "!"
    for col in range(0, side, 7):
        rows[1][col] = "M"
    path.write_text(f"{side} {side}\n{middle} {middle}\n" + "\n".join(" ".join(row) for row in rows) + "\n")


def rules_figures(folder: Path) -> dict[str, float]:
    """Milliseconds of loading, doubling and turns."""
    write_level(folder / "large1.txt", 1000)
    write_level(folder / "huge1.txt", 2048)
    loads = []
    for _ in range(7):
        began = perf_counter()
        level = read_level(read_level_file(folder / "large1.txt"))
        Board.of(level.tiles)
        loads.append(perf_counter() - began)
    huge = Dungeon("huge", (read_level(read_level_file(folder / "huge1.txt")),))
    doublings = []
    for _ in range(7):
        controller = TurnController(rules, huge)
        began = perf_counter()
        controller.apply(Action.RIGHT)
        doublings.append(perf_counter() - began)
    controller = TurnController(rules, huge)
    turns = {"2048": _turns(controller)}
    controller = TurnController(rules, huge)
    controller.apply(Action.RIGHT)
    turns["4096"] = _turns(controller)
    tracemalloc.start()
    _turns(controller, 5000)
    history = tracemalloc.get_traced_memory()[0] / 5000
    tracemalloc.stop()
    return {
        "load 1000 x 1000, ms": 1e3 * median(loads),
        "double 2048 x 2048, ms": 1e3 * median(doublings),
        "turn on 2048 x 2048, median ms": 1e3 * median(turns["2048"]),
        "turn on 4096 x 4096, median ms": 1e3 * median(turns["4096"]),
        "turn on 4096 x 4096, worst ms": 1e3 * max(turns["4096"]),
        "history, bytes a turn": history,
    }


def _turns(controller, count: int = 2000) -> list[float]:
    source = random.Random(2)
    times = []
    for _ in range(count):
        action = source.choice((Action.UP, Action.DOWN, Action.LEFT, Action.RIGHT))
        if controller.outcome is not None:
            controller.restart()
        began = perf_counter()
        controller.apply(action)
        times.append(perf_counter() - began)
    return times


class App(Terminal):
    """The app in a terminal, read as fast as it paints."""

    def __init__(self, *arguments: str, size: tuple[int, int] = (80, 24)) -> None:
        self.began = perf_counter()
        super().__init__(*arguments, size=size, COLORTERM="truecolor")

    def read(self, quiet: float, limit: float = 30) -> tuple[float, bytes]:
        """Reads until nothing came for so many seconds: (last byte at, bytes)."""
        last = 0.0
        received = b""
        end = perf_counter() + limit
        while perf_counter() < end and select.select([self.master], [], [], quiet if last else limit)[0]:
            data = os.read(self.master, 1 << 20)
            last = perf_counter()
            received += data
            if b"\x1b[?2026$p" in data:  # it asks for synchronized output, as terminals of today have it
                os.write(self.master, b"\x1b[?2026;1$y")
        return last, received

    def painted(self, text: bytes) -> float:
        """Seconds from the start until a text was painted."""
        read_until(self.master, text)
        return perf_counter() - self.began

    def close(self) -> int:
        """Ends the app; returns its peak memory in KiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        self.process.kill()
        self.end()
        return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))


def screen_figures(folder: Path) -> dict[str, float]:
    """Milliseconds to the first frame and from key to paint; memory of the whole app."""
    figures: dict[str, float] = {}
    for name, arguments, text in (
        ("menu", (), b"Crawler"),
        ("play", ("crawler", "play", str(folder / "large")), b"large"),  # the line that names the level
    ):
        frames = []
        for _ in range(7):
            terminal = App(*arguments)
            frames.append(terminal.painted(text))
            terminal.close()
        figures[f"first frame, {name}, median ms"] = 1e3 * median(frames)
    terminal = App("crawler", "play", str(folder / "large"))
    figures["level of 1000 x 1000 shown, ms"] = 1e3 * terminal.painted(b"0 moves")
    terminal.close()
    terminal = App("crawler", "play", str(folder / "huge"), size=(200, 60))
    terminal.painted(b"0 moves")
    terminal.read(0.7)
    times, sizes = _paints(terminal, "ad" * 48)
    figures["key to paint, step, p50 ms"] = median(times)
    figures["key to paint, step, p90 ms"] = times[int(0.9 * len(times))]
    figures["key to paint, step, bytes"] = median(sizes)
    # A long walk along a free row: the keys that made the map scroll are those with many bytes.
    times, sizes = _paints(terminal, "a" * 300, sort=False)
    scrolls = [time for time, size in zip(times, sizes, strict=True) if size > 4 * median(sizes)]
    figures["key to paint, where the map scrolls, p50 ms"] = median(scrolls)
    _paints(terminal, "ooo")
    terminal.read(3)
    times, _ = _paints(terminal, "ad" * 12)
    figures["key to paint, step under a heat overlay, p50 ms"] = median(times)
    figures["memory of the app on 2048 x 2048, MB"] = terminal.close() / 1024
    help_times = []
    for _ in range(7):
        began = perf_counter()
        subprocess.run(command("--help"), check=True, capture_output=True)
        help_times.append(perf_counter() - began)
    figures["--help, ms"] = 1e3 * median(help_times)
    return figures


def _paints(terminal: App, keys: str, sort: bool = True) -> tuple[list[float], list[int]]:
    """Milliseconds from each key to the last byte painted, and the bytes."""
    times, sizes = [], []
    for key in keys:
        began = perf_counter()
        terminal.press(key)
        last, data = terminal.read(0.06)
        times.append(1e3 * (last - began))
        sizes.append(len(data))
    return (sorted(times) if sort else times), sizes


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        figures = rules_figures(Path(name)) | screen_figures(Path(name))
    for what, figure in figures.items():
        print(f"{what:50} {figure:10.2f}")


if __name__ == "__main__":
    main()
