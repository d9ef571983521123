"""Algorithms side by side: a race on this level, visit by visit, and how they grow on larger and larger grids.

For the race the algorithms first run to their end and record their visits; the screen replays these at one pace. The
measures are taken in a process of its own.
"""

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from dungeon_tui.core.words import counted, in_words, sentence
from dungeon_tui.games.rescue.ai import comparison
from dungeon_tui.games.rescue.ai.algorithms import ALGORITHMS, Work
from dungeon_tui.games.rescue.ai.comparison import Lane, run_lane, starters, verdict
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.view.lane import LaneView
from dungeon_tui.games.rescue.view.measures import tables_text, time_figure
from dungeon_tui.games.rescue.view.trace import Trace
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import LOOKING, Key, first_shown, footer, key_names, with_key_names
from dungeon_tui.ui.widgets.key_bar import KeyBar
from dungeon_tui.ui.widgets.plot import PlotScreen
from dungeon_tui.workers import ProcessError, in_process

MAX_CELLS = 10_000  # of a grid to race on
MAX_LANES = 3
TICK_S = 0.05
_RACE_S = 10  # about how long a race takes
_SLOWEST = 2  # visits a second


def _key(id: str, keys: str, label: str, action: str, footer: int = 0) -> Key:
    return Key(id, keys, label, "", LOOKING, footer, action, shown=first_shown(keys))


KEYS = (
    _key("race.leave", "q,escape", "Leave", "leave", 1),
    _key("race.play", "p,space", "Play", "play_pause", 2),
    _key("race.measure", "s", "Measure growth", "measure", 3),
    _key("race.step.on", "right_square_bracket", "Step", "step(1)", 4),
    _key("race.step.back", "left_square_bracket", "Back", "step(-1)"),
    _key("race.finish", "end", "The end", "finish", 5),
    _key("race.plot", "v", "Plot", "plot", 6),
    *(_key(f"race.{name}", str(number), name, f"take_part('{name}')")
      for number, name in enumerate(ALGORITHMS, 1)),
)  # fmt: skip


class ComparisonScreen(Screen[None]):
    """The race, which plays by itself; below it the measures of the algorithms' growth."""

    DEFAULT_CSS = """
    ComparisonScreen { background: $map-back; color: $note; }
    ComparisonScreen Static { padding: 0 1; }
    ComparisonScreen #title { text-style: bold; }
    ComparisonScreen #race-line, ComparisonScreen #growth-line { color: $path; }
    ComparisonScreen #lanes { height: 3fr; min-height: 9; }
    ComparisonScreen.-high #race-line { min-height: 4; }
    ComparisonScreen #growth { display: none; height: 2fr; overflow-x: auto; scrollbar-size: 1 1; }
    ComparisonScreen.-measured #growth { display: block; }
    ComparisonScreen.-measured #race-line { min-height: 1; max-height: 14%; }
    ComparisonScreen.-high #growth { min-height: 8; }
    ComparisonScreen #tables { width: auto; padding: 0 0 0 1; }
    """
    VERTICAL_BREAKPOINTS = [(0, "-low"), (24, "-high")]
    BINDINGS = [key.binding() for key in KEYS]
    AUTO_FOCUS = ""

    def __init__(self, level: Level, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.level, self.names = level, [*starters(level)]
        self.visits, self.is_playing = 0.0, True
        self.lanes: list[LaneView] = []
        self.comparison = comparison.Comparison(tuple(ALGORITHMS))
        self.found: list[comparison.Measure] = []
        self.is_measuring = False
        self._glyphs = glyphs

    def compose(self) -> ComposeResult:
        rows, cols = self.level.grid.shape
        title = f"Race: {in_words(self.level.name)}, {rows} x {cols}"
        yield Static(f"{title}. Bright: visited late.", id="title", markup=False)
        yield Static(id="names")
        yield Horizontal(id="lanes")
        yield Static(id="race-line", markup=False)
        with VerticalScroll(id="growth"):
            yield Static(id="tables", markup=False)
        yield Static(id="growth-line", markup=False)
        yield KeyBar([])

    def on_mount(self) -> None:
        self.set_interval(TICK_S, self._tick)
        self.settings_changed()
        self._line_up()
        self._show_measures("All find the least health: who visits the fewest cells? {race.measure}: how they grow.")

    def settings_changed(self) -> None:
        play = "Pause" if self.is_playing and self.visits < self.end else "Play"
        self.query_one(KeyBar).show(footer(self, KEYS, self._glyphs.plain, play_pause=play))

    def action_leave(self) -> None:
        """Ends the process that takes measures, if there is one, and closes the screen."""
        self.workers.cancel_node(self)
        self.dismiss(None)

    def _show(self, line: str, text: str) -> None:
        for shown in self.query(f"#{line}").results(Static):  # none if news comes while the screen closes
            shown.update(with_key_names(text, key_names(self, KEYS)))

    # -- the race

    @work(exclusive=True, group="lining up")
    async def _line_up(self) -> None:
        """Runs the chosen algorithms in a thread, then shows their race from its start; refuses large grids."""
        names = [
            Content.styled(f"{number} {name}", "bold $you" if name in self.names else "$note 55%")
            for number, name in enumerate(ALGORITHMS, 1)
        ]
        self.query_one("#names", Static).update(Content(" ").join(names))
        self.lanes = []
        await self.query_one("#lanes").remove_children()
        if self.level.grid.size > MAX_CELLS:
            self._show("race-line", f"Races allow up to {MAX_CELLS:,} cells.")
            return
        self._show("race-line", "They run ...")
        try:
            found = await in_background(self._raced)
        except ValueError as error:  # there is not enough memory, most likely
            self._show("race-line", sentence(str(error)))
            return
        lanes = [LaneView(lane, trace, self._glyphs) for lane, trace in found]
        await self.query_one("#lanes").mount(*lanes)
        self.lanes = lanes
        self._go_to(0)

    def _raced(self) -> list[tuple[Lane, Trace]]:
        return [(lane, Trace(lane, self.level)) for lane in (run_lane(self.level, name) for name in self.names)]

    @property
    def end(self) -> int:
        """Number of visits after which all lanes are over; 0 without lanes."""
        return max((view.lane.end for view in self.lanes), default=0)

    def _go_to(self, visits: float) -> None:
        self.visits = min(float(self.end), max(0.0, visits))
        self.settings_changed()
        for view in self.lanes:
            view.go_to(int(self.visits))
        if self.lanes:
            told = f"{counted(int(self.visits), 'visit')}{', paused' * (not self.is_playing)}"
            told = verdict([view.lane for view in self.lanes]) if self.visits >= self.end else told
            self._show("race-line", "\n".join([told, *(view.text() for view in self.lanes)]))

    def _tick(self) -> None:
        if self.is_playing and self.visits < self.end:
            self._go_to(self.visits + TICK_S * max(_SLOWEST, self.end / _RACE_S))

    def action_play_pause(self) -> None:
        is_over = self.visits >= self.end
        self.is_playing = is_over or not self.is_playing
        self._go_to(0 if is_over else self.visits)

    def action_step(self, visits: int) -> None:
        self.is_playing = False
        self._go_to(int(self.visits) + visits)

    def action_finish(self) -> None:
        self._go_to(self.end)

    def action_take_part(self, name: str) -> None:
        """Adds an algorithm to the race, in place of a fourth, or removes it, unless it is the last; starts again."""
        if name not in self.names:
            self.names = [*self.names, name][-MAX_LANES:]
        elif len(self.names) > 1:
            self.names.remove(name)
        self._line_up()

    # -- the measures

    def action_measure(self) -> None:
        if self.is_measuring:
            self.workers.cancel_group(self, "measuring")
            self._report("Stopped after")
        else:
            self.found = []
            self.add_class("-measured")
            self._show_measures("Starting ...")
            self._measure()
        self.is_measuring = not self.is_measuring

    @work(exclusive=True, group="measuring")
    async def _measure(self) -> None:
        try:
            async for measure in in_process(comparison.measures, self.comparison, tell=self._show_progress):
                self.found.append(measure)
                self._show_measures()
            self._report("Done:")
        except (ProcessError, OSError) as error:
            self._show("growth-line", sentence(str(error)))
        self.is_measuring = False

    def _show_progress(self, name: str, size: comparison.Size, done: Work) -> None:
        visits = f", {done.visits:,} visits so far" if done.visits else ""
        taken = counted(len(self.found), "measure")
        self._show("growth-line", f"{taken} taken; {name} on {comparison.size_text(size)}{visits}")

    def _report(self, how: str) -> None:
        self._show("growth-line", f"{how} {counted(len(self.found), 'measure')}. {{race.plot}} plots the times.")

    def _show_measures(self, line: str = "") -> None:
        self._show("tables", self._glyphs.plain(tables_text(self.comparison, self.found)))
        if line:
            self._show("growth-line", line)

    def action_plot(self) -> None:
        self.app.push_screen(PlotScreen("Time of a run", time_figure(self.comparison, self.found), self._glyphs))
