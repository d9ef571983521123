"""The measures of a comparison as tables and as a plot."""

from collections.abc import Callable, Sequence

from dungeon_tui.core.plain import in_columns
from dungeon_tui.games.rescue.ai.algorithms import GROWTH
from dungeon_tui.games.rescue.ai.comparison import Comparison, Measure, side, size_text, slope
from dungeon_tui.ui.widgets.figure import Axis, Figure, Series, number_text

LEAST_TIME_S = 0.001  # of a run that counts for the growth; shorter ones mostly measure the call

Quantity = Callable[[Measure], float | None]


def seconds(measure: Measure) -> float | None:
    """Time of a run."""
    return measure.seconds


def visits(measure: Measure) -> float | None:
    """Visits of cells."""
    return measure.work.visits if measure.work else None


def memory(measure: Measure) -> float | None:
    """Bytes without the grid."""
    return measure.work.bytes if measure.work else None


def tables_text(comparison: Comparison, found: Sequence[Measure]) -> str:
    """Tables of growth, time, visits and memory; then a line for each algorithm that dropped out."""
    titled = [
        ("growth, m rows and n columns", _growth(comparison, found)),
        ("time", _table(comparison, found, seconds, lambda value: number_text(value, "s"))),
        ("visits of cells", _table(comparison, found, visits, "{:,}".format)),
        ("memory without the grid, in bytes", _table(comparison, found, memory, "{:,}".format)),
    ]
    left = [f"{each.algorithm} left at {size_text(each.size)}: {each.reason}" for each in found if each.seconds is None]
    return "".join([f"{title}\n{table}\n" for title, table in titled] + [f"{line}\n" for line in left])


def _table(comparison: Comparison, found: Sequence[Measure], quantity: Quantity, text: Callable[[float], str]) -> str:
    """A line per size and a column per algorithm; `left`: it has dropped out, `-`: not measured."""
    by = {(each.algorithm, each.size): each for each in found}
    rows = [["size", *comparison.algorithms]]
    for size in comparison.sizes:
        rows.append([size_text(size)])
        for measure in (by.get((name, size)) for name in comparison.algorithms):
            value = quantity(measure) if measure else None
            has_left = measure is not None and measure.seconds is None
            rows[-1].append("left" if has_left else "-" if value is None else text(value))
    return in_columns(rows, ">" * len(rows[0]))


def _growth(comparison: Comparison, found: Sequence[Measure]) -> str:
    """A line per algorithm: formulas for visits and memory, and measured slopes; `-` if unknown."""
    rows = [["algorithm", "visits", "measured", "time", "memory", "measured"]]
    for name in comparison.algorithms:
        slopes = []
        for quantity in (visits, seconds, memory):
            is_power = name != "recursive" or quantity is memory
            points = [
                (each.size, quantity(each))
                for each in found
                if each.algorithm == name and (quantity is not seconds or (each.seconds or 0.0) >= LEAST_TIME_S)
            ]
            steep = slope(points, is_power)
            slopes.append("-" if steep is None else ("n^{:.2f}" if is_power else "{:.2f}^n").format(steep))
        of_visits, of_memory = GROWTH[name]
        rows.append([name, of_visits, *slopes[:2], of_memory, slopes[2]])
    return in_columns(rows, "<<>><>")


def time_figure(comparison: Comparison, found: Sequence[Measure]) -> Figure:
    """The times over the size, a line per algorithm."""
    series = []
    for name in comparison.algorithms:
        points = [(side(each.size), each.seconds) for each in found if each.algorithm == name and each.seconds]
        series.append(Series(name, [size for size, _ in points], [value for _, value in points]))
    return Figure(tuple(series), Axis("rows, columns", is_log=True), Axis("time of a run", "s", is_log=True))
