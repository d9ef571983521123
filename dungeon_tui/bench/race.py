"""A race: several ways to compute the same, measured in turn so that a busy machine slows all of them alike."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

OURS = "ours"


@dataclass(frozen=True)
class Contest:
    """A task and those who do it; one of the contestants is OURS."""

    kernel: str
    case: str
    contestants: dict[str, Callable[[], object]]
    cells: int | None = None  # of a grid: by which the time is divided, too


@dataclass(frozen=True)
class Result:
    """The times of a contest."""

    kernel: str
    case: str
    cells: int | None
    rounds: int
    seconds: dict[str, float]  # a call, the median of the rounds
    times_ours: dict[str, float]  # how many times as long as ours, the median of the rounds' ratios


def race(contest: Contest, *, seconds: float) -> Result:
    """Lets all contestants run in turn, for about that many seconds but at least five rounds.

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
    return Result(contest.kernel, contest.case, contest.cells, rounds, medians, ratios)


def _timed(run: Callable[[], object], calls: int) -> float:
    """Seconds a call."""
    start = perf_counter()
    for _ in range(calls):
        run()
    return (perf_counter() - start) / calls


def table(results: Iterable[Result]) -> str:
    """A block of lines for each contest: microseconds a call, times ours, and nanoseconds a cell of a grid."""
    lines = []
    for result in results:
        lines.append(f"{result.kernel}, {result.case} ({result.rounds} rounds)")
        per_cell = _per_cell(result)
        lines.append(f"  {'':24}{'us a call':>12}{'times ours':>12}" + (f"{'ns a cell':>12}" if per_cell else ""))
        for name, seconds in result.seconds.items():
            line = f"  {name:24}{seconds * 1e6:12.1f}{result.times_ours[name]:12.2f}"
            lines.append(line + (f"{per_cell[name]:12.2f}" if per_cell else ""))
    return "\n".join(lines)


def _per_cell(result: Result) -> dict[str, float] | None:
    """Nanoseconds a cell, None where there are no cells."""
    if result.cells is None:
        return None
    return {name: round(time * 1e9 / result.cells, 3) for name, time in result.seconds.items()}


def as_json(results: Iterable[Result]) -> dict[str, Any]:
    """The results for programs."""
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "results": [
            {
                "kernel": result.kernel,
                "case": result.case,
                "cells": result.cells,
                "rounds": result.rounds,
                "microseconds": {name: round(time * 1e6, 3) for name, time in result.seconds.items()},
                "ns_per_cell": _per_cell(result),
                "times_ours": {name: round(ratio, 3) for name, ratio in result.times_ours.items()},
            }
            for result in results
        ],
    }
