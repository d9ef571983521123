"""The timeline: turns to click, with mistakes, branches and a graph of the verdicts."""

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from dungeon_tui.core.turns import TurnLine
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.widgets.side_panel import joined

WIDEST = 8  # columns a turn
ROOMY = 32  # lines of a terminal that leave room for a high graph
_LEAST_SEEN = 1 / 8  # of the height: a step of a graph of one line
MISTAKE = "!"
SLIP = "'"
HERE = "bold $tint-cursor-text on $tint-cursor"
_JOIN = "\N{NO-BREAK SPACE}"  # keeps a text on one line
_AHEAD = "$path 55%"


class Timeline(Widget):
    """The turns from left to right; a column may stand for several. With two lines or more it has words and a graph."""

    DEFAULT_CSS = """
    Timeline { height: 2; padding: 0 1; background: $surface; color: $note; display: none; }
    Timeline.-shown { display: block; }
    """

    text_lines = 1  # that the words take, if there is more than one line

    @dataclass
    class Sought(Message):
        """The mouse chose a turn."""

        ply: int

    def __init__(self, glyphs: Glyphs = UNICODE, **options: str | None) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._glyphs = glyphs
        self._line: TurnLine | None = None
        self._ply = self._first = 0
        self._numbers = 0, 0
        self.texts: tuple[str, ...] = ()
        self._is_dragged = False

    def show(self, line: TurnLine, ply: int, numbers: tuple[int, int], texts: tuple[str, ...], first: int = 0) -> None:
        """Shows a line from ply `first` on, at a ply; `numbers`: of this turn and the last, as players count them."""
        self._line, self._ply, self._numbers, self.texts = line, max(ply, first), numbers, texts
        self._first = min(first, len(line) - 1)
        self.refresh()

    def span(self, column: int) -> range:
        """The plies of a column of the widget; empty if it has none."""
        count, columns, first = self._count, self._columns, self._first
        if column < self._indent or count == 0:
            return range(0)
        column -= self._indent
        if count <= columns:
            ply = column // self._columns_a_turn + first
            return range(ply, ply + 1) if ply < count + first else range(0)
        return range(first - -column * count // columns, first - -(column + 1) * count // columns)

    def render(self) -> Content:
        line, (width, height) = self._line, self.size
        if line is None or height < 1:
            return Content("")
        if height == 1:
            return Content.assemble(Content.styled(self._counter(), "bold"), *self._marks(line))
        separator = f"  {self._glyphs.bullet}  "
        is_flat = not has_contrast(line)
        # The graph leaves the first text the lines that it needs.
        text_lines = height - 1 if is_flat else min(max(self.text_lines, self.first_lines(width)), height - 1)
        whole = tuple(text.replace(" ", _JOIN) if len(text) <= width else text for text in self.texts)
        texts = wrap(joined(whole, separator, width, text_lines), width)
        texts = [text.removesuffix(separator.rstrip()).replace(_JOIN, " ") for text in texts]
        texts += [""] * (text_lines - len(texts))
        parts: list[Content] = [Content.styled("\n".join(texts[:text_lines]), "bold")]
        graph_lines = height - 1 - text_lines
        for row in range(graph_lines):
            parts += [Content("\n"), *(() if is_flat else self._graph(line, row, graph_lines))]
        return Content.assemble(*parts, Content("\n"), *self._marks(line))

    def first_lines(self, width: int) -> int:
        """Lines that the first text needs; 1 as long as the width is unknown."""
        return len(wrap("".join(self.texts[:1]), width)) if width else 1

    # -- the mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.button == 1:
            self._is_dragged = True
            self.capture_mouse()
            self._seek(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._is_dragged:
            self._seek(event.x)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self._is_dragged = False
        self.release_mouse()

    def _seek(self, x: int) -> None:
        """Posts Sought for a turn of a column: a mistake, else a slip, else the first; in the last column the last."""
        if self._line is None or not len(self._line):
            return
        column = min(max(x - self.styles.padding.left, self._indent), self._indent + self._columns - 1)
        span = self.span(column) or range(len(self._line) - 1, len(self._line))
        found = self._line.worst(span)
        if found is None:
            found = span.stop - 1 if span.stop == len(self._line) else span.start
        self.post_message(self.Sought(found))

    # -- geometry

    @property
    def _count(self) -> int:
        return len(self._line) - self._first if self._line is not None else 0

    @property
    def _indent(self) -> int:
        return len(self._counter()) if self.size.height == 1 else 0

    @property
    def _columns(self) -> int:
        return max(1, self.size.width - self._indent)

    @property
    def _columns_a_turn(self) -> int:
        return max(1, min(WIDEST, self._columns // max(1, self._count)))

    def _counter(self) -> str:
        """The number of the turn, and the verdict if it fits, always in the same width."""
        (number, last), room = self._numbers, self.size.width // 2
        verdict = "".join(self.texts[1:2])  # behind the number of the turn
        return f"{number:>{len(str(last))}}/{last} {verdict.ljust(room) * (0 < len(verdict) < room)}"

    def _spans(self) -> Iterator[range]:
        step = self._columns_a_turn if self._count <= self._columns else 1
        for column in range(self._indent, self._indent + self._columns, step):
            if not (span := self.span(column)):
                return
            yield span

    # -- what is drawn

    def _marks(self, line: TurnLine) -> Iterator[Content]:
        glyphs, width = self._glyphs, self._columns_a_turn
        for span in self._spans():
            is_here = self._ply in span
            if (worst := line.worst(span)) is not None:
                is_mistake = line.judgements[worst].is_mistake
                mark, style = (MISTAKE, "bold $foe") if is_mistake else (SLIP, "$slight-foe")
            elif is_here:
                mark, style = glyphs.here, "bold $you"
            elif line.has_fork(span.start, span.stop):
                mark, style = glyphs.fork, "$prize"
            else:
                mark = glyphs.horizontal
                style = "$path" if span.start <= self._ply else _AHEAD
            yield Content.styled(mark, HERE if is_here else style)
            to_next = glyphs.horizontal * (width - 1) * (span.stop < len(line))
            yield Content.styled(to_next, "$path" if span.start <= self._ply else _AHEAD)

    def _graph(self, line: TurnLine, row: int, rows: int) -> Iterator[Content]:
        """A row of the graph of the verdicts; bars after mistakes are red."""
        bars, width = self._glyphs.bars, self._columns_a_turn
        levels = rows * len(bars)
        for span in self._spans():
            is_here = self._ply in span
            judgement = line.judgement(self._ply if is_here else span.stop - 1)
            level = 0 if judgement is None else max(1, round(judgement.height * levels))
            filled = min(max(level - (rows - 1 - row) * len(bars), 0), len(bars))
            text = (bars[filled - 1] if filled else " ") * width
            worst = line.worst(span)
            is_mistake = worst is not None and line.judgements[worst].is_mistake
            style = "$foe" if is_mistake else "$path" if span.start <= self._ply else _AHEAD
            yield Content.styled(text, f"{style} on $tint-path" if is_here else style)


def has_contrast(line: TurnLine) -> bool:
    """True if the verdicts differ by enough to be seen."""
    heights = [judgement.height for judgement in line.judgements]
    return max(heights, default=0) - min(heights, default=0) >= _LEAST_SEEN


def lines_wanted(height: int, has_graph: bool) -> int:
    """Height of a timeline in a terminal of this height."""
    if height < 24:
        return 1
    if height < ROOMY:
        return 3 if has_graph else 2
    return 4 if has_graph else 2
