"""One algorithm of a race: its name, its counters, and the grid with how often each cell was visited."""

from __future__ import annotations

from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from textual.content import Content
from textual.widget import Widget

from dungeon_tui.core.words import counted
from dungeon_tui.games.rescue.ai.race import Lane
from dungeon_tui.ui.glyphs import Glyphs

_HERE = "$tint-cursor-text on $tint-cursor"
_ON_PATH = "bold $way-out"
_HEAD = 6  # lines above the grid: the name, at most three counters, the state, an empty one


class LaneView(Widget):
    """A lane at some moment of the race."""

    DEFAULT_CSS = """
    LaneView { width: 1fr; height: 1fr; padding: 0 1; color: $note; }
    """

    def __init__(self, lane: Lane, shape: tuple[int, int], glyphs: Glyphs) -> None:
        super().__init__()
        self.lane = lane
        self._counts: NDArray[np.int64] = np.zeros(shape, np.int64)
        self._place = self._visits = 0
        self._glyphs = glyphs

    def go_to(self, visits: int) -> None:
        """Shows the run after so many visits."""
        if visits < self._visits:
            self._counts[:] = self._place = 0
        place = self.lane.place(visits)
        for row, col, _ in self.lane.steps[self._place : place]:
            self._counts[row, col] += 1
        self._place, self._visits = place, visits
        if self.is_over and not self.lane.steps and self.lane.solution is not None:
            self._counts[:] = 1  # the engine's: each cell once
        self.refresh()

    @property
    def is_over(self) -> bool:
        """True once the shown moment is the run's end, or later."""
        return self._visits >= self.lane.end

    def render(self) -> Content:
        """Text of the lane: the algorithm's name, its counters and state, and the grid, unless the run was refused."""
        lane, done = self.lane, self.lane.work(self._visits)
        counts = (("call", done.calls), ("probe", done.probes), ("state", done.states))
        counters = [counted(done.visits, "visit"), *(counted(count, name) for name, count in counts if count)]
        if self.is_over:
            state = lane.trouble if lane.solution is None else f"needs {lane.solution.health:,} health"
        else:
            state = "..." if lane.steps else "in machine code, at once"
        style = "$way-out" if lane.solution is not None and self.is_over else "$path"
        head = [Content.styled(lane.name, "bold $you"), *map(Content, counters)]
        head += [Content("")] * (_HEAD - 2 - len(head)) + [Content.styled(state, style), Content("")]
        was_refused = lane.solution is None and not lane.steps
        return Content("\n").join(head if was_refused else [*head, *self._rows()])

    def _rows(self) -> list[Content]:
        """The grid; where it is too large, a character stands for a square of cells."""
        rows, cols = self._counts.shape
        width, height = max(1, self.content_size.width), max(1, self.content_size.height - _HEAD)
        scale = max(1, -(-rows // height), -(-cols // width))
        gap = " " if scale == 1 and 2 * cols <= width else ""
        counts = np.maximum.reduceat(self._counts, range(0, rows, scale), axis=0)
        counts = np.maximum.reduceat(counts, range(0, cols, scale), axis=1)
        special: dict[tuple[int, int], str] = {}
        if not self.is_over and self._place:
            row, col, _ = self.lane.steps[self._place - 1]
            special[row // scale, col // scale] = _HERE
        elif self.is_over and self.lane.solution is not None:
            special = {(row // scale, col // scale): _ON_PATH for row, col in self.lane.solution.path or ()}
        lines = []
        for row, line in enumerate(counts.tolist()):
            cells = [
                (special.get((row, col)) or _count_style(count), f"{self._sign(count)}{gap}")
                for col, count in enumerate(line)
            ]
            runs = groupby(cells, key=lambda cell: cell[0])
            lines.append(Content.assemble(*(("".join(text for _, text in run), style) for style, run in runs)))
        return lines

    def _sign(self, count: int) -> str:
        return self._glyphs.floor if not count else str(count) if count < 10 else "+"


def _count_style(count: int) -> str:
    """Style of a cell visited so often: brighter for more visits."""
    return "$floor" if not count else "$path" if count == 1 else "$prize" if count < 10 else "$foe"
