"""One algorithm of a race: its name, its counters, and the grid, coloured in the order of its visits; or its inside."""

from __future__ import annotations

from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from textual.content import Content
from textual.widget import Widget

from dungeon_tui.core.words import counted
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.ai.inside import Call, CallTree, Probe, probes
from dungeon_tui.games.rescue.ai.race import Lane
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.palette import HEAT_COLOURS, HEATS

_HERE = "$tint-cursor-text on $tint-cursor"
_ON_PATH = "bold $map-back on $way-out"
_HEAD = 6  # lines above the grid: the name, at most three counters, the state, an empty one


class LaneView(Widget):
    """A lane at some moment of the race."""

    DEFAULT_CSS = """
    LaneView { width: 1fr; height: 1fr; padding: 0 1; color: $note; }
    """

    def __init__(self, lane: Lane, level: Level, glyphs: Glyphs) -> None:
        super().__init__()
        self.lane, self._level = lane, level
        self.is_inside = False  # whether its inside is shown, if it has one
        self._tree = CallTree([step[:2] for step in lane.steps]) if lane.name == "recursive" and lane.solution else None
        is_search = lane.name == "binary-search" and lane.solution is not None
        self._probes = [*probes(level, lane.solution.health)] if is_search and lane.solution is not None else []
        self._counts: NDArray[np.int64] = np.zeros(level.grid.shape, np.int64)
        self._steps: NDArray[np.int64] = np.zeros(level.grid.shape, np.int64)  # of the last visits, from 1 on; 0: none
        self._place = self._visits = 0
        self._glyphs = glyphs

    def go_to(self, visits: int) -> None:
        """Shows the run after so many visits."""
        if visits < self._visits:
            self._counts[:] = self._steps[:] = self._place = 0
        place = self.lane.place(visits)
        for step, (row, col, _) in enumerate(self.lane.steps[self._place : place], self._place + 1):
            self._counts[row, col] += 1
            self._steps[row, col] = step
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
        return Content("\n").join(head if was_refused else [*head, *(self._inside() or self._rows())])

    def _inside(self) -> list[Content]:
        """The inside of the run; empty if it has none, or the grid is to be shown."""
        room = self.content_size.height - _HEAD
        if not self.is_inside:
            return []
        if self._tree is not None:
            calls = self._tree.calls(self._place, room - 1)
            asked = f"{self._tree.repeated:,} of {self.lane.end:,} ask again" if self.is_over else "row, column: need"
            return [Content.styled(asked, "$foe" if self.is_over else "$note"), *map(self._call_line, calls)]
        tried = self._probes[: self.lane.work(self._visits).probes]
        lines = [line for probe in tried for line in self._probe_lines(probe, probe is not tried[-1] or self.is_over)]
        return lines[-max(2, room // 2 * 2) :]

    def _call_line(self, call: Call) -> Content:
        """A call, indented by its depth: its cell, its need if it has answered, and what is folded below."""
        need = "?" if call.is_open else f"{int(solver.needs(self._level)[call.cell]):,}"
        again = " again" if call.is_repeated else ""
        folded = f" +{counted(call.folded, 'call')}" if call.folded else ""
        style = "$foe" if call.is_repeated else "bold $you" if call.is_open else "$path"
        return Content.styled(f"{'  ' * call.depth}{call.cell.row},{call.cell.col}: {need}{again}{folded}", style)

    def _probe_lines(self, probe: Probe, is_known: bool) -> list[Content]:
        """Two lines for a probe: the numbers and why the bounds move, and a bar of the numbers that are left."""
        why = f"enough, high = {probe.mid:,}" if probe.is_enough else f"too little, low = {probe.mid:,}"
        told = f"{probe.low:,} < {probe.mid:,} < {probe.high:,}: {why if is_known else '...'}"
        width, most = max(8, self.content_size.width - 1), self._probes[0].high
        low, mid, high = (number * (width - 1) // most for number in (probe.low, probe.mid, probe.high))
        bar = [("=" if low <= place <= high else " ") for place in range(width)]
        bar[low], bar[high], bar[mid] = "[", "]", "|"
        return [Content.styled(told, "$path" if is_known else "bold $you"), Content("".join(bar).rstrip())]

    def _rows(self) -> list[Content]:
        """The grid in cells as large as there is room for; where it is too large, a cell stands for a square of them.

        Dark cells were visited early, bright ones late.
        """
        rows, cols = self._counts.shape
        width, height = max(1, self.content_size.width), max(1, self.content_size.height - _HEAD)
        scale = max(1, -(-rows // height), -(-cols // width))
        cell_lines = max(1, min(height // rows, (width // cols + 1) // 2))
        cell_cols = max(1, min(width // cols, 2 * cell_lines + 1))
        counts, steps = self._folded(self._counts, scale), self._folded(self._steps, scale)
        special: dict[tuple[int, int], str] = {}
        if not self.is_over and self._place:
            row, col, _ = self.lane.steps[self._place - 1]
            special[row // scale, col // scale] = _HERE
        elif self.is_over and self.lane.solution is not None:
            special = {(row // scale, col // scale): _ON_PATH for row, col in self.lane.solution.path or ()}
        heats = np.where(counts == 0, -1, steps * (HEATS - 1) // max(1, self._place)).tolist()
        lines = []
        for row, line in enumerate(counts.tolist()):
            styles = [special.get((row, col)) or _style(heat) for col, heat in enumerate(heats[row])]
            for number in range(cell_lines):
                signs = map(self._sign, line) if number == cell_lines // 2 else [""] * len(line)
                cells = zip(styles, (sign.center(cell_cols) for sign in signs), strict=True)
                runs = groupby(cells, key=lambda cell: cell[0])
                lines.append(Content.assemble(*(("".join(text for _, text in run), style) for style, run in runs)))
        return lines

    @staticmethod
    def _folded(values: NDArray[np.int64], scale: int) -> NDArray[np.int64]:
        """The largest value of each square of so many cells a side."""
        rows, cols = values.shape
        highest = np.maximum.reduceat(values, range(0, rows, scale), axis=0)
        return np.maximum.reduceat(highest, range(0, cols, scale), axis=1)

    def _sign(self, count: int) -> str:
        return self._glyphs.floor if not count else str(count) if count < 10 else "+"


def _style(heat: int) -> str:
    """Style of a cell by the time of its last visit, a place in HEAT_COLOURS; below 0: it was not visited."""
    if heat < 0:
        return "$floor"
    return f"{'#ffffff' if heat < HEATS // 2 else '#000000'} on {HEAT_COLOURS[heat]}"
