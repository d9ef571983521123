"""The measures of a comparison as people read them: a table, a plot, and who has left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import indent

from dungeon_tui.core.plain import in_columns
from dungeon_tui.games.rescue.ai.algorithms import GROWTH
from dungeon_tui.games.rescue.ai.comparison import Comparison, Measure, Size, by_place, side, size_text, slope
from dungeon_tui.ui.widgets.figure import Axis, Figure, Series, number_text


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something that is measured of each run."""

    name: str
    unit: str  # "s", "B"
    of: Callable[[Measure], float | None]


TIME = Quantity("time of a run", "s", lambda measure: measure.seconds)
VISITS = Quantity("visits of cells", "", lambda measure: measure.work.visits if measure.work else None)
MEMORY = Quantity("memory", "B", lambda measure: measure.work.bytes if measure.work else None)
QUANTITIES = (TIME, VISITS, MEMORY)


def table(
    comparison: Comparison,
    found: Sequence[Measure],
    quantity: Quantity,
    sizes: Sequence[Size],
    text: Callable[[float, str], str] = number_text,
) -> str:
    """Table of a quantity: a line with the algorithms, then one for each size; `text` writes a value and its unit.

    `left` stands where an algorithm has left, `-` where nothing was measured.
    """
    by = by_place(found)
    rows = [["size", *comparison.algorithms]]
    for size in sizes:
        rows.append([size_text(size)])
        for measure in (by.get((name, size)) for name in comparison.algorithms):
            value = quantity.of(measure) if measure else None
            has_left = measure is not None and measure.seconds is None
            rows[-1].append("left" if has_left else "-" if value is None else text(value, quantity.unit))
    return in_columns(rows, ">" * len(rows[0]))


def reasons(found: Sequence[Measure]) -> list[str]:
    """A line for each algorithm that has left: when, and why."""
    return [f"{each.algorithm} left at {size_text(each.size)}: {each.reason}" for each in found if each.seconds is None]


def growth(comparison: Comparison, found: Sequence[Measure]) -> str:
    """Table of the algorithms' growth: the formulas of visits and memory, and the slopes that were measured."""
    rows = [["algorithm", "visits", "measured", "time", "memory", "measured"]]
    for name in comparison.algorithms:
        is_power = name != "recursive"
        slopes = []
        for quantity in (VISITS, TIME, MEMORY):
            points = [(each.size, quantity.of(each)) for each in found if each.algorithm == name]
            steep = slope(points, is_power or quantity is MEMORY)
            form = "n^{:.2f}" if is_power or quantity is MEMORY else "{:.2f}^n"
            slopes.append("-" if steep is None else form.format(steep))
        visits, memory = GROWTH[name]
        rows.append([name, visits, *slopes[:2], memory, slopes[2]])
    return in_columns(rows, "<<>><>")


def tables_text(comparison: Comparison, found: Sequence[Measure]) -> str:
    """Tables of time, visits, memory and growth; then a line for each algorithm that left, its size and the reason."""

    def whole(value: float, _: str) -> str:
        return f"{value:,}"

    tables = {
        "time": table(comparison, found, TIME, comparison.sizes),
        "visits of cells": table(comparison, found, VISITS, comparison.sizes, whole),
        "memory beside the grid, in bytes": table(comparison, found, MEMORY, comparison.sizes, whole),
        "growth, m rows and n columns": growth(comparison, found),
    }
    told = "".join(f"{line}\n" for line in reasons(found))
    return "".join(f"{name}\n{indent(text, '  ')}\n" for name, text in tables.items()) + told


def figure(comparison: Comparison, found: Sequence[Measure], quantity: Quantity) -> Figure:
    """The measures as lines over the size; an algorithm without any is an empty line, which keeps its place."""
    series = []
    for name in comparison.algorithms:
        points = [(each.size, quantity.of(each)) for each in found if each.algorithm == name]
        known = [(side(size), value) for size, value in points if value is not None]
        series.append(Series(name, [size for size, _ in known], [value for _, value in known]))
    axis = Axis(quantity.name, quantity.unit, is_log=True)
    return Figure(tuple(series), Axis("rows, columns", is_log=True), axis)
