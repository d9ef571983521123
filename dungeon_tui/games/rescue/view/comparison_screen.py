"""Algorithms side by side: racing on one grid, visit by visit, or measured on growing ones, in a table and a plot.

For the race the algorithms run first, whole, and tell of each visit; these are then shown at one pace for all. The
measures are taken in a process of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from textual import work
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from dungeon_tui.core.files import UnwritableError, typed_path, write_text
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted, in_words, sentence
from dungeon_tui.games.rescue.ai.algorithms import ALGORITHMS, Work
from dungeon_tui.games.rescue.ai.comparison import (
    Comparison,
    Measure,
    Size,
    comparison_on,
    csv_text,
    json_values,
    measures,
    size_text,
)
from dungeon_tui.games.rescue.ai.race import run_lane, starters, verdict
from dungeon_tui.games.rescue.model.dungeon import read_grid
from dungeon_tui.games.rescue.model.generator import generated
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.view.lane import LaneView
from dungeon_tui.games.rescue.view.measures import QUANTITIES, figure, growth, reasons, table
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import LOOKING, Key, as_bound, footer_of, key_names, with_key_names
from dungeon_tui.ui.widgets.dialogs import Answer, ChoiceDialog, LineDialog
from dungeon_tui.ui.widgets.key_bar import KeyBar
from dungeon_tui.ui.widgets.plot import Plot, marker
from dungeon_tui.workers import ProcessError, in_process

MOST_CELLS = 10_000  # of a grid that is raced on
MOST_MEASURED = 4_000_000
MOST_LANES = 3
Mode = Literal["race", "measures"]
SPEEDS = (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 20_000)  # visits a second
TICK = 0.05  # seconds
_SECONDS = 10  # of a race, at the speed that it begins with

FORMATS: dict[str, Callable[[Comparison, Sequence[Measure]], str]] = {
    ".csv": lambda _, found: csv_text(found),
    ".json": lambda comparison, found: json.dumps(json_values(comparison, found)) + "\n",
}


def _key(id: str, keys: str, shown: str, label: str, action: str, footer: int = 0) -> Key:
    return Key(id, keys, shown, label, "", LOOKING, footer, action)


LEAVE = _key("compare.leave", "q,escape", "q", "Leave", "leave", 1)
KEYS: dict[Mode, tuple[Key, ...]] = {
    "race": (
        _key("race.play", "p,space", "p", "Pause", "play_pause", 2),
        _key("race.faster", "semicolon", ", ;", "Speed", "pace(1)", 3),
        _key("race.slower", "comma", ",", "Slower", "pace(-1)"),
        _key("race.step.on", "right_square_bracket", "]", "Step", "step(1)", 4),
        _key("race.step.back", "left_square_bracket", "[", "Back", "step(-1)"),
        _key("race.finish", "end", "End", "The end", "finish", 6),
        _key("race.restart", "r", "r", "Restart", "restart", 7),
        _key("race.grid", "g", "g", "Grid", "grid", 8),
        *(_key(f"race.{name}", str(number), str(number), name, f"take_part('{name}')")
          for number, name in enumerate(ALGORITHMS, 1)),
        _key("race.inside", "i", "i", "Inside", "inside", 9),
        _key("race.measures", "M", "M", "Measures", "look_at('measures')", 5),
    ),
    "measures": (
        _key("compare.start", "s", "s", "Stop, start", "start_stop", 2),
        _key("compare.quantity", "w", "w", "Time, work", "next_quantity", 3),
        _key("compare.part", "v,tab", "v", "Table, plot", "next_part", 4),
        _key("compare.this", "t", "t", "This grid", "this_grid", 7),
        _key("compare.grid", "g", "g", "Grid", "grid", 8),
        _key("compare.export", "e", "e", "Export", "export", 5),
        _key("compare.race", "R", "R", "Race", "look_at('race')", 6),
    ),
}  # fmt: skip


class ComparisonScreen(Screen[None]):
    """The race, which plays by itself, and the measures, which are taken when they are first looked at."""

    DEFAULT_CSS = """
    ComparisonScreen { background: $map-back; color: $note; }
    ComparisonScreen Static { padding: 0 1; }
    ComparisonScreen #title { text-style: bold; }
    ComparisonScreen #progress { color: $path; }
    ComparisonScreen #lanes { height: 1fr; margin-top: 1; }
    ComparisonScreen #measures { height: 1fr; layout: vertical; }
    ComparisonScreen #table { height: 1fr; width: 1fr; overflow-x: auto; }
    ComparisonScreen #rows, ComparisonScreen #growth { width: auto; }
    ComparisonScreen Plot { width: 1fr; }
    ComparisonScreen.-race #measures, ComparisonScreen.-measures #lanes, ComparisonScreen.-measures #names {
        display: none;
    }
    ComparisonScreen.-wide #measures { layout: horizontal; }
    ComparisonScreen.-wide #table { width: 82; }
    ComparisonScreen.-narrow.-high #table { height: auto; max-height: 60%; }
    ComparisonScreen.-narrow.-low Plot, ComparisonScreen.-narrow.-low.-plot #table { display: none; }
    ComparisonScreen.-narrow.-low.-plot Plot { display: block; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (150, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-high")]
    BINDINGS = [key.binding() for key in (LEAVE, *KEYS["race"], *KEYS["measures"])]

    def __init__(self, level: Level, glyphs: Glyphs = UNICODE, mode: Mode = "race") -> None:
        super().__init__()
        self.mode: Mode = mode
        self.level, self.names = level, [*starters(level)]
        self.visits, self.is_playing, self.pace = 0.0, True, 0
        self.lanes: list[LaneView] = []
        self.comparison = Comparison(tuple(ALGORITHMS))
        self.found: list[Measure] = []
        self.is_comparing = self.is_on_grid = self.is_inside = False
        self._glyphs = glyphs
        self._quantity = 0
        self._said = {"race": "", "measures": ""}

    def compose(self) -> ComposeResult:
        """Yields the title, the race and the measures, of which one is shown, a line of progress and the keys."""
        yield Static(id="title", markup=False)
        yield Static(id="names")
        yield Horizontal(id="lanes")
        with Container(id="measures"):
            with VerticalScroll(id="table"):
                yield Static(id="rows")
                yield Static(id="reasons", markup=False)
                yield Static(id="growth", markup=False)
            yield Plot(figure(self.comparison, (), QUANTITIES[0]), self._glyphs)
        yield Static(id="progress", markup=False)
        yield KeyBar([])

    def on_mount(self) -> None:
        """Starts the clock of the race, and shows the race or the measures, as the screen was asked to."""
        self.set_interval(TICK, self._tick)
        self.action_look_at(self.mode)

    def settings_changed(self) -> None:
        """Shows the keys of the present mode by their names as they are bound now."""
        for bar in self.query(KeyBar):
            shown = footer_of(as_bound(self, [LEAVE, *KEYS[self.mode]]))
            bar.show([(key.shown, key.label, key.action) for key in shown])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """True if an action's key works in the present mode."""
        modes = {mode for mode, keys in KEYS.items() for key in keys if key.action.partition("(")[0] == action}
        return not modes or self.mode in modes

    def action_look_at(self, mode: Mode) -> None:
        """Shows the race or the measures, and begins with what hasn't begun yet."""
        self.mode = mode
        self.set_class(mode == "race", "-race")
        self.set_class(mode == "measures", "-measures")
        self.settings_changed()
        if mode == "race" and not self.lanes:
            self._line_up()
        elif mode == "measures" and not (self.found or self.is_comparing):
            self.action_start_stop()
        self._show_heading()
        self._say(mode, self._said[mode])

    def action_leave(self) -> None:
        """Ends the process that takes measures, if there is one, and closes the screen."""
        self.workers.cancel_node(self)
        self.dismiss(None)

    def _show_heading(self) -> None:
        rows, cols = self.level.grid.shape
        grid = f"{in_words(self.level.name)}, {rows} x {cols}"
        grids = f"corners of {grid}" if self.is_on_grid else "grids of growing size"
        compare = f"Compare: {QUANTITIES[self._quantity].name} on {grids}"
        self.query_one("#title", Static).update(f"Race: {grid}" if self.mode == "race" else compare)
        names = [
            Content.styled(f"{number} {name}", "bold $you" if name in self.names else "$note 55%")
            for number, name in enumerate(ALGORITHMS, 1)
        ]
        self.query_one("#names", Static).update(Content(" ").join(names))

    def _say(self, mode: Mode, text: str) -> None:
        self._said[mode] = text
        if mode == self.mode:  # there is no such line any more if news comes while the screen is taken apart
            for line in self.query("#progress").results(Static):
                line.update(with_key_names(text, key_names(self, KEYS[mode])))

    # -- the race

    @work(exclusive=True, group="lining up")
    async def _line_up(self) -> None:
        """Runs the chosen algorithms in a thread, then shows their race from its start; too large a grid is refused."""
        self._show_heading()
        self.lanes = []
        await self.query_one("#lanes").remove_children()
        if self.level.grid.size > MOST_CELLS:
            self._say("race", f"A race is for up to {MOST_CELLS:,} cells; {{race.grid}} chooses another grid.")
            return
        self._say("race", "They run ...")
        try:
            found = await in_background(lambda: [run_lane(self.level, name) for name in self.names])
        except ValueError as error:  # there is not enough memory, most likely
            self._say("race", sentence(str(error)))
            return
        lanes = [LaneView(lane, self.level, self._glyphs) for lane in found]
        await self.query_one("#lanes").mount(*lanes)
        self.lanes = lanes
        self.pace = next((place for place, speed in enumerate(SPEEDS) if self.end <= speed * _SECONDS), len(SPEEDS) - 1)
        self.action_restart()

    @property
    def end(self) -> int:
        """Number of visits after which all lanes are over; 0 without lanes."""
        return max((view.lane.end for view in self.lanes), default=0)

    def _go_to(self, visits: float) -> None:
        """Shows the race after so many visits, at most to its end, with a line of progress or the result."""
        self.visits = min(float(self.end), max(0.0, visits))
        for view in self.lanes:
            view.is_inside = self.is_inside
            view.go_to(int(self.visits))
        if self.lanes and self.visits >= self.end:
            self._say("race", verdict([view.lane for view in self.lanes]))
        elif self.lanes:
            speed = f"{SPEEDS[self.pace]:,} visits a second" if self.is_playing else "paused"
            self._say("race", f"{int(self.visits):,} visits, {speed}")

    def _tick(self) -> None:
        if self.mode == "race" and self.is_playing and self.visits < self.end:
            self._go_to(self.visits + TICK * SPEEDS[self.pace])

    def action_play_pause(self) -> None:
        """Pauses the race, or lets it go on."""
        self.is_playing = not self.is_playing
        self._go_to(self.visits)

    def action_restart(self) -> None:
        """Shows the race from its start; it goes on unless it is paused."""
        self._go_to(0)

    def action_step(self, visits: int) -> None:
        """Pauses the race, and shows it so many visits later, or earlier if below 0."""
        self.is_playing = False
        self._go_to(int(self.visits) + visits)

    def action_finish(self) -> None:
        """Shows the end of the race at once."""
        self._go_to(self.end)

    def action_pace(self, steps: int) -> None:
        """Makes the race faster by so many of SPEEDS, or slower if below 0."""
        self.pace = min(len(SPEEDS) - 1, max(0, self.pace + steps))
        self._go_to(self.visits)

    def action_inside(self) -> None:
        """Shows the inside of the recursion and of the binary search, or the grid again."""
        self.is_inside = not self.is_inside
        self._go_to(self.visits)

    def action_take_part(self, name: str) -> None:
        """Adds an algorithm to the race, or takes it out, and starts again.

        A fourth one replaces the one that has been in longest; the last one stays.
        """
        if name not in self.names:
            self.names = [*self.names, name][-MOST_LANES:]
        elif len(self.names) > 1:
            self.names.remove(name)
        self._line_up()

    @work(exclusive=True, group="choosing")
    async def action_grid(self) -> None:
        """Asks for another grid until one can be read or the player gives up; then races or measures on it."""
        question = "A grid's name, a file, or rows and columns: 20 x 30"
        mode, most = self.mode, MOST_CELLS if self.mode == "race" else MOST_MEASURED
        name: str | None = ""
        trouble = ""
        while True:
            title = "Race on which grid?" if mode == "race" else "Compare on which grid?"
            dialog = LineDialog(title, question, "classic", typed=name or "", trouble=trouble)
            name = await self.app.push_screen_wait(dialog)
            if name is None:
                return
            try:
                self.level = await in_background(_find_grid, name, most)
            except ValueError as error:
                trouble = str(error)
                continue
            self.lanes = []  # of the grid before
            if mode == "race":
                self._line_up()
            else:
                self.is_on_grid = False
                self.action_this_grid()
            return

    # -- the measures

    @work(exclusive=True, group="comparing")
    async def _measure(self) -> None:
        try:
            async for measure in in_process(measures, self.comparison, tell=self._tell):
                self.found.append(measure)
                self._show_measures()
            self._report("Done:")
        except (ProcessError, OSError) as error:
            self._say("measures", sentence(str(error)))
        self.is_comparing = False

    def _tell(self, name: str, size: Size, done: Work) -> None:
        visits = f", {done.visits:,} visits so far" if done.visits else ""
        self._say("measures", f"{counted(len(self.found), 'measure')} taken; {name} on {size_text(size)}{visits}")

    def _report(self, how: str) -> None:
        taken = counted(len(self.found), "measure")
        self._say("measures", f"{how} {taken}. {{compare.start}} starts again, {{compare.export}} exports them.")

    def _show_measures(self) -> None:
        if not self.query("#rows"):
            return
        quantity, begun = QUANTITIES[self._quantity], {each.size for each in self.found}
        sizes = [size for size in self.comparison.sizes if size in begun]
        names, _, lines = table(self.comparison, self.found, quantity, sizes).partition("\n")
        heads = Content(names).stylize("bold $path")
        for number, name in enumerate(self.comparison.algorithms):
            start = names.index(name)
            heads = heads.stylize(f"bold ${marker(number, self._glyphs)[1]}", start, start + len(name))
        self.query_one("#rows", Static).update(Content("\n").join([heads, Content(self._glyphs.plain(lines.rstrip()))]))
        self.query_one("#reasons", Static).update("\n".join(["", *reasons(self.found), ""]))
        self.query_one("#growth", Static).update(f"Growth, m rows and n columns\n{growth(self.comparison, self.found)}")
        self.query_one(Plot).show(figure(self.comparison, self.found, quantity))
        self._show_heading()

    def action_start_stop(self) -> None:
        """Stops taking measures, or drops those taken and starts from the beginning."""
        if self.is_comparing:
            self.workers.cancel_group(self, "comparing")
            self._report("Stopped after")
        else:
            self.found = []
            self._say("measures", "Starting ...")
            self._show_measures()
            self._measure()
        self.is_comparing = not self.is_comparing

    def action_this_grid(self) -> None:
        """Measures on corners of the present grid and on all of it, or on grids of growing size again."""
        self.is_on_grid = not self.is_on_grid
        names = tuple(ALGORITHMS)
        self.comparison = comparison_on(self.level, names) if self.is_on_grid else Comparison(names)
        self.workers.cancel_group(self, "comparing")
        self.is_comparing = False
        self.action_start_stop()

    def action_next_quantity(self) -> None:
        """Shows the next quantity of time, visits and memory, in table and plot."""
        self._quantity = (self._quantity + 1) % len(QUANTITIES)
        self._show_measures()

    def action_next_part(self) -> None:
        """Swaps the table and the plot, on screens without room for both."""
        self.toggle_class("-plot")

    @work(exclusive=True, group="exporting")
    async def action_export(self) -> None:
        """Asks for a file's name, and before one is replaced; writes the measures there as CSV or JSON, by its end."""
        question = f"To which file? Its end says how: {' or '.join(FORMATS)}"
        dialog = LineDialog("Export the measures", question, "compare.csv", _format)
        if (name := await self.app.push_screen_wait(dialog)) is None:
            return
        path = Path(typed_path(name))
        if path.exists():
            answers = [Answer("r", "Replace it", "replace"), Answer("n", "Leave it", "leave")]
            asked = ChoiceDialog("This file exists", f"{printable(str(path))} would be lost.", answers)
            if await self.app.push_screen_wait(asked) != "replace":
                return
        try:
            write_text(path, _format(name)(self.comparison, self.found))
        except UnwritableError as error:
            self._say("measures", f"{error}.")
        else:
            self._say("measures", f"{counted(len(self.found), 'measure')} written to {printable(str(path.resolve()))}")


def _format(name: str) -> Callable[[Comparison, Sequence[Measure]], str]:
    """Function that makes the text of a file of that name. Raises ValueError for any other end or place."""
    if (text := FORMATS.get(Path(name).suffix.lower())) is None:
        raise ValueError(f"the name must end in {' or '.join(FORMATS)}")
    typed_path(name)
    return text


def _find_grid(name: str, most: int) -> Level:
    """The grid of a name or a file; for rows and columns, or one number for both, the one of chance with so many."""
    if found := re.fullmatch(r"([0-9]{1,6})(?: *x *([0-9]{1,6}))?", name.strip()):
        rows, cols = int(found[1]), int(found[2] or found[1])
        if not 1 <= rows * cols <= most:
            raise ValueError(f"from 1 to {most:,} cells are possible here, not {rows} x {cols}")
        return generated("uniform", 0, rows, cols)
    return read_grid(typed_path(name))
