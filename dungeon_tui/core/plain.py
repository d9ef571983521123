"""Without a screen: reading commands a character or a word at a time, printing what is safe, failing in one line."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NoReturn, TextIO

from dungeon_tui.core.text import one_line, printable
from dungeon_tui.core.turns import TurnController

LONGEST_MESSAGE = 1000  # characters of a line on standard error
FAREWELL = "Thank you for playing!\n"


_Begin = Callable[[TurnController[Any, Any, Any], Mapping[str, str]], Callable[[], object]]
_begin: ContextVar[_Begin] = ContextVar("begin")


@contextmanager
def told_of_games(begin: _Begin) -> Iterator[None]:
    """Has a function told of games that are begun without a screen within the block: the game, the players by seat.

    It returns the function to call when a player of the game is helped.
    """
    token = _begin.set(begin)
    try:
        yield
    finally:
        _begin.reset(token)


def begins(game: TurnController[Any, Any, Any], players: Mapping[str, str] | None = None) -> Callable[[], object]:
    """Tells that a game is played from its present turn on; whoever keeps games follows it.

    Returns:
        The function to call when a player is helped.
    """
    begin = _begin.get(None)
    return begin(game, players or {}) if begin else bool


class TextAhead(io.TextIOBase):
    """Text from outside, of which all that has arrived can be looked at before it is read.

    Attributes:
        is_line_start: True if only blanks were read of the present line.
    """

    def __init__(self, more: Callable[[], str]) -> None:
        """Reads what a function gives, which waits until there is some; empty is the end."""
        self._more = more
        self._text, self._at = "", 0
        self.is_line_start = True

    def peek(self) -> str:
        """All that has arrived; where nothing has, it waits. Empty at the end."""
        if self._at == len(self._text):
            self.wait()
        return self._text[self._at :]

    def wait(self) -> bool:
        """Waits for more text than has arrived; False at the end."""
        more = self._more()
        self._text, self._at = self._text[self._at :] + more, 0
        return bool(more)

    def read(self, size: int | None = -1) -> str:
        """Reads so many characters, fewer at the end; all by default."""
        most = sys.maxsize if size is None or size < 0 else size
        while len(self._text) - self._at < most and self.wait():
            pass
        return self._take(min(self._at + most, len(self._text)))

    def readline(self, size: int = -1) -> str:  # type: ignore[override]
        """Reads a line with its end, or what is left."""
        while (end := self._text.find("\n", self._at) + 1) == 0 and self.wait():
            pass
        return self._take(end or len(self._text))

    def _take(self, end: int) -> str:
        taken, self._at = self._text[self._at : end], end
        _, newline, last = taken.rpartition("\n")
        self.is_line_start = (self.is_line_start or bool(newline)) and not last.strip()
        return taken


def read_command(source: TextIO) -> str:
    """Reads up to the next character that is not blank, and returns that; empty at the end of the input."""
    while (character := source.read(1)).isspace():
        pass
    return character


def read_word(source: TextIO) -> str:
    """Reads the next word and the blank after it; returns the word, empty at the end of the input."""
    word = read_command(source)
    while word and (character := source.read(1)) and not character.isspace():
        word += character
    return word


def read_line(source: TextIO) -> str:
    """Reads the next line; returns it without the blanks around it, empty if blank or at the end of the input."""
    return source.readline().strip()


def ask(question: str, source: TextIO, out: TextIO, read: Callable[[TextIO], str] = read_word) -> str:
    """Prints a question and returns the answer read; an empty one means that they leave, and prints the farewell."""
    out.write(question)
    out.flush()
    answer = read(source)
    if not answer:
        out.write(FAREWELL)
    return answer


def in_columns(rows: Sequence[Sequence[str]], sides: str) -> str:
    r"""Lines of text with the rows in columns, aligned by `sides` ("<" or ">" a column); empty columns are left out.

    >>> in_columns([("room", "cost"), ("a", "12")], "<>")
    'room  cost\na       12\n'
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        [f"{text:{side}{width}}" for text, side, width in zip(row, sides, widths, strict=True) if width] for row in rows
    )
    return "".join("  ".join(line).rstrip() + "\n" for line in lines)


class PrintableStream(io.TextIOBase):
    """The one door for text to standard output and standard error: all but line ends and tabs is printable.

    Attributes:
        stream: the stream behind the door, for those who draw on a terminal.
        longest: characters of a line; longer ones lose their middle. None: lines of any length stay whole.
    """

    def __init__(self, stream: TextIO, longest: int | None = None) -> None:
        self.stream = stream
        self.longest = longest

    def write(self, text: str) -> int:
        """Writes a text, with escapes for what could steer a terminal; returns how many characters that were."""
        text = _lines_printable(text)
        if self.longest is not None and len(text) > self.longest:
            text = "\n".join(_shortened(line, self.longest) for line in text.split("\n"))
        return self.stream.write(text)

    def flush(self) -> None:
        """Flushes the stream behind the door."""
        self.stream.flush()

    def isatty(self) -> bool:
        """True if the stream behind the door is a terminal."""
        return self.stream.isatty()

    def fileno(self) -> int:
        """The descriptor of the stream behind the door."""
        return self.stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding of the stream behind the door."""
        return self.stream.encoding


@contextmanager
def printable_streams() -> Iterator[None]:
    """Lets nothing but printable text, line ends and tabs through standard output and error while the block runs."""
    before = sys.stdout, sys.stderr
    for stream in before:  # a name that the terminal can't spell is no reason to end
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace", newline="\n")  # the same transcript everywhere
    sys.stdout, sys.stderr = PrintableStream(sys.stdout), PrintableStream(sys.stderr, LONGEST_MESSAGE)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _shortened(line: str, longest: int) -> str:
    half = (longest - 5) // 2
    return line if len(line) <= longest else f"{line[:half]} ... {line[-half:]}"


def _lines_printable(text: str) -> str:
    """The text with escapes for all that isn't printable, but for line ends and tabs."""
    if text.isprintable():
        return text
    return "".join(part if part in "\n\t" else printable(part) for part in re.split(r"([\n\t])", text))


def fail(message: str) -> NoReturn:
    """Ends the process: one line on standard error, exit status 1."""
    print(one_line(message), file=sys.stderr)
    sys.exit(1)
