"""Algorithms over growing grids, or the corners of one: how long each takes and how much it does, until it leaves."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from functools import partial
from math import exp, inf, log, prod, sqrt
from time import perf_counter
from typing import TypeAlias

import numpy as np

from dungeon_tui.games.rescue.ai.algorithms import SolvingStoppedError, Work, find_algorithm, prepare, solve
from dungeon_tui.games.rescue.model.generator import square
from dungeon_tui.games.rescue.model.level import Level

SIZES = (1, 2, 4, 6, 8, 10, 12, 14, 20, 50, 100, 200, 500, 1000, 2000)
LIMIT = 2.0

Size: TypeAlias = int | tuple[int, int]  # of a square, or rows and columns

# Told which algorithm is at work on grids of which size, and its work so far.
Tell: TypeAlias = Callable[[str, Size, Work], object]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Algorithms to compare, and the grids to compare them on."""

    algorithms: tuple[str, ...]
    make: Callable[..., Level] = square  # the grid of a size
    sizes: tuple[Size, ...] = SIZES  # growing
    limit: float = LIMIT  # seconds that a run may take
    runs: int = 3  # of which the fastest counts, as far as they fit into the limit together


@dataclass(frozen=True, slots=True)
class Measure:
    """An algorithm on the grid of a size."""

    algorithm: str
    size: Size
    seconds: float | None  # None: it left; there are no more measures of it
    health: int | None = None
    work: Work | None = None
    reason: str = ""  # for leaving


def comparison_on(level: Level, algorithms: Sequence[str], limit: float = LIMIT) -> Comparison:
    """The comparison on one grid: on corners of an eighth, a fourth and a half of its sides, and on all of it."""
    rows, cols = level.grid.shape
    sizes = dict.fromkeys((-(-rows // part), -(-cols // part)) for part in (8, 4, 2, 1))
    return Comparison(tuple(algorithms), partial(_corner, level), tuple(sizes), limit)


def _corner(level: Level, size: tuple[int, int]) -> Level:
    rows, cols = size
    return replace(level, grid=level.grid[:rows, :cols])


def size_text(size: Size) -> str:
    """A size as people read it: "9" for a square of growing ones, "20 x 30"."""
    return str(size) if isinstance(size, int) else " x ".join(map(str, size))


def side(size: Size) -> float:
    """The side of the square with as many cells."""
    return size if isinstance(size, int) else sqrt(prod(size))


def slope(points: Sequence[tuple[Size, float | None]], is_power: bool = True) -> float | None:
    """The growth that was measured, over the larger half of the sizes; None of fewer than two points.

    Returns:
        The exponent x of side^x, or for what grows faster the base of base^side.
    """
    known = [(side(size), log(value)) for size, value in points if value]
    known = known[min(len(known) // 2, len(known) - 2) :] if len(known) > 1 else []
    if not known:
        return None
    sides, values = np.array(known).T
    steep = float(np.polyfit(np.log(sides) if is_power else sides, values, 1)[0])
    return steep if is_power else exp(steep)


def measures(comparison: Comparison, tell: Tell = lambda *_: None) -> Iterator[Measure]:
    """Runs all algorithms, size after size: yields each measure when it is taken; ends early once all have left.

    One that is refused or takes longer than the limit leaves: its last measure says why, and has no seconds.

    Args:
        comparison: the algorithms and the grids.
        tell: called before each run, and now and then during it.

    Raises:
        ValueError: an algorithm's name is unknown, or a grid can't be made.
    """
    present = [*comparison.algorithms]
    for name in present:
        find_algorithm(name)
    late: dict[str, Size] = {}  # those that took too long all the same, since nothing stops them: the size
    for size in comparison.sizes:
        for name, before in late.items():
            present.remove(name)
            yield Measure(name, size, None, reason=f"it took more than {comparison.limit:g} s at {size_text(before)}")
        late.clear()
        if not present:
            return
        level = comparison.make(size)
        for name in [*present]:
            measure = _measured(comparison, level, size, name, partial(tell, name, size))
            if measure.seconds is None:
                present.remove(name)
            elif measure.seconds > comparison.limit:
                late[name] = size
            yield measure


def _measured(comparison: Comparison, level: Level, size: Size, name: str, tell: Callable[[Work], object]) -> Measure:
    """The fastest run of an algorithm on a grid; a measure without seconds if it was refused or took too long."""

    def watch(row: int, col: int, work: Work) -> None:
        tell(work)
        if perf_counter() - start > comparison.limit:
            raise SolvingStoppedError

    fastest, solution = inf, None
    prepare(level, name)
    begin = perf_counter()
    try:
        for _ in range(comparison.runs):
            tell(Work())
            start = perf_counter()
            if start - begin > comparison.limit:
                break
            solution = solve(level, name, watch)
            fastest = min(fastest, perf_counter() - start)
    except SolvingStoppedError:
        pass
    except ValueError as error:
        return Measure(name, size, None, reason=str(error))
    if solution is None:
        return Measure(name, size, None, reason=f"it took more than {comparison.limit:g} s")
    return Measure(name, size, fastest, solution.health, solution.work)


def by_place(found: Sequence[Measure]) -> dict[tuple[str, Size], Measure]:
    """The measures, keyed by algorithm and size."""
    return {(each.algorithm, each.size): each for each in found}


def json_values(comparison: Comparison, found: Sequence[Measure]) -> dict[str, object]:
    """The measures as one JSON object: a list over the sizes for each algorithm, null where it had left."""
    by = by_place(found)
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
    """The measures as CSV: a header, then a line each; what is unknown is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    kinds = [field.name for field in fields(Work)]
    writer.writerow(["algorithm", "size", "seconds", "health", *kinds, "reason"])
    for each in found:
        work = astuple(each.work) if each.work else [""] * len(kinds)
        writer.writerow([each.algorithm, size_text(each.size), each.seconds, each.health, *work, each.reason])
    return out.getvalue()
