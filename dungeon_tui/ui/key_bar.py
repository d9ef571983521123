"""The footer: the keys that matter most, as many as fit whole; a click does what the key does."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.style import Style
from textual.widget import Widget


class KeyBar(Widget):
    """One line of keys and labels."""

    DEFAULT_CSS = """
    KeyBar {
        height: 1; dock: bottom; padding: 0 1; background: $panel; color: $note;
        link-color: $note; link-background: $panel; link-style: none;
        link-color-hover: $map-back; link-background-hover: $you;
    }
    """

    def __init__(self, entries: Sequence[tuple[str, str, str]], **options: str | None) -> None:
        """Entries are (key as people read it, label, action of the screen); the first ones are kept longest."""
        super().__init__(**options)  # type: ignore[arg-type]
        self._entries = tuple(entries)

    def show(self, entries: Sequence[tuple[str, str, str]]) -> None:
        """Shows other keys."""
        if tuple(entries) != self._entries:
            self._entries = tuple(entries)
            self.refresh()

    def render(self) -> Content:
        """The line's text."""
        parts: list[Content] = []
        used = 0
        for shown, label, action in self._entries:
            gap = "   " if parts else ""
            used += len(gap) + len(shown) + 1 + len(label)
            if used > self.size.width:
                break
            click = Style.from_meta({"@click": f"screen.{action}"})
            entry = Content.assemble(Content.styled(shown, "bold $you"), " ", label)
            parts += [Content(gap), entry.stylize(click)]
        return Content.assemble(*parts)
