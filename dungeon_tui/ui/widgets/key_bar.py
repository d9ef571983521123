"""The footer: the most important keys, as many as fit; they can be clicked."""

from collections.abc import Iterator, Sequence

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

GAP, LEAST_GAP = 3, 2  # columns between two entries, if all fit and if not

Entry = tuple[str, str, str]
"""The key as people read it, its label, and the action of the screen."""


class KeyBar(Widget):
    """One line of keys and labels. Unlike Textual's Footer it never cuts one off."""

    DEFAULT_CSS = """
    KeyBar { height: 1; dock: bottom; padding: 0 1; background: $panel; color: $note; }
    """

    def __init__(self, entries: Sequence[Entry], **options: str | None) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.entries = tuple(entries)

    def show(self, entries: Sequence[Entry]) -> None:
        if tuple(entries) != self.entries:
            self.entries = tuple(entries)
            self.refresh()

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return self._wanted()

    def _wanted(self) -> int:
        return sum(_width(entry) for entry in self.entries) + GAP * max(0, len(self.entries) - 1)

    def render(self) -> Content:
        parts: list[Content | str] = []
        gap = " " * self._gap()
        for _, (shown, label, _) in self._fitting():
            parts += [gap if parts else "", Content.styled(shown, "bold $you"), " ", label]
        return Content.assemble(*parts)

    async def on_click(self, event: events.Click) -> None:
        column = event.x - self.styles.padding.left
        for start, entry in self._fitting():
            if start <= column < start + _width(entry):
                await self.screen.run_action(entry[2])

    def _fitting(self) -> Iterator[tuple[int, Entry]]:
        start, gap = 0, self._gap()
        for entry in self.entries:
            if start + _width(entry) > self.content_size.width:
                return
            yield start, entry
            start += _width(entry) + gap

    def _gap(self) -> int:
        return GAP if self._wanted() <= self.content_size.width else LEAST_GAP


def rows_of(entries: Sequence[Entry], width: int) -> list[list[Entry]]:
    """The entries in rows that fit a width."""
    rows: list[list[Entry]] = [[]]
    taken = 0
    for entry in entries:
        taken += _width(entry) + GAP
        if taken - GAP > width and rows[-1]:
            rows.append([])
            taken = _width(entry) + GAP
        rows[-1].append(entry)
    return rows


def _width(entry: Entry) -> int:
    return len(entry[0]) + 1 + len(entry[1])
