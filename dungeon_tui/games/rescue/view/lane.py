"""One algorithm of a race: its name, its counters, and what it has computed on the grid, by the order of visits."""

from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray
from textual.content import Content
from textual.widget import Widget

from dungeon_tui.core.words import counted
from dungeon_tui.games.rescue.ai.comparison import Lane
from dungeon_tui.games.rescue.view.trace import NOTHING, Trace
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.sprites import enlarged
from dungeon_tui.ui.palette import HEAT_COLOURS, HEATS

_HERE = "$tint-cursor-text on $tint-cursor"
_ON_PATH = "bold $map-back on $way-out"
_HEAD = 5  # lines above the grid: the name, at most two counters, the state, what a number means


class LaneView(Widget):
    """A lane at some moment of the race."""

    DEFAULT_CSS = """
    LaneView { width: 1fr; height: 1fr; padding: 0 1; color: $note; content-align: center top; }
    """

    def __init__(self, lane: Lane, trace: Trace, glyphs: Glyphs) -> None:
        super().__init__()
        self.lane, self._trace, self._glyphs = lane, trace, glyphs
        self._widest = len(str(max(trace.numbers(count).max() for count in (1, len(lane.steps)))))
        self._visits = 0

    def go_to(self, visits: int) -> None:
        """Shows the run after `visits` visits."""
        self._visits = visits
        self.refresh()

    @property
    def is_over(self) -> bool:
        """True if the shown run is over."""
        return self._visits >= self.lane.end

    def render(self) -> Content:
        """The name, counters and state, and the grid unless the run was refused."""
        lane, done, count = self.lane, self.lane.work(self._visits), self.lane.step_count(self._visits)
        counts = (("call", done.calls), ("probe", done.probes), ("state", done.states))
        counters = [counted(done.visits, "visit"), *(counted(count, name) for name, count in counts if count)]
        state, style = "...", "$path"
        if self.is_over:
            state = lane.trouble if lane.solution is None else f"needs {lane.solution.health:,} health"
            style = "$path" if lane.solution is None else "$way-out"
        head = [Content.styled(lane.name, "bold $you"), *map(Content, counters)]
        head += [Content("")] * (_HEAD - 2 - len(head)) + [Content.styled(state, style)]
        if not lane.steps:  # it was refused
            return Content("\n").join(head)
        return Content("\n").join([*head, Content(f"number: {self._trace.meaning(count)}"), *self._rows(count)])

    def text(self) -> str:
        """A sentence on the last step; after the end, on the algorithm."""
        count = 0 if self.is_over else self.lane.step_count(self._visits)
        return self._trace.text(count) if self.lane.steps else ""

    def _rows(self, count: int) -> list[Content]:
        """The grid with its numbers, or squares of cells a character; cells visited late are bright."""
        # Choose the cells per character, or the size of a cell.
        numbers, visited = self._trace.numbers(count), self._trace.cells[:count]
        rows, cols = numbers.shape
        width, height = max(1, self.content_size.width), max(1, self.content_size.height - _HEAD)
        scale = max(1, -(-rows // height), -(-cols // width))
        cell_lines = max(1, min(height // rows, width // cols // 2))
        cell_cols = max(1, min(width // cols, max(self._widest + 2, 2 * cell_lines)))
        order = np.zeros(numbers.size, np.int64)  # of the last visit, from 1; 0: none
        order[visited] = np.arange(1, count + 1)
        steps = _folded(order.reshape(rows, cols), scale)

        # Highlight the visited cell, in the end the path.
        special: dict[tuple[int, int], str] = {}
        if self.is_over and self.lane.solution is not None:
            special = {(row // scale, col // scale): _ON_PATH for row, col in self.lane.solution.path or ()}
        elif count:
            row, col, _ = self.lane.steps[count - 1]
            special[row // scale, col // scale] = _HERE
        times = min(cell_lines // 4, (cell_cols - 1) // (4 * self._widest - 1))  # of digits of 3 x 5 pixels; 0: text
        times *= not self._glyphs.is_ascii
        tight = " bold" * (cell_cols <= self._widest)  # of every second number, if they touch
        heats = np.where(steps == 0, -1, steps * (HEATS - 1) // max(1, count)).tolist()
        lines = []
        for row, line in enumerate(heats):
            shown = numbers[row].tolist() if scale == 1 else [NOTHING] * len(line)
            signs = ["" if number == NOTHING or len(str(number)) > cell_cols else str(number) for number in shown]
            drawn = [enlarged(sign.rjust(min(self._widest, cell_cols)), cell_cols, times) for sign in signs]
            styles = [(special.get((row, col)) or _style(heat)) + tight * (col % 2) for col, heat in enumerate(line)]
            blank = Content.assemble(*((" " * cell_cols, style) for style in styles))
            parts = zip_longest(*drawn, fillvalue=" " * cell_cols)
            written = [Content.assemble(*zip(part, styles, strict=True)) for part in parts]
            above = (cell_lines - len(written)) // 2
            lines += ([blank] * above + written + [blank] * cell_lines)[:cell_lines]
        return lines


def _folded(values: NDArray[np.int64], scale: int) -> NDArray[np.int64]:
    rows, cols = values.shape
    highest = np.maximum.reduceat(values, range(0, rows, scale), axis=0)
    return np.maximum.reduceat(highest, range(0, cols, scale), axis=1)


def _style(heat: int) -> str:
    """Style of a cell by its heat, an index into HEAT_COLOURS; below 0: not visited."""
    if heat < 0:
        return "$floor"
    return f"{'#ffffff' if heat < HEATS // 2 else '#000000'} on {HEAT_COLOURS[heat]}"
