"""The message log: the last lines, the newest at the bottom."""

from collections import deque
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from textual.content import Content
from textual.widget import Widget

from dungeon_tui.ui.palette import Meaning

_MORE = " ..."


@dataclass(frozen=True, slots=True)
class LogLine:
    """A message. A transient one, such as a prompt or a refusal, is removed by the next message or turn."""

    text: str
    meaning: Meaning = Meaning.NOTE
    is_transient: bool = False
    is_aside: bool = False  # the program says it, not the game

    @property
    def is_warning(self) -> bool:
        """True if the program reports trouble, which stays true on earlier turns."""
        return self.is_aside and not self.is_transient and self.meaning is Meaning.FOE

    @property
    def style(self) -> str:
        return "$path" if self.is_aside and self.meaning is Meaning.NOTE else f"${self.meaning.css}"


class MessageLog(Widget):
    """The latest messages: those of the current turn bright, older ones dim, a transient one last."""

    DEFAULT_CSS = """
    MessageLog { height: 4; padding: 0 1; background: $surface; color: $note; }
    """
    KEPT = 500
    is_open = False  # shows more than the last messages

    def __init__(self, **options: str | None) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._messages: deque[tuple[LogLine, int, int]] = deque(maxlen=self.KEPT)  # message, how often, turn
        self._turn = 0

    @property
    def texts(self) -> list[str]:
        return [line.text for line, _, _ in self._messages]

    def clear(self) -> None:
        """Removes all messages but the program's warnings."""
        warnings = [each for each in self._messages if each[0].is_warning]
        self._messages.clear()
        self._messages.extend(warnings)
        self.refresh()

    def new_turn(self) -> None:
        self.end_transient()
        self._turn += 1
        self.refresh()

    def end_transient(self, text: str = "") -> None:
        """Removes the last message if it is transient; with a text, only if it says that."""
        if self._messages and self._messages[-1][0].is_transient and text in ("", self._messages[-1][0].text):
            self._messages.pop()
            self.refresh()

    def say(self, line: LogLine, instead_of: str = "") -> None:
        """Adds a message, which may replace the last one if that reads `instead_of`; counts repetitions."""
        if self._messages and self._messages[-1][0] != line:
            self.end_transient()
        if self._messages and self._messages[-1][0].text == instead_of and self._messages[-1][1] == 1:
            self._messages.pop()
        if self._messages and self._messages[-1][0] == line:
            _, count, _ = self._messages.pop()
            self._messages.append((line, count + 1, self._turn))
        else:
            self._messages.append((line, 1, self._turn))
        self.refresh()

    def wanted_lines(self) -> int:
        """Lines that the last message needs if it is new, with the game's others of this turn; otherwise 1."""
        last = self._last()
        if not last or last[0][2] != self._turn:
            return 1
        text = " ".join(map(_text, last))
        return 1 if len(text) < self.size.width - 2 else len(self._wrapped(last[0][0], text))

    def all_lines(self) -> int:
        """Lines that all messages need."""
        return sum(len(self._folded(message)) for message in self._messages)

    def _last(self) -> list[tuple[LogLine, int, int]]:
        """The last message; of the game's, all of the same turn."""
        last: list[tuple[LogLine, int, int]] = []
        for message in reversed(self._messages):
            if last and (message[0].is_aside or last[0][0].is_aside or message[2] != last[0][2]):
                break
            last.insert(0, message)
        return last

    def _folded(self, message: tuple[LogLine, int, int]) -> list[str]:
        return self._wrapped(message[0], _text(message))

    def _wrapped(self, line: LogLine, text: str, **options: Any) -> list[str]:
        indent = "  " if line.is_aside or line.meaning is Meaning.FOE else ""  # your own actions start at the edge
        width = max(self.size.width, len(indent) + 1)
        found = wrap(text, width, break_on_hyphens=False, initial_indent=indent, subsequent_indent=indent, **options)
        return found or [""]

    def render(self) -> Content:
        width, height = self.size
        last = self._last()
        if len(last) > 1 and sum(len(self._folded(each)) for each in last) > height and last[0][2] == self._turn:
            # The turn doesn't fit with a line for each message: they share lines.
            return Content(" ").join(Content.styled(_text(each), each[0].style) for each in last)
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


def _text(message: tuple[LogLine, int, int]) -> str:
    line, count, _ = message
    return line.text + (f" ({count} times)" if count > 1 else "")
