"""The measures of a comparison as people read them: a table, a plot, and who has left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import indent

from dungeon_tui.core.plain import in_columns
from dungeon_tui.games.rescue.ai.comparison import Comparison, Measure, by_place
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
    sizes: Sequence[int],
    text: Callable[[float, str], str] = number_text,
) -> str:
    """Table of a quantity: a line with the algorithms, then one for each size; `text` writes a value and its unit.

    `left` stands where an algorithm has left, `-` where nothing was measured.
    """
    by = by_place(found)
    rows = [["size", *comparison.algorithms]]
    for size in sizes:
        rows.append([str(size)])
        for measure in (by.get((name, size)) for name in comparison.algorithms):
            value = quantity.of(measure) if measure else None
            has_left = measure is not None and measure.seconds is None
            rows[-1].append("left" if has_left else "-" if value is None else text(value, quantity.unit))
    return in_columns(rows, ">" * len(rows[0]))


def reasons(found: Sequence[Measure]) -> list[str]:
    """A line for each algorithm that has left: when, and why."""
    return [f"{each.algorithm} left at {each.size}: {each.reason}" for each in found if each.seconds is None]


def tables_text(comparison: Comparison, found: Sequence[Measure]) -> str:
    """Two tables, of time and of visits; then a line for each algorithm that left, with the size and the reason."""
    times = table(comparison, found, TIME, comparison.sizes)
    visits = table(comparison, found, VISITS, comparison.sizes, lambda value, _: f"{value:,}")
    told = "".join(f"{line}\n" for line in reasons(found))
    return f"time\n{indent(times, '  ')}\nvisits of cells\n{indent(visits, '  ')}\n{told}"


def figure(comparison: Comparison, found: Sequence[Measure], quantity: Quantity) -> Figure:
    """The measures as lines over the size; an algorithm without any is an empty line, which keeps its place."""
    series = []
    for name in comparison.algorithms:
        points = [(each.size, quantity.of(each)) for each in found if each.algorithm == name]
        known = [(size, value) for size, value in points if value is not None]
        series.append(Series(name, [size for size, _ in known], [value for _, value in known]))
    axis = Axis(quantity.name, quantity.unit, is_log=True)
    return Figure(tuple(series), Axis("rows, columns", is_log=True), axis)
