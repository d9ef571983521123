"""Plots in the palette's colours. Slow to import."""

from collections.abc import Iterable, Sequence

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Grid, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Label, Static
from textual_hires_canvas import Canvas
from textual_plot import AxisFormatter, HiResMode, PlotWidget

from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.widgets.figure import Figure, Mark, Series, thinned
from dungeon_tui.ui.widgets.key_bar import GAP, Entry, KeyBar, rows_of

COLOURS = ("you", "foe", "way-out", "prize", "magic", "door")  # names of the palette
MARKERS, ASCII_MARKERS = "●▲■◆×+○", "o^#*x+@"  # one more than colours, so that pairs repeat late
MARK = "*"
_MOST_POINTS = 800  # of a series: more than the finest line can show
_MOST_MARKERS = 40  # on a series: more would hide its line
_COLUMNS_A_TICK, _ROWS_A_TICK = 12, 3
_EDGE = 10  # columns for the numbers on the left

_AS_ASCII = str.maketrans({"µ": "u", "█": ".", "━": "-", "┃": "|"} | dict.fromkeys("┏┓┗┛┣┫┳┻╋", "+"))


def marker(number: int, glyphs: Glyphs) -> tuple[str, str]:
    """Character and colour (a name of the palette) of a series."""
    markers = ASCII_MARKERS if glyphs.is_ascii else MARKERS
    return markers[number % len(markers)], COLOURS[number % len(COLOURS)]


def _colour_of(mark: Mark, figure: Figure, glyphs: Glyphs) -> str:
    """The colour of a mark; that of the series whose point it hides."""
    for number, series in enumerate(figure.series):
        if (mark.x, mark.y) in zip(series.x, series.y, strict=True):
            return marker(number, glyphs)[1]
    return "note"


class PlotScreen(Screen[None]):
    """A title and a figure."""

    DEFAULT_CSS = """
    PlotScreen { background: $map-back; }
    PlotScreen .title { text-style: bold; padding: 0 1; color: $note; }
    """
    BINDINGS = [Binding("q,escape,V", "dismiss", show=False, id="plot.leave")]

    def __init__(self, title: str, figure: Figure, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self._heading, self._figure, self._glyphs = title, figure, glyphs

    def compose(self) -> ComposeResult:
        yield Label(Content(self._glyphs.plain(self._heading)), classes="title")
        yield Plot(self._figure, self._glyphs)
        yield KeyBar([("q", "Back", "dismiss")])


class Plot(Vertical):
    """A figure with legend and labels."""

    DEFAULT_CSS = """
    Plot { height: 1fr; color: $note; background: $map-back; }
    Plot Legend { height: auto; padding: 0 1; }
    Plot .y-label { padding: 0 1; color: $path; }
    Plot .x-label { width: 1fr; text-align: right; padding: 0 1; color: $path; }
    """

    def __init__(self, figure: Figure, glyphs: Glyphs = UNICODE, **options: str | None) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._figure, self._glyphs = figure, glyphs

    def compose(self) -> ComposeResult:
        yield Legend()
        yield Static(classes="y-label", markup=False)
        yield _Lines(self._glyphs)
        yield Static(classes="x-label", markup=False)

    def on_mount(self) -> None:
        self.show(self._figure)
        self.app.theme_changed_signal.subscribe(self, lambda _: self.show(self._figure))

    def show(self, figure: Figure) -> None:
        self._figure = figure
        kinds = [marker(number, self._glyphs) for number in range(len(figure.series))]
        entries = [(char, each.name, f"bold ${ink}") for (char, ink), each in zip(kinds, figure.series, strict=True)]
        for mark in figure.marks:
            entries.append((MARK, mark.text, f"bold reverse ${_colour_of(mark, figure, self._glyphs)}"))
        self.query_one(Legend).show(entries)
        self.query_one(".y-label", Static).update(figure.y.label)
        self.query_one(".x-label", Static).update(figure.x.label)
        self.query_one(_Lines).show(figure)


class Legend(Widget):
    """Markers and names."""

    _entries: Sequence[Entry] = ()

    def show(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(rows_of(self._entries, width))

    def render(self) -> Content:
        return Content("\n").join(
            Content(" " * GAP).join(Content.assemble((char, style), f" {name}") for char, name, style in row)
            for row in rows_of(self._entries, self.content_size.width)
        )


class _AsciiCanvas(Canvas):
    """Shows ASCII for the Unicode that the plot draws and reads back."""

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        return Strip([segment._replace(text=segment.text.translate(_AS_ASCII)) for segment in strip], strip.cell_length)


class _Ticks(AxisFormatter):
    """Given labels."""

    def __init__(self, ticks: Iterable[tuple[float, str]]) -> None:
        self._ticks = dict(ticks)

    def get_ticks(self, min_: float, max_: float, max_ticks: int = 8) -> list[float]:
        return [*self._ticks]

    def get_labels_for_ticks(self, ticks: Sequence[float]) -> list[str]:
        return [self._ticks[tick] for tick in ticks]


class _Lines(PlotWidget, can_focus=False):
    """Lines and markers in a frame with ticks."""

    DEFAULT_CSS = """
    _Lines { height: 1fr; }
    _Lines > .plot--axis { color: $frame; }
    _Lines > .plot--tick { color: $note; text-style: none; }
    """

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(allow_pan_and_zoom=False)
        self._glyphs = glyphs
        self._figure: Figure | None = None

    def compose(self) -> ComposeResult:
        if not self._glyphs.is_ascii:
            yield from super().compose()
            return
        with Grid():
            for part in ("margin-top", "margin-left", "plot", "margin-bottom"):
                yield _AsciiCanvas(1, 1, id=part)
        yield Static(id="legend")

    def on_mount(self) -> None:
        self.margin_top, self.margin_bottom, self.margin_left = 0, 1, _EDGE

    def on_resize(self) -> None:
        self._show_ticks()

    def show(self, figure: Figure) -> None:
        self._figure = figure
        self.clear()
        colours = self.app.theme_variables
        drawn = []
        for number, series in enumerate(figure.series):
            char, colour = marker(number, self._glyphs)
            x, y = _scaled(thinned(series, _MOST_POINTS), figure)
            self.plot(x, y, colours[colour], None if self._glyphs.is_ascii else HiResMode.BRAILLE)
            drawn.append((x, y, char, colours[colour]))
        for x, y, char, style in drawn:
            some = slice(None, None, 1 + len(x) // _MOST_MARKERS)
            self.scatter(x[some], y[some], char, style)
        for mark in figure.marks:
            style = f"bold reverse {colours[_colour_of(mark, figure, self._glyphs)]}"
            self.scatter([figure.x.scaled(mark.x)], [figure.y.scaled(mark.y)], MARK, style)
        self._show_ticks()

    def _show_ticks(self) -> None:
        figure = self._figure
        if figure is None:
            return
        points = [point for series in figure.series for point in zip(series.x, series.y, strict=True)]
        points += [(mark.x, mark.y) for mark in figure.marks]
        left, right = figure.x.limits(x for x, _ in points)
        low, high = figure.y.limits(y for _, y in points)
        self.set_xlimits(left, right)
        self.set_ylimits(low, high)
        columns, rows = self.size.width - _EDGE, self.size.height - 1
        self.set_x_formatter(_Ticks(figure.x.ticks(left, right, max(2, columns // _COLUMNS_A_TICK))))
        self.set_y_formatter(_Ticks(figure.y.ticks(low, high, max(2, rows // _ROWS_A_TICK))))


def _scaled(series: Series, figure: Figure) -> tuple[list[float], list[float]]:
    """The places of the points of a series, without those off the axes."""
    points = [
        (figure.x.scaled(x), figure.y.scaled(y))
        for x, y in zip(series.x, series.y, strict=True)
        if figure.x.can_scale(x) and figure.y.can_scale(y)
    ]
    return [x for x, _ in points], [y for _, y in points]
