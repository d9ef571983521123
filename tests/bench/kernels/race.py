"""A race: several ways to compute the same, measured in turn so that a busy machine slows all of them alike."""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

OURS = "ours"


@dataclass(frozen=True)
class Contest:
    """A task and those who do it; one of the contestants is OURS."""

    kernel: str
    case: str
    contestants: Mapping[str, Callable[[], object]]
    cells: int | None = None  # of a grid: by which the time is divided, too


@dataclass(frozen=True)
class Result:
    """The times of a contest."""

    contest: Contest
    rounds: int
    seconds: dict[str, float]  # a call, the median of the rounds
    times_ours: dict[str, float]  # how many times as long as ours, the median of the rounds' ratios

    @property
    def ns_per_cell(self) -> dict[str, float] | None:
        """Nanoseconds a cell, by contestant; None where the contest is not on a grid."""
        cells = self.contest.cells
        return {name: round(time * 1e9 / cells, 3) for name, time in self.seconds.items()} if cells else None


def agreed(contestants: Mapping[str, Callable[[], Any]]) -> Mapping[str, Callable[[], Any]]:
    """The contestants, unchanged, once each has run and computed the same as ours.

    Raises:
        ValueError: one of them computes something else.
    """
    right = contestants[OURS]()
    for name, run in contestants.items():
        if not np.array_equal(run(), right):
            raise ValueError(f"{name} finds something else")
    return contestants


@cache
def compiled(name: str) -> ctypes.CDLL | None:
    """The library compiled from the C++ file of this name beside this module; None where g++ is missing or fails."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        library, source = Path(folder) / f"{name}.so", Path(__file__).with_name(f"{name}.cpp")
        command = ["g++", "-O3", "-march=native", "-shared", "-fPIC", str(source), "-o", str(library)]
        environment = {**os.environ, "TMPDIR": folder}  # where g++ leaves what it was writing when it is ended
        is_there = (
            shutil.which("g++")
            and subprocess.run(command, check=False, capture_output=True, env=environment).returncode == 0
        )
        return ctypes.CDLL(str(library)) if is_there else None


def pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    """The address of an array, as a C++ peer takes it."""
    return ctypes.c_void_p(array.ctypes.data)


def race(contest: Contest, *, seconds: float) -> Result:
    """The times of all contestants, run in turn in 5 to 101 rounds that take about so many seconds.

    The quick ones run several times a round, so that the clock and a moment's disturbance count for little. A
    contestant that raises is a mistake in the contest and not caught.
    """
    once = {}
    for name, run in contest.contestants.items():
        run()  # compiles, and loads what it needs
        once[name] = max(_timed(run, 1), 1e-7)
    enough = max(0.0005, max(once.values()) / 20)
    calls = {name: max(1, min(1000, int(enough / time))) for name, time in once.items()}
    round_seconds = sum(once[name] * calls[name] for name in once)
    rounds = max(5, min(101, int(seconds / round_seconds)))
    timings: dict[str, list[float]] = {name: [] for name in contest.contestants}
    for _ in range(rounds):
        for name, run in contest.contestants.items():
            timings[name].append(_timed(run, calls[name]))
    ratios = {
        name: median(theirs / ours for theirs, ours in zip(times, timings[OURS], strict=True))
        for name, times in timings.items()
    }
    medians = {name: median(times) for name, times in timings.items()}
    return Result(contest, rounds, medians, ratios)


def _timed(run: Callable[[], object], calls: int) -> float:
    start = perf_counter()
    for _ in range(calls):
        run()
    return (perf_counter() - start) / calls


def table(results: Iterable[Result]) -> str:
    """Text for people, some lines a contest: microseconds a call, as a multiple of ours, and nanoseconds a cell."""
    lines = []
    for result in results:
        per_cell = result.ns_per_cell
        lines.append(f"{result.contest.kernel}, {result.contest.case} ({result.rounds} rounds)")
        lines.append(f"  {'':24}{'µs a call':>12}{'times ours':>12}" + (f"{'ns a cell':>12}" if per_cell else ""))
        for name, seconds in result.seconds.items():
            line = f"  {name:24}{seconds * 1e6:12.1f}{result.times_ours[name]:12.2f}"
            lines.append(line + (f"{per_cell[name]:12.2f}" if per_cell else ""))
    return "\n".join(lines)
