"""One algorithm of a race: its name, its counters, and the grid coloured by the order of visits; or its calls."""

import numpy as np
from numpy.typing import NDArray
from textual.content import Content
from textual.widget import Widget

from dungeon_tui.core.words import counted
from dungeon_tui.games.rescue.ai.comparison import Lane
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.palette import HEAT_COLOURS, HEATS

_HERE = "$tint-cursor-text on $tint-cursor"
_ON_PATH = "bold $map-back on $way-out"
_HEAD = 6  # lines above the grid: the name, at most three counters, the state, an empty line


class LaneView(Widget):
    """A lane at some moment of the race."""

    DEFAULT_CSS = """
    LaneView { width: 1fr; height: 1fr; padding: 0 1; color: $note; }
    """

    def __init__(self, lane: Lane, level: Level, glyphs: Glyphs) -> None:
        super().__init__()
        self.lane = lane
        self.is_on_calls = False  # show the calls of the recursion
        self._is_repeated: list[bool] = []  # of each call of the recursion: an earlier one asked for its cell
        requested: set[tuple[int, int]] = set()
        for row, col, _ in lane.steps if lane.name == "recursive" else ():
            self._is_repeated.append((row, col) in requested)
            requested.add((row, col))
        self._counts: NDArray[np.int64] = np.zeros(level.grid.shape, np.int64)
        self._steps: NDArray[np.int64] = np.zeros(level.grid.shape, np.int64)  # of the last visit, from 1; 0: none
        self._step_count = self._visits = 0
        self._glyphs = glyphs

    def go_to(self, visits: int) -> None:
        """Shows the run after `visits` visits."""
        if visits < self._visits:
            self._counts[:] = self._steps[:] = self._step_count = 0
        count = self.lane.step_count(visits)
        for step, (row, col, _) in enumerate(self.lane.steps[self._step_count : count], self._step_count + 1):
            self._counts[row, col] += 1
            self._steps[row, col] = step
        self._step_count, self._visits = count, visits
        if self.is_over and not self.lane.steps and self.lane.solution is not None:
            self._counts[:] = 1  # the engine visits each cell once
        self.refresh()

    @property
    def is_over(self) -> bool:
        """True if the shown run is over."""
        return self._visits >= self.lane.end

    def render(self) -> Content:
        """The name, counters and state, and the grid or the calls unless the run was refused."""
        lane, done = self.lane, self.lane.work(self._visits)
        counts = (("call", done.calls), ("probe", done.probes), ("state", done.states))
        counters = [counted(done.visits, "visit"), *(counted(count, name) for name, count in counts if count)]
        if self.is_over:
            state = lane.trouble if lane.solution is None else f"needs {lane.solution.health:,} health"
        else:
            state = "..." if lane.steps else "in machine code"
        style = "$way-out" if lane.solution is not None and self.is_over else "$path"
        head = [Content.styled(lane.name, "bold $you"), *map(Content, counters)]
        head += [Content("")] * (_HEAD - 2 - len(head)) + [Content.styled(state, style), Content("")]
        if lane.solution is None and not lane.steps:  # it was refused
            return Content("\n").join(head)
        body = self._calls() if self.is_on_calls and self._is_repeated else self._rows()
        return Content("\n").join([*head, *body])

    def _calls(self) -> list[Content]:
        """The last calls of the recursion, indented by depth; those that ask again for a cell are marked."""
        head = f"{sum(self._is_repeated[: self._step_count]):,} of {self._step_count:,} ask again"
        first = max(0, self._step_count - max(1, self.content_size.height - _HEAD - 1))
        lines = [Content.styled(head, "$foe")]
        for step in range(first, self._step_count):
            (row, col, _), is_repeated = self.lane.steps[step], self._is_repeated[step]
            text = f"{'  ' * (row + col)}{row + 1},{col + 1}{' again' if is_repeated else ''}"
            lines.append(Content.styled(text, "$foe" if is_repeated else "$path"))
        return lines

    def _rows(self) -> list[Content]:
        """The grid, up to three columns a cell, or squares of cells a character; cells visited late are bright."""
        # Choose the cells per character, or the size of a cell.
        rows, cols = self._counts.shape
        width, height = max(1, self.content_size.width), max(1, self.content_size.height - _HEAD)
        scale = max(1, -(-rows // height), -(-cols // width))
        cell_cols = max(1, min(width // cols, 3))
        counts, steps = _folded(self._counts, scale), _folded(self._steps, scale)

        # Highlight the visited cell, in the end the path.
        special: dict[tuple[int, int], str] = {}
        if not self.is_over and self._step_count:
            row, col, _ = self.lane.steps[self._step_count - 1]
            special[row // scale, col // scale] = _HERE
        elif self.is_over and self.lane.solution is not None:
            special = {(row // scale, col // scale): _ON_PATH for row, col in self.lane.solution.path or ()}
        heats = np.where(counts == 0, -1, steps * (HEATS - 1) // max(1, self._step_count)).tolist()
        lines = []
        for row, line in enumerate(counts.tolist()):
            signs = (self._glyphs.floor if not count else str(count) if count < 10 else "+" for count in line)
            styles = (special.get((row, col)) or _style(heat) for col, heat in enumerate(heats[row]))
            cells = zip((sign.center(cell_cols) for sign in signs), styles, strict=True)
            lines.append(Content.assemble(*cells))
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
