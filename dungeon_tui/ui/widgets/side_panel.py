"""Facts about the game: a panel beside the map, or one line below it in narrow terminals."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from textwrap import wrap

from textual.content import Content
from textual.widget import Widget

from dungeon_tui.core.words import sentence
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.map.sprites import enlarged

_MORE = " ..."
_RED = r"[♥♡]+|\d+ over par"  # in the colour of danger
_LARGE = re.compile(r"(\d{1,4})(\sof\s\d+)?")  # numbers that can be drawn large, beside one another
_MOST_LARGE = 2
_ROOMY, _TALL = 31, 45  # lines of a panel, and of a terminal, from which on there may be room for them


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts about a state, the most important first."""

    title: str  # the dungeon
    subtitle: str  # the level
    rows: tuple[tuple[str, str], ...]  # label, value
    short: tuple[str, ...]  # the rows for one line, with units
    below: str = ""  # a second line
    caption: str = ""  # such as the author
    more: tuple[tuple[str, str], ...] = ()  # rows that may not fit
    goal: str = ""  # what to do, in a short sentence
    is_tight: bool = False  # no blank line below the title

    @property
    def bare(self) -> "Facts":
        return replace(self, subtitle="", caption="", more=(), is_tight=True)


class _FactsWidget(Widget):
    """The facts, and the cell under the mouse."""

    def __init__(self, **options: str | None) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.facts: Facts | None = None
        self.alerts: tuple[str, ...] = ()
        self.notes: tuple[str, ...] = ()
        self.hovered = ""

    def show(self, facts: Facts, alerts: tuple[str, ...] = (), notes: tuple[str, ...] = ()) -> None:
        if (facts, alerts, notes) != (self.facts, self.alerts, self.notes):
            self.facts, self.alerts, self.notes = facts, alerts, notes
            self.refresh()

    def hover(self, text: str) -> bool:
        """Describes the cell under the mouse; True if the description changed."""
        if text == self.hovered:
            return False
        self.hovered = text
        self.refresh()
        return True


class SidePanel(_FactsWidget):
    """The facts as a column."""

    DEFAULT_CSS = """
    SidePanel { width: 32; height: 1fr; padding: 1 1 0 2; background: $surface; color: $note; }
    """
    LABEL_WIDTH = 12

    def __init__(self, has_large_numbers: bool = True, **options: str | None) -> None:
        super().__init__(**options)
        self._has_large_numbers = has_large_numbers

    def wanted_lines(self, *, is_bare: bool = False) -> int:
        """Lines that all facts need, or bare ones."""
        width, facts = self.content_size.width, self.facts.bare if self.facts is not None and is_bare else self.facts
        return len(self.text(facts, 0).wrap(width)) + 1 if facts is not None and width else 0

    def render(self) -> Content:
        facts = self.facts
        if facts is None:
            return Content("")
        width, height = self.content_size
        if width and (height >= _ROOMY or self.app.size.height >= _TALL) and self._has_large_numbers:
            content = self.text(facts, self._large(facts.rows[:_MOST_LARGE]))
            if len(content.wrap(width)) <= height:
                return content
        # Notes matter more than what the level is called.
        for shown in (facts, replace(facts, caption=""), replace(facts, subtitle="", caption=""), facts.bare):
            if width and len(self.text(replace(shown, more=()), 0).wrap(width)) <= height:
                break
        while width and shown.more and len(self.text(shown, 0).wrap(width)) > height:
            shown = replace(shown, more=shown.more[:-2] and (*shown.more[:-2], ("...", "")))
        notes = self.notes
        while width and notes[1:] and len(self.text(shown, 0, notes).wrap(width)) > height:  # rather than half a note
            notes = notes[:-1]
        return self._fitting(self.text(shown, 0, notes))

    def text(self, facts: Facts, large: int, notes: Sequence[str] | None = None) -> Content:
        alert = " ".join(map(sentence, self.alerts))
        parts: list[Content | str] = []
        for text, style in ((facts.goal, "$foe" if alert else "$way-out"), (alert, "bold $foe")):
            parts += [Content.styled(text, style), "\n"] if text else []
        parts += ["\n"] if parts else []
        for text, style in ((facts.title, "bold"), (facts.subtitle, ""), (facts.caption, "dim")):
            parts += [Content.styled(text, style), "\n"] if text else []
        parts += [] if facts.is_tight else ["\n"]
        if large:
            parts += [*self._drawn(facts.rows[:large]), "\n"]
        parts += self._table(facts.rows[large:])
        for note in self.notes if notes is None else notes:
            parts += ["\n", Content(note), "\n"]
        if self.hovered:
            parts += ["\n", Content.styled(self.hovered, "italic"), "\n"]
        if facts.more:
            parts += ["\n", *self._table(facts.more)]
        return Content.assemble(*parts).rstrip().highlight_regex(_RED, style="$foe")

    def _large(self, rows: Sequence[tuple[str, str]]) -> int:
        """The number of rows at the start that can be drawn large, with a gap between their numbers."""
        matches = takewhile(bool, [_LARGE.fullmatch(value) for _, value in rows])
        widths = [4 * len(match[1]) - 1 + len(match[2] or "") for match in matches if match]
        return len(widths) * (max(widths, default=0) < self.content_size.width // _MOST_LARGE)

    def _drawn(self, rows: Sequence[tuple[str, str]]) -> list[Content]:
        """Rows side by side: labels, and below them numbers three lines high."""
        width = self.content_size.width // _MOST_LARGE
        lines = [Content.styled("".join([label.ljust(width) for label, _ in rows]), "$path"), Content("\n")]
        columns = []
        for _, value in rows:
            match = _LARGE.fullmatch(value)
            assert match is not None
            drawn = enlarged(match[1], 4 * len(match[1]) - 1, 1)
            columns.append([line.ljust(width) for line in (*drawn[:2], drawn[2] + (match[2] or ""))])
        for line in zip(*columns, strict=True):
            lines += [Content.styled("".join(line).rstrip(), "bold"), Content("\n")]
        return lines

    def _fitting(self, content: Content) -> Content:
        """The lines that fit; the last one says if more follow."""
        width, height = self.content_size
        lines = content.wrap(width) if width else []
        if len(lines) <= height or height < 1:
            return content
        last = wrap(lines[height - 1].plain, max(1, width - len(_MORE))) or [""]  # whole words
        return Content("\n").join([*lines[: height - 1], Content(last[0] + _MORE)])

    def _table(self, rows: Iterable[tuple[str, str]]) -> list[Content]:
        indent = " " * self.LABEL_WIDTH
        width = max(8 + len(indent), self.content_size.width)
        parts = []
        for label, value in rows:
            head = f"{label} ".ljust(self.LABEL_WIDTH)
            text = "\n".join(wrap(value, width, initial_indent=" " * len(head), subsequent_indent=indent))
            parts += [Content.styled(head, "$path"), Content(f"{text[len(head) :]}\n")]
        return parts


class StatusLine(_FactsWidget):
    """The facts as one line, as many as fit; the description of a cell may take more lines."""

    DEFAULT_CSS = """
    StatusLine { height: 1; padding: 0 1; background: $panel; color: $note; }
    """

    def __init__(self, glyphs: Glyphs = UNICODE, **options: str | None) -> None:
        super().__init__(**options)
        self._separator = f"  {glyphs.bullet}  "

    @property
    def own_lines(self) -> int:
        """Lines of the facts."""
        return 1 + (self.facts is not None and self.facts.below != "")

    def wanted_lines(self) -> int:
        return max(self.own_lines, len(self._hover_lines()))

    def render(self) -> Content:
        if self.facts is None:
            return Content("")
        if self.hovered:
            return Content("\n".join(self._hover_lines()))
        alert = self._separator.join(self.alerts)
        before, goal, after = self.line(self.facts, alert)[len(alert) :].partition(self.facts.goal or "\n")
        line = Content.assemble((alert, "bold $foe"), before, (goal, "$way-out"), after, f"\n{self.facts.below}")
        return line.rstrip().highlight_regex(_RED, style="bold $foe")

    def line(self, facts: Facts, alert: str = "") -> str:
        """The alert, and as many facts as fit; the title if all fit."""
        line = joined((*dict.fromkeys((alert, *facts.short)),), self._separator, self.app.size.width - 2)
        title = facts.title * all(part in line and facts.title not in part for part in facts.short)
        return joined((line, title), self._separator, self.app.size.width - 2)

    def _hover_lines(self) -> list[str]:
        return wrap(self.hovered, max(1, self.size.width))


def joined(parts: tuple[str, ...], separator: str, width: int, lines: int = 1) -> str:
    """The first part that is not empty, and each further one that still fits into the lines.

    >>> joined(("", "a", "", "b"), " / ", 9)
    'a / b'
    """
    line = ""
    for part in filter(None, parts):
        longer = line + separator + part if line else part
        if not line or len(longer) <= width or len(wrap(longer, width)) <= lines:
            line = longer
    return line
