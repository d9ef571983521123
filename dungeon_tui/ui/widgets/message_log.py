"""The message log: the last lines, the newest at the bottom."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from textual.content import Content
from textual.widget import Widget

from dungeon_tui.ui.palette import Meaning

_MORE = " ..."


@dataclass(frozen=True, slots=True)
class Line:
    """One message; the meaning colours it.

    A passing one holds for its occasion only: a prompt, a progress ("Thinking ..."), a refusal ("This is the last
    turn."). It goes when the next thing is said or done; whoever said it may end it before that.
    """

    text: str
    meaning: Meaning = Meaning.NOTE
    is_passing: bool = False
    is_aside: bool = False  # the program says it, not the game

    @property
    def indent(self) -> str:
        """Blanks before it: what you did begins at the edge, what others did or the program says does not."""
        return "  " if self.is_aside or self.meaning is Meaning.FOE else ""

    @property
    def style(self) -> str:
        """Its colour: the meaning's, or that of the program's remarks."""
        return "$path" if self.is_aside and self.meaning is Meaning.NOTE else f"${self.meaning.css}"


class MessageLog(Widget):
    """The last messages, those of the present turn bright, the older ones dim; below them, a passing one.

    What is passing goes by itself: with the next message, the next turn, or `end_passing`, which is called where its
    occasion is over and nothing else is said (a choice that was left, an answer that came).
    """

    DEFAULT_CSS = """
    MessageLog { height: 4; padding: 0 1; background: $surface; color: $note; }
    """
    KEPT = 500

    def __init__(self, **options: str | None) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._messages: deque[tuple[Line, int, int]] = deque(maxlen=self.KEPT)  # message, how often, turn
        self._turn = 0

    @property
    def texts(self) -> list[str]:
        """All messages that are kept, the oldest first."""
        return [line.text for line, _, _ in self._messages]

    def new_turn(self) -> None:
        """Begins a turn: messages so far are dimmed, and a passing one is removed."""
        self.end_passing()
        self._turn += 1
        self.refresh()

    def end_passing(self, text: str = "") -> None:
        """Removes the last message, if it is a passing one.

        Args:
            text: remove it only if it says this; empty: whatever it says.
        """
        if self._messages and self._messages[-1][0].is_passing and text in ("", self._messages[-1][0].text):
            self._messages.pop()
            self.refresh()

    def say(self, line: Line, instead_of: str = "") -> None:
        """Adds a message, in the place of a passing one; the same one again is counted.

        Args:
            line: what to say.
            instead_of: what the message repeats and adds to; it gives way if it was said last.
        """
        if self._messages and self._messages[-1][0] != line:
            self.end_passing()
        if self._messages and self._messages[-1][0].text == instead_of and self._messages[-1][1] == 1:
            self._messages.pop()
        if self._messages and self._messages[-1][0] == line:
            _, count, _ = self._messages.pop()
            self._messages.append((line, count + 1, self._turn))
        else:
            self._messages.append((line, 1, self._turn))
        self.refresh()

    def wanted_lines(self) -> int:
        """The number of lines that the last message takes, if it was said in the present turn; else 1."""
        if not self._messages or self._messages[-1][2] != self._turn:
            return 1
        return len(self._folded(self._messages[-1])) or 1

    def _folded(self, message: tuple[Line, int, int]) -> list[str]:
        """The lines of a message. Names are not parted at their hyphens."""
        line, count, _ = message
        text = line.text + (f" ({count} times)" if count > 1 else "")
        return self._wrapped(line, text)

    def _wrapped(self, line: Line, text: str, **options: Any) -> list[str]:
        indent = line.indent
        width = max(self.size.width, len(indent) + 1)
        found = wrap(text, width, break_on_hyphens=False, initial_indent=indent, subsequent_indent=indent, **options)
        return found or [""]

    def render(self) -> Content:
        """The text of as many of the last messages as there is room for, each whole; of the last at least a part."""
        width, height = self.size
        shown: list[Content] = []
        for message in reversed(self._messages):
            line, _, turn = message
            style = line.style if turn == self._turn else "$note 55%"
            parts = self._folded(message)
            if len(parts) > height - len(shown):
                if shown:
                    break
                # The newest one is always there, with its beginning.
                if width > len(_MORE):
                    text = " ".join(part.strip() for part in parts)
                    parts = self._wrapped(line, text, max_lines=height, placeholder=_MORE)
                parts = parts[:height]
            shown += [Content.styled(part, style) for part in reversed(parts)]
        return Content("\n").join(reversed(shown))
