"""All algorithms over growing grids, drawn while they run: a table and a plot, of time, of visits or of memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from dungeon_tui.core.files import UnwritableError, write_text
from dungeon_tui.core.level import printable
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.rescue.ai.comparison import (
    Comparison,
    Measure,
    csv_text,
    json_values,
    measures,
    svg_text,
    time_text,
)
from dungeon_tui.games.rescue.ai.solver import ALGORITHMS
from dungeon_tui.games.rescue.ai.work import Work
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.widgets.dialogs import Answer, ChoiceDialog, LineDialog
from dungeon_tui.ui.widgets.figure import Axis, Figure, Series, number_text
from dungeon_tui.ui.widgets.key_bar import KeyBar
from dungeon_tui.ui.widgets.plot import Plot, marker
from dungeon_tui.workers import ProcessError, in_process

DRAWN_EVERY = 0.2  # seconds
PARTS = ("table", "plot")
FORMATS: dict[str, Callable[[Comparison, Sequence[Measure]], str]] = {
    ".csv": lambda _, found: csv_text(found),
    ".json": lambda comparison, found: json.dumps(json_values(comparison, found)) + "\n",
    ".svg": svg_text,
}


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something that is measured of each run."""

    name: str
    of: Callable[[Measure], float | None]  # None: it was not measured
    text: Callable[[float], str]
    unit: str = ""  # for the ticks

    @property
    def axis(self) -> Axis:
        """The axis upwards."""
        return Axis(self.name, self.unit, is_log=True)


QUANTITIES = (
    Quantity("time of a run", lambda measure: measure.seconds, time_text, "s"),
    Quantity("visits of cells", lambda measure: measure.work.visits if measure.work else None, number_text),
    Quantity(
        "memory",
        lambda measure: measure.work.bytes if measure.work else None,
        lambda value: number_text(value, "B"),
        "B",
    ),
)


def figure(comparison: Comparison, found: Sequence[Measure], quantity: Quantity) -> Figure:
    """The measures as lines over the size; an algorithm without any is an empty line, which keeps its place."""
    series = []
    for name in comparison.algorithms:
        points = [(each.size, quantity.of(each)) for each in found if each.algorithm == name]
        known = [(size, value) for size, value in points if value is not None]
        series.append(Series(name, [size for size, _ in known], [value for _, value in known]))
    return Figure(tuple(series), Axis("rows, columns", is_log=True), quantity.axis)


def table(comparison: Comparison, found: Sequence[Measure], quantity: Quantity) -> list[list[str]]:
    """A row for each size that was begun, under the names; "-" where an algorithm has left, empty before its run."""
    by = {(each.algorithm, each.size): each for each in found}
    left = {each.algorithm: each.size for each in found if each.seconds is None}
    rows = [["size", *comparison.algorithms]]
    for size in (size for size in comparison.sizes if any(size == each.size for each in found)):
        row = [str(size)]
        for name in comparison.algorithms:
            measure = by.get((name, size))
            value = None if measure is None else quantity.of(measure)
            row.append(quantity.text(value) if value is not None else "-" if left.get(name, size + 1) <= size else "")
        rows.append(row)
    return rows


class CompareScreen(Screen[None]):
    """Runs the comparison in a process of its own, from the moment it opens; q leaves at once."""

    DEFAULT_CSS = """
    CompareScreen { background: $map-back; color: $note; }
    CompareScreen Static { padding: 0 1; }
    CompareScreen .title { text-style: bold; }
    CompareScreen .progress { color: $path; }
    CompareScreen #parts { height: 1fr; layout: vertical; }
    CompareScreen #parts.-beside { layout: horizontal; }
    CompareScreen VerticalScroll { height: 1fr; width: 1fr; }
    CompareScreen .-both VerticalScroll { height: auto; max-height: 60%; }
    CompareScreen .-beside VerticalScroll { width: 82; height: 1fr; max-height: 100%; }
    CompareScreen Plot { width: 1fr; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (150, "-wide")]
    BINDINGS = [
        Binding("s", "start_stop", id="compare.start"),
        Binding("w", "next_quantity", id="compare.quantity"),
        Binding("v,tab", "next_part", id="compare.part"),
        Binding("e", "export", id="compare.export"),
        Binding("q,escape", "leave", id="compare.leave"),
    ]

    def __init__(self, glyphs: Glyphs = UNICODE, comparison: Comparison | None = None) -> None:
        super().__init__()
        self.comparison = comparison or Comparison(tuple(ALGORITHMS))
        self.found: list[Measure] = []
        self.is_comparing = False
        self._glyphs = glyphs
        self._quantity, self._part = 0, 0
        self._status = self._said = ""
        self._is_drawn = False

    # -- what is shown

    def compose(self) -> ComposeResult:
        """Title, progress, table and plot."""
        yield Static(classes="title", markup=False)
        yield Static(classes="progress", markup=False)
        with Container(id="parts"):
            with VerticalScroll():
                yield Static(id="table")
            yield Plot(figure(self.comparison, (), QUANTITIES[0]), self._glyphs)
        yield KeyBar([
            ("s", "Stop, start", "start_stop"),
            ("w", "Time, work", "next_quantity"),
            ("v", "Table, plot", "next_part"),
            ("e", "Export", "export"),
            ("q", "Leave", "leave"),
        ])  # fmt: skip

    def on_mount(self) -> None:
        """Begins."""
        self.set_interval(DRAWN_EVERY, self._draw)
        self.action_start_stop()

    def on_resize(self) -> None:
        """Table and plot beside each other, one above the other, or one at a time."""
        self._arrange()

    def _arrange(self) -> None:
        is_wide = self.size.width >= 150
        shows_both = is_wide or self.size.height >= 34
        parts = self.query_one("#parts")
        parts.set_class(is_wide, "-beside")
        parts.set_class(shows_both and not is_wide, "-both")
        for name, part in zip(PARTS, (self.query_one(VerticalScroll), self.query_one(Plot)), strict=True):
            part.display = shows_both or name == PARTS[self._part]
        self._is_drawn = False

    def _draw(self) -> None:
        """Shows what has come since."""
        if self._is_drawn:
            return
        self._is_drawn = True
        quantity = QUANTITIES[self._quantity]
        self.query_one(".title", Static).update(f"Compare: {quantity.name} on grids of growing size")
        self.query_one(".progress", Static).update(self._said or self._status)
        if self.query_one(VerticalScroll).display:
            self.query_one("#table", Static).update(self._table_text(quantity))
        if self.query_one(Plot).display:
            self.query_one(Plot).show(figure(self.comparison, self.found, quantity))

    def _table_text(self, quantity: Quantity) -> Content:
        rows = table(self.comparison, self.found, quantity)
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.rjust, row, widths)) for row in rows]
        colours = ["path", *(marker(number, self._glyphs)[1] for number in range(len(widths) - 1))]
        heads = [Content.styled(name.rjust(width), f"bold ${colour}")
                 for name, width, colour in zip(rows[0], widths, colours, strict=True)]  # fmt: skip
        reasons = [
            f"{each.algorithm} left at {each.size} x {each.size}: {each.reason}"
            for each in self.found
            if each.seconds is None
        ]
        below = ["", *reasons] if reasons else []
        return Content("\n").join([Content("  ").join(heads), *map(Content, [*lines[1:], *below])])

    def _tell(self, name: str, size: int, done: Work) -> None:
        visits = f", {done.visits:,} visits so far" if done.visits else ""
        self._report(f"{counted(len(self.found), 'measure')} taken; {name} on {size} x {size}{visits}")

    def _report(self, status: str) -> None:
        self._status, self._said, self._is_drawn = status, "", False

    def _say(self, text: str) -> None:
        self._said, self._is_drawn = text, False

    # -- running

    @work(exclusive=True, group="comparing")
    async def _run(self) -> None:
        try:
            async for measure in in_process(measures, self.comparison, tell=self._tell):
                self.found.append(measure)
                self._is_drawn = False
            self._report(f"Done: {counted(len(self.found), 'measure')}. s starts again, e exports them.")
        except (ProcessError, OSError) as error:
            self._report(sentence(str(error)))
        self.is_comparing = False

    def action_start_stop(self) -> None:
        """Stops; once stopped, starts from the beginning."""
        if self.is_comparing:
            self.workers.cancel_group(self, "comparing")
            self.is_comparing = False
            self._report(f"Stopped after {counted(len(self.found), 'measure')}. s starts again, e exports them.")
        else:
            self.is_comparing, self.found = True, []
            self._report("Starting ...")
            self._run()

    # -- keys

    def action_next_quantity(self) -> None:
        """Time, visits, memory."""
        self._quantity = (self._quantity + 1) % len(QUANTITIES)
        self._is_drawn = False

    def action_next_part(self) -> None:
        """The table or the plot, where there is no room for both."""
        self._part = (self._part + 1) % len(PARTS)
        self._arrange()

    @work(exclusive=True, group="exporting")
    async def action_export(self) -> None:
        """Writes the measures to a file whose name is asked for."""
        question = "To which file? Its end says how: .csv, .json or .svg"
        name = await self.app.push_screen_wait(LineDialog("Export the measures", question, "compare.csv"))
        if name is None:
            return
        path = Path(name).expanduser()
        text = FORMATS.get(path.suffix.lower())
        if text is None:
            self._say(f"{printable(name)}: not written, its name must end in {', '.join(FORMATS)}.")
        elif not path.exists() or await self._may_replace(path):
            self._say(_written(path, text(self.comparison, self.found), len(self.found)))

    async def _may_replace(self, path: Path) -> bool:
        answers = [Answer("r", "Replace it", "replace"), Answer("n", "Leave it", "leave")]
        question = ChoiceDialog("There is such a file", f"{printable(str(path))} would be lost.", answers)
        return await self.app.push_screen_wait(question) == "replace"

    def action_leave(self) -> None:
        """Back to where it was opened; the process ends."""
        self.dismiss(None)


def _written(path: Path, text: str, count: int) -> str:
    """Writes the file whole, or leaves what was there; says which."""
    try:
        write_text(path, text)
    except UnwritableError as error:
        return f"{error}."
    return f"{counted(count, 'measure')} written to {printable(str(path.resolve()))}"
