"""The command line: reading commands, printing safely, failing with one line, and the signals that end it."""

import io
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, NoReturn, TextIO

from dungeon_tui.core.text import one_line, printable
from dungeon_tui.core.turns import TurnController

LONGEST_MESSAGE = 1000  # characters of a line on standard error
FAREWELL = "Thank you for playing!\n"
ENDS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that end the program as leaving does, with exit status 128 + n; SIGHUP comes when a terminal is closed."""


Begin = Callable[[TurnController[Any, Any, Any], Mapping[str, str]], Callable[[], object]]
"""Called as play begins at a game's current turn, with the players by seat; returns what to call when one gets help."""


@dataclass(frozen=True, slots=True)
class Console:
    """The place where a game in plain text reads its commands and writes."""

    source: TextIO
    out: TextIO  # the transcript alone
    messages: TextIO = field(default_factory=lambda: sys.stderr)  # warnings and remarks
    begin: Begin = lambda *_: bool
    is_quiet: bool = False  # begins without maps and prompts


class TextAhead(io.TextIOBase):
    """Input of which all that has arrived can be inspected before it is read."""

    def __init__(self, more: Callable[[], str]) -> None:
        self._more = more
        self._text, self._at = "", 0
        self.is_line_start = True  # only blanks were read of the current line

    def peek(self) -> str:
        """The text that has arrived; waits if there is none. Empty at the end."""
        if self._at == len(self._text):
            self.wait()
        return self._text[self._at :]

    def wait(self) -> bool:
        """Waits for more text; False at the end."""
        more = self._more()
        self._text, self._at = self._text[self._at :] + more, 0
        return bool(more)

    def read(self, size: int | None = -1) -> str:
        most = sys.maxsize if size is None or size < 0 else size
        while len(self._text) - self._at < most and self.wait():
            pass
        return self._take(min(self._at + most, len(self._text)))

    def readline(self, size: int = -1) -> str:  # type: ignore[override]
        while (end := self._text.find("\n", self._at) + 1) == 0 and self.wait():
            pass
        return self._take(end or len(self._text))

    def _take(self, end: int) -> str:
        taken, self._at = self._text[self._at : end], end
        _, newline, last = taken.rpartition("\n")
        self.is_line_start = (self.is_line_start or bool(newline)) and not last.strip()
        return taken


def read_command(source: TextIO) -> str:
    """Reads the next character that is not blank; empty at the end of the input."""
    while (character := source.read(1)).isspace():
        pass
    return character


def read_word(source: TextIO) -> str:
    """Reads the next word and the blank after it; empty at the end of the input."""
    word = read_command(source)
    while word and (character := source.read(1)) and not character.isspace():
        word += character
    return word


def read_line(source: TextIO) -> str:
    """Reads the next line, stripped."""
    return source.readline().strip()


def ask(question: str, console: Console, read: Callable[[TextIO], str] = read_word) -> str:
    """Prints a question and returns the answer; an empty answer means quitting, and prints the farewell."""
    console.out.write(question)
    console.out.flush()
    answer = read(console.source)
    if not answer:
        console.out.write(FAREWELL)
    return answer


def in_columns(rows: Sequence[Sequence[str]], sides: str) -> str:
    r"""Rows as aligned text ("<" or ">" for each column); omits empty columns.

    >>> in_columns([("room", "cost"), ("a", "12")], "<>")
    'room  cost\na       12\n'
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        [f"{text:{side}{width}}" for text, side, width in zip(row, sides, widths, strict=True) if width] for row in rows
    )
    return "".join("  ".join(line).rstrip() + "\n" for line in lines)


class PrintableStream(io.TextIOBase):
    """A stream that escapes everything unprintable except line ends and tabs."""

    def __init__(self, stream: TextIO, longest: int | None = None) -> None:
        self.stream = stream
        self.longest = longest  # characters after which the middle of a line is cut; None: no limit

    def write(self, text: str) -> int:
        if not text.isprintable():
            text = "".join(part if part in "\n\t" else printable(part) for part in re.split(r"([\n\t])", text))
        if self.longest is not None and len(text) > self.longest:
            half = (self.longest - 5) // 2
            lines = text.split("\n")
            text = "\n".join(
                f"{each[:half]} ... {each[-half:]}" if len(each) > self.longest else each for each in lines
            )
        return self.stream.write(text)

    def flush(self) -> None:
        if not self.stream.closed:
            self.stream.flush()

    def isatty(self) -> bool:
        return self.stream.isatty()

    def fileno(self) -> int:
        return self.stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.stream.encoding


@contextmanager
def printable_streams() -> Iterator[None]:
    """Makes standard output and error printable streams within the block; then drops what can't be written."""
    before = sys.stdout, sys.stderr
    for stream in before:  # a name that the terminal can't spell is no reason to end
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace", newline="\n")  # the same transcript everywhere
    sys.stdout, sys.stderr = PrintableStream(sys.stdout), PrintableStream(sys.stderr, LONGEST_MESSAGE)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for stream in before:
            try:
                PrintableStream(stream).flush()  # if it is still open
            except OSError:  # Python would try again at its end, and complain
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def handled_signals(
    numbers: Iterable[int], handler: Callable[[int, FrameType | None], object], unless_changed: bool = False
) -> Iterator[None]:
    """Handles signals within the block; with `unless_changed` only those that still have Python's own handlers."""
    usual = signal.SIG_DFL, signal.default_int_handler
    before = {
        number: signal.signal(number, handler)
        for number in numbers
        if not unless_changed or signal.getsignal(number) in usual
    }
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def tell(message: str) -> None:
    """Prints one line on standard error."""
    print(one_line(message), file=sys.stderr, flush=True)


def fail(message: str) -> NoReturn:
    """Ends the process with one line on standard error and exit status 1."""
    tell(message)
    sys.exit(1)
