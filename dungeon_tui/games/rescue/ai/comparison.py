"""Algorithms over growing grids: how long each takes and how much it does, until it gets too slow and leaves."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from math import inf
from time import perf_counter
from typing import TypeAlias

from dungeon_tui.games.rescue.ai.algorithms import find_algorithm, prepare, solve
from dungeon_tui.games.rescue.ai.work import SolvingStoppedError, Work
from dungeon_tui.games.rescue.model.generator import uniform
from dungeon_tui.games.rescue.model.level import Level

SIZES = (1, 2, 4, 6, 8, 10, 12, 14, 20, 50, 100, 200, 500, 1000, 2000)
LIMIT = 2.0

# Told which algorithm is at work on grids of which size, and its work so far; True: give it all up.
Watch: TypeAlias = Callable[[str, int, Work], bool] | None


def square(size: int) -> Level:
    """The grid of a size that is compared on unless another one is asked for: numbers by chance."""
    return uniform(0, size, size)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Algorithms to compare, and the grids to compare them on."""

    algorithms: tuple[str, ...]
    make: Callable[[int], Level] = square  # the square grid of a size
    sizes: tuple[int, ...] = SIZES  # rows, and columns; growing
    limit: float = LIMIT  # seconds that a run may take
    runs: int = 3  # of which the fastest counts, as far as they fit into the limit together


@dataclass(frozen=True, slots=True)
class Measure:
    """An algorithm on the grid of a size."""

    algorithm: str
    size: int
    seconds: float | None  # None: it left; there are no more measures of it
    health: int | None = None
    work: Work | None = None
    reason: str = ""  # for leaving


def measures(comparison: Comparison, watch: Watch = None) -> Iterator[Measure]:
    """Runs them all, size after size: yields each measure when it is taken.

    Ends early once `watch`, which is asked before each run and now and then during it, says so, or all have left.

    Raises:
        ValueError: an algorithm's name is unknown, or a grid can't be made.
    """
    present = [*comparison.algorithms]
    for name in present:
        find_algorithm(name)
    late: dict[str, int] = {}  # those that took too long all the same, since nothing stops them: the size
    for size in comparison.sizes:
        for name, before in late.items():
            present.remove(name)
            yield Measure(name, size, None, reason=f"it took more than {comparison.limit:g} s at {before}")
        late.clear()
        if not present:
            return
        level = comparison.make(size)
        for name in [*present]:
            measure = _measured(comparison, name, level, watch)
            if measure is None:
                return
            if measure.seconds is None:
                present.remove(name)
            elif measure.seconds > comparison.limit:
                late[name] = size
            yield measure


def _measured(comparison: Comparison, name: str, level: Level, watch: Watch) -> Measure | None:
    """The fastest of some runs; None: `watch` gave it all up."""
    size = len(level.grid)
    fastest, solution, is_given_up = inf, None, False

    def stop(work: Work) -> bool:
        nonlocal is_given_up
        is_given_up = watch is not None and watch(name, size, work)
        return is_given_up or perf_counter() - start > comparison.limit

    prepare(level, name)
    begin = perf_counter()
    for _ in range(comparison.runs):
        start = perf_counter()
        if start - begin > comparison.limit or stop(Work()):
            break
        start = perf_counter()
        try:
            solution = solve(level, name, stop)
        except SolvingStoppedError:
            break
        except ValueError as error:
            return Measure(name, size, None, reason=str(error))
        fastest = min(fastest, perf_counter() - start)
    if is_given_up:
        return None
    if solution is None:
        return Measure(name, size, None, reason=f"it took more than {comparison.limit:g} s")
    return Measure(name, size, fastest, solution.health, solution.work)


# -- what is told of them


def json_values(comparison: Comparison, found: Sequence[Measure]) -> dict[str, object]:
    """The measures as one JSON object: a list over the sizes for each algorithm, null where it had left."""
    by = _by_place(found)
    rows = {name: [by.get((name, size)) for size in comparison.sizes] for name in comparison.algorithms}
    return {
        "sizes": [*comparison.sizes],
        "algorithms": {name: [each and each.seconds for each in row] for name, row in rows.items()},
        "work": {
            name: [asdict(each.work) if each and each.work else None for each in row] for name, row in rows.items()
        },
        "left": {each.algorithm: {"size": each.size, "reason": each.reason} for each in found if each.reason},
    }


def csv_text(found: Sequence[Measure]) -> str:
    """The measures as CSV, a line each; what is unknown is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    kinds = [field.name for field in fields(Work)]
    writer.writerow(["algorithm", "size", "seconds", "health", *kinds, "reason"])
    for each in found:
        work = astuple(each.work) if each.work else [""] * len(kinds)
        writer.writerow([each.algorithm, each.size, each.seconds, each.health, *work, each.reason])
    return out.getvalue()


def table(
    comparison: Comparison, found: Sequence[Measure], text: Callable[[Measure], str], sizes: Sequence[int]
) -> list[list[str]]:
    """Aligned cells: the names, then a row for each size.

    `left` stands where an algorithm has left, `-` where nothing was measured.
    """
    by = _by_place(found)
    rows = [["size", *comparison.algorithms]]
    for size in sizes:
        measured = [by.get((name, size)) for name in comparison.algorithms]
        told = ("-" if each is None else "left" if each.seconds is None else text(each) for each in measured)
        rows.append([str(size), *told])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [[*map(str.rjust, row, widths)] for row in rows]


def table_text(comparison: Comparison, found: Sequence[Measure]) -> str:
    """Two tables, of time and of work, a line for each size; then who left, and why."""
    text = ""
    for title, told in (("time", _time_text), ("visits of cells", _visits_text)):
        rows = table(comparison, found, told, comparison.sizes)
        text += f"{title}\n" + "".join("  ".join(["", *row]) + "\n" for row in rows) + "\n"
    return text + "".join(f"{line}\n" for line in reasons(found))


def reasons(found: Sequence[Measure]) -> list[str]:
    """A line for each algorithm that has left: when, and why."""
    return [f"{each.algorithm} left at {each.size}: {each.reason}" for each in found if each.seconds is None]


def time_text(seconds: float) -> str:
    """Seconds with three digits and a unit that suits them.

    >>> time_text(0.00123456), time_text(12.0)
    ('1.23 ms', '12 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def _time_text(measure: Measure) -> str:
    return time_text(measure.seconds) if measure.seconds else "-"


def _visits_text(measure: Measure) -> str:
    return f"{measure.work.visits:,}" if measure.work else "-"


def _by_place(found: Sequence[Measure]) -> dict[tuple[str, int], Measure]:
    return {(each.algorithm, each.size): each for each in found}
