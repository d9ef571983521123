"""The message log: the last lines, the newest at the bottom."""

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Any, NamedTuple

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from dungeon_tui.ui.palette import Meaning

_MORE = " ..."
_LASTING_TURNS = 15  # then, or in a new level, a message goes, unless the log is open; a goal stays until the next one


@dataclass(frozen=True, slots=True)
class LogLine:
    """A message. The next turn removes a transient one; so does the next message, if the program said it."""

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


class _Message(NamedTuple):
    line: LogLine
    turn: int


class MessageLog(Widget):
    """The latest messages: bright for this turn, dim before (alarms keep their colour). A transient one is the last."""

    DEFAULT_CSS = """
    MessageLog { height: 4; padding: 0 1; background: $surface; color: $note; }
    """
    KEPT = 500
    is_open = False  # shows more than the last messages
    goal = reactive("")  # as it is now: what was said of another one is past

    def __init__(self, **options: str | None) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._messages: deque[_Message] = deque(maxlen=self.KEPT)
        self._turn = 0
        self.said = 0  # messages so far
        self._oldest = self._next_oldest = 0  # turns: what was said before is past, now and from the next turn on

    @property
    def texts(self) -> list[str]:
        return [message.line.text for message in self._messages]

    def clear(self) -> None:
        """Removes all messages but the program's warnings."""
        warnings = [each for each in self._messages if each.line.is_warning]
        self._messages.clear()
        self._messages.extend(warnings)
        self.refresh()

    def new_turn(self, *, is_played: bool = True, is_reply: bool = False, is_new_level: bool = False) -> None:
        """Dims the messages and removes transient ones. A refused move removes only the program's, a reply none."""
        lines = [(each, each.line) for each in self._messages]
        lasting = [each for each, line in lines if is_reply or not (line.is_transient and (is_played or line.is_aside))]
        if is_new_level:
            lasting = [each for each in lasting if each.line.meaning is not Meaning.WAY_OUT]  # the goal before
        self._messages.clear()
        self._messages.extend(lasting)
        self._turn += 1 + _LASTING_TURNS * is_new_level
        self._oldest = self._turn if is_new_level else self._next_oldest
        self.refresh()

    def new_command(self) -> None:
        """Marks the messages so far as past from the next turn on; then a log of one line hides them."""
        self._next_oldest = self._turn + 1

    def end_transient(self, text: str = "") -> None:
        """Removes the last message if it is transient or, given a text, if it says that."""
        if self._messages and (text == self.texts[-1] if text else self._messages[-1].line.is_transient):
            self._messages.pop()
            self.refresh()

    def say(self, line: LogLine, instead_of: str = "") -> None:
        """Adds a message; it replaces one of this turn, or the last one, that ends in `instead_of`.

        Instead of a whole message of this turn, it keeps that one's place, meaning, and end.
        """
        if self._messages and (last := self._messages[-1].line).is_aside and last != line:
            self.end_transient()
        for at, message in enumerate(reversed(self._messages), 1):
            if instead_of and message.line.text.endswith(instead_of):
                if rest := message.line.text.removesuffix(instead_of).rstrip():
                    self._messages[-at] = message._replace(line=replace(message.line, text=rest))
                elif message.turn == self._turn:
                    is_transient = line.is_transient or message.line.is_transient
                    line = replace(line, meaning=message.line.meaning, is_transient=is_transient)
                    self._messages[-at] = _Message(line, self._turn)
                    self.refresh()
                    return
                else:
                    del self._messages[-at]
                break
            if message.turn != self._turn:
                break
        self.said += 1
        # One that says the newest again, perhaps with more before it, takes its place.
        if any(line.text.endswith(each.line.text) and each.turn + 1 >= self._turn for each in [*self._messages][-1:]):
            self._messages.pop()
        self._messages.append(_Message(line, self._turn))
        self.refresh()

    def wanted_lines(self) -> int:
        """The lines of the last message and the game's others of this command; 1 if they are of an earlier turn."""
        last = self._last()
        return self._lines(last) if last and last[-1].turn == self._turn else 1

    def all_lines(self) -> int:
        """Lines that all messages need."""
        return self._lines(self._messages)

    def _last(self) -> list[_Message]:
        """The last message; of the game's, all since the last command, or of the same turn."""
        last: list[_Message] = []
        for message in reversed(self._messages):
            # Before the first command only a turn counts.
            is_before = last and message.turn < min(self._oldest or last[-1].turn, last[-1].turn)
            if last and (message.line.is_aside or last[0].line.is_aside or is_before):
                break
            last.insert(0, message)
        return last

    def _lines(self, messages: Iterable[_Message]) -> int:
        return sum(len(self._folded(message.line.text)) for message in messages)

    def _folded(self, text: str, **options: Any) -> list[str]:
        bound = re.sub(r"(?<= )(\S) ", "\\1\xa0", text)  # a key stays with its verb
        lines = wrap(bound, max(self.size.width, len(_MORE)), break_on_hyphens=False, **options)
        return [line.replace("\xa0", " ") for line in lines] or [""]

    def render(self) -> Content:
        width, height = self.size
        messages, last = list(self._messages), self._last()
        if last and last[-1].turn == self._turn and self._lines(last) > height:
            messages = last  # the oldest ones go, alarms last
            while len(last) > 1 and self._lines(last) > height:
                last.remove(next((each for each in last if each.line.meaning is not Meaning.FOE), last[0]))
        shown: list[Content] = []
        room, has_goal = height, False
        for line, turn in reversed(messages):
            is_goal = line.meaning is Meaning.WAY_OUT
            is_old = line.is_aside and line.text != self.goal
            is_past = has_goal or is_old if is_goal else turn + _LASTING_TURNS < self._turn
            has_goal |= is_goal
            if is_past and turn < self._turn and not (line.is_warning or self.is_open):
                continue
            if height == 1 and turn < self._oldest and not line.is_warning:
                break
            parts = self._folded(line.text)
            if len(parts) > room:
                if shown:
                    break
                # The newest one is always there, with its beginning.
                if width > len(_MORE):
                    parts = self._folded(line.text, max_lines=height, placeholder=_MORE)
                parts = parts[:height]
            room -= len(parts)
            past = "$foe 70%" if line.meaning is Meaning.FOE else "$note 55%"  # an alarm stays one
            shown.append(Content.styled("\n".join(parts), line.style if turn == self._turn else past))
        return Content("\n").join(reversed(shown))
