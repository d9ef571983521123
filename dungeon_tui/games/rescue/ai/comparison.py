"""Algorithms over growing grids: how long each takes and how much it does, until it gets too slow and leaves."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from math import ceil, floor, inf, log10
from time import perf_counter
from xml.sax.saxutils import escape

from dungeon_tui.engine import minimum_health, minimum_health_path
from dungeon_tui.games.rescue.ai.solver import find_algorithm
from dungeon_tui.games.rescue.ai.work import Algorithm, SolvingStoppedError, Work
from dungeon_tui.games.rescue.model.generator import uniform
from dungeon_tui.games.rescue.model.level import Level

SIZES = (1, 2, 4, 6, 8, 10, 12, 14, 20, 50, 100, 200, 500, 1000, 2000)
LIMIT = 2.0

Watch = Callable[[str, int, Work], bool] | None
"""Told which algorithm is at work on grids of which size, and its work so far; True: give it all up."""


def square(size: int) -> Level:
    """The grid of a size that is compared on unless another one is asked for: numbers by chance."""
    return uniform(0, size, size)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is compared, on which grids."""

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
    present = {name: find_algorithm(name) for name in comparison.algorithms}
    late: dict[str, int] = {}  # those that took too long all the same, since nothing stops them: the size
    for size in comparison.sizes:
        for name, before in late.items():
            del present[name]
            yield Measure(name, size, None, reason=f"it took more than {comparison.limit:g} s at {before}")
        late.clear()
        if not present:
            return
        level = comparison.make(size)
        _compile(level)
        for name, algorithm in [*present.items()]:
            measure = _measured(comparison, name, algorithm, size, level, watch)
            if measure is None:
                return
            if measure.seconds is None:
                del present[name]
            elif measure.seconds > comparison.limit:
                late[name] = size
            yield measure


def json_values(comparison: Comparison, found: Sequence[Measure]) -> dict[str, object]:
    """The measures as one JSON object: a list over the sizes for each algorithm, null where it had left."""
    by = _by_place(found)
    places = {name: [by.get((name, size)) for size in comparison.sizes] for name in comparison.algorithms}
    return {
        "sizes": [*comparison.sizes],
        "algorithms": {name: [measure and measure.seconds for measure in row] for name, row in places.items()},
        "work": {
            name: [asdict(measure.work) if measure and measure.work else None for measure in row]
            for name, row in places.items()
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


def table_text(comparison: Comparison, found: Sequence[Measure]) -> str:
    """Two tables, of time and of work, a line for each size; then who left, and why. What was not measured is `-`."""
    by = _by_place(found)
    text = ""
    for title, told in (("time", _time_text), ("visits of cells", _visits_text)):
        rows = [["size", *comparison.algorithms]]
        for size in comparison.sizes:
            measured = [by.get((name, size)) for name in comparison.algorithms]
            rows.append([str(size), *("-" if each is None else told(each) for each in measured)])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        text += f"{title}\n" + "".join("  ".join(["", *map(str.rjust, row, widths)]) + "\n" for row in rows) + "\n"
    return text + "".join(f"{each.algorithm} left at {each.size}: {each.reason}\n" for each in found if each.reason)


def time_text(seconds: float) -> str:
    """Seconds with three digits and a unit that suits them.

    >>> time_text(0.00123456), time_text(12.0)
    ('1.23 ms', '12 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def _measured(
    comparison: Comparison, name: str, algorithm: Algorithm, size: int, level: Level, watch: Watch
) -> Measure | None:
    """The fastest of some runs; None: `watch` gave it all up."""
    fastest, solution, is_given_up = inf, None, False

    def stop(work: Work) -> bool:
        nonlocal is_given_up
        is_given_up = watch is not None and watch(name, size, work)
        return is_given_up or perf_counter() - start > comparison.limit

    begin = perf_counter()
    for _ in range(comparison.runs):
        start = perf_counter()
        if start - begin > comparison.limit or stop(Work()):
            break
        start = perf_counter()
        try:
            solution = algorithm(level, stop)
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


def _compile(level: Level) -> None:
    """Has the engine's kernels ready for grids of that type, so that nobody's time counts it."""
    minimum_health(level.grid[:1, :1])
    minimum_health_path(level.grid[:1, :1])


def _by_place(found: Sequence[Measure]) -> dict[tuple[str, int], Measure]:
    return {(each.algorithm, each.size): each for each in found}


def _time_text(measure: Measure) -> str:
    return "left" if measure.seconds is None else time_text(measure.seconds)


def _visits_text(measure: Measure) -> str:
    return "left" if measure.work is None else f"{measure.work.visits:,}"


# -- the picture

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9")  # told apart by colour-blind eyes, too
_WIDTH, _HEIGHT, _MARGIN = 360, 300, 70  # of a panel, in pixels; the margin is around it


@dataclass(frozen=True, slots=True)
class _Axis:
    """A logarithmic axis over whole powers of ten."""

    low: int  # power of ten at the first pixel
    high: int
    first: float  # pixel
    last: float

    def at(self, value: float) -> float:
        """The pixel of a value."""
        return self.first + (self.last - self.first) * (log10(value) - self.low) / (self.high - self.low)


def svg_text(comparison: Comparison, found: Sequence[Measure]) -> str:
    """A picture of time and of work over the size, both axes logarithmic."""
    width, height = 2 * (_WIDTH + _MARGIN) + 3 * _MARGIN, _HEIGHT + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    time = [(each.algorithm, each.size, each.seconds) for each in found if each.seconds]
    work = [(each.algorithm, each.size, float(each.work.visits)) for each in found if each.work]
    for number, (title, points) in enumerate((("seconds", time), ("visits of cells", work))):
        parts += _panel(comparison.algorithms, title, points, _MARGIN + number * (_WIDTH + _MARGIN))
    for number, name in enumerate(comparison.algorithms):
        x, y = 2 * (_WIDTH + _MARGIN) + _MARGIN // 4, _MARGIN + 20 * number
        parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{_colour(number)}"/>')
        parts.append(f'<text x="{x + 10}" y="{y + 4}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _panel(names: Sequence[str], title: str, points: Sequence[tuple[str, int, float]], left: int) -> list[str]:
    """A line for each algorithm, over a grid of powers of ten."""
    x_axis = _axis([size for _, size, _ in points], left, left + _WIDTH)
    y_axis = _axis([value for _, _, value in points], _MARGIN + _HEIGHT, _MARGIN)
    parts = [f'<text x="{left + _WIDTH / 2}" y="{_MARGIN - 15}" text-anchor="middle">{title}</text>']
    parts.append(
        f'<text x="{left + _WIDTH / 2}" y="{_MARGIN + _HEIGHT + 40}" text-anchor="middle">rows, columns</text>'
    )
    for power in range(x_axis.low, x_axis.high + 1):
        x = x_axis.at(10.0**power)
        parts.append(f'<path d="M{x:.1f} {_MARGIN}v{_HEIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{x:.1f}" y="{_MARGIN + _HEIGHT + 18}" text-anchor="middle">{_power_text(power)}</text>')
    for power in range(y_axis.low, y_axis.high + 1):
        y = y_axis.at(10.0**power)
        parts.append(f'<path d="M{left} {y:.1f}h{_WIDTH}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{_power_text(power)}</text>')
    for number, name in enumerate(names):
        places = [(x_axis.at(size), y_axis.at(value)) for who, size, value in points if who == name]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{_colour(number)}" stroke-width="1.5"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{_colour(number)}"/>' for x, y in places]
    return parts


def _axis(values: Sequence[float], first: float, last: float) -> _Axis:
    """From the power of ten below all values to the one above them."""
    low, high = (floor(log10(min(values))), ceil(log10(max(values)))) if values else (0, 1)
    return _Axis(low, max(high, low + 1), first, last)


def _power_text(power: int) -> str:
    return f'10<tspan dy="-5" font-size="9">{power}</tspan>'


def _colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]
