"""Up to three algorithms side by side on one grid: which cells each of them visits, visit by visit, and what it counts.

The algorithms run first, whole, and tell of each visit. The race then shows these visits at one pace for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from dungeon_tui.core.level import LevelError
from dungeon_tui.core.words import sentence
from dungeon_tui.games.rescue.ai.race import Lane, run_lane, starters, verdict
from dungeon_tui.games.rescue.ai.solver import ALGORITHMS
from dungeon_tui.games.rescue.model.dungeon import read_grid, title
from dungeon_tui.games.rescue.model.generator import uniform
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.widgets.dialogs import LineDialog
from dungeon_tui.ui.widgets.key_bar import KeyBar

MOST_CELLS = 10_000  # of a grid that is raced on
MOST_LANES = 3
SPEEDS = (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 20_000)  # visits a second
TICK = 0.05  # seconds
_HERE = "$tint-cursor-text on $tint-cursor"
_ON_PATH = "bold $way-out"
_COUNTERS = 3  # that an algorithm has at most


class LaneView(Widget):
    """One algorithm: its name, its counters, and the grid with how often each cell was visited."""

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
        """Whether it has nothing more to show."""
        return self._visits >= self.lane.end

    def render(self) -> Content:
        """The text."""
        done, lane = self.lane.work(self._visits), self.lane
        counts = (("visit", done.visits), ("call", done.calls), ("probe", done.probes), ("state", done.states))
        counters = [
            f"{count:,} {name if count == 1 else name + 's'}" for name, count in counts if count or name == "visit"
        ]
        if not lane.steps and lane.solution is not None:
            state = "in machine code, at once" if not self.is_over else f"needs {lane.solution.health:,} health"
        elif self.is_over:
            state = f"needs {lane.solution.health:,} health" if lane.solution is not None else lane.trouble
        else:
            state = "..."
        name, below = (
            Content.styled(lane.name, "bold $you"),
            "\n".join([*counters, *[""] * (_COUNTERS - len(counters))]),
        )
        style = "$way-out" if lane.solution is not None and self.is_over else "$path"
        head = [name, Content(below), Content.styled(state, style), Content("")]
        was_refused = lane.solution is None and not lane.steps
        return Content("\n").join([*head, *([] if was_refused else self._rows(_COUNTERS + 3))])

    def _rows(self, taken: int) -> list[Content]:
        """The grid; where it is too large, a character stands for a square of cells."""
        rows, cols = self._counts.shape
        width, height = max(1, self.content_size.width), max(1, self.content_size.height - taken)
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
        """The way that was found, once it is over."""
        return self.lane.solution.path or () if self.lane.solution is not None and self.is_over else ()


class RaceScreen(Screen[None]):
    """The race: plays by itself, can be paused, stepped, begun again, with others or on another grid."""

    DEFAULT_CSS = """
    RaceScreen { background: $map-back; color: $note; }
    RaceScreen Static { padding: 0 1; }
    RaceScreen .title { text-style: bold; }
    RaceScreen .progress { color: $path; }
    RaceScreen #lanes { height: 1fr; margin-top: 1; }
    """
    BINDINGS = [
        Binding("p,space", "play_pause", id="race.play"),
        Binding("r", "restart", id="race.restart"),
        Binding("right_square_bracket", "step(1)", id="race.step.on"),
        Binding("left_square_bracket", "step(-1)", id="race.step.back"),
        Binding("end", "finish", id="race.finish"),
        Binding("comma", "pace(-1)", id="race.slower"),
        Binding("semicolon", "pace(1)", id="race.faster"),
        *(Binding(str(number), f"take_part({number - 1})") for number in range(1, len(ALGORITHMS) + 1)),
        Binding("g", "grid", id="race.grid"),
        Binding("q,escape", "leave", id="race.leave"),
    ]

    def __init__(self, level: Level, glyphs: Glyphs = UNICODE, names: Sequence[str] | None = None) -> None:
        super().__init__()
        self.level, self.names = level, [*(names or starters(level))]
        self.visits, self.is_playing, self.pace = 0.0, True, SPEEDS.index(10)
        self.lanes: list[LaneView] = []
        self._glyphs = glyphs
        self._stays = False  # whether what was said stays until the next key, while the race goes on

    # -- what is shown

    def compose(self) -> ComposeResult:
        """Title, who takes part, the lanes, how it stands."""
        yield Static(classes="title", markup=False)
        yield Static(id="names")
        yield Horizontal(id="lanes")
        yield Static(classes="progress", markup=False)
        yield KeyBar([
            ("q", "Leave", "leave"),
            ("p", "Pause", "play_pause"),
            (", ;", "Speed", "pace(1)"),
            ("]", "Step", "step(1)"),
            ("End", "The end", "finish"),
            ("r", "Restart", "restart"),
            ("g", "Grid", "grid"),
        ])  # fmt: skip

    def on_mount(self) -> None:
        """Lines them up."""
        self.set_interval(TICK, self._tick)
        self._line_up()

    @work(exclusive=True, group="lining up")
    async def _line_up(self) -> None:
        """Runs the chosen ones in a thread, then begins."""
        rows, cols = self.level.grid.shape
        self.query_one(".title", Static).update(f"Race: {title(self.level)}, {rows} x {cols}")
        self.query_one("#names", Static).update(self._names_text())
        self.lanes = []
        await self.query_one("#lanes").remove_children()
        if rows * cols > MOST_CELLS:
            self._say(f"A race is for up to {MOST_CELLS:,} cells; g chooses another grid.")
            return
        self._say("They run ...")
        try:
            found = await in_background(lambda: [run_lane(self.level, name) for name in self.names])
        except ValueError as error:
            self._say(sentence(str(error)))
            return
        lanes = [LaneView(lane, (rows, cols), self._glyphs) for lane in found]
        await self.query_one("#lanes").mount(*lanes)
        self.lanes = lanes
        self.action_restart()

    def _names_text(self) -> Content:
        parts = []
        for number, name in enumerate(ALGORITHMS, 1):
            parts.append(Content.styled(f"{number} {name}", "bold $you" if name in self.names else "$note 55%"))
        return Content(" ").join(parts)

    def _say(self, text: str, stays: bool = False) -> None:
        self._stays = stays
        self.query_one(".progress", Static).update(text)

    @property
    def end(self) -> int:
        """The visits after which all are over."""
        return max((view.lane.end for view in self.lanes), default=0)

    def _show(self) -> None:
        visits = int(self.visits)
        for view in self.lanes:
            view.go_to(visits)
        if self._stays:
            return
        if visits >= self.end:
            self._say(verdict([view.lane for view in self.lanes]))
        else:
            speed = f"{SPEEDS[self.pace]:,} visits a second" if self.is_playing else "paused"
            self._say(f"{visits:,} visits, {speed}")

    def _show_anew(self) -> None:
        """After a key: what was said before no longer matters."""
        self._stays = False
        self._show()

    def _tick(self) -> None:
        if self.is_playing and self.lanes and self.visits < self.end:
            self.visits = min(self.end, self.visits + TICK * SPEEDS[self.pace])
            self._show()

    # -- keys

    def action_play_pause(self) -> None:
        """Goes on, or holds it."""
        self.is_playing = not self.is_playing
        self._show_anew()

    def action_restart(self) -> None:
        """Back to the start."""
        self.visits = 0.0
        self._show_anew()

    def action_step(self, visits: int) -> None:
        """A visit on, or back; holds the race."""
        self.is_playing = False
        self.visits = float(min(self.end, max(0, int(self.visits) + visits)))
        self._show_anew()

    def action_finish(self) -> None:
        """To the end at once."""
        self.visits = float(self.end)
        self._show_anew()

    def action_pace(self, steps: int) -> None:
        """Faster, or slower."""
        self.pace = min(len(SPEEDS) - 1, max(0, self.pace + steps))
        self._show_anew()

    def action_take_part(self, number: int) -> None:
        """Lets an algorithm take part, or not; the one that has been in longest makes room."""
        name = [*ALGORITHMS][number]
        if name not in self.names:
            self.names = [*self.names, name][-MOST_LANES:]
        elif len(self.names) > 1:
            self.names.remove(name)
        self._line_up()

    @work(exclusive=True, group="choosing")
    async def action_grid(self) -> None:
        """Asks for another grid."""
        self._stays = False
        question = "A grid's name, a file, or a number of rows and columns"
        name = await self.app.push_screen_wait(LineDialog("Race on which grid?", question, "classic"))
        if name is None:
            return
        try:
            self.level = await in_background(_find_grid, name)
        except LevelError as error:  # begins with a file's name
            self._say(str(error), stays=True)
        except ValueError as error:
            self._say(sentence(str(error)), stays=True)
        else:
            self._line_up()

    def action_leave(self) -> None:
        """Back to where it was opened."""
        self.dismiss(None)


def _find_grid(name: str) -> Level:
    if name.isascii() and name.isdigit():
        if not 1 <= int(name) ** 2 <= MOST_CELLS:
            raise ValueError(f"a race is for up to {MOST_CELLS:,} cells, not {name} x {name}")
        return uniform(0, int(name), int(name))
    return read_grid(name)


def _count_style(count: int) -> str:
    """Brighter where there were more visits."""
    return "$floor" if not count else "$path" if count == 1 else "$prize" if count < 10 else "$foe"
