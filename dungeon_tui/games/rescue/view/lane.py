"""One algorithm of a race: its name, its counters, and the grid with how often each cell was visited."""

from __future__ import annotations

from collections.abc import Sequence
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
        """Shows the moment after so many visits."""
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
        """True once it has nothing more to show."""
        return self._visits >= self.lane.end

    def render(self) -> Content:
        """The text."""
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
        marks = {(row // scale, col // scale) for row, col in self._path()}
        here = None
        if self._place and not self.is_over:
            row, col, _ = self.lane.steps[self._place - 1]
            here = row // scale, col // scale
        lines = []
        for row in range(-(-rows // scale)):
            cells = []
            for col in range(-(-cols // scale)):
                count = int(self._counts[row * scale : (row + 1) * scale, col * scale : (col + 1) * scale].max())
                style = _HERE if (row, col) == here else _ON_PATH if (row, col) in marks else _count_style(count)
                cells.append((style, self._glyphs.floor if not count else str(count) if count < 10 else "+"))
            runs = [
                Content.styled("".join(glyph + gap for _, glyph in run), style)
                for style, run in groupby(cells, key=lambda cell: cell[0])
            ]
            lines.append(Content.assemble(*runs))
        return lines

    def _path(self) -> Sequence[tuple[int, int]]:
        return self.lane.solution.path or () if self.lane.solution is not None and self.is_over else ()


def _count_style(count: int) -> str:
    """Brighter where there were more visits."""
    return "$floor" if not count else "$path" if count == 1 else "$prize" if count < 10 else "$foe"
