"""Algorithms side by side: their growth on larger and larger grids, until each drops out; and a race on one grid."""

import csv
import io
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from functools import partial
from math import comb, exp, inf, log, prod, sqrt
from time import perf_counter
from typing import TypeAlias

import numpy as np

from dungeon_tui.core.words import sentence
from dungeon_tui.games.rescue.ai.algorithms import Solution, SolvingStoppedError, Work, find_algorithm, prepare, solve
from dungeon_tui.games.rescue.model.generator import square
from dungeon_tui.games.rescue.model.level import Level

SIZES = (1, 2, 4, 6, 8, 10, 12, 14, 20, 50, 100, 200, 500, 1000, 2000)
LIMIT = 2.0
MOST_STEPS = 200_000  # recorded per algorithm of a race
LEAST_SIDE = 10  # of the largest square for a slope: on smaller grids start-up takes most of the time

Size: TypeAlias = int | tuple[int, int]  # of a square, or rows and columns

# Called with the running algorithm, the size and its work so far.
Tell: TypeAlias = Callable[[str, Size, Work], object]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Algorithms, and the grids to compare them on."""

    algorithms: tuple[str, ...]
    make: Callable[..., Level] = square  # makes the grid of a size
    sizes: tuple[Size, ...] = SIZES  # growing
    limit: float = LIMIT  # seconds per run
    runs: int = 3  # the fastest counts; fewer if they exceed the limit together


@dataclass(frozen=True, slots=True)
class Measure:
    """An algorithm's run on the grid of a size."""

    algorithm: str
    size: Size
    seconds: float | None  # None: the algorithm dropped out here
    health: int | None = None
    work: Work | None = None
    reason: str = ""  # for dropping out


def comparison_on(level: Level, algorithms: Sequence[str], limit: float = LIMIT) -> Comparison:
    """The comparison on one grid: on corners of an eighth, a fourth and a half of its sides, and on the whole."""
    rows, cols = level.grid.shape
    sizes = dict.fromkeys((-(-rows // part), -(-cols // part)) for part in (8, 4, 2, 1))
    return Comparison(tuple(algorithms), partial(_corner, level), tuple(sizes), limit)


def _corner(level: Level, size: tuple[int, int]) -> Level:
    rows, cols = size
    return replace(level, grid=level.grid[:rows, :cols])


def size_text(size: Size) -> str:
    """A size for people: "9" for a square of growing ones, "20 x 30"."""
    return str(size) if isinstance(size, int) else " x ".join(map(str, size))


def side(size: Size) -> float:
    """The side of the square with the same number of cells."""
    return size if isinstance(size, int) else sqrt(prod(size))


def slope(points: Sequence[tuple[Size, float | None]], is_power: bool = True) -> float | None:
    """The measured exponent x of side^x, or base of base^side, over the larger half of the sizes; None if unknown."""
    known = [(side(size), log(value)) for size, value in points if value]
    known = known[min(len(known) // 2, len(known) - 2) :] if len(known) > 1 else []
    if not known or known[-1][0] < LEAST_SIDE:
        return None
    sides, values = np.array(known).T
    steep = float(np.polyfit(np.log(sides) if is_power else sides, values, 1)[0])
    return steep if is_power else exp(steep)


def measures(comparison: Comparison, tell: Tell = lambda *_: None) -> Iterator[Measure]:
    """Runs all algorithms size by size and yields each measure; those that refuse or take too long drop out."""
    present = [*comparison.algorithms]
    for name in present:
        find_algorithm(name)
    late: dict[str, Size] = {}  # by name, the size on which an unstoppable kernel exceeded the limit
    for size in comparison.sizes:
        for name, before in late.items():
            present.remove(name)
            yield Measure(name, size, None, reason=f"it took more than {comparison.limit:g} s at {size_text(before)}")
        late.clear()
        if not present:
            return

        # Run the others.
        level = comparison.make(size)
        for name in [*present]:
            measure = _measured(comparison, level, size, name, partial(tell, name, size))
            if measure.seconds is None:
                present.remove(name)
            elif measure.seconds > comparison.limit:
                late[name] = size
            yield measure


def _measured(comparison: Comparison, level: Level, size: Size, name: str, tell: Callable[[Work], object]) -> Measure:
    """The fastest run of an algorithm on a grid; a measure without seconds if it refused or took too long."""

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


def json_values(comparison: Comparison, found: Sequence[Measure]) -> dict[str, object]:
    """The measures as a JSON object: a list over the sizes for each algorithm, null after it dropped out."""
    by = {(each.algorithm, each.size): each for each in found}
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
    """The measures as CSV with a header; unknown values are empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    kinds = [field.name for field in fields(Work)]
    writer.writerow(["algorithm", "size", "seconds", "health", *kinds, "reason"])
    for each in found:
        work = astuple(each.work) if each.work else [""] * len(kinds)
        writer.writerow([each.algorithm, size_text(each.size), each.seconds, each.health, *work, each.reason])
    return out.getvalue()


# -- a race on one grid: each algorithm runs to its end first; the screen replays the recorded visits at one pace


@dataclass(frozen=True, slots=True)
class Lane:
    """The recorded run of one algorithm."""

    name: str
    steps: Sequence[tuple[int, int, Work]]  # row, column and the work so far
    solution: Solution | None  # None: see trouble
    trouble: str = ""

    @property
    def end(self) -> int:
        """Number of visits of the whole run; 0 if it was refused."""
        if self.solution is not None:
            return self.solution.work.visits
        return self.steps[-1][2].visits if self.steps else 0

    def step_count(self, visits: int) -> int:
        """Number of `steps` made after `visits` visits; a step of several visits counts when all are made."""
        return bisect_right(self.steps, visits, key=lambda step: step[2].visits)

    def work(self, visits: int) -> Work:
        """The work after `visits` visits."""
        if self.solution is not None and visits >= self.end:
            return self.solution.work
        count = self.step_count(visits)
        return self.steps[count - 1][2] if count else Work()


def run_lane(level: Level, name: str, most: int = MOST_STEPS) -> Lane:
    """Runs and records an algorithm; `trouble` says why it was refused, or stopped after `most` steps."""
    steps: list[tuple[int, int, Work]] = []

    def watch(row: int, col: int, done: Work) -> None:
        if len(steps) == most:
            raise SolvingStoppedError
        steps.append((row, col, done))

    try:
        solution = solve(level, name, watch, every=1)
        if not steps:  # the engine records none, but sweeps as `tabulated` does
            solve(level, "tabulated", watch, every=1)
            sweep = [(row, col, replace(solution.work, visits=done.visits)) for row, col, done in steps]
            return Lane(name, sweep, solution)
        return Lane(name, steps, solution)
    except SolvingStoppedError:
        return Lane(name, steps, None, f"stopped after {most:,} steps")
    except ValueError as error:
        return Lane(name, steps, None, str(error))


def verdict(lanes: Sequence[Lane]) -> str:
    """A sentence with the visits of each lane, fewest first; then the unfinished ones."""
    ranked = sorted(lanes, key=lambda lane: (lane.solution is None, lane.end))
    parts = [f"{lane.name} {'did not finish' if lane.solution is None else f'{lane.end:,}'}" for lane in ranked]
    return sentence(f"visits: {', '.join(parts)}")


def starters(level: Level) -> tuple[str, ...]:
    """The three algorithms that race at first; with "recursive" only on grids that it can finish."""
    rows, cols = level.grid.shape
    slowest = "recursive" if comb(rows + cols, rows) <= MOST_STEPS else "tabulated"
    return slowest, "memoised", "binary-search"
